"""Commands that say whether a program is interesting: by how they end, and what they write."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dxir.children import cause_of, last_words
from dxir.errors import ReductionError
from dxir.mlir import ir
from dxir.program import Program
from dxir.reading import walk

PLACE = "{}"
"""What stands for the program's file in a command."""

_SHOWN = 300
_DIED = re.compile(r"\bended (?:the|its) process with (SIG[A-Z0-9]+)")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended: `code` is below 0 for a signal, None when it ran out of time."""

    code: int | None
    errors: str

    @property
    def died(self) -> str | None:
        """The signal that ended the command or, as its errors say, a process that it had."""
        if self.code is not None and self.code < 0:
            return cause_of(self.code)
        told = _DIED.search(self.errors)
        return None if told is None else told[1]

    def __str__(self) -> str:
        if self.code is None:
            return "did not end in time"
        how = f"ended with {cause_of(self.code)}"
        told = last_words(self.errors.encode()) or self.errors.strip().rpartition("\n")[2]
        return f"{how}, having said: {told[:_SHOWN]}" if told else f"{how} and said nothing"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which endings are interesting.

    `code` is the exit code to end with, None any but 0. `died` is the signal to die of, None
    whichever. `errors` is what must be found in what the command writes to stderr. With
    `overdue`, running out of time is interesting too; with `hangs`, that alone; with `zero`, exit
    code 0 alone.
    """

    code: int | None = None
    died: str | None = None
    errors: re.Pattern[str] | None = None
    overdue: bool = False
    zero: bool = False
    hangs: bool = False

    def fits(self, ending: Ending) -> bool:
        """Whether an ending is one of these."""
        if ending.code is None:
            return self.overdue or self.hangs
        if self.hangs:
            return False
        if self.errors is not None and self.errors.search(ending.errors) is None:
            return False
        if self.zero:
            return ending.code == 0
        if self.code is None and ending.code == 0:
            return False
        if self.code is not None and ending.code != self.code:
            return False
        return self.died is None or ending.died == self.died

    def like(self, ending: Ending) -> Wanted:
        """Those of these endings that are like one of them."""
        if ending.code is None:
            return Wanted(hangs=True)
        if self.zero or self.code is not None:
            return self
        if self.errors is not None:
            return self  # what is wanted has been said
        return Wanted(ending.code, ending.died, None, self.overdue)

    def __str__(self) -> str:
        parts: list[str] = []
        if self.zero:
            parts.append("exit code 0")
        elif self.code is not None:
            parts.append(cause_of(self.code))
        else:
            parts.append("an exit code other than 0")
        if self.errors is not None:
            parts.append(f"{self.errors.pattern!r} on stderr")
        return " and ".join(parts) + (", or no end in time" if self.overdue else "")


class Command:
    """A command that a program is given to, in a file that stands for `{}` among its words.

    Safe to run from several threads. `seconds` is how long it may run each time, `written` gives
    the bytes of the file: MLIR text, unless given.
    """

    def __init__(
        self,
        words: Sequence[str],
        wanted: Wanted,
        seconds: float | None = None,
        written: Callable[[Program], bytes] | None = None,
    ) -> None:
        self.words = list(words)
        self.wanted, self.seconds = wanted, seconds
        self._written = written or text_of
        if not any(PLACE in word for word in self.words[1:]):
            self.words.append(PLACE)
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_over = False

    def __call__(self, program: Program) -> bool:
        """Whether the command ends with the program as is wanted."""
        return self.wanted.fits(self.run(program))

    def run(self, program: Program) -> Ending:
        """How the command ends with a program; ReductionError when it cannot be run."""
        with tempfile.TemporaryDirectory(prefix="dxir-reduce-") as folder:
            path = Path(folder) / "module.mlir"
            path.write_bytes(self._written(program))
            words = [word.replace(PLACE, str(path)) for word in self.words]
            with open(Path(folder) / "errors", "w+b") as errors:
                code = self._run(words, errors.fileno())
                errors.seek(0)
                return Ending(code, errors.read().decode("utf-8", "replace"))

    def _run(self, words: Sequence[str], errors: int) -> int | None:
        with self._lock:
            if self._is_over:
                return None
            process = self._started(words, errors)
            self._running.add(process)
        try:
            return process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)
            with self._lock:
                self._running.discard(process)

    def _started(self, words: Sequence[str], errors: int) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            hint = (
                "the first word after -- is a program on PATH; for shell syntax write sh -c '...'"
            )
            if " " in self.words[0]:
                hint = "write the words of the command one by one, without quotes around them all"
            raise ReductionError(f"{self.words[0]} cannot be run: {why}", hint=hint) from None

    def close(self) -> None:
        """End what still runs, and start nothing more."""
        with self._lock:
            self._is_over = True
            running = list(self._running)
        for process in running:
            _end(process)


def text_of(program: Program) -> bytes:
    """The program as MLIR text, with its locations if it has any."""
    unknown = ir.Location.unknown(program.context)
    located: list[bool] = []

    def visit(op: ir.Operation) -> ir.WalkResult | None:
        if op.location == unknown:
            return None
        located.append(True)
        return ir.WalkResult.INTERRUPT

    walk(program.module, visit)
    text = program.module.operation.get_asm(binary=True, enable_debug_info=bool(located))
    assert isinstance(text, bytes)
    return text


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with those that it started, those that outlive it among them."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
