"""What is told of compiled programs: their cost, memory and text, and profiles of their runs."""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxlib import _hlo

from dxir.errors import RuntimeFailure, TargetError
from dxir.runtime.pjrt.clients import XlaError

_recording = threading.Lock()
_RESULT = re.compile(r"\b[a-z]\w*\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The bytes that a run of a program takes on each device."""

    arguments: int
    results: int
    aliased: int
    """How many of the results are in the memory of arguments."""
    temporaries: int
    code: int

    @property
    def total(self) -> int:
        """All of it together."""
        return self.arguments + self.results - self.aliased + self.temporaries + self.code


def cost_of(loaded: Any) -> dict[str, float]:
    """What a run is estimated to cost, by name: `flops`, `bytes accessed`, `transcendentals`.

    Raises TargetError where the runtime does not tell.
    """
    try:
        found = loaded.cost_analysis()
    except XlaError as error:
        raise TargetError(f"the runtime tells no costs: {str(error).splitlines()[0]}") from None
    given = found[0] if isinstance(found, list) else found
    # The others tell which operand the bytes belong to, in a way that no two versions share.
    return {k: float(v) for k, v in sorted(given.items()) if not re.search(r"[{}]", k)}


def memory_of(loaded: Any) -> MemoryUse:
    """The memory that a run takes; TargetError where the runtime does not tell."""
    try:
        found = loaded.get_compiled_memory_stats()
    except XlaError as error:
        raise TargetError(f"the runtime tells no memory: {str(error).splitlines()[0]}") from None
    return MemoryUse(
        found.argument_size_in_bytes,
        found.output_size_in_bytes,
        found.alias_size_in_bytes,
        found.temp_size_in_bytes,
        found.generated_code_size_in_bytes,
    )


def text_of(loaded: Any) -> str:
    """The program as XLA's compiler left it, as HLO text."""
    return "\n\n".join(module.to_string() for module in loaded.hlo_modules())


def result_types(loaded: Any) -> list[str] | None:
    """The types of an executable's results as HLO writes them, such as `f32[2,3]`, in order.

    Those of what one device has, when there are several. None when they are not told.
    """
    options = _hlo.HloPrintOptions.short_parsable()
    options.print_large_constants = False
    options.print_metadata = False
    head, _, _ = loaded.hlo_modules()[0].to_string(options).partition("\n")
    _, _, layout = head.partition("entry_computation_layout={")
    _, arrow, results = layout.partition(")->")
    if not arrow:
        return None
    depth = 1
    for i, c in enumerate(results):
        depth += (c == "{") - (c == "}")
        if not depth:
            return _RESULT.findall(results[:i])
    return None


@contextmanager
def profile(folder: str | Path) -> Generator[None]:
    """Record what devices and runtime do within, and write it into a folder.

    What is written is `plugins/profile/TIME/HOST.trace.json.gz`, in the format of trace viewers
    (Perfetto, chrome://tracing), and `HOST.xplane.pb`, for XProf. Wait for results within, or their
    computation is not seen. Raises RuntimeFailure when a profile is being recorded already, or the
    folder cannot be written to.
    """
    _profiler: Any = importlib.import_module("jaxlib._profiler")  # it has no stubs

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RuntimeFailure(
            f"the profile cannot be written: {error.strerror or error}", where=str(folder)
        ) from None
    if not _recording.acquire(blocking=False):
        raise RuntimeFailure("a profile is being recorded", hint="one is recorded at a time")
    try:
        session = _profiler.ProfilerSession()
        try:
            yield
        finally:
            try:
                session.stop_and_export(str(place))
            except XlaError as error:
                raise RuntimeFailure(
                    f"the profile cannot be written: {error}",
                    hint="another library may have recorded one meanwhile; end that first",
                ) from None
    finally:
        _recording.release()
