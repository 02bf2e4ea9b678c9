"""Programs that are interesting because backends differ on them, judged in processes apart."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO

from dxir.children import cause_of, last_words
from dxir.errors import ReductionError, TargetError
from dxir.mlir import bytecode_of
from dxir.program import Program
from dxir.reduction.judging import Verdict
from dxir.reduction.worker import SIZE
from dxir.runtime.backends import backend_names

_START_S = 60.0


class Differs:
    """Says whether backends give different results for a program.

    `reference` is what the others are held against, and the last one where it is not among them.
    Safe to call from several threads, each of which is given a process; one that a backend ends,
    or that needs more than `seconds` for a program, is replaced, and the program is of no interest.

    Raises TargetError for a backend that there is not.
    """

    def __init__(
        self,
        backends: Sequence[str],
        *,
        seed: int = 0,
        tolerance: float | None = None,
        seconds: float | None = None,
    ) -> None:
        known = backend_names()
        for name in backends:
            if name not in known:
                raise TargetError(
                    f"there is no backend {name!r}", hint=f"there are {', '.join(known)}"
                )
        if len(backends) < 2:
            raise ReductionError(
                "there is nothing to compare one backend with",
                hint="name two, the one to trust last: xla-cpu,reference",
            )
        self._arguments = (str(seed), "" if tolerance is None else repr(tolerance), *backends)
        self.seconds = seconds
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()

    def __call__(self, program: Program) -> bool:
        """Whether the backends differ."""
        return self.verdict(program).differs

    def verdict(self, program: Program) -> Verdict:
        """Whether the backends differ, and in what."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None:
            worker = _Worker(self._arguments)
            with self._lock:
                self._all.add(worker)
        verdict = worker.ask(bytecode_of(program.module), self.seconds)
        with self._lock:
            if verdict is None:
                self._all.discard(worker)
            else:
                self._idle.append(worker)
        return verdict or Verdict(False, worker.cause)

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            for worker in self._all:
                worker.end()
            self._all.clear()
            self._idle.clear()


class _Worker:
    def __init__(self, arguments: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dxir.reduction.worker", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ReductionError(f"no process can be started: {error.strerror or error}") from None
        self._is_new = True
        self.cause = ""
        """Why there is no answer."""
        self._told: list[bytes] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._told = [*self._told[-50:], line]

    def ask(self, data: bytes, seconds: float | None) -> Verdict | None:
        """What the process says of a program; None when it is no longer there."""
        given, answers = self._process.stdin, self._process.stdout
        assert given is not None
        assert answers is not None
        if seconds is not None and self._is_new:
            seconds += _START_S
        self._is_new = False
        try:
            given.write(len(data).to_bytes(SIZE, "little") + data)
            given.flush()
            answer = _line(answers, seconds)
        except OSError:
            answer = b""
        if answer:
            return Verdict(**json.loads(answer))
        self.cause = "it did not end in time"
        if answer is not None:
            code = self._process.wait()
            self._listener.join()
            told = last_words(b"".join(self._told))
            self.cause = f"a backend ended the process with {cause_of(code)}"
            self.cause += f": {told}" if told else ""
        self.end()
        return None

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what it was not given
                    continue


def _line(stream: IO[bytes], seconds: float | None) -> bytes | None:
    """A line, nothing at the end of the stream, None when it does not come in time."""
    if not select.select([stream], [], [], seconds)[0]:
        return None
    return stream.readline()
