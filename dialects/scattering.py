"""Scatter: windows updated at computed positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, Undefined, has_tangent
from dxir.dialects.addressing import Addressing
from dxir.dialects.indexing import (
    axes_of,
    batch_positions,
    batch_shape,
    check_batching,
    check_vectors,
    distinct,
    increasing,
    index_vectors,
    vector_dim,
    widened,
)
from dxir.dialects.scatter_parts import AnyBody, ScatterPart, body_kinds, pulled, pushed
from dxir.errors import DTypeError, ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Region, Value
from dxir.making import several
from dxir.op import Primitive, attribute, register_function
from dxir.transforms import Batch
from dxir.types import TensorType, Type, bf16, f32, i32, same_dimension, ui8

Array = np.ndarray[Any, Any]


class Scatter(Primitive, name="scatter", mlir="stablehlo.scatter", rounding="sums"):
    """`inputs` with windows at computed positions combined with `updates` by a traced `body`.

    `body(*current, *updates)` gets and gives scalars. An update whose window does not fit is
    dropped whole. Without `unique_indices` several updates may meet in one place: they are combined
    in no given order. Indices under 32 bits are widened first.

    Dropped updates have the gradient 0. Of several updates that one body overwrites, the one that
    is left has all of the gradient; those that tie for the largest or the smallest share it, the
    input among them. Other bodies than these, sums and products are differentiated where
    `unique_indices` says that no updates meet, as there is no order to do it in otherwise.
    """

    inputs: tuple[Value, ...]
    scatter_indices: Value
    updates: tuple[Value, ...]
    body: Region
    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()
    scatter_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int
    indices_are_sorted: bool | None = attribute("bool", default=None)
    unique_indices: bool | None = attribute("bool", default=None)

    packed: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = {
        "scatter_dimension_numbers": (
            "scatter_dims",
            (
                "update_window_dims", "inserted_window_dims", "input_batching_dims",
                "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
                "index_vector_dim",
            ),
        )
    }  # fmt: skip

    examples = (
        Example(
            inputs=(i32[4, 2],), scatter_indices=np.array([[0], [-5], [3], [4], [3]], np.int32),
            updates=(i32[5, 2],), body=lambda a, b: ops.add(a, b), update_window_dims=(1,),
            inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), index_vector_dim=1,
        ),
        Example(
            inputs=(f32[5, 6],), scatter_indices=np.array([[1, 2], [3, 5], [4, 0]], np.int64),
            updates=(f32[2, 3, 2],), body=lambda a, b: b, update_window_dims=(0, 2),
            inserted_window_dims=(), scatter_dims_to_operand_dims=(0, 1), index_vector_dim=1,
            unique_indices=True, indices_are_sorted=True,
        ),
        Example(
            inputs=(f32[2, 5], i32[2, 5]), scatter_indices=Sample(ui8[2, 3, 1], 0, 9),
            updates=(f32[2, 3], i32[2, 3]), body=lambda a, i, b, j: (ops.max(a, b), ops.min(i, j)),
            update_window_dims=(), inserted_window_dims=(1,), input_batching_dims=(0,),
            scatter_indices_batching_dims=(0,), scatter_dims_to_operand_dims=(1,),
            index_vector_dim=2,
        ),
        Example(
            inputs=(bf16[3],), scatter_indices=i32[()], updates=(bf16[()],),
            body=lambda a, b: ops.mul(a, b), update_window_dims=(), inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,), index_vector_dim=0,
        ),
        Example(
            inputs=(f32[3, 2],), scatter_indices=i32[0, 1], updates=(f32[0, 2],),
            body=lambda a, b: ops.add(a, b), update_window_dims=(1,), inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,), index_vector_dim=1,
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        if not self.inputs or len(self.inputs) != len(self.updates):
            raise ShapeError(
                f"{len(self.inputs)} inputs and {len(self.updates)} updates are given",
                hint="give one update for each input, and at least one",
            )
        checks.kind(self.scatter_indices, "int uint", "scatter_indices")
        self.operands = (*self.inputs, widened(self.scatter_indices), *self.updates)
        rank, indices = self.inputs[0].tensor.rank, self.scatter_indices.tensor
        updates = self.updates[0].tensor.rank
        self.update(
            index_vector_dim=vector_dim(self.index_vector_dim, indices.rank),
            update_window_dims=axes_of(self.update_window_dims, updates, "update_window_dims"),
            inserted_window_dims=axes_of(self.inserted_window_dims, rank, "inserted_window_dims"),
            input_batching_dims=axes_of(self.input_batching_dims, rank, "input_batching_dims"),
            scatter_indices_batching_dims=axes_of(
                self.scatter_indices_batching_dims, indices.rank, "scatter_indices_batching_dims"
            ),
            scatter_dims_to_operand_dims=axes_of(
                self.scatter_dims_to_operand_dims, rank, "scatter_dims_to_operand_dims"
            ),
        )

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [v.tensor.with_shape(()) for v in self.inputs]
        return [(*scalars, *scalars)]

    def infer(self) -> Sequence[TensorType]:
        inputs, updates = self.inputs[0].tensor, self.updates[0].tensor
        indices = self.scatter_indices.tensor
        for given, update in zip(self.inputs, self.updates, strict=True):
            checks.shapes_equal(inputs.shape, given.tensor.shape, "the first input", "another")
            checks.shapes_equal(updates.shape, update.tensor.shape, "the first update", "another")
            if given.tensor.dtype != update.tensor.dtype:
                raise DTypeError(f"an input of type {given.type} gets updates of {update.type}")
        increasing(self.update_window_dims, "update_window_dims")
        increasing(self.inserted_window_dims, "inserted_window_dims")
        increasing(self.input_batching_dims, "input_batching_dims")
        dropped = (*self.inserted_window_dims, *self.input_batching_dims)
        distinct(dropped, "inserted_window_dims and input_batching_dims")
        distinct(
            (*self.scatter_dims_to_operand_dims, *self.input_batching_dims),
            "scatter_dims_to_operand_dims and input_batching_dims",
        )
        if len(self.update_window_dims) + len(dropped) != inputs.rank:
            raise ShapeError(
                f"{inputs} has {inputs.rank} axes, but {len(self.update_window_dims)} "
                f"update_window_dims and {len(dropped)} inserted or batching axes are given",
                hint="every axis of the input is in the window, inserted or batching",
            )
        check_vectors(
            indices, self.index_vector_dim, self.scatter_dims_to_operand_dims,
            "scatter_dims_to_operand_dims",
        )  # fmt: skip
        check_batching(
            inputs, indices, self.input_batching_dims, self.scatter_indices_batching_dims,
            self.index_vector_dim,
        )  # fmt: skip
        self._check_updates(inputs, indices, updates, dropped)
        checks.region_returns(
            self.body, [v.tensor.with_shape(()) for v in self.inputs], "the update body"
        )
        checks.captures_nothing(self.body, "the update body")
        return tuple(v.tensor for v in self.inputs)

    def _check_updates(
        self, inputs: TensorType, indices: TensorType, updates: TensorType, dropped: Sequence[int]
    ) -> None:
        batch = list(batch_shape(indices, self.index_vector_dim))
        found = [d for a, d in enumerate(updates.shape) if a not in self.update_window_dims]
        if len(found) != len(batch) or not all(map(same_dimension, found, batch)):
            raise ShapeError(
                f"updates of type {updates} have {found} outside of their window axes "
                f"{list(self.update_window_dims)}, but the indices of type {indices} give {batch}"
            )
        kept = [(a, d) for a, d in enumerate(inputs.shape) if a not in dropped]
        for dim, (axis, whole) in zip(self.update_window_dims, kept, strict=True):
            size = updates.shape[dim]
            if isinstance(size, int) and isinstance(whole, int) and size > whole:
                raise ShapeError(
                    f"axis {dim} of the updates ({updates}) has size {size}, "
                    f"more than axis {axis} of the input ({inputs})"
                )

    @property
    def addressing(self) -> Addressing:
        """The dimension numbers, as derivatives and batches take them."""
        dropped = (*self.inserted_window_dims, *self.input_batching_dims)
        window = iter([self.updates[0].tensor.static_shape[a] for a in self.update_window_dims])
        sizes = [
            min(n, 1) if a in dropped else next(window)
            for a, n in enumerate(self.inputs[0].tensor.static_shape)
        ]
        return Addressing(
            self.update_window_dims, self.inserted_window_dims, self.input_batching_dims,
            self.scatter_indices_batching_dims, self.scatter_dims_to_operand_dims,
            self.index_vector_dim, tuple(sizes),
        )  # fmt: skip

    @property
    def parts(self) -> list[ScatterPart]:
        """The inputs one by one."""
        how = self.addressing
        return [
            ScatterPart(
                x, self.scatter_indices, u, how, self.indices_are_sorted, self.unique_indices
            )
            for x, u in zip(self.inputs, self.updates, strict=True)
        ]

    def vjp(self, g: Any, y: Any) -> Sequence[Cotangent]:
        gs = several(g)
        ys = several(y)
        parts, kinds = self.parts, body_kinds(self.body)
        count = len(parts)
        found: list[Cotangent]
        if _needs_body(kinds, gs) and not self._is_empty:
            found = AnyBody(self.body, parts).pulled(gs)
        else:
            found = [None] * (2 * count)
            for i, (kind, part, given) in enumerate(zip(kinds, parts, gs, strict=True)):
                if given is not None:
                    found[i], found[count + i] = pulled(kind, part, given, ys[i])
        return [*found[:count], None, *found[count:]]

    def jvp(self, tangents: Sequence[Value | None], y: Any) -> Sequence[Value | None]:
        ys = several(y)
        parts, kinds = self.parts, body_kinds(self.body)
        count = len(parts)
        moved = [*tangents[:count], *tangents[count + 1 :]]
        if _needs_body(kinds, moved) and not self._is_empty:
            return AnyBody(self.body, parts).pushed(moved)
        found: list[Value | None] = [None] * count
        for i, (kind, part, y_i) in enumerate(zip(kinds, parts, ys, strict=True)):
            x, update = moved[i], moved[count + i]
            if x is not None or update is not None:
                found[i] = pushed(kind, part, (x, update), y_i)
        return found

    @property
    def _is_empty(self) -> bool:
        """Whether nothing is written."""
        return not self.updates[0].tensor.size or not self.inputs[0].tensor.size

    def lacks(self, rule: str) -> Undefined | None:
        moving = zip(body_kinds(self.body), self.inputs, strict=True)
        if rule == "batch" or not any(k == "other" and has_tangent(x.type) for k, x in moving):
            return None
        if self.parts[0].unique:
            return None
        return Undefined(
            "several updates may meet in one place, where its body has no derivative",
            "use a body that adds, multiplies, overwrites, or keeps the largest or smallest; or "
            "set unique_indices if no two updates meet",
        )

    def batch(self, batch: Batch) -> Sequence[Value]:
        if batch.captures:
            return batch.one_by_one()
        place = len(self.inputs)
        operands = list(batch.full_operands())
        how = self.addressing
        is_sorted = self.indices_are_sorted
        if batch.batched[place]:
            how, is_sorted = how.both_batched(batch.size), None
        else:
            operands[place] = batch.operands[place]
            how = how.operand_batched(batch.size)
        results: Sequence[Value] = batch.rebuild(
            operands,
            update_window_dims=how.window,
            inserted_window_dims=how.dropped,
            input_batching_dims=how.batching,
            scatter_indices_batching_dims=how.index_batching,
            scatter_dims_to_operand_dims=how.targets,
            index_vector_dim=how.vector,
            indices_are_sorted=is_sorted,
        )
        return results

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        count = len(self.inputs)
        results = [np.array(x) for x in operands[:count]]
        updates = operands[count + 1 :]
        vectors = index_vectors(operands[count], self.index_vector_dim)
        batch, shape = vectors.shape[:-1], results[0].shape
        dropped = (*self.inserted_window_dims, *self.input_batching_dims)
        kept = [a for a in range(len(shape)) if a not in dropped]
        first = len(batch)
        blocks = [
            np.moveaxis(u, self.update_window_dims, range(first, first + len(kept)))
            for u in updates
        ]
        window = blocks[0].shape[first:]
        sizes = dict(zip(kept, window, strict=True))
        for at in np.ndindex(*batch):
            start = [0] * len(shape)
            for axis, index in zip(self.scatter_dims_to_operand_dims, vectors[at], strict=True):
                start[axis] = int(index)
            for axis, position in batch_positions(
                self.input_batching_dims,
                self.scatter_indices_batching_dims,
                self.index_vector_dim,
                at,
            ):
                start[axis] = position
            if any(s < 0 or s + sizes.get(a, 1) > shape[a] for a, s in enumerate(start)):
                continue
            for inner in np.ndindex(*window):
                place = list(start)
                for axis, offset in zip(kept, inner, strict=True):
                    place[axis] += offset
                spot = tuple(place)
                new = body(*(r[spot] for r in results), *(b[at + inner] for b in blocks))
                for result, value in zip(results, new, strict=True):
                    result[spot] = value
        return tuple(results)


def _needs_body(kinds: Sequence[str], changes: Sequence[Value | None]) -> bool:
    """Whether anything that changes meets a part of the body that has no rule of its own."""
    count = len(kinds)
    return any(
        kind == "other" and any(c is not None for c in changes[i::count])
        for i, kind in enumerate(kinds)
    )


def _scatter_by(x: Value, indices: Value, updates: Value, body: Any, dims: Any) -> Value:
    (result,) = ops.scatter((x,), indices, (updates,), body, **dims)
    return result


@register_function
def scatter_add(x: Value, indices: Value, updates: Value, **dims: Any) -> Value:
    """`scatter` that adds the updates, in the element type of `x`; `dims` as there."""
    return _scatter_by(x, indices, updates, lambda a, b: ops.add(a, b), dims)


@register_function
def scatter_mul(x: Value, indices: Value, updates: Value, **dims: Any) -> Value:
    """`scatter` that multiplies by the updates; `dims` as there."""
    return _scatter_by(x, indices, updates, lambda a, b: ops.mul(a, b), dims)


@register_function
def scatter_max(x: Value, indices: Value, updates: Value, **dims: Any) -> Value:
    """`scatter` that keeps the larger; NaN wins; `dims` as there."""
    return _scatter_by(x, indices, updates, lambda a, b: ops.max(a, b), dims)


@register_function
def scatter_min(x: Value, indices: Value, updates: Value, **dims: Any) -> Value:
    """`scatter` that keeps the smaller; NaN wins; `dims` as there."""
    return _scatter_by(x, indices, updates, lambda a, b: ops.min(a, b), dims)


@register_function
def scatter_set(x: Value, indices: Value, updates: Value, **dims: Any) -> Value:
    """`scatter` that replaces; any of several updates of one place may win; `dims` as there."""
    return _scatter_by(x, indices, updates, lambda a, b: b, dims)
