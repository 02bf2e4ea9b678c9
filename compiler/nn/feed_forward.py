"""Layers of transformers that treat each position by itself, and dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dxir import ops, random
from dxir.errors import AttributeValueError, OperandError
from dxir.locations import caller_location
from dxir.nn import initializers
from dxir.nn.activations import gelu
from dxir.nn.initializers import Initializer
from dxir.nn.linear import init_linear, linear
from dxir.nn.parameters import Parameters
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, promoted
from dxir.tracing.arrays import Array
from dxir.types import f32


@public
def init_mlp(
    key: Any,
    inputs: int,
    hidden: int,
    outputs: int | None = None,
    *,
    bias: bool = True,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
) -> dict[str, dict[str, Array]]:
    """Parameters of `mlp`: the linear layers `up` and `down`; as many outputs as inputs."""
    first, second = random.split(key)
    options: dict[str, Any] = {"bias": bias, "dtype": dtype, "kernel": kernel}
    return {
        "up": init_linear(first, inputs, hidden, **options),
        "down": init_linear(second, hidden, inputs if outputs is None else outputs, **options),
    }


@public
def mlp(params: Any, x: Any, *, activation: Callable[[Array], Array] = gelu) -> Array:
    """A linear layer, an activation, and another linear layer."""
    given = Parameters(params, "mlp", "up down")
    return linear(given.layer_of("down"), activation(linear(given.layer_of("up"), x)))


@public
def init_swiglu(
    key: Any,
    inputs: int,
    hidden: int,
    outputs: int | None = None,
    *,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
) -> dict[str, dict[str, Array]]:
    """Parameters of `swiglu`: the linear layers `gate`, `up` and `down`, without biases."""
    keys = random.split(key, 3)
    options: dict[str, Any] = {"bias": False, "dtype": dtype, "kernel": kernel}
    return {
        "gate": init_linear(keys[0], inputs, hidden, **options),
        "up": init_linear(keys[1], inputs, hidden, **options),
        "down": init_linear(keys[2], hidden, inputs if outputs is None else outputs, **options),
    }


@public
def swiglu(params: Any, x: Any) -> Array:
    """`(silu(x @ gate) * (x @ up)) @ down` (Shazeer, 2020)."""
    given = Parameters(params, "swiglu", "gate up down")
    layers = {n: Parameters(given.layer_of(n), f"swiglu ({n})", "kernel") for n in _LINEARS}
    gate = layers["gate"].array("kernel", "inputs", "hidden")
    up = layers["up"].array("kernel", *gate.shape)
    down = layers["down"].array("kernel", gate.shape[1], "outputs")
    x = array_of(x)
    layers["gate"].check_input(x, 1, -1, gate.shape[0], "kernel")
    return ops.mlp(*promoted(x, gate, up, down))


_LINEARS = ("gate", "up", "down")


@public
def dropout(key: Any, x: Any, rate: Any, *, deterministic: bool = False) -> Array:
    """`x` with each element 0 with probability `rate`, and else divided by `1 - rate`.

    This is dropout (Srivastava et al., 2014). Where `deterministic`, and for a rate of 0, it is `x`
    itself, and the key may be None.
    """
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 <= rate < 1:
        raise AttributeValueError(
            f"the rate of nn.dropout is {rate!r}, but must be a number from 0 up to 1",
            where=caller_location(),
            hint="it is the share that is dropped: half of all is 0.5",
        )
    given = array_of(x)
    if deterministic or not rate:
        return given
    if key is None:
        raise OperandError(
            "nn.dropout needs a key",
            where=caller_location(),
            hint="or deterministic=True, where nothing is to be dropped",
        )
    keeps = random.bernoulli(key, given.shape, 1 - rate)
    kept = given * np.asarray(1 / (1 - rate)).astype(given.dtype.numpy)[()]
    return ops.select(keeps, kept, ops.full_like(given, value=0))
