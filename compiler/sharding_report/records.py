"""What a report holds: values with their shardings and why, collectives, memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dxir.mesh_layout import device_groups
from dxir.process_grid import Strategy, process_groups, process_pairs
from dxir.sharding import AxisRef, Mesh, Sharding

_PERMUTE = "stablehlo.collective_permute"
_SHOWN_HOPS = 6
_KEPT_HOPS = 16


@dataclass(frozen=True, slots=True)
class Source:
    """What was given, and by what an axis came in.

    `kind` is `parameter`, `result`, `constraint`, `manual_computation`, `op` (a sharding written at
    an op), `group` (a sharding group) or `unknown`; `text` names it.
    """

    kind: str
    text: str
    where: str | None = None

    def __str__(self) -> str:
        return f"{self.text} ({self.where})" if self.where else self.text


@dataclass(frozen=True, slots=True)
class Hop:
    """One op that an axis went through: from one of its values to another, in which step."""

    op: str
    where: str | None
    taken: str
    given: str
    step: int | None = None

    def __str__(self) -> str:
        return f"{self.op} at {self.where}" if self.where else self.op


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Link:
    """A hop, and those before it; chains share what is common to them, and may be long."""

    hop: Hop
    before: Link | None
    length: int


@dataclass(frozen=True, slots=True)
class Why:
    """Why a value is split over an axis: what was given, and the ops from there to the value.

    `role` is what the axis does: `on dim 0`, `replicated`, `unreduced`.
    """

    axis: AxisRef
    role: str
    source: Source
    last: Link | None = field(default=None, repr=False, compare=False)

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The ops that the axis went through, from what was given to the value."""
        found: list[Hop] = []
        link = self.last
        while link is not None:
            found.append(link.hop)
            link = link.before
        return tuple(reversed(found))

    @property
    def sentence(self) -> str:
        """The chain in one sentence; the middle of a long one is counted."""
        source = self.source
        text = f"{self.axis} {self.role}: {'' if source.kind == 'unknown' else 'from '}{source}"
        hops = self.hops
        if not hops:
            return text
        shown = [str(hop) for hop in hops]
        if len(shown) > _SHOWN_HOPS:
            left = len(shown) - _SHOWN_HOPS
            shown = [*shown[:4], f"{left} more", *shown[-2:]]
        return f"{text}, through {', '.join(shown)}"

    def as_dict(self) -> dict[str, Any]:
        """As plain values; of a long chain the first and the last ops."""
        source, hops = self.source, self.hops
        kept = hops if len(hops) <= _KEPT_HOPS else (*hops[:8], *hops[-8:])
        return {
            "axis": str(self.axis),
            "role": self.role,
            "source": {"kind": source.kind, "text": source.text, "where": source.where},
            "length": len(hops),
            "through": [
                {"op": h.op, "where": h.where, "from": h.taken, "to": h.given, "step": h.step}
                for h in kept
            ],
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class ValueReport:
    """A value: how it lies on the mesh, and why.

    `kind` is `parameter`, `value` (the result of an op), `region` (a parameter of a region) or
    `result` (of a function). `type` is the type in the program, `local` a device's part of it, of
    `bytes` bytes (None where a size is not known). `given` is the sharding that was asked for,
    where one was, and `note` says what became of it when that is something else. `sharding` is how
    the value lies for who takes it; `made` is how its op gives it, where that is something else and
    collectives move it from there.
    """

    name: str
    function: str
    kind: str
    op: str
    where: str | None
    type: str
    local: str
    bytes: int | None
    sharding: Sharding | None
    why: tuple[Why, ...] = ()
    given: Sharding | None = None
    note: str | None = None
    label: str | None = None
    made: Sharding | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of it in words."""
        found = [] if self.note is None else [self.note]
        if self.made is not None:
            found.append(f"its op gives it as {shown(self.made)}, and collectives move it on")
        return tuple(found)

    @property
    def is_split(self) -> bool:
        """Whether devices hold different things of it."""
        sharding = self.sharding
        return sharding is not None and bool(
            sharding.unreduced
            or any(dim.axes for dim in sharding.dims)
            or sharding.mesh.is_single_device
        )

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name,
            "label": self.label,
            "function": self.function,
            "kind": self.kind,
            "op": self.op or None,
            "where": self.where,
            "type": self.type,
            "local_type": self.local,
            "local_bytes": self.bytes,
            "sharding": shown(self.sharding),
            "given": shown(self.given),
            "note": self.note,
            "made": shown(self.made),
            "why": [why.as_dict() for why in self.why],
        }


@dataclass(frozen=True, slots=True)
class Runs:
    """How often something runs in a run of the program; `count` is None where that is not known.

    `text` says why it is not once, and is empty where it is. `counted` is the number that totals
    are made with: loops of unknown steps count as one step.
    """

    count: int | None = 1
    text: str = ""
    counted: int = 1

    def __str__(self) -> str:
        number = "?" if self.count is None else str(self.count)
        return f"{number}x" + (f" ({self.text})" if self.text else "")


@dataclass(frozen=True, slots=True)
class CollectiveReport:
    """A collective in the program as the devices run it.

    `axes` are those of the mesh that its groups lie along (None where they are no axes), `devices`
    the number of devices in a group, `operand` a device's operand, of `operand_bytes` bytes. `sent`
    is what a device sends in one run of it, `seconds` the time of one run, None where no
    interconnect was described or a size is not known. `inserted` tells those that the shardings
    need from those that the program had itself, which list the ids in `rows`.
    """

    kind: str
    op: str
    function: str
    where: str | None
    mesh: Mesh | None
    axes: tuple[AxisRef, ...] | None
    devices: int
    operand: str
    operand_bytes: int | None
    sent: int | None
    seconds: float | None
    runs: Runs
    cause: str
    inserted: bool = True
    strategy: Strategy = "cross_partition"
    rows: tuple[tuple[int, ...], ...] = ()

    def process_groups(self) -> tuple[tuple[int, ...], ...]:
        """The devices that work together, a row for each group; of a permute, who sends to whom.

        A device is told by its number in the assignment of devices, replica by replica.
        """
        rows = self.rows
        if not rows and self.mesh is not None and self.axes is not None:
            rows = device_groups(self.mesh, self.axes)
        count = 1 + max([i for row in rows for i in row], default=0)
        if self.mesh is not None:
            count = self.mesh.size
        by_replica = self.strategy in ("cross_replica", "cross_replica_and_partition")
        replicas, partitions = (count, 1) if by_replica else (1, count)
        made = process_pairs if self.op == _PERMUTE else process_groups
        found = made(self.strategy, rows, replicas=replicas, partitions=partitions)
        return tuple([tuple([r * partitions + p for r, p in group]) for group in found])

    @property
    def sent_in_all(self) -> int:
        """The bytes a device sends in all runs; what is not known counts as nothing."""
        return (self.sent or 0) * self.runs.counted

    @property
    def seconds_in_all(self) -> float | None:
        """The time of all runs."""
        return None if self.seconds is None else self.seconds * self.runs.counted

    @property
    def axes_text(self) -> str:
        """The axes as they are written."""
        return "?" if self.axes is None else axes_text(self.axes)

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "kind": self.kind,
            "op": self.op,
            "function": self.function,
            "where": self.where,
            "mesh": None if self.mesh is None else self.mesh.name,
            "axes": None if self.axes is None else [str(a) for a in self.axes],
            "devices": self.devices,
            "operand": self.operand,
            "operand_bytes": self.operand_bytes,
            "sent_bytes": self.sent,
            "seconds": self.seconds,
            "runs": self.runs.count,
            "runs_text": self.runs.text or None,
            "cause": self.cause,
            "inserted": self.inserted,
        }


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on one device, and what the program would take on a single one.

    `peak` is the most that is live at a time, parameters and constants included: an estimate that
    lets a value live from its op to its last use, and knows nothing of fusion, of buffers that are
    shared or donated, nor of what a compiler needs on the way. None where a size is not known.
    """

    parameters: int | None
    results: int | None
    constants: int | None
    peak: int | None
    whole_parameters: int | None
    whole_results: int | None
    whole_constants: int | None
    whole_peak: int | None

    def rows(self) -> list[tuple[str, int | None, int | None]]:
        """Each kind with its bytes on a device, and unsharded."""
        return [
            ("parameters", self.parameters, self.whole_parameters),
            ("results", self.results, self.whole_results),
            ("constants", self.constants, self.whole_constants),
            ("peak", self.peak, self.whole_peak),
        ]

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {name: {"device": local, "whole": whole} for name, local, whole in self.rows()}


def axes_text(axes: Sequence[AxisRef]) -> str:
    """Axes as they are written: `{"x", "y":(1)2}`."""
    return "{" + ", ".join(map(str, axes)) + "}"


def shown(sharding: Sharding | None) -> str | None:
    """A sharding as text: only its dimensions, where there is nothing else to tell."""
    if sharding is None:
        return None
    if sharding.mesh.is_single_device:
        return f"on device {sharding.mesh.device_ids[0]}"
    text = "[" + ", ".join(map(repr, sharding.dims)) + "]"
    if sharding.replicated:
        text += f", replicated={axes_text(sharding.replicated)}"
    if sharding.unreduced:
        kind = "" if sharding.reduction == "SUM" else f"({sharding.reduction})"
        text += f", unreduced{kind}={axes_text(sharding.unreduced)}"
    return text
