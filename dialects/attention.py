"""Attention and rotary position embedding."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.reduction import narrow, widen
from dxir.errors import DTypeError, ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import DType, TensorType, bf16, broadcast_shapes, f16, f32, f64, i1, shape_text

Array = np.ndarray[Any, Any]


class ScaledDotProductAttention(Composite, name="scaled_dot_product_attention"):
    """`softmax(q @ k^T * scale + bias)` of the unmasked keys, times `v` (Vaswani et al., 2017).

    `q` is `[..., h, s, d]`, `k` is `[..., g, t, d]`, `v` is `[..., g, t, e]` and the result
    `[..., h, s, e]`; rank 2 has no heads. With fewer heads g in `k` and `v`, each serves h / g
    heads of `q` in a row (grouped queries). `mask` is boolean (true: the query sees the key) or a
    number added to the scores, `bias` is added to them too; both broadcast to `[..., h, s, t]`.
    `causal` lets query i see the keys 0..i. A query that sees no key gives zeros. `scale` is
    1 / sqrt(d) unless given. Scores, softmax and sums are f32 for narrower floats; the shares are
    rounded before they meet `v`, as matrix units want them.
    """

    q: Value
    k: Value
    v: Value
    mask: Value | None = None
    bias: Value | None = None
    scale: float | None = None
    causal: bool = False

    examples = (
        Example(q=f32[3, 4], k=f32[5, 4], v=f32[5, 2], hostile=False),
        Example(q=f32[2, 4, 3, 8], k=f32[2, 4, 5, 8], v=f32[2, 4, 5, 8], causal=True,
                hostile=False),
        Example(q=f32[1, 6, 3, 4], k=f32[1, 2, 3, 4], v=f32[1, 2, 3, 4], mask=i1[3, 3],
                scale=0.25, hostile=False),
        Example(q=f32[4, 3, 4], k=f32[1, 3, 4], v=f32[1, 3, 4], bias=f32[4, 1, 3], hostile=False),
        Example(q=f32[2, 3, 4], k=f32[2, 2, 4], v=f32[2, 2, 4], bias=f32[3, 2], scale=1.0,
                mask=np.array([[0, 0], [0, -np.inf], [-np.inf, -np.inf]], np.float32),
                hostile=False),
        Example(q=bf16[2, 3, 8], k=bf16[2, 5, 8], v=bf16[2, 5, 8], mask=i1[1, 3, 5],
                bias=bf16[3, 5], causal=True, hostile=False),
        Example(q=f16[2, 3, 8], k=f16[1, 5, 8], v=f16[1, 5, 8], hostile=False),
        Example(q=f64[3, 4], k=f64[3, 4], v=f64[3, 4], causal=True, hostile=False),
        Example(q=f32[2, 0, 4], k=f32[2, 3, 4], v=f32[2, 3, 4]),
        Example(q=f32[2, 3, 4], k=f32[2, 0, 4], v=f32[2, 0, 4]),
    )  # fmt: skip

    def prepare(self) -> None:
        depth = checks.rank_at_least(self.q, 2, "q").shape[-1]
        if self.scale is not None:
            scale = checks.number(self.scale, "scale")
        elif isinstance(depth, int):
            scale = 1 / math.sqrt(max(depth, 1))
        else:
            raise ShapeError(f"q has type {self.q.type}: give scale, as its last size is not known")
        self.update(scale=scale, causal=bool(self.causal))

    def infer(self) -> TensorType:
        checks.kind(self.q, "float", "q")
        checks.same_dtype((self.q, self.k, self.v))
        q, k, v = (x.tensor for x in (self.q, self.k, self.v))
        if not q.rank == k.rank == v.rank or q.shape[-1] != k.shape[-1]:
            raise ShapeError(
                f"q has type {q}, k {k} and v {v}",
                hint="q is [..., h, s, d], k [..., g, t, d] and v [..., g, t, e]",
            )
        checks.shapes_equal(k.shape[:-1], v.shape[:-1], "k without its last axis", "v without its")
        checks.shapes_equal(q.shape[:-3], k.shape[:-3], "q (batch axes)", "k (batch axes)")
        if q.rank > 2 and (not k.static_shape[-3] or q.static_shape[-3] % k.static_shape[-3]):
            raise ShapeError(
                f"q has {q.shape[-3]} heads and k has {k.shape[-3]} ({q}, {k})",
                hint="the heads of k and v must divide those of q",
            )
        scores = (*q.shape[:-1], k.shape[-2])
        self._check_addend(self.mask, "mask", scores)
        self._check_addend(self.bias, "bias", scores)
        return TensorType((*q.shape[:-1], v.shape[-1]), q.dtype)

    def _check_addend(self, value: Value | None, what: str, scores: tuple[Any, ...]) -> None:
        if value is None:
            return
        type, dtype = value.tensor, self.q.tensor.primitive
        boolean = what == "mask" and type.dtype == i1
        if not boolean and type.dtype not in (dtype, dtype.accumulator):
            names = ["i1"] * (what == "mask") + [dtype.name, dtype.accumulator.name]
            raise DTypeError(
                f"{what} has type {type}", hint=f"it must be {' or '.join(dict.fromkeys(names))}"
            )
        if broadcast_shapes(type.shape, scores) != scores:
            raise ShapeError(
                f"{what} has type {type}", hint=f"it must broadcast to {shape_text(scores)}"
            )

    def _parts(self, others: tuple[Any, ...]) -> tuple[Any, Any]:
        """The mask and the bias (None where absent) among the operands after `v`."""
        left = list(others)
        mask = left.pop(0) if self.mask is not None else None
        return mask, left.pop(0) if left else None

    def expand(self, q: Value, k: Value, v: Value, *others: Value) -> Value:
        mask, bias = self._parts(others)
        rows = q.tensor.static_shape[:-1]
        order = (*range(k.rank - 2), k.rank - 1, k.rank - 2)
        scores = self._product(q, ops.transpose(k, permutation=order), (*rows, k.shape[-2]))
        if self.scale != 1:
            scores = scores * self.scale
        if bias is not None:
            scores = scores + widen(bias)
        if mask is not None and mask.dtype != i1:
            scores = scores + widen(mask)
        elif mask is not None:
            scores = self._seen(mask, scores)
        if self.causal:
            scores = self._seen(_lower_triangle(*scores.tensor.static_shape[-2:]), scores)
        shares = ops.softmax(scores, axis=-1, masked=bool(others))
        dtype = q.tensor.primitive
        result = self._product(narrow(shares, dtype), v, (*rows, v.shape[-1]))
        return narrow(result, dtype)

    def _seen(self, mask: Value, scores: Value) -> Value:
        hidden = ops.full_like(scores, value=-math.inf)
        return ops.select(ops.broadcast_to(mask, shape=scores.shape), scores, hidden)

    def _product(self, x: Value, y: Value, shape: tuple[int, ...]) -> Value:
        """`x @ y`, wide, each head of `y` with the heads of `x` it serves, in `shape`."""
        batch = tuple(range(y.rank - 2))
        grouped = bool(batch) and x.shape[-3] != y.shape[-3]
        if grouped:
            sizes = x.tensor.static_shape
            heads = y.tensor.static_shape[-3]
            x = ops.reshape(x, shape=(*sizes[:-3], heads, sizes[-3] // heads, *sizes[-2:]))
        wide = x.tensor.primitive.accumulator
        product: Value = ops.dot_general(
            x, y,
            lhs_batching=batch, rhs_batching=batch,
            lhs_contracting=(x.rank - 1,), rhs_contracting=(y.rank - 2,),
            preferred_element_type=None if wide == x.dtype else wide,
        )  # fmt: skip
        return ops.reshape(product, shape=shape) if grouped else product

    def reference(self, q: Array, k: Array, v: Array, *others: Array) -> Array:
        mask, bias = self._parts(others)
        out = np.zeros((*q.shape[:-1], v.shape[-1]))
        scores_shape = (*q.shape[:-1], k.shape[-2])
        seen = np.ones(scores_shape, np.bool_)
        added = np.zeros(scores_shape)
        if bias is not None:
            added = added + bias.astype(np.float64)
        if mask is not None and mask.dtype == np.bool_:
            seen &= mask
        elif mask is not None:
            added = added + mask.astype(np.float64)
        if self.causal:
            seen &= np.tri(*scores_shape[-2:], dtype=np.bool_)
        for at, of in self._heads(q, k):
            scores = q[at].astype(np.float64) @ k[of].astype(np.float64).T * self.scale + added[at]
            for i, row in enumerate(scores):
                keys = seen[at][i] & (row != -np.inf)
                powers = np.exp(row[keys] - row[keys].max(initial=-np.inf))
                weights = powers / powers.sum() if powers.size else powers
                out[at][i] = weights @ v[of].astype(np.float64)[keys]
        return out.astype(q.dtype)

    @staticmethod
    def _heads(q: Array, k: Array) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The index of each head of `q`, and of the head of `k` and `v` that serves it."""
        for at in np.ndindex(*q.shape[:-2]):
            yield at, (*at[:-1], at[-1] * k.shape[-3] // q.shape[-3]) if at else ()


def _lower_triangle(rows: int, columns: int) -> Value:
    i = ops.iota(shape=(rows, columns), axis=0, dtype="i32")
    j = ops.iota(shape=(rows, columns), axis=1, dtype="i32")
    return ops.compare(i, j, direction="GE")


class Rope(Composite, name="rope"):
    """Pairs of elements of the last axis of `x` turned by angles (Su et al., 2021).

    A pair (a, b) becomes `(a cos - b sin, b cos + a sin)`. Pairs are the two halves of the axis,
    element by element, or neighbours when `interleaved`. `cos` and `sin` are tables that broadcast
    to `x`, with one entry for each pair (`[s, d / 2]`, say) or one for each element (`[s, d]`), in
    the type of `x` or in f32 where `x` is narrower. Narrow floats are computed in f32.
    """

    x: Value
    cos: Value
    sin: Value
    interleaved: bool = False

    examples = (
        Example(x=f32[3, 4], cos=f32[3, 2], sin=f32[3, 2], hostile=False),
        Example(x=f32[2, 3, 6], cos=f32[3, 6], sin=f32[3, 6], hostile=False),
        Example(x=f32[2, 3, 4], cos=f32[3, 2], sin=f32[3, 2], interleaved=True, hostile=False),
        Example(x=f32[2, 3, 4], cos=f32[1, 4], sin=f32[1, 4], interleaved=True, hostile=False),
        Example(x=bf16[2, 3, 4], cos=bf16[3, 2], sin=bf16[3, 2], hostile=False),
        Example(x=bf16[2, 3, 4], cos=Sample(f32[3, 2], -1, 1), sin=Sample(f32[3, 2], -1, 1),
                interleaved=True, hostile=False),
        Example(x=f32[4], cos=f32[2], sin=f32[2], hostile=False),
        Example(x=f32[0, 4], cos=f32[0, 2], sin=f32[0, 2]),
        Example(x=f32[3, 2], cos=f32[3, 1], sin=f32[3, 1], interleaved=True, hostile=False),
    )  # fmt: skip

    def prepare(self) -> None:
        self.update(interleaved=bool(self.interleaved))

    def infer(self) -> TensorType:
        dtype: DType = checks.kind(self.x, "float", "x")
        type = checks.rank_at_least(self.x, 1, "x")
        size = type.static_shape[-1]
        if size % 2 or not size:
            raise ShapeError(f"x has type {type}", hint="its last axis holds pairs: an even size")
        for table, what in ((self.cos, "cos"), (self.sin, "sin")):
            if table.tensor.dtype not in (dtype, dtype.accumulator):
                names = " or ".join(dict.fromkeys((dtype.name, dtype.accumulator.name)))
                raise DTypeError(f"{what} has type {table.type}", hint=f"it must be {names}")
            shape = checks.rank_at_least(table, 1, what).shape
            whole = type.shape if shape[-1] == size else (*type.shape[:-1], size // 2)
            if shape[-1] not in (size, size // 2) or broadcast_shapes(shape, whole) != whole:
                raise ShapeError(
                    f"{what} has type {table.type}, but x has type {type}",
                    hint=f"its last size must be {size // 2} or {size}, and the others broadcast",
                )
        return type

    def expand(self, x: Value, cos: Value, sin: Value) -> Value:
        size = x.tensor.static_shape[-1]
        wide = [widen(v) for v in (x, cos, sin)]
        a, c, s = (self._half(v, size, 0) for v in wide)
        b, d, t = (self._half(v, size, 1) for v in wide)
        first, second = a * c - b * s, b * d + a * t
        return narrow(self._joined(first, second, x.tensor.static_shape), x.tensor.primitive)

    def _half(self, value: Value, size: int, position: int) -> Value:
        """The first or the second elements of the pairs; a table by pairs serves both."""
        shape = value.tensor.static_shape
        if shape[-1] != size:
            return value
        rest = (0,) * (len(shape) - 1)
        start, step = (position, 2) if self.interleaved else (position * size // 2, 1)
        limit = size if self.interleaved else start + size // 2
        sliced: Value = ops.slice(
            value,
            starts=(*rest, start),
            limits=(*shape[:-1], limit),
            strides=(*(1,) * len(rest), step),
        )
        return sliced

    def _joined(self, first: Value, second: Value, shape: tuple[int, ...]) -> Value:
        if not self.interleaved:
            return ops.concat((first, second), axis=-1)
        column = (*first.tensor.static_shape, 1)
        both = [ops.reshape(v, shape=column) for v in (first, second)]
        return ops.reshape(ops.concat(both, axis=-1), shape=shape)

    def reference(self, x: Array, cos: Array, sin: Array) -> Array:
        size = x.shape[-1]
        order = np.arange(size)
        if not self.interleaved:
            order = order.reshape(2, -1).T.reshape(-1)  # neighbours are the pairs of x[order]
        paired = x.astype(np.float64)[..., order].reshape(*x.shape[:-1], size // 2, 2)
        tables = []
        for table in (cos, sin):
            wide = table.astype(np.float64)
            whole = np.repeat(wide, 2, -1) if wide.shape[-1] != size else wide[..., order]
            tables.append(whole.reshape(*whole.shape[:-1], size // 2, 2))
        turned = np.stack([-paired[..., 1], paired[..., 0]], axis=-1)
        mixed = (paired * tables[0] + turned * tables[1]).reshape(x.shape)
        return mixed[..., np.argsort(order)].astype(x.dtype)
