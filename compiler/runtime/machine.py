"""What of this machine decides whether compiled code runs on it; asked of no runtime."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dxir.errors import TargetError

_CPUINFO = Path("/proc/cpuinfo")

# Of Linux's words for an x86 processor, those that name instructions which a compiler may use; the
# others, some of which change with the kernel, make no difference to code.
_INSTRUCTIONS = re.compile(
    r"(3dnow|abm|adx|aes|amx|apx|avx|bmi|cldemote|clflushopt|clwb|cmov|cmpccxadd|cx16|cx8|enqcmd"
    r"|f16c|fma|fsgsbase|fxsr|gfni|hle|hreset|invpcid|lahf_lm|lwp|lzcnt|mmx|movbe|movdir|pclmul"
    r"|pku|pni|popcnt|prefetch|ptwrite|raoint|rdpid|rdrand|rdseed|rtm|serialize|sgx|sha|sm3|sm4"
    r"|sse|ssse|tbm|tsxldtrk|uintr|user_shstk|vaes|vpclmul|waitpkg|wbnoinvd|xop|xsave)\w*"
)
_NAMING = ("vendor_id", "cpu family", "model", "stepping")
_NAMING_ARM = ("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision")
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of machine: its system, its architecture, its processor and what that can do."""

    system: str
    architecture: str
    processor: str
    features: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """It as JSON has it."""
        return {
            "system": self.system,
            "architecture": self.architecture,
            "processor": self.processor,
            "features": list(self.features),
        }

    @staticmethod
    def from_json(given: Mapping[str, Any]) -> Machine:
        """What `to_json` wrote; KeyError and TypeError for anything else."""
        return Machine(
            str(given["system"]),
            str(given["architecture"]),
            str(given["processor"]),
            tuple(map(str, given["features"])),
        )

    def refuse_other(self, made_for: Machine, where: str) -> None:
        """Raise TargetError when code that was made for that machine does not run on this one."""
        mine = f"{self.system} on {self.architecture}"
        other = f"{made_for.system} on {made_for.architecture}"
        hint = "compile the program here, and save it anew"
        if mine != other:
            raise TargetError(
                f"the executable was compiled for {other}, and this is {mine}",
                where=where,
                hint=hint,
            )
        missing = sorted(set(made_for.features) - set(self.features))
        if missing:
            more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
            raise TargetError(
                f"the executable was compiled for {made_for.processor}, and this processor "
                f"({self.processor}) has no {', '.join(missing[:_MOST_NAMED])}{more}",
                where=where,
                hint=hint,
            )


@cache
def this_machine() -> Machine:
    """The machine that this process runs on."""
    told = _cpuinfo()
    architecture = platform.machine()
    if told:
        naming = [told[name] for name in (*_NAMING, *_NAMING_ARM) if name in told]
        words = (told.get("flags") or told.get("Features") or "").split()
        if "flags" in told:
            words = [word for word in words if _INSTRUCTIONS.fullmatch(word)]
        processor = told.get("model name", architecture) + f" ({'/'.join(naming)})"
        return Machine(sys.platform, architecture, processor, tuple(sorted(set(words))))
    return Machine(sys.platform, architecture, platform.processor() or architecture, ())


def _cpuinfo() -> dict[str, str]:
    """What Linux says of the first processor; nothing anywhere else."""
    try:
        text = _CPUINFO.read_text("utf-8", "replace")
    except OSError:
        return {}
    found: dict[str, str] = {}
    for line in text.split("\n\n", 1)[0].splitlines():
        name, _, value = line.partition(":")
        found[name.strip()] = value.strip()
    return found


def threads_to_use() -> int:
    """How many processors XLA divides the work of a program among, which it does when compiling."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
