"""What a program costs: op by op from the inside out, then how often each runs."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Protocol

from dxir.costs.cost import MOST_RUNS, NO_COST, UNKNOWN_COST, Cost
from dxir.costs.liveness import CONSTANTS, Liveness
from dxir.costs.notices import notices_of
from dxir.costs.own import OwnCosts
from dxir.costs.report import CostReport, FunctionCost, MemoryCost, OpCost
from dxir.costs.sizes import Sizes
from dxir.costs.tree import Tree
from dxir.costs.trips import trips
from dxir.errors import GraphError, RaisingError, ShardingError
from dxir.locations import caller_location
from dxir.mlir import IrOperation, ir, sdy
from dxir.reading import attribute, has_body, is_public, signature
from dxir.sharding_codec import decode_shardings, meshes_of

_BRANCHES = ("stablehlo.case", "stablehlo.if")


_NOTHING: dict[int, Cost] = {}


class HasModule(Protocol):
    """A program: what holds an MLIR module."""

    @property
    def module(self) -> ir.Module:
        """The module."""
        ...


def cost_of(program: HasModule | ir.Module, *, function: str = "") -> CostReport:
    """What a run of a program costs, told from its ops without compiling it.

    The run is one of `function`, or of `main`, or of the only public function; where there are
    several, of each of them once. Functions count as often as they are called, loops as often as
    their counters say, conditionals as their dearest branch, composites as their decompositions.

    `report.total` is the whole of it, `report.memory` the bytes that are held. The cost of one op
    is `report.ops[i].own`, where `i` is its place among `dxir.reading.ops_below(program.module)`:
    all ops of the module in order, outer before inner, those in reducers as well; `.each` has what
    a loop, a call or a composite runs, `.runs` how often it runs, `.cost` is `own` times `runs`.
    Numbers that are not known are None, and `report.notices` say why; a loop of unknown steps
    counts one step, and is noticed. Raises GraphError where there is no such function.
    """
    module = program if isinstance(program, ir.Module) else program.module
    return _Count(module).report(function)


class _Count:
    """The costs of a module's ops, by their numbers in the tree."""

    def __init__(self, module: ir.Module) -> None:
        self.tree = Tree.of(module)
        self.sizes = Sizes()
        self._meshes = meshes_of(module)
        self._own_costs = OwnCosts(self.sizes, self._meshes)
        count = len(self.tree.ops)
        self.own = [NO_COST] * count
        self.each = [NO_COST] * count
        self.unknown: dict[int, str] = {}
        self.endless: set[int] = set()  # loops of unknown steps
        self.runs = [0] * count
        self.exact = [True] * count
        self.functions: dict[str, Cost] = {}
        self._owners = [""] * count
        for name, (first, end) in self.tree.spans.items():
            self._owners[first:end] = [name] * (end - first)
        self._inside: dict[int, dict[int, Cost]] = {}
        self._factors: dict[int, dict[int, int]] = {}  # runs of the regions in a run of the op
        for name in self.tree.order:
            self._count(name)

    def _count(self, name: str) -> None:
        """What a run of a function costs; those it calls are known."""
        tree = self.tree
        first, end = tree.spans[name]
        for i in range(end - 1, first - 1, -1):
            self._count_op(i)
            parent, cost = tree.parents[i], self.each[i]
            if parent >= 0 and cost is not NO_COST:
                regions = self._inside.setdefault(parent, {})
                regions[tree.regions[i]] = regions.get(tree.regions[i], NO_COST) + cost
        if has_body(tree.ops[first]):
            self.functions[name] = self.each[first]

    def _count_op(self, i: int) -> None:
        name, inside = self.tree.names[i], self._inside.get(i, _NOTHING)
        callee = self.tree.callees.get(i)
        if callee is not None:
            found = self.functions.get(callee)
            if found is None:
                self.unknown[i] = f"@{callee} has no body, or calls itself"
                self.own[i] = found = UNKNOWN_COST
            self.each[i] = found
            return
        factors = self._runs_of_regions(i, name, inside)
        if factors is None:
            self.own[i], why = self._own_costs.of(self.tree.ops[i], name, inside)
            self.each[i] = self.own[i]
            if why:
                self.unknown[i] = why
            return
        self._factors[i] = factors
        for region, times in factors.items():
            self.each[i] = self.each[i] + inside.get(region, NO_COST).times(min(times, MOST_RUNS))
        self.each[i] = self.each[i].bounded()

    def _runs_of_regions(self, i: int, name: str, inside: dict[int, Cost]) -> dict[int, int] | None:
        """How often each region of an op runs; None for an op whose regions are part of it."""
        if name in ("func.func", "sdy.named_computation"):
            return {0: 1}
        if name == "stablehlo.while":
            steps = trips(self.tree.ops[i])
            if steps is None:
                self.endless.add(i)
                return {0: 1, 1: 1}
            return {0: steps + 1, 1: steps}
        if name in _BRANCHES:
            regions = range(len(self.tree.ops[i].regions))
            return {max(regions, key=lambda r: _dear(inside.get(r, NO_COST)), default=0): 1}
        if name == "sdy.manual_computation":
            return {0: self._devices(self.tree.ops[i])}
        return None

    def _devices(self, op: IrOperation) -> int:
        """How many devices run the body of a manual computation, each a part of its own."""
        given = attribute(op, "manual_axes")
        if given is None:
            return 1
        axes = sdy.ManualAxesAttr(given)
        sizes = self._axes(op)
        return math.prod([sizes.get(str(axes[i]), 1) for i in range(len(axes))])

    def _axes(self, op: IrOperation) -> dict[str, int]:
        """The axes of the mesh of a manual computation, which is one for all that it takes."""
        for name in ("in_shardings", "out_shardings"):
            given = attribute(op, name)
            if given is None:
                continue
            with suppress(ShardingError, RaisingError, KeyError):
                for sharding in decode_shardings(given, self._meshes.__getitem__):
                    return dict(sharding.mesh.axes)
        return {}

    def _run(self, roots: list[str]) -> dict[str, bool]:
        """Set how often each op runs; gives for each function whether that is known."""
        tree = self.tree
        times = dict.fromkeys(tree.spans, 0) | dict.fromkeys(roots, 1)
        known = dict.fromkeys(tree.spans, True)
        for name in reversed(tree.order):
            first, end = tree.spans[name]
            self.runs[first], self.exact[first] = times[name], known[name]
            for i in range(first + 1, end):
                parent = tree.parents[i]
                factors = self._factors.get(parent, {})
                runs = self.runs[parent] * factors.get(tree.regions[i], 0)
                self.runs[i] = min(runs, MOST_RUNS)
                self.exact[i] = (
                    runs <= MOST_RUNS and self.exact[parent] and parent not in self.endless
                )
                callee = tree.callees.get(i)
                if runs and callee in times:
                    known[callee] = known[callee] and self.exact[i]
                    times[callee] += self.runs[i]
                    if times[callee] > MOST_RUNS:
                        times[callee], known[callee] = MOST_RUNS, False
        return known

    def report(self, function: str) -> CostReport:
        """The costs of a run."""
        roots = self._roots(function)
        known = self._run(roots)
        entry = roots[0] if len(roots) == 1 else ""
        ops = tuple(map(self._op_cost, range(len(self.tree.ops))))
        liveness = Liveness(self.tree, lambda value: self.sizes.known_bytes(value.type))
        functions: list[FunctionCost] = []
        for name, (first, end) in self.tree.spans.items():
            own = NO_COST
            for op in ops[first:end]:
                own = own + op.cost
            peak = liveness.of_function(name)
            functions.append(
                FunctionCost(
                    name,
                    self.runs[first],
                    known[name],
                    self.each[first],
                    own,
                    None if peak is None else peak.bytes,
                )
            )
        memory = self._memory(entry, liveness) if entry else MemoryCost(*[None] * 4)
        notices = notices_of(ops, roots, is_sharded=bool(self._meshes), loops=self.endless)
        return CostReport(entry, ops, tuple(functions), memory, notices)

    def _op_cost(self, i: int) -> OpCost:
        op, name = self.tree.ops[i], self.tree.names[i]
        given = attribute(op, "name") if name == "stablehlo.composite" else None
        return OpCost(
            index=i,
            op=name,
            function=self._owners[i],
            own=self.own[i],
            each=self.each[i],
            runs=self.runs[i],
            exact=self.exact[i],
            unknown=self.unknown.get(i, ""),
            name=str(given.value) if isinstance(given, ir.StringAttr) else "",
            location=op.location,
        )

    def _roots(self, function: str) -> list[str]:
        """The functions that are run."""
        tree = self.tree
        bodies = [n for n, (first, _) in tree.spans.items() if has_body(tree.ops[first])]
        if function:
            if function not in bodies:
                raise GraphError(
                    f"there is no function @{function} with a body",
                    where=caller_location(),
                    hint=f"there are {', '.join(f'@{n}' for n in bodies) or 'none'}",
                )
            return [function]
        public = [name for name in bodies if is_public(tree.ops[tree.spans[name][0]])]
        return ["main"] if "main" in public else public

    def _memory(self, entry: str, liveness: Liveness) -> MemoryCost:
        tree, sizes = self.tree, self.sizes
        type = signature(tree.ops[tree.spans[entry][0]])
        parameters = _sum([sizes.known_bytes(each) for each in type.inputs])
        results = _sum([sizes.known_bytes(each) for each in type.results])
        constants = _sum(
            [
                sizes.known_bytes(tree.ops[i].results[0].type)
                for first, end in tree.spans.values()
                if self.runs[first]
                for i in range(first, end)
                if tree.names[i] in CONSTANTS
            ]
        )
        peak = liveness.of_function(entry)
        if peak is None or parameters is None or constants is None:
            return MemoryCost(parameters, results, constants, None)
        at = peak.op if peak.op >= 0 else None
        return MemoryCost(parameters, results, constants, parameters + constants + peak.bytes, at)


def _dear(cost: Cost) -> tuple[int, int]:
    least = cost.least
    return least.flops + least.transcendentals, least.read + least.written


def _sum(sizes: list[int | None]) -> int | None:
    return None if None in sizes else sum([size or 0 for size in sizes])
