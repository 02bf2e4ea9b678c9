"""Names and strings as MLIR's text has them: in quotes, their bytes escaped one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

QUOTED = r'"(?:[^"\\]++|\\(?s:.))*+"'
"""The pattern of a string in quotes."""

_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|(?s:.))")
_SPECIAL = {b"n": b"\n", b"t": b"\t"}
_TO_ESCAPE = re.compile(rb"[^ !#-\[\]-~]")
_REFERENCE = re.compile(rf"@({QUOTED}|[\w$.-]+)|{QUOTED}")


def unescaped_bytes(data: bytes) -> bytes:
    """What stands between two quotes, with every escape the byte it stands for."""

    def one(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes.fromhex(code.decode()) if len(code) == 2 else _SPECIAL.get(code, code)

    return _ESCAPE.sub(one, data) if b"\\" in data else data


def unescaped(text: str) -> str:
    """What stands between two quotes as the text it means; U+FFFD for what is not UTF-8."""
    if "\\" not in text:
        return text
    # Bytes were escaped one by one: they are put together before they are characters again.
    return unescaped_bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")


def unquoted(token: str) -> str:
    """The name that a token is: a word as it stands, or a string in quotes."""
    return unescaped(token[1:-1]) if token.startswith('"') else token


def quoted(text: str) -> str:
    """The text as a string in quotes, as MLIR prints it."""

    def one(match: re.Match[bytes]) -> bytes:
        return b"\\\\" if match[0] == b"\\" else b"\\%02X" % match[0][0]

    data = text.encode("utf-8", "surrogateescape")
    return f'"{_TO_ESCAPE.sub(one, data).decode("ascii")}"'


def references_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a symbol is named in the text of an attribute, from `@` on, and which.

    Every part of a nested reference is one; what stands within strings is none.
    """
    if "@" in text:
        for match in _REFERENCE.finditer(text):
            if match[1] is not None:
                yield match.start(), match.end(), unquoted(match[1])


def symbols_in(text: str) -> list[str]:
    """The symbols that the text of an attribute names, in order."""
    return [name for _, _, name in references_in(text)]
