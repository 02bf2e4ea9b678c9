"""Structured attribute values that ops carry, free of MLIR."""

from __future__ import annotations

from dataclasses import dataclass

from dxir.sharding import AxisRef, Mesh
from dxir.types import DType


@dataclass(frozen=True, slots=True)
class DotAlgorithm:
    """How a `dot_general` computes, as StableHLO's `dot_algorithm` says it."""

    lhs_precision_type: DType
    rhs_precision_type: DType
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
    """A communication channel: its number, and its type (0 device to device, 1 across hosts...)."""

    handle: int
    type: int = 0


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


@dataclass(frozen=True, slots=True)
class SymbolRef:
    """A reference to a symbol by name, inside an attribute dictionary."""

    name: str


@dataclass(frozen=True, slots=True)
class RawAttribute:
    """An attribute of another producer that dxir has no word for, kept as MLIR text."""

    text: str
