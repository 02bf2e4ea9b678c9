"""Rotary position embedding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, unbroadcast
from dxir.dialects.dynamic import runtime_shape
from dxir.dialects.dynamic_pieces import cut
from dxir.dialects.elementwise import aligned
from dxir.dialects.reduction import narrow, restore_axes, widen
from dxir.errors import DTypeError, ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import DType, TensorType, bf16, broadcast_shapes, f32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class Rope(Composite, name="rope", rounding="sums"):
    """Pairs of elements of the last axis of `x` turned by angles (Su et al., 2021).

    A pair (a, b) becomes `(a cos - b sin, b cos + a sin)`. Pairs are the two halves of the axis,
    element by element, or neighbours when `interleaved`. `cos` and `sin` are tables that broadcast
    to `x`, with one entry for each pair (`[s, d / 2]`, say) or one for each element (`[s, d]`), in
    the type of `x` or in f32 where `x` is narrower. Narrow floats are computed in f32. The
    cotangent of `x` is that of the result, turned back.
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
        size = type.shape[-1]
        if not isinstance(size, int) or size % 2 or not size:
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
        size = x.shape[-1]
        wide = [widen(v) for v in (x, cos, sin)]
        a, c, s = (self._half(v, size, 0) for v in wide)
        b, d, t = (self._half(v, size, 1) for v in wide)
        first, second = a * c - b * s, b * d + a * t
        return narrow(self._joined(first, second, x), x.tensor.primitive)

    def _half(self, value: Value, size: int, position: int) -> Value:
        """The first or the second elements of the pairs; a table by pairs serves both."""
        if value.shape[-1] != size:
            return value
        if self.interleaved:
            return cut(value, -1, position, size, 2)
        return cut(value, -1, position * size // 2, (position + 1) * size // 2)

    def _joined(self, first: Value, second: Value, like: Value) -> Value:
        """The pairs together again, in the shape of `like`."""
        if not self.interleaved:
            return ops.concat((first, second), axis=-1)
        both = ops.concat([_column(v) for v in (first, second)], axis=-1)
        if like.tensor.is_static:
            return ops.reshape(both, shape=like.tensor.static_shape)
        return ops.dynamic_reshape(both, runtime_shape(like), shape=like.shape)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        x, cos, sin = self.x, self.cos, self.sin
        size = x.shape[-1]

        def of_cos() -> Value:
            whole = widen(g) * widen(x)
            if cos.shape[-1] != size:
                whole = self._half(whole, size, 0) + self._half(whole, size, 1)
            return narrow(unbroadcast(whole, cos.tensor), cos.tensor.primitive)

        def of_sin() -> Value:
            a, b = (self._half(widen(x), size, i) for i in (0, 1))
            first = self._half(widen(g), size, 0) * b
            second = self._half(widen(g), size, 1) * a
            whole = second - first if sin.shape[-1] != size else self._joined(-first, second, x)
            return narrow(unbroadcast(whole, sin.tensor), sin.tensor.primitive)

        return (lambda: ops.rope(g, cos, self._back(sin), interleaved=self.interleaved),
                of_cos, of_sin)  # fmt: skip

    def _back(self, sin: Value) -> Value:
        """The table of sines that turns back: negated, the elements of each pair exchanged."""
        size = sin.shape[-1]
        if size == self.x.shape[-1]:
            first, second = (self._half(sin, size, i) for i in (0, 1))
            sin = self._joined(second, first, sin)
        return -sin

    def batch(self, batch: Batch) -> Value:
        tables = list(batch.operands[1:])
        for i, flag in enumerate(batch.batched[1:]):
            if flag:
                tables[i] = aligned(tables[i], self.x.rank)
        result: Value = batch.rebuild((batch.full(0), *tables))
        return result

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


def _column(value: Value) -> Value:
    """A value with one more axis, of size 1, at the end."""
    type = value.tensor
    wanted = TensorType((*type.shape, 1), type.dtype)
    if type.is_static:
        found: Value = ops.reshape(value, shape=wanted.static_shape)
        return found
    return restore_axes(value, wanted, (type.rank,))
