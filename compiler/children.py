"""Child processes: how they are run, and what they and their parent tell each other.

Nothing here imports MLIR.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from dxir import errors
from dxir.errors import DxirError

REFUSED = 3
"""The exit code of a child that found a mistake of the user's, and tells which."""


_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class Work:
    """What a child process does ("reading the bytecode"), as the errors about it say.

    `unstarted` is the hint where no process can be had, `late` the one where it took too long.
    """

    what: str
    error: type[DxirError]
    where: str | None = None
    unstarted: str | None = None
    late: str | None = None

    def failed(self, how: str, hint: str | None) -> DxirError:
        """The error that the work failed so: "did not end"."""
        return self.error(f"{self.what} {how}", where=self.where, hint=hint)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended, and what it wrote; `code` is below 0 for a signal, None for overdue."""

    code: int | None
    output: bytes
    errors: bytes

    @property
    def crashed(self) -> bool:
        """Whether it ended in another way than by doing its work or refusing it."""
        return self.code not in (0, REFUSED)

    @property
    def cause(self) -> str:
        """What ended it: the name of a signal, or its exit code."""
        return "too long a time" if self.code is None else cause_of(self.code)

    @property
    def last_words(self) -> str:
        """What it said of an error, behind a colon; nothing when it said nothing."""
        words = last_words(self.errors)
        return f": {words}" if words else ""


def run_module(
    work: Work,
    module: str,
    *arguments: str,
    seconds: float | None = None,
    input: bytes = b"",
    overdue: Callable[[], bool] | None = None,
) -> Ended:
    """Run a module of dxir as a process of its own until it ends, however it does.

    Raises the error of `work` when there can be no process, or it takes more than `seconds`. It is
    also ended when `overdue`, which is asked again and again, says so.
    """
    if not sys.executable:
        raise _unstarted(work, "there is no Python interpreter")
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise _unstarted(work, error.strerror or str(error)) from None
    given: bytes | None = input
    with child:
        try:
            while True:
                try:
                    wait = seconds if overdue is None else _POLL_S
                    output, errors = child.communicate(given, timeout=wait)
                    return Ended(child.returncode, output, errors)
                except subprocess.TimeoutExpired:
                    given = None  # it has been taken
                if overdue is None:
                    raise work.failed(f"did not end within {seconds:g} s", work.late)
                if overdue():
                    child.kill()
                    return Ended(None, *child.communicate())
        finally:
            child.kill()


def _unstarted(work: Work, why: str) -> DxirError:
    how = f"needs a process of its own, which cannot be started: {why}"
    return work.failed(how, work.unstarted)


def cause_of(code: int) -> str:
    """How a child ended: the name of the signal, or its exit code."""
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


def last_words(stderr: bytes, limit: int = 200) -> str:
    """The last line on `stderr` that tells of an error, without the addresses of a stack trace."""
    lines = [
        line.strip()
        for line in stderr.decode("utf-8", "replace").splitlines()
        if "ERROR" in line or "Error" in line or "Check failed" in line or "terminate" in line
    ]
    return lines[-1][:limit] if lines else ""


def told(error: DxirError) -> str:
    """The error as the child writes it."""
    return json.dumps(
        {
            "kind": type(error).__name__,
            "message": error.message,
            "where": error.where,
            "hint": error.hint,
            "code": error.code,
            "pass_name": error.pass_name,
        }
    )


def error_told(text: str | bytes) -> DxirError:
    """The error that a child wrote."""
    found = json.loads(text)
    kind = vars(errors).get(found["kind"])
    if not isinstance(kind, type) or not issubclass(kind, DxirError):
        kind = DxirError
    del found["kind"]
    return kind(**found)


def limit_resources(memory_bytes: int | None = None, seconds: float | None = None) -> None:
    """Bound this process: what memory it may have, no core files, and when it is to end."""
    if seconds is not None and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        import resource
    except ImportError:  # not on Windows
        return
    bounds = [(resource.RLIMIT_CORE, 0)]
    if memory_bytes is not None:
        bounds.append((resource.RLIMIT_AS, memory_bytes))
    for what, bound in bounds:
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or bound <= hard:
            resource.setrlimit(what, (bound, hard))


def die_with_parent(orphaned: int, *, group: bool = False) -> None:
    """Have the system end this process when the other end of a pipe is gone.

    With `group`, so do all processes of the group that this one leads.
    """
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import fcntl

        fcntl.fcntl(orphaned, fcntl.F_SETOWN, -os.getpid() if group else os.getpid())
        flags = fcntl.fcntl(orphaned, fcntl.F_GETFL)
        # SIGIO follows, which nobody handles.
        fcntl.fcntl(orphaned, fcntl.F_SETFL, flags | os.O_ASYNC)
    gone = select.poll()  # `select` takes no descriptors above 1023
    gone.register(orphaned, select.POLLIN)
    if gone.poll(0):
        os._exit(1)
