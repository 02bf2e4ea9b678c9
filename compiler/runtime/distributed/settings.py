"""What a process is told of the others: by arguments, or by variables of its environment."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from dxir.errors import ArgumentError

COORDINATOR = "DXIR_COORDINATOR"
PROCESSES = "DXIR_NUM_PROCESSES"
RANK = "DXIR_PROCESS_ID"
LOCAL_DEVICES = "DXIR_LOCAL_DEVICES"

EXIT_CODE = 75
"""What a process ends with because another failed (EX_TEMPFAIL: nothing is wrong with this one)."""

LAUNCHERS = (
    ("Slurm", "SLURM_NTASKS", "SLURM_PROCID"),
    ("Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("MPICH", "PMI_SIZE", "PMI_RANK"),
)
"""Who starts processes and numbers them, and the variables that say so."""

MOST_PROCESSES = 4096
MOST_LOCAL_DEVICES = 1024
_HINT = "run the script with dxir-launch, which sets it, or give it to dxir.distributed.initialize"


@dataclass(frozen=True, slots=True)
class Settings:
    """Which process this is, and of which."""

    host: str
    """Where the coordinator is."""
    port: int
    processes: int
    rank: int
    local_devices: int
    init_timeout: float
    heartbeat: float
    shutdown_timeout: float
    interface: str | None = None

    @property
    def coordinator(self) -> str:
        """Where the coordinator is, as it is written."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read(
    coordinator: str | None,
    processes: int | None,
    rank: int | None,
    local_devices: int | None,
    *,
    init_timeout: float,
    heartbeat: float,
    shutdown_timeout: float,
    interface: str | None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """The settings of arguments, and of variables where these are None.

    Raises ArgumentError for what is missing or cannot be, naming the variable.
    """
    given = os.environ if environment is None else environment
    count, count_of = _number(processes, PROCESSES, "num_processes", given)
    number, number_of = _number(rank, RANK, "process_id", given)
    devices, devices_of = _number(local_devices, LOCAL_DEVICES, "local_devices", given, default=1)
    _within(count, 1, MOST_PROCESSES, count_of)
    if not 0 <= number < count:
        raise ArgumentError(
            f"{number_of} is {number}, and there are {count} processes",
            hint=f"they are numbered from 0 to {count - 1}, each number once",
        )
    _within(devices, 1, MOST_LOCAL_DEVICES, devices_of)
    for name, seconds in (
        ("init_timeout", init_timeout),
        ("heartbeat", heartbeat),
        ("shutdown_timeout", shutdown_timeout),
    ):
        if not 1 <= seconds <= 1e6:
            raise ArgumentError(f"{name} is {seconds:g} s", hint="give a second or more")
    host, port = _address(coordinator or given.get(COORDINATOR), count)
    return Settings(
        host,
        port,
        count,
        number,
        devices,
        init_timeout,
        heartbeat,
        shutdown_timeout,
        interface,
    )


def _number(
    given: int | None,
    variable: str,
    name: str,
    environment: Mapping[str, str],
    default: int | None = None,
) -> tuple[int, str]:
    """A number, and what it was given by."""
    if given is not None:
        if isinstance(given, bool) or not isinstance(given, int):
            raise ArgumentError(f"{name} is {given!r}", hint="give a number")
        return given, name
    for found in (variable, *_variables_of_launchers(name, environment)):
        text = environment.get(found)
        if text is None:
            continue
        if not text.strip().isdecimal() or len(text) > 100:  # Python refuses thousands of digits
            raise ArgumentError(f"{found} is {text[:100]!r}, which is no number")
        return int(text), found
    if default is None:
        raise ArgumentError(
            f"the variable {variable} is not set, and {name}= not given", hint=_HINT
        )
    return default, name


def _variables_of_launchers(name: str, environment: Mapping[str, str]) -> list[str]:
    """The variables of the launcher that started this process, if one did and says both."""
    for _, count, rank in LAUNCHERS:
        found = {"num_processes": count, "process_id": rank}
        if count in environment and rank in environment and name in found:
            return [found[name]]
    return []


def _within(number: int, least: int, most: int, name: str) -> None:
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {number}", hint=f"it is {least} to {most}")


def _address(text: str | None, processes: int) -> tuple[str, int]:
    if text is None:
        if processes == 1:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                return "127.0.0.1", int(free.getsockname()[1])
        raise ArgumentError(
            f"the variable {COORDINATOR} is not set, and coordinator= not given",
            hint=f"{_HINT}; it is the host of process 0 and a free port there: host0:7788",
        )
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if (
        not colon
        or not host
        or not port.isdecimal()
        or len(port) > 5
        or not 0 < int(port) < 1 << 16
    ):
        raise ArgumentError(
            f"the coordinator {text!r} is no host with a port",
            hint="it is the host of process 0 and a free port there: host0:7788",
        )
    try:
        socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ArgumentError(
            f"the host {host!r} of the coordinator {text!r} is not known here: "
            f"{getattr(error, 'strerror', None) or error}",
            hint="give the name of the machine of process 0 as the others know it, or its address",
        ) from None
    return host, int(port)
