"""Ops that do something or not, on a batch: what has a side effect cannot be done and undone."""

from __future__ import annotations

from collections.abc import Iterable

from dxir.errors import TransformError
from dxir.graph import Node, Region
from dxir.transforms.activity import callees
from dxir.transforms.rule_errors import named_op

__all__ = ["refuse_effects"]

_SAID = frozenset(("sharding_group",))  # no effects when run: they are read by the compiler


def refuse_effects(node: Node) -> None:
    """Raise for an op whose predicate differs in the batch, if a region of it has an effect."""
    found = _effect(node.regions, set())
    if found is None:
        return
    raise TransformError(
        f"{node.op}: its predicate differs in the batch, so all elements run what is in it and "
        f"the results are selected; {named_op(found)}, which has a side effect, would run for "
        "elements that do not choose it",
        where=found.location or node.location,
        hint="take the effect out of it, or run the elements one by one with dxir.ops.map",
    )


def _effect(regions: Iterable[Region], seen: set[int]) -> Node | None:
    """The first node with a side effect of its own, in functions that are called as well."""
    for region in regions:
        if id(region) in seen:
            continue
        seen.add(id(region))
        for node in region.nodes:
            if not node.has_side_effect or node.op in _SAID:
                continue
            inner: list[Region] = [*node.regions, *callees(node)]
            found = _effect(inner, seen) if inner else node
            if found is not None:
                return found
    return None
