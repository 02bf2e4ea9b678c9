"""The targets there are: those of dxir, of other packages, and those registered by code."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Sequence
from typing import Any

from dxir.errors import TargetError
from dxir.targets.kernels import register_kernel
from dxir.targets.record import Target

ENTRY_POINTS = "dxir.targets"
"""The entry-point group in which other packages name their targets."""

BROKEN: dict[str, TargetError] = {}
"""The entry points that give no target, found when all were asked for."""

_BUILT_IN = "dxir.targets.builtin"

_targets: dict[str, Target] = {}


def register_target(target: Target) -> Target:
    """Make the target and its kernels known; TargetError when another one has its name."""
    if _targets.setdefault(target.name, target) is not target:
        raise TargetError(f"there is a target {target.name!r} already")
    for kernel in target.kernels:
        register_kernel(target.name, kernel)
    return target


def forget_target(name: str) -> None:
    """Make a target unknown, but not its kernels; nothing happens when there is none."""
    _targets.pop(name, None)


def find_target(name: str) -> Target:
    """The target of that name; a TargetError naming the nearest ones when there is none."""
    _load_built_in()
    if name not in _targets:
        _load_entry_points(name)
    found = _targets.get(name)
    if found is None:
        names = target_names()
        near = _meant(name, names) or difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        raise TargetError(
            f"there is no target {name!r}",
            hint=f"did you mean {' or '.join(map(repr, near))}?"
            if near
            else f"there are {', '.join(map(repr, names))}",
        )
    return found


_OTHER_NAMES = {"cpu": "xla-cpu", "llvm": "xla-cpu", "tpu": "xla-tpu", "vulkan": "iree-vulkan"}
_OF_CUDA = ("cuda", "gpu", "nvidia", "ptx")


def _meant(name: object, names: Sequence[str]) -> list[str]:
    """The target that another name is for."""
    first = str(name).lower().split(":")[0]
    found = "xla-cuda" if first in _OF_CUDA else _OTHER_NAMES.get(first)
    return [found] if found is not None and found in names else []


def all_targets() -> dict[str, Target]:
    """Every target by name, sorted; `BROKEN` has the entry points that give none."""
    _load_built_in()
    _load_entry_points(None)
    return dict(sorted(_targets.items()))


def target_names() -> tuple[str, ...]:
    """The names of all known targets, sorted."""
    return tuple(all_targets())


def _load_built_in() -> None:
    package = importlib.import_module(_BUILT_IN)
    for module in pkgutil.iter_modules(package.__path__, f"{_BUILT_IN}."):
        importlib.import_module(module.name)


def _load_entry_points(name: str | None) -> None:
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if name not in (None, entry.name):
            continue
        try:
            _take(entry.name, entry.load())
        except Exception as error:
            broken = TargetError(
                f"the target {entry.name} of {entry.value} cannot be had: {_said(error)}",
                hint=f"the package that declares it in {ENTRY_POINTS} is broken: reinstall it",
            )
            broken.__cause__ = error
            if name is not None:
                raise broken from error
            BROKEN[entry.name] = broken


def _take(name: str, loaded: Any) -> None:
    if isinstance(loaded, Target) and loaded.name == name:
        register_target(loaded)
    elif name not in _targets:
        raise TargetError(
            f"it is a {type(loaded).__name__}, and no target {name!r} is registered by its module"
        )


def _said(error: Exception) -> str:
    return error.message if isinstance(error, TargetError) else f"{type(error).__name__}: {error}"
