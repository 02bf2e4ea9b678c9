"""What the user of reverse mode chooses about loops."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import TransformError
from dxir.locations import caller_location

__all__ = ["LoopOptions", "current_options", "using"]


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """How reverse mode goes through loops.

    `loops` says what is kept of each step for the way back: "stored" all that the derivative
    needs, "recomputed" only the state each step begins with, and a number that many states along
    the whole loop, between which the steps run once more. `max_trip_count` bounds loops whose
    number of steps is not known: room for that many is made, and cotangents are NaN if there were
    more.
    """

    loops: str | int = "stored"
    max_trip_count: int | None = None

    def __post_init__(self) -> None:
        if self.loops not in ("stored", "recomputed") and not _is_count(self.loops):
            raise TransformError(
                f"loops is {self.loops!r}",
                where=caller_location(),
                hint='it must be "stored", "recomputed", or how many states to keep',
            )
        if self.max_trip_count is not None and not _is_count(self.max_trip_count):
            raise TransformError(
                f"max_trip_count is {self.max_trip_count!r}",
                where=caller_location(),
                hint="it must be a number of steps; leave it out where there is no bound",
            )


def _is_count(given: Any) -> bool:
    return is_integer(given) and given > 0


def is_integer(given: Any) -> bool:
    """Whether something is an integer, of Python or of NumPy, and no truth value."""
    return isinstance(given, (int, np.integer)) and not isinstance(given, bool)


_current: ContextVar[LoopOptions] = ContextVar("dxir_options", default=LoopOptions())  # noqa: B039


def current_options() -> LoopOptions:
    """The options that transforms go by here."""
    return _current.get()


@contextmanager
def using(options: LoopOptions) -> Generator[None]:
    """Let transforms made inside go by `options`."""
    reset = _current.set(options)
    try:
        yield
    finally:
        _current.reset(reset)
