"""The types of the parts of tensors that devices hold, split along manual axes."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.errors import ShapeError, ShardingError
from dxir.sharding import DimSharding, Mesh, Sharding
from dxir.types import Dimension, TensorType


def local_type(type: TensorType, sharding: Sharding, manual: Sequence[str]) -> TensorType:
    """The part of a tensor that a device holds, split along the manual axes only."""
    shape: list[Dimension] = []
    for i, (size, dim) in enumerate(zip(type.shape, sharding.dims, strict=True)):
        parts = _manual_size(dim, sharding.mesh, manual, i)
        if not isinstance(size, int) and parts > 1:
            raise ShapeError(f"dimension {i} of {type} is dynamic, so {dim} cannot split it")
        if isinstance(size, int) and size % parts:
            raise ShardingError(
                f"dimension {i} of {type} has size {size}, which the manual axes of {dim} "
                f"do not split into {parts} equal parts",
                hint="pad it first: manual axes never pad",
            )
        shape.append(size // parts if isinstance(size, int) else size)
    return type.with_shape(shape)


def global_type(type: TensorType, sharding: Sharding, manual: Sequence[str]) -> TensorType:
    """The tensor of which a device holds `type`, split along the manual axes only."""
    shape: list[Dimension] = []
    for i, (size, dim) in enumerate(zip(type.shape, sharding.dims, strict=True)):
        parts = _manual_size(dim, sharding.mesh, manual, i)
        if not isinstance(size, int) and parts > 1:
            raise ShapeError(f"dimension {i} of {type} is dynamic, so {dim} cannot split it")
        shape.append(size * parts if isinstance(size, int) else size)
    return type.with_shape(shape)


def _manual_size(dim: DimSharding, mesh: Mesh, manual: Sequence[str], position: int) -> int:
    parts, free = 1, None
    for axis in dim.axes:
        if axis.name not in manual:
            free = axis
        elif free is not None:
            raise ShardingError(
                f"{dim} of dimension {position} has the manual axis {axis} after {free}",
                hint="manual axes come before free ones",
            )
        else:
            parts *= axis.size(mesh)
    return parts
