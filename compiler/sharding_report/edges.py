"""What Shardy wrote of its propagation: which value gave an axis to which, and when."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dxir.costs.liveness import ENTERED
from dxir.diagnostics import where_of
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrValue, ir
from dxir.passes.partitioning.origins import ORIGIN_NAME, ORIGIN_PLACES
from dxir.quoting import QUOTED, unquoted
from dxir.reading import attribute, attribute_text, terminator
from dxir.sharding import AxisRef
from dxir.sharding_report.layouts import entries
from dxir.sharding_report.scan import Key, Scan, blocks_of, returned, short

EDGES = "sdy.propagation_edges"
ORIGINS = "sdy.sharding_origins"
NOTES = re.compile(
    r"(sdy|dxir)\.(\w*propagation_edges|\w*sharding_origins|sharding_origin_(name|places))"
)
"""The attributes that tell of propagation, and nothing of the program."""

_TOKEN = re.compile(
    rf"step-(?P<step>\d+)"
    rf"|(?P<name>{QUOTED})(?::\((?P<pre>\d+)\)(?P<size>\d+))?"
    rf" = (?P<source>(?:operand|result)-\d+) -> \[(?P<targets>[^\]]*)\]"
)
_AXIS = re.compile(r"(?P<name>.*?)(?::\((?P<pre>\d+)\)(?P<size>\d+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edge:
    """In `step`, `axis` came from `source` through an op."""

    step: int
    axis: AxisRef
    source: Key
    op: str
    where: str | None
    taken: str
    given: str


@dataclass(slots=True)
class Edges:
    """The edges into each value, and what Shardy names as the origin of each of its axes."""

    into: dict[Key, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    origins: dict[Key, dict[AxisRef, str]] = field(default_factory=dict)
    named: dict[str, IrOperation] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    carried: dict[Key, Key] = field(default_factory=dict)
    place: Callable[[IrLocation], str | None] = where_of

    def at(self, key: Key) -> Key:
        """What edges are kept under: a value that a loop carries is one with the loop's result."""
        return self.carried.get(key, key)


Ends = Callable[[str, int], Sequence[Key]]


def read_edges(found: Scan) -> Edges:
    """The edges of a module after a propagation that wrote them down."""
    edges = Edges(place=found.place)
    gone = attribute(found.module.operation, ORIGIN_PLACES)
    if gone is not None:
        edges.gone = {k: ir.StringAttr(v).value for k, v in entries(gone).items()}
    for name, function in found.functions.items():
        _of_function(edges, name, function)
    for _, op in found.ops:
        _of_op(edges, op)
    return edges


def _of_function(edges: Edges, name: str, function: IrOperation) -> None:
    if not len(function.regions[0].blocks):
        return
    entry = function.regions[0].blocks[0]
    for which, keys in (
        ("arg_attrs", list(entry.arguments)),
        ("res_attrs", [(name, i) for i in range(len(terminator(entry).operands))]),
    ):
        attrs = attribute(function, which)
        if attrs is None:
            continue
        for i, each in enumerate(ir.ArrayAttr(attrs)):
            given = ir.DictAttr(each)
            key: Key = keys[i]
            if ORIGINS in given:
                edges.origins[key] = _origins(given[ORIGINS])
            if EDGES in given:
                values = terminator(entry).operands
                last = terminator(entry)
                _add(edges, given[EDGES], last, _ends_of_result(values[i], key), "return")


def _ends_of_result(value: IrValue, key: Key) -> Ends:
    return lambda kind, _: [value] if kind == "operand" else [key]


def _of_op(edges: Edges, op: IrOperation) -> None:
    named = attribute(op, ORIGIN_NAME)
    if named is not None:
        edges.named[ir.StringAttr(named).value] = op
    if op.name == "stablehlo.while":
        for block in blocks_of(op):
            edges.carried.update(zip(block.arguments, op.results, strict=True))
    origins = attribute(op, ORIGINS)
    if origins is not None:
        each = [origins] if isinstance(origins, ir.DictAttr) else list(ir.ArrayAttr(origins))
        for value, given in zip(op.results, each, strict=False):
            edges.origins[value] = _origins(given)
    steps = attribute(op, EDGES)
    if steps is not None:
        _add(edges, steps, op, _ends_of_op(op), short(op.name))
    if op.name in ENTERED:
        _sunk(edges, op, "result", list(op.results))
    if len(op.regions):
        entries = list(blocks_of(op))
        arguments = list(entries[0].arguments) if entries else []
        _sunk(edges, op, "block_arg", arguments)


def _ends_of_op(op: IrOperation) -> Ends:
    def ends(kind: str, index: int) -> Sequence[Key]:
        values = op.operands if kind == "operand" else op.results
        return [values[index]] if index < len(values) else []

    return ends


def _sunk(edges: Edges, op: IrOperation, which: str, values: Sequence[IrValue]) -> None:
    """What was written at the edges of regions: lists with an entry for every value."""
    for value, entry in zip(values, _entries(op, f"{which}_sharding_origins"), strict=False):
        edges.origins[value] = _origins(entry)
    for i, (value, entry) in enumerate(
        zip(values, _entries(op, f"{which}_propagation_edges"), strict=False)
    ):
        _add(edges, entry, op, _ends_of_region(op, which, value, i), short(op.name))


def _entries(op: IrOperation, key: str) -> list[IrAttribute]:
    """A list that Shardy wrote, or dxir where Shardy's own name does not take it."""
    for dialect in ("sdy", "dxir"):
        given = attribute(op, f"{dialect}.{key}")
        if isinstance(given, ir.ArrayAttr):
            return list(given)
    return []


def _ends_of_region(op: IrOperation, which: str, value: IrValue, position: int) -> Ends:
    if which == "block_arg":
        sources = [op.operands[position]]
    else:
        sources = returned(op, position)
        if op.name in ("stablehlo.while", "stablehlo.optimization_barrier"):
            sources = [op.operands[position], *sources]

    def ends(kind: str, index: int) -> Sequence[Key]:
        if kind == "result":
            return [value]
        return [sources[index]] if index < len(sources) else []

    return ends


def _add(edges: Edges, given: IrAttribute, op: IrOperation, ends: Ends, name: str) -> None:
    where = edges.place(op.location)
    for step, axis, source, targets in _parsed(attribute_text(given)):
        sources = ends(*source)
        if not sources:
            continue
        for target in targets:
            for key in ends(*target):
                taken, to = _end_text(source), _end_text(target)
                edge = Edge(step, axis, edges.at(sources[0]), name, where, taken, to)
                edges.into[edges.at(key)].append(edge)


def _end_text(end: tuple[str, int]) -> str:
    return f"{end[0]} {end[1]}"


def _parsed(
    text: str,
) -> Iterator[tuple[int, AxisRef, tuple[str, int], list[tuple[str, int]]]]:
    step = 0
    for token in _TOKEN.finditer(text):
        if token["step"] is not None:
            step = int(token["step"])
            continue
        sub = None if token["pre"] is None else (int(token["pre"]), int(token["size"]))
        targets = [_end(t) for t in token["targets"].split(",") if t.strip()]
        yield step, AxisRef(unquoted(token["name"]), sub), _end(token["source"]), targets


def _end(text: str) -> tuple[str, int]:
    kind, _, index = text.strip().partition("-")
    return kind, int(index)


def _origins(given: IrAttribute) -> dict[AxisRef, str]:
    """Axes with the names of their origins; sub-axes are written in the names of attributes."""
    found: dict[AxisRef, str] = {}
    for name, origin in entries(given).items():
        match = _AXIS.fullmatch(name)
        assert match is not None
        sub = None if match["pre"] is None else (int(match["pre"]), int(match["size"]))
        found[AxisRef(match["name"], sub)] = ir.StringAttr(origin).value
    return found


def origin_of(origins: Mapping[AxisRef, str], axis: AxisRef) -> str | None:
    """The origin of an axis, or of the part of it that is written."""
    if axis in origins:
        return origins[axis]
    return next((text for a, text in origins.items() if a.name == axis.name), None)
