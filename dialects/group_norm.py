"""Normalization of features over samples of a batch: group norm and instance norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.normalization import Norm, epsilon_value, feature_axis, reference_norm
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.types import bf16, f32

Array = np.ndarray[Any, Any]


class _FeatureNorm(Norm):
    """Base of the norms whose axis 0 is a batch already: another one is merged into it."""

    @property
    def parameter_axes(self) -> tuple[int, ...]:
        return (self.attrs["feature_index"],)

    def batched(self, x: Value, **parameters: Value) -> Value:
        size, count, *shape = x.tensor.static_shape
        merged = ops.reshape(x, shape=(size * count, *shape))
        y: Value = self.build(merged, **parameters, **self.attrs)
        return ops.reshape(y, shape=(size, count, *shape))


class GroupNorm(_FeatureNorm, name="group_norm", rounding="sums"):
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
    def axes(self) -> tuple[int, ...]:
        return tuple(i for i in range(1, self.x.rank + 1) if i != self.feature_index)

    def _split(self) -> tuple[int, ...]:
        """The shape with the feature axis split in two."""
        at, shape = self.feature_index, self.x.tensor.static_shape
        return (*shape[:at], self.groups, shape[at] // self.groups, *shape[at + 1 :])

    def grouped(self, x: Value) -> Value:
        return ops.reshape(x, shape=self._split())

    def ungrouped(self, x: Value) -> Value:
        return ops.reshape(x, shape=self.x.tensor.static_shape)

    def reference_normal(self, x: Array) -> Array:
        out = np.empty_like(x)
        size = x.shape[self.feature_index] // self.groups
        for group in range(self.groups):
            at = [slice(None)] * x.ndim
            at[self.feature_index] = slice(group * size, (group + 1) * size)
            part = x[tuple(at)]
            out[tuple(at)] = reference_norm(part, range(1, x.ndim), self.epsilon)
        return out


class InstanceNorm(_FeatureNorm, name="instance_norm", rounding="sums"):
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
    def axes(self) -> tuple[int, ...]:
        return tuple(i for i in range(1, self.x.rank) if i != self.feature_index)

    def reference_normal(self, x: Array) -> Array:
        return reference_norm(x, self.axes, self.epsilon)
