"""What may be asked of a target's compiler, beside the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dxir.errors import ArgumentError

Buckets = tuple[int, ...] | Literal["powers of two"]
"""The sizes that a dynamic dimension is rounded up to."""

Flag = str | int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """The limits of a process that compiles and runs programs in place of this one.

    It may take `compile_s` seconds to compile a program, and `run_s` for each run. `memory_bytes`
    bounds the memory it has for itself, some 200 MB at its start; arguments and results, which it
    shares, do not count. None is for no limit. `imports` names modules that it imports first,
    such as register targets, kernels or implementations of custom calls.
    """

    compile_s: float | None = 3600.0
    run_s: float | None = 600.0
    memory_bytes: int | None = None
    imports: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("compile_s", "run_s", "memory_bytes"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise ArgumentError(f"{name} must be above 0, or None for no limit; not {limit!r}")
        if isinstance(self.imports, str):  # which is a sequence of texts, too
            raise ArgumentError(
                f"imports names modules in a tuple, and is the text {self.imports!r}",
                hint=f"write imports=({self.imports!r},)",
            )

    @classmethod
    def of(cls, given: bool | Containment) -> Containment | None:
        """What `contained=` stands for; None is for this process."""
        if isinstance(given, Containment):
            return given
        if given not in (True, False, None):
            raise ArgumentError(
                f"contained= takes True, False or a Containment, not {given!r}",
                hint="dxir.Containment(run_s=10) has limits of your own",
            )
        return cls() if given else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileOptions:
    """How a program is to be compiled; `dxir.compile` tells what each of these means.

    A target refuses with a TargetError what it cannot do. Where there is nothing to do, it takes
    them all: `reference` computes the whole program whatever the devices, and only `xla-cpu` has a
    cache. It never sees `buckets` and `contained`.
    """

    devices: int | tuple[Any, ...] | None = None
    replicas: int = 1
    donate: tuple[int, ...] = ()
    flags: Mapping[str, Flag] = field(default_factory=dict[str, Flag])
    cache: bool | None = None
    buckets: Mapping[str, Buckets] = field(default_factory=dict[str, Buckets])
    contained: Containment | None = None
