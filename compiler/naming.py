"""What a name may be: text that MLIR, JSON and protocol buffers all can hold."""

from __future__ import annotations

from typing import Any

from dxir.errors import DxirError
from dxir.locations import caller_location


def checked_name(given: Any, what: str, error: type[DxirError]) -> str:
    """`given`, when it is text; otherwise `error` at the user's line. `what` names it."""
    if isinstance(given, str):
        if given.isascii():
            return given
        try:
            given.encode()
        except UnicodeEncodeError:
            pass
        else:
            return given
    raise error(f"{what} must be a string of Unicode text, not {given!r}", where=caller_location())
