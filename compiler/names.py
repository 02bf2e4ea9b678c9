"""Names in modules from outside: the bindings end the process over one that is not UTF-8."""

from __future__ import annotations

import re

from dxir.errors import ParseError
from dxir.mlir import ir
from dxir.quoting import QUOTED, unescaped_bytes

_STRING = re.compile(QUOTED.encode())
_HIGH = re.compile(rb"\\[89A-Fa-f][0-9A-Fa-f]")


def may_hold_bytes(data: bytes) -> bool:
    """Whether MLIR text spells out bytes, which may be none of UTF-8."""
    return b"\\" in data and _HIGH.search(data) is not None


def check_names(module: ir.Module, source: str) -> None:
    """Raise ParseError for a name of a symbol, attribute, axis or place that is not UTF-8.

    Attribute values may hold any bytes, as the configurations of kernels do.
    """
    text = module.operation.get_asm(
        binary=True, enable_debug_info=True, large_elements_limit=16, large_resource_limit=0
    )
    assert isinstance(text, bytes)
    if not may_hold_bytes(text):
        return
    for token in _STRING.finditer(text):
        if may_hold_bytes(token[0]) and not _is_text(token[0]) and not _is_value(text, token):
            raise ParseError(
                f"the name {token[0].decode('utf-8', 'replace')} is not UTF-8",
                where=source,
                hint="names of functions, attributes, axes and places are UTF-8; only the values "
                "of attributes may hold other bytes",
            )


def _is_text(token: bytes) -> bool:
    try:
        unescaped_bytes(token).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_value(text: bytes, token: re.Match[bytes]) -> bool:
    line = text.rfind(b"\n", 0, token.start()) + 1
    if text.startswith(b"#loc", line):
        return False
    before = text[line : token.start()].rstrip()[-1:]
    after = text[token.end() : token.end() + 2].lstrip()[:1]
    return before == b"=" or (before in (b"[", b",") and after in (b"]", b","))
