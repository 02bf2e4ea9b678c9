"""Clients of PJRT and their devices; each client is made once a process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import jaxlib.xla_client as xc

from dxir.errors import RuntimeFailure, TargetError

XlaError: type[RuntimeError] = xc.XlaRuntimeError

CPU = "cpu"
MOST_CPU_DEVICES = 1024
"""How many virtual devices the processors may be; each costs threads, about four."""

_FLAGS_PROBE = "from jaxlib import xla_client; xla_client.make_cpu_client()"

forked = False
"""Whether this process was forked from one that had a client."""

_lock = threading.RLock()
_clients: list[Client] = []
_shared: Client | None = None  # that of several processes


def _after_fork() -> None:
    global forked, _lock
    _lock = threading.RLock()  # another thread may have held it
    forked = bool(_clients)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Device:
    """A device that programs run on and arrays lie on."""

    def __init__(self, client: Client, raw: Any) -> None:
        self.client = client
        self.raw: Any = raw  # PJRT's; for the runtime only

    @property
    def id(self) -> int:
        """Its number among the devices of its client."""
        return int(self.raw.id)

    @property
    def platform(self) -> str:
        """`cpu`, `cuda`, ...: whose device it is."""
        return self.client.platform

    @cached_property
    def process(self) -> int:
        """The number of the process that has it; 0 where there is only one."""
        return int(self.raw.process_index)

    @cached_property
    def is_local(self) -> bool:
        """Whether this process has it."""
        return self.process == self.client.process

    @property
    def kind(self) -> str:
        """What its maker calls it."""
        return str(self.raw.device_kind)

    def memory(self) -> dict[str, int]:
        """Statistics of its memory, in bytes, by name; empty where the runtime gives none."""
        try:
            found = self.raw.memory_stats()
        except XlaError:
            return {}
        return {name: int(value) for name, value in (found or {}).items()}

    def __repr__(self) -> str:
        where = "" if self.is_local else f" of process {self.process}"
        return f"<Device {self.platform}:{self.id}{where}>"


class Client:
    """A connection to the devices of one platform: those of all processes that share them."""

    def __init__(self, platform: str, raw: Any) -> None:
        self.platform = platform
        self.raw: Any = raw
        self.process = int(raw.process_index())
        self.await_cause: Callable[[], None] = lambda: None
        """Called when what several processes do has failed: waits for what tells why."""
        self.devices = tuple(Device(self, d) for d in raw.devices())
        self.local_devices = tuple(d for d in self.devices if d.is_local)

    @property
    def is_shared(self) -> bool:
        """Whether other processes have some of its devices."""
        return len(self.local_devices) < len(self.devices)

    @cached_property
    def version(self) -> str:
        """What the runtime says of its version."""
        return str(self.raw.platform_version)


def refuse_fork() -> None:
    """Raise RuntimeFailure in a process that was forked from one with a client."""
    if forked:
        raise RuntimeFailure(
            "this process was forked from one that had already used xla-cpu, whose threads are "
            "missing here",
            hint="start processes by 'spawn': multiprocessing.get_context('spawn')",
        )


def cpu_client(count: int = 1) -> Client:
    """The processors of this machine as at least `count` devices.

    With several processes these are the devices of all of them, however few are asked for. Raises
    RuntimeFailure in a process forked from one that had made a client, where using it would hang,
    and TargetError for XLA_FLAGS that XLA refuses and for too many devices.
    """
    refuse_fork()
    with _lock:
        if _shared is not None:
            if count > len(_shared.devices):
                raise TargetError(
                    f"the processes have {len(_shared.devices)} devices together, not {count}",
                    hint="more processes, or more devices in each: DXIR_LOCAL_DEVICES=2",
                )
            return _shared
        fits = [c for c in _clients if c.platform == CPU and len(c.devices) >= count]
        if fits:
            return min(fits, key=lambda c: len(c.devices))
        if not 0 < count <= MOST_CPU_DEVICES:
            raise TargetError(
                f"the processors cannot be {count} devices",
                hint=f"they can be 1 to {MOST_CPU_DEVICES} virtual ones",
            )
        if os.environ.get("XLA_FLAGS") and not _clients:
            check_flags()
        made = Client(CPU, xc.make_cpu_client(num_devices=count))
        _clients.append(made)
        return made


def adopt(client: Client) -> Client:
    """Make the processors of several processes those of this one, too."""
    global _shared
    with _lock:
        _clients.append(client)
        _shared = client
    return client


def release(client: Client) -> None:
    """Have this process alone again: what it makes from now on is on devices of its own."""
    global _shared
    with _lock:
        _clients.remove(client)
        _shared = None


def has_clients() -> bool:
    """Whether this process has used devices already."""
    return bool(_clients)


def plugin_client(platform: str, library: str, options: Mapping[str, Any] | None = None) -> Client:
    """The devices that a PJRT plugin has, by the path of its shared library.

    `options` are the plugin's own. Raises TargetError for a library that is no such plugin, or that
    finds no device.
    """
    refuse_fork()
    with _lock:
        for made in _clients:
            if made.platform == platform:
                return made
        try:
            if not xc.pjrt_plugin_loaded(platform):
                xc.load_pjrt_plugin_dynamically(platform, library)
            if not xc.pjrt_plugin_initialized(platform):
                xc.initialize_pjrt_plugin(platform)
            raw = xc.make_c_api_client(platform, dict(options or {}))
        except XlaError as error:
            raise TargetError(
                f"the PJRT plugin {library} gives no devices: {_head(str(error))}",
                hint="it has to fit the hardware, its driver, and this version of jaxlib",
            ) from None
        found = Client(platform, raw)
        _clients.append(found)
        return found


def _head(message: str) -> str:
    return message.strip().splitlines()[0] if message.strip() else "no reason is given"


def check_flags() -> None:
    """Raise TargetError for flags in XLA_FLAGS that XLA would end the process over."""
    if not sys.executable:
        return
    command = [sys.executable, "-P", "-c", _FLAGS_PROBE]
    # The last words are what its log says.
    quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1"}
    run = subprocess.run(command, capture_output=True, check=False, env=quiet)
    if run.returncode:
        lines = run.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise TargetError(
            f"XLA does not start with XLA_FLAGS={os.environ['XLA_FLAGS']!r}: "
            f"{lines[-1].rpartition('] ')[2]}",
            hint="correct the environment variable or unset it",
        )
