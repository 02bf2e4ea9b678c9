"""Keys: made of seeds, and of other keys; and the bits that one gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, is_operand
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.types import DType, i64, ui32, ui64
from dxir.wording import shown

_LOW = 0xFFFFFFFF


@public
def key(seed: Any) -> Array:
    """A key of a whole number from -2^63 to 2^64 - 1, or of an integer array of no axes.

    It holds the upper and the lower 32 bits of the number. `jax.random.key(seed)` holds the same
    for seeds that are not negative.
    """
    if isinstance(seed, (Array, HeldArray, np.ndarray)):
        return _of_array(array_of(seed))
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool):
        raise DTypeError(
            f"a seed is a whole number, not {type(seed).__name__} ({shown(seed)})",
            where=caller_location(),
            hint="give an integer, random.key(0); the same one gives the same numbers",
        )
    number = int(seed)
    if not -(2**63) <= number < 2**64:
        raise AttributeValueError(
            f"the seed {number} does not fit into 64 bits",
            where=caller_location(),
            hint="dxir.random.fold_in puts more numbers into a key",
        )
    return Array(np.array([number >> 32 & _LOW, number & _LOW], np.uint32))


def _of_array(seed: Array) -> Array:
    if not seed.dtype.is_integer or seed.shape:
        raise DTypeError(
            f"a seed is one whole number, not {seed.type}",
            where=caller_location(),
            hint="dxir.vmap(dxir.random.key)(seeds) makes a key of each",
        )
    wide = ops.convert(seed, dtype=ui64 if seed.dtype.is_unsigned else i64)
    words = ops.bitcast_convert(wide, dtype=ui64)
    high = ops.shift_right_logical(words, np.uint64(32))
    halves = [ops.convert(half, dtype=ui32) for half in (high, words)]
    return ops.stack(halves, axis=0)


def checked(given: Any) -> Array:
    """What is given as a key; DTypeError where it is none."""
    if isinstance(given, int):
        raise DTypeError(
            f"a key is needed, not the number {given}",
            where=caller_location(),
            hint=f"dxir.random.key({given}) makes one of a seed",
        )
    if not is_operand(given):
        raise DTypeError(
            f"a key is needed, not {shown(given)}",
            where=caller_location(),
            hint="the key goes first, and dxir.random.key(0) makes one of a seed",
        )
    found = array_of(given)
    if found.type != ui32[2]:
        several = found.dtype == ui32 and found.shape[-1:] == (2,)
        raise DTypeError(
            f"a key is an array of type {ui32[2]}, not {found.type}",
            where=caller_location(),
            hint="these are several keys: take one of them, or use dxir.vmap"
            if several
            else "dxir.random.key(seed) makes one",
        )
    return found


@public
def split(key: Any, n: int = 2) -> Array:
    """`n` new keys of one, as `ui32[n, 2]`: `first, second = split(key)`."""
    return ops.rng_split(checked(key), count=n)


@public
def fold_in(key: Any, number: Any) -> Array:
    """A new key of a key and a whole number from 0 to 2^32 - 1, such as the number of a step.

    It is `split(key, n)[number]`, so a key is for splitting or for folding in, not for both.
    """
    base = checked(key)
    if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
        if not 0 <= int(number) <= _LOW:
            raise AttributeValueError(
                f"the number {number} does not fit into 32 bits without a sign",
                where=caller_location(),
            )
        counter = Array(np.array(number, np.uint32))
    else:
        counter = array_of(number)
        if not counter.dtype.is_integer or counter.shape:
            raise DTypeError(
                f"one whole number is folded in, not {counter.type}", where=caller_location()
            )
        counter = ops.convert(counter, dtype=ui32)
    blocks = ops.threefry_2x32(base, Array(np.zeros((), np.uint32)), counter)
    return ops.stack(list(blocks), axis=0)


@public
def bits(key: Any, shape: Any = (), dtype: Any = ui32) -> Array:
    """Random unsigned integers, all values of the type equally likely."""
    return ops.rng_bits(checked(key), shape=shape, dtype=DType.of(dtype))
