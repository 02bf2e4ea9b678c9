"""The process that holds the others together: who is there, who waits for whom, who is gone.

`python -m dxir.runtime.distributed.coordinator DESCRIPTOR SETTINGS` serves on the listening socket
of that descriptor. It ends when all processes have left, or a while after one of them failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dxir.runtime.distributed.lines import PROTOCOL, Lines, Message, NotOurs, written

BEAT_S = 1.0
LINGER_S = 5.0
"""How long it stays, at most, after it told everybody of a failure."""

_TICK_S = 0.1
_LEAVE_S = 30.0  # how long the processes take to leave XLA's service
_FIRST_WORDS_S = 10.0  # a connection that says nothing for so long is none of ours


@dataclass(eq=False)
class Peer:
    """A connection, and the process at its other end as soon as it said which it is."""

    connection: socket.socket
    since: float
    selector: selectors.BaseSelector
    lines: Lines = field(default_factory=Lines)
    rank: int | None = None
    host: str = "?"
    pid: int = 0
    waits: Message | None = None
    """What it waits for the others with."""
    waits_since: float = 0.0
    has_left: bool = False
    unsent: bytes = b""

    def __str__(self) -> str:
        return f"process {self.rank} (pid {self.pid} on {self.host})"

    def say(self, message: Message) -> None:
        """Send it something; who does not take it is found out by reading."""
        self.unsent += written(message)
        self.flush()

    def flush(self) -> None:
        """Send what the connection takes now, and the rest when it takes more."""
        try:
            self.unsent = self.unsent[self.connection.send(self.unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self.unsent = b""
        with contextlib.suppress(KeyError, ValueError):  # it was dropped
            key = self.selector.get_key(self.connection)
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self.unsent else 0)
            if events != key.events:
                self.selector.modify(self.connection, events, key.data)


class Coordinator:
    """Serves one set of processes."""

    def __init__(self, listener: socket.socket, settings: dict[str, Any], service: str) -> None:
        self.count = int(settings["processes"])
        self.expected: Message = {
            "dxir": settings["dxir"],
            "jaxlib": settings["jaxlib"],
            "local_devices": settings["local_devices"],
        }
        self.init_timeout = float(settings["init_timeout"])
        self.beat = min(BEAT_S, float(settings["heartbeat"]) / 4)
        self.service = service
        self.keeps: object = None
        self.peers: dict[int, Peer] = {}
        self.is_complete = False
        self.ends_at: float | None = None
        self._end: Message | None = None
        self._first_knows = False
        self._started = time.monotonic()
        self._beaten = 0.0
        self._selector = selectors.DefaultSelector()
        self._listener = listener
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._unknown: set[Peer] = set()

    def serve(self, parent: int) -> None:
        """Serve until all have left, or one has failed; `parent` is closed when process 0 ends."""
        self._selector.register(parent, selectors.EVENT_READ, lambda: self._parent_spoke(parent))
        while self.ends_at is None or (time.monotonic() < self.ends_at and self._has_company()):
            for key, _ in self._selector.select(_TICK_S):
                handle: Callable[[], None] = key.data
                handle()
            self._look_at_the_clock()

    def _has_company(self) -> bool:
        """Whether somebody has to be told still: process 0 will join, if it has not."""
        return not self._first_knows or any(p.connection.fileno() >= 0 for p in self.peers.values())

    def _parent_spoke(self, parent: int) -> None:
        if not os.read(parent, 1024):
            self._selector.unregister(parent)
            if 0 not in self.peers:  # else its connection says more
                self.fail(0, "process 0 ended before it joined the others")

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = Peer(connection, time.monotonic(), self._selector)
        self._unknown.add(peer)
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._read(peer))

    def _read(self, peer: Peer) -> None:
        if peer.unsent:
            peer.flush()
        try:
            data = peer.connection.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        try:
            messages = peer.lines.add(data) if data else []
        except NotOurs:
            data, messages = b"", []
        for message in messages:
            try:
                self._take(peer, message)
            except (KeyError, TypeError, ValueError):  # none of ours
                data = b""
        if not data:
            self._drop(peer)

    def _drop(self, peer: Peer) -> None:
        if peer.connection.fileno() < 0:
            return
        self._selector.unregister(peer.connection)
        peer.connection.close()
        self._unknown.discard(peer)
        if peer.rank is None or self.peers.get(peer.rank) is not peer or peer.has_left:
            return
        when = "" if self.is_complete else " before all processes were there"
        self.fail(
            peer.rank,
            f"{peer} ended without a word{when}: it was killed, or it crashed (what it wrote last, "
            "and the system's log, say more)",
        )

    def _take(self, peer: Peer, message: Message) -> None:
        if "join" in message and peer.rank is None:
            self._join(peer, message["join"])
        elif peer.rank is None:
            self._drop(peer)
        elif "failed" in message:
            self.fail(peer.rank, f"{peer} failed: {message['failed']}")
        elif "lost" in message:
            self.fail(int(message["lost"]), str(message["why"]))
        elif "exchange" in message:
            peer.waits, peer.waits_since = message, time.monotonic()
            self._match()
        elif "leave" in message:
            peer.has_left = True
            self._match()

    def _join(self, peer: Peer, said: Any) -> None:
        if not isinstance(said, dict) or said.get("protocol") != PROTOCOL:
            peer.say({"refused": "the coordinator is of another version of dxir"})
            self._drop(peer)
            return
        rank, peer.host, peer.pid = int(said["rank"]), str(said["host"]), int(said["pid"])
        self._unknown.discard(peer)
        if self._end is not None:
            peer.say(self._end)
            self._first_knows |= rank == 0
            self._drop(peer)
            return
        if self.is_complete:
            who = f"process {rank} (pid {peer.pid} on {peer.host})"
            peer.say(
                {
                    "refused": f"{who} came when all {self.count} processes were there already",
                    "hint": "start all of them anew, each number once",
                }
            )
            self._drop(peer)
            return
        fault = self._fault_of(peer, rank, said)
        if fault is not None:
            peer.say({"refused": fault[0], "hint": fault[1]})
            self._drop(peer)
            self.fail(rank, fault[0], fault[1])
            return
        peer.rank = rank
        self.peers[rank] = peer
        self._first_knows |= rank == 0
        if len(self.peers) == self.count:
            self.is_complete = True
            names = [str(self.peers[r]) for r in range(self.count)]
            for other in self.peers.values():
                other.say({"joined": self.service, "names": names})

    def _fault_of(self, peer: Peer, rank: int, said: Message) -> tuple[str, str | None] | None:
        who = f"process {rank} (pid {peer.pid} on {peer.host})"
        if said.get("processes") != self.count:
            return (
                f"{who} was started as one of {said.get('processes')} processes, and process 0 as "
                f"one of {self.count}",
                "DXIR_NUM_PROCESSES is the same for all",
            )
        if rank in self.peers:
            return (
                f"two processes have the number {rank}: pid {self.peers[rank].pid} on "
                f"{self.peers[rank].host}, and pid {peer.pid} on {peer.host}",
                f"DXIR_PROCESS_ID is 0 to {self.count - 1}, each once",
            )
        for name, mine in self.expected.items():
            if said.get(name) != mine:
                what = name.replace("local_devices", "devices of its own:")
                return (
                    f"{who} has {what} {said.get(name)}, and process 0 has {mine}",
                    "it must be the same in all processes",
                )
        return None

    def _match(self) -> None:
        """Answer those who wait for each other, if all do."""
        if not self.is_complete or self.ends_at is not None:
            return
        left = [p for p in self.peers.values() if p.has_left]
        waiting = [p for p in self.peers.values() if p.waits is not None]
        if len(left) == self.count:
            for peer in self.peers.values():
                peer.say({"done": True})
            self.ends_at = time.monotonic() + _LEAVE_S
        elif len(waiting) + len(left) == self.count:
            names = {str(p.waits["exchange"]) for p in waiting if p.waits is not None}
            if left or len(names) > 1:
                self._cross(waiting, left)
                return
            values = [self.peers[r].waits for r in range(self.count)]
            for peer in waiting:
                peer.waits = None
                peer.say({"exchanged": [v["value"] for v in values if v is not None]})

    def _cross(self, waiting: list[Peer], left: list[Peer]) -> None:
        """Tell that processes wait for each other at different places."""
        at: dict[str, list[int]] = {}
        for peer in waiting:
            assert peer.waits is not None
            at.setdefault(str(peer.waits["exchange"]), []).append(peer.rank or 0)
        said = [f"{processes(ranks)} at {name}" for name, ranks in sorted(at.items())]
        if left:
            said.append(f"{processes([p.rank or 0 for p in left])} at the end")
        self.fail(
            None,
            "the processes wait for each other at different places: " + ", ".join(said),
            "all processes do the same in the same order",
        )

    def _look_at_the_clock(self) -> None:
        now = time.monotonic()
        if now - self._beaten > self.beat:
            self._beaten = now
            for peer in list(self.peers.values()):
                peer.say({"beat": True})
        for peer in [p for p in self._unknown if now - p.since > _FIRST_WORDS_S]:
            self._drop(peer)
        if not self.is_complete and now - self._started > self.init_timeout:
            missing = [r for r in range(self.count) if r not in self.peers]
            self.fail(
                None,
                f"of {self.count} processes, {processes(missing)} did not come within "
                f"{self.init_timeout:g} s",
                "look at what they wrote; init_timeout= is how long the others wait",
            )
        for peer in self.peers.values():
            most = None if peer.waits is None else peer.waits.get("seconds")
            if peer.waits is not None and most is not None and now - peer.waits_since > most:
                others = [r for r, p in self.peers.items() if p.waits is None]
                self.fail(
                    None,
                    f"{processes(others)} did not come to {peer.waits['exchange']} within "
                    f"{most:g} s of process {peer.rank}",
                    "all processes do the same in the same order",
                )
                return

    def fail(self, rank: int | None, why: str, hint: str | None = None) -> None:
        """Tell everybody why it is over; the first reason is the reason."""
        if self.ends_at is not None:
            return
        self.ends_at = time.monotonic() + LINGER_S
        self._end = {"ended": why, "rank": rank, "hint": hint}
        for peer in self.peers.values():
            peer.say(self._end)


def processes(ranks: list[int]) -> str:
    """The processes of these numbers, as a message has them: in order, whoever came first."""
    shown = ", ".join(map(str, sorted(ranks)[:8])) + (", ..." if len(ranks) > 8 else "")
    return f"process{'es' * (len(ranks) != 1)} {shown}"


def main(descriptor: str, text: str) -> None:
    """Serve on a listening socket that was handed over."""
    from dxir.runtime import pjrt

    settings: dict[str, Any] = json.loads(text)
    listener = socket.socket(fileno=int(descriptor))
    host = listener.getsockname()[0]
    # Kept while this process lives: XLA's service may listen there, and nobody else gets the port.
    reserved = socket.socket(listener.family)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind((host, 0))
    port = reserved.getsockname()[1]
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    service = pjrt.Service(
        address,
        int(settings["processes"]),
        int(settings["heartbeat"]),
        int(settings["init_timeout"]) + 1,
    )
    coordinator = Coordinator(listener, settings, str(port))
    coordinator.keeps = service
    print("ready", flush=True)
    coordinator.serve(sys.stdin.fileno())
    # At once: XLA's service would wait for processes that are gone.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
