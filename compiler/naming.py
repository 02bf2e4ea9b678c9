"""What a name may be: text that MLIR, JSON and protocol buffers all can hold."""

from __future__ import annotations

import keyword
import re
from typing import Any

from dxir.errors import DxirError
from dxir.locations import caller_location

_OP_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")
KEYWORDS = ("and", "or", "not")  # ops all the same, written with an underscore behind

MEANING = "dxir.stands_for"
"""The attribute of a kernel's custom call with the composite that it stands for."""


def function_name(op: str) -> str:
    """The name of an op in Python: `and_` for `and`, `acme_snake` for `acme.snake`."""
    return f"{op}_" if op in KEYWORDS else op.replace(".", "_")


def is_op_name(given: Any) -> bool:
    """Whether an op may be called so: an identifier, or with a namespace: `acme.snake`."""
    if not isinstance(given, str) or _OP_NAME.fullmatch(given) is None:
        return False
    if given.startswith("dxir."):  # the namespace of the plain names in programs
        return False
    return given in KEYWORDS or not any(map(keyword.iskeyword, given.split(".")))


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
