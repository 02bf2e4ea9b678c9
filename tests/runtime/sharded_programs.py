"""Small programs with shardings, made up by a seed: what partitioners are tried on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import dxir
from dxir import ops
from dxir.errors import ShardingWarning
from dxir.graph import Function, Value
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding

MESHES: tuple[dict[str, int], ...] = (
    {"x": 8}, {"x": 4, "y": 2}, {"x": 2, "y": 4}, {"x": 2, "y": 2, "z": 2}, {"x": 3, "y": 2}
)  # fmt: skip
SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
DIVIDED = (4, 8, 12, 16)
MOST_ELEMENTS = 1024
FROM_HERE_ON_MORE = 10_000
"""The seed from which on programs have `MORE_OPS`, too."""


@dataclass(frozen=True)
class Sharded:
    """A program, its mesh, and arguments for it."""

    function: Function
    mesh: Mesh
    arguments: list[Any]

    @property
    def devices(self) -> int:
        return self.mesh.size


def sharded_program(seed: int, only: Sequence[str] = ()) -> Sharded:
    """The program of a seed; with `only`, of these ops alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShardingWarning)
        return _Maker(seed, only).made()


class _Maker:
    def __init__(self, seed: int, only: Sequence[str]) -> None:
        self.random = random = Random(seed)
        axes = random.choice(MESHES)
        count = int(np.prod(list(axes.values())))
        ids = random.sample(range(count), count) if random.random() < 0.25 else []
        self.mesh = Mesh("mesh", axes, ids)
        self.rough = random.random() < 0.15  # dimensions that do not divide
        self.b = dxir.Builder("main")
        self.data = np.random.default_rng(seed)
        self.arguments: list[Any] = []
        self.values: list[Value] = []
        kinds = OPS if seed < FROM_HERE_ON_MORE else (*OPS, *MORE_OPS, *MORE_OPS)
        self.ops = [op for op in kinds if not only or op.__name__.strip("_") in only]
        self.functions = 0

    def made(self) -> Sharded:
        random = self.random
        for _ in range(random.randint(1, 3)):
            self.param(self.shape())
        for _ in range(random.randint(1, 6)):
            made = random.choice(self.ops)(self, random.choice(self.values[-3:]))
            if made is None or made.tensor.size > MOST_ELEMENTS:
                continue
            if random.random() < 0.25:
                made = ops.sharding_constraint(made, self.sharding(made.tensor.static_shape))
            self.values.append(made)
        results = [self.values[-1], *random.sample(self.values, random.randint(0, 1))]
        shardings = [
            self.sharding(r.tensor.static_shape) if random.random() < 0.5 else None for r in results
        ]
        function = self.b.build(*results, shardings=shardings)
        return Sharded(function, self.mesh, self.arguments)

    def param(self, shape: tuple[int, ...]) -> Value:
        sharding = self.sharding(shape) if self.random.random() < 0.8 else None
        value = self.b.param(dxir.f32[shape], sharding=sharding)
        self.arguments.append(self.data.standard_normal(shape, np.float32))
        self.values.append(value)
        return value

    def like(self, x: Value) -> Value:
        """Another value of the same shape."""
        shape = x.tensor.static_shape
        fitting = [v for v in self.values if v.tensor.static_shape == shape]
        if self.random.random() < 0.4 and len(self.arguments) < 5:
            return self.param(shape)
        return self.random.choice(fitting)

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        sizes = SIZES if self.rough else DIVIDED
        rank = self.random.randint(1, 3) if rank is None else rank
        return tuple(self.random.choice(sizes) for _ in range(rank))

    def sharding(self, shape: Sequence[int]) -> Sharding:
        """A sharding at random: whole axes or parts of them, any dimension open."""
        random = self.random
        pieces = [piece for name, size in self.mesh.axes for piece in self.pieces(name, size)]
        random.shuffle(pieces)
        dims: list[list[AxisRef]] = [[] for _ in shape]
        for piece in pieces:
            if not shape or random.random() < 0.35:
                continue
            at = random.randrange(len(shape))
            parts = int(np.prod([a.size(self.mesh) for a in (*dims[at], piece)]))
            if self.rough or shape[at] % parts == 0:
                dims[at].append(piece)
        return Sharding(
            self.mesh,
            *[DimSharding(_merged(d, self.mesh), open=random.random() < 0.3) for d in dims],
        )

    def pieces(self, name: str, size: int) -> list[AxisRef]:
        if size > 2 and size % 2 == 0 and self.random.random() < 0.3:
            return [AxisRef(name, (1, 2)), AxisRef(name, (2, size // 2))]
        return [AxisRef(name)]

    def axis(self, x: Value) -> int:
        return self.random.randrange(x.tensor.rank)

    def positions(self, count: int, most: int) -> Value:
        """Places from 0 to `most`, from a parameter's values or constants."""
        numbers = self.data.integers(0, most + 1, count).astype(np.int32)
        if self.random.random() < 0.5:
            self.arguments.append(numbers)
            sharding = self.sharding([count]) if self.random.random() < 0.5 else None
            return self.b.param(dxir.i32[(count,)], sharding=sharding)
        return ops.constant(numbers)


def _merged(axes: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """Parts of an axis that follow each other as one, as Shardy asks for."""
    found: list[AxisRef] = []
    for axis in axes:
        last = found[-1].sub if found and found[-1].name == axis.name else None
        if last is None or axis.sub is None or last[0] * last[1] != axis.sub[0]:
            found.append(axis)
            continue
        size = last[1] * axis.sub[1]
        whole = last[0] == 1 and size == mesh.axis_size(axis.name)
        found[-1] = AxisRef(axis.name, None if whole else (last[0], size))
    return found


Made = Value | None


def _unary(m: _Maker, x: Value) -> Made:
    return m.random.choice((ops.tanh, ops.neg, ops.abs, ops.sin))(x)


def _binary(m: _Maker, x: Value) -> Made:
    return m.random.choice((ops.add, ops.sub, ops.mul, ops.max))(x, m.like(x))


def _select(m: _Maker, x: Value) -> Made:
    y = m.like(x)
    return ops.select(ops.compare(x, y, direction="GT"), x, ops.mul(y, 2.0))


def _dot(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    at = m.axis(x)
    size = x.tensor.static_shape[at]
    y = m.param((size, m.random.choice(DIVIDED)))
    return ops.dot_general(x, y, lhs_contracting=(at,), rhs_contracting=(0,))


def _batched_dot(m: _Maker, x: Value) -> Made:
    if x.tensor.rank != 3:
        return None
    n, _, k = x.tensor.static_shape
    y = m.param((n, k, m.random.choice(DIVIDED)))
    return ops.dot_general(
        x, y, lhs_contracting=(2,), rhs_contracting=(1,), lhs_batching=(0,), rhs_batching=(0,)
    )


def _reduce(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    axes = tuple(sorted(m.random.sample(range(x.tensor.rank), m.random.randint(1, x.tensor.rank))))
    keep = m.random.random() < 0.3
    return m.random.choice((ops.sum, ops.reduce_max, ops.reduce_min, ops.sum))(
        x, axes=axes, keepdims=keep
    )


def _mean_product(m: _Maker, x: Value) -> Made:
    return ops.prod(ops.tanh(x), axes=(m.axis(x),)) if x.tensor.rank else None


def _reshape(m: _Maker, x: Value) -> Made:
    left = x.tensor.size
    shape: list[int] = []
    while left > 1 and len(shape) < 3:
        size = m.random.choice([d for d in range(2, left + 1) if left % d == 0])
        shape.append(size)
        left //= size
    if left > 1 or not shape:
        shape.append(left)
    return ops.reshape(x, shape=tuple(shape))


def _transpose(m: _Maker, x: Value) -> Made:
    rank = x.tensor.rank
    return ops.transpose(x, permutation=tuple(m.random.sample(range(rank), rank)))


def _concat(m: _Maker, x: Value) -> Made:
    return ops.concat([x, m.like(x)], axis=m.axis(x)) if x.tensor.rank else None


def _slice(m: _Maker, x: Value) -> Made:
    starts, limits, strides = [], [], []
    for size in x.tensor.static_shape:
        start = m.random.randrange(size) if m.random.random() < 0.4 else 0
        limit = m.random.randint(start + 1, size) if m.random.random() < 0.5 else size
        starts.append(start)
        limits.append(limit)
        strides.append(m.random.choice((1, 1, 2)))
    return ops.slice(x, starts=tuple(starts), limits=tuple(limits), strides=tuple(strides))


def _pad(m: _Maker, x: Value) -> Made:
    rank = x.tensor.rank
    low = tuple(m.random.choice((0, 0, 1, 4)) for _ in range(rank))
    high = tuple(m.random.choice((0, 0, 3, 4, -1)) for _ in range(rank))
    interior = tuple(m.random.choice((0, 0, 1)) for _ in range(rank))
    return ops.pad(x, 0.5, low=low, high=high, interior=interior)


def _reverse(m: _Maker, x: Value) -> Made:
    return ops.reverse(x, axes=(m.axis(x),)) if x.tensor.rank else None


def _broadcast(m: _Maker, x: Value) -> Made:
    shape = (m.random.choice(DIVIDED), *x.tensor.static_shape)
    return ops.broadcast_to(x, shape=shape)


def _take(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    at = m.axis(x)
    count = m.random.choice(DIVIDED)
    return ops.take(x, m.positions(count, x.tensor.static_shape[at] - 1), axis=at)


def _scatter(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    count, rest = m.random.choice(DIVIDED), x.tensor.static_shape[1:]
    rows = ops.reshape(m.positions(count, x.tensor.static_shape[0] - 1), shape=(count, 1))
    made = ops.scatter(
        [x], rows, [m.param((count, *rest))], ops.add,
        update_window_dims=tuple(range(1, 1 + len(rest))), inserted_window_dims=(0,),
        scatter_dims_to_operand_dims=(0,), index_vector_dim=1,
    )  # fmt: skip
    return _one(made)


def _starts(m: _Maker, x: Value) -> tuple[list[Value], tuple[int, ...]]:
    sizes = tuple(m.random.randint(1, n) for n in x.tensor.static_shape)
    rank = x.tensor.rank
    if not rank:
        return [], sizes
    at = m.positions(rank, 5)
    return [
        ops.reshape(ops.slice(at, starts=(i,), limits=(i + 1,)), shape=()) for i in range(rank)
    ], sizes


def _dynamic_slice(m: _Maker, x: Value) -> Made:
    starts, sizes = _starts(m, x)
    return ops.dynamic_slice(x, starts, sizes=sizes)


def _dynamic_update_slice(m: _Maker, x: Value) -> Made:
    starts, sizes = _starts(m, x)
    return ops.dynamic_update_slice(x, m.param(sizes), starts)


def _sort(m: _Maker, x: Value) -> Made:
    return (
        ops.sort(x, axis=m.axis(x), descending=m.random.random() < 0.5) if x.tensor.rank else None
    )


def _cumsum(m: _Maker, x: Value) -> Made:
    return ops.cumsum(x, axis=m.axis(x), reverse=m.random.random() < 0.3) if x.tensor.rank else None


def _softmax(m: _Maker, x: Value) -> Made:
    return ops.softmax(x, axis=m.axis(x)) if x.tensor.rank else None


def _conv(m: _Maker, x: Value) -> Made:
    if x.tensor.rank != 3 or x.tensor.static_shape[2] < 3:
        return None
    channels = x.tensor.static_shape[1]
    padding: Any = m.random.choice(("VALID", "SAME"))
    return ops.conv1d(x, m.param((4, channels, 3)), window_strides=(1,), padding=padding)


def _iota(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    shape = x.tensor.static_shape
    return ops.add(x, ops.iota(shape=shape, axis=m.axis(x), dtype=dxir.f32))


def _one(made: Any) -> Value:
    return made[0] if isinstance(made, tuple) else made


def _loop(m: _Maker, x: Value) -> Made:
    y = m.like(x)
    made = ops.fori_loop(0, 3, lambda i, a: ops.add(ops.mul(a, 0.5), y), [x])
    return _one(made)


def _call(m: _Maker, x: Value) -> Made:
    m.functions += 1
    inner = dxir.Builder(f"inner{m.functions}", public=False)
    a = inner.param(x.tensor)
    b = inner.param(x.tensor)
    made = ops.call(inner.build(ops.sub(ops.tanh(a), ops.mul(b, 2.0))), [x, m.like(x)])
    return _one(made)


def _cond(m: _Maker, x: Value) -> Made:
    y = m.like(x)
    first = ops.sum(x, axes=tuple(range(x.tensor.rank)))
    made = ops.cond(
        ops.compare(first, 0.0, direction="GT"), lambda: ops.add(x, y), lambda: ops.mul(x, y)
    )
    return _one(made)


def _argmax(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    return ops.convert(ops.argmax(x, axis=m.axis(x)), dtype=dxir.f32)


def _rng(m: _Maker, x: Value) -> Made:
    state = ops.constant(np.array([7, 9], np.uint64))
    _, bits = ops.rng_bit_generator(
        state, algorithm="THREE_FRY", shape=x.tensor.static_shape, dtype=dxir.ui32
    )
    return ops.add(x, ops.mul(ops.convert(bits, dtype=dxir.f32), 1e-9))


OPS: tuple[Callable[[_Maker, Value], Made], ...] = (
    _unary, _binary, _select, _dot, _batched_dot, _reduce, _mean_product, _reshape, _transpose,
    _concat, _slice, _pad, _reverse, _broadcast, _take, _scatter, _dynamic_slice,
    _dynamic_update_slice, _sort, _cumsum, _softmax, _conv, _iota, _loop, _call, _cond, _argmax,
    _rng,
)  # fmt: skip


def _integers(m: _Maker, x: Value) -> Made:
    whole = ops.convert(ops.clamp(-9.0, ops.mul(x, 3.0), 9.0), dtype=dxir.i32)
    if x.tensor.rank:
        whole = m.random.choice((ops.sum, ops.reduce_max))(whole, axes=(m.axis(x),))
    return ops.convert(whole, dtype=dxir.f32)


def _all(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    body = m.random.choice((ops.and_, ops.or_))
    init = ops.constant(np.array(body is ops.and_))
    made = ops.reduce([ops.compare(x, m.like(x), direction="LT")], [init], body, axes=(m.axis(x),))
    return ops.convert(_one(made), dtype=dxir.f32)


def _max_pool(m: _Maker, x: Value) -> Made:
    if x.tensor.rank != 3 or x.tensor.static_shape[2] < 2:
        return None
    padding: Any = m.random.choice(("VALID", "SAME"))
    strides = (m.random.choice((1, 2)),)
    return ops.max_pool(x, window=(2,), window_strides=strides, padding=padding)


def _top_k(m: _Maker, x: Value) -> Made:
    if not x.tensor.rank:
        return None
    values, places = ops.top_k(x, k=m.random.randint(1, x.tensor.static_shape[-1]))
    return ops.add(values, ops.convert(places, dtype=dxir.f32))


def _solve(m: _Maker, x: Value) -> Made:
    if x.tensor.rank < 2 or x.tensor.static_shape[-1] != x.tensor.static_shape[-2]:
        return None
    size, rank = x.tensor.static_shape[-1], x.tensor.rank
    eye = ops.constant(np.eye(size, dtype=np.float32) * 4)
    turned = (*range(rank - 2), rank - 1, rank - 2)
    product = ops.matmul(x, ops.transpose(x, permutation=turned))
    lower = ops.cholesky(ops.add(product, ops.broadcast_to(eye, shape=product.shape)))
    return ops.triangular_solve(lower, x)


def _fft(_: _Maker, x: Value) -> Made:
    if not x.tensor.rank or x.tensor.static_shape[-1] < 2:
        return None
    made = ops.fft(x, fft_type="RFFT", fft_length=(x.tensor.static_shape[-1],))
    return ops.add(ops.real(made), ops.imag(made))


def _split(m: _Maker, x: Value) -> Made:
    axis = m.axis(x) if x.tensor.rank else 0
    if not x.tensor.rank or x.tensor.static_shape[axis] % 2:
        return None
    half = x.tensor.static_shape[axis] // 2
    low, high = ops.split(x, sizes=(half, half), axis=axis)
    return ops.mul(low, high)


def _layer_norm(_: _Maker, x: Value) -> Made:
    return ops.layer_norm(x) if x.tensor.rank else None


def _embedding(m: _Maker, x: Value) -> Made:
    if x.tensor.rank != 2:
        return None
    return ops.embedding(x, m.positions(m.random.choice(DIVIDED), x.tensor.static_shape[0] - 1))


def _scan(m: _Maker, x: Value) -> Made:
    if x.tensor.rank < 2:
        return None
    start = ops.sum(x, axes=(0,))

    def step(carry: Value, row: Value) -> tuple[Value, Value]:
        new = ops.tanh(ops.add(ops.mul(carry, 0.5), row))
        return new, new

    return m.random.choice(list(ops.scan(step, [start], [x])))


def _grouped_conv(m: _Maker, x: Value) -> Made:
    if x.tensor.rank != 3 or x.tensor.static_shape[1] % 2 or x.tensor.static_shape[2] < 4:
        return None
    kernel = m.param((4, x.tensor.static_shape[1] // 2, 3))
    return ops.conv1d(
        x, kernel, window_strides=(2,), padding=((1, 2),), rhs_dilation=(1,), feature_group_count=2
    )


def _gradient_of_pool(m: _Maker, x: Value) -> Made:
    made = _max_pool(m, x)
    if made is None:
        return None
    size = x.tensor.static_shape[2]
    return ops.add(x, ops.sum(made, axes=(2,), keepdims=True)) if size > 2 else made


MORE_OPS: tuple[Callable[[_Maker, Value], Made], ...] = (
    _integers, _all, _max_pool, _top_k, _solve, _fft, _split, _layer_norm, _embedding, _scan,
    _grouped_conv, _gradient_of_pool,
)  # fmt: skip
