"""Which results of a region are batched, told before any of it is put down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.derivatives import taken
from dxir.graph import Function, Region, Value
from dxir.transforms.rules import By, Mode, resolve

__all__ = ["Flagging", "RegionFlags"]

RegionFlags = Callable[[Region, Sequence[bool]], list[bool]]
"""Which results of a region are batched, given which of its parameters are."""


class Flagging:
    """One walk, in which each op says by `batch_flags` what it leaves unbatched.

    `around` says which values of outside are batched, `expansion` what a Derived op expands to.
    """

    def __init__(
        self, around: Callable[[Value], bool], expansion: Callable[[Any], Function]
    ) -> None:
        self._around = around
        self._known: dict[Value, bool] = {}
        self.expansion = expansion

    def region(self, region: Region, params: Sequence[bool]) -> list[bool]:
        """Which results of a region are batched, given which of its parameters are."""
        self._known.update(zip(region.params, params, strict=True))
        for node in region.nodes:
            self._known.update(zip(node.results, self._of_node(node), strict=True))
        return [self._of(r) for r in region.results]

    def _of(self, value: Value) -> bool:
        found = self._known.get(value)
        return self._around(value) if found is None else found

    def _of_node(self, node: Any) -> Sequence[bool]:
        if not any(self._of(v) for v in taken(node)):
            return [False] * len(node.results)
        by = resolve(node, Mode.BATCHING).by
        if by is By.NAME:
            return [True] * len(node.results)
        given = [self._of(v) for v in node.operands]
        if by is By.EXPANSION:
            return self.region(self.expansion(node), given)
        found: Sequence[bool] = node.batch_flags(given, self)
        return found
