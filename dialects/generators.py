"""The random generators of the target: `rng_bit_generator` and the stateful one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, unbroadcast
from dxir.dialects.elementwise import scaled
from dxir.dialects.random import threefry
from dxir.errors import DTypeError, EvaluationError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import DType, TensorType, Type, f32, i32, i64, ui8, ui16, ui32, ui64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
_ALGORITHMS = ("DEFAULT", "THREE_FRY", "PHILOX")
_WORD = 0xFFFFFFFF


class RngBitGenerator(
    Primitive, name="rng_bit_generator", mlir="stablehlo.rng_bit_generator", rounding="moves"
):
    """The next state and random bits of the target's own generator, of `shape` and `dtype`.

    `algorithm` is DEFAULT (the target chooses), THREE_FRY (state ui64[2]) or PHILOX (ui64[2] or
    [3]). The bits are the same for the same target only; `rng_bits` gives the same on all.
    """

    initial_state: Value
    algorithm: str = attribute("rng_algorithm", mlir="rng_algorithm", default="DEFAULT")
    shape: tuple[int, ...]
    dtype: DType = ui32

    examples = (
        Example(initial_state=np.array([1, 2], np.uint64), algorithm="THREE_FRY", shape=(3,)),
        Example(initial_state=ui64[2], algorithm="THREE_FRY", shape=(3, 4, 5)),
        Example(initial_state=ui64[2], algorithm="THREE_FRY", shape=(3, 5), dtype=ui64),
        Example(initial_state=ui64[2], algorithm="THREE_FRY", shape=(5, 3), dtype=ui8),
        Example(initial_state=ui64[2], algorithm="THREE_FRY", shape=(), dtype=ui16),
        Example(initial_state=ui64[3], algorithm="PHILOX", shape=(3, 3)),
        Example(initial_state=ui64[3], algorithm="PHILOX", shape=(5,), dtype=ui64),
        Example(initial_state=ui64[2], shape=(3,), runs=False),
    )

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The shape and element type that the result has."""
        result: Any = result_types[1]
        return {"shape": result.shape, "dtype": result.dtype}

    def prepare(self) -> None:
        checks.one_of(self.algorithm, _ALGORITHMS, "algorithm")
        self.update(shape=checks.integers(self.shape, "shape"), dtype=DType.of(self.dtype))

    def infer(self) -> tuple[TensorType, TensorType]:
        state = checks.rank_is(self.initial_state, 1, "initial_state")
        if state.dtype != ui64:
            raise DTypeError(f"the state has type {state}, but must be of ui64")
        allowed = {"THREE_FRY": (2,), "PHILOX": (2, 3)}.get(self.algorithm, state.shape)
        if state.shape[0] not in allowed:
            raise ShapeError(f"{self.algorithm} has {allowed} words of state, not {state}")
        if not self.dtype.is_unsigned or self.dtype.bits < 8:
            # XLA's CPU backend gives unsigned buffers whatever the sign of the type asked for.
            raise DTypeError(
                f"random bits are ui8, ui16, ui32 or ui64, not {self.dtype}",
                hint="bitcast_convert them",
            )
        return state, TensorType(self.shape, self.dtype)

    def batch(self, batch: Batch) -> Sequence[Value]:
        """One generator after the other: the operation takes one state."""
        return ops.map(lambda state: batch.rebuild([state]), batch.operands)

    def reference(self, initial_state: Array) -> tuple[Array, Array]:
        if self.algorithm == "THREE_FRY":
            return _three_fry(initial_state, self.shape, self.dtype)
        if self.algorithm == "PHILOX" and len(initial_state) == 3:
            return _philox(initial_state, self.shape, self.dtype)
        raise EvaluationError(
            f"the bits of {self.algorithm} with a state of {len(initial_state)} words are the "
            "target's own",
            hint="use THREE_FRY, PHILOX with ui64[3], or dxir.ops.rng_bits",
        )


def _three_fry(state: Array, shape: tuple[int, ...], dtype: DType) -> tuple[Array, Array]:
    """As XLA lays it out: the two words of a block side by side along the axis that is split.

    That is the first axis of even size, or else the longest, with the last word left out.
    """
    split = next((a for a, d in enumerate(shape) if d % 2 == 0), None)
    if split is None:
        split = max(range(len(shape)), key=lambda a: shape[a], default=0)
    full = list(shape) or [1]
    wide = dtype.bits == 64
    half = full if wide else [-(-d // 2) if a == split else d for a, d in enumerate(full)]
    count = math.prod(half)
    counter = (np.arange(count, dtype=np.uint64) + state[1]).reshape(half)
    key = np.array([int(state[0]) & _WORD, int(state[0]) >> 32], np.uint32)
    a, b = threefry(key, counter.astype(np.uint32), (counter >> np.uint64(32)).astype(np.uint32))
    after = np.array([int(state[0]), (int(state[1]) + count) % 2**64], np.uint64)
    if wide:
        bits = a.astype(np.uint64) | (b.astype(np.uint64) << np.uint64(32))
        return after, bits.reshape(shape).astype(dtype.numpy)
    pairs = np.stack([a, b], split + 1).reshape(
        [2 * d if i == split else d for i, d in enumerate(half)]
    )
    cut = pairs[tuple(slice(0, d) for d in full)]
    return after, cut.reshape(shape).astype(dtype.numpy)


def _philox(state: Array, shape: tuple[int, ...], dtype: DType) -> tuple[Array, Array]:
    """Philox-4x32 with 10 rounds, its blocks one after the other (Salmon et al., SC11)."""
    words = math.prod(shape) * (2 if dtype.bits == 64 else 1)
    blocks = -(-words // 4)
    start = int(state[1]) | int(state[2]) << 64
    found: list[int] = []
    for i in range(blocks):
        found += _philox_block(int(state[0]), (start + i) % 2**128)
    flat = np.array(found[:words], np.uint32)
    if dtype.bits == 64:
        flat = flat.view("<u8")
    after = (start + blocks) % 2**128
    new = np.array([int(state[0]), after % 2**64, after >> 64], np.uint64)
    return new, flat.reshape(shape).astype(dtype.numpy)


def _philox_block(key: int, counter: int) -> list[int]:
    k0, k1 = key & _WORD, key >> 32
    c0, c1, c2, c3 = (counter >> (32 * i) & _WORD for i in range(4))
    for _ in range(10):
        p, q = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = q >> 32 ^ c1 ^ k0, q & _WORD, p >> 32 ^ c3 ^ k1, p & _WORD
        k0, k1 = (k0 + 0x9E3779B9) & _WORD, (k1 + 0xBB67AE85) & _WORD
    return [c0, c1, c2, c3]


class StatefulRng(Primitive, name="stateful_rng", mlir="stablehlo.rng", rounding="moves"):
    """Random numbers from a hidden state of the target, between or around `a` and `b`.

    For programs of other producers: what it gives can be neither repeated nor checked, and dxir's
    own ops never use it (see `rng_uniform`, `rng_normal`). `shape` is a tensor of sizes; where it
    is no constant, `sizes` says the shape of the result.
    """

    a: Value
    b: Value
    shape: Value
    distribution: str = attribute("rng_distribution", mlir="rng_distribution")
    sizes: tuple[Any, ...] | None = None

    examples = (
        Example(
            a=f32[()], b=f32[()], shape=i64[2], distribution="NORMAL", sizes=(2, 3), runs=False
        ),
        Example(a=i32[()], b=i32[()], shape=i64[1], distribution="UNIFORM", sizes=(0,), runs=False),
    )

    @property
    def has_side_effect(self) -> bool:
        """Each one changes the state, so none may be left out, merged or moved."""
        return True

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The shape that the result has."""
        result: Any = result_types[0]
        return {"sizes": result.shape}

    def prepare(self) -> None:
        checks.one_of(self.distribution, ("UNIFORM", "NORMAL"), "distribution")
        producer = self.shape.producer
        if self.sizes is None and producer is not None and producer.op == "constant":
            self.update(sizes=tuple(int(d) for d in producer.attrs["value"]))

    def infer(self) -> TensorType:
        checks.same_dtype((self.a, self.b))
        checks.kind(self.a, "bool int uint float" if self.distribution == "UNIFORM" else "float")
        checks.rank_is(self.a, 0, "a")
        checks.rank_is(self.b, 0, "b")
        rank = checks.rank_is(self.shape, 1, "shape").shape[0]
        if self.shape.tensor.dtype != i64:
            raise DTypeError(f"the shape has type {self.shape.type}, but must be of i64")
        if self.sizes is None:
            raise ShapeError("the shape is not a constant", hint="say the result's as `sizes`")
        if len(self.sizes) != rank:
            raise ShapeError(f"sizes {self.sizes} do not fit the shape, which has {rank} entries")
        return TensorType(self.sizes, self.a.tensor.dtype)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        """Of the numbers as `a + b * z` or `a + (b - a) * u`, for what `z` or `u` was drawn."""
        type = self.a.tensor
        if self.distribution == "NORMAL":
            return (
                lambda: unbroadcast(g, type),
                lambda: unbroadcast(scaled(g, self._drawn(y)), type),
                None,
            )
        return (
            lambda: unbroadcast(scaled(g, ops.sub(1, self._drawn(y))), type),
            lambda: unbroadcast(scaled(g, self._drawn(y)), type),
            None,
        )

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        a, b, _ = tangents
        drawn = self._drawn(y)
        total: Value | None = None
        if a is not None:
            uniform = self.distribution == "UNIFORM"
            total = ops.mul(a, ops.sub(1, drawn)) if uniform else a
        if b is not None:
            part = ops.mul(b, drawn)
            total = part if total is None else ops.add(total, part)
        assert total is not None
        return ops.broadcast_to(total, shape=y.tensor.static_shape)

    def _drawn(self, y: Value) -> Value:
        """What of a number does not depend on the bounds, or on mean and deviation."""
        width = self.b if self.distribution == "NORMAL" else ops.sub(self.b, self.a)
        return ops.div(ops.sub(y, self.a), width)

    def batch(self, batch: Batch) -> Value:
        """One after the other, with as many numbers drawn as a loop draws."""
        *bounds, shape = batch.operands
        *flags, many_shapes = batch.batched
        sizes = self.results[0].tensor.static_shape
        if many_shapes:
            shape = ops.constant(np.array(sizes, np.int64))

        def one(*values: Value) -> Value:
            left = iter(values)
            given = [next(left) if f else v for v, f in zip(bounds, flags, strict=True)]
            drawn: Value = batch.rebuild([*given, shape], sizes=sizes)
            return drawn

        many = [v for v, f in zip(bounds, flags, strict=True) if f]
        (result,) = ops.scan(one, (), many, length=batch.size)
        return result

    def reference(self, a: Array, b: Array, shape: Array) -> Array:
        raise EvaluationError(
            "random numbers from a target's hidden state cannot be evaluated",
            hint="use dxir.ops.rng_uniform or rng_normal with a key",
        )
