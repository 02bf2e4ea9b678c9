"""Transforms that are asked for wrongly: what the error says, and what to do instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import f32, ops
from dxir.errors import AttributeValueError, DxirError, PassError, TransformError

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
    assert str(caught.value.hint).startswith("give positions of arguments, counted from 0")


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


def test_integers_of_numpy_name_inputs_axes_and_sizes_as_those_of_python_do() -> None:
    one = np.int64(1)
    pair = dxir.build_function(lambda x, y: ops.sum(x * y), f32[3], f32[3], name="main")
    same: Any = [
        (dxir.grad(pair, wrt=one), dxir.grad(pair, wrt=1)),
        (dxir.grad(pair, wrt=np.arange(2)), dxir.grad(pair, wrt=(0, 1))),
        (dxir.vjp(pair, outputs=np.int32(0)), dxir.vjp(pair, outputs=0)),
        (dxir.hessian(pair, wrt=one), dxir.hessian(pair, wrt=1)),
        (dxir.vmap(pair, one, np.int8(0), axis_size=np.int64(2)), dxir.vmap(pair, 1, axis_size=2)),
        (
            built(lambda x: dxir.grad(ops.sum, wrt=one - 1)(x)),
            built(lambda x: dxir.grad(ops.sum)(x)),
        ),
        (
            built(lambda x: dxir.vmap(ops.tanh, one - 1, one - 1)(x)),
            built(lambda x: dxir.vmap(ops.tanh)(x)),
        ),
    ]
    for found, wanted in same:
        assert str(found) == str(wanted)
    assert dxir.LoopOptions(loops=np.int64(2), max_trip_count=one).loops == 2


@pytest.mark.parametrize("axes", ["0", 1.0, np.float32(0), np.array(0), True, ("0",), object()])
def test_axes_of_batches_are_integers(axes: Any) -> None:
    with pytest.raises(TransformError, match="in_axes"):
        dxir.vmap(built(ops.tanh), axes, axis_size=2)
    with pytest.raises(TransformError, match="out_axes"):
        dxir.vmap(built(ops.tanh), 0, axes, axis_size=2)
    with pytest.raises(TransformError, match="in_axes"):
        built(lambda x: dxir.vmap(ops.tanh, axes)(x))


@pytest.mark.parametrize("size", ["2", 2.0, True, -1, 1 << 63, np.array(2)])
def test_sizes_of_batches_are_integers(size: Any) -> None:
    with pytest.raises(TransformError, match="axis_size is "):
        dxir.vmap(built(ops.tanh), axis_size=size)
    with pytest.raises(TransformError, match="axis_size is "):
        built(lambda x: dxir.vmap(lambda y: x, None, axis_size=size)(x))


def test_batches_are_as_large_as_64_bits_can_count() -> None:
    program = dxir.load(PROGRAM)
    for size in (99999999999999999999, (1 << 63) - 1, 1 << 61):
        with pytest.raises(PassError, match=r"axis_size is|has too many elements"):
            program.run_passes(f"dxir-vmap{{size={size}}}")
    large = program.run_passes(f"dxir-vmap{{size={1 << 59}}}")
    assert f"tensor<{1 << 59}x3xf32>" in str(large)
