"""Random choices among the elements of an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import DTypeError, ShapeError
from dxir.graph import current_region
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of
from dxir.random.distributions import gumbel, randint, uniform
from dxir.random.keys import bits, checked, split
from dxir.tracing.arrays import Array
from dxir.types import i32, shape_text


@public
def categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None) -> Array:
    """i32 indices along `axis`, each with the probability that the softmax of `logits` gives it.

    The result has the shape of `logits` without `axis`, or `shape`, which ends in that. A logit of
    -inf is never taken. It is the argmax of the logits with Gumbel noise added.
    """
    base, scores = checked(key), array_of(logits)
    if not scores.dtype.is_float:
        raise DTypeError(f"logits are floats, not {scores.type}", where=caller_location())
    wide = scores.dtype.accumulator
    scores = ops.convert(scores, dtype=wide)
    place = checks.axis(axis, len(scores.shape)) - len(scores.shape)
    each = tuple([n for i, n in enumerate(scores.shape) if i - len(scores.shape) != place])
    wanted = each if shape is None else checks.integers(shape, "shape")
    if wanted[len(wanted) - len(each) :] != each:
        raise ShapeError(
            f"the shape {shape_text(wanted)} does not end in {shape_text(each)}",
            where=caller_location(),
            hint=f"that is the shape of the logits ({scores.type}) without axis {axis}",
        )
    noise = gumbel(base, (*wanted[: len(wanted) - len(each)], *scores.shape), wide)
    return ops.argmax(ops.add(noise, scores), axis=place + len(noise.shape))


@public
def permutation(key: Any, x: Any, axis: int = 0) -> Array:
    """The numbers 0 to `x` - 1, or the slices of an array along `axis`, in random order.

    They are sorted by random bits, several times over, so that equal bits hardly matter.
    """
    base = checked(key)
    if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
        return _shuffled(base, _numbers(_count(x)))
    given = array_of(x)
    if not given.shape:
        raise ShapeError(
            f"an array of {given.type} has no axis to permute",
            where=caller_location(),
            hint="a Python integer n stands for 0 to n - 1",
        )
    place = checks.axis(axis, len(given.shape))
    if len(given.shape) == 1:
        return _shuffled(base, given)
    order = _shuffled(base, _numbers(given.shape[place]))
    return ops.take(given, order, axis=place)


def _count(n: Any) -> int:
    if n < 0:
        raise ShapeError(f"there are no {n} numbers to choose from", where=caller_location())
    return int(n)


def _numbers(n: int) -> Array:
    if current_region() is None:
        return Array(np.arange(n, dtype=np.int32))
    return Array(ops.iota(shape=(n,), axis=0, dtype=i32))


def _shuffled(key: Array, x: Array) -> Array:
    size = x.shape[0]
    rounds = math.ceil(3 * math.log(max(1, size)) / math.log(2**32 - 1))
    for _ in range(rounds):
        key, used = split(key)
        x = ops.take(x, ops.argsort(bits(used, (size,)), stable=True))
    return x


@public
def choice(
    key: Any, x: Any, shape: Any = (), *, replace: bool = True, p: Any = None, axis: int = 0
) -> Array:
    """Slices of an array along `axis`, or numbers from 0 to `x` - 1, chosen at random.

    `p` are the probabilities of the slices, equal ones unless given; they need not add up to 1.
    Without `replace` none is taken twice.
    """
    base = checked(key)
    wanted = checks.integers(shape, "shape")
    given = None if isinstance(x, (int, np.integer)) else array_of(x)
    if given is not None and not given.shape:
        raise ShapeError(f"{given.type} has no axis to choose from", where=caller_location())
    place = 0 if given is None else checks.axis(axis, len(given.shape))
    size = _count(x) if given is None else given.shape[place]
    count = math.prod(wanted)
    if count and not size:
        raise ShapeError("there is nothing to choose from", where=caller_location())
    if not replace and count > size:
        raise ShapeError(
            f"{count} of {size} are asked for, none of them twice",
            where=caller_location(),
            hint="replace=True takes some more than once",
        )
    places = _places(base, size, wanted, replace, p)
    if given is None:
        return places
    return ops.take(given, places, axis=place)


def _places(key: Array, size: int, shape: tuple[int, ...], replace: bool, p: Any) -> Array:
    if p is None:
        if replace:
            return randint(key, shape, 0, max(size, 1))
        order = permutation(key, size)
        return _shaped(ops.slice(order, starts=(0,), limits=(math.prod(shape),)), shape)
    shares = array_of(p)
    if not shares.dtype.is_float or shares.shape != (size,):
        raise ShapeError(
            f"p has type {shares.type}, but holds a probability for each of {size}",
            where=caller_location(),
        )
    wide = ops.convert(shares, dtype=shares.dtype.accumulator)
    if not replace:
        noise = ops.add(gumbel(key, (size,), wide.dtype), ops.log(wide))
        return _shaped(ops.top_k(noise, k=math.prod(shape))[1], shape)
    total = ops.cumsum(wide, axis=0)
    last = ops.slice(total, starts=(size - 1,), limits=(size,))
    unit = uniform(key, (math.prod(shape), 1), wide.dtype)
    aim = ops.mul(ops.sub(Array(np.ones((), wide.dtype.numpy)), unit), last)
    rows = ops.broadcast_to(total, shape=(math.prod(shape), size))
    below = ops.compare(rows, ops.broadcast_to(aim, shape=rows.shape), direction="LT")
    return _shaped(ops.sum(ops.convert(below, dtype=i32), axes=(1,)), shape)


def _shaped(x: Array, shape: tuple[int, ...]) -> Array:
    return ops.reshape(x, shape=shape)
