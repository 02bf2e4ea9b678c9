"""Convolutions over one, two and three spatial dimensions, in named layouts."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.contraction import element_type, precision_pair
from dxir.dialects.convolution import Convolution
from dxir.dialects.convolution_rules import convolution_cotangents
from dxir.dialects.layouts import dimension_numbers
from dxir.dialects.window import Pairs, each, spread
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, make
from dxir.types import ElementType, TensorType, bf16, f32, i8, i32

Array = np.ndarray[Any, Any]


class SpatialConvolution(Derived):
    """Base of the convolutions over a fixed number of spatial dimensions.

    `layouts` are those of the input, the kernel and the result.
    """

    tolerance = 64  # sums of products round in proportion to their terms, not to the sum

    x: Value
    kernel: Value
    window_strides: tuple[int, ...]
    padding: Pairs | str = "VALID"
    lhs_dilation: tuple[int, ...] | None = None
    rhs_dilation: tuple[int, ...] | None = None
    feature_group_count: int = 1
    batch_group_count: int = 1
    window_reversal: tuple[bool, ...] | None = None
    dimension_numbers: str | None = None
    precision: tuple[str, str] | None = None
    preferred_element_type: ElementType | None = None

    layouts: ClassVar[str] = ""

    def prepare(self) -> None:
        rank = len(self.layouts.partition(",")[0])
        checks.rank_is(self.x, rank, "x")
        checks.rank_is(self.kernel, rank, "kernel")
        layouts: Any = self.dimension_numbers or self.layouts
        self.update(
            dimension_numbers=layouts if isinstance(layouts, str) else ",".join(layouts),
            window_strides=each(self.window_strides, rank - 2),
            lhs_dilation=each(self.lhs_dilation, rank - 2),
            rhs_dilation=each(self.rhs_dilation, rank - 2),
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )
        self.resolve_padding()
        node = self.primitive()
        node.prepare()
        names = ("padding", "window_reversal", "feature_group_count", "batch_group_count")
        self.update(**{n: node.attrs[n] for n in names})

    def resolve_padding(self) -> None:
        """Turn named padding into pairs, where the op has a rule of its own."""

    def primitive(self) -> Convolution:
        """The `convolution` this stands for, as a node that belongs nowhere."""
        node = make(Convolution, (self.x, self.kernel), self._attributes(), ())
        assert isinstance(node, Convolution)
        return node

    def _attributes(self) -> dict[str, Any]:
        named = {k: v for k, v in self.attrs.items() if k != "dimension_numbers"}
        return {**named, **dimension_numbers(self.dimension_numbers or self.layouts)}

    def infer(self) -> TensorType:
        return self.primitive().infer()

    def expand(self, x: Value, kernel: Value) -> Value:
        return ops.convolution(x, kernel, **self._attributes())

    multilinear = ("x", "kernel")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        node = self.primitive()
        node.prepare()
        return convolution_cotangents(node, g, node.window)

    def reference(self, x: Array, kernel: Array) -> Array:
        node = self.primitive()
        dtype = self.results[0].tensor.dtype.numpy
        return node.convolve(x, kernel, node.window.padding).astype(dtype)


class Conv1d(SpatialConvolution, name="conv1d", rounding="sums"):
    """Convolution over one dimension: x `[N, C, W]`, kernel `[O, I, W]`, not flipped.

    See `conv2d` for the attributes.
    """

    examples = (
        Example(x=f32[2, 3, 8], kernel=f32[4, 3, 3], window_strides=(2,), hostile=False),
        Example(
            x=bf16[2, 8, 3], kernel=bf16[3, 3, 4], window_strides=1, padding="SAME",
            dimension_numbers="NWC,WIO,NWC", hostile=False,
        ),
        Example(x=f32[0, 3, 8], kernel=f32[4, 3, 3], window_strides=(1,)),
    )  # fmt: skip
    layouts = "NCW,OIW,NCW"


class Conv2d(SpatialConvolution, name="conv2d", rounding="sums"):
    """Convolution over two dimensions: x `[N, C, H, W]`, kernel `[O, I, H, W]`, not flipped.

    `window_strides` has one entry for each spatial dimension (one integer stands for all), as have
    `lhs_dilation` and `rhs_dilation`, the steps between the elements of `x` and of the kernel.
    `padding` is VALID (none), SAME (ceil(size / stride) places) or (low, high) pairs.
    `dimension_numbers` names other layouts: "NHWC,HWIO,NHWC". With `feature_group_count` the kernel
    holds C / groups input features; `window_reversal` flips the kernel.
    """

    examples = (
        Example(x=f32[2, 3, 6, 5], kernel=f32[4, 3, 3, 2], window_strides=(1, 2), hostile=False),
        Example(
            x=f32[1, 4, 5, 5], kernel=f32[8, 1, 3, 3], window_strides=(2, 2), padding="SAME",
            feature_group_count=4, rhs_dilation=(2, 2), hostile=False,
        ),
        Example(
            x=f32[1, 5, 5, 2], kernel=f32[3, 3, 2, 4], window_strides=1,
            padding=((1, 0), (2, -1)), dimension_numbers="NHWC,HWIO,NHWC",
            window_reversal=(True, False), hostile=False,
        ),
        Example(
            x=f32[4, 2, 5, 5], kernel=f32[6, 2, 3, 3], window_strides=(1, 1), lhs_dilation=(2, 1),
            batch_group_count=2, precision="HIGHEST", hostile=False,
        ),
        Example(
            x=i8[1, 2, 3, 3], kernel=i8[1, 2, 2, 2], window_strides=(1, 1),
            preferred_element_type=i32,
        ),
    )  # fmt: skip
    layouts = "NCHW,OIHW,NCHW"


class Conv3d(SpatialConvolution, name="conv3d", rounding="sums"):
    """Convolution over three dimensions: x `[N, C, D, H, W]`, kernel `[O, I, D, H, W]`.

    See `conv2d` for the attributes.
    """

    examples = (
        Example(
            x=f32[1, 2, 3, 4, 5], kernel=f32[3, 2, 2, 2, 2], window_strides=(1, 2, 1),
            padding="SAME", hostile=False,
        ),
        Example(
            x=f32[1, 3, 4, 5, 2], kernel=f32[2, 2, 2, 2, 3], window_strides=(1, 1, 1),
            dimension_numbers="NDHWC,DHWIO,NDHWC", hostile=False,
        ),
    )  # fmt: skip
    layouts = "NCDHW,OIDHW,NCDHW"


class TransposedConvolution(SpatialConvolution):
    """Base of the transposed convolutions: a dilated input under a kernel with stride 1."""

    def resolve_padding(self) -> None:
        count = len(self.window_strides)
        moves = any(s != 1 for s in self.window_strides)
        if moves and self.lhs_dilation is None:
            raise AttributeValueError(
                f"window_strides {self.window_strides} without lhs_dilation",
                hint="a transposed convolution upsamples by lhs_dilation; window_strides are the "
                "steps over the dilated input. Give lhs_dilation outright if 1 is meant",
            )
        if not isinstance(self.padding, str):
            return
        checks.one_of(self.padding, ("SAME", "VALID"), "padding")
        if moves:
            raise AttributeValueError(
                f"padding {self.padding} with window_strides {self.window_strides}",
                hint="named padding is for strides of 1; give pairs",
            )
        numbers = dimension_numbers(self.dimension_numbers or self.layouts)
        sizes = [self.kernel.shape[i] for i in numbers["kernel_spatial_dimensions"]]
        ones = (1,) * count
        steps, spans = self.lhs_dilation or ones, self.rhs_dilation or ones
        checks.length(steps, count, "lhs_dilation")
        checks.length(spans, count, "rhs_dilation")
        pairs = []
        for size, step, dilation in zip(sizes, steps, spans, strict=True):
            if not isinstance(size, int):
                raise ShapeError(f"padding {self.padding} needs the sizes of {self.kernel.type}")
            pairs.append(_transposed_padding(self.padding, spread(size, dilation), step))
        self.update(padding=tuple(pairs))


def _transposed_padding(padding: str, span: int, step: int) -> tuple[int, int]:
    """The padding of the dilated input that undoes SAME or VALID of the convolution itself.

    The result has `size * step` places for SAME, and for VALID as many as the smallest input
    whose convolution is counted in full: `size * step + max(span - step, 0)`.
    """
    if padding == "VALID":
        return span - 1, span - 1 + max(step - span, 0)
    total = span + step - 2
    low = span - 1 if step > span - 1 else -(-total // 2)
    return low, total - low


class ConvTranspose1d(TransposedConvolution, name="conv_transpose1d", rounding="sums"):
    """Transposed convolution over one dimension: x `[N, C, W]`, kernel `[I, O, W]`, not flipped.

    See `conv_transpose2d` for the attributes.
    """

    examples = (
        Example(
            x=f32[1, 1, 3], kernel=f32[1, 1, 3], window_strides=(1,), lhs_dilation=(2,),
            padding=((1, 1),), hostile=False,
        ),
        Example(
            x=f32[2, 3, 4], kernel=f32[3, 5, 3], window_strides=(1,), lhs_dilation=(3,),
            padding="SAME", hostile=False,
        ),
        Example(
            x=f32[2, 3, 4], kernel=f32[3, 5, 2], window_strides=(1,), lhs_dilation=(3,),
            padding="VALID", hostile=False,
        ),
    )  # fmt: skip
    layouts = "NCW,IOW,NCW"


class ConvTranspose2d(TransposedConvolution, name="conv_transpose2d", rounding="sums"):
    """Transposed convolution over two dimensions: x `[N, C, H, W]`, kernel `[I, O, H, W]`.

    `result[p] = sum over k of dilated(x)[p + k - low] * kernel[k]`, where `lhs_dilation` is the
    upsampling and `padding` is that of the dilated input: pairs, SAME (size * lhs_dilation places)
    or VALID (every place that touches `x`). The gradient of a convolution with padding `p` is this
    with `window_reversal=True` and padding `dilation * (k - 1) - p`. With `feature_group_count` the
    kernel holds I = C / groups. The other attributes are those of `conv2d`.
    """

    examples = (
        Example(
            x=f32[1, 3, 4, 3], kernel=f32[3, 2, 3, 2], window_strides=(1, 1), lhs_dilation=(2, 3),
            padding="SAME", hostile=False,
        ),
        Example(
            x=f32[1, 4, 3, 3], kernel=f32[2, 6, 3, 3], window_strides=1, lhs_dilation=2,
            padding=((1, 2), (1, 2)), feature_group_count=2, window_reversal=True, hostile=False,
        ),
        Example(
            x=f32[1, 3, 3, 2], kernel=f32[2, 2, 2, 5], window_strides=1, rhs_dilation=(2, 1),
            padding="VALID", dimension_numbers="NHWC,HWIO,NHWC", hostile=False,
        ),
    )  # fmt: skip
    layouts = "NCHW,IOHW,NCHW"


class ConvTranspose3d(TransposedConvolution, name="conv_transpose3d", rounding="sums"):
    """Transposed convolution over three dimensions: x `[N, C, D, H, W]`, kernel `[I, O, D, H, W]`.

    See `conv_transpose2d` for the attributes.
    """

    examples = (
        Example(
            x=f32[1, 2, 2, 3, 2], kernel=f32[2, 3, 2, 2, 2], window_strides=(1, 1, 1),
            lhs_dilation=(1, 2, 2), padding="VALID", hostile=False,
        ),
    )  # fmt: skip
    layouts = "NCDHW,IODHW,NCDHW"
