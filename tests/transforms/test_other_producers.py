"""Derivatives and batches of what other producers write: CHLO, quantized types, generators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.graph import Module, Value
from dxir.transforms import grad_function, vmap_function
from dxir.types import QuantizedType, TensorType, f32, ui8, ui32

from .graphs import function_of, gradients, near, values


@pytest.mark.parametrize("name", ["chlo_broadcast_multiply", "chlo_broadcast_power"])
def test_operations_with_implicit_broadcasting_have_the_derivatives_of_their_counterparts(
    name: str,
) -> None:
    x, y = np.float32([1, 2]), np.float32([[1, 2, 3], [4, 5, 6]])

    def body(a: Value, b: Value) -> Value:
        return getattr(ops, name)(a, b, broadcast_dimensions=(0,))

    def stated(a: Value, b: Value) -> Value:
        wide = ops.reshape(a, shape=(2, 1))
        return ops.mul(wide, b) if name.endswith("multiply") else ops.pow(wide, b)

    for found, wanted in zip(gradients(body, x, y), gradients(stated, x, y), strict=True):
        near(found, wanted)
    made = vmap_function(function_of(body, f32[2], f32[2, 3]), (1, None), 2, axis_size=3)
    many = np.stack([x, x + 1, x + 2], 1)
    loop = [values(function_of(body, f32[2], f32[2, 3]), many[:, i], y)[0] for i in range(3)]
    near(values(made, many, y)[0], np.stack(loop, 2))


@pytest.mark.parametrize("name", ["rng_bits", "rng_uniform", "rng_normal", "rng_split"])
def test_a_batch_of_keys_gives_what_each_key_gives(name: str) -> None:
    def body(key: Value) -> Value:
        return ops.rng_split(key) if name == "rng_split" else getattr(ops, name)(key, shape=(5, 3))

    keys = np.arange(8, dtype=np.uint32).reshape(4, 2) * 77
    function = function_of(body, ui32[2])
    (many,) = values(vmap_function(function, axis_size=4), keys)
    near(
        many, np.stack([values(function, k)[0] for k in keys]), 1e-6 if name == "rng_normal" else 0
    )


def test_the_targets_generator_runs_once_for_each_state_of_a_batch() -> None:
    def body(state: Value) -> Any:
        return ops.rng_bit_generator(state, algorithm="THREE_FRY", shape=(3, 5))

    states = np.arange(6, dtype=np.uint64).reshape(3, 2)
    function = function_of(body, TensorType.of_array(states[0]))
    many = values(vmap_function(function, axis_size=3), states)
    for i, state in enumerate(states):
        for found, wanted in zip(many, values(function, state), strict=True):
            assert (found[i] == wanted).all()


def test_random_numbers_move_with_their_bounds() -> None:
    def body(a: Value, b: Value) -> Value:
        shape = ops.constant(np.array([2, 3]))
        return ops.stateful_rng(a, b, shape, distribution="NORMAL")

    function = grad_function(function_of(body, f32[()], f32[()]))
    lowered = dxir.lower(Module([function]))
    lowered.verify()
    assert str(lowered).count("stablehlo.rng") == 1


def test_the_axis_of_a_quantized_type_moves_behind_the_batch() -> None:
    dtype = QuantizedType(ui8, f32, (0.5, 0.25), (128, 0), axis=0)

    def body(x: Value) -> Value:
        return ops.uniform_dequantize(ops.uniform_quantize(x, dtype))

    made = vmap_function(function_of(body, f32[2, 3]), 1, axis_size=4)
    dxir.lower(Module([made])).verify()
    x = np.linspace(-9, 9, 24, dtype=np.float32).reshape(2, 4, 3)
    loop = [values(function_of(body, f32[2, 3]), x[:, i])[0] for i in range(4)]
    near(values(made, x)[0], np.stack(loop))
    stored = vmap_function(
        function_of(ops.uniform_dequantize, TensorType((2, 3), dtype)), 2, axis_size=4
    )
    assert stored.param_types == (TensorType((2, 3, 4), dtype),)
