"""Files of several modules, split at markers as mlir-opt splits them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dxir.diagnostics import Diagnostic

MARKER = "// -----"
"""What separates the chunks of an input, and their outputs, when no other marker is given."""

STDIN = "<stdin>"
"""The name of the standard input in locations."""

_NEAR = 2  # a marker without its last two characters is a near miss


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of an input that is read as one module, or all of it.

    `name` is the input's name in locations, `whole` all of its data. `line` and `column`, from 1,
    say where in the input the chunk starts.
    """

    data: bytes
    name: str
    whole: bytes
    line: int = 1
    column: int = 1

    @property
    def placed(self) -> bytes:
        """The data behind as much blank space as puts it on its lines and columns of the input."""
        return b"\n" * (self.line - 1) + b" " * (self.column - 1) + self.data


def is_bytecode(data: bytes) -> bool:
    """Whether an input is MLIR bytecode, a portable artifact included."""
    if not data.startswith(b"ML"):  # text is not to wait for what reads artifacts to be imported
        return False
    from dxir import artifact

    return artifact.is_bytecode(data)


def whole_input(data: bytes, name: str) -> Chunk:
    """The chunk that is all of an input."""
    shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return Chunk(data, shown, data)


def split(data: bytes, name: str, marker: str | None = MARKER) -> list[Chunk]:
    """The chunks between markers, wherever in the text these stand, in comments and strings, too.

    What follows a marker on its line belongs to the next chunk. A marker followed by one more dash
    is none. Bytecode is one chunk, as everything is without a marker; no data has no chunks.
    """
    whole = whole_input(data, name)
    if not marker or is_bytecode(data):
        return [whole]
    chunks: list[Chunk] = []
    line, start, line_start = 1, 0, 0
    for end, following in _pieces(data, marker.encode()):
        # Nothing before a marker at the very start, or after one at the very end, is no chunk.
        if end > start or 0 < start < len(data):
            piece = data if end - start == len(data) else data[start:end]
            chunks.append(Chunk(piece, whole.name, data, line, start - line_start + 1))
        breaks = data.count(b"\n", start, following)
        if breaks:
            line += breaks
            line_start = data.rfind(b"\n", start, following) + 1
        start = following
    return chunks


def _pieces(data: bytes, marker: bytes) -> Iterator[tuple[int, int]]:
    """Where each chunk ends and the next one starts."""
    at = data.find(marker)
    while at >= 0:
        end = at + len(marker)
        if marker.endswith(b"-") and data.startswith(b"-", end):
            while data.startswith(b"-", end):
                end += 1
        else:
            yield at, end
        at = data.find(marker, end)
    yield len(data), len(data)


def near_misses(data: bytes, name: str, marker: str = MARKER) -> list[Diagnostic]:
    """A warning for everything in an input that is almost a marker."""
    from dxir.diagnostics import Diagnostic

    full = marker.encode()
    prefix = full[:-_NEAR]
    if not prefix or is_bytecode(data):
        return []
    markers = {start - len(full) for _, start in _pieces(data, full)}
    found: list[Diagnostic] = []
    line, counted = 1, 0
    at = data.find(prefix)
    while at >= 0:
        end = at + len(prefix)
        if at not in markers and data[at:] != full:
            line += data.count(b"\n", counted, end)
            counted = end
            column = end - data.rfind(b"\n", 0, end)
            where = f"{name}:{line}:{column}"
            said = "near miss with file split marker"
            found.append(Diagnostic("warning", said, where, code="SPLIT_MARKER_NEAR_MISS"))
        at = data.find(prefix, end)
    return found
