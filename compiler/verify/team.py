"""The processes that check files, as whoever has them checked sees them."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from dxir.children import cause_of, error_told, last_words
from dxir.errors import RuntimeFailure
from dxir.runtime import contained_messages as messages
from dxir.runtime.contained_messages import Message
from dxir.verify.settings import Settings

_SUPERVISOR = "dxir.verify.supervisor"
_END_S = 10.0
# Numerical libraries would start threads, and a process with threads is not to be forked.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def can_fork() -> bool:
    """Whether this system has what a team needs."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds") and bool(sys.executable)


class Team:
    """A process that has workers check files, and its workers; RuntimeFailure without a process.

    All of them end when the team is closed, and when this process is gone, however it ended.
    """

    def __init__(self, settings: Sequence[Settings], jobs: int) -> None:
        self._answers: deque[Message] = deque()
        self._imports = sorted({name for each in settings for name in each.imports})
        ours, theirs = socket.socketpair()
        self._channel = ours
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed in `close`
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _SUPERVISOR, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # what the terminal sends is not for it
                env={**os.environ, **_ONE_THREAD},
            )
        except OSError as error:
            ours.close()
            self._said.close()
            raise RuntimeFailure(
                "files are checked by processes of their own, which cannot be started: "
                f"{error.strerror or error}"
            ) from None
        finally:
            theirs.close()
        start = {"path": sys.path, "jobs": jobs, "settings": [each.as_dict() for each in settings]}
        self._send(start)

    def __enter__(self) -> Team:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self.close()

    def give(self, task: dict[str, Any], data: bytes | None = None) -> None:
        """Have a file checked: one that is on disk, or data."""
        self._take_answers()
        if data is None:
            self._send(task)
            return
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            self._send(task, [file.fileno()])

    def answer(self) -> Message:
        """What came of one of the tasks, whichever; the error that keeps all from being done."""
        try:
            answer = self._answers.popleft() if self._answers else self._received()
        except messages.Ended:
            raise self._gone() from None
        if "error" in answer:
            raise error_told(answer["error"])
        return answer

    def close(self) -> None:
        """End it, whatever it does."""
        self._channel.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _received(self) -> Message:
        answer, _ = messages.receive(self._channel)
        return answer

    def _take_answers(self) -> None:
        """Take what came until there is room for a task.

        Were answers left there, both sides could wait for the other to take what it was sent.
        """
        poll = select.poll()  # `select` takes no descriptors above 1023
        poll.register(self._channel, select.POLLIN | select.POLLOUT)
        with contextlib.suppress(messages.Ended):  # `answer` tells why
            while any(events & select.POLLIN for _, events in poll.poll()):
                self._answers.append(self._received())

    def _send(self, message: Message, descriptors: Sequence[int] = ()) -> None:
        # Should nobody be there to take it, the answer says why.
        with contextlib.suppress(messages.Ended):
            messages.send(self._channel, message, descriptors)

    def _gone(self) -> RuntimeFailure:
        self._channel.close()
        code = self._process.wait()
        self._said.seek(0)
        words = last_words(self._said.read())
        hint = None
        if code == -signal.SIGKILL:
            hint = "the system may have killed it for want of memory: fewer jobs take less"
        elif self._imports:
            hint = f"it imports {', '.join(self._imports)}: see that importing ends no process"
        return RuntimeFailure(
            "the process that has files checked ended by "
            f"{cause_of(code)}{': ' if words else ''}{words}",
            hint=hint,
        )
