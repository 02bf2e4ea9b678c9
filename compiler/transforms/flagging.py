"""Which results of a region are batched, told before any of it is put down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.derivatives import taken
from dxir.graph import Region, Value
from dxir.transforms.registry import rules_for

__all__ = ["result_flags"]

_CALLEES = {"call": "callee", "composite": "decomposition", "checkpoint_call": "callee"}


def result_flags(
    region: Region, params: Sequence[bool], around: Callable[[Value], bool]
) -> list[bool]:
    """Which results of a region are batched, given which parameters are, and values of outside.

    What loops, branches and functions leave unbatched is; of other nodes with several results all
    are taken to be batched if one is.
    """
    return _Flags(around).of_region(region, params)


class _Flags:
    def __init__(self, around: Callable[[Value], bool]) -> None:
        self._around = around
        self._known: dict[Value, bool] = {}

    def _of(self, value: Value) -> bool:
        found = self._known.get(value)
        return self._around(value) if found is None else found

    def of_region(self, region: Region, params: Sequence[bool]) -> list[bool]:
        self._known.update(zip(region.params, params, strict=True))
        for node in region.nodes:
            self._known.update(zip(node.results, self._of_node(node), strict=True))
        return [self._of(r) for r in region.results]

    def _of_node(self, node: Any) -> list[bool]:
        if not any(self._of(v) for v in taken(node)):
            return [False] * len(node.results)
        given = [self._of(v) for v in node.operands]
        known = node.op in _CALLEES and rules_for(node) is None
        if known and node.attrs[_CALLEES[node.op]].sealed:
            return self.of_region(node.attrs[_CALLEES[node.op]], given)
        if node.op in ("cond", "switch") and not given[0]:
            return _any([self.of_region(r, ()) for r in node.regions])
        if node.op == "while_loop":
            return self._of_while(node, given)
        if node.op == "scan":
            return self._of_scan(node, given)
        return [True] * len(node.results)

    def _of_while(self, node: Any, flags: list[bool]) -> list[bool]:
        same = [r is p for r, p in zip(node.body.results, node.body.params, strict=True)]
        while True:
            apart = self.of_region(node.cond, flags)[0]
            found = self.of_region(node.body, flags)
            grown = [
                a or b or (apart and not s) for a, b, s in zip(flags, found, same, strict=True)
            ]
            if grown == flags:
                return flags
            flags = grown

    def _of_scan(self, node: Any, given: list[bool]) -> list[bool]:
        count = len(node.init)
        flags, xs = given[:count], given[count:]
        while True:
            found = self.of_region(node.body, [*flags, *xs])
            grown = [a or b for a, b in zip(flags, found, strict=False)]
            if grown == flags:
                return [*flags, *found[count:]]
            flags = grown


def _any(flags: Sequence[Sequence[bool]]) -> list[bool]:
    return [any(many) for many in zip(*flags, strict=True)]
