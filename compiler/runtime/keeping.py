"""Which compiled programs are kept on disk, and by which key they are found again.

The key holds everything that decides what XLA makes of a program, so that an entry is what
compiling would give here and now.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from dxir.mlir import ir, jaxlib_version
from dxir.reading import ops_below, target_of
from dxir.runtime import pjrt
from dxir.runtime.cache import Cache, is_on, the_cache
from dxir.runtime.machine import this_machine, threads_to_use

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.options import CompileOptions

LEAST_SECONDS = 0.3
"""How long compiling a program takes at least for it to be kept without being asked to."""

_CALL = "stablehlo.custom_call"
_LAYOUT = b"1"  # a change of what is below, or of how a program is handed to XLA


@cache
def dxir_version() -> str:
    """The version of dxir that is installed; `unknown` for one that is only on the path."""
    try:
        return version("dxir")
    except PackageNotFoundError:
        return "unknown"


def key_of(parts: Iterable[tuple[str, bytes]]) -> str:
    """64 hexadecimal digits for named parts, each of any length."""
    hash = sha256()
    for name, part in parts:
        for piece in (name.encode(), part):
            hash.update(len(piece).to_bytes(8, "little"))
            hash.update(piece)
    return hash.hexdigest()


def program_key(
    program: Program, target: str, assignment: pjrt.Assignment, threads: int | None = None
) -> str:
    """The key of a program as it is handed to XLA, compiled for these devices.

    Locations and names are no part of it: in a program from the cache they are those of the one
    that was compiled.
    """
    machine = this_machine()
    flags = sorted((name, type(v).__name__, str(v)) for name, v in assignment.flags.items())
    parts = [
        ("layout", _LAYOUT),
        ("program", program.fingerprint().encode()),
        ("target", target.encode()),
        ("devices", repr([d.id for d in assignment.devices]).encode()),
        ("platform", assignment.devices[0].platform.encode()),
        ("replicas", str(assignment.replicas).encode()),
        ("flags", repr(flags).encode()),
        ("standing options", pjrt.standing_options()),
        ("dxir", dxir_version().encode()),
        ("jaxlib", jaxlib_version.encode()),
        ("machine", repr(machine).encode()),
        ("threads", str(threads or threads_to_use()).encode()),
    ]
    if not machine.features:
        parts.append(("topology", pjrt.topology_of(assignment.devices[0]).encode()))
    return key_of(parts)


class Pending:
    """A compiled program that a thread is loading; whatever is asked of it waits for that.

    XLA takes longer for it than dxir for all the rest, and in the meantime there are weights to
    read.
    """

    def __init__(self, load: Callable[[], Any], otherwise: Callable[[], Any]) -> None:
        self._otherwise: Callable[[], Any] | None = otherwise
        self._loaded: Any = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, args=(load,), name="dxir-loading")
        self._thread.start()

    def _work(self, load: Callable[[], Any]) -> None:
        self._loaded = load()

    def loaded(self) -> Any:
        """The program, once it is loaded; or compiled, when it cannot be."""
        if self._otherwise is not None:
            self._thread.join()
            with self._lock:
                if self._loaded is None and self._otherwise is not None:
                    self._loaded = self._otherwise()
                self._otherwise = None
        return self._loaded

    def execute_sharded(self, arguments: Any) -> Any:
        """Run it."""
        return self.loaded().execute_sharded(arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of an object that is being made or copied
            raise AttributeError(name)
        return getattr(self.loaded(), name)


class Kept:
    """The place of one program in the cache."""

    def __init__(
        self,
        cache: Cache,
        key: str,
        assignment: pjrt.Assignment,
        description: dict[str, Any],
        least: float,
    ) -> None:
        self.key = key
        self._cache = cache
        self._assignment = assignment
        self._description = description
        self._least = least

    def load(self, otherwise: Callable[[], Any]) -> Any:
        """What PJRT compiled, if it is there; otherwise None.

        It is still being loaded, by a thread of its own. `otherwise` compiles the program, which is
        done when PJRT cannot load what is there.
        """
        found = self._cache.get(self.key)
        if found is None:
            return None

        def load() -> Any:
            try:
                return self._assignment.deserialize(found)
            except (pjrt.XlaError, ValueError, RuntimeError, TypeError) as error:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                self._cache.drop(self.key, f"cannot be loaded ({reason})")
                return None

        return Pending(load, otherwise)

    def keep(self, loaded: Any, seconds: float) -> None:
        """Put there what PJRT compiled in so many seconds."""
        if seconds < self._least:
            return
        try:
            data = pjrt.serialize(loaded)
        except pjrt.XlaError:  # a program with what the runtime cannot write down
            return
        more = {"compile_seconds": round(seconds, 3), "created": round(time.time())}
        self._cache.put(self.key, data, {**self._description, **more})


def place_of(
    program: Program, target: str, options: CompileOptions, assignment: pjrt.Assignment
) -> Kept | None:
    """The place in the cache of a program as it is handed to XLA; None if it is not to have one.

    It has none over several processes, where the cache is switched off, where XLA is to write down
    what it does, and where the program calls routines that were registered in this process: the key
    knows their names only.
    """
    if assignment.is_shared or not is_on(options.cache) or pjrt.writes_dumps():
        return None
    if calls_routines(program.module):
        return None
    if any(name.startswith("xla_dump") for name in assignment.flags):
        return None
    description = {
        "target": target,
        "program": program_name(program.module),
        "devices": len(assignment.devices),
        "replicas": assignment.replicas,
        "dxir": dxir_version(),
        "jaxlib": jaxlib_version,
        "host": socket.gethostname(),
    }
    key = program_key(program, target, assignment)
    least = 0.0 if options.cache else LEAST_SECONDS
    return Kept(the_cache(), key, assignment, description, least)


def calls_routines(module: ir.Module) -> bool:
    """Whether a program calls routines that were registered in this process."""
    called = {target_of(op) for op in ops_below(module.operation, {_CALL})}
    return bool(called and called & pjrt.registered_calls())


def program_name(module: ir.Module) -> str:
    """The name of the module, `main` where it has none."""
    attributes = module.operation.attributes
    if "sym_name" in attributes:
        return str(ir.StringAttr(attributes["sym_name"]).value)
    return "main"
