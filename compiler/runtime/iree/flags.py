"""Flags for IREE's compiler: the target's, and the user's in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping

from dxir.errors import TargetError
from dxir.targets.options import CompileOptions, Flag
from dxir.targets.record import Target

PARAMETERS = "parameters"
"""The flag, of IREE's runtime, that names the archive for large constants."""

_OWNED = {
    "iree-hal-target-device": "it is what makes the target",
    "iree-hal-local-target-device-backends": "it is what makes the target",
    "iree-hal-target-backends": "it is what makes the target",
}
_NARROWING = ("demote-f64-to-f32", "demote-i64-to-i32", "demote-f32-to-f16", "promote-")


def merged_flags(target: Target, options: CompileOptions) -> tuple[dict[str, Flag], str | None]:
    """The flags of a target with those of the user in their place, and the archive they name.

    Raises TargetError for flags that would make the results of another type or the target another,
    and for what else cannot be asked of IREE. Whether there is such a flag its compiler tells.
    """
    if options.devices not in (None, 1) or options.replicas != 1:
        raise TargetError(
            f"{target.name} compiles for one device", hint="leave out devices and replicas"
        )
    if options.donate:
        raise TargetError(
            f"{target.name} cannot take over the memory of arguments", hint="leave out donate"
        )
    given = {name.removeprefix("--"): value for name, value in options.flags.items()}
    archive = given.pop(PARAMETERS, None)
    if archive is not None and (not isinstance(archive, str | os.PathLike) or archive == ""):
        raise TargetError(f"the flag {PARAMETERS} names an archive, which {archive!r} does not")
    for name, value in given.items():
        owned = _OWNED.get(name)
        if owned is not None and str(value) != str(target.flags.get(name, "")):
            raise TargetError(f"{target.name} does not take the flag {name}: {owned}")
        if name.startswith("iree-input-") and any(n in name for n in _NARROWING) and _is_on(value):
            raise TargetError(
                f"{target.name} does not take the flag {name}: parameters and results would be of "
                "other types than the program says",
                hint="convert them in the program (dxir-mixed-precision does)",
            )
    return {**target.flags, **given}, None if archive is None else os.fspath(archive)


def _is_on(value: Flag) -> bool:
    return str(value).lower() not in ("false", "0")


def flag_texts(flags: Mapping[str, Flag]) -> list[str]:
    """The flags as a command line has them."""
    return [f"--{name}={_text(value)}" for name, value in flags.items()]


def _text(value: Flag) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
