"""Sorting and ranking: sort, argsort, top_k."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.addressing import along
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import Composite, Primitive, attribute, inline
from dxir.transforms import Batch
from dxir.types import DType, TensorType, Type, bf16, f8e5m2, f16, f32, f64, i1, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]
_ORDERED = "bool int uint float"


def sent_back(values: Sequence[Value], places: Value, axis: int) -> Pull:
    """What takes cotangents of sorted values to where `places` says that they were."""

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        found: list[tuple[Value, Cotangent]] = []
        for value, g in zip(values, gs, strict=True):
            if g is not None:
                how = along(value.tensor.static_shape, axis)
                found.append((value, how.transposed(g, places, value.tensor, unique=True)))
        return found

    return pull


def reordered(tangents: Sequence[Value | None], places: Value, axis: int) -> list[Value | None]:
    """The tangents of values in the order that `places` gives."""
    return [
        None if t is None else along(t.tensor.static_shape, axis).gather(t, places)
        for t in tangents
    ]


class SortBy(Primitive, name="sort_by", mlir="stablehlo.sort", rounding="exact"):
    """The `inputs` reordered together along `dimension` so that a traced `comparator` is content.

    `comparator(a, b, ...)` gets two scalars of each input and says whether the first comes before
    the second: it must be a strict weak order. Without `is_stable`, equal ones come in any order.
    The result is a tuple. Its derivative is that of the permutation: equal ones are not averaged.
    """

    inputs: tuple[Value, ...]
    comparator: Region
    dimension: int = attribute("i64", default=-1)
    is_stable: bool | None = attribute("bool", default=None)

    examples = (
        Example(
            inputs=(f32[2, 5], i32[2, 5]),
            comparator=lambda a, b, i, j: ops.compare(a, b, direction="GT", total_order=True),
            dimension=1,
            is_stable=True,
        ),
        Example(
            inputs=(i32[4, 2],), comparator=lambda a, b: ops.compare(a, b, direction="LT"),
            dimension=0,
        ),
        Example(inputs=(bf16[0, 3],), comparator=lambda a, b: a < b, dimension=0, hostile=False),
    )  # fmt: skip

    def prepare(self) -> None:
        if not self.inputs:
            raise ShapeError("at least one input is needed")
        rank = checks.rank_at_least(self.inputs[0], 1, "an input").rank
        self.update(dimension=checks.axis(self.dimension, rank, "dimension"))

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [v.tensor.with_shape(()) for v in self.inputs]
        return [[s for s in scalars for _ in range(2)]]

    def infer(self) -> tuple[TensorType, ...]:
        first = self.inputs[0].tensor
        for value in self.inputs[1:]:
            checks.shapes_equal(first.shape, value.tensor.shape, "the first input", "another input")
        checks.region_returns(self.comparator, (i1[()],), "the comparator")
        checks.captures_nothing(self.comparator, "the comparator")
        return tuple(v.tensor for v in self.inputs)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        results, places = self._with_places()
        return results, sent_back(self.inputs, places, self.dimension)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        results, places = self._with_places()
        tangents = [sweep.tangents.get(v) for v in self.inputs]
        return results, reordered(tangents, places, self.dimension)

    def _with_places(self) -> tuple[Sequence[Value], Value]:
        """The results, and where along the axis each of them was."""
        type, axis = self.inputs[0].tensor, self.dimension
        given = [k for k, v in enumerate(self.inputs) if _is_places(v, axis)]
        inputs = self.inputs
        if not given:
            inputs = (*inputs, ops.iota(shape=type.static_shape, axis=axis, dtype=i32))
        found = ops.sort_by(inputs, self._compared, dimension=axis, is_stable=self.is_stable)
        return found[: len(self.inputs)], found[given[0] if given else -1]

    def _compared(self, *values: Value) -> tuple[Value, ...]:
        return inline(self.comparator, values[: 2 * len(self.inputs)])

    def batch(self, batch: Batch) -> Sequence[Value]:
        if batch.captures:
            return batch.one_by_one()
        results: Sequence[Value] = batch.rebuild(
            batch.full_operands(), dimension=self.dimension + 1
        )
        return results

    def reference(self, *inputs: Array, comparator: Callable[..., Any]) -> tuple[Array, ...]:
        axis = self.dimension
        columns = [np.moveaxis(x, axis, -1) for x in inputs]
        results = [np.empty_like(c) for c in columns]
        for at in np.ndindex(*columns[0].shape[:-1]):
            rows = [c[at] for c in columns]

            def order(i: int, j: int, rows: list[Array] = rows) -> int:
                pairs = [np.asarray(r[k]) for r in rows for k in (i, j)]
                if comparator(*pairs)[0]:
                    return -1
                swapped = [np.asarray(r[k]) for r in rows for k in (j, i)]
                return 1 if comparator(*swapped)[0] else 0

            places = sorted(range(len(rows[0])), key=functools.cmp_to_key(order))
            for result, row in zip(results, rows, strict=True):
                result[at] = row[places]
        return tuple(np.moveaxis(r, -1, axis) for r in results)


def _is_places(value: Value, axis: int) -> bool:
    node = value.producer
    return (
        node is not None
        and node.op == "iota"
        and node.attrs["axis"] == axis
        and value.tensor.dtype == i32
    )


def _comparison(descending: bool) -> Callable[..., Value]:
    direction = "GT" if descending else "LT"

    def compare(a: Value, b: Value, *_: Value) -> Value:
        total = a.tensor.primitive.is_float
        value: Value = ops.compare(a, b, direction=direction, total_order=total)
        return value

    return compare


class Ordering(Composite):
    """Base of sort and argsort."""

    x: Value
    axis: int = attribute(default=-1)
    descending: bool = attribute(default=False)
    stable: bool = attribute(default=True)

    def prepare(self) -> None:
        rank = checks.rank_at_least(self.x, 1, "x").rank
        self.update(
            axis=checks.axis(self.axis, rank),
            descending=bool(self.descending),
            stable=bool(self.stable),
        )

    def batch(self, batch: Batch) -> Value:
        ordered: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
        return ordered

    def with_places(self, x: Value) -> tuple[Value, Value]:
        """The elements in order, and where each of them was."""
        places = ops.iota(shape=x.tensor.static_shape, axis=self.axis, dtype=i32)
        value, moved = ops.sort_by(
            (x, places), _comparison(self.descending), dimension=self.axis, is_stable=self.stable
        )
        return value, moved


class Sort(Ordering, name="sort", rounding="exact"):
    """The elements of `x` in order along `axis`: floats by total order, so NaN comes after +inf.

    Total order is -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. The derivative is that of the
    permutation: equal ones are not averaged. It sorts once, the places with the elements.
    """

    examples = (
        Example(x=f32[2, 6]),
        Example(x=bf16[5, 2], axis=0, descending=True),
        Example(x=f16[7], stable=False),
        Example(x=f64[4], descending=True),
        Example(x=f8e5m2[8]),
        Example(x=i32[2, 0, 3], axis=1),
        Example(x=ui8[9], descending=True),
        Example(x=i1[4]),
    )

    def infer(self) -> TensorType:
        checks.kind(self.x, _ORDERED)
        return self.x.tensor

    def expand(self, x: Value) -> Value:
        (value,) = ops.sort_by(
            (x,), _comparison(self.descending), dimension=self.axis, is_stable=self.stable
        )
        return value

    def pullback(self, sweep: Reverse) -> tuple[tuple[Value], Pull]:
        value, places = self.with_places(self.x)
        return (value,), sent_back((self.x,), places, self.axis)

    def pushforward(self, sweep: Forward) -> tuple[tuple[Value], list[Value | None]]:
        value, places = self.with_places(self.x)
        return (value,), reordered([sweep.tangents.get(self.x)], places, self.axis)

    def reference(self, x: Array) -> Array:
        return np.take_along_axis(x, total_order(x, self.axis, self.descending), self.axis)


class Argsort(Ordering, name="argsort", rounding="exact"):
    """The i32 indices along `axis` that sort `x`, in the order of `sort`; ties in index order.

    Without `stable`, ties come in any order.
    """

    examples = (
        Example(x=f32[2, 6]),
        Example(x=bf16[5, 2], axis=0, descending=True),
        Example(x=i32[2, 0, 3], axis=1),
        Example(x=i1[5], descending=True),
        Example(x=np.array([3, 1, 2], np.int8), stable=False),
    )

    def infer(self) -> TensorType:
        checks.kind(self.x, _ORDERED)
        return TensorType(self.x.tensor.shape, i32)

    def expand(self, x: Value) -> Value:
        return self.with_places(x)[1]

    def reference(self, x: Array) -> Array:
        return total_order(x, self.axis, self.descending).astype(np.int32)


class TopK(Primitive, name="top_k", mlir="chlo.top_k", rounding="exact"):
    """The `k` largest along the last axis, largest first, and their i32 indices.

    Floats rank by total order, so NaN comes before +inf; of equal ones the lower index comes first.
    `is_stable` needs StableHLO 1.22 or later (jaxlib 0.12).
    """

    x: Value
    k: int = attribute("i64")
    is_stable: bool | None = attribute("bool", default=None)

    examples = (
        Example(x=np.array([1, np.nan, 3, 3, 2, np.inf], np.float32), k=4),
        Example(x=bf16[3, 6], k=2),
        Example(x=f32[2, 5], k=5),
        Example(x=i32[8], k=3),
        Example(x=ui8[2, 6], k=6),
        Example(x=f32[2, 4], k=0),
        Example(x=f64[0, 3], k=1),
    )

    def prepare(self) -> None:
        self.update(k=checks.integer(self.k, "k"))

    def infer(self) -> tuple[TensorType, TensorType]:
        type = checks.rank_at_least(self.x, 1, "x")
        checks.kind(self.x, "int uint float", "x")
        last = type.shape[-1]
        if self.k < 0 or (isinstance(last, int) and self.k > last):
            raise ShapeError(f"k is {self.k}, but the last axis of {type} has size {last}")
        result = type.with_shape((*type.shape[:-1], self.k))
        return result, result.with_dtype(i32)

    def vjp(self, g: Sequence[Value | None], y: Sequence[Value]) -> tuple[Cotangent]:
        x = self.x.tensor
        if g[0] is None:
            return (None,)
        return (along(x.static_shape, x.rank - 1).transposed(g[0], y[1], x, unique=True),)

    def jvp(
        self, tangents: Sequence[Value | None], y: Sequence[Value]
    ) -> tuple[Value | None, None]:
        return reordered(tangents, y[1], self.x.rank - 1)[0], None

    def batch(self, batch: Batch) -> Sequence[Value]:
        results: Sequence[Value] = batch.rebuild(batch.operands)
        return results

    def reference(self, x: Array) -> tuple[Array, Array]:
        order = total_order(x, -1, descending=True)[..., : self.k]
        return np.take_along_axis(x, order, -1), order.astype(np.int32)


def total_order(x: Array, axis: int, descending: bool) -> Array:
    """The stable argsort of `x`, floats by IEEE total order."""
    keys = _keys(x)
    if descending:
        # Sorting the flipped array by the negated order keeps the lower index first among ties.
        flipped = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
        return np.flip(x.shape[axis] - 1 - flipped, axis)
    return np.argsort(keys, axis=axis, kind="stable")


def _keys(x: Array) -> Array:
    dtype = DType.of(x.dtype)
    if not dtype.is_float:
        return x.astype(np.uint64 if dtype.is_unsigned else np.int64)
    width = x.dtype.itemsize * 8
    bits = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").reshape(x.shape).astype(np.uint64)
    sign = np.uint64(1 << (dtype.bits - 1))
    mask = np.uint64((1 << min(width, dtype.bits)) - 1)
    return np.where(bits & sign, ~bits & mask, bits | sign)
