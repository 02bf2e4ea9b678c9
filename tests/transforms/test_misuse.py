"""Transforms that are asked for wrongly: what the error says, and what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir import f32, ops
from dxir.errors import AttributeValueError, DxirError, TransformError

PROGRAM = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.negate %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


def built(function: Any) -> dxir.Function:
    return dxir.build_function(function, f32[3], name="main")


@pytest.mark.parametrize("wrt", [1.0, "x", ("x",), True])
def test_inputs_are_named_by_positions(wrt: Any) -> None:
    with pytest.raises(TransformError, match="wrt is ") as caught:
        dxir.grad(built(ops.sum), wrt=wrt)
    assert caught.value.hint == "give positions of parameters, counted from 0"
    with pytest.raises(TransformError, match="wrt is ") as caught:
        built(lambda x: dxir.grad(ops.sum, wrt=wrt)(x))
    assert caught.value.hint == "give positions of arguments, counted from 0"


def test_of_a_program_one_function_is_derived() -> None:
    program = dxir.load(PROGRAM)
    given: Any = program
    with pytest.raises(TransformError, match="not a Program") as caught:
        dxir.grad(given)
    assert caught.value.hint == 'give one of its functions: grad(program.raise_()["main"])'
    given = program.raise_()
    with pytest.raises(TransformError, match="not a Module") as caught:
        dxir.grad(given)
    assert caught.value.hint == 'give one of its functions: grad(module["main"])'


def test_a_reverse_rule_forwards_points_to_the_one_for_both() -> None:
    same = dxir.custom_vjp(lambda x: x * 1.0, lambda x: (x, None), lambda _, g: (g,))
    with pytest.raises(TransformError, match="no forward one") as caught:
        built(lambda x: dxir.jvp(same, (x,), (x,))[1])
    assert "dxir.custom_jvp" in (caught.value.hint or "")


def test_a_policy_is_checked_before_anything_is_called() -> None:
    with pytest.raises(AttributeValueError, match="the policy is 'dot'") as caught:
        dxir.checkpoint(ops.tanh, policy="dot")
    assert "dots" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda x: dxir.jvp(lambda p: p["w"], ({"w": x},), (x,)), "but {'w': value} is needed"),
        (lambda x: dxir.jvp(ops.tanh, (x,), ((x,),)), "(value,), but one value is needed"),
        (
            lambda x: dxir.grad(lambda x: [x, {"n": None, "m": (x, x)}], has_aux=True)(x),
            "returns [value, {'m': (value, value), 'n': None}]",
        ),
    ],
)
def test_containers_are_shown_as_they_are_written(call: Any, said: str) -> None:
    with pytest.raises(DxirError) as caught:
        built(call)
    assert said in caught.value.message
