"""Numbers of things, bytes and seconds, as messages and tables say them."""

from __future__ import annotations


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
