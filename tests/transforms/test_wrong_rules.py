"""Rules that fail or give what they must not: the error names the op, the rule and the place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import f32, ops
from dxir.errors import GraphError, TransformError
from dxir.examples import Example
from dxir.graph import Function, Value
from dxir.op import Primitive
from dxir.transforms import registry
from dxir.types import Type

PROGRAM = """
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @acme_wrong(%x, %y)
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
TRANSFORMS: dict[str, Callable[[Function], Any]] = {
    "vjp": dxir.grad,
    "pullback": dxir.grad,
    "jvp": dxir.jvp,
    "pushforward": dxir.jvp,
    "batch": lambda f: dxir.vmap(f, axis_size=2),
}


def _raised(number: int) -> Any:
    return number // 0


CASES: list[tuple[str, Any, str]] = [
    ("vjp", lambda n, g, y: g, "gives one Value of type f32[3], where a cotangent is needed for "
     "each of the 2 operands, f32[3], f32[3]"),
    ("vjp", lambda n, g, y: (g, g, g), "gives 3 entries, where a cotangent is needed for each"),
    ("vjp", lambda n, g, y: None, "gives None, where a cotangent is needed"),
    ("vjp", lambda n, g, y: (1.0, g), "gives 1.0 as the cotangent of a value of type f32[3]"),
    ("vjp", lambda n, g, y: (lambda: 1.0, g), "gives 1.0 as the cotangent"),
    ("vjp", lambda n, g, y: (ops.sum(g), g), "gives a cotangent of type f32[], where f32[3] is "
     "needed"),
    ("vjp", lambda g, y: (g, g), "failed: TypeError: <lambda>() takes 2 positional arguments"),
    ("vjp", lambda n, g, y: (n.lhs, g), "failed: AttributeError"),
    ("vjp", lambda n, g, y: (lambda: _raised(1), g), "failed: ZeroDivisionError"),
    ("vjp", lambda n, g, y: (g, ops.add(g, np.ones(4, np.float32))), "failed: add: "),
    ("jvp", lambda n, t, y: (t[0], t[1]), "gives 2 entries, where a tangent is needed for the "
     "result, f32[3]"),
    ("jvp", lambda n, t, y: 1.0, "gives 1.0 as the tangent of a value of type f32[3]"),
    ("jvp", lambda n, t, y: ops.sum(t[0]), "gives a tangent of type f32[], where f32[3] is needed"),
    ("jvp", lambda n, t: t[0], "failed: TypeError"),
    ("batch", lambda n, b: (b.full(0), b.full(1)), "gives 2 entries, where a value is needed"),
    ("batch", lambda n, b: (), "gives 0 entries, where a value is needed"),
    ("batch", lambda n, b: 1.0, "gives 1.0 as the batched form of a value of type f32[3]"),
    ("batch", lambda n, b: ops.sum(b.full(0), axes=(0,)), "gives a result of type f32[3], where "
     "f32[2, 3] is needed"),
    ("batch", lambda n: n.inputs[0], "failed: TypeError"),
    ("pullback", lambda n, sweep: None, "failed: TypeError"),
    ("pullback", lambda n, sweep: ((n.inputs[0],), lambda gs: None), "failed: TypeError"),
    ("pullback", lambda n, sweep: ((n.inputs[0],), lambda gs: [(n.inputs[0], 2.0)]),
     "gives 2.0 as the cotangent"),
    ("pushforward", lambda n, sweep: None, "failed: TypeError"),
    ("pushforward", lambda n, sweep: ((n.inputs[0],), ()), "gives 0 entries, where a tangent"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_RULES", {})


@pytest.mark.parametrize(("kind", "rule", "said"), CASES)
def test_a_wrong_rule_is_told_by_op_rule_and_place(kind: str, rule: Any, said: str) -> None:
    dxir.register_rules("acme_wrong", **{kind: rule})
    with pytest.raises(TransformError) as caught:
        TRANSFORMS[kind](dxir.load(PROGRAM).raise_()["main"])
    assert caught.value.message.startswith(f"custom_call @acme_wrong: its {kind} rule {said}")
    assert (caught.value.where or "").endswith(":3:8")


def test_a_refusal_by_a_rule_is_passed_on_as_it_is() -> None:
    def rule(call: Any, g: Value, y: Value) -> Any:
        raise TransformError("not with these sizes", hint="give others")

    dxir.register_rules("acme_wrong", vjp=rule)
    with pytest.raises(TransformError, match=r"^not with these sizes\n  hint: give others$"):
        dxir.grad(dxir.load(PROGRAM).raise_()["main"])


def test_rules_are_registered_with_at_least_one_rule() -> None:
    with pytest.raises(TransformError, match="no rule is given for 'acme_wrong'") as caught:
        dxir.register_rules("acme_wrong")
    assert "vjp" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("said", "given", "told"),
    [
        ("linear", ("z",), "`linear` names 'z', which is no operand"),
        ("multilinear", ("x", "scale"), "`multilinear` names 'scale', which is no operand"),
        ("linear", "x", "`linear` is 'x', and must be a tuple"),
    ],
)
def test_an_op_is_linear_in_operands_alone(said: str, given: Any, told: str) -> None:
    def infer(self: Any) -> Type:
        return self.x.tensor  # type: ignore[no-any-return]

    body = {
        "__doc__": "Scaled.",
        "__module__": __name__,
        "__annotations__": {"x": "Value", "scale": "float"},
        "infer": infer,
        "lower": infer,
        "reference": infer,
        "examples": (Example(x=f32[3], scale=2.0),),
        said: given,
    }
    with pytest.raises(GraphError) as caught:
        type("Scaled", (Primitive,), body, name="acme.wrongly_scaled")
    assert told in caught.value.message
    assert caught.value.hint == "the operands are x"
