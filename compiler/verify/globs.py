"""Patterns of files, as `.gitignore` has them."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from dxir.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern of files below a folder; ConfigurationError for one that cannot be understood.

    `*` and `?` stand for anything but a slash, `**` for any folders. A pattern without a slash, or
    with one at its end only, fits a name anywhere below the folder. One that fits a folder fits all
    that is in it.
    """

    pattern: str
    folder: str = "."

    def __post_init__(self) -> None:
        _compiled(self.pattern)

    def matches(self, path: str) -> bool:
        """Whether a file, or a folder around it, fits."""
        try:
            found = os.path.relpath(path, self.folder).replace(os.sep, "/")
        except ValueError:  # on another drive
            return False
        return not found.startswith("../") and _compiled(self.pattern).fullmatch(found) is not None


def matches_any(path: str, globs: Iterable[Glob]) -> bool:
    """Whether a file fits one of the patterns."""
    return any(glob.matches(path) for glob in globs)


_PART = re.compile(r"\*\*/|/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|.", re.DOTALL)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    text = pattern.replace(os.sep, "/").removeprefix("./")
    anywhere = "" if "/" in text.rstrip("/") else "(?:.*/)?"
    parts = map(_translated, _PART.findall(text.strip("/")))
    try:
        return re.compile(anywhere + "".join(parts) + "(?:/.*)?", re.DOTALL)
    except re.error as error:
        raise ConfigurationError(
            f"the pattern {pattern!r} of files cannot be understood: {error.msg}",
            hint="in brackets stand characters, and ranges from a lower to a higher one",
        ) from None


def _translated(part: str) -> str:
    if part == "**/":
        return "(?:.*/)?"
    if part == "/**":
        return "/.*"
    if part.startswith("*"):
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if len(part) > 2 and part.startswith("["):
        negated = part.startswith("[!")
        inside = part[2 if negated else 1 : -1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[{'^' if negated else ''}{inside}]"
    return re.escape(part)
