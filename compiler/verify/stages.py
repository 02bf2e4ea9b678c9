"""What a process that checks files does at the moment, in memory that outlives it."""

from __future__ import annotations

import mmap
from collections.abc import Iterable

STARTING, READING_FILE, READING, LOOKING, TELLING = (
    "starting",
    "reading the file",
    "reading and verifying the module",
    "looking at the module",
    "telling what was found",
)
"""What it does when no rule looks at anything."""

_FIXED = (STARTING, READING_FILE, READING, LOOKING, TELLING)


class Board:
    """The stage that a process is in, and the part; whoever was forked with it sees it, too."""

    def __init__(self, rules: Iterable[str] = ()) -> None:
        self._stages = (*_FIXED, *rules)
        self._numbers = {stage: number for number, stage in enumerate(self._stages)}
        self._shared = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("I")

    def enter(self, stage: str) -> None:
        """Say what is done from now on: one of the stages above, or the id of a rule."""
        self._shared[0] = self._numbers.get(stage, 0)

    def begin_part(self) -> None:
        """Say that another part of a file is looked at from now on."""
        self._shared[1] = (self._shared[1] + 1) & 0xFFFFFFFF

    @property
    def part(self) -> int:
        """A number that is another one for the next part."""
        return self._shared[1]

    @property
    def stage(self) -> str:
        """What is done now, or was done last; `rule` has the id, where it is one."""
        number = self._shared[0]  # a process that was brought down may have left anything
        return self._stages[number] if number < len(self._stages) else STARTING

    @property
    def rule(self) -> str | None:
        """The rule that looks at the module now, if one does."""
        stage = self.stage
        return None if stage in _FIXED else stage
