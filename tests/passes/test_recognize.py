"""Recognition: marks and nothing else, the same each time, and what can be asked of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.diagnostics import Diagnostic
from dxir.errors import PassError
from dxir.marks import MARKS
from dxir.passes.recognize import Recognize
from dxir.pattern import Elementwise, Product, Rule, Var, register_rule
from dxir.pattern.registry import all_rules
from dxir.pipeline.running import Record, RunOptions
from dxir.reading import ops_below

HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1.5, 88.0], np.float32)


def program() -> dxir.Program:
    """A norm, a softmax, a gate and two layers, spelled out."""
    b = dxir.Builder("main")
    x, scale = b.param(dxir.f32[2, 4], name="x"), b.param(dxir.f32[4], name="scale")
    normed = ops.rms_norm(x, scale, axis=(1,))
    gated = ops.silu(ops.softmax(normed, axis=1))
    return dxir.lower(b.build(gated, ops.gelu(normed) + gated)).decompose()


def without_marks(program: dxir.Program) -> str:
    copy = dxir.load(program.text(), allow_unregistered=True)
    for op in ops_below(copy.module.operation):
        for mark in MARKS:
            if mark in op.attributes:
                del op.attributes[mark]
    return str(copy)


def test_nothing_but_marks_is_added_and_a_second_run_adds_none() -> None:
    before = program()
    after = before.run_passes("dxir-recognize").verify()
    assert "dxir.match_id" in str(after)
    assert without_marks(after) == without_marks(before)
    assert str(after.run_passes("dxir-recognize")) == str(after)


@pytest.mark.parametrize("x", [HOSTILE.reshape(2, 4), np.eye(2, 4, dtype=np.float32)])
def test_the_values_are_the_same(x: Any) -> None:
    before = program()
    after = before.run_passes("dxir-recognize")
    scale = np.linspace(-1, 2, 4, dtype=np.float32)
    for a, b in zip(dxir.compile(before)(x, scale), dxir.compile(after)(x, scale), strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_two_runs_say_the_same() -> None:
    text = program().text()
    runs = [str(dxir.load(text).run_passes("dxir-recognize{near-misses=true}")) for _ in range(2)]
    assert runs[0] == runs[1]


def test_how_many_of_each_were_found_is_counted() -> None:
    records: list[Record] = []
    program().run_passes("dxir-recognize", options=RunOptions(on_record=records.append))
    assert records[0].statistics == {"rms_norm": 1, "softmax": 1, "silu": 1, "gelu": 1}


def test_only_those_asked_for_are_looked_for() -> None:
    some = program().run_passes("dxir-recognize{patterns=silu,gelu without=gelu}")
    assert 'dxir.pattern = "silu"' in str(some)
    for other in ("gelu", "softmax", "rms_norm"):
        assert f'dxir.pattern = "{other}"' not in str(some)
    assert str(program().run_passes([Recognize(patterns=("silu",))])) == str(some)


def test_a_pattern_that_there_is_none_of_is_refused_with_the_nearest() -> None:
    with pytest.raises(PassError, match="there is no pattern 'layernorm'") as error:
        program().run_passes("dxir-recognize{patterns=silu,layernorm}")
    assert (error.value.hint or "").startswith("did you mean layer_norm")
    with pytest.raises(PassError, match="there is no pattern 'zzzzz'") as error:
        program().run_passes("dxir-recognize{without=zzzzz}")
    assert error.value.hint == "`dxir patterns` lists them all"


def near(text: str, patterns: str) -> list[Diagnostic]:
    found = dxir.load(text).run_passes(f"dxir-recognize{{patterns={patterns} near-misses=true}}")
    assert "dxir.match" not in str(found)
    return list(found.diagnostics)


def test_a_near_miss_is_a_remark_at_the_place_it_is_about() -> None:
    found = near(
        """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %two : tensor<4xf32>
  %3 = stablehlo.divide %x, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}""",
        "silu",
    )
    assert [(d.severity, d.message) for d in found] == [
        ("remark", "nearly silu: a constant is 2, not 1")
    ]
    assert (found[0].where or "").endswith(":7:8")


def test_sizes_of_run_time_are_told_to_be_in_the_way() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32["n", 3])
    top = dxir.ops.reduce_max(x, axes=(1,), keepdims=True)
    program = dxir.lower(b.build(dxir.ops.exp(x - top)))
    found = program.run_passes("dxir-recognize{near-misses=true}").diagnostics
    (said,) = [d.message for d in found if "sizes at run time" in d.message]
    assert said.startswith("2 ops of @main take sizes at run time")
    assert not program.run_passes("dxir-recognize").diagnostics


def test_marks_that_are_there_stay_and_numbers_go_on() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.logistic %x {dxir.pattern = "acme.gate", dxir.match_id = 7 : i64}
        : tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
      %2 = stablehlo.logistic %y : tensor<4xf32>
      %3 = stablehlo.multiply %y, %2 : tensor<4xf32>
      return %1, %3 : tensor<4xf32>, tensor<4xf32>
    }"""
    found = str(dxir.load(text).run_passes("dxir-recognize"))
    assert found.count("dxir.match_id = 7") == 1
    assert found.count("dxir.match_id = 8") == 2


def test_a_rule_of_ones_own_is_found_beside_the_others() -> None:
    gate = Product(Var("x"), Elementwise(("stablehlo.tanh",), Var("y")))
    register_rule(Rule("acme_gate", (gate,), operands=("x", "y"), composite="acme.gate"))
    try:
        b = dxir.Builder("main")
        x, y = (b.param(dxir.f32[4], name=n) for n in "xy")
        made = dxir.lower(b.build(ops.tanh(y) * x + ops.silu(y))).decompose()
        found = str(made.run_passes("dxir-recognize,dxir-coarsen"))
        assert 'stablehlo.composite "acme.gate" %arg0, %arg1' in found
        assert 'stablehlo.composite "dxir.silu" %arg1' in found
        assert "acme.gate" not in str(made.run_passes("dxir-recognize{without=acme_gate}"))
    finally:
        from dxir.pattern import registry

        del registry._registered["acme_gate"]
    assert "acme_gate" not in all_rules()
