"""What rules ask of the ops around the one they look at."""

from __future__ import annotations

from collections.abc import Iterable

from dxir.mlir import IrOperation, IrValue
from dxir.pipeline.rewriting import Make
from dxir.reading import annotations_of, same


def maker(make: Make, position: int, names: Iterable[str]) -> IrOperation | None:
    """The op of one of these names that makes an operand, when the rule's op may take its place.

    It may not where the other is annotated (with a sharding, say), and the op is not annotated
    alike: what is said there would be lost with it.
    """
    name, found = make.makers[position]
    if found is None or name not in names:
        return None
    return found if not len(found.attributes) or _says_nothing_else(found, make.to) else None


def _says_nothing_else(inner: IrOperation, outer: IrOperation) -> bool:
    said = annotations_of(inner)
    if not said:
        return True
    kept = annotations_of(outer)
    return all(same(value, kept.get(name)) for name, value in said.items())


def fitting(op: IrOperation, value: IrValue) -> IrValue | None:
    """The value, when it can replace the op's only result: when it has the very same type."""
    return value if value.type == op.results[0].type else None
