"""Docstrings as reStructuredText: they are plain text, with code between backticks and lists."""

import re
from collections.abc import Sequence

from sphinx.application import Sphinx

_CODE = re.compile(r"(`[^`]+`)")
_SPECIAL = re.compile(r"([*|\\]|_\b|\b_|(?<=\w)_(?!\w))")
_ITEM = re.compile(r"^(\s*)- ")


def as_restructured(lines: Sequence[str]) -> list[str]:
    """The lines of a docstring, in which nothing but code and lists means anything."""
    made: list[str] = []
    for line in lines:
        before = made[-1] if made else ""
        if _ITEM.match(line) and before.strip() and not _ITEM.match(before.lstrip("\\")):
            made += [] if before.startswith("  ") else [""]
        made.append("".join(map(_escaped, _CODE.split(line))))
    return made


def _escaped(part: str) -> str:
    return f"`{part}`" if _CODE.fullmatch(part) else _SPECIAL.sub(r"\\\1", part)


def process(_app: Sphinx, *told: object) -> None:
    """Rewrite the lines that autodoc has read, which are the last it tells of."""
    lines = told[-1]
    if isinstance(lines, list):
        lines[:] = as_restructured(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect it to Sphinx."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
