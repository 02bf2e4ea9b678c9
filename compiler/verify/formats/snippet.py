"""A line of a file, and where in it something is."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from dxir.verify.formats.lines import marked_in
from dxir.verify.formats.shown import shown

_CUT = "..."


@dataclass(frozen=True, slots=True)
class Snippet:
    """A line as it is shown, and the cells under which the marks stand.

    `marked` is 0 where nothing is marked.
    """

    text: str
    before: int
    marked: int


def snippet(line: bytes, column: int, width: int) -> Snippet:
    """A line in at most so many cells; what stands far from the column is cut off."""
    width = max(width, 20)
    near = marked_in(line, column, width)
    left, inside, right = map(_shown, (near.before, near.word, near.after))
    whole = left + inside + right
    if near.is_start and near.is_end and cell_len(whole) <= width:
        return Snippet(whole.rstrip(), cell_len(left), _marked(inside, column))
    room = width - 2 * len(_CUT)
    most = room - room // 4
    is_cut = not near.is_end or cell_len(inside) > most
    if cell_len(inside) > most:
        inside, right = _start(inside, most), ""
    kept = max(room - most, room - cell_len(inside + right))
    if not near.is_start or cell_len(left) > kept:
        left = _CUT + _end(left, kept)
    before = cell_len(left + inside)
    if is_cut or before + cell_len(right) > width:
        right = _start(right, width - before - len(_CUT)) + _CUT
    return Snippet((left + inside + right).rstrip(), cell_len(left), _marked(inside, column))


def _marked(inside: str, column: int) -> int:
    return max(cell_len(inside), 1) if column else 0


def _shown(text: str) -> str:
    return shown(text.replace("\t", "    "))


def _start(text: str, cells: int) -> str:
    return text if cell_len(text) <= cells else set_cell_size(text, cells)


def _end(text: str, cells: int) -> str:
    return _start(text[::-1], cells)[::-1]
