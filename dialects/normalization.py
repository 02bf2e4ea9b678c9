"""Normalization by mean and variance: layer, group and instance norms, and RMS norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.nn import spread
from dxir.dialects.reduction import narrow, widen
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import Dimension, TensorType, bf16, f16, f32, f64, same_shape, shape_text

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


def normalized(x: Value, axes: Sequence[int], epsilon: float) -> Value:
    """`x` with mean 0 and variance 1 over `axes`; the variance is that of the centred values."""
    centred = x - spread(ops.mean(x, axes=axes), x, axes)
    variance = ops.mean(centred * centred, axes=axes)
    return centred * spread(ops.rsqrt(variance + epsilon), x, axes)


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

    def normal(self, x: Value) -> Value:
        """`x`, wide, with mean 0 and variance 1."""
        raise NotImplementedError

    def expand(self, x: Value, *parameters: Value) -> Value:
        scale, offset = self.split(parameters)
        y = scaled(self.normal(widen(x)), scale, offset, self.parameter_axes)
        return narrow(y, x.tensor.primitive)

    def reference_normal(self, x: Array) -> Array:
        """`x`, in f64, with mean 0 and variance 1."""
        raise NotImplementedError

    def reference(self, x: Array, *parameters: Array) -> Array:
        y = self.reference_normal(x.astype(np.float64))
        return reference_scaled(y, self.split(parameters), self.parameter_axes).astype(x.dtype)


class LayerNorm(Norm, name="layer_norm"):
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

    def normal(self, x: Value) -> Value:
        return normalized(x, self.axis, self.epsilon)

    def reference_normal(self, x: Array) -> Array:
        return reference_norm(x, self.axis, self.epsilon)


class RmsNorm(Composite, name="rms_norm"):
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
        square = ops.mean(wide * wide, axes=self.axis)
        y = wide * spread(ops.rsqrt(square + self.epsilon), wide, self.axis)
        return narrow(scaled(y, scale, None, self.axis), x.tensor.primitive)

    def reference(self, x: Array, scale: Array | None = None) -> Array:
        wide = x.astype(np.float64)
        count = int(np.prod([x.shape[i] for i in self.axis]))
        length = np.sqrt((wide * wide).sum(axis=self.axis, keepdims=True) / max(count, 1))
        y = wide / np.hypot(length, np.sqrt(self.epsilon))
        return reference_scaled(y, (scale, None), self.axis).astype(x.dtype)


class GroupNorm(Norm, name="group_norm"):
    """Normalization over groups of features and all axes but the batch (Wu and He, 2018).

    Axis 0 is the batch; the features along `feature_index` fall into `groups` runs of equal
    length. Scale and offset have the size of the feature axis.
    """

    groups: int
    feature_index: int = 1
    epsilon: float = 1e-5

    examples = (
        Example(x=f32[2, 4, 3], groups=2, hostile=False),
        Example(x=f32[2, 6, 2, 2], scale=f32[6], offset=f32[6], groups=3, hostile=False),
        Example(x=f32[2, 3, 4], scale=f32[4], groups=1, feature_index=-1, hostile=False),
        Example(x=bf16[2, 4, 8], scale=bf16[4], groups=2, hostile=False),
        Example(x=f32[3, 4], groups=2, hostile=False),
        Example(x=f32[0, 4, 3], groups=2),
    )

    def prepare(self) -> None:
        rank = self.x.tensor.rank
        groups = checks.integer(self.groups, "groups")
        axis = feature_axis(self.feature_index, rank)
        features = self.x.tensor.static_shape[axis]
        if groups < 1 or features % groups:
            raise ShapeError(
                f"axis {axis} of {self.x.type} does not fall into {groups} groups",
                hint="groups must divide its size",
            )
        self.update(groups=groups, feature_index=axis, epsilon=epsilon_value(self.epsilon))

    @property
    def parameter_axes(self) -> tuple[int, ...]:
        return (self.feature_index,)

    def _grouped(self, shape: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The shape with the feature axis split in two, and the axes to normalize over."""
        at = self.feature_index
        split = (*shape[:at], self.groups, shape[at] // self.groups, *shape[at + 1 :])
        return split, tuple(i for i in range(1, len(split)) if i != at)

    def normal(self, x: Value) -> Value:
        shape = x.tensor.static_shape
        split, axes = self._grouped(shape)
        y = normalized(ops.reshape(x, shape=split), axes, self.epsilon)
        return ops.reshape(y, shape=shape)

    def reference_normal(self, x: Array) -> Array:
        out = np.empty_like(x)
        size = x.shape[self.feature_index] // self.groups
        for group in range(self.groups):
            at = [slice(None)] * x.ndim
            at[self.feature_index] = slice(group * size, (group + 1) * size)
            part = x[tuple(at)]
            out[tuple(at)] = reference_norm(part, range(1, x.ndim), self.epsilon)
        return out


class InstanceNorm(Norm, name="instance_norm"):
    """Normalization of each feature of each sample over the other axes (Ulyanov et al., 2016).

    Axis 0 is the batch, `feature_index` the features. Scale and offset have the size of the latter.
    """

    feature_index: int = 1
    epsilon: float = 1e-5

    examples = (
        Example(x=f32[2, 3, 4], hostile=False),
        Example(x=f32[2, 3, 2, 4], scale=f32[3], offset=f32[3], hostile=False),
        Example(x=bf16[2, 8, 3], scale=bf16[3], feature_index=-1, hostile=False),
        Example(x=f32[2, 3, 0], offset=f32[3]),
    )

    def prepare(self) -> None:
        axis = feature_axis(self.feature_index, checks.rank_at_least(self.x, 3, "x").rank)
        self.update(feature_index=axis, epsilon=epsilon_value(self.epsilon))

    @property
    def parameter_axes(self) -> tuple[int, ...]:
        return (self.feature_index,)

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes the statistics are over."""
        return tuple(i for i in range(1, self.x.rank) if i != self.feature_index)

    def normal(self, x: Value) -> Value:
        return normalized(x, self.axes, self.epsilon)

    def reference_normal(self, x: Array) -> Array:
        return reference_norm(x, self.axes, self.epsilon)
