"""What two programs do not share: functions, ops, attributes, meshes, and what they cost."""

from dxir.differences.comparing import difference
from dxir.differences.records import (
    Change,
    CostChange,
    Difference,
    FunctionDifference,
    OpDifference,
    OpText,
)

__all__ = [
    "Change",
    "CostChange",
    "Difference",
    "FunctionDifference",
    "OpDifference",
    "OpText",
    "difference",
]
