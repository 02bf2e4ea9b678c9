"""Targets: where programs go, and how they are compiled for it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dxir.errors import TargetError

if TYPE_CHECKING:
    from dxir.graph import Function, Module
    from dxir.program import Program
    from dxir.runtime.executable import Executable


class Source(Protocol):
    """What is to be compiled, as a program or as a graph; each is made when it is asked for."""

    def program(self) -> Program:
        """The program, with a public `@main`."""
        ...

    def graph(self) -> Function | Module:
        """The graph."""
        ...

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as they are known; may be shorter than they are."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """A place that programs are compiled for and run on.

    `compile` refuses what the target cannot run with a TargetError, before anything is run.
    """

    name: str
    summary: str
    compile: Callable[[Source], Executable]


_targets: dict[str, Target] = {}


def register_target(target: Target) -> Target:
    """Make the target known by its name; TargetError when another one has it."""
    if _targets.setdefault(target.name, target) is not target:
        raise TargetError(f"there is a target {target.name!r} already")
    return target


def find_target(name: str) -> Target:
    """The target of that name; a TargetError naming the nearest ones when there is none."""
    found = _targets.get(name)
    if found is None:
        near = difflib.get_close_matches(name, _targets, n=3, cutoff=0.4)
        raise TargetError(
            f"there is no target {name!r}",
            hint=f"did you mean {' or '.join(map(repr, near))}?"
            if near
            else f"there are {', '.join(map(repr, sorted(_targets)))}",
        )
    return found


def target_names() -> tuple[str, ...]:
    """The names of all known targets, sorted."""
    return tuple(sorted(_targets))
