"""What to say about an element type that there is not, or that is used as a function."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from dxir.errors import DTypeError
from dxir.locations import caller_location


def no_dtype(given: object, names: Sequence[str]) -> DTypeError:
    """The error about what names no element type; `names` are those that there are."""
    if isinstance(given, int) and not isinstance(given, bool):
        hint = f"a shape is one tuple: (2, {given})"
    else:
        text = given if isinstance(given, str) else ""
        near = get_close_matches(re_spelled(text), names, n=2, cutoff=0.5) if text else []
        hint = f"use one of {', '.join(names)} or a NumPy dtype"
        if near:
            hint = f"did you mean {' or '.join(near)}?"
    return DTypeError(
        f"{given!r} is not an element type of StableHLO", where=caller_location(), hint=hint
    )


def bytes_or_bits(given: str, in_bytes: str) -> DTypeError:
    """The error about a name such as "u8", whose number NumPy counts in bytes and dxir in bits."""
    return DTypeError(
        f"{given!r} is ambiguous: its number is one of bytes in NumPy, and of bits in dxir",
        where=caller_location(),
        hint=f"NumPy's {given} is {in_bytes} here",
    )


def re_spelled(name: str) -> str:
    """A name of an element type as dxir would write it: `float33` is `f33`."""
    for other, own in (("bfloat", "bf"), ("float", "f"), ("uint", "ui"), ("int", "i")):
        if name.startswith(other):
            return own + name.removeprefix(other)
    return name


def refuse_call(dtype: object, *_: object) -> NoReturn:
    """Raise for an element type that is called, as NumPy's are."""
    raise DTypeError(
        f"{dtype} is an element type, and is not called",
        where=caller_location(),
        hint=f"a type of arrays is dxir.{dtype}[2, 3]; an array is dxir.numpy.asarray(x, "
        f"dtype=dxir.{dtype})",
    )
