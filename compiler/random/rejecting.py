"""Distributions that are drawn by rejecting some of what is drawn: gamma, beta and Dirichlet.

Gamma is that of Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for
all elements at once: each round draws a normal and a uniform number for each, of which at least
95 % are taken, and rounds go on until all elements have one. Below 1 a parameter is raised by 1,
and the sample multiplied by `u^(1/a)`. Logarithms are kept, for small parameters give numbers too
small for the type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.control_flow.loops import while_loop
from dxir.errors import ShapeError
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.random.distributions import fitting, float_type
from dxir.random.keys import checked, split
from dxir.tracing.arrays import Array
from dxir.types import DType, f32


@public
def gamma(key: Any, a: Any, shape: Any = None, dtype: Any = f32) -> Array:
    """Floats of the gamma distribution with parameter `a` (above 0) and scale 1.

    `a` is a number, or an array that broadcasts to `shape`, which is its own unless given. What is
    not above 0 gives NaN. It has no derivative in reverse, since the number of rounds is not known.
    """
    base, wanted = checked(key), float_type(dtype)
    logs = _log_gamma(base, *_parameters(wanted, shape, a=a))
    return as_type(ops.exp(logs), wanted)


@public
def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = f32) -> Array:
    """Floats of the beta distribution with parameters `a` and `b`, both above 0.

    They are numbers or arrays that broadcast to `shape`, which is that of both unless given.
    """
    wanted = float_type(dtype)
    keys = split(checked(key))
    first, second = _parameters(wanted, shape, a=a, b=b)
    difference = ops.sub(_log_gamma(keys[1], second), _log_gamma(keys[0], first))
    return as_type(ops.sigmoid(ops.neg(difference)), wanted)


@public
def dirichlet(key: Any, a: Any, shape: Any = None, dtype: Any = f32) -> Array:
    """Shares that add up to 1 along the last axis, with parameters `a` `[..., n]`, all above 0.

    The result has the shape of `a`, or `[*shape, n]`, where `shape` ends in that of `a` without n.
    """
    base, wanted = checked(key), float_type(dtype)
    given = array_of(a)
    if not given.shape:
        raise ShapeError(
            f"dirichlet takes a parameter for each share, not {given.type}",
            where=caller_location(),
        )
    whole = None if shape is None else (*checks.integers(shape, "shape"), given.shape[-1])
    logs = _log_gamma(base, *_parameters(wanted, whole, a=given))
    return as_type(ops.softmax(logs, axis=-1), wanted)


def _parameters(dtype: DType, shape: Any, **given: Any) -> list[Array]:
    """Parameters in the type that is computed in, all of the shape wanted."""
    arrays = {name: ops.convert(array_of(x), dtype=dtype.accumulator) for name, x in given.items()}
    if shape is not None:
        wanted = checks.integers(shape, "shape")
    else:
        try:
            wanted = np.broadcast_shapes(*[x.shape for x in arrays.values()])
        except ValueError:
            said = " and ".join(f"{name} ({x.type})" for name, x in arrays.items())
            raise ShapeError(
                f"{said} do not broadcast to one shape", where=caller_location()
            ) from None
    return [fitting(x, wanted, name) for name, x in arrays.items()]


def _log_gamma(key: Array, a: Array) -> Array:
    """Logarithms of gamma samples."""
    one: Any = a.dtype.numpy.type
    used, left = split(key)
    raised = ops.select(a < 1, a + 1, a)
    d = raised - one(1 / 3)
    c = one(1 / 3) * ops.rsqrt(d)
    usual = (a > 0) & (a < one(np.inf))

    def draw(state: Any) -> Any:
        key, found, logs = state
        key, first, second = split(key, 3)
        x = ops.rng_normal(first, shape=a.shape, dtype=a.dtype)
        u = _open_uniform(second, a)
        root = c * x + 1
        v = root * root * root
        log_v = ops.log(v)
        taken = (root > 0) & (ops.log(u) < x * x * one(0.5) + d - d * v + d * log_v)
        logs = ops.select(found, logs, log_v)
        return key, found | taken, logs

    none = ops.full_like(a, value=0)
    _, _, logs = while_loop(lambda state: ops.any(~state[1]), draw, (used, ~usual, none))
    small = ops.log(_open_uniform(left, a)) / a
    logs = logs + ops.log(d) + ops.select(a < 1, small, none)
    odd = ops.select(
        a == one(np.inf), ops.full_like(a, value=np.inf), ops.full_like(a, value=np.nan)
    )
    found: Array = ops.select(usual, logs, odd)
    return found


def _open_uniform(key: Array, like: Array) -> Array:
    """Uniform numbers above 0 and up to 1."""
    tiny = float(np.finfo(like.dtype.numpy).tiny)
    return ops.rng_uniform(key, shape=like.shape, dtype=like.dtype, low=tiny, high=1.0)
