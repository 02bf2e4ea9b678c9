"""A process's connection to the coordinator."""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from dxir.errors import RuntimeFailure
from dxir.runtime.distributed.lines import MOST_BYTES, PROTOCOL, Lines, Message, NotOurs, send
from dxir.runtime.distributed.settings import COORDINATOR, Settings

GONE = "process 0's machine may be down, or the network between; the coordinator runs beside it"

_RETRY_S = 0.1
_ANSWER_S = 5.0  # beyond the time that the coordinator itself takes to give up


class Channel:
    """The connection of a process that has joined the others.

    `ended` is called once, by the thread that listens, with the reason why it is over.
    """

    def __init__(self, connection: socket.socket, lines: Lines, joined: Message) -> None:
        self.names: list[str] = [str(name) for name in joined["names"]]
        """What each process is called in messages, by number."""
        self.service_port = int(joined["joined"])
        self.ended: Callable[[str, str | None], None] = lambda why, hint: None
        self.is_lost = False
        """Whether the coordinator is gone, or does not answer."""
        self.host: str = connection.getsockname()[0]
        """The address of this machine as the coordinator's knows it."""
        self._connection = connection
        self._lines = lines
        self._answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self._done = threading.Event()
        self._is_closed = False
        self._heard = time.monotonic()
        self._asking = threading.Lock()

    @classmethod
    def join(cls, settings: Settings, versions: dict[str, str]) -> Channel:
        """Join the other processes; returns when all of them are there.

        Raises RuntimeFailure when they are not in time, and when this one is refused.
        """
        deadline = time.monotonic() + settings.init_timeout
        connection = _connected(settings, deadline)
        try:
            me: Message = {
                "protocol": PROTOCOL,
                "rank": settings.rank,
                "processes": settings.processes,
                "local_devices": settings.local_devices,
                "host": socket.gethostname(),
                "pid": os.getpid(),
                **versions,
            }
            send(connection, {"join": me})
            lines = Lines(MOST_BYTES * (settings.processes + 1))  # what all said, together
            return cls(connection, lines, _joined(connection, lines, settings))
        except BaseException:
            connection.close()
            raise

    def listen(self, heartbeat: float) -> None:
        """Start the thread that listens."""
        thread = threading.Thread(
            target=self._listen, args=(heartbeat,), name="dxir-watchdog", daemon=True
        )
        thread.start()

    def _listen(self, heartbeat: float) -> None:
        while True:
            try:
                self._connection.settimeout(heartbeat)  # it may be closed already
                data = self._connection.recv(1 << 16)
            except TimeoutError:
                self.is_lost = True
                self.ended(f"the coordinator was not heard of for {heartbeat:g} s", GONE)
                return
            except OSError:
                data = b""
            if not data:
                if not self._is_closed:
                    self.is_lost = True
                    self.ended("the coordinator is gone", GONE)
                return
            self._heard = time.monotonic()
            try:
                for message in self._lines.add(data):
                    self._take(message)
            except NotOurs:
                self.ended("the coordinator sent what is no message", GONE)
                return

    def _take(self, message: Message) -> None:
        if "exchanged" in message:
            self._answers.put([str(value) for value in message["exchanged"]])
        elif "ended" in message:
            hint = message.get("hint")
            self.ended(str(message["ended"]), None if hint is None else str(hint))
        elif "done" in message:
            self._done.set()

    @property
    def silence(self) -> float:
        """For how many seconds nothing was heard of the coordinator."""
        return time.monotonic() - self._heard

    def exchange(self, name: str, value: str, seconds: float | None = None) -> list[str]:
        """Give a text for a name, and get those of all processes, by number.

        Waits for them; when `seconds` are over, all processes end.
        """
        with self._asking:
            message: Message = {"exchange": name, "value": value}
            if seconds is not None:
                message["seconds"] = seconds
            send(self._connection, message)
            return self._answers.get()

    def failed(self, why: str) -> None:
        """Tell the others that this process failed, and why."""
        send(self._connection, {"failed": why})

    def lost(self, rank: int, why: str) -> None:
        """Tell the others that nothing is heard of a process."""
        send(self._connection, {"lost": rank, "why": why})

    def leave(self, seconds: float) -> bool:
        """Wait until the others are done, too; False when they were not within `seconds`."""
        send(self._connection, {"leave": True})
        return self._done.wait(seconds)

    def forget(self) -> None:
        """Close the connection in a forked process, whose parent goes on with it."""
        self._is_closed = True
        self._connection.close()

    def close(self) -> None:
        """Close the connection; a thread that waits for the others is given nothing."""
        self._is_closed = True
        self._answers.put([])
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def _connected(settings: Settings, deadline: float) -> socket.socket:
    """A connection to the coordinator, which may be there only later."""
    said = ""
    while True:
        try:
            left = max(deadline - time.monotonic(), _RETRY_S)
            found = socket.create_connection((settings.host, settings.port), timeout=left)
            if found.getsockname() != found.getpeername():  # it may find itself, and no server
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return found
            found.close()
        except OSError as error:
            said = error.strerror or str(error)
        if time.monotonic() > deadline:
            raise RuntimeFailure(
                f"process {settings.rank} found no coordinator at {settings.coordinator} within "
                f"{settings.init_timeout:g} s: {said}",
                hint=f"it is where process 0 runs: see whether that started, and whether "
                f"{COORDINATOR} names its machine; a process that comes when the others are done "
                "finds nobody",
            )
        time.sleep(_RETRY_S)


def _joined(connection: socket.socket, lines: Lines, settings: Settings) -> Message:
    """What the coordinator says when all processes are there."""
    late = time.monotonic() + settings.init_timeout + _ANSWER_S
    while True:
        connection.settimeout(max(late - time.monotonic(), _RETRY_S))
        try:
            data = connection.recv(1 << 16)
            messages = lines.add(data) if data else [{"ended": "it is gone"}]
        except (OSError, NotOurs):
            raise RuntimeFailure(
                f"what is at {settings.coordinator} does not answer as a coordinator does",
                hint=f"another program may have the port: {COORDINATOR} names a free one",
            ) from None
        for message in messages:
            if "joined" in message:
                return message
            why: Any = message.get("refused") or message.get("ended")
            if why is not None:
                raise RuntimeFailure(
                    f"process {settings.rank} cannot join the others: {why}",
                    hint=message.get("hint"),
                )
