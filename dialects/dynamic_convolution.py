"""Convolution whose padding is known only when it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.contraction import preferred_of
from dxir.dialects.convolution import ConvolutionBase
from dxir.dialects.convolution_rules import batched_convolution, lhs_cotangent, rhs_cotangent
from dxir.dialects.layouts import dimension_numbers
from dxir.dialects.window import Window, spread
from dxir.errors import TransformError
from dxir.examples import Example
from dxir.graph import Value
from dxir.types import Dimension, TensorType, Type, f32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def _dynamic(like: Value) -> Any:
    """What makes a `dynamic_conv` whose result has the shape of a value."""

    def convolve(lhs: Value, rhs: Value, *, padding: Value, **attributes: Any) -> Value:
        shape = like.tensor.static_shape
        return ops.dynamic_conv(lhs, rhs, padding, shape=shape, **attributes)

    return convolve


def _spans(window: Window) -> list[int]:
    pairs = zip(window.sizes, window.window_dilations, strict=True)
    return [spread(size, dilation) - 1 for size, dilation in pairs]


def _member(value: Value, index: int) -> Value:
    """One member of a batch."""
    shape = value.tensor.static_shape
    part = ops.slice(value, starts=(index, *[0] * (len(shape) - 1)), limits=(index + 1, *shape[1:]))
    return ops.reshape(part, shape=shape[1:])


class DynamicConv(
    ConvolutionBase, name="dynamic_conv", mlir="stablehlo.dynamic_conv", rounding="sums"
):
    """A `convolution` whose padding is a value: `padding[i]` is (low, high) of spatial axis `i`.

    `shape` is the shape of the result, with named dimensions where it is not known. A batch with a
    padding for each member is one convolution after the other.
    """

    padding: Value
    shape: tuple[Dimension, ...] | None = None

    examples = (
        Example(
            lhs=f32[1, 2, 4], rhs=f32[3, 2, 2], padding=np.array([[1, 0]], np.int32),
            shape=(1, 3, 4), **dimension_numbers("NCW,OIW,NCW"), hostile=False, runs=False,
        ),
        Example(
            lhs=f32[1, 4, 5, 2], rhs=f32[3, 2, 2, 3], padding=np.array([[1, 0], [0, 1]]),
            shape=(1, 2, 5, 3), window_strides=(2, 1), **dimension_numbers("NHWC,HWIO,NHWC"),
            hostile=False, runs=False,
        ),
    )  # fmt: skip

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`shape`, and `preferred_element_type` when the result's type is not the operands'."""
        (result,) = result_types
        shape = result.shape if isinstance(result, TensorType) else None
        return {"shape": shape, **preferred_of(operand_types, result_types)}

    def prepare(self) -> None:
        super().prepare()
        if self.shape is not None:
            self.update(shape=self.lhs.tensor.with_shape(self.shape).shape)

    def infer(self) -> TensorType:
        padding = self.padding.tensor
        checks.kind(self.padding, "int uint", "padding")
        wanted = (self.lhs.tensor.rank - 2, 2)
        checks.shapes_equal(padding.shape, wanted, "padding", "one pair for each spatial axis")
        open_type = self.convolved(None)
        if self.shape is None:
            return open_type
        checks.shapes_equal(self.shape, open_type.shape, "the given result", "the convolution")
        return open_type.with_shape(self.shape)

    multilinear = ("lhs", "rhs")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        if not (self.lhs.tensor.is_static and self.rhs.tensor.is_static):
            raise TransformError(
                f"the cotangents need the sizes of {self.lhs.type} and {self.rhs.type}"
            )
        return (
            lambda: lhs_cotangent(self, g, self._padding_for_lhs(g), _dynamic(self.lhs)),
            lambda: self._cotangent_of_rhs(g),
            None,
        )

    def _cotangent_of_rhs(self, g: Value) -> Value:
        if not g.tensor.is_static:
            raise TransformError(
                f"the cotangent of the kernel needs the sizes of the result, {g.type}: they are "
                "those of a kernel then",
                hint="give shape=, the shape of the result",
            )
        return rhs_cotangent(self, g, self._padding_for_rhs(g), _dynamic(self.rhs))

    def _lows(self) -> Value:
        return ops.slice(self.padding, starts=(0, 0), limits=(self.padding.shape[0], 1))

    def _padding_for_lhs(self, g: Value) -> Value:
        """As `convolution_rules.lhs_padding` has it, from what the padding is found to be."""
        window, lows = self.unpadded, self._lows()
        before = ops.sub(self._column(_spans(window)), lows)
        after = ops.sub(ops.add(self._column(self._input_spans()), lows), self._places(g))
        return ops.concat([before, after], axis=1)

    def _padding_for_rhs(self, g: Value) -> Value:
        lows = self._lows()
        inputs = self._input_spans()
        gaps = [a - b for a, b in zip(_spans(self.unpadded), inputs, strict=True)]
        after = ops.sub(ops.add(self._column(gaps), self._places(g)), lows)
        return ops.concat([lows, after], axis=1)

    def _input_spans(self) -> list[int]:
        sizes = self.lhs_layout.sizes(self.lhs.tensor)
        dilations = self.unpadded.base_dilations
        assert all(isinstance(n, int) for n in sizes)
        return [spread(int(str(n)), d) - 1 for n, d in zip(sizes, dilations, strict=True)]

    def _column(self, numbers: Sequence[int]) -> Value:
        """Integers of the padding's type, one under the other."""
        dtype = self.padding.tensor.primitive.numpy
        return ops.constant(np.asarray(numbers, dtype).reshape(-1, 1))

    def _places(self, g: Value) -> Value:
        """How far apart the first and the last place of the kernel are."""
        parts = []
        for axis, stride in zip(self.result_layout.spatial, self.unpadded.strides, strict=True):
            size = g.shape[axis]
            if isinstance(size, int):
                parts.append(self._column([(size - 1) * stride]))
                continue
            known = ops.convert(
                ops.get_dimension_size(g, axis=axis), dtype=self.padding.tensor.primitive
            )
            parts.append(ops.reshape(ops.mul(ops.sub(known, 1), stride), shape=(1, 1)))
        return ops.concat(parts, axis=0)

    def batch(self, batch: Batch) -> Value:
        if not batch.batched[2]:
            return batched_convolution(self, batch)
        if self.shape is None or not self.results[0].tensor.is_static:
            raise TransformError(
                "the padding differs within the batch, and so may the shapes of the results",
                hint="give shape=, the shape that all of them have",
            )
        results: list[Value] = []
        for i in range(batch.size):
            given = zip(batch.operands, batch.batched, strict=True)
            result = batch.rebuild([_member(v, i) if flag else v for v, flag in given])
            results.append(ops.expand_dims(result, axes=(0,)))
        return ops.concat(results, axis=0)

    def reference(self, lhs: Array, rhs: Array, padding: Array) -> Array:
        pairs = tuple((int(low), int(high)) for low, high in padding)
        return self.convolve(lhs, rhs, pairs).astype(self.results[0].tensor.dtype.numpy)
