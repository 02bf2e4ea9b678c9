"""Where a backend begins to give other values: an op, its operands, and both results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.op import Op
from dxir.printing import attributes_text
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
    `text` is the op with attributes and types. For a loop, a branch or a composite, `inside` has
    the ops that are wrong in there, and `iteration` is the first one that is wrong, from 0.
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
    text: str = ""
    iteration: int | None = None
    inside: tuple[Divergence, ...] = ()

    def __str__(self) -> str:
        place = f" at {self.where}" if self.where else ""
        lines = [f"{self.backend} diverges first in {self.text or self.op}{place}"]
        if self.iteration is not None:
            lines.append(f"  in iteration {self.iteration}, counted from 0")
        lines += [f"  operand {i}: {operand}" for i, operand in enumerate(self.operands)]
        lines.append(f"  {self.backend} gives {summary(self.given)}")
        lines.append(f"  expected {summary(self.expected)}")
        lines += [
            f"    [{', '.join(map(str, e.index))}]: {e.actual} instead of {e.expected}"
            for e in self.judged.examples[:3]
            if e.index
        ]
        if self.alone is not None:
            lines.append(
                "  the op alone, on these operands, is wrong too"
                if self.alone
                else "  the op alone is right: it goes wrong among the ops around it"
            )
        lines += [f"  known fault: {fault}" for fault in self.faults]
        for inner in self.inside[:1]:
            lines += ["  inside:", *(f"    {line}" for line in str(inner).splitlines())]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """What there is to say, as JSON takes it; large arrays by their first elements."""
        return {
            "backend": self.backend,
            "op": self.op,
            "text": self.text,
            "where": self.where,
            "operands": [{"type": o.type, "values": summary(o.values)} for o in self.operands],
            "result": self.result,
            "given": summary(self.given),
            "expected": summary(self.expected),
            "off": self.judged.off,
            "elements": self.judged.elements,
            "alone": self.alone,
            "faults": list(self.faults),
            "iteration": self.iteration,
            "inside": [inner.to_json() for inner in self.inside],
        }


def operands_of(node: Op, values: dict[Any, Any]) -> tuple[Operand, ...]:
    """What a node was given, as far as it is tensors."""
    return tuple(
        Operand(str(v.type), np.asarray(values[v]))
        for v in node.operands
        if v in values and isinstance(v.type, TensorType)
    )


def text_of(node: Op) -> str:
    """A node as one line: its name, what it takes, its attributes and what it gives."""
    takes = ", ".join(str(v.type) for v in node.operands)
    attributes = attributes_text(node.attrs)
    gives = ", ".join(str(v.type) for v in node.results)
    return f"{node.op}({takes}){f' {{{attributes}}}' if attributes else ''} : {gives}"


def summary(array: Array) -> str:
    """The elements of an array, the first of them where there are many."""
    flat = array.ravel()
    shown = ", ".join(text(x) for x in flat[:_SHOWN])
    if array.size > _SHOWN:
        return f"[{shown}, ... {array.size - _SHOWN} more]"
    return f"[{shown}]" if array.ndim else shown
