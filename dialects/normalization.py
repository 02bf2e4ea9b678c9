"""Normalization by mean and variance: layer, group and instance norms, and RMS norm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.nn import spread
from dxir.dialects.reduction import narrow, widen
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import Dimension, TensorType, bf16, f16, f32, f64, same_shape, shape_text

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def epsilon_value(given: Any) -> float:
    """The number added to a variance: finite and not negative."""
    value = checks.number(given, "epsilon")
    if value < 0:
        raise AttributeValueError(f"epsilon is {value}", hint="it must be 0 or more")
    return value


def feature_axis(given: Any, rank: int) -> int:
    """The axis of the features (channels), which cannot be the batch axis 0."""
    axis = checks.axis(given, rank, "feature_index")
    if axis == 0:
        raise ShapeError("feature_index is 0", hint="axis 0 is the batch")
    return axis


def check_parameter(value: Value | None, x: Value, shape: Sequence[Dimension], what: str) -> None:
    """Raise unless a scale or offset is of `shape`, in the type of `x` or the one it sums in."""
    if value is None:
        return
    dtype = x.tensor.primitive
    if value.tensor.dtype not in (dtype, dtype.accumulator):
        allowed = " or ".join(dict.fromkeys((dtype.name, dtype.accumulator.name)))
        raise DTypeError(
            f"{what} has type {value.type}", hint=f"for x of {x.type}, it is {allowed}"
        )
    if not same_shape(value.shape, shape):
        raise ShapeError(
            f"{what} has type {value.type}, but x has type {x.type}",
            hint=f"its shape must be {shape_text(shape)}",
        )


def scaled(y: Value, scale: Value | None, offset: Value | None, axes: Sequence[int]) -> Value:
    """`y * scale + offset`, for parameters along `axes`, where they are given."""
    for parameter, combine in ((scale, ops.mul), (offset, ops.add)):
        if parameter is not None:
            others = [i for i in range(y.rank) if i not in axes]
            y = combine(y, spread(widen(parameter), y, others))
    return y


def normalized(x: Value, axes: Sequence[int], epsilon: float) -> tuple[Value, Value]:
    """`x` with mean 0 and variance 1 over `axes`, and what it is scaled by for that.

    The variance is that of the centred values.
    """
    centred = x - spread(ops.mean(x, axes=axes), x, axes)
    variance = ops.mean(centred * centred, axes=axes)
    inverse = spread(ops.rsqrt(variance + epsilon), x, axes)
    return centred * inverse, inverse


def mean_spread(x: Value, axes: Sequence[int]) -> Value:
    """The mean over `axes`, repeated along them."""
    return spread(ops.mean(x, axes=axes), x, axes)


def parameter_cotangent(g: Value, parameter: Value, axes: Sequence[int]) -> Value:
    """The cotangent of a parameter that was repeated over all but `axes`, from a wide `g`."""
    others = [i for i in range(g.rank) if i not in axes]
    return narrow(ops.sum(g, axes=others) if others else g, parameter.tensor.primitive)


def batched_norm(
    node: Any, batch: Batch, axes: Sequence[int], normal: Callable[..., Value]
) -> Value:
    """The batch of a norm: itself, with batched parameters applied after it in its wide type.

    `normal(x, scale=None, offset=None)` is the norm of a batch; `axes` are those of the parameters
    in its result.
    """
    names = [n for n in ("scale", "offset") if getattr(node, n, None) is not None]
    x, *parameters = batch.operands
    if not any(batch.batched[1:]):
        return normal(x, **dict(zip(names, parameters, strict=True)))
    wide = widen(x)
    y = normal(wide) if batch.batched[0] else batch.spread(node.build(wide, **node.attrs))
    for name, parameter, flag in zip(names, parameters, batch.batched[1:], strict=True):
        scale, offset = (parameter, None) if name == "scale" else (None, parameter)
        y = scaled(y, scale, offset, (0, *axes) if flag else axes)
    return narrow(y, x.tensor.primitive)


def reference_norm(x: Array, axes: Sequence[int], epsilon: float) -> Array:
    """The same in f64, from NumPy's standard deviation."""
    with np.errstate(all="ignore"):
        deviation = np.std(x, axis=tuple(axes), keepdims=True) if x.size else 1.0
        mean = np.mean(x, axis=tuple(axes), keepdims=True) if x.size else 0.0
        return np.asarray((x - mean) / np.hypot(deviation, np.sqrt(epsilon)))


def reference_scaled(y: Array, parameters: Sequence[Array | None], axes: Sequence[int]) -> Array:
    """`y * scale + offset` in f64, for parameters along `axes`."""
    scale, offset = parameters
    shape = [d if i in axes else 1 for i, d in enumerate(y.shape)]
    if scale is not None:
        y = y * scale.astype(np.float64).reshape(shape)
    if offset is not None:
        y = y + offset.astype(np.float64).reshape(shape)
    return y


class Norm(Composite):
    """Base of the norms: `x`, and a scale and an offset that may be left out.

    Statistics are two-pass, and in f32 for narrower floats, like everything else up to the one
    rounding at the end. The parameters have the type of `x`, or f32 where `x` is narrower.
    """

    x: Value
    scale: Value | None = None
    offset: Value | None = None

    @property
    def parameter_axes(self) -> tuple[int, ...]:
        """The axes of `x` that scale and offset run along."""
        raise NotImplementedError

    def infer(self) -> TensorType:
        checks.kind(self.x, "float", "x")
        type = self.x.tensor
        shape = [type.shape[i] for i in self.parameter_axes]
        check_parameter(self.scale, self.x, shape, "scale")
        check_parameter(self.offset, self.x, shape, "offset")
        return type

    def split(self, parameters: Sequence[Any]) -> tuple[Any, Any]:
        """The scale and the offset (None where absent) among the operands after `x`."""
        left = list(parameters)
        scale = left.pop(0) if self.scale is not None else None
        return scale, left.pop(0) if left else None

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes that the statistics are over, in what `grouped` gives."""
        raise NotImplementedError

    def grouped(self, x: Value) -> Value:
        """`x` in a shape where statistics are over whole axes."""
        return x

    def ungrouped(self, x: Value) -> Value:
        """What `grouped` gave, in its shape before."""
        return x

    def expand(self, x: Value, *parameters: Value) -> Value:
        scale, offset = self.split(parameters)
        y, _ = normalized(self.grouped(widen(x)), self.axes, self.attrs["epsilon"])
        y = scaled(self.ungrouped(y), scale, offset, self.parameter_axes)
        return narrow(y, x.tensor.primitive)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        scale, offset = self.scale, self.offset

        @cache
        def normal() -> tuple[Value, Value]:
            return normalized(self.grouped(widen(self.x)), self.axes, self.attrs["epsilon"])

        def of_x() -> Value:
            unit, inverse = normal()
            inner = self.grouped(scaled(widen(g), scale, None, self.parameter_axes))
            along = unit * mean_spread(inner * unit, self.axes)
            moved = (inner - mean_spread(inner, self.axes) - along) * inverse
            return narrow(self.ungrouped(moved), self.x.tensor.primitive)

        def of_scale() -> Value:
            assert scale is not None
            moved = widen(g) * self.ungrouped(normal()[0])
            return parameter_cotangent(moved, scale, self.parameter_axes)

        found: list[Cotangent] = [of_x]
        if scale is not None:
            found.append(of_scale)
        if offset is not None:
            found.append(lambda: parameter_cotangent(widen(g), offset, self.parameter_axes))
        return tuple(found)

    def batch(self, batch: Batch) -> Value:
        axes = tuple(i + 1 for i in self.parameter_axes)
        return batched_norm(self, batch, axes, self.batched)

    def batched(self, x: Value, **parameters: Value) -> Value:
        """The norm of each element along the new axis 0 of `x`."""
        raise NotImplementedError

    def reference_normal(self, x: Array) -> Array:
        """`x`, in f64, with mean 0 and variance 1."""
        raise NotImplementedError

    def reference(self, x: Array, *parameters: Array) -> Array:
        y = self.reference_normal(x.astype(np.float64))
        return reference_scaled(y, self.split(parameters), self.parameter_axes).astype(x.dtype)


class LayerNorm(Norm, name="layer_norm", rounding="sums"):
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` over `axis`, one axis or several.

    Scale and offset have the sizes of those axes.
    """

    axis: tuple[int, ...] = (-1,)
    epsilon: float = 1e-5

    examples = (
        Example(x=f32[2, 3], hostile=False),
        Example(x=f32[2, 3], scale=f32[3], offset=f32[3], epsilon=1e-3, hostile=False),
        Example(x=f32[2, 3, 4], offset=f32[3, 4], axis=(-1, 1), hostile=False),
        Example(x=f32[2, 3, 4], scale=f32[2], axis=0, hostile=False),
        Example(x=bf16[4, 8], scale=bf16[8], offset=bf16[8], hostile=False),
        Example(x=bf16[4, 8], scale=f32[8], hostile=False),
        Example(x=f64[5], hostile=False),
        Example(x=f32[0, 4]),
        Example(x=f32[2, 0], scale=f32[0]),
        Example(x=np.array([[1, np.nan, 2], [np.inf, 0, 1], [-0.0, 0, 0]], np.float32)),
    )

    def prepare(self) -> None:
        self.update(
            axis=checks.axes(self.axis, self.x.tensor.rank, "axis"),
            epsilon=epsilon_value(self.epsilon),
        )

    @property
    def parameter_axes(self) -> tuple[int, ...]:
        return self.axis

    @property
    def axes(self) -> tuple[int, ...]:
        return self.axis

    def batched(self, x: Value, **parameters: Value) -> Value:
        axis = tuple(i + 1 for i in self.axis)
        result: Value = self.build(x, **parameters, axis=axis, epsilon=self.epsilon)
        return result

    def reference_normal(self, x: Array) -> Array:
        return reference_norm(x, self.axis, self.epsilon)


class RmsNorm(Composite, name="rms_norm", rounding="sums"):
    """`x / sqrt(mean(x^2) + epsilon) * scale` over `axis`, one axis or several.

    The scale, which may be left out, has the sizes of those axes (Zhang and Sennrich, 2019). It is
    of the type of `x`, or f32 where `x` is narrower; narrow floats are computed in f32.
    """

    x: Value
    scale: Value | None = None
    axis: tuple[int, ...] = (-1,)
    epsilon: float = 1e-5

    examples = (
        Example(x=f32[2, 3], hostile=False),
        Example(x=f32[2, 3], scale=f32[3], epsilon=1e-6, hostile=False),
        Example(x=f32[2, 3, 4], scale=f32[3, 4], axis=(1, 2), hostile=False),
        Example(x=bf16[4, 8], scale=bf16[8], hostile=False),
        Example(x=f16[4, 8], scale=f32[8], hostile=False),
        Example(x=np.array([6e4, 6e4, -6e4, 0], np.float16)),
        Example(x=f64[5], hostile=False),
        Example(x=f32[0, 4], scale=f32[4]),
        Example(x=np.array([[1, np.nan, 2], [np.inf, 0, 1], [-0.0, 0, 0]], np.float32)),
    )

    def prepare(self) -> None:
        self.update(
            axis=checks.axes(self.axis, self.x.tensor.rank, "axis"),
            epsilon=epsilon_value(self.epsilon),
        )

    def infer(self) -> TensorType:
        checks.kind(self.x, "float", "x")
        type = self.x.tensor
        check_parameter(self.scale, self.x, [type.shape[i] for i in self.axis], "scale")
        return type

    def expand(self, x: Value, scale: Value | None = None) -> Value:
        wide = widen(x)
        y = wide * self._inverse(wide)
        return narrow(scaled(y, scale, None, self.axis), x.tensor.primitive)

    def _inverse(self, x: Value) -> Value:
        square = ops.mean(x * x, axes=self.axis)
        return spread(ops.rsqrt(square + self.epsilon), x, self.axis)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        scale = self.scale

        @cache
        def normal() -> tuple[Value, Value]:
            wide = widen(self.x)
            inverse = self._inverse(wide)
            return wide * inverse, inverse

        def of_x() -> Value:
            unit, inverse = normal()
            inner = scaled(widen(g), scale, None, self.axis)
            moved = (inner - unit * mean_spread(inner * unit, self.axis)) * inverse
            return narrow(moved, self.x.tensor.primitive)

        if scale is None:
            return (of_x,)
        return (of_x, lambda: parameter_cotangent(widen(g) * normal()[0], scale, self.axis))

    def batch(self, batch: Batch) -> Value:
        axis = tuple(i + 1 for i in self.axis)

        def normal(x: Value, scale: Value | None = None) -> Value:
            return ops.rms_norm(x, scale, axis=axis, epsilon=self.epsilon)

        return batched_norm(self, batch, axis, normal)

    def reference(self, x: Array, scale: Array | None = None) -> Array:
        wide = x.astype(np.float64)
        count = int(np.prod([x.shape[i] for i in self.axis]))
        length = np.sqrt((wide * wide).sum(axis=self.axis, keepdims=True) / max(count, 1))
        y = wide / np.hypot(length, np.sqrt(self.epsilon))
        return reference_scaled(y, (scale, None), self.axis).astype(x.dtype)
