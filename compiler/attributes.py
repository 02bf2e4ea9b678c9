"""Structured attribute values that ops carry, free of MLIR."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import AttributeValueError
from dxir.locations import caller_location
from dxir.sharding import AxisRef, Mesh, check_axes
from dxir.types import DType


@dataclass(frozen=True, slots=True)
class DotAlgorithm:
    """How a `dot_general` computes, as StableHLO's `dot_algorithm` says it.

    The precision types may also be `"tf32"`, which no tensor has.
    """

    lhs_precision_type: DType | str
    rhs_precision_type: DType | str
    accumulation_type: DType
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


@dataclass(frozen=True, slots=True)
class ResultAccuracy:
    """The accuracy a unary op must have: `mode` is DEFAULT, HIGHEST or TOLERANCE."""

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0
    mode: str = "DEFAULT"


@dataclass(frozen=True, slots=True)
class ChannelHandle:
    """A communication channel: its number, and its type.

    The types are XLA's: 0 not said, 1 device to device, 2 device to host, 3 host to device.
    """

    handle: int
    type: int = 0

    def __post_init__(self) -> None:
        given: tuple[Any, ...] = (self.handle, self.type)
        for number in given:
            if not isinstance(number, int) or not -(1 << 63) <= number < 1 << 63:
                raise AttributeValueError(
                    f"a channel has the number or type {number!r}",
                    where=caller_location(),
                    hint="it must be an integer of 64 bits",
                )


@dataclass(frozen=True, slots=True)
class OutputOperandAlias:
    """A result of a custom call that shares the buffer of an operand."""

    output_tuple_indices: tuple[int, ...]
    operand_index: int
    operand_tuple_indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MeshAxesGroups:
    """Replica groups given as axes of a mesh instead of lists of ids (StableHLO 1.13 and later)."""

    mesh: Mesh
    axes: tuple[AxisRef, ...]

    def __init__(self, mesh: Mesh, axes: Iterable[str | AxisRef]) -> None:
        found = tuple(AxisRef.of(a) for a in ((axes,) if isinstance(axes, str) else axes))
        check_axes(mesh, found, "replica groups")
        object.__setattr__(self, "mesh", mesh)
        object.__setattr__(self, "axes", found)

    @property
    def size(self) -> int:
        """The number of devices in a group."""
        count = 1
        for axis in self.axes:
            count *= axis.size(self.mesh)
        return count

    def __repr__(self) -> str:
        return f"<@{self.mesh.name}, {{{', '.join(map(repr, self.axes))}}}>"


@dataclass(frozen=True, slots=True)
class SymbolRef:
    """A reference to a symbol by name, inside an attribute dictionary."""

    name: str


@dataclass(frozen=True, slots=True)
class RawAttribute:
    """An attribute of another producer that dxir has no word for, kept as MLIR text."""

    text: str


@dataclass(frozen=True, slots=True)
class DenseArray:
    """MLIR's `array<i32: 1, 2>` inside an attribute dictionary: numbers without a shape.

    `dtype` is one of i1, i8, i16, i32, i64, f32 and f64.
    """

    dtype: str
    values: tuple[bool | int | float, ...]


@dataclass(frozen=True, slots=True)
class OpShardingRule:
    """How an op passes shardings on: an annotation `sdy.sharding_rule` of custom calls.

    Every dimension of every operand and result is made of factors, major first, given by their
    numbers; dimensions with a factor in common are sharded alike. `factor_sizes` are their sizes.
    """

    factor_sizes: tuple[int, ...]
    operands: tuple[tuple[tuple[int, ...], ...], ...]
    results: tuple[tuple[tuple[int, ...], ...], ...]
    reduction_factors: tuple[int, ...] = ()
    need_replication_factors: tuple[int, ...] = ()
    permutation_factors: tuple[int, ...] = ()
    blocked_propagation_factors: tuple[int, ...] = ()
    is_custom: bool = True


def frozen(value: Any) -> Any:
    """A hashable stand-in that is equal for equal values only: 0.0 is not -0.0, 1 is not True."""
    if isinstance(value, Mapping):
        return tuple([(k, frozen(v)) for k, v in sorted(value.items())])
    if isinstance(value, (tuple, list)):
        return tuple([frozen(v) for v in value])
    if isinstance(value, (np.ndarray, np.generic)):
        return (str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, float):
        return ("float", struct.pack("d", value))
    return (value.__class__, value)
