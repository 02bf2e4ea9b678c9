"""Padding: elements put around and between those of a tensor, or taken from its edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, scalar
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.transforms import Batch
from dxir.types import Dim, Dimension, TensorType, bf16, f32, i1, i8, shape_text

Array = np.ndarray[Any, Any]


class Pad(Primitive, name="pad", mlir="stablehlo.pad", rounding="moves"):
    """`value` put before (`low`), after (`high`) and between (`interior`) the elements.

    Negative `low` and `high` take elements away instead. `value` is a scalar of the type of `x`.
    """

    x: Value
    value: Value
    low: tuple[int, ...] = attribute("i64_array", mlir="edge_padding_low")
    high: tuple[int, ...] = attribute("i64_array", mlir="edge_padding_high")
    interior: tuple[int, ...] | None = attribute("i64_array", mlir="interior_padding", default=None)

    examples = (
        Example(x=f32[3], value=np.float32(0), low=0, high=0, interior=2),
        Example(x=f32[2, 3], value=f32[()], low=(1, 0), high=(0, 2)),
        Example(x=i8[4, 3], value=np.int8(-1), low=(-1, 2), high=(-2, -3), interior=(1, 1)),
        Example(x=bf16[0], value=bf16[()], low=2, high=1),
        Example(x=i1[()], value=i1[()], low=(), high=()),
        Example(x=f32[2], value=f32[()], low=-3, high=2, interior=1),
    )

    def coerce(self, position: int, given: Any) -> Value:
        x: Any = self.x
        if position == 1 and isinstance(x, Value) and isinstance(given, (int, float, complex)):
            return ops.full(shape=(), value=given, dtype=self.x.tensor.primitive)
        return super().coerce(position, given)

    def prepare(self) -> None:
        low = checks.integers(self.low, "low")
        given = self.interior
        interior = (0,) * len(low) if given is None else checks.integers(given, "interior")
        self.update(low=low, high=checks.integers(self.high, "high"), interior=interior)

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.same_dtype((self.x, self.value))
        checks.rank_is(self.value, 0, "value")
        interior = self.interior or ()
        for name, values in (("low", self.low), ("high", self.high), ("interior", interior)):
            checks.length(values, type.rank, name)
        if interior and min(interior) < 0:
            raise AttributeValueError(f"interior is {interior}", hint="it cannot be negative")
        shape: list[Dimension] = []
        for axis, size in enumerate(type.shape):
            if isinstance(size, Dim):
                shape.append(Dim("?"))
                continue
            spread = size + max(size - 1, 0) * interior[axis]
            padded = self.low[axis] + spread + self.high[axis]
            if padded < 0:
                raise ShapeError(
                    f"low {shape_text(self.low)} and high {shape_text(self.high)} take more than "
                    f"there is of axis {axis} of {type}"
                )
            shape.append(padded)
        return type.with_shape(shape)

    linear = ("x", "value")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, Cotangent]:
        if not g.tensor.size:
            return (None, None)
        return (
            (lambda: self._kept(g)) if self.x.tensor.size else None,
            (lambda: self._put_in(g)) if self._puts_in else None,
        )

    @property
    def _puts_in(self) -> bool:
        """Whether any element of the result is `value`."""
        wide = self.x.tensor.static_shape
        between = any(k and n > 1 for k, n in zip(self.interior or (), wide, strict=True))
        return between or max((*self.low, *self.high), default=0) > 0

    def _kept(self, g: Value) -> Value:
        """The elements of `g` where those of `x` are; 0 for those that were taken away."""
        rank, interior = g.rank, self.interior or ()
        low, high = [-n for n in self.low], [-n for n in self.high]
        if max((*low, *high), default=0) <= 0:
            limits = [n + h for n, h in zip(g.tensor.static_shape, high, strict=True)]
            cut: Value = ops.slice(
                g, starts=self.low, limits=limits, strides=[k + 1 for k in interior]
            )
            return cut
        whole: Value = ops.pad(g, 0, low=low, high=high)
        if not any(interior):
            return whole
        limits = list(whole.tensor.static_shape)
        strides = [k + 1 for k in interior]
        return ops.slice(whole, starts=[0] * rank, limits=limits, strides=strides)

    def _put_in(self, g: Value) -> Value:
        """The sum of `g` where `value` was put."""
        if self.x.tensor.size:
            g = ops.select(self._outside(), g, 0)
        total: Value = ops.sum(g)
        return total

    def _outside(self) -> Value:
        """Where the result is `value`."""
        inner = ops.full(shape=self.x.shape, value=False, dtype=i1)
        mask: Value = ops.pad(inner, True, low=self.low, high=self.high, interior=self.interior)
        return mask

    def batch(self, batch: Batch) -> Value:
        low, high, interior = (0, *self.low), (0, *self.high), (0, *(self.interior or ()))
        x, value = batch.full(0), batch.operands[1]
        if not batch.batched[1]:
            found: Value = ops.pad(x, value, low=low, high=high, interior=interior)
            return found
        shape = (batch.size, *self.results[0].tensor.static_shape)
        values = ops.broadcast_in_dim(value, shape=shape, dims=(0,))
        if not self.x.tensor.size:
            return values
        outside = ops.broadcast_in_dim(self._outside(), shape=shape, dims=range(1, len(shape)))
        zero = scalar(0, self.value.tensor)
        inside = ops.pad(x, zero, low=low, high=high, interior=interior)
        return ops.select(outside, values, inside)

    def reference(self, x: Array, value: Array) -> Array:
        return padded(x, value, self.low, self.high, self.interior or ())


def padded(
    x: Array, value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Array:
    """The array padded as `pad` says."""
    spread = [n + max(n - 1, 0) * int(k) for n, k in zip(x.shape, interior, strict=True)]
    out = np.full(
        [int(a) + n + int(b) for a, n, b in zip(low, spread, high, strict=True)], value, x.dtype
    )
    for index in np.ndindex(*x.shape):
        at = [int(a) + i * (int(k) + 1) for a, i, k in zip(low, index, interior, strict=True)]
        if all(0 <= i < n for i, n in zip(at, out.shape, strict=True)):
            out[tuple(at)] = x[index]
    return out
