"""Contractions with ragged groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks
from dxir.dialects.contraction import (
    DotDims,
    axis_list,
    element_type,
    precision_pair,
    preferred_of,
    product_dtype,
    wide_product_dtype,
)
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import ElementType, TensorType, Type, bf16, f32, i32, same_shape, shape_text

Array = np.ndarray[Any, Any]


class RaggedDot(Primitive, name="ragged_dot", mlir="chlo.ragged_dot"):
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
