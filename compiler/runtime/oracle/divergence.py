"""Where a backend begins to give other values: an op, its operands, and both results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.op import Op
from dxir.runtime.oracle.policy import Judged, text
from dxir.types import TensorType

Array = np.ndarray[Any, Any]
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Operand:
    """What an op was given: its type, and its values."""

    type: str
    values: Array

    def __str__(self) -> str:
        return f"{self.type} {summary(self.values)}"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first op whose result is not what its operands make it.

    `given` is what the backend gave for the `result`-th result, `expected` what the judge makes of
    the same operands; `judged` says how far apart they are. `alone` tells whether the backend gets
    the op wrong by itself, on these operands (None where that was not tried); otherwise it goes
    wrong only among the ops around it. `faults` are the ids of known faults that explain it.
    """

    backend: str
    op: str
    where: str | None
    operands: tuple[Operand, ...]
    result: int
    given: Array
    expected: Array
    judged: Judged
    alone: bool | None = None
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f" at {self.where}" if self.where else ""
        lines = [f"{self.backend} diverges first in {self.op}{place}"]
        lines += [f"  operand {i}: {operand}" for i, operand in enumerate(self.operands)]
        lines.append(f"  {self.backend} gives {summary(self.given)}")
        lines.append(f"  expected {summary(self.expected)}")
        lines += [
            f"    [{', '.join(map(str, e.index))}]: {e.actual} instead of {e.expected}"
            for e in self.judged.examples[:3]
        ]
        if self.alone is not None:
            lines.append(
                "  the op alone, on these operands, is wrong too"
                if self.alone
                else "  the op alone is right: it goes wrong among the ops around it"
            )
        lines += [f"  known fault: {fault}" for fault in self.faults]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """What there is to say, as JSON takes it; large arrays by their first elements."""
        return {
            "backend": self.backend,
            "op": self.op,
            "where": self.where,
            "operands": [{"type": o.type, "values": summary(o.values)} for o in self.operands],
            "result": self.result,
            "given": summary(self.given),
            "expected": summary(self.expected),
            "off": self.judged.off,
            "elements": self.judged.elements,
            "alone": self.alone,
            "faults": list(self.faults),
        }


def operands_of(node: Op, values: dict[Any, Any]) -> tuple[Operand, ...]:
    """What a node was given, as far as it is tensors."""
    return tuple(
        Operand(str(v.type), np.asarray(values[v]))
        for v in node.operands
        if v in values and isinstance(v.type, TensorType)
    )


def summary(array: Array) -> str:
    """The elements of an array, the first of them where there are many."""
    flat = array.ravel()
    shown = ", ".join(text(x) for x in flat[:_SHOWN])
    if array.size > _SHOWN:
        return f"[{shown}, ... {array.size - _SHOWN} more]"
    return f"[{shown}]" if array.ndim else shown
