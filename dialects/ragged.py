"""Contractions with ragged groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, moveaxis
from dxir.dialects.contraction import (
    DotDims,
    axis_list,
    element_type,
    precision_pair,
    preferred_of,
    product_dtype,
    wide_product_dtype,
)
from dxir.dialects.products import (
    in_one_type,
    letters_of,
    product_cotangents,
    rounded,
)
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import ElementType, TensorType, Type, bf16, f32, i32, same_shape, shape_text

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
Letters = Sequence[int]
Term = tuple[Value, Letters]
_GROUP = -1  # the letter of the axis of the groups


class RaggedDot(Primitive, name="ragged_dot", mlir="chlo.ragged_dot", rounding="sums"):
    """A contraction in which consecutive groups along an axis of `lhs` go their own ways.

    `group_sizes` holds the sizes of the `g` groups along the axis `lhs_ragged`: `[g]`, or with the
    sizes of the batching axes and of the axes before it in front. When that axis is free, each
    group meets its own slice along `rhs_group` of `rhs`; when it contracts, each group gives a
    result of its own, in a new leading axis; when it is a batch, this is `dot_general`. The
    result is zero beyond the last group.
    """

    lhs: Value
    rhs: Value
    group_sizes: Value
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]
    lhs_batching: tuple[int, ...] = ()
    rhs_batching: tuple[int, ...] = ()
    lhs_ragged: tuple[int, ...]
    rhs_group: tuple[int, ...] = ()
    precision: tuple[str, str] | None = attribute(
        "chlo_precision_config", default=None, mlir="precision_config"
    )
    preferred_element_type: ElementType | None = attribute(default=None)

    packed: ClassVar = {
        "ragged_dot_dimension_numbers": (
            "ragged_dot_dims",
            (
                "lhs_batching", "rhs_batching", "lhs_contracting", "rhs_contracting",
                "lhs_ragged", "rhs_group",
            ),
        )
    }  # fmt: skip
    examples = (
        Example(
            lhs=f32[6, 3], rhs=f32[2, 3, 4], group_sizes=np.array([2, 3], np.int32),
            lhs_contracting=(1,), rhs_contracting=(1,), lhs_ragged=(0,), rhs_group=(0,),
            hostile=False, runs=False,
        ),
        Example(
            lhs=f32[6, 3], rhs=f32[6, 4], group_sizes=np.array([2, 0, 4], np.int32),
            lhs_contracting=(0,), rhs_contracting=(0,), lhs_ragged=(0,), precision="HIGHEST",
            hostile=False, runs=False,
        ),
        Example(
            lhs=f32[4, 6, 3], rhs=f32[4, 3, 2], group_sizes=np.array([1, 3], np.int32),
            lhs_contracting=(2,), rhs_contracting=(1,), lhs_batching=(0,), rhs_batching=(0,),
            lhs_ragged=(0,), hostile=False,
        ),
        Example(
            lhs=bf16[5, 6, 3], rhs=bf16[2, 5, 3, 4], group_sizes=i32[5, 2],
            lhs_contracting=(2,), rhs_contracting=(2,), lhs_batching=(0,), rhs_batching=(1,),
            lhs_ragged=(1,), rhs_group=(0,), preferred_element_type=f32,
            hostile=False, runs=False,
        ),
    )  # fmt: skip
    tolerance = 32  # sums of products round in proportion to their terms, not to the sum

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`preferred_element_type`, when the result's type is not that of the operands."""
        return preferred_of(operand_types, result_types)

    def prepare(self) -> None:
        left, right = self.lhs.tensor.rank, self.rhs.tensor.rank
        self.update(
            **{
                name: axis_list(self.attrs[name], left if name[0] == "l" else right, name)
                for name in self.packed["ragged_dot_dimension_numbers"][1]
            },
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )
        checks.length(self.lhs_ragged, 1, "lhs_ragged")
        checks.length(self.rhs_group, int(self.mode == "free"), f"rhs_group ({self.mode} axis)")

    @property
    def dims(self) -> DotDims:
        """The axes of the contraction without its groups."""
        return DotDims(
            self.lhs_batching, self.rhs_batching, self.lhs_contracting, self.rhs_contracting
        )

    @property
    def mode(self) -> str:
        """What the ragged axis is to the contraction: batching, contracting or free."""
        if self.lhs_ragged[0] in self.lhs_batching:
            return "batching"
        return "contracting" if self.lhs_ragged[0] in self.lhs_contracting else "free"

    @property
    def outer(self) -> tuple[int, ...]:
        """The axes of `lhs` whose every index may have its own group sizes."""
        (ragged,) = self.lhs_ragged
        if self.mode == "batching":
            return self.lhs_batching[: self.lhs_batching.index(ragged)]
        if self.mode == "contracting":
            before = self.lhs_contracting[: self.lhs_contracting.index(ragged)]
        else:
            before = tuple(
                i for i in range(ragged) if i not in (*self.lhs_batching, *self.lhs_contracting)
            )
        return (*self.lhs_batching, *before)

    def infer(self) -> TensorType:
        lhs, rhs, sizes = self.lhs.tensor, self.rhs.tensor, self.group_sizes.tensor
        checks.kind(self.group_sizes, "int uint", "group_sizes")
        checks.rank_at_least(self.group_sizes, 1, "group_sizes")
        prefix = tuple(lhs.shape[i] for i in self.outer)
        if sizes.rank > 1 and not same_shape(sizes.shape[:-1], prefix):
            raise ShapeError(
                f"group_sizes has type {sizes}",
                hint=f"its leading axes must be {shape_text(prefix)}, or none",
            )
        dtype = product_dtype(self.lhs, self.rhs, self.preferred_element_type)
        count = sizes.shape[-1]
        if self.mode != "free":
            result = self.dims.result(lhs, rhs, dtype)
            leading = (count,) if self.mode == "contracting" else ()
            return TensorType((*leading, *result.shape), dtype)
        (group,) = self.rhs_group
        if group in (*self.rhs_batching, *self.rhs_contracting):
            raise ShapeError(f"rhs_group {group} is a batching or contracting axis too")
        checks.shapes_equal((rhs.shape[group],), (count,), "the group axis of rhs", "group_sizes")
        shape = list(self.dims.result(lhs, rhs, dtype).shape)
        free = self.dims.free(lhs.rank, rhs.rank)[1]
        del shape[len(shape) - len(free) + free.index(group)]
        return TensorType(shape, dtype)

    multilinear = ("lhs", "rhs")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        lhs, rhs = self.lhs, self.rhs
        left, right, out = map(list, letters_of(self.dims, lhs.rank, rhs.rank))
        if self.mode == "batching":
            of_x, of_y = product_cotangents(g, lhs, rhs, (left, right, out), self.precision)
            return (of_x, of_y, None)
        if self.mode == "contracting":
            out = [_GROUP, *out]
        else:
            group = right[self.rhs_group[0]]
            right = [_GROUP if c == group else c for c in right]
            out = [c for c in out if c != group]
        roles = (left, right, out)

        def of_lhs() -> Value:
            one, other = in_one_type(g, rhs)
            terms = ((one, out), (other, right))
            return rounded(self._product(*terms, left, roles), lhs.tensor)

        def of_rhs() -> Value:
            one, other = in_one_type(g, lhs)
            terms = ((other, left), (one, out))
            return rounded(self._product(*terms, right, roles), rhs.tensor)

        return (of_lhs, of_rhs, None)

    def _product(
        self,
        a: Term,
        b: Term,
        wanted: Letters,
        roles: tuple[Letters, Letters, Letters],
    ) -> Value:
        """The ragged contraction of terms by the same groups, in the axes `wanted`."""
        left, right, out = roles
        ragged = left[self.lhs_ragged[0]]
        precision = self.precision
        if ragged not in a[1]:
            a, b = b, a
            precision = precision and (precision[1], precision[0])
        batch: Letters = [c for c in left if c in right and c in out]
        outer = [left[i] for i in self.outer]
        summed: Letters = [c for c in a[1] if c in b[1] and c not in wanted]
        if self.group_sizes.rank > 1:  # their leading axes are in the order of `outer`
            batch = outer[: len(batch)]
            rest = [c for c in a[1] if c not in (*outer, ragged)]
            order = [*outer, ragged, *rest]
            a = (_reordered(a[0], a[1], order), order)
            summed = [c for c in order if c in summed]
        found = ops.ragged_dot(
            a[0], b[0], self.group_sizes,
            lhs_contracting=[a[1].index(c) for c in summed],
            rhs_contracting=[b[1].index(c) for c in summed],
            lhs_batching=[a[1].index(c) for c in batch],
            rhs_batching=[b[1].index(c) for c in batch],
            lhs_ragged=(a[1].index(ragged),),
            rhs_group=[b[1].index(_GROUP)] if _GROUP in b[1] else (), precision=precision,
        )  # fmt: skip
        free = [c for c in (*a[1], *b[1]) if c not in (*batch, *summed, _GROUP)]
        leading = [c for c in (_GROUP,) if c in wanted]
        return _reordered(found, [*leading, *batch, *free], wanted)

    def batch(self, batch: Batch) -> Value:
        lhs, rhs, sizes = batch.operands
        alone = batch.batched == (True, False, False)
        changes: dict[str, Any] = {"lhs_ragged": (self.lhs_ragged[0] + 1,)}
        for name in ("lhs_batching", "lhs_contracting"):
            changes[name] = tuple([i + 1 for i in self.attrs[name]])
        if alone and self.mode == "free" and self.group_sizes.rank == 1:
            found = batch.rebuild((lhs, rhs, sizes), **changes)
            return moveaxis(found, len(self.lhs_batching), 0)
        for name in ("rhs_batching", "rhs_contracting", "rhs_group"):
            changes[name] = tuple([i + 1 for i in self.attrs[name]])
        for name in ("lhs_batching", "rhs_batching"):
            changes[name] = (0, *changes[name])
        if batch.batched[2] or sizes.rank > 1:
            sizes = batch.full(2)
            shape = [self.lhs.tensor.static_shape[i] for i in self.outer]
            if self.group_sizes.rank == 1 and shape:
                full = (batch.size, *shape, sizes.tensor.static_shape[-1])
                sizes = ops.broadcast_in_dim(sizes, shape=full, dims=(0, len(full) - 1))
        found = batch.rebuild((batch.full(0), batch.full(1), sizes), **changes)
        return moveaxis(found, int(self.mode == "contracting"), 0)

    def reference(self, lhs: Array, rhs: Array, group_sizes: Array) -> Array:
        (ragged,) = self.lhs_ragged
        left = [chr(ord("a") + i) for i in range(lhs.ndim)]
        right = [chr(ord("a") + lhs.ndim + i) for i in range(rhs.ndim)]
        dims = self.dims
        for i, j in zip(dims.lhs_batching, dims.rhs_batching, strict=True):
            right[j] = left[i]
        for i, j in zip(dims.lhs_contracting, dims.rhs_contracting, strict=True):
            right[j] = left[i]
        for j in self.rhs_group:
            right[j] = "Z"
        batch = [left[i] for i in dims.lhs_batching]
        free = [c for c in left if c not in right] + [c for c in right if c not in [*left, "Z"]]
        out = ["Z"] * (self.mode == "contracting") + batch + free
        outer = [lhs.shape[i] for i in self.outer]
        ends = np.cumsum(np.broadcast_to(group_sizes, (*outer, group_sizes.shape[-1])), axis=-1)
        at = np.arange(lhs.shape[ragged])[:, None]
        inside = (at < ends[..., None, :]) & (at >= (ends - group_sizes)[..., None, :])
        mask = [left[i] for i in (*self.outer, ragged)] + ["Z"]
        wide = wide_product_dtype(lhs, rhs)
        terms, arrays = [left, right], [lhs.astype(wide), rhs.astype(wide)]
        if self.mode != "batching":
            terms, arrays = [*terms, mask], [*arrays, inside.astype(wide)]
        spec = ",".join("".join(t) for t in terms) + "->" + "".join(out)
        return np.asarray(np.einsum(spec, *arrays)).astype(self.results[0].tensor.dtype.numpy)


def _reordered(value: Value, letters: Letters, wanted: Letters) -> Value:
    """A value with axes of these letters in the order `wanted`."""
    order = [list(letters).index(c) for c in wanted]
    if order == list(range(len(order))):
        return value
    moved: Value = ops.transpose(value, permutation=order)
    return moved
