"""Random numbers: counter-based, the same bits for the same key on every target.

Threefry-2x32 with 20 rounds is from Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
easy as 1, 2, 3" (SC11); the element at flat index `i` uses the 64-bit counter `i`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import AttributeValueError, DTypeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import DType, TensorType, bf16, f16, f32, f64, ui8, ui16, ui32, ui64

Array = np.ndarray[Any, Any]
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA
_KEY = np.array([0x13198A2E, 0x03707344], np.uint32)


def check_key(key: Value) -> None:
    """Raise DTypeError unless `key` is ui32[2]."""
    if key.type != ui32[2]:
        raise DTypeError(
            f"the key has type {key.type}, but must be {ui32[2]}",
            hint="a seed makes one: np.array([seed >> 32, seed & 0xFFFFFFFF], np.uint32)",
        )


class Threefry(Derived, name="threefry_2x32"):
    """The two blocks of ui32 that Threefry-2x32 (20 rounds) makes of the counters `x0`, `x1`."""

    key: Value
    x0: Value
    x1: Value

    examples = (
        Example(key=_KEY, x0=ui32[2, 3], x1=ui32[2, 3]),
        Example(key=ui32[2], x0=ui32[()], x1=ui32[()]),
        Example(key=ui32[2], x0=ui32[0], x1=ui32[0]),
    )

    def infer(self) -> tuple[TensorType, TensorType]:
        check_key(self.key)
        for x in (self.x0, self.x1):
            if x.tensor.dtype != ui32:
                raise DTypeError(f"a counter has type {x.type}, but must be of ui32")
        checks.shapes_equal(self.x0.shape, self.x1.shape, "x0", "x1")
        return self.x0.tensor, self.x0.tensor

    def expand(self, key: Value, x0: Value, x1: Value) -> tuple[Value, Value]:
        shape = x0.tensor.static_shape
        words = [
            ops.reshape(ops.slice(key, starts=(i,), limits=(i + 1,)), shape=()) for i in (0, 1)
        ]
        words.append(ops.xor(ops.xor(words[0], words[1]), np.uint32(_PARITY)))
        ks = [ops.broadcast_in_dim(w, shape=shape, dims=()) if shape else w for w in words]

        def everywhere(number: int) -> Value:
            return ops.full(shape=shape, value=number, dtype=ui32)

        by = {r: (everywhere(r), everywhere(32 - r)) for row in _ROTATIONS for r in row}
        x0, x1 = ops.add(x0, ks[0]), ops.add(x1, ks[1])
        for i in range(5):
            for rotation in _ROTATIONS[i % 2]:
                left, right = by[rotation]
                x0 = ops.add(x0, x1)
                turned = ops.or_(ops.shift_left(x1, left), ops.shift_right_logical(x1, right))
                x1 = ops.xor(turned, x0)
            x0 = ops.add(x0, ks[(i + 1) % 3])
            x1 = ops.add(ops.add(x1, ks[(i + 2) % 3]), everywhere(i + 1))
        return x0, x1

    def reference(self, key: Array, x0: Array, x1: Array) -> tuple[Array, Array]:
        return threefry(key, x0, x1)


def threefry(key: Array, x0: Array, x1: Array) -> tuple[Array, Array]:
    """Threefry-2x32-20 on arrays, in 64-bit words that are cut to 32 bits."""
    mask = np.uint64(0xFFFFFFFF)
    words = [int(key[0]), int(key[1]), int(key[0]) ^ int(key[1]) ^ _PARITY]
    a = (x0.astype(np.uint64) + np.uint64(words[0])) & mask
    b = (x1.astype(np.uint64) + np.uint64(words[1])) & mask
    for step in range(20):
        rotation = _ROTATIONS[step // 4 % 2][step % 4]
        a = (a + b) & mask
        b = ((b << np.uint64(rotation)) | (b >> np.uint64(32 - rotation))) & mask ^ a
        if step % 4 == 3:
            turn = step // 4 + 1
            a = (a + np.uint64(words[turn % 3])) & mask
            b = (b + np.uint64(words[(turn + 1) % 3] + turn)) & mask
    return a.astype(np.uint32), b.astype(np.uint32)


def _counters(shape: tuple[int, ...]) -> tuple[Value, Value]:
    """The high and low words of the flat index of each element."""
    size = math.prod(shape)
    if size <= 2**32:
        low = ops.reshape(ops.iota(shape=(size,), axis=0, dtype=ui32), shape=shape)
        return ops.full(shape=shape, value=0, dtype=ui32), low
    index = ops.reshape(ops.iota(shape=(size,), axis=0, dtype=ui64), shape=shape)
    high = ops.shift_right_logical(index, ops.full(shape=shape, value=32, dtype=ui64))
    return ops.convert(high, dtype=ui32), ops.convert(index, dtype=ui32)


def _counter_arrays(shape: tuple[int, ...]) -> tuple[Array, Array]:
    index = np.arange(math.prod(shape), dtype=np.uint64).reshape(shape)
    return (index >> np.uint64(32)).astype(np.uint32), index.astype(np.uint32)


class Random(Derived):
    """Base of the generators: a key, and the shape and element type of the result."""

    key: Value
    shape: tuple[int, ...]
    dtype: DType = f32

    def prepare(self) -> None:
        self.update(shape=checks.integers(self.shape, "shape"), dtype=DType.of(self.dtype))

    def typed(self, allowed: tuple[DType, ...]) -> TensorType:
        """The result type, when its element type is one of `allowed`."""
        check_key(self.key)
        if self.dtype not in allowed:
            raise DTypeError(
                f"there are no random numbers of type {self.dtype} here",
                hint=f"use one of {', '.join(d.name for d in allowed)}",
            )
        return TensorType(self.shape, self.dtype)


class RngBits(Random, name="rng_bits"):
    """Random ui8, ui16, ui32 or ui64, all values equally likely, from a key (ui32[2]).

    Element `i` is `a ^ b` (64 bits: `a << 32 | b`; fewer: the low bits) of the Threefry-2x32 blocks
    `a`, `b` of counter `i`. These are the bits that JAX's partitionable threefry gives.
    """

    dtype: DType = ui32

    examples = (
        Example(key=_KEY, shape=(2, 3)),
        Example(key=ui32[2], shape=(), dtype=ui64),
        Example(key=ui32[2], shape=(5,), dtype=ui8),
        Example(key=ui32[2], shape=(5,), dtype=ui16),
        Example(key=ui32[2], shape=(0, 3)),
    )

    def infer(self) -> TensorType:
        return self.typed((ui8, ui16, ui32, ui64))

    def expand(self, key: Value) -> Value:
        high, low = ops.threefry_2x32(key, *_counters(self.shape))
        if self.dtype is ui64:
            wide = ops.convert(high, dtype=ui64)
            shift = ops.full(shape=self.shape, value=32, dtype=ui64)
            bits: Value = ops.or_(ops.shift_left(wide, shift), ops.convert(low, dtype=ui64))
            return bits
        bits = ops.xor(high, low)
        return bits if self.dtype is ui32 else ops.convert(bits, dtype=self.dtype)

    def reference(self, key: Array) -> Array:
        return random_bits(key, self.shape, self.dtype)


def random_bits(key: Array, shape: tuple[int, ...], dtype: DType) -> Array:
    """The bits of `rng_bits`."""
    a, b = threefry(key, *_counter_arrays(shape))
    if dtype is ui64:
        return (a.astype(np.uint64) << np.uint64(32)) | b.astype(np.uint64)
    return (a ^ b).astype(dtype.numpy)


class RngUniform(Random, name="rng_uniform"):
    """Random floats in `low` up to `high` (0 to 1), from a key (ui32[2]).

    The random bits fill the fraction of a float in [1, 2), from which 1 is taken; then it is scaled
    and shifted. Rounding of the last step can give `high` itself.
    """

    low: float = 0.0
    high: float = 1.0

    examples = (
        Example(key=_KEY, shape=(2, 3)),
        Example(key=ui32[2], shape=(5,), low=-2.0, high=6.0),
        Example(key=ui32[2], shape=(), dtype=f64),
        Example(key=ui32[2], shape=(9,), dtype=bf16),
        Example(key=ui32[2], shape=(9,), dtype=f16),
        Example(key=ui32[2], shape=(0,)),
    )

    def prepare(self) -> None:
        super().prepare()
        low, high = checks.number(self.low, "low"), checks.number(self.high, "high")
        if not (low < high and math.isfinite(high - low)):
            raise AttributeValueError(f"there is nothing to draw from between {low} and {high}")
        self.update(low=low, high=high)

    def infer(self) -> TensorType:
        return self.typed((bf16, f16, f32, f64))

    def expand(self, key: Value) -> Value:
        dtype, shape = self.dtype, self.shape
        source, whole, fraction, one = _layout(dtype)
        bits = ops.rng_bits(key, shape=shape, dtype=source)
        if source is not whole:
            bits = ops.convert(bits, dtype=whole)
        shift = ops.full(shape=shape, value=source.bits - fraction, dtype=whole)
        pattern = ops.or_(
            ops.shift_right_logical(bits, shift), ops.full(shape=shape, value=one, dtype=whole)
        )
        unit = ops.sub(ops.bitcast_convert(pattern, dtype=dtype), _number(shape, 1, dtype))
        low, span = _ends(self.low, self.high, dtype)
        if (float(low), float(span)) == (0.0, 1.0):
            return unit
        scaled = ops.mul(unit, _number(shape, span, dtype))
        start = _number(shape, low, dtype)
        return ops.max(start, ops.add(scaled, start))

    def reference(self, key: Array) -> Array:
        return random_uniform(key, self.shape, self.dtype, self.low, self.high)


def _layout(dtype: DType) -> tuple[DType, DType, int, int]:
    """The bits drawn, the type they are put in, the size of the fraction, and the bits of 1.0."""
    fraction = {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}[dtype.name]
    whole = {16: ui16, 32: ui32, 64: ui64}[dtype.bits]
    one = int(np.ones((), dtype.numpy).view(whole.numpy))
    return (ui8 if fraction < 8 else whole), whole, fraction, one


def _ends(low: float, high: float, dtype: DType) -> tuple[Any, Any]:
    start, stop = (np.array(v).astype(dtype.numpy) for v in (low, high))
    return start, stop - start


def _number(shape: tuple[int, ...], value: Any, dtype: DType) -> Value:
    return ops.full(shape=shape, value=float(value), dtype=dtype)


def random_uniform(
    key: Array, shape: tuple[int, ...], dtype: DType, low: float, high: float
) -> Array:
    """The numbers of `rng_uniform`."""
    source, _, fraction, _ = _layout(dtype)
    bits = random_bits(key, shape, source).astype(np.uint64)
    unit = (bits >> np.uint64(source.bits - fraction)).astype(np.float64) * 2.0**-fraction
    start, span = _ends(low, high, dtype)
    scaled = unit.astype(dtype.numpy) * span + start
    return np.asarray(np.maximum(scaled, start)).astype(dtype.numpy)


class RngNormal(Random, name="rng_normal"):
    """Random floats of the standard normal distribution, from a key (ui32[2]).

    `sqrt(2) * erf_inv(u)` of `rng_uniform` between -1 and 1; bf16 and f16 are computed in f32 and
    rounded once.
    """

    examples = (
        Example(key=_KEY, shape=(2, 30)),
        Example(key=ui32[2], shape=(), dtype=f64),
        Example(key=ui32[2], shape=(9,), dtype=bf16),
        Example(key=ui32[2], shape=(9,), dtype=f16),
        Example(key=ui32[2], shape=(0,)),
    )
    tolerance = 32  # XLA's f32 erf_inv is a polynomial that is good to about 20 units

    def infer(self) -> TensorType:
        return self.typed((bf16, f16, f32, f64))

    def expand(self, key: Value) -> Value:
        wide = self.dtype.accumulator
        low = float(np.nextafter(wide.numpy.type(-1), wide.numpy.type(0)))
        unit = ops.rng_uniform(key, shape=self.shape, dtype=wide, low=low, high=1.0)
        value: Value = ops.mul(ops.erf_inv(unit), _number(self.shape, math.sqrt(2), wide))
        if wide is not self.dtype:
            value = ops.convert(value, dtype=self.dtype)
        return value

    def reference(self, key: Array) -> Array:
        wide = self.dtype.accumulator
        low = float(np.nextafter(wide.numpy.type(-1), wide.numpy.type(0)))
        unit = random_uniform(key, self.shape, wide, low, 1.0).astype(np.float64)
        return (math.sqrt(2) * erf_inverse(unit)).astype(self.dtype.numpy)


def erf_inverse(u: Array) -> Array:
    """The inverse error function in f64, for -1 < u < 1.

    Winitzki's approximation, then Halley's method on erfc, which keeps the tails exact.
    """
    size, tail = np.abs(u), 1 - np.abs(u)
    log = np.log(tail * (1 + size))
    half = 2 / (np.pi * 0.147) + log / 2
    y = np.sqrt(np.maximum(np.sqrt(half * half - log / 0.147) - half, 0))
    erfc, erf = np.vectorize(math.erfc, otypes=[float]), np.vectorize(math.erf, otypes=[float])
    for _ in range(4):
        error = np.where(size < 0.5, size - erf(y), erfc(y) - tail)
        step = error * np.sqrt(np.pi) / 2 * np.exp(y * y)
        y = y + step / (1 - y * step)
    return np.asarray(np.copysign(y, u))


class RngSplit(Derived, name="rng_split"):
    """`count` new keys from one, as ui32[count, 2]: the Threefry-2x32 blocks of 0, 1, 2 ..."""

    key: Value
    count: int = 2

    examples = (
        Example(key=_KEY, count=3),
        Example(key=ui32[2]),
        Example(key=ui32[2], count=0),
    )

    def prepare(self) -> None:
        if checks.integer(self.count, "count") < 0:
            raise AttributeValueError(f"count is {self.count}, but must not be negative")

    def infer(self) -> TensorType:
        check_key(self.key)
        return ui32[self.count, 2]

    def expand(self, key: Value) -> Value:
        blocks = ops.threefry_2x32(key, *_counters((self.count,)))
        columns = [ops.reshape(b, shape=(self.count, 1)) for b in blocks]
        return ops.concat(columns, axis=1)

    def reference(self, key: Array) -> Array:
        return np.stack(threefry(key, *_counter_arrays((self.count,))), axis=1)
