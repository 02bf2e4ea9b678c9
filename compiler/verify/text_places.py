"""Where ops stand in text whose locations name other files, such as the user's Python.

Text that JAX prints has `loc("model.py":3:1)` behind each op, and MLIR then knows no other place of
it. The text is read once more with these blanked out, and both modules are walked side by side.
"""

from __future__ import annotations

import re

from dxir.diagnostics import collecting, where_of
from dxir.mlir import IrOperation, ir
from dxir.quoting import QUOTED
from dxir.reading import walk
from dxir.verify.finding import Place

_SKIPPED = rf"{QUOTED}|//[^\n]*"
_LOCATION = re.compile(
    rf"{_SKIPPED}|(?P<loc>(?:#[\w$.-]+\s*=\s*)?(?<![\w$.#%@!-])loc\s*\()".encode()
)
_BRACKET = re.compile(rf"{_SKIPPED}|[()]".encode())
_NOT_A_BREAK = re.compile(rb"[^\n]")


def without_locations(text: bytes) -> bytes:
    """The text with blanks instead of its locations: all else stays at its line and column."""
    pieces: list[bytes] = []
    start = at = 0
    while (found := _LOCATION.search(text, at)) is not None:
        at = found.end()
        if found["loc"] is not None:
            pieces.append(text[start : found.start()])
            at = start = _closed(text, at)
            pieces.append(_NOT_A_BREAK.sub(b" ", text[found.start() : start]))
    return b"".join([*pieces, text[start:]])


def has_locations(text: bytes) -> bool:
    """Whether there may be a location in the text; no is certain, and quick."""
    return b"loc" in text and re.search(rb"\bloc\s*\(", text) is not None


def places_in(module: ir.Module, text: bytes, name: str) -> dict[IrOperation, Place]:
    """The places of all ops of a module in the text it was read from, a file of that name.

    None at all, when the text does not read as the same module without its locations.
    """
    with collecting(module.context):
        try:
            plain = ir.Module.parse(without_locations(text).decode("utf-8"), module.context)
        except (ir.MLIRError, ValueError):
            return {}  # a location is the value of an attribute
    ops, others = _ops(module), _ops(plain)
    if [op.name for op in ops] != [op.name for op in others]:
        return {}
    found: dict[IrOperation, Place] = {}
    for op, other in zip(ops, others, strict=True):
        place = Place.of(where_of(other.location), name)
        found[op] = Place(name, place.line, place.column)
    return found


def _closed(text: bytes, at: int) -> int:
    """Where what is in brackets ends that are open since just before."""
    depth = 1
    while depth:
        found = _BRACKET.search(text, at)
        if found is None:
            return len(text)
        at = found.end()
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
    return at


def _ops(module: ir.Module) -> list[IrOperation]:
    found: list[IrOperation] = []
    walk(module, lambda op: found.append(op.operation))
    return found
