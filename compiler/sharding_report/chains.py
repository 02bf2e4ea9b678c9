"""Why a value is split over an axis: the way back to what was given."""

from __future__ import annotations

import re
from collections import defaultdict

from dxir.mlir import IrOperation, IrValue
from dxir.reading import symbol, terminator
from dxir.sharding import AxisRef, Sharding
from dxir.sharding_report.edges import Edges, origin_of
from dxir.sharding_report.given import Given
from dxir.sharding_report.records import Hop, Link, Source, Why
from dxir.sharding_report.scan import Item, Key, Scan, short

_NUMBERED = re.compile(r"(?P<what>input|output|mc_\d+_input|mc_\d+_output): (?P<index>\d+)")

_At = tuple[Key, AxisRef]


class Chains:
    """The chains of all values of a module after propagation."""

    def __init__(self, scan: Scan, edges: Edges, given: Given, entry: str) -> None:
        self._scan = scan
        self._edges = edges
        self._given = given
        self._entry = entry
        self._marks = given.marks(scan)
        self._known: dict[_At, tuple[Source, Link | None]] = {}
        self._linked = _call_links(scan, edges)
        self._groups: dict[int, list[Item]] = defaultdict(list)
        for item in scan.items:
            group = self._group(item)
            if group is not None:
                self._groups[group].append(item)

    def given(self, item: Item) -> Sharding | None:
        """The sharding that was given to a value."""
        mark = self._marks.get(id(item))
        return None if mark is None else self._given.shardings.get(mark)

    def _group(self, item: Item) -> int | None:
        mark = self._marks.get(id(item))
        return None if mark is None else self._given.groups.get(mark)

    def why(self, item: Item) -> tuple[Why, ...]:
        """Why a value lies as it does, axis by axis."""
        sharding = item.sharding
        if sharding is None:
            return ()
        asked = [(a, f"on dim {i}") for i, dim in enumerate(sharding.dims) for a in dim.axes]
        asked += [(a, "replicated") for a in sharding.replicated]
        asked += [(a, "unreduced") for a in sharding.unreduced]
        found: list[Why] = []
        for axis, role in asked:
            source, last = self._chain(item.key, axis)
            found.append(Why(axis, role, source, None if source.kind == "unknown" else last))
        return tuple(found)

    def _chain(self, key: Key, axis: AxisRef) -> tuple[Source, Link | None]:
        """The source of an axis of a value, and the way from there."""
        path: list[tuple[_At, Hop | None]] = []
        met: set[_At] = set()
        at: _At | None = (self._edges.at(key), axis)
        known: tuple[Source, Link | None] | None = None
        while at is not None:
            known = self._known.get(at)
            if known is not None:
                break
            met.add(at)
            before, hop = self._before(at, met)
            path.append((at, hop))
            at = before
        if known is None:
            known = (self._source(*path[-1][0]), None)
        source, link = known
        for at, hop in reversed(path):
            at_source = link is None and hop is not None and hop.where == source.where
            if hop is not None and not (
                at_source and source.kind in ("constraint", "op", "result")
            ):
                link = Link(hop, link, 1 + (0 if link is None else link.length))
            self._known[at] = (source, link)
        return source, link

    def _before(self, at: _At, met: set[_At]) -> tuple[_At | None, Hop | None]:
        """Where the axis came from: a value, and the op that gave it on."""
        key, axis = at
        if origin_of(self._edges.origins.get(key, {}), axis) == "self":
            return None, None
        edges = [e for e in self._edges.into.get(key, ()) if e.axis == axis]
        edges = edges or [e for e in self._edges.into.get(key, ()) if e.axis.name == axis.name]
        for edge in sorted(edges, key=lambda e: e.step):
            if (edge.source, axis) not in met:
                op = edge.op
                if op == "reshard" and "sharding_constraint" in self._given.places[edge.where]:
                    op = "sharding_constraint"
                hop = Hop(op, edge.where, edge.taken, edge.given, edge.step)
                return (edge.source, axis), hop
        if self._is_given(key, axis):
            return None, None
        found = [k for k in self._linked.get(key, {}) if (k, axis) not in met]
        found = [k for k in found if self._has(k, axis)]
        for other in sorted(found, key=lambda k: self._first_step(k, axis)):
            return (other, axis), self._linked[key][other]
        return self._by_group(key, axis, met)

    def _by_group(self, key: Key, axis: AxisRef, met: set[_At]) -> tuple[_At | None, Hop | None]:
        item = self._scan.by_key.get(key)
        group = None if item is None else self._group(item)
        if group is not None:
            for other in self._groups[group]:
                at = (other.key, axis)
                if at not in met and self._has(other.key, axis) and self._starts(other.key, axis):
                    return at, Hop(f"sharding group {group}", None, "value", "value")
        return None, None

    def _starts(self, key: Key, axis: AxisRef) -> bool:
        """Whether it is known of a value where an axis came from."""
        if origin_of(self._edges.origins.get(key, {}), axis) is not None:
            return True
        return self._is_given(key, axis) or self._first_step(key, axis) < _NEVER

    def _first_step(self, key: Key, axis: AxisRef) -> int:
        steps = [e.step for e in self._edges.into.get(key, ()) if e.axis.name == axis.name]
        if origin_of(self._edges.origins.get(key, {}), axis) == "self":
            return -1
        return min(steps, default=_NEVER)

    def _has(self, key: Key, axis: AxisRef) -> bool:
        item = self._scan.by_key.get(key)
        sharding = None if item is None else item.sharding
        if sharding is None:
            return False
        dims = [a.name for dim in sharding.dims for a in dim.axes]
        return axis.name in dims or axis in (*sharding.unreduced, *sharding.replicated)

    def _is_given(self, key: Key, axis: AxisRef) -> bool:
        item = self._scan.by_key.get(key)
        given = None if item is None else self.given(item)
        return given is not None and (
            any(a.name == axis.name for dim in given.dims for a in dim.axes)
            or axis in (*given.unreduced, *given.replicated)
        )

    def _source(self, key: Key, axis: AxisRef) -> Source:
        """What an axis was given by that came to a value from no other."""
        origin = origin_of(self._edges.origins.get(key, {}), axis)
        item = self._scan.by_key[key]
        if origin not in (None, "self") and not self._is_given(key, axis):
            found = self._named(str(origin))
            if found is not None:
                return found
        return self._own(item, self._is_given(key, axis) or origin == "self")

    def _own(self, item: Item, is_given: bool) -> Source:
        """A value that has an axis from nowhere else."""
        of = "" if item.function == self._entry else f" of @{item.function}"
        if item.kind == "parameter":
            name = f" {item.label}" if item.label else ""
            return Source("parameter", f"parameter {item.index}{name}{of}", item.where)
        if item.kind == "result":
            return Source("result", f"result {item.index}{of}", item.where)
        op = short(item.op.name)
        around = self._given.places.get(item.where, ())
        if op == "reshard" and "manual_computation" in around:
            return Source("manual_computation", "an input of manual_computation", item.where)
        if op == "manual_computation":
            what = "input" if item.kind == "region" else "result"
            return Source("manual_computation", f"{what} {item.index} of {op}", item.where)
        if op in ("reshard", "sharding_constraint"):
            return Source("constraint", "the sharding_constraint", item.where)
        if is_given:
            return Source("op", f"the sharding given to {op}", item.where)
        return Source("unknown", "Shardy does not tell where from")

    def _named(self, origin: str) -> Source | None:
        """What Shardy calls an origin."""
        op = self._edges.named.get(origin)
        if op is not None:
            return Source("constraint", "the sharding_constraint", self._scan.place(op.location))
        if origin in self._edges.gone:
            return Source("constraint", "the sharding_constraint", self._edges.gone[origin] or None)
        match = _NUMBERED.fullmatch(origin)
        if match is None:
            return None
        index, what = int(match["index"]), match["what"]
        if what in ("input", "output"):
            kind = "parameter" if what == "input" else "result"
            for item in self._scan.items:
                if (item.function, item.kind, item.index) == (self._entry, kind, index):
                    return self._own(item, True)
            return None
        name, _, end = what.rpartition("_")
        op = self._edges.named.get(name)
        where = None if op is None else self._scan.place(op.location)
        end = "result" if end == "output" else end
        return Source("manual_computation", f"{end} {index} of manual_computation", where)


_NEVER = 1 << 62


def _call_links(scan: Scan, edges: Edges) -> dict[Key, dict[Key, Hop]]:
    """Values that are the same at both ends of a call: operands and parameters, results."""
    found: dict[Key, dict[Key, Hop]] = defaultdict(dict)

    def tie(outer: IrValue, inner: Key, call: IrOperation, end: str) -> None:
        where = scan.place(call.location)
        into = Hop("func.call", where, end, end.replace("operand", "parameter"))
        out = Hop("func.call", where, end.replace("operand", "parameter"), end)
        found[edges.at(inner)].setdefault(edges.at(outer), into)
        found[edges.at(outer)].setdefault(edges.at(inner), out)

    for name, function in scan.functions.items():
        if len(function.regions[0].blocks):
            last = terminator(function.regions[0].blocks[0])
            hop = Hop("return", scan.place(last.location), "operand", "result")
            for i, value in enumerate(last.operands):
                found[name, i].setdefault(edges.at(value), hop)
    for _, op in scan.ops:
        if op.name != "func.call":
            continue
        callee = scan.functions.get(symbol(op, "callee") or "")
        if callee is None or not len(callee.regions[0].blocks):
            continue
        block = callee.regions[0].blocks[0]
        for i, (outer, inner) in enumerate(zip(op.operands, block.arguments, strict=True)):
            tie(outer, inner, op, f"operand {i}")
        for i, (outer, given) in enumerate(
            zip(op.results, terminator(block).operands, strict=True)
        ):
            tie(outer, given, op, f"result {i}")
    return found
