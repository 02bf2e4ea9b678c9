"""What a pass may spend, and what is said of one that does not end."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass

from dxir.errors import PassError

_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """What one pass may take: wall time in seconds, rewrites, growth as a factor of ops.

    None is no limit. A native pass cannot be stopped halfway; it is measured when it is done. By
    default a pass may make two million rewrites.
    """

    seconds: float | None = None
    rewrites: int | None = 2_000_000
    growth: float | None = None


class Budget:
    """The limits of one pass, and what it has spent of them."""

    __slots__ = ("_deadline", "_last", "_pass", "limits", "rewrites")

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self._pass = name
        self.limits = limits or Limits()
        self.rewrites: Counter[str] = Counter()
        self._last: deque[str] = deque(maxlen=_REMEMBERED)
        seconds = self.limits.seconds
        self._deadline = None if seconds is None else time.perf_counter() + seconds

    def spend(self, pattern: str) -> None:
        """Count one rewrite of a pattern; PassError when the pass has made too many, or is late."""
        self.rewrites[pattern] += 1
        self._last.append(pattern)
        total = self.rewrites.total() if self.limits.rewrites is not None else 0
        if self.limits.rewrites is not None and total > self.limits.rewrites:
            raise self._runaway(f"made more than {self.limits.rewrites} rewrites")
        self.check_time()

    def check_time(self) -> None:
        """PassError when the pass has run for longer than it may."""
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise self._runaway(f"ran for more than {self.limits.seconds:g} s")

    def check_took(self, seconds: float) -> None:
        """PassError when the pass has taken more time than it may."""
        if self.limits.seconds is not None and seconds > self.limits.seconds:
            raise self._runaway(f"ran for {seconds:.3g} s, more than {self.limits.seconds:g} s")

    def check_growth(self, before: int, after: int) -> None:
        """PassError when the module grew by more than it may; `before` and `after` count ops."""
        growth = self.limits.growth
        if growth is not None and after > growth * max(before, 1):
            raise self._runaway(f"made {after} ops of {before}, more than {growth:g} times as many")

    def _runaway(self, what: str) -> PassError:
        last = Counter(self._last).most_common(4)
        names = ", ".join(f"{name} ({count})" for name, count in last)
        said = f"; its last {len(self._last)} rewrites were of {names}" if last else ""
        hint = "give it more (Limits, --pass-budget), or report the module to who wrote the pass"
        if len(last) > 1:
            hint = "patterns that undo each other never end; " + hint
        return PassError(f"the pass {self._pass} {what}{said}", hint=hint)
