"""Whether two groups of ops would have the same decomposition."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.marks import MARKS
from dxir.mlir import IrOperation, IrValue
from dxir.passes.coarsening.group import Group
from dxir.pattern.tensors import combines_by
from dxir.reading import attribute, attribute_names


def key_of(
    group: Group,
    inputs: Sequence[IrValue],
    originals: Sequence[IrOperation],
    results: Sequence[IrValue],
) -> tuple[object, ...] | None:
    """What groups have in common for which one decomposition serves; None for one of its own.

    Places in the source are no part of it.
    """
    places: dict[IrValue, int] = {}
    for value in inputs:
        places.setdefault(value, len(places))
    parts: list[object] = [group.name, group.attributes, *(v.type for v in inputs)]
    for op in (*originals, *group.ops):
        body = ""
        if len(op.regions):
            body = combines_by(op)
            if not body:
                return None
        attributes = [(n, attribute(op, n)) for n in attribute_names(op) if n not in MARKS]
        if any(value is None for _, value in attributes):
            return None
        operands = [places.get(value, -1) for value in op.operands]
        types = [r.type for r in op.results]
        for result in op.results:
            places[result] = len(places)
        parts.append((op.name, body, tuple(attributes), tuple(operands), tuple(types)))
    return (*parts, tuple([places[value] for value in inputs]), tuple([places[r] for r in results]))
