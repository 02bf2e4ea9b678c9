"""What may be asked of a target's compiler, beside the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Flag = str | int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileOptions:
    """How a program is to be compiled; `dxir.compile` tells what each of these means.

    A target refuses with a TargetError what it cannot do, and ignores none of these.
    """

    devices: int | tuple[Any, ...] | None = None
    replicas: int = 1
    donate: tuple[int, ...] = ()
    flags: Mapping[str, Flag] = field(default_factory=dict[str, Flag])
    cache: bool | None = None
