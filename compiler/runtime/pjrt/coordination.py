"""XLA's distributed runtime: its coordination service, its client, and collectives by gloo."""

from __future__ import annotations

import os
from typing import Any

import jaxlib.xla_client as xc
from jaxlib import _jax

from dxir.runtime.pjrt import clients
from dxir.runtime.pjrt.clients import CPU, Client, XlaError


class Service:
    """The coordination service of XLA, which one process has for all, as long as it lives."""

    def __init__(self, address: str, processes: int, heartbeat_s: int, register_s: int) -> None:
        # Not recoverable, it would have XLA end every process when one is gone, without a reason.
        self._raw: Any = _jax.get_distributed_runtime_service(
            address,
            processes,
            heartbeat_timeout=heartbeat_s,
            cluster_register_timeout=register_s,
            recoverable=True,
        )


class Member:
    """This process as one of those that a coordination service holds together."""

    def __init__(
        self, address: str, processes: int, rank: int, heartbeat_s: int, init_s: int
    ) -> None:
        self.processes = processes
        self.rank = rank
        self._raw: Any = _jax.get_distributed_runtime_client(
            address,
            rank,
            init_timeout=init_s,
            shutdown_timeout=heartbeat_s,
            heartbeat_timeout=heartbeat_s,
            shutdown_on_destruction=False,
        )
        self._raw.connect()

    def live(self) -> set[int]:
        """The processes that XLA hears of; returns when all of these have asked, too.

        XLA's threads tell of a process even while Python is kept from running in it.
        """
        return set(self._raw.get_live_nodes(list(range(self.processes))))

    def client(self, devices: int, host: str | None, interface: str | None) -> Client:
        """The devices of all processes; from now on the processors of this one are part of them."""
        if os.environ.get("XLA_FLAGS"):
            clients.check_flags()
        collectives = _jax.make_gloo_tcp_collectives(
            distributed_client=self._raw, hostname=host, interface=interface
        )
        raw = xc.make_cpu_client(
            distributed_client=self._raw,
            node_id=self.rank,
            num_nodes=self.processes,
            collectives=collectives,
            num_devices=devices,
        )
        return clients.adopt(Client(CPU, raw))

    def leave(self) -> None:
        """Leave the service, as a process does that is done."""
        try:
            self._raw.shutdown()
        except XlaError:
            return  # the service is gone before: there is nothing to leave
