"""What a program costs, op by op, and in sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from dxir.costs.cost import NO_COST, Cost, total
from dxir.diagnostics import where_of
from dxir.errors import ArgumentError
from dxir.locations import caller_location
from dxir.mlir import IrLocation

SCHEMA = 1
"""The version of what `CostReport.as_dict` gives; a number is added when something changes."""


@dataclass(frozen=True, slots=True)
class OpCost:
    """An op: what it costs.

    `own` is what one run of the op itself costs; reducers and the like are part of it, while what
    loops, branches, calls and composites run is not: `each` has that as well. The op runs `runs`
    times in a run of the program; where a loop around it has unknown steps, `runs` counts one of
    them, and is not `exact`. `unknown` says why a part of `own` is not known.
    """

    index: int
    op: str
    function: str
    own: Cost
    each: Cost
    runs: int = 1
    exact: bool = True
    unknown: str = ""
    name: str = ""
    location: IrLocation | None = field(default=None, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """The name of the op, without StableHLO's dialect."""
        return self.op.removeprefix("stablehlo.")

    @property
    def cost(self) -> Cost:
        """What the op itself costs in a run of the program."""
        return self.own.times(self.runs)

    @property
    def in_all(self) -> Cost:
        """What the op and all that it runs cost in a run of the program."""
        return self.each.times(self.runs)

    @property
    def where(self) -> str | None:
        """The user's `file:line:col`."""
        return where_of(self.location)

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "index": self.index,
            "op": self.op,
            "name": self.name or None,
            "function": self.function,
            "where": self.where,
            "runs": self.runs,
            "exact": self.exact,
            "unknown": self.unknown or None,
            "own": self.own.as_dict(),
            "each": self.each.as_dict(),
            "cost": self.cost.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class KindCost:
    """All ops of one name: how many there are, how often they run, what these runs cost."""

    kind: str
    ops: int
    runs: int
    cost: Cost

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"kind": self.kind, "ops": self.ops, "runs": self.runs, "cost": self.cost.as_dict()}


@dataclass(frozen=True, slots=True)
class FunctionCost:
    """A function: how often it runs, what a run costs with what it calls, and its own ops in all.

    The `cost` of all functions is that of the program. `peak` is the most that is live in a run
    beside its parameters and constants, in bytes.
    """

    name: str
    runs: int
    exact: bool
    each: Cost
    cost: Cost
    peak: int | None

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name,
            "runs": self.runs,
            "exact": self.exact,
            "each": self.each.as_dict(),
            "cost": self.cost.as_dict(),
            "peak_bytes": self.peak,
        }


@dataclass(frozen=True, slots=True)
class CompositeCost:
    """All composites of one name: how many there are, and what their decompositions cost in all."""

    name: str
    ops: int
    runs: int
    cost: Cost

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"name": self.name, "ops": self.ops, "runs": self.runs, "cost": self.cost.as_dict()}


@dataclass(frozen=True, slots=True)
class MemoryCost:
    """The bytes of parameters, results and constants, and the most that is live at a time.

    `peak` includes parameters and constants; `peak_op` is the number of the op that runs then.
    None where a size is not known.
    """

    parameters: int | None
    results: int | None
    constants: int | None
    peak: int | None
    peak_op: int | None = None

    @property
    def temporaries(self) -> int | None:
        """The most that is live beside parameters and constants; results are part of it."""
        if self.peak is None or self.parameters is None or self.constants is None:
            return None
        return self.peak - self.parameters - self.constants

    @property
    def ends(self) -> int | None:
        """Parameters, constants and results: what has to be moved however ops are fused."""
        parts = (self.parameters, self.results, self.constants)
        return None if None in parts else sum([part or 0 for part in parts])

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "parameters": self.parameters,
            "results": self.results,
            "constants": self.constants,
            "temporaries": self.temporaries,
            "peak": self.peak,
            "peak_op": self.peak_op,
        }


@dataclass(frozen=True, slots=True, repr=False)
class CostReport:
    """What a run of a program costs.

    `ops[i]` is the op that `dxir.reading.ops_below(program.module)[i]` is: all ops of the module,
    outer before inner. `entry` is the function that is run, or empty where several are, each once.
    `notices` say what is not known, and what is counted once although it may run more often.
    """

    entry: str
    ops: tuple[OpCost, ...]
    functions: tuple[FunctionCost, ...]
    memory: MemoryCost
    notices: tuple[str, ...]

    def __repr__(self) -> str:
        cost = self.total
        return (
            f"<CostReport of @{self.entry or 'all functions'}: {cost.least.flops} flops, "
            f"{cost.least.read + cost.least.written} bytes, peak {self.memory.peak} bytes>"
        )

    @property
    def total(self) -> Cost:
        """What a run of the program costs."""
        return total(function.cost for function in self.functions)

    @property
    def bytes_at_least(self) -> int | None:
        """Parameters, constants and results, each moved once: what fusing cannot save."""
        return self.memory.ends

    def function(self, name: str) -> FunctionCost:
        """The function of a name; ArgumentError where there is none."""
        for each in self.functions:
            if each.name == name:
                return each
        raise ArgumentError(
            f"there is no function @{name}",
            where=caller_location(),
            hint=f"there are {', '.join(f'@{f.name}' for f in self.functions) or 'none'}",
        )

    def by_kind(self) -> tuple[KindCost, ...]:
        """The ops by their name, the dearest first; those of composites are among them."""
        return _sorted(
            [
                KindCost(kind, len(ops), sum([o.runs for o in ops]), total(o.cost for o in ops))
                for kind, ops in _grouped(self.ops, lambda o: o.kind).items()
                if kind not in ("func.func", "sdy.mesh")
            ]
        )

    def composites(self) -> tuple[CompositeCost, ...]:
        """The composites by their name, the dearest first, each with all of its decomposition.

        One within another counts in both.
        """
        found = [op for op in self.ops if op.op == "stablehlo.composite"]
        return _sorted(
            [
                CompositeCost(
                    name, len(ops), sum([o.runs for o in ops]), total(o.in_all for o in ops)
                )
                for name, ops in _grouped(found, lambda o: o.name).items()
            ]
        )

    def by_cost(self) -> tuple[OpCost, ...]:
        """The ops that cost something themselves, the dearest first."""
        return _sorted([op for op in self.ops if op.runs and op.own is not NO_COST])

    def seconds(self, peak_flops: float, bandwidth: float) -> tuple[float, float]:
        """How long a run takes at least, and unfused, by the roofline model.

        An op takes as long as its operations at `peak_flops` a second, transcendental ones too, or
        its bytes at `bandwidth` a second, whichever is longer. Unfused, ops follow each other; at
        least, all operations and the bytes of parameters, constants and results take their time.
        What is not known is left out of both. (Williams, Waterman and Patterson, "Roofline", 2009.)
        """
        for name, number in (("peak_flops", peak_flops), ("bandwidth", bandwidth)):
            if not 1 <= number < float("inf"):
                raise ArgumentError(
                    f"{name} is {number!r}",
                    where=caller_location(),
                    hint="give a number from 1 on, of operations or of bytes a second",
                )
        unfused = 0.0
        for op in self.ops:
            least = op.own.least
            work = (least.flops + least.transcendentals) / peak_flops
            unfused += op.runs * max(work, (least.read + least.written) / bandwidth)
        least = self.total.least
        work = (least.flops + least.transcendentals) / peak_flops
        return max(work, (self.bytes_at_least or 0) / bandwidth), unfused

    def as_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """As plain values, as JSON has them; the `top` dearest ops, all unless given."""
        return {
            "schema": SCHEMA,
            "entry": self.entry or None,
            "total": self.total.as_dict(),
            "bytes_at_least": self.bytes_at_least,
            "memory": self.memory.as_dict(),
            "functions": [function.as_dict() for function in self.functions],
            "kinds": [kind.as_dict() for kind in self.by_kind()],
            "composites": [composite.as_dict() for composite in self.composites()],
            "ops": [op.as_dict() for op in self.by_cost()[:top]],
            "notices": list(self.notices),
        }


def _grouped(ops: Iterable[OpCost], key: Callable[[OpCost], str]) -> dict[str, list[OpCost]]:
    groups: dict[str, list[OpCost]] = {}
    for op in ops:
        groups.setdefault(key(op), []).append(op)
    return groups


def _sorted(rows: list[Any]) -> tuple[Any, ...]:
    """The dearest first: by operations, then by bytes; in order where they are equal."""

    def key(row: Any) -> tuple[int, int]:
        least = row.cost.least
        return -(least.flops + least.transcendentals), -(least.read + least.written)

    return tuple(sorted(rows, key=key))
