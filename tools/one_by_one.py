"""Doing the same with many things, each of which may end the process that does it.

A process is forked that does them one after another; where one ends it, or takes too long, that is
told, and another process goes on with the next.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from dxir.children import cause_of, die_with_parent
from dxir.tools import contained

_SIZE = struct.Struct("Q")
_POLL_S = 0.2
_MOST = 256  # what MLIR keeps of each module adds up

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Stopped:
    """How the process ended, and what it did then: "reading x ended the process with SIGSEGV"."""

    what: str


def one_by_one(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R | Stopped]:
    """What `work` gives for each of the items; all results can be pickled.

    In a process that is contained already, work is done in others, where its stages count.
    """
    if not contained.is_contained():
        yield from map(work, items)
        return
    at = 0
    while at < len(items):
        with _Worker(work, items[at : at + _MOST]) as worker:
            for answer in worker.answers():
                yield answer
                at += 1


class _Worker(Generic[T, R]):
    """A process that does some items, and ends."""

    def __init__(self, work: Callable[[T], R], items: Sequence[T]) -> None:
        self._count = len(items)
        self._board = contained.new_board()
        self._heard, said = os.pipe()
        orphaned, self._living = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._heard)
            os.close(self._living)
            contained.take_board(self._board)
            _serve(work, items, said, orphaned)
        os.close(said)
        os.close(orphaned)

    def __enter__(self) -> _Worker[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid:
            self._end()
        os.close(self._heard)
        os.close(self._living)
        self._board.close()

    def answers(self) -> Iterator[R | Stopped]:
        """What comes of the items, in order; the last may be how the process ended over one."""
        for _ in range(self._count):
            head = self._read(_SIZE.size)
            answer = None if head is None else self._read(_SIZE.unpack(head)[0])
            if answer is None:
                yield self._stopped()
                return
            found: R = pickle.loads(answer)
            yield found

    def _read(self, size: int) -> bytes | None:
        """So many bytes; None when the process ended, or took too long, before."""
        found = bytearray()
        while len(found) < size:
            if select.select([self._heard], [], [], _POLL_S)[0]:
                data = os.read(self._heard, min(size - len(found), 1 << 20))
                if not data:
                    return None
                found += data
            elif contained.is_overdue(self._board):
                return None
        return bytes(found)

    def _stopped(self) -> Stopped:
        doing, _ = contained.doing(self._board)
        is_late = contained.is_overdue(self._board)
        code = self._end(kill=is_late)
        how = "did not end in time" if is_late else f"ended the process with {cause_of(code)}"
        return Stopped(f"{doing} {how}")

    def _end(self, *, kill: bool = True) -> int:
        if kill:
            os.kill(self._pid, signal.SIGKILL)
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)


def _serve(work: Callable[[T], Any], items: Sequence[T], said: int, orphaned: int) -> NoReturn:
    """Do the items, in the process that was just forked."""
    code = 1
    try:
        die_with_parent(orphaned)
        with os.fdopen(said, "wb") as out:
            for item in items:
                answer = pickle.dumps(work(item), pickle.HIGHEST_PROTOCOL)
                out.write(_SIZE.pack(len(answer)) + answer)
                out.flush()
        code = 0
    except BrokenPipeError:
        pass
    except BaseException:  # noqa: BLE001  a mistake of ours: show where
        import traceback

        traceback.print_exc()
    # At once: tearing a damaged module down is one more way to crash.
    os._exit(code)
