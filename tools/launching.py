"""Several processes on this machine: started, listened to, and ended together.

Each is the leader of a group of its own, so that what it started ends with it. A guard, which only
waits for this process to be gone, ends the groups when this one cannot do it any more.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, TextIO

from dxir.children import cause_of
from dxir.errors import DxirError
from dxir.runtime.distributed.settings import (
    COORDINATOR,
    EXIT_CODE,
    LOCAL_DEVICES,
    PROCESSES,
    RANK,
)
from dxir.tools.tool import tool_name

TOO_LONG = 124
"""The exit code after --timeout, as of timeout(1)."""

_TICK_S = 0.1
_TERM_S = 5.0  # from SIGTERM to SIGKILL
_LAST_LINES = 10
_MOST_LINE = 1 << 16
_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_SAYS = re.compile(rb"Gloo|peer ranks")
# What gloo writes to standard output of each connection it makes, from several threads at a time.
_NOISE = re.compile(
    rb"(?=.*(Gloo|peer ranks))"
    rb"(\[Gloo\] Rank |[\d\s]| is connected to | peer ranks\. "
    rb"|Expected number of connected peer ranks is : )*"
)
# What a process had begun to write before: gloo never has a space in front of its name.
_BEGUN = re.compile(rb"((?:(?!Gloo|peer ranks).)*\s)(\[Gloo\] Rank .*)", re.DOTALL)

# Reads the groups to end from its standard input, until that is closed with this process.
_GUARD = """
import os, signal, sys
for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
groups = set()
for line in sys.stdin:
    n = int(line)
    groups.add(n) if n > 0 else groups.discard(-n)
for n in groups:
    try: os.killpg(n, signal.SIGKILL)
    except OSError: pass
"""


class _Unwritable(DxirError):
    """Nothing can be written where this process writes, as on a full disk."""


@dataclass(eq=False)
class Process:
    """One of the processes."""

    rank: int
    child: subprocess.Popen[bytes]
    last: deque[bytes] = field(default_factory=lambda: deque[bytes](maxlen=_LAST_LINES))

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.child.poll() is not None


class _Stream:
    """One of the streams that a process writes, cut into lines."""

    def __init__(
        self, process: Process, source: IO[bytes], target: IO[bytes] | None, prefix: bytes
    ):
        self.process = process
        self.source = source
        self._target = target
        self._prefix = prefix
        self._left = b""
        self._begun = b""

    def read(self) -> bool:
        """Pass on what has come; False at its end."""
        try:
            data = os.read(self.source.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        *lines, self._left = (self._left + data).split(b"\n")
        if self._left and (not data or len(self._left) > _MOST_LINE):
            lines, self._left = [*lines, self._left], b""
        kept = self._kept(lines)
        if self._begun and not data:
            kept, self._begun = [*kept, self._begun], b""
        self.process.last.extend(kept)
        self._pass_on(b"".join([self._prefix + line + b"\n" for line in kept]))
        return bool(data)

    def _pass_on(self, data: bytes) -> None:
        if self._target is None:
            return
        try:
            self._target.write(data)
            self._target.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _Unwritable(
                f"what the processes write cannot be passed on: {error.strerror or error}"
            ) from None

    def _kept(self, lines: list[bytes]) -> list[bytes]:
        """The lines without those of gloo, which may stand within one that was begun before."""
        kept: list[bytes] = []
        for line in lines:
            if not _SAYS.search(line):  # most lines: the rest of this takes longer
                pass
            elif begun := _BEGUN.fullmatch(line):
                if _NOISE.fullmatch(begun[2]):
                    self._begun += begun[1]
                    continue
            elif _NOISE.fullmatch(line):
                continue
            kept.append(self._begun + line)
            self._begun = b""
        return kept


class Launch:
    """Processes that run the same command."""

    def __init__(
        self,
        command: Sequence[str],
        count: int,
        devices: int,
        *,
        timeout: float | None,
        grace: float,
        plain: bool,
    ) -> None:
        self._command = list(command)
        self._count = count
        self._devices = devices
        self._timeout = timeout
        self._grace = grace
        self._plain = plain
        self._processes: list[Process] = []
        self._ended: list[Process] = []  # by themselves, first to last
        self._selector = selectors.DefaultSelector()
        self._guard: subprocess.Popen[bytes] | None = None
        self._reserved = _reserved()
        self._signals: list[int] = []
        self._terminated: float | None = None
        self._is_killed = False

    def run(self) -> int:
        """Start the processes, and wait for them; gives the exit code of the tool."""
        previous = {s: signal.signal(s, self._signalled) for s in _FORWARDED}
        try:
            self._start()
            return self._watched()
        except (BrokenPipeError, _Unwritable) as error:  # nobody reads what they write, say
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  until the end
            if isinstance(error, _Unwritable):
                raise
            return 128 + signal.SIGPIPE
        finally:
            self._kill()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _signalled(self, number: int, _: object) -> None:
        self._signals.append(number)

    def _start(self) -> None:
        environment = {
            **os.environ,
            COORDINATOR: f"127.0.0.1:{self._reserved.getsockname()[1]}",
            PROCESSES: str(self._count),
            LOCAL_DEVICES: str(self._devices),
            "PYTHONUNBUFFERED": "1",
        }
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _GUARD],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for rank in range(self._count):
            try:
                child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**environment, RANK: str(rank)},
                    start_new_session=True,
                )
            except OSError as error:
                raise DxirError(
                    f"{self._command[0]} cannot be started: {error.strerror or error}"
                ) from None
            self._guarded(child.pid)
            process = Process(rank, child)
            self._processes.append(process)
            width = len(str(self._count - 1))
            prefix = b"" if self._plain else f"[{rank:>{width}}] ".encode()
            assert child.stdout is not None
            assert child.stderr is not None
            for source, target in (
                (child.stdout, _bytes_of(sys.stdout)),
                (child.stderr, _bytes_of(sys.stderr)),
            ):
                os.set_blocking(source.fileno(), False)
                stream = _Stream(process, source, target, prefix)
                self._selector.register(source, selectors.EVENT_READ, stream)

    def _guarded(self, group: int) -> None:
        """Have the guard end a group when this process is gone; a negative one no more."""
        assert self._guard is not None
        assert self._guard.stdin is not None
        with contextlib.suppress(OSError):
            self._guard.stdin.write(f"{group}\n".encode())
            self._guard.stdin.flush()

    def _watched(self) -> int:
        """Pass on what the processes write until they have ended, or are to."""
        started = time.monotonic()
        first: Process | None = None
        failed_at = 0.0
        signalled: int | None = None
        while not all(p.is_over for p in self._processes):
            self._pass_on(_TICK_S)
            now = time.monotonic()
            if first is None:
                first = self._failed()
                failed_at = now
            elif self._terminated is None:
                self._failed()
                if now - failed_at > self._grace:
                    self._terminate()
            while self._signals:
                number = self._signals.pop(0)
                if signalled is not None and number in (signal.SIGINT, signal.SIGTERM):
                    self._kill()
                elif number not in (signal.SIGUSR1, signal.SIGUSR2):
                    signalled, self._terminated = number, now
                self._send(number)
            if self._timeout is not None and now - started > self._timeout:
                _say(f"the processes did not end within {self._timeout:g} s, and are ended")
                self._terminate()
                self._drain()
                return TOO_LONG
            if self._terminated is not None and now - self._terminated > _TERM_S:
                self._kill()
        self._drain()
        if signalled is not None:
            return 128 + signalled
        return self._told()

    def _failed(self) -> Process | None:
        """The first to fail; takes note of those that ended."""
        self._ended += [p for p in self._processes if p.is_over and p not in self._ended]
        return next((p for p in self._ended if p.child.returncode), None)

    def _told(self) -> int:
        """Tell which process failed first; gives the exit code."""
        if self._terminated is None:
            self._failed()
        failed = [p for p in self._processes if p.child.returncode]
        if not failed:
            return 0
        # Those that ended because another failed are not the reason, nor those that were ended.
        by_itself = [p for p in self._ended if p.child.returncode]
        own = [p for p in by_itself if p.child.returncode != EXIT_CODE]
        reason = (own or by_itself or failed)[0]
        code = reason.child.returncode
        others = len(failed) - 1
        more = f"; {others} other{'s' * (others > 1)} ended because of it" if others else ""
        _say(f"process {reason.rank} failed with {cause_of(code)}{more}")
        if reason.last and self._count > 1:
            _say(f"the last lines of process {reason.rank} were:")
            target = _bytes_of(sys.stderr)
            if target is not None:
                target.write(b"".join([b"  " + line + b"\n" for line in reason.last]))
                target.flush()
        return code if code > 0 else 128 - code

    def _pass_on(self, seconds: float) -> bool:
        """Show what comes within so long; whether anything did."""
        ready = self._selector.select(seconds) if self._selector.get_map() else []
        if not ready and not self._selector.get_map():
            time.sleep(seconds)
        for key, _ in ready:
            stream: _Stream = key.data
            if not stream.read():
                self._selector.unregister(stream.source)
        return bool(ready)

    def _drain(self) -> None:
        """Show what is left; who ended may have left others that hold the streams open."""
        end = time.monotonic() + 2
        while time.monotonic() < end and self._pass_on(0.05):
            pass

    def _send(self, number: int) -> None:
        for process in self._processes:
            if not process.is_over:
                with contextlib.suppress(OSError):
                    os.killpg(process.child.pid, number)

    def _terminate(self) -> None:
        if self._terminated is None:
            self._terminated = time.monotonic()
            self._send(signal.SIGTERM)
            self._send(signal.SIGCONT)  # what is stopped would not take it

    def _kill(self) -> None:
        """End every group, and wait for the processes; once, since then others get the numbers."""
        if self._is_killed:
            return
        self._is_killed = True
        for process in self._processes:
            with contextlib.suppress(OSError):
                os.killpg(process.child.pid, signal.SIGKILL)
            process.child.wait()
            self._guarded(-process.child.pid)
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.close()
            self._guard.wait()
            self._guard = None
        self._reserved.close()


def _reserved() -> socket.socket:
    """A socket that keeps its port from all but a server who asks for that very one."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", 0))
    return found


def _bytes_of(stream: TextIO | None) -> IO[bytes] | None:
    """Where its bytes go; None for a stream that was closed before this process began."""
    return None if stream is None else stream.buffer


def _say(text: str) -> None:
    print(f"{tool_name()}: {text}", file=sys.stderr, flush=True)
