"""The lines of files that findings are at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from dxir.chunks import is_bytecode
from dxir.quoting import QUOTED
from dxir.verify.finding import Place

_SOURCES = frozenset({".py", ".pyi", ".mlir", ".jl", ".cc", ".cpp", ".h", ".rs"})

_WORD = re.compile(rf"{QUOTED}|[%@!#^]?[\w$.]+(?:[-:#][\w$]+)*")

_LARGEST = 256 << 20
_KEPT = 4
_KEPT_LINES = 1_000_000


class Lines:
    """Lines of the files that were checked, and of the sources they were made from.

    A module can name any file in its locations. What is shown ends up where others read it, so that
    only sources below the root are shown, and nothing hidden: no keys, no settings of git.
    """

    def __init__(self, checked: Iterable[str], held: Mapping[str, bytes], root: Path) -> None:
        self._checked = frozenset(checked)
        self._held = held
        self._root = root.resolve()
        self._read: dict[str, list[bytes]] = {}

    def at(self, place: Place) -> bytes | None:
        """The line of a place, without its end; None where there is no such line to show.

        MLIR counts columns in bytes: which character is meant, only the bytes tell.
        """
        if place.line < 1:
            return None
        lines = self._of(place.file)
        return lines[place.line - 1].rstrip(b"\r") if place.line <= len(lines) else None

    def _of(self, name: str) -> list[bytes]:
        found = self._read.get(name)
        if found is None:
            try:
                data = self._bytes(name)
            except (OSError, ValueError):  # ValueError: a NUL in the name
                data = None
            found = [] if data is None or is_bytecode(data) else data.split(b"\n")
            if len(self._read) >= _KEPT or sum(map(len, self._read.values())) > _KEPT_LINES:
                del self._read[next(iter(self._read))]
            self._read[name] = found
        return found

    def _bytes(self, name: str) -> bytes | None:
        if name in self._held:
            return self._held[name]
        path = Path(name)
        if not (name in self._checked or self._is_shown(path)):
            return None
        return path.read_bytes() if path.is_file() and path.stat().st_size <= _LARGEST else None

    def _is_shown(self, path: Path) -> bool:
        resolved = path.resolve()
        if not resolved.is_relative_to(self._root) or resolved.suffix not in _SOURCES:
            return False
        return not any(part.startswith(".") for part in resolved.relative_to(self._root).parts)


class Marked(NamedTuple):
    """A word of a line, and what is near it; `before` and `after` may not be all there is."""

    before: str
    word: str
    after: str
    is_start: bool
    is_end: bool


def marked_in(line: bytes, column: int, near: int) -> Marked:
    """The word of a line that starts at a column, and about so many characters on each side.

    Only what is near is looked at: a line can be as long as a file.
    """
    at = min(max(column - 1, 0), len(line))
    start, end = max(at - 4 * near, 0), at + 8 * near
    while start < at and line[start] & 0xC0 == 0x80:  # within a character
        start += 1
    before = line[start:at].decode("utf-8", "replace")
    after = line[at:end].decode("utf-8", "replace")
    word = _WORD.match(after)
    length = word.end() if word else min(1, len(after))
    is_start = start == 0 and len(before) <= near
    return Marked(before[-near:], after[:length], after[length:], is_start, end >= len(line))


def columns_of(line: bytes, column: int) -> tuple[int, int]:
    """The columns, from 1 and in characters, from which and to which a place is marked."""
    start = len(line[: max(column - 1, 0)].decode("utf-8", "replace")) + 1
    return start, start + len(marked_in(line, column, 1024).word)
