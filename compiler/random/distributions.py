"""Random arrays of common distributions, each made of the bits or the uniform numbers of a key.

Narrow floats (f16, bf16) are drawn in f32 and rounded once, `uniform` apart.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.random.keys import checked, split
from dxir.tracing.arrays import Array
from dxir.types import DType, f32, i32, shape_text

_NUMBERS = (int, float, np.integer, np.floating)


@public
def uniform(key: Any, shape: Any = (), dtype: Any = f32, low: Any = 0.0, high: Any = 1.0) -> Array:
    """Floats from `low` up to `high`; these are numbers, or arrays that broadcast to `shape`."""
    base, wanted = checked(key), DType.of(dtype)
    if isinstance(low, _NUMBERS) and isinstance(high, _NUMBERS):
        return ops.rng_uniform(base, shape=shape, dtype=wanted, low=float(low), high=float(high))
    unit = ops.rng_uniform(base, shape=shape, dtype=wanted)
    start, stop = (_bound(b, wanted, unit, w) for b, w in ((low, "low"), (high, "high")))
    return ops.max(start, ops.add(ops.mul(unit, ops.sub(stop, start)), start))


def _bound(given: Any, dtype: DType, like: Array, what: str) -> Array:
    return fitting(ops.convert(array_of(given), dtype=dtype), like.shape, what)


def fitting(x: Array, shape: tuple[Any, ...], what: str) -> Array:
    """An array broadcast to a shape; ShapeError, in which `what` names it, unless it fits."""
    fits = len(x.shape) <= len(shape) and all(
        n in (1, m) for n, m in zip(reversed(x.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeError(
            f"{what} has type {x.type}, and does not broadcast to the shape {shape_text(shape)}",
            where=caller_location(),
        )
    return ops.broadcast_to(x, shape=shape)


@public
def normal(key: Any, shape: Any = (), dtype: Any = f32) -> Array:
    """Floats of the normal distribution of mean 0 and standard deviation 1."""
    return ops.rng_normal(checked(key), shape=shape, dtype=DType.of(dtype))


@public
def truncated_normal(
    key: Any, shape: Any = (), dtype: Any = f32, low: Any = -2.0, high: Any = 2.0
) -> Array:
    """Floats of the standard normal distribution between `low` and `high`, neither included.

    The mean is 0 where these are opposites; the standard deviation is less than 1 (0.88 for -2 and
    2).
    """
    base, wanted = checked(key), float_type(dtype)
    if not (isinstance(low, _NUMBERS) and isinstance(high, _NUMBERS) and low < high):
        raise AttributeValueError(
            f"there is nothing to draw from between {low!r} and {high!r}",
            where=caller_location(),
            hint="low is a number less than high",
        )
    wide = wanted.accumulator
    one: Any = wide.numpy.type
    ends = [math.erf(float(one(v)) / math.sqrt(2)) for v in (low, high)]
    if one(ends[0]) == one(ends[1]):
        raise AttributeValueError(
            f"{wide} does not tell the shares below {low} and below {high} apart",
            where=caller_location(),
            hint="draw nearer to 0, or in f64",
        )
    unit = ops.rng_uniform(base, shape=shape, dtype=wide, low=ends[0], high=ends[1])
    found = ops.mul(ops.erf_inv(unit), float(one(math.sqrt(2))))
    inside = [np.nextafter(one(low), one(np.inf)), np.nextafter(one(high), one(-np.inf))]
    return as_type(ops.clamp(Array(inside[0]), found, Array(inside[1])), wanted)


def float_type(dtype: Any) -> DType:
    """The element type of random floats; DTypeError for others."""
    found = DType.of(dtype)
    if not found.is_float or found.bits < 16:
        raise DTypeError(
            f"there are no random numbers of type {found} here",
            where=caller_location(),
            hint="use one of bf16, f16, f32, f64",
        )
    return found


@public
def randint(key: Any, shape: Any = (), low: Any = 0, high: Any = 2, dtype: Any = i32) -> Array:
    """Whole numbers from `low` up to, not including, `high`.

    Made of twice as many bits as the type has, so a range that is no power of two is uneven by a
    share of 2^-32 for 32 bits. `low` and `high` are Python integers.
    """
    base, wanted = checked(key), DType.of(dtype)
    for number in (low, high):
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool):
            raise DTypeError(
                f"the ends are Python integers, not {number!r}", where=caller_location()
            )
    if not wanted.is_integer or wanted.bits < 8:
        raise DTypeError(
            f"randint gives integers of 8 to 64 bits, not {wanted}", where=caller_location()
        )
    limits = np.iinfo(wanted.numpy)
    if not limits.min <= low < high <= limits.max + 1:
        raise AttributeValueError(
            f"there is no {wanted} from {low} up to {high}",
            where=caller_location(),
            hint=f"low is less than high, and both are from {limits.min} to {limits.max + 1}",
        )
    bits, span = wanted.bits, int(high) - int(low)
    plain = DType.of(f"ui{bits}")
    one: Any = plain.numpy.type
    first, second = split(base)
    upper, lower = (ops.rng_bits(k, shape=shape, dtype=plain) for k in (first, second))
    if span == 2**bits:
        offset = lower
    else:
        n, turn = one(span), one((2 ** (bits // 2) % span) ** 2 % 2**bits % span)
        upper = ops.mul(ops.rem(upper, n), turn)
        offset = ops.rem(ops.add(upper, ops.rem(lower, n)), n)
    whole = ops.bitcast_convert(offset, dtype=wanted) if wanted != plain else offset
    start = np.array(low).astype(wanted.numpy)[()]
    return ops.add(whole, start) if low else whole


@public
def bernoulli(key: Any, shape: Any = None, p: Any = 0.5) -> Array:
    """Booleans that are true with probability `p`: a number or an array.

    The shape is that of `p` unless it is given.
    """
    base, share = checked(key), array_of(p)
    if not share.dtype.is_float:
        share = ops.convert(share, dtype=f32)
    wide = share.dtype.accumulator
    unit = ops.rng_uniform(base, shape=share.shape if shape is None else shape, dtype=wide)
    limit = fitting(ops.convert(share, dtype=wide), unit.shape, "p")
    return ops.compare(unit, limit, direction="LT")


@public
def rademacher(key: Any, shape: Any = (), dtype: Any = f32) -> Array:
    """-1 or 1, equally likely."""
    wanted = DType.of(dtype)
    if not wanted.is_float and (not wanted.is_integer or wanted.is_unsigned):
        raise DTypeError(f"{wanted} has no -1", where=caller_location())
    signs = ops.convert(bernoulli(key, shape), dtype=wanted)
    one = np.ones((), wanted.numpy)
    return ops.sub(ops.add(signs, signs), one)


@public
def gumbel(key: Any, shape: Any = (), dtype: Any = f32) -> Array:
    """Floats of the standard Gumbel distribution, `-log(-log(u))`."""
    base, wanted = checked(key), float_type(dtype)
    wide = wanted.accumulator
    unit = ops.rng_uniform(
        base, shape=shape, dtype=wide, low=float(np.finfo(wide.numpy).tiny), high=1.0
    )
    return as_type(ops.neg(ops.log(ops.neg(ops.log(unit)))), wanted)


@public
def exponential(key: Any, shape: Any = (), dtype: Any = f32) -> Array:
    """Floats of the exponential distribution of mean 1."""
    base, wanted = checked(key), float_type(dtype)
    unit = ops.rng_uniform(base, shape=shape, dtype=wanted.accumulator)
    return as_type(ops.neg(ops.log1p(ops.neg(unit))), wanted)


@public
def laplace(key: Any, shape: Any = (), dtype: Any = f32) -> Array:
    """Floats of the Laplace distribution of mean 0 and scale 1."""
    base, wanted = checked(key), float_type(dtype)
    wide = wanted.accumulator
    low = -1.0 + float(np.finfo(wide.numpy).epsneg)
    unit = ops.rng_uniform(base, shape=shape, dtype=wide, low=low, high=1.0)
    size = ops.log1p(ops.neg(ops.abs(unit)))
    return as_type(ops.mul(ops.sign(unit), size), wanted)
