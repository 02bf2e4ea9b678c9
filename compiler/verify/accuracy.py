"""How exact a function is to be, which what stands in its place is to be, too."""

from __future__ import annotations

from dxir.mlir import IrAttribute, IrOperation
from dxir.reading import attribute

_NAME = "result_accuracy"


def accuracy_of(op: IrOperation) -> dict[str, IrAttribute]:
    """What an op says of its accuracy, as attributes of another."""
    said = attribute(op, _NAME)
    return {} if said is None else {_NAME: said}
