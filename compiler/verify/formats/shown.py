"""Text of modules as it can be shown: nothing in it moves the cursor, or hides what it says."""

from __future__ import annotations

import functools
import os
import re
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[ -~]*")


def shown(text: str) -> str:
    """One line of text, in which what has no shape of its own is shown as an escape.

    A terminal obeys control characters, and characters that turn the direction of writing make a
    line look like another one.
    """
    return text if _PLAIN.fullmatch(text) else "".join(map(_one, text))


def shown_lines(text: str) -> list[str]:
    """Text of several lines, each as it can be shown; at least one."""
    return [shown(line.rstrip("\r").replace("\t", "    ")) for line in text.split("\n")]


def shown_text(text: str) -> str:
    """Text of several lines as it can be shown."""
    return "\n".join(shown_lines(text))


def encoded(path: str) -> bytes:
    """The bytes of a path, for an address; a place may also name what can be no path."""
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-8", "replace")


@functools.cache
def _one(character: str) -> str:
    code = ord(character)
    if unicodedata.category(character) not in _HIDDEN:
        return character
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8
        code -= 0xDC00
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
