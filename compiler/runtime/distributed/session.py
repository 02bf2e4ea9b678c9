"""This process among several: it joins them, works with them, and leaves with them."""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

from dxir.errors import RuntimeFailure
from dxir.runtime import pjrt
from dxir.runtime.distributed.channel import Channel
from dxir.runtime.distributed.coordinator import processes as processes_text
from dxir.runtime.distributed.settings import COORDINATOR, EXIT_CODE, Settings
from dxir.runtime.distributed.watchdog import Watchdog
from dxir.runtime.keeping import dxir_version

_AGREE_S = 1800.0  # data may be prepared by one before it compiles
_SIGNALS = [
    getattr(signal, f"SIG{name}") for name in ("INT", "TERM", "HUP", "QUIT", "USR1", "USR2")
]


@dataclass(eq=False)
class Session:
    """What this process has of the others, from `start` to `stop`."""

    settings: Settings
    channel: Channel
    watchdog: Watchdog
    member: pjrt.Member
    client: pjrt.Client
    coordinator: subprocess.Popen[bytes] | None

    def agree(self, what: str, value: str, name: str) -> None:
        """Raise RuntimeFailure unless all processes give the same value."""
        values = self.channel.exchange(what, json.dumps([value, name]), _AGREE_S)
        found = [json.loads(text) for text in values]
        groups: dict[str, list[int]] = {}
        for rank, (text, _) in enumerate(found):
            groups.setdefault(text, []).append(rank)
        if len(groups) == 1:
            return
        listed = "; ".join(
            f"{processes_text(ranks)}: {found[ranks[0]][1]}"
            for ranks in sorted(groups.values(), key=lambda r: (-len(r), r))
        )
        raise RuntimeFailure(
            f"the processes differ at {what}: {listed}",
            hint="all of them build the same program, with the same sizes and options, in the same "
            "order; what depends on process_index() goes into arguments",
        )

    def stop(self, *, failed: bool) -> None:
        """Leave the others, when all are done."""
        channel, watchdog = self.channel, self.watchdog
        seconds = self.settings.shutdown_timeout
        is_late = not failed and not channel.leave(seconds)
        if is_late:
            failed = True
            channel.failed(f"it was done, and waited for the others for {seconds:g} s")
        watchdog.stop()
        pjrt.release(self.client)
        self.member.leave()  # or XLA ends this process when the coordinator does
        channel.close()
        if self.coordinator is not None:
            _ended(self.coordinator)
        watchdog.join()  # the coordinator ends when all have left, and what waits for it ends
        if is_late:
            raise RuntimeFailure(
                f"process {self.settings.rank} was done, and the others were not within "
                f"{seconds:g} s",
                hint="all processes run to their end, or shutdown_timeout= is longer",
            )

    def forget(self) -> None:
        """Leave the others to the parent of this process, which was forked."""
        self.watchdog.forget()
        self.channel.forget()
        if self.coordinator is not None:
            self.coordinator.returncode = 0  # it is no child of this process
            for stream in (self.coordinator.stdin, self.coordinator.stdout):
                if stream is not None:
                    stream.close()


def _ended(coordinator: subprocess.Popen[bytes]) -> None:
    """Wait for the coordinator, which ends by itself."""
    if coordinator.stdin is not None:
        with contextlib.suppress(OSError):
            coordinator.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        coordinator.wait(10)
    if coordinator.stdout is not None:
        coordinator.stdout.close()


_lock = threading.Lock()
_session: Session | None = None


def current() -> Session | None:
    """What this process has of the others; None where it is alone."""
    return _session


def start(settings: Settings) -> None:
    """Join the other processes. Raises RuntimeFailure when that fails."""
    global _session
    with _lock:
        if _session is not None:
            raise RuntimeFailure(
                "this process has joined the others already",
                hint="dxir.distributed.initialize is called once, at the start of the program",
            )
        if pjrt.has_clients():
            raise RuntimeFailure(
                "this process has used its devices already",
                hint="call dxir.distributed.initialize before anything is compiled, placed on a "
                "device, or asked of dxir.devices",
            )
        made = _started(settings)
        _session = made
        atexit.register(_at_exit, made)


def stop(*, failed: bool = False) -> None:
    """Leave the others, if this process has joined them, when all of them are done."""
    global _session
    with _lock:
        left, _session = _session, None
    if left is not None:
        atexit.unregister(_at_exit)
        left.stop(failed=failed)


def _forked() -> None:
    """A forked process is none of the others: else it would leave them in its parent's name."""
    global _lock, _session
    left, _session = _session, None
    _lock = threading.Lock()
    if left is not None:
        atexit.unregister(_at_exit)
        left.forget()


os.register_at_fork(after_in_child=_forked)


def _at_exit(made: Session) -> None:
    if _session is not made:
        return
    try:
        stop(failed=made.watchdog.has_failed)
    except RuntimeFailure as error:
        print(f"dxir: {error}", file=sys.stderr, flush=True)
        os._exit(EXIT_CODE)  # the code of the program is decided by now


def _started(settings: Settings) -> Session:
    versions = {"dxir": dxir_version(), "jaxlib": ".".join(map(str, pjrt.version()))}
    coordinator = _coordinator(settings, versions) if settings.rank == 0 else None
    try:
        channel = Channel.join(settings, versions)
    except BaseException:
        if coordinator is not None:
            coordinator.kill()
            _ended(coordinator)
        raise
    watchdog = Watchdog(channel, settings.rank, settings.heartbeat)
    if coordinator is not None:
        watchdog.give_up = coordinator.kill
    watchdog.start()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    try:
        member = pjrt.Member(
            f"{host}:{channel.service_port}",
            settings.processes,
            settings.rank,
            math.ceil(settings.heartbeat),
            math.ceil(settings.init_timeout),
        )
        client = member.client(settings.local_devices, channel.host, settings.interface)
    except RuntimeError as error:  # XLA's, and gloo's
        why = str(error).strip().splitlines()[0]
        channel.failed(f"XLA's distributed runtime does not start: {why}")
        watchdog.stop()
        raise RuntimeFailure(
            f"XLA's distributed runtime does not start: {why}",
            hint="ports of all machines must be open to each other; interface= names the network",
        ) from None
    client.await_cause = watchdog.verdict
    watchdog.watch(member)
    return Session(settings, channel, watchdog, member, client, coordinator)


def _coordinator(settings: Settings, versions: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start the coordinator beside this process. Raises RuntimeFailure when it does not start."""
    told: dict[str, Any] = {
        "processes": settings.processes,
        "local_devices": settings.local_devices,
        "init_timeout": settings.init_timeout,
        "heartbeat": math.ceil(settings.heartbeat),
        **versions,
    }
    with _listener(settings) as listener:
        descriptor = listener.fileno()
        command = [sys.executable, "-P", "-m", "dxir.runtime.distributed.coordinator"]
        # What is sent to the group of this process is not for the coordinator, which ends with it.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            child = subprocess.Popen(
                [*command, str(descriptor), json.dumps(told)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(descriptor,),
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    assert child.stdout is not None
    if child.stdout.readline().strip() != b"ready":
        child.kill()
        _ended(child)
        raise RuntimeFailure(
            f"the coordinator at {settings.coordinator} does not start",
            hint="what it wrote says why",
        )
    return child


def _listener(settings: Settings) -> socket.socket:
    """A listening socket at the coordinator's address; RuntimeFailure when it cannot be had."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        settings.host, settings.port, type=socket.SOCK_STREAM
    )[0]
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            found.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise
            # The name may stand for this machine in other networks than its own.
            found.bind(("::" if family == socket.AF_INET6 else "", settings.port))
        found.listen(settings.processes + 16)
    except OSError as error:
        found.close()
        raise RuntimeFailure(
            f"process 0 cannot be the coordinator at {settings.coordinator}: "
            f"{error.strerror or error}",
            hint=f"{COORDINATOR} names a port that is free on the machine of process 0",
        ) from None
    return found
