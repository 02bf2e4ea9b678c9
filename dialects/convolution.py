"""Convolution with every dimension number, dilation and group that StableHLO has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks
from dxir.derivatives import Cotangent
from dxir.dialects.contraction import (
    element_type,
    precision_pair,
    preferred_of,
    product_dtype,
    wide_product_dtype,
)
from dxir.dialects.convolution_rules import batched_convolution, convolution_cotangents
from dxir.dialects.layouts import Layout, dimension_numbers
from dxir.dialects.window import Pairs, Window, optional_positive, padding_pairs, positive
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import (
    UNKNOWN,
    Dimension,
    ElementType,
    TensorType,
    Type,
    bf16,
    c64,
    f32,
    f64,
    i8,
    i32,
    same_dimension,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class ConvolutionBase(Primitive):
    """Base of the convolutions: everything but the padding."""

    tolerance = 64  # sums of products round in proportion to their terms, not to the sum

    lhs: Value
    rhs: Value
    window_strides: tuple[int, ...] | None = attribute("i64_array", default=None)
    lhs_dilation: tuple[int, ...] | None = attribute("i64_array", default=None)
    rhs_dilation: tuple[int, ...] | None = attribute("i64_array", default=None)
    window_reversal: tuple[bool, ...] | None = attribute("bool_array", default=None)
    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: tuple[int, ...]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: tuple[int, ...]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: tuple[int, ...]
    feature_group_count: int = attribute("i64", default=1)
    batch_group_count: int = attribute("i64", default=1)
    precision: tuple[str, str] | None = attribute(
        "precision_config", default=None, mlir="precision_config"
    )
    preferred_element_type: ElementType | None = attribute(default=None)

    packed: ClassVar = {
        "dimension_numbers": (
            "conv_dims",
            (
                "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
                "kernel_input_feature_dimension", "kernel_output_feature_dimension",
                "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
                "output_spatial_dimensions",
            ),
        )
    }  # fmt: skip

    @property
    def lhs_layout(self) -> Layout:
        """Batch, features and spatial dimensions of `lhs`."""
        return Layout(
            self.input_batch_dimension, self.input_feature_dimension, self.input_spatial_dimensions
        )

    @property
    def rhs_layout(self) -> Layout:
        """Input features, output features and spatial dimensions of the kernel."""
        return Layout(
            self.kernel_input_feature_dimension,
            self.kernel_output_feature_dimension,
            self.kernel_spatial_dimensions,
        )

    @property
    def result_layout(self) -> Layout:
        """Batch, features and spatial dimensions of the result."""
        return Layout(
            self.output_batch_dimension,
            self.output_feature_dimension,
            self.output_spatial_dimensions,
        )

    def prepare(self) -> None:
        lhs, rhs = self.lhs.tensor.rank, self.rhs.tensor.rank
        checks.rank_at_least(self.lhs, 2, "lhs")
        checks.rank_is(self.rhs, lhs, "the kernel")
        for prefix, rank in (("input", lhs), ("kernel", rhs), ("output", lhs)):
            self._normalize_numbers(prefix, rank)
        count = lhs - 2
        self.update(
            window_strides=optional_positive(self.window_strides, count, "window_strides"),
            lhs_dilation=optional_positive(self.lhs_dilation, count, "lhs_dilation"),
            rhs_dilation=optional_positive(self.rhs_dilation, count, "rhs_dilation"),
            window_reversal=_reversal(self.window_reversal, count),
            feature_group_count=_groups(self.feature_group_count, "feature_group_count"),
            batch_group_count=_groups(self.batch_group_count, "batch_group_count"),
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )
        self.lhs_layout.check(self.lhs.tensor, "input")
        self.rhs_layout.check(self.rhs.tensor, "kernel")

    def _normalize_numbers(self, prefix: str, rank: int) -> None:
        for name in self.attrs:
            if not name.startswith(f"{prefix}_"):
                continue
            value = self.attrs[name]
            if name.endswith("_dimension"):
                self.update(**{name: checks.axis(value, rank, name)})
            else:
                axes = [checks.axis(v, rank, name) for v in checks.integers(value, name)]
                checks.length(axes, rank - 2, name)
                self.update(**{name: tuple(axes)})

    @property
    def unpadded(self) -> Window:
        """The sliding kernel, without padding."""
        sizes = self.rhs.tensor.with_shape(self.rhs_layout.sizes(self.rhs.tensor)).static_shape
        return Window.make(sizes, self.window_strides, None, self.lhs_dilation, self.rhs_dilation)

    def convolved(self, padding: Pairs | None) -> TensorType:
        """The result type, with this padding; UNKNOWN sizes where it is None."""
        lhs, rhs, layout = self.lhs.tensor, self.rhs.tensor, self.result_layout
        layout.check(lhs, "result")
        dtype = product_dtype(self.lhs, self.rhs, self.preferred_element_type)
        features = rhs.shape[self.kernel_output_feature_dimension]
        self._check_features(lhs, rhs, features)
        window = self.unpadded
        positive(window.sizes, len(window.sizes), "the size of the kernel's window")
        places: tuple[Dimension, ...] = (UNKNOWN,) * len(window.sizes)
        if padding is not None:
            places = window._replace(padding=padding).steps(self.lhs_layout.sizes(lhs))
        shape: list[Dimension] = [UNKNOWN] * lhs.rank
        shape[layout.first] = _divided(
            lhs.shape[self.input_batch_dimension], self.batch_group_count
        )
        shape[layout.second] = features
        for axis, size in zip(layout.spatial, places, strict=True):
            shape[axis] = size
        return TensorType(shape, dtype)

    def _check_features(self, lhs: TensorType, rhs: TensorType, features: Dimension) -> None:
        given = lhs.shape[self.input_feature_dimension]
        taken = rhs.shape[self.kernel_input_feature_dimension]
        groups, batches = self.feature_group_count, self.batch_group_count
        if groups > 1 and batches > 1:
            raise AttributeValueError(
                f"feature_group_count {groups} and batch_group_count {batches} are both above 1"
            )
        if isinstance(given, int) and given % groups:
            raise ShapeError(
                f"{given} input features do not divide into {groups} groups (lhs is {lhs})"
            )
        if not same_dimension(_divided(given, groups), taken):
            raise ShapeError(
                f"the kernel {rhs} takes {taken} input features, but lhs {lhs} has {given}"
                + (f" in {groups} groups" if groups > 1 else ""),
                hint="kernel input features times feature_group_count must be lhs's features",
            )
        batch = lhs.shape[self.input_batch_dimension]
        if isinstance(batch, int) and batch % batches:
            raise ShapeError(f"a batch of {batch} does not divide into {batches} groups")
        for count, name in ((groups, "feature_group_count"), (batches, "batch_group_count")):
            if isinstance(features, int) and features % count:
                raise ShapeError(
                    f"{features} output features do not divide by {name} {count} (kernel is {rhs})"
                )

    def convolve(self, lhs: Array, rhs: Array, padding: Pairs) -> Array:
        """The convolution of two arrays, in a wide dtype."""
        wide = wide_product_dtype(lhs, rhs)
        x = lhs.transpose(self.lhs_layout.order()).astype(wide)
        w = rhs.transpose(self.rhs_layout.order()).astype(wide)
        flips = self.window_reversal or ()
        w = np.flip(w, tuple(i + 2 for i, flip in enumerate(flips) if flip))
        count = x.ndim - 2
        patches = self.unpadded._replace(padding=padding).patches(x, range(2, x.ndim), 0)
        if self.batch_group_count > 1:
            batches = np.split(patches, self.batch_group_count)
        else:
            batches = np.split(patches, self.feature_group_count, axis=1)
        kernels = np.split(w, len(batches), axis=1)
        # Of a batch: batch, input feature, place..., offset...; of a kernel: in, out, offset...
        offsets = range(2 + count, 2 + 2 * count)
        sums = [
            np.tensordot(p, k, ((1, *offsets), (0, *range(2, 2 + count))))
            for p, k in zip(batches, kernels, strict=True)
        ]
        out = np.moveaxis(np.concatenate(sums, axis=-1), -1, 1)
        return out.transpose(np.argsort(self.result_layout.order()))


def _groups(value: Any, what: str) -> int:
    count = checks.integer(value, what)
    if count < 1:
        raise AttributeValueError(f"{what} is {count}", hint="it must be at least 1")
    return count


def _reversal(values: Any, count: int) -> tuple[bool, ...] | None:
    if values is None:
        return None
    flags = (values,) * count if isinstance(values, bool) else tuple(bool(v) for v in values)
    checks.length(flags, count, "window_reversal")
    return flags


def _divided(size: Dimension, groups: int) -> Dimension:
    if groups == 1:
        return size
    return size // groups if isinstance(size, int) else UNKNOWN


class Convolution(
    ConvolutionBase, name="convolution", mlir="stablehlo.convolution", rounding="sums"
):
    """Sum of products of a kernel `rhs` with the elements of `lhs` under it, at each place.

    The kernel is not flipped unless `window_reversal` says so, dimension by dimension. The
    dimension numbers say where each array holds its batch, feature and spatial dimensions;
    `padding` (pairs, SAME or VALID; may be negative) is that of `lhs` after `lhs_dilation` spread
    its elements out, `rhs_dilation` spreads the kernel's. With feature groups the kernel sees
    `1/feature_group_count` of the input features; with batch groups each output feature sees
    `1/batch_group_count` of the batch.
    """

    padding: Pairs | None = attribute("i64_matrix", default=None)

    examples = (
        Example(
            lhs=f32[2, 3, 5, 6], rhs=f32[4, 3, 2, 3], padding="SAME", window_strides=(2, 1),
            **dimension_numbers("NCHW,OIHW,NCHW"), hostile=False,
        ),
        Example(
            lhs=f32[6, 2, 4, 5], rhs=f32[2, 3, 2, 4], padding=((1, 0), (-1, 2)),
            lhs_dilation=(1, 2), rhs_dilation=(2, 1), window_reversal=(True, False),
            feature_group_count=2, precision="HIGHEST",
            **dimension_numbers("HNCW,IHWO,CWNH"), hostile=False,
        ),
        Example(
            lhs=f32[4, 3, 5], rhs=f32[6, 3, 2], batch_group_count=2,
            **dimension_numbers("NCW,OIW,NCW"), hostile=False,
        ),
        Example(
            lhs=bf16[1, 2, 4], rhs=bf16[3, 2, 2], preferred_element_type=f32,
            **dimension_numbers("NCW,OIW,NCW"), hostile=False,
        ),
        Example(
            lhs=i8[1, 2, 4], rhs=i8[3, 2, 2], preferred_element_type=i32,
            **dimension_numbers("NCW,OIW,NCW"),
        ),
        Example(lhs=f64[2, 3], rhs=f64[4, 3], **dimension_numbers("NC,OI,NC"), hostile=False),
        Example(
            lhs=c64[1, 1, 4], rhs=c64[1, 1, 2], **dimension_numbers("NCW,OIW,NCW"), hostile=False
        ),
        Example(lhs=f32[0, 2, 4], rhs=f32[3, 2, 2], **dimension_numbers("NCW,OIW,NCW")),
    )  # fmt: skip

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`preferred_element_type`, when the result's type is not that of the operands."""
        return preferred_of(operand_types, result_types)

    def prepare(self) -> None:
        super().prepare()
        if self.padding is not None:
            sizes = self.lhs_layout.sizes(self.lhs.tensor)
            self.update(padding=padding_pairs(self.padding, sizes, self.unpadded))

    @property
    def window(self) -> Window:
        """The sliding kernel, with everything that was left out filled in."""
        return self.unpadded._replace(padding=self.padding or self.unpadded.padding)

    def infer(self) -> TensorType:
        return self.convolved(self.window.padding)

    multilinear = ("lhs", "rhs")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return convolution_cotangents(self, g, self.window)

    def batch(self, batch: Batch) -> Value:
        return batched_convolution(self, batch)

    def reference(self, lhs: Array, rhs: Array) -> Array:
        out = self.convolve(lhs, rhs, self.window.padding)
        return out.astype(self.results[0].tensor.dtype.numpy)
