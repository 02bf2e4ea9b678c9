"""Attention by scaled dot products."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, unbroadcast
from dxir.dialects.dynamic import reshaped, runtime_shape
from dxir.dialects.elementwise import aligned
from dxir.dialects.nn import spread
from dxir.dialects.reduction import narrow, widen
from dxir.errors import DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, broadcast_shapes, f16, f32, f64, i1, shape_text

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class ScaledDotProductAttention(Composite, name="scaled_dot_product_attention", rounding="sums"):
    """`softmax(q @ k^T * scale + bias)` of the unmasked keys, times `v` (Vaswani et al., 2017).

    `q` is `[..., h, s, d]`, `k` is `[..., g, t, d]`, `v` is `[..., g, t, e]` and the result
    `[..., h, s, e]`; rank 2 has no heads. With fewer heads g in `k` and `v`, each serves h / g
    heads of `q` in a row (grouped queries). `mask` is boolean (true: the query sees the key) or a
    number added to the scores, `bias` is added to them too; both broadcast to `[..., h, s, t]`.
    `causal` lets query i see the keys 0..i. A query that sees no key gives zeros. `scale` is
    1 / sqrt(d) unless given. Scores, softmax and sums are f32 for narrower floats; the shares are
    rounded before they meet `v`, as matrix units want them.

    The derivative makes the shares again from `q` and `k`, so that a kernel keeps nothing of their
    size; written out, they are the forward program's own, and computed once. The derivative of a
    query that sees no key is 0.
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
        if q.rank > 2 and not _serves(k.shape[-3], q.shape[-3]):
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
        dtype = q.tensor.primitive
        shares = narrow(self._shares(q, k, *self._parts(others)), dtype)
        return narrow(self._product(shares, v, (*q.shape[:-1], v.shape[-1])), dtype)

    def _shares(self, q: Value, k: Value, mask: Value | None, bias: Value | None) -> Value:
        """How much of each key a query takes, wide."""
        order = (*range(k.rank - 2), k.rank - 1, k.rank - 2)
        keys = ops.transpose(k, permutation=order)
        scores = self._product(q, keys, (*q.shape[:-1], k.shape[-2]))
        if self.scale != 1:
            scores = scores * self.scale
        if bias is not None:
            scores = scores + widen(bias)
        if mask is not None and mask.dtype != i1:
            scores = scores + widen(mask)
        elif mask is not None:
            scores = self._seen(mask, scores)
        if self.causal:
            scores = self._seen(_lower_triangle(scores), scores)
        masked = mask is not None or bias is not None
        return ops.softmax(scores, axis=-1, masked=masked)

    def _seen(self, mask: Value, scores: Value) -> Value:
        hidden = ops.full_like(scores, value=-math.inf)
        if scores.tensor.is_static:
            wide = ops.broadcast_to(mask, shape=scores.shape)
        else:
            wide = spread(mask, scores, range(scores.rank - mask.rank))
        return ops.select(wide, scores, hidden)

    def _product(self, x: Value, y: Value, shape: tuple[Any, ...]) -> Value:
        """`x @ y`, wide, each head of `y` with the heads of `x` it serves, in `shape`."""
        heads = y.shape[-3] if y.rank > 2 else None
        x = self._grouped(x, heads)
        product = _contracted(x, y, (x.rank - 1,), (y.rank - 2,), range(y.rank - 2))
        return reshaped(product, shape)

    def _grouped(self, x: Value, heads: Any) -> Value:
        """`[..., h, s, t]` as `[..., g, h / g, s, t]`, unless it has `heads` g already."""
        shape = x.shape
        if heads is None or shape[-3] == heads:
            return x
        return reshaped(x, (*shape[:-3], heads, shape[-3] // heads, *shape[-2:]))

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        q, k, v = self.q, self.k, self.v
        dtype, heads = q.tensor.primitive, k.shape[-3] if k.rank > 2 else None

        @cache
        def shares() -> Value:
            return self._shares(q, k, self.mask, self.bias)

        @cache
        def of_scores() -> Value:
            # The sum of the shares' cotangents weighed by the shares, by way of the result.
            mean = ops.sum(widen(g) * widen(y), axes=(g.rank - 1,))
            pulled = self._from_keys(g, v, shares())
            return shares() * (pulled - spread(mean, pulled, (pulled.rank - 1,)))

        @cache
        def of_product() -> Value:
            whole = of_scores() if self.scale == 1 else of_scores() * self.scale
            return narrow(whole, dtype)

        def of_addend(addend: Value) -> Value:
            return narrow(unbroadcast(of_scores(), addend.tensor), addend.tensor.primitive)

        def of_rows(x: Value, rows: Value) -> Value:
            x, rows = self._grouped(x, heads), self._grouped(rows, heads)
            batch = tuple(range(k.rank - 2))
            summed = tuple(range(len(batch), x.rank - 1))
            return narrow(_contracted(x, rows, summed, summed, batch), dtype)

        found: list[Cotangent] = [
            lambda: narrow(self._product(of_product(), k, q.shape), dtype),
            lambda: of_rows(of_product(), q),
            lambda: of_rows(narrow(shares(), dtype), g),
        ]
        if (mask := self.mask) is not None:
            found.append(None if mask.dtype == i1 else lambda: of_addend(mask))
        if (bias := self.bias) is not None:
            found.append(lambda: of_addend(bias))
        return tuple(found)

    def _from_keys(self, g: Value, v: Value, like: Value) -> Value:
        """`g @ v^T`, wide, in the shape of the shares."""
        g = self._grouped(g, v.shape[-3] if v.rank > 2 else None)
        product = _contracted(g, v, (g.rank - 1,), (v.rank - 1,), range(v.rank - 2))
        return reshaped(product, like.shape)

    def batch(self, batch: Batch) -> Value:
        operands = [batch.full(i) for i in range(3)]
        for value, flag in zip(batch.operands[3:], batch.batched[3:], strict=True):
            operands.append(aligned(value, self.q.rank) if flag else value)
        result: Value = batch.rebuild(operands)
        return result

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


def _contracted(
    x: Value, y: Value, left: Sequence[int], right: Sequence[int], batch: Sequence[int]
) -> Value:
    """The product, wide, over axes of both, for each place along the axes of the batch."""
    wide = x.tensor.primitive.accumulator
    product: Value = ops.dot_general(
        x, y,
        lhs_batching=tuple(batch), rhs_batching=tuple(batch),
        lhs_contracting=tuple(left), rhs_contracting=tuple(right),
        preferred_element_type=None if wide == x.dtype else wide,
    )  # fmt: skip
    return product


def _serves(heads: Any, queries: Any) -> bool:
    """Whether so many heads of keys are for so many of queries; unknown numbers must be equal."""
    if isinstance(heads, int) and isinstance(queries, int):
        return heads > 0 and queries % heads == 0
    return bool(heads == queries)


def _lower_triangle(scores: Value) -> Value:
    """Whether the query of a row is not before the key of a column, for the last two axes."""
    shape = scores.shape[-2:]
    if all(isinstance(n, int) for n in shape):
        i, j = (ops.iota(shape=shape, axis=axis, dtype="i32") for axis in (0, 1))
    else:
        sizes = ops.slice(runtime_shape(scores), starts=(scores.rank - 2,), limits=(scores.rank,))
        i, j = (ops.dynamic_iota(sizes, shape=shape, axis=axis, dtype="i32") for axis in (0, 1))
    return ops.compare(i, j, direction="GE")
