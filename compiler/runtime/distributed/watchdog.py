"""Ending a process when another failed, whatever it is doing: nobody waits forever.

The main thread may be in a collective, which never returns when a process at the other end stands
still. So a thread says why, and ends the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from dxir.errors import DxirError
from dxir.runtime import pjrt
from dxir.runtime.distributed.channel import GONE, Channel
from dxir.runtime.distributed.settings import EXIT_CODE

_LOOK_S = 1.0
_SILENT_S = 3.0  # without a beat of the coordinator, of which there is one a second
_ABORTED = "native code ended it (SIGABRT): what it wrote last says why"
_VERDICT_S = 5.0  # how long an error waits for its cause, which another process has
_FLUSH_S = 1.0
_JOIN_S = 10.0
_END_S = 20.0


class Watchdog:
    """Watches over one process among several."""

    def __init__(self, channel: Channel, rank: int, heartbeat: float) -> None:
        self.rank = rank
        self.heartbeat = heartbeat
        self._channel = channel
        self._is_over = threading.Event()
        self._ending = threading.Lock()
        self._hook: Callable[..., Any] | None = None
        self._own_failure = False
        self._looking: threading.Thread | None = None
        self._restore: Callable[[], None] = lambda: None
        self.give_up: Callable[[], None] = lambda: None
        """Called before the process ends over a coordinator that does not answer."""

    def start(self) -> None:
        """Watch from now on."""
        self._channel.ended = self.end
        self._channel.listen(self.heartbeat)
        self._hook, sys.excepthook = sys.excepthook, self._failed
        self._restore = _on_abort(self._aborted)

    def watch(self, member: pjrt.Member) -> None:
        """Look for processes that are there and do not move."""
        self._looking = threading.Thread(
            target=self._watch, args=(member,), name="dxir-liveness", daemon=True
        )
        self._looking.start()

    def stop(self) -> None:
        """Watch no more."""
        self._is_over.set()
        self._restore()
        if sys.excepthook == self._failed and self._hook is not None:
            sys.excepthook = self._hook

    def forget(self) -> None:
        """Watch no more, in a forked process: the threads and locks are its parent's."""
        self._is_over = threading.Event()
        self.stop()

    def join(self) -> None:
        """Wait for the thread that looked: in XLA when Python ends, it would end the process."""
        if self._looking is not None:
            self._looking.join(_JOIN_S)

    def _watch(self, member: pjrt.Member) -> None:
        everybody = set(range(member.processes))
        while not self._is_over.wait(_LOOK_S):
            try:
                missing = everybody - member.live()
            except pjrt.XlaError:
                continue  # without a coordinator the connection to it tells
            if missing and not self._is_over.is_set():
                rank = min(missing)
                why = (
                    f"{self._channel.names[rank]} was not heard of for {self.heartbeat:g} s: it is "
                    "stopped, or its machine or the network is gone"
                )
                self._channel.lost(rank, why)
                time.sleep(_LOOK_S)  # the others are told the same
                self.end(why, None)
                return

    def end(self, why: str, hint: str | None) -> None:
        """Say why, and end the process."""
        if self._is_over.is_set() or not self._ending.acquire(blocking=False):
            return
        if self._own_failure:  # it ends by itself, and says why
            return
        text = f"dxir: process {self.rank} ends: {why}\n"
        if hint:
            text += f"dxir: note: {hint}\n"
        if self._channel.is_lost:
            self.give_up()
        flusher = threading.Thread(target=_flush, daemon=True)
        with contextlib.suppress(RuntimeError):  # no threads begin when Python ends: it has flushed
            flusher.start()
            flusher.join(_FLUSH_S)  # the main thread may hold what is flushed
        _write(text)
        os._exit(EXIT_CODE)

    def verdict(self) -> None:
        """Give the reason time to come, where what failed may be another's end.

        Does not return when it comes.
        """
        self._is_over.wait(_VERDICT_S)

    def _failed(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """Tell the others of an exception that nobody caught, and have Python print it."""
        self.tell(error, trace)
        assert self._hook is not None
        self._hook(kind, error, trace)

    def tell(self, error: BaseException, trace: TracebackType | None) -> None:
        """Tell the others that this process ends with an exception."""
        if self._is_over.is_set():
            return
        self._own_failure = True
        self._channel.failed(_described(error, trace))
        timer = threading.Timer(_END_S, _end_late)  # XLA may wait for the others
        timer.daemon = True
        with contextlib.suppress(RuntimeError):
            timer.start()

    @property
    def has_failed(self) -> bool:
        """Whether this process ends with an exception."""
        return self._own_failure

    def _aborted(self) -> None:
        """Say what it means that native code ends the process.

        XLA does so over a coordinator that is gone or silent; over anything else, too, which this
        process has written then, and which the others are told of.
        """
        if self._channel.silence < min(_SILENT_S, 0.7 * self.heartbeat):
            self._is_over.wait(_LOOK_S)  # where it is another's end, the channel says so first
            if not self._channel.is_lost:
                self._channel.failed(_ABORTED)
                return  # and it goes on to end
        self._channel.is_lost = True
        self.end("the coordinator is gone, or does not answer", GONE)


def _described(error: BaseException, trace: TracebackType | None) -> str:
    message = error.message if isinstance(error, DxirError) else str(error)
    head = (message.strip().splitlines() or [""])[0]
    frames = traceback.extract_tb(trace)
    place = f" ({os.path.basename(frames[0].filename)}:{frames[0].lineno})" if frames else ""
    return f"{type(error).__name__}: {head[:500]}{place}" if head else type(error).__name__ + place


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _write(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, text.encode("utf-8", "replace"))


def _end_late() -> None:
    _write(f"dxir: the process did not end within {_END_S:g} s of its failure, and is ended\n")
    os._exit(1)


_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int)
_handlers: list[Any] = []  # what C has a pointer to


def _on_abort(act: Callable[[], None]) -> Callable[[], None]:
    """Have `act` called when the process is about to abort; gives what takes that back.

    A handler in C, since Python runs its own only later, on the main thread, which may not come.
    """
    library = ctypes.CDLL(None)
    library.signal.restype = ctypes.c_void_p
    library.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    handler = _Handler(lambda _: act())
    _handlers.append(handler)
    before = library.signal(signal.SIGABRT, ctypes.cast(handler, ctypes.c_void_p))

    def restore() -> None:
        library.signal(signal.SIGABRT, before)

    return restore
