"""Several processes, on one machine or many, that run one program.

Each process calls `initialize` before it uses a device; from then on `dxir.devices()` are the
devices of all of them, and `dxir.compile(program, devices=N)` compiles over these. `dxir-launch`
starts processes that know who they are. docs/distributed.md tells of failures.
"""

from __future__ import annotations

from types import TracebackType

from dxir.errors import ArgumentError, RuntimeFailure
from dxir.runtime.distributed import session
from dxir.runtime.distributed.settings import EXIT_CODE as EXIT_CODE
from dxir.runtime.distributed.settings import read


class Joined:
    """That this process is one of several, until the end of a `with`.

    An exception that leaves it, `SystemExit` with a code among them, ends the other processes.
    """

    def __enter__(self) -> Joined:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        found = session.current()
        if isinstance(error, SystemExit) and error.code in (None, 0):
            error = None
        if found is not None and error is not None:
            found.watchdog.tell(error, trace)
        session.stop(failed=error is not None)


def initialize(
    coordinator: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    *,
    local_devices: int | None = None,
    init_timeout: float = 60,
    heartbeat: float = 10,
    shutdown_timeout: float = 300,
    interface: str | None = None,
) -> Joined:
    """Join the other processes; returns when all of them have.

    What it gives may be used with `with`, to `shutdown` at the end.

    `coordinator` is the host of process 0 and a free port there, `process_id` the number of this
    process of `num_processes`, and `local_devices` how many devices each has. What is not given is
    read from DXIR_COORDINATOR, DXIR_NUM_PROCESSES, DXIR_PROCESS_ID and DXIR_LOCAL_DEVICES; the
    numbers also from the variables of Slurm, Open MPI and MPICH.

    `init_timeout` is how many seconds the processes wait for each other, `heartbeat` after how many
    a process counts as lost that does not move, `shutdown_timeout` how long one that is done waits
    for the others. `interface` names the network interface for collectives, where the way to the
    coordinator is not the one.

    When a process fails, all others write why to stderr and end with EXIT_CODE, whatever they are
    doing. Raises ArgumentError for settings that cannot be, RuntimeFailure when the processes do
    not find together, and when this one has used devices before.
    """
    session.start(
        read(
            coordinator,
            num_processes,
            process_id,
            local_devices,
            init_timeout=init_timeout,
            heartbeat=heartbeat,
            shutdown_timeout=shutdown_timeout,
            interface=interface,
        )
    )
    return Joined()


def shutdown() -> None:
    """Leave the others, when all are done; the devices are those of this process alone again.

    Done at the end of the program, too. Does nothing where the process is alone.
    """
    session.stop()


def is_initialized() -> bool:
    """Whether this process has joined others."""
    return session.current() is not None


def process_index() -> int:
    """The number of this process; 0 where it is alone."""
    found = session.current()
    return 0 if found is None else found.settings.rank


def process_count() -> int:
    """How many processes there are together."""
    found = session.current()
    return 1 if found is None else found.settings.processes


def barrier(name: str, timeout: float | None = None) -> None:
    """Wait until all processes have come to the barrier of this name.

    When they have not within `timeout` seconds, or wait elsewhere, all processes end.
    """
    if timeout is not None and not (type(timeout) in (int, float) and timeout > 0):
        raise ArgumentError(
            f"the timeout of the barrier {name!r} is {timeout!r}", hint="give seconds, more than 0"
        )
    found = session.current()
    if found is not None:
        found.channel.exchange(f"the barrier {name!r}", "", timeout)


def exchange(name: str, text: str) -> list[str]:
    """Give a short text, and get those of all processes, by number; all of them must call it."""
    if not isinstance(text, str):
        raise ArgumentError(
            f"a {type(text).__name__} cannot be exchanged", hint="give a text, as of json.dumps"
        )
    if len(text) > 100_000:
        raise RuntimeFailure(
            f"{len(text)} characters are too many to exchange",
            hint="arrays go through programs, or array.gather()",
        )
    found = session.current()
    return [text] if found is None else found.channel.exchange(f"the exchange {name!r}", text)
