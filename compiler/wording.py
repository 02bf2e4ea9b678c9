"""Objects, numbers of things, bytes and seconds, as messages and tables say them."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Sequence


def shown(given: object, most: int = 60) -> str:
    """What something is, in a line of a message: its `repr`, cut, or its class.

    Objects whose `repr` tells no more than their address are named by their class.
    """
    text = " ".join(_SHORT.repr(given).split())
    if text.startswith("<") and " at 0x" in text:
        called = getattr(given, "__name__", None)
        return str(called) if isinstance(called, str) else f"a {type(given).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}..."


_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 3
_SHORT.maxlevel = 3
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def counted(count: int, noun: str) -> str:
    """A number of things: `1 file`, `2,000 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def size_text(size: int) -> str:
    """A number of bytes, in the largest unit that it has one of."""
    for exponent, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if abs(size) >> exponent:
            return f"{size / (1 << exponent):.4g} {unit}"
    return f"{size} bytes"


def time_text(seconds: float) -> str:
    """A time, in the largest unit that it has one of."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns"


def number_text(number: float | None, unit: str) -> str:
    """A number of bytes or seconds, with its unit."""
    if number is None:
        return "unknown"
    return size_text(int(number)) if unit == "bytes" else time_text(number)


def table_lines(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Rows of cells as lines, columns side by side; those in `right` stand at their right edge."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]).rstrip()
        for row in rows
    ]  # fmt: skip
