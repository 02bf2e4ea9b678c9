"""Computing at once: regions whose values are worked out by the references of their ops.

An op on arrays of numbers, where no graph is being built, is a node in such a region like any
other; so are the nodes that transforms put down there. A value is computed when it is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir.derivatives import captured
from dxir.evaluation import Evaluator
from dxir.graph import Function, Node, Region, Value
from dxir.types import Type


class EagerRegion(Function):
    """A function that is never finished; `numbers` has what its values are, as far as is known."""

    __slots__ = ("numbers",)

    def __init__(self) -> None:
        super().__init__("eager", public=False)
        self.numbers: dict[Value, Any] = {}

    def given(self, type: Type, numbers: np.ndarray[Any, Any]) -> Value:
        """A value of the region for an array of numbers."""
        value = Value(type, None, len(self.numbers), self)
        self.numbers[value] = numbers
        return value

    def computed(self, value: Value) -> Any:
        """The numbers of a value, after those of all that it depends on."""
        pending = [value]
        with np.errstate(all="ignore"):
            while pending:
                current = pending[-1]
                node = current.producer
                if current in self.numbers or node is None:
                    pending.pop()
                    continue
                missing = [v for v in _sources(node) if v not in self.numbers]
                if missing:
                    pending += missing
                    continue
                Evaluator().run(node, self.numbers)
                pending.pop()
        return self.numbers[value]


def _sources(node: Node) -> list[Value]:
    return [*node.operands, *captured(node.regions)] if node.regions else list(node.operands)


def eager_region(region: Region | None) -> EagerRegion | None:
    """The region itself, where it is one that computes at once."""
    return region if isinstance(region, EagerRegion) else None
