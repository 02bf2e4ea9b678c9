"""What parameters start from: functions `initializer(key, shape, dtype)`.

Those that scale by the number of inputs and outputs take `in_axes` and `out_axes`, the axes of a
kernel over which a layer sums and those along which its results lie; layers give these on their
own. The names are those of the papers: Glorot and Bengio (2010), He et al. (2015), LeCun et al.
(1998), Saxe et al. (2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import checks, ops, random
from dxir.errors import AttributeValueError, ShapeError
from dxir.locations import caller_location
from dxir.nn.parameters import float_type
from dxir.numpy.arguments import public
from dxir.numpy.promotion import as_type
from dxir.tracing.arrays import Array
from dxir.types import DType, f32

Initializer = Callable[..., Array]
"""`initializer(key, shape, dtype)`; it may take `in_axes` and `out_axes` by keyword."""


def initialized(
    initializer: Initializer, key: Any, shape: Sequence[int], dtype: DType, **axes: Any
) -> Array:
    """What an initializer gives, told which axes are which if it wants to know."""
    scaled = getattr(initializer, "by_axes", False)
    found: Any = initializer(key, tuple(shape), dtype, **(axes if scaled else {}))
    if not isinstance(found, Array) or found.shape != tuple(shape) or found.dtype != dtype:
        said = str(found.type) if isinstance(found, Array) else repr(found)
        raise ShapeError(
            f"the initializer gives {said}, where {dtype[tuple(shape)]} is needed",
            where=caller_location(),
            hint="an initializer is a function of a key, a shape and an element type",
        )
    return found


def _filled(shape: Sequence[int], value: Any, dtype: Any) -> Array:
    return Array(np.full(tuple(shape), value).astype(DType.of(dtype).numpy))


@public
def zeros(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:  # noqa: ARG001  as all initializers
    """Zeros; the key is not used."""
    return _filled(shape, 0, dtype)


@public
def ones(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:  # noqa: ARG001  as all initializers
    """Ones; the key is not used."""
    return _filled(shape, 1, dtype)


@public
def constant(value: float) -> Initializer:
    """One number everywhere."""

    def made(_key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:
        return _filled(shape, value, dtype)

    return made


@public
def uniform(scale: float = 0.01) -> Initializer:
    """Uniform numbers from -`scale` to `scale`."""

    def made(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:
        found = random.uniform(key, shape, _wide(dtype), low=-scale, high=scale)
        return as_type(found, float_type(dtype))

    return made


@public
def normal(deviation: float = 0.01) -> Initializer:
    """Normal numbers of mean 0 and this standard deviation."""

    def made(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:
        found = ops.mul(random.normal(key, shape, _wide(dtype)), float(deviation))
        return as_type(found, float_type(dtype))

    return made


@public
def truncated_normal(deviation: float = 0.01) -> Initializer:
    """Normal numbers of mean 0, those beyond two standard deviations left out.

    `deviation` is that of the numbers before they are left out.
    """

    def made(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:
        found = ops.mul(random.truncated_normal(key, shape, _wide(dtype)), float(deviation))
        return as_type(found, float_type(dtype))

    return made


def _wide(dtype: Any) -> DType:
    return float_type(dtype).accumulator


_OF_TRUNCATED = 0.87962566103423978
"""The standard deviation of the standard normal distribution between -2 and 2."""


@public
def variance_scaling(scale: float, mode: str, distribution: str) -> Initializer:
    """Numbers of mean 0 and variance `scale / n`.

    `mode` says what n is: `fan_in` (inputs), `fan_out` (outputs) or `fan_avg` (their mean).
    `distribution` is `uniform`, `normal` or `truncated_normal`. Kernels of no known axes have their
    inputs on the last axis but one, their outputs on the last, and windows on those before.
    """
    if not scale > 0:
        raise AttributeValueError(f"scale is {scale}, but must be above 0")
    checks.one_of(mode, ("fan_in", "fan_out", "fan_avg"), "mode")
    checks.one_of(distribution, ("uniform", "normal", "truncated_normal"), "distribution")

    def made(
        key: Any,
        shape: Sequence[int],
        dtype: Any = f32,
        *,
        in_axes: Sequence[int] = (-2,),
        out_axes: Sequence[int] = (-1,),
    ) -> Array:
        inputs, outputs = _fans(tuple(shape), in_axes, out_axes)
        n = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[mode]
        deviation = math.sqrt(scale / max(n, 1))
        if distribution == "uniform":
            return uniform(math.sqrt(3) * deviation)(key, shape, dtype)
        if distribution == "normal":
            return normal(deviation)(key, shape, dtype)
        return truncated_normal(deviation / _OF_TRUNCATED)(key, shape, dtype)

    made.by_axes = True  # type: ignore[attr-defined]  # what `initialized` looks for
    return made


def _fans(
    shape: tuple[int, ...], in_axes: Sequence[int], out_axes: Sequence[int]
) -> tuple[int, int]:
    """How many numbers each result is a sum of, and how many results each one goes into."""
    rank = len(shape)
    if any(not -rank <= a < rank for a in (*in_axes, *out_axes)):
        raise ShapeError(
            f"a kernel of shape {shape} has no axes {(*in_axes, *out_axes)}",
            where=caller_location(),
            hint="variance scaling is for kernels of two axes or more; zeros, ones, constant, "
            "uniform and normal are for any shape",
        )
    size = math.prod(shape)
    ins, outs = (math.prod([shape[a] for a in axes]) for axes in (in_axes, out_axes))
    window = size // max(ins * outs, 1)
    return ins * window, outs * window


glorot_uniform = variance_scaling(1.0, "fan_avg", "uniform")
glorot_normal = variance_scaling(1.0, "fan_avg", "truncated_normal")
he_uniform = variance_scaling(2.0, "fan_in", "uniform")
he_normal = variance_scaling(2.0, "fan_in", "truncated_normal")
lecun_uniform = variance_scaling(1.0, "fan_in", "uniform")
lecun_normal = variance_scaling(1.0, "fan_in", "truncated_normal")


@public
def orthogonal(scale: float = 1.0) -> Initializer:
    """Matrices whose columns (or rows, if they are fewer) are orthonormal, times `scale`.

    A kernel of more than two axes is a matrix of its last axis and all before. Every such matrix
    is equally likely.
    """

    def made(key: Any, shape: Sequence[int], dtype: Any = f32) -> Array:
        if len(shape) < 2:
            raise ShapeError(
                f"an orthogonal matrix has two axes or more, not shape {tuple(shape)}",
                where=caller_location(),
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = (max(rows, columns), min(rows, columns))
        wide = _wide(dtype)
        q, r = ops.qr(random.normal(key, tall, wide))
        n = tall[1]
        diagonal = ops.sum(ops.triu(ops.tril(r)), axes=(1,))
        q = ops.mul(q, ops.broadcast_to(ops.sign(diagonal), shape=(tall[0], n)))
        matrix = ops.transpose(q) if rows < columns else q
        found = ops.mul(ops.reshape(matrix, shape=tuple(shape)), float(scale))
        return as_type(found, float_type(dtype))

    return made
