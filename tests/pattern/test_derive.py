"""Patterns derived from what ops expand into."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import REGISTRY, Composite
from dxir.pattern import derived_rules
from dxir.pattern.search import Index, choose, search
from dxir.pattern.view import View

DERIVABLE = {
    "softmax": [{"axis": 0}, {"axis": 2}, {"axis": 1, "masked": True}],
    "log_softmax": [{"axis": 1}, {"axis": 2}],
    "relu": [{}],
    "step": [{}],
    "silu": [{}],
    "gelu": [{"approximate": "none"}, {"approximate": "tanh"}],
    "elu": [{"alpha": 0.25}, {}],
    "leaky_relu": [{"negative_slope": 0.125}],
    "softplus": [{}],
    "softsign": [{}],
    "relu6": [{}],
    "hard_sigmoid": [{}],
    "hard_swish": [{}],
    "mish": [{}],
}
CASES = [(name, attributes) for name, kinds in DERIVABLE.items() for attributes in kinds]


def spelled_out(name: str, attributes: dict[str, Any], dtype: str = "f32") -> dxir.Program:
    b = dxir.Builder("main")
    x = b.param(getattr(dxir, dtype)[3, 4, 5])
    return dxir.lower(b.build(getattr(ops, name)(x, **attributes))).decompose()


def found_in(program: dxir.Program, rules: Any) -> list[Any]:
    view = View(program.module)
    return choose(search(view, Index(view), view.functions["main"], rules))


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    _ = ops.relu  # the families are imported when first used
    return {name: derived_rules(REGISTRY[name]) for name in DERIVABLE}  # type: ignore[type-abstract]


@pytest.mark.parametrize(("name", "attributes"), CASES)
def test_an_op_is_found_in_what_it_expands_into(
    name: str, attributes: dict[str, Any], rules: dict[str, Any]
) -> None:
    found = found_in(spelled_out(name, attributes), rules[name])
    assert [f.rule.composite for f in found] == [f"dxir.{name}"]
    whole = spelled_out(name, attributes).op_counts(nested=False)
    whole.pop("stablehlo.constant", None)
    whole.pop("stablehlo.iota", None)
    assert len(found[0].ops) == sum(whole.values()) - whole["func.return"]
    for key, value in attributes.items():
        assert found[0].attributes[key] == pytest.approx(value)


@pytest.mark.parametrize("dtype", ["bf16", "f16", "f64"])
@pytest.mark.parametrize("name", ["softmax", "gelu", "silu", "elu"])
def test_other_element_types_are_found_by_the_same_pattern(
    name: str, dtype: str, rules: dict[str, Any]
) -> None:
    found = found_in(spelled_out(name, {}, dtype), rules[name])
    assert [f.rule.name for f in found] == [name]


def test_no_op_is_found_in_what_another_expands_into(rules: dict[str, Any]) -> None:
    contains = {
        ("mish", "softplus"),
        ("mish", "relu"),
        ("softplus", "relu"),
        ("hard_sigmoid", "relu6"),
        ("hard_swish", "relu6"),
        ("hard_swish", "hard_sigmoid"),
    }
    for name in DERIVABLE:
        for other, attributes in CASES:
            if other != name and (other, name) not in contains:
                found = found_in(spelled_out(other, attributes), rules[name])
                assert not found, (name, "in", other)


def test_an_op_of_ones_own_is_found_in_any_order_of_operands() -> None:
    class Tripled(Composite, name="test_tripled_tanh"):
        """Three times the hyperbolic tangent."""

        x: Value
        factor: float = 3.0
        examples = (Example(x=dxir.f32[2, 3]),)

        def infer(self) -> Any:
            return self.x.type

        def expand(self, x: Value) -> Value:
            return ops.tanh(x) * self.factor

        def reference(self, x: Any) -> Any:
            return np.tanh(x) * self.factor

    program = dxir.load("""
    func.func @main(%x: tensor<4x?xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
      %c = stablehlo.constant dense<5.0> : tensor<7xf32>
      %0 = stablehlo.tanh %y : tensor<7xf32>
      %1 = stablehlo.multiply %c, %0 : tensor<7xf32>
      return %1 : tensor<7xf32>
    }""")
    try:
        found = found_in(program, derived_rules(Tripled))
    finally:
        del REGISTRY["test_tripled_tanh"]
    assert [f.attributes for f in found] == [{"factor": 5.0}]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("swiglu", "dot_general"),
        ("layer_norm", "scale is broadcast"),
        ("lu", "several results"),
        ("instance_norm", "no attribute `axis`"),
    ],
)
def test_what_cannot_be_derived_is_refused_with_the_reason(name: str, why: str) -> None:
    _ = ops.relu
    with pytest.raises(dxir.DxirError, match=why) as error:
        derived_rules(REGISTRY[name])  # type: ignore[arg-type]
    assert "by hand" in str(error.value)
