"""Ops that put tensors together along an axis, and take them apart again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, zeros
from dxir.errors import OperandError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.making import several
from dxir.op import Derived, Primitive, attribute
from dxir.transforms import Batch
from dxir.types import Dim, Dimension, TensorType, bf16, c64, f32, i1, i8, i32, same_dimension

Array = np.ndarray[Any, Any]


class Concat(Primitive, name="concat", mlir="stablehlo.concatenate", rounding="moves"):
    """The tensors one after the other along `axis`."""

    xs: tuple[Value, ...]
    axis: int = attribute("i64", mlir="dimension")

    examples = (
        Example(xs=(f32[2, 3], f32[2, 1], f32[2, 3]), axis=1),
        Example(xs=(bf16[3], bf16[0]), axis=0),
        Example(xs=(i1[1, 2],), axis=-2),
        Example(xs=(c64[2], c64[1]), axis=0),
    )

    def prepare(self) -> None:
        if not self.xs:
            raise OperandError("there is nothing to join", hint="give at least one tensor")
        self.update(axis=checks.axis(self.axis, self.xs[0].tensor.rank))

    def infer(self) -> TensorType:
        checks.same_dtype(self.xs)
        shape: list[Dimension] = list(self.xs[0].tensor.shape)
        total: Dimension = 0
        for position, value in enumerate(self.xs):
            type = checks.rank_is(value, len(shape), f"xs[{position}]")
            for axis, (a, b) in enumerate(zip(shape, type.shape, strict=True)):
                if axis != self.axis and not same_dimension(a, b):
                    raise ShapeError(
                        f"xs[{position}] has type {type}, but xs[0] has type {self.xs[0].type}: "
                        f"axis {axis} differs",
                        hint=f"only axis {self.axis} may have different sizes",
                    )
                if axis != self.axis and isinstance(a, Dim):
                    shape[axis] = b
            size = type.shape[self.axis]
            if isinstance(total, int) and isinstance(size, int):
                total += size
            else:
                total = Dim("?")
        shape[self.axis] = total
        return self.xs[0].tensor.with_shape(shape)

    linear = ("xs",)

    def vjp(self, g: Value, y: Value) -> list[Cotangent]:
        found: list[Cotangent] = []
        shape, start = g.tensor.static_shape, 0
        for x in self.xs:
            limit = start + x.tensor.static_shape[self.axis]
            starts = [start if a == self.axis else 0 for a in range(len(shape))]
            limits = [limit if a == self.axis else n for a, n in enumerate(shape)]

            def piece(starts: list[int] = starts, limits: list[int] = limits) -> Value:
                cut: Value = ops.slice(g, starts=starts, limits=limits)
                return cut

            found.append(piece if x.tensor.size else None)
            start = limit
        return found if len(found) > 1 else [g]

    def batch(self, batch: Batch) -> Value:
        joined: Value = batch.rebuild(batch.full_operands(), axis=self.axis + 1)
        return joined

    def reference(self, *xs: Array) -> Array:
        return np.concatenate(xs, self.axis)


class Stack(Derived, name="stack", rounding="moves"):
    """Tensors of one shape side by side along a new axis, at position `axis` of the result."""

    xs: tuple[Value, ...]
    axis: int = 0

    examples = (
        Example(xs=(f32[2, 3], f32[2, 3])),
        Example(xs=(bf16[2], bf16[2], bf16[2]), axis=-1),
        Example(xs=(i32[()], i32[()])),
        Example(xs=(f32[0, 2],), axis=1),
    )

    def prepare(self) -> None:
        if not self.xs:
            raise OperandError("there is nothing to stack", hint="give at least one tensor")
        self.update(axis=checks.axis(self.axis, self.xs[0].tensor.rank + 1))

    def infer(self) -> TensorType:
        checks.same_dtype(self.xs)
        first = checks.static(self.xs[0], "dynamic_reshape and concat")
        for position, value in enumerate(self.xs):
            checks.shapes_equal(value.shape, first.shape, f"xs[{position}]", "xs[0]")
        shape = list(first.shape)
        shape.insert(self.axis, len(self.xs))
        return first.with_shape(shape)

    def expand(self, *xs: Value) -> Value:
        single = [ops.expand_dims(x, axes=self.axis) for x in xs]
        return ops.concat(single, axis=self.axis)

    linear = ("xs",)

    def vjp(self, g: Value, y: Value) -> list[Cotangent]:
        found: list[Cotangent] = []
        shape = g.tensor.static_shape
        for k, x in enumerate(self.xs):
            starts = [k if a == self.axis else 0 for a in range(len(shape))]
            limits = [k + 1 if a == self.axis else n for a, n in enumerate(shape)]

            def layer(
                starts: list[int] = starts, limits: list[int] = limits, x: Value = x
            ) -> Value:
                cut = ops.slice(g, starts=starts, limits=limits) if len(self.xs) > 1 else g
                piece: Value = ops.reshape(cut, shape=x.tensor.static_shape)
                return piece

            found.append(layer)
        return found

    def batch(self, batch: Batch) -> Value:
        stacked: Value = batch.rebuild(batch.full_operands(), axis=self.axis + 1)
        return stacked

    def reference(self, *xs: Array) -> Array:
        return np.stack(xs, self.axis)


class Split(Derived, name="split", rounding="moves"):
    """The pieces along `axis`: `sizes` of them, all equal, or one of each of the given sizes."""

    x: Value
    sizes: int | tuple[int, ...]
    axis: int = 0

    examples = (
        Example(x=f32[4, 3], sizes=2),
        Example(x=f32[2, 6], sizes=(1, 0, 5), axis=-1),
        Example(x=bf16[0, 2], sizes=1),
        Example(x=i8[3], sizes=(3,)),
    )

    def prepare(self) -> None:
        type = self.x.tensor
        axis = checks.axis(self.axis, type.rank)
        size = checks.static(self.x, "real_dynamic_slice").static_shape[axis]
        sizes = self.sizes
        if isinstance(sizes, (tuple, list)):
            pieces = checks.integers(sizes, "sizes")
        else:
            count = checks.integer(sizes, "sizes")
            if count < 1 or size % count:
                raise ShapeError(f"axis {axis} of {type} does not split into {count} equal pieces")
            pieces = (size // count,) * count
        if not pieces or min(pieces) < 0 or sum(pieces) != size:
            raise ShapeError(f"pieces of sizes {pieces} do not make up axis {axis} of {type}")
        self.update(sizes=pieces, axis=axis)

    def infer(self) -> Sequence[TensorType]:
        shape = self.x.tensor.shape
        return tuple(
            [
                self.x.tensor.with_shape([*shape[: self.axis], size, *shape[self.axis + 1 :]])
                for size in checks.integers(self.sizes, "sizes")
            ]
        )

    def expand(self, x: Value) -> tuple[Value, ...]:
        starts, limits = [0] * x.rank, list(x.shape)
        pieces = []
        for size in checks.integers(self.sizes, "sizes"):
            limits[self.axis] = starts[self.axis] + size
            pieces.append(ops.slice(x, starts=tuple(starts), limits=tuple(limits)))
            starts[self.axis] += size
        return tuple(pieces)

    linear = ("x",)

    def vjp(self, g: Any, y: Any) -> tuple[Cotangent]:
        given = {k: part for k, part in enumerate(several(g)) if part is not None}
        given = {k: part for k, part in given.items() if part.tensor.size}
        if len(given) > 1:
            parts = [given[k] if k in given else zeros(r.type) for k, r in enumerate(self.results)]
            return (ops.concat(parts, axis=self.axis),)
        sizes = checks.integers(self.sizes, "sizes")
        for place, only in given.items():
            if len(sizes) == 1:
                return (only,)
            low, high = [0] * self.x.rank, [0] * self.x.rank
            low[self.axis], high[self.axis] = sum(sizes[:place]), sum(sizes[place + 1 :])
            return (ops.pad(only, 0, low=low, high=high),)
        return (None,)

    def batch(self, batch: Batch) -> tuple[Value, ...]:
        return several(batch.rebuild(batch.operands, axis=self.axis + 1))

    def reference(self, x: Array) -> tuple[Array, ...]:
        return tuple(np.split(x, np.cumsum(self.sizes)[:-1], self.axis))
