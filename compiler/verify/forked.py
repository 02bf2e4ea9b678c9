"""A worker, as the process sees it that forked it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Generic, NoReturn, TypeVar

from dxir.children import die_with_parent, last_words, limit_resources
from dxir.runtime import contained_messages as messages
from dxir.runtime.contained_messages import Message
from dxir.runtime.contained_process import memory_of
from dxir.verify.settings import Settings
from dxir.verify.stages import Board
from dxir.verify.worker import work

_ANSWER_S = 30.0  # for an answer that has begun to come
_WORDS_BYTES = 1 << 16

T = TypeVar("T")


class Worker(Generic[T]):
    """A process that checks files; OSError when there can be none.

    `rules` are the ids of all rules, `orphaned` the end of a pipe whose other end only this process
    has, `others` the descriptors here that are not for the worker.
    """

    def __init__(
        self,
        settings: Sequence[Settings],
        rules: Iterable[str],
        orphaned: int,
        others: Iterable[int],
    ) -> None:
        self.board = Board(rules)
        self.task: T | None = None
        self.tasks_done = 0
        self._begun = 0.0
        self._part = 0
        self._said = b""
        self.channel, theirs = socket.socketpair()
        self.heard, said = os.pipe()
        os.set_blocking(self.heard, False)
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            self.pid = os.fork()
            if self.pid == 0:
                others = [*others, self.channel.fileno(), self.heard]
                _become_worker(theirs, said, self.board, settings, orphaned, others)
        except OSError:
            self._close()
            raise
        finally:
            theirs.close()
            os.close(said)
        # It does so itself, too: whoever is first, `end` finds the group.
        with contextlib.suppress(OSError):
            os.setpgid(self.pid, self.pid)
        self.channel.settimeout(_ANSWER_S)

    def give(self, task: T, message: Message, descriptors: Sequence[int]) -> None:
        """Have it do something; should it be gone, that is seen when it is heard."""
        self.task, self._begun = task, time.monotonic()
        with contextlib.suppress(messages.Ended):
            messages.send(self.channel, message, descriptors)

    def take_back(self) -> T | None:
        """What it was given, and has done."""
        task, self.task = self.task, None
        self.tasks_done += 1
        return task

    @property
    def seconds(self) -> float:
        """For how long it has been at its task, or at the part of it that it looks at now."""
        part = self.board.part
        if part != self._part:
            self._part, self._begun = part, time.monotonic()
        return time.monotonic() - self._begun

    def memory(self) -> int:
        """The bytes of memory that it takes, with all that it started."""
        return memory_of(self.pid)

    def listen(self) -> bool:
        """Keep the end of what it writes; False when no more can come."""
        try:
            data = os.read(self.heard, _WORDS_BYTES)
        except BlockingIOError:
            return True
        self._said = (self._said + data)[-_WORDS_BYTES:]
        return bool(data)

    @property
    def words(self) -> str:
        """What it said of an error at the last."""
        return last_words(self._said)

    def end(self) -> int:
        """End it, and what it started, should it still be there; its exit code, negative by signal.

        Its task stays with it.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.listen()
        self._close()
        return os.waitstatus_to_exitcode(status)

    def _close(self) -> None:
        self.channel.close()
        os.close(self.heard)


def _become_worker(
    channel: socket.socket,
    said: int,
    board: Board,
    settings: Sequence[Settings],
    orphaned: int,
    others: Iterable[int],
) -> NoReturn:
    """Go on as a worker, in the process that was just forked."""
    try:
        # A group of its own: what it starts ends with it.
        os.setpgid(0, 0)
        for descriptor in others:
            os.close(descriptor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for standard, source in enumerate((nothing, said, said)):
            os.dup2(source, standard)
        limit_resources()
        die_with_parent(orphaned)
        work(channel, board, settings)
    finally:
        os._exit(1)
