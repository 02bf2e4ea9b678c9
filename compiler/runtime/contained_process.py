"""A child process that works for this one: started, asked, watched, and ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from dxir.children import cause_of, last_words
from dxir.errors import RuntimeFailure
from dxir.runtime import contained_messages as messages
from dxir.runtime.contained_messages import STAGES, STARTING, Message
from dxir.runtime.segments import Segment

_CHILD = "dxir.runtime.contained_child"
_START_S = 120.0
_MESSAGE_S = 60.0  # for a message that has begun to come
_WATCH_S = 0.02
_WORDS_BYTES = 1 << 16
_CHUNKS = 64  # read at a time: it may write without end

_alive: weakref.WeakSet[Child] = weakref.WeakSet()


class Child:
    """A process, and what is shared with it; RuntimeFailure when there can be none.

    It is ended at the latest when the object, or this process, is gone.
    """

    def __init__(self) -> None:
        if not hasattr(socket, "send_fds"):  # on Windows
            raise RuntimeFailure(
                "programs can be contained where processes pass descriptors on: not on this system"
            )
        self.board = Segment.make(messages.BOARD_BYTES)
        self._words = b""
        self._lock = threading.Lock()
        self.folder = str(Path(tempfile.gettempdir(), f"dxir-{secrets.token_hex(8)}"))
        """Where it has its temporary files, which are removed should it be killed."""
        ours, theirs = socket.socketpair()
        orphaned, self._living = os.pipe()
        self._heard, told = os.pipe()
        os.set_blocking(self._heard, False)
        self.channel = ours
        given = (_above_standard(theirs.fileno()), _above_standard(orphaned))
        try:
            self._process = self._started(given, told)
        except OSError as error:
            _close(ours, (self._living, self._heard))
            raise RuntimeFailure(
                "a contained program needs a process of its own, which cannot be started: "
                f"{error.strerror or error}"
            ) from None
        finally:
            theirs.close()
            for descriptor in (orphaned, told, *given):
                os.close(descriptor)
        ours.settimeout(_MESSAGE_S)
        descriptors = (self._living, self._heard)
        self._end = weakref.finalize(self, _end, self._process, ours, descriptors, self.folder)
        _alive.add(self)

    def _started(self, given: tuple[int, int], told: int) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise OSError("there is no Python interpreter")
        # A group of its own: what the terminal sends to this one is not for it, and what it starts
        # itself ends with it.
        return subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD, *map(str, given)],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=told,
            pass_fds=given,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def ask(
        self,
        message: Message,
        segments: Sequence[Segment] = (),
        *,
        seconds: float | None = _START_S,
        memory_bytes: int | None = None,
    ) -> Message:
        """Its answer; Overdue, Excess or Crash when there is none, after which it is gone.

        `seconds` and `memory_bytes` are the most that it may take.
        """
        self.board.writable[0] = messages.ASKS[message["do"]]
        try:
            messages.send(self.channel, message, [s.descriptor for s in segments])
            self._wait(seconds, memory_bytes)
            answer, descriptors = messages.receive(self.channel)
            for descriptor in descriptors:  # it has none to give
                os.close(descriptor)
            return answer
        except messages.Ended:
            raise self._crash() from None
        except BaseException:  # an interrupt too: nobody would take the answer
            self.kill()
            self.dispose()
            raise

    def _wait(self, seconds: float | None, memory_bytes: int | None) -> None:
        """Wait until it has something to say, or is gone."""
        start = time.monotonic()
        sources: list[Any] = [self.channel, self._heard]
        while True:
            left = None if seconds is None else max(0.0, start + seconds - time.monotonic())
            turns = [left] if memory_bytes is None else [left, _WATCH_S]
            ready = wait(sources, min((t for t in turns if t is not None), default=None))
            if self._heard in ready and not self._listen():
                sources.remove(self._heard)
            if self.channel in ready:
                return
            if memory_bytes is not None and memory_of(self.pid) > memory_bytes:
                raise Excess(self.stage)
            if left == 0.0:
                raise Overdue(self.stage)

    def _listen(self) -> bool:
        """Keep the end of what it writes; False when no more can come."""
        for _ in range(_CHUNKS):
            try:
                data = os.read(self._heard, _WORDS_BYTES)
            except BlockingIOError:
                break
            if not data:
                return False
            self._words = (self._words + data)[-_WORDS_BYTES:]
        return True

    def is_gone(self) -> bool:
        """Whether it has ended although nothing is asked of it."""
        return bool(wait([self.channel], 0))

    @property
    def stage(self) -> str:
        """What it does, or did last."""
        number = self.board.readable[0]
        return STAGES[number if number < len(STAGES) else STARTING]

    def _crash(self) -> Crash:
        self.kill()
        with self._lock:
            code = self._process.wait()
        self._listen()
        found = Crash(self.stage, code, last_words(self._words))
        self.dispose()
        return found

    def kill(self) -> None:
        """End it now, from whichever thread."""
        with self._lock:
            # As long as nobody waited for it, nothing else has its number.
            if self._process.returncode is None:
                _kill(self._process.pid)

    def dispose(self) -> None:
        """Let go of all that it has."""
        with self._lock:
            self._end()

    def abandon(self) -> None:
        """Let go of it in a process that was forked from its parent's, where it lives on."""
        if self._end.detach() is not None:
            self._process.returncode = 0  # not ours to wait for
            _close(self.channel, (self._living, self._heard))


class Stopped(Exception):
    """A child gave no answer; `stage` is what it did."""

    def __init__(self, stage: str) -> None:
        super().__init__(stage)
        self.stage = stage


class Overdue(Stopped):
    """It took too long."""


class Excess(Stopped):
    """It took too much memory."""


class Crash(Stopped):
    """It ended by itself; `code` is below 0 for a signal."""

    def __init__(self, stage: str, code: int, words: str) -> None:
        super().__init__(stage)
        self.code = code
        self.cause = cause_of(code)
        self.words = words


def memory_of(pid: int) -> int:
    """The bytes of memory that a process and what it started have, what they share not counted.

    0 where the system does not tell.
    """
    total = 0
    try:
        size, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
        total += (int(size) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += sum(map(memory_of, map(int, (task / "children").read_text().split())))
    except (OSError, ValueError):
        pass
    return total


def _above_standard(descriptor: int) -> int:
    """Another number for a descriptor, none of a standard stream's, which may be closed here."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _end(
    process: subprocess.Popen[bytes],
    channel: socket.socket,
    descriptors: Sequence[int],
    folder: str,
) -> None:
    if process.returncode is None:
        _kill(process.pid)
        process.wait()
    _close(channel, descriptors, folder)


def _close(channel: socket.socket, descriptors: Sequence[int], folder: str | None = None) -> None:
    channel.close()
    for descriptor in descriptors:
        os.close(descriptor)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _abandon_all() -> None:
    for child in list(_alive):
        child.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_all)
