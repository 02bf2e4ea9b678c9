"""From indices to vectors: one-hot vectors and rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, zeros
from dxir.dialects.addressing import Addressing, added
from dxir.dialects.indexing import widened
from dxir.dialects.nn import spread
from dxir.dialects.spreading import broadcast_like
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite, expansion
from dxir.transforms import Batch
from dxir.types import DType, TensorType, bf16, f32, i8, i32, ui8

Array = np.ndarray[Any, Any]


def is_index_in(ids: Value, like: Value, axis: int) -> Value:
    """As `is_index`, of the shape of a value, whose sizes along other axes may be unknown."""
    if like.tensor.is_static:
        return is_index(ids, like.tensor.static_shape, axis)
    ids = _wide(ids)
    depth = like.shape[axis]
    places = ops.iota(shape=(depth,), axis=0, dtype=ids.tensor.primitive)
    wanted = broadcast_like(ids, like, [i for i in range(like.rank) if i != axis])
    return ops.compare(broadcast_like(places, like, (axis,)), wanted, direction="EQ")


def _wide(ids: Value) -> Value:
    """Indices of 32 bits and more."""
    dtype = ids.tensor.primitive
    if dtype.bits >= 32:
        return ids
    wide: Value = ops.convert(ids, dtype=DType.of("ui32" if dtype.is_unsigned else "i32"))
    return wide


def is_index(ids: Value, shape: Sequence[int], axis: int) -> Value:
    """Where the position along `axis` of `shape` is the index, for ids without that axis."""
    ids = _wide(ids)
    dtype = ids.tensor.primitive
    kept = [i for i in range(len(shape)) if i != axis]
    wanted = ops.broadcast_in_dim(ids, shape=shape, dims=kept)
    return ops.compare(ops.iota(shape=shape, axis=axis, dtype=dtype), wanted, direction="EQ")


class OneHot(Composite, name="one_hot", rounding="exact"):
    """1 at the index, 0 elsewhere, on a new axis of size `depth` at `axis` of the result.

    An index outside `0..depth-1` gives zeros alone. `dtype` is the name of the element type.
    """

    ids: Value
    depth: int
    axis: int = -1
    dtype: str = "f32"

    examples = (
        Example(ids=Sample(i32[4], -1, 3), depth=3),
        Example(ids=Sample(ui8[2, 3], 0, 4), depth=5, axis=1, dtype="bf16"),
        Example(ids=i32[()], depth=2, dtype="i1"),
        Example(ids=np.array([-1, 127], np.int8), depth=300, axis=0, dtype="i32"),
        Example(ids=i32[0], depth=3),
        Example(ids=i32[2], depth=0),
    )

    def prepare(self) -> None:
        depth = checks.integer(self.depth, "depth")
        if depth < 0:
            raise ShapeError(f"depth is {depth}", hint="it must be 0 or more")
        self.update(
            depth=depth,
            axis=checks.axis(self.axis, self.ids.tensor.rank + 1),
            dtype=DType.of(self.attrs["dtype"]).name,
        )

    def infer(self) -> TensorType:
        checks.kind(self.ids, "int uint", "ids")
        shape = self.ids.tensor.static_shape
        return TensorType((*shape[: self.axis], self.depth, *shape[self.axis :]), self.dtype)

    def expand(self, ids: Value) -> Value:
        shape = ids.tensor.static_shape
        wide = (*shape[: self.axis], self.depth, *shape[self.axis :])
        return ops.convert(is_index(ids, wide, self.axis), dtype=DType.of(self.dtype))

    def batch(self, batch: Batch) -> Value:
        hot: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
        return hot

    def reference(self, ids: Array) -> Array:
        positions = np.arange(self.depth).reshape((-1,) + (1,) * (ids.ndim - self.axis))
        hit = np.expand_dims(ids.astype(object), self.axis) == positions
        return np.asarray(hit).astype(DType.of(self.dtype).numpy)


class Embedding(Composite, name="embedding", rounding="exact"):
    """The rows of `table` (`[n, d]`) that `ids` name: `[*ids.shape, d]`.

    Indices outside `0..n-1` are clamped into it, and so is what they add to the gradient of the
    table. Rows of `padding_index` are zeros, and add nothing to it.
    """

    table: Value
    ids: Value
    padding_index: int | None = None

    examples = (
        Example(table=f32[4, 3], ids=Sample(i32[2, 3], 0, 3)),
        Example(table=bf16[4, 3], ids=Sample(ui8[5], 0, 3), padding_index=1),
        Example(table=i32[4, 2], ids=Sample(i8[3], -2, 6)),
        Example(table=f32[4, 3], ids=i32[()]),
        Example(table=f32[4, 0], ids=Sample(i32[2], 0, 3)),
        Example(table=f32[4, 3], ids=i32[0], padding_index=0),
    )

    def prepare(self) -> None:
        if self.padding_index is not None:
            rows = self.table.tensor.static_shape[0] if self.table.rank else 0
            self.update(padding_index=checks.axis(self.padding_index, rows, "padding_index"))

    def infer(self) -> TensorType:
        table = checks.rank_is(self.table, 2, "table")
        checks.kind(self.ids, "int uint", "ids")
        if table.static_shape[0] == 0 and 0 not in self.ids.shape:
            raise ShapeError(f"table has type {table}: it has no rows to take")
        if self.padding_index is not None:
            checks.has_zero(self.table, "table")
        return TensorType((*self.ids.shape, table.shape[1]), table.dtype)

    def expand(self, table: Value, ids: Value) -> Value:
        rows = self.addressing.gather(table, ids)
        if self.padding_index is None:
            return rows
        padding = np.array(self.padding_index).astype(ids.tensor.primitive.numpy)
        unused = ops.compare(ids, ops.constant(padding), direction="EQ")
        wide = spread(unused, rows, (ids.rank,))
        return ops.select(wide, ops.full_like(rows, value=0), rows)

    linear = ("table",)

    @property
    def addressing(self) -> Addressing:
        """The dimension numbers of the gather that it is."""
        rank = self.ids.rank
        width = self.table.tensor.static_shape[1]
        return Addressing((rank,), (0,), (), (), (0,), rank, (1, width))

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, None]:
        how, table, ids = self.addressing, self.table.tensor, widened(self.ids)
        if self.padding_index is None or 0 in g.shape or not table.size:
            return (how.transposed(g, ids, table), None)

        def unpadded() -> Value:
            # A scatter drops what points past the end, which costs less than zeros in `g`.
            number = ids.tensor.primitive.numpy.type
            inside, _ = how.clamped(ids, table.static_shape)
            padding = ops.compare(ids, number(self.padding_index), direction="EQ")
            end = number(table.static_shape[0])
            return how.scatter(zeros(table), ops.select(padding, end, inside), g, added)

        return (unpadded, None)

    def batch(self, batch: Batch) -> Value:
        if not batch.batched[0]:
            rows: Value = batch.rebuild(batch.operands)
            return rows
        return batch.run(expansion(self), batch.operands, batch.batched)[0][0]

    def reference(self, table: Array, ids: Array) -> Array:
        rows = np.empty((*ids.shape, table.shape[1]), table.dtype)
        for at in np.ndindex(*ids.shape):
            row = int(ids[at])
            rows[at] = table[min(max(row, 0), len(table) - 1)]
            if row == self.padding_index:
                rows[at] = np.zeros((), table.dtype)
        return rows
