"""Processes that evaluate one graph together, and meet where it has collectives.

They take turns: one runs until it waits for others at a collective or ends, then the next does. So
what they do is the same every time, and processes that wait for each other in vain are found out at
once, without a deadline.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dxir.errors import EvaluationError
from dxir.graph import Node
from dxir.locations import NOWHERE, at
from dxir.process_grid import ProcessId

Compute = Callable[[Sequence[Any]], Sequence[Any]]

_MOST_TOLD = 4


class _Abandoned(BaseException):
    """Raised in a process that waits, when another one has failed."""


@dataclass(slots=True)
class _Member:
    """A process, and what it waits for."""

    id: ProcessId
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    ended: bool = False
    at: Node | None = None
    result: Any = None
    error: BaseException | None = None


class Crew:
    """The processes with these ids, of as many replicas and partitions."""

    def __init__(self, ids: Sequence[ProcessId], replicas: int, partitions: int) -> None:
        self.replicas, self.partitions = replicas, partitions
        self.groups: dict[Node, Any] = {}
        """What ops remember of their groups among these processes."""
        self._members = {id: _Member(id) for id in ids}
        self._meetings: dict[tuple[Node, tuple[ProcessId, ...]], dict[ProcessId, Any]] = {}
        self._yielded = threading.Semaphore(0)
        self._failed = False

    def run(self, works: Sequence[Callable[[], Any]]) -> list[Any]:
        """What each process makes of its work.

        Raises the first error of a process, and EvaluationError when some wait for others that
        have ended or wait elsewhere.
        """
        members = list(self._members.values())
        threads = [
            threading.Thread(
                target=contextvars.copy_context().run, args=(self._work, m, work), daemon=True
            )
            for m, work in zip(members, works, strict=True)
        ]
        for thread in threads:
            thread.start()
        try:
            while not all(m.ended for m in members):
                ready = [m for m in members if not m.ended and m.at is None]
                if not ready:
                    raise self._stuck()
                for member in ready:
                    member.turn.release()
                    self._yielded.acquire()
                    if member.error is not None:
                        raise member.error
        finally:
            self._failed = True
            for member in members:
                member.turn.release()
            for thread in threads:
                thread.join()
        return [m.result for m in members]

    def _work(self, member: _Member, work: Callable[[], Any]) -> None:
        member.turn.acquire()
        if self._failed:
            return
        _current.set(Process(member.id, self))
        try:
            with at(NOWHERE):  # no frame of this thread is the user's
                member.result = work()
        except _Abandoned:
            return
        except BaseException as error:  # noqa: BLE001  raised again by `run`
            member.error = error
        member.ended = True
        self._yielded.release()

    def meet(
        self, id: ProcessId, node: Node, group: tuple[ProcessId, ...], given: Any, compute: Compute
    ) -> Any:
        """What a process gets from a meeting of its group at a node.

        `compute` makes the results of all of the group, in its order, from what they give.
        """
        absent = [other for other in group if other not in self._members]
        if absent:
            raise EvaluationError(
                f"{node.op}: {_named(id)} waits for {_named(absent[0])}, which is not evaluated",
                where=node.location,
            )
        key = (node, group)
        here = self._meetings.setdefault(key, {})
        here[id] = given
        member = self._members[id]
        if len(here) < len(group):
            member.at = node
            self._yielded.release()
            member.turn.acquire()
            if self._failed:
                raise _Abandoned
            return member.result
        del self._meetings[key]
        for other, result in zip(group, compute([here[i] for i in group]), strict=True):
            self._members[other].result = result
            self._members[other].at = None
        return member.result

    def _stuck(self) -> EvaluationError:
        waiting = [m for m in self._members.values() if m.at is not None]
        ended = [_named(m.id) for m in self._members.values() if m.ended]
        lines = [f"{_named(m.id)} at {m.at.op}{_place(m.at)}" for m in waiting if m.at is not None]
        if len(lines) > _MOST_TOLD:
            lines[_MOST_TOLD:] = [f"{len(lines) - _MOST_TOLD} more"]
        if ended:
            lines.append(f"ended have {_listed(ended)}")
        first = waiting[0].at
        return EvaluationError(
            "processes wait for each other in vain: " + "; ".join(lines),
            where=None if first is None else first.location,
            hint="all processes of a group must reach the same collectives in the same order; "
            "a branch or a loop may not depend on which process runs it",
        )


@dataclass(frozen=True, slots=True)
class Process:
    """One of the processes that evaluate a graph together."""

    id: ProcessId
    crew: Crew

    @property
    def replica(self) -> int:
        return self.id[0]

    @property
    def partition(self) -> int:
        return self.id[1]

    def meet(self, node: Node, group: tuple[ProcessId, ...], given: Any, compute: Compute) -> Any:
        """What this process gets from a meeting of its group; see `Crew.meet`."""
        return self.crew.meet(self.id, node, group, given, compute)

    def group_of(
        self, node: Node, groups: Callable[[], Sequence[tuple[ProcessId, ...]]]
    ) -> tuple[ProcessId, ...] | None:
        """The group of a node that this process is in; `groups` gives all of them."""
        known: Mapping[ProcessId, tuple[ProcessId, ...]] | None = self.crew.groups.get(node)
        if known is None:
            known = {member: group for group in groups() for member in group}
            self.crew.groups[node] = known
        return known.get(self.id)


_current: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)


def current_process() -> Process | None:
    """The process that this is evaluated by; None where there is one participant."""
    return _current.get()


def _named(id: ProcessId) -> str:
    return f"({id[0]}, {id[1]})"


def _place(node: Node | None) -> str:
    return "" if node is None or node.location is None else f" ({node.location})"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_TOLD
    return ", ".join(names[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
