"""Triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import rebuild
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.transforms import Batch
from dxir.types import TensorType, bf16, f32, i8, i32

Array = np.ndarray[Any, Any]


def _below(x: Array, k: int) -> Array:
    return np.tri(x.shape[-2], x.shape[-1], k, dtype=bool)


class Triangle(Derived):
    """Base of the triangles of the last two axes; a positive `k` is above the main diagonal."""

    x: Value
    k: int = 0

    def infer(self) -> TensorType:
        checks.integer(self.k, "k")
        checks.rank_at_least(self.x, 2)
        return self.x.tensor

    def triangle(self, x: Value, direction: str) -> Value:
        """Elements whose column index is related to row + k as `direction` says, 0 elsewhere."""
        shape = TensorType(x.shape[-2:], x.dtype).static_shape
        rows = ops.iota(shape=shape, axis=0, dtype=i32)
        columns = ops.iota(shape=shape, axis=1, dtype=i32)
        limit = ops.add(rows, self.k) if self.k else rows
        inside = ops.compare(columns, limit, direction=direction)
        return ops.select(inside, x, 0)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (rebuild(self, (g,)),)

    def batch(self, batch: Batch) -> Value:
        kept: Value = batch.rebuild(batch.operands)
        return kept


class Tril(Triangle, name="tril", rounding="exact"):
    """The elements on and below diagonal `k` of the last two axes, 0 above it."""

    examples = (
        Example(x=f32[3, 4]),
        Example(x=f32[2, 3, 3], k=1),
        Example(x=i8[3, 2], k=-1),
        Example(x=bf16[0, 2, 2]),
    )

    def expand(self, x: Value) -> Value:
        return self.triangle(x, "LE")

    def reference(self, x: Array) -> Array:
        return np.where(_below(x, self.k), x, np.zeros((), x.dtype))


class Triu(Triangle, name="triu", rounding="exact"):
    """The elements on and above diagonal `k` of the last two axes, 0 below it."""

    examples = (
        Example(x=f32[3, 4]),
        Example(x=f32[2, 3, 3], k=1),
        Example(x=i8[3, 2], k=-1),
        Example(x=bf16[0, 2, 2]),
    )

    def expand(self, x: Value) -> Value:
        return self.triangle(x, "GE")

    def reference(self, x: Array) -> Array:
        return np.where(_below(x, self.k - 1), np.zeros((), x.dtype), x)
