"""Which nodes take part in a derivative, and whether each of them has a rule."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from dxir.derivatives import Undefined, captured, has_tangent, live_nodes, taken
from dxir.errors import TransformError
from dxir.graph import Function, Node, Region, Value
from dxir.making import make_room
from dxir.op import Op, expansion
from dxir.transforms.doubts import Bits, doubt, without_its_rule
from dxir.transforms.flagging import Flagging
from dxir.transforms.rule_errors import named_op
from dxir.transforms.rules import By, Mode, refusal, resolve, zero_of
from dxir.types import FutureType, TensorType, TupleType, Type

Missing = dict[tuple[str, str], Undefined]
"""Op and place of what has no rule: the reason, and what to do about it."""

_DEEPEST = 200  # calls in calls


def varied_values(
    region: Region, start: Iterable[Value], *, every_type: bool = False
) -> set[Value]:
    """The values of a region that change with those of `start`, which are of it or around it."""
    varied = set(start)
    varying_nodes(region.nodes, varied, every_type=every_type)
    return varied


def varying_nodes(
    nodes: Iterable[Node], varied: set[Value], *, every_type: bool = False
) -> list[Node]:
    """The nodes that change with varied values, which what of their results varies is put into."""
    found: list[Node] = []
    for node in nodes:
        if depends(node, varied) if every_type else varies(node, varied):
            found.append(node)
            varied.update([r for r in node.results if every_type or moves(r.type)])
    return found


def moves(type: Type) -> bool:
    """Whether values of a type have tangents, or are tuples or futures with parts that do."""
    if isinstance(type, TensorType):
        return has_tangent(type)
    return isinstance(type, (FutureType, TupleType)) and any(moves(t) for t in type.types)


def part_of_tuple(node: Node) -> Value | None:
    """What a node takes out of a tuple that was made of it; None for other nodes."""
    if node.op != "get_tuple_element":
        return None
    source = node.operands[0].producer
    if source is None or source.op != "tuple":
        return None
    index: int = node.attrs["index"]
    return source.operands[index]


def varies(node: Node, varied: Container[Value]) -> bool:
    """Whether the results of a node have tangents, given which values have."""
    if not depends(node, varied) or zero_of(node) is not None:
        return False
    return True in [moves(r.type) for r in node.results]


def depends(node: Node, varied: Container[Value]) -> bool:
    """Whether a node takes any of the varied values, or its regions do."""
    for value in node.operands:
        if value in varied:
            break
    else:
        return bool(node.regions) and any(v in varied for v in captured(node.regions))
    return True


def reached_values(nodes: Sequence[Node], results: Iterable[Value]) -> set[Value]:
    """The values that cotangents of `results` may come to."""
    reached = {r for r in results if moves(r.type)}
    for node in reversed(nodes):
        for result in node.results:
            if result in reached:
                if zero_of(node) is None:
                    around = taken(node) if node.regions else node.operands
                    reached.update([v for v in around if moves(v.type)])
                break
    return reached


def check_rules(
    region: Region, varied: Iterable[Value], results: Iterable[Value] | None, mode: Mode
) -> None:
    """Raise a TransformError that lists every active node without a rule, before any work.

    In batching, values vary whatever their types; otherwise only those that have tangents do.
    """
    varied = set(varied)
    found = _Check(mode)
    found.visit(region, varied, results)
    if found.missing:
        raise missing_error(found.missing, mode.what)
    if mode is Mode.BATCHING and any(n.has_side_effect for n in region.nodes):
        _refuse_predicated(region, varied)
    for message, where in found.doubts:
        doubt(message, where)


def _refuse_predicated(region: Region, batched: set[Value]) -> None:
    """Have ops say that their predicates differ in the batch, which effects in them rule out."""
    flagging = Flagging(lambda value: value in batched, expansion)
    flagging.region(region, [p in batched for p in region.params])


class _Check:
    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._every_type = mode is Mode.BATCHING
        self._seen: set[int] = set()
        self._plain: dict[type, bool] = {}
        self._depth = 0  # of calls
        self._where = ""  # of the op whose expansion is looked into
        self._bits = Bits()
        self.missing: Missing = {}
        self.doubts: dict[tuple[str, str | None], None] = {}

    def visit(self, region: Region, start: set[Value], results: Iterable[Value] | None) -> None:
        varied = set(start)
        varying = varying_nodes(region.nodes, varied, every_type=self._every_type)
        ends = region.results if results is None else results
        useful = live_nodes(region.nodes, ends, effects=False)
        if not self._every_type:
            self._visit_effects(region, varied)
            lost = self._bits.lost(region.nodes, varied, lambda: reached_values(region.nodes, ends))
            if lost is not None:
                self._doubt(*lost)
        for node in varying:
            if node not in useful or self._is_plain(node.__class__):
                continue
            refused = refusal(node, self._mode)
            if refused is not None:
                where = str(node.location or self._where)
                self.missing.setdefault((named_op(node), where), refused)
                continue
            for nested in node.regions:
                self.visit(nested, varied | self._varying(nested.params), None)
            if resolve(node, self._mode).by is not By.NAME:
                unknown = without_its_rule(node, batched=self._every_type)
                if unknown is not None:
                    self._doubt(unknown, node)
                self._visit_callees(node)
                self._visit_expansion(node)

    def _doubt(self, message: str, node: Node) -> None:
        self.doubts[message, str(node.location or self._where) or None] = None

    def _visit_effects(self, region: Region, varied: set[Value]) -> None:
        """Note what other processes get of varied values, whatever they make of it."""
        for node in region.nodes:
            if node.has_side_effect and isinstance(node, Op) and depends(node, varied):
                lacking = node.lacks(self._mode.rule)
                if lacking is not None:
                    self.missing[named_op(node), str(node.location or self._where)] = lacking

    def _is_plain(self, cls: Any) -> bool:
        """Whether all nodes of an op have the rule, so that none of them need be looked at."""
        found = self._plain.get(cls)
        if found is None:
            found = self._plain[cls] = (
                not cls.foreign
                and cls.named_by is None
                and cls.lacks is Op.lacks
                and resolve(cls, self._mode).by is By.RULE
                and not any(f.kind in ("region", "regions") or "Function" in f.annotation
                            for f in cls.fields)
            )  # fmt: skip
        return found

    def _visit_callees(self, node: Node) -> None:
        if self._depth == _DEEPEST:
            raise TransformError(
                f"{named_op(node)}: calls are nested deeper than {_DEEPEST}",
                where=node.location or self._where or None,
                hint="inline some of the functions",
            )
        self._depth += 1
        make_room(self._depth)
        for callee in callees(node):
            if id(callee) not in self._seen:
                self._seen.add(id(callee))
                self.visit(callee, self._varying(callee.params), None)
        self._depth -= 1

    def _visit_expansion(self, node: Any) -> None:
        """Look into a foreign op that goes by its expansion: dxir's own have rules all through.

        Tests hold that for them; and an expansion costs as much as what is checked for it.
        """
        if not node.__class__.foreign:
            return
        if resolve(node, self._mode).by is By.EXPANSION:
            body = expansion(node)
            before, self._where = self._where, str(node.location or self._where)
            self.visit(body, self._varying(body.params), None)
            self._where = before

    def _varying(self, params: Iterable[Value]) -> set[Value]:
        return {p for p in params if self._every_type or moves(p.type)}


def callees(node: Node) -> list[Function]:
    """The functions that a node refers to and that have a body."""
    found: list[Function] = []
    for value in node.attrs.values():
        many: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
        found += [v for v in many if isinstance(v, Function) and not v.is_declaration]
    return found


def missing_error(missing: Missing, what: str) -> TransformError:
    """The error for nodes without rules: the first in the message, all of them in the notes."""
    lines = [
        f"{op}{f' at {where}' if where else ''}: {refused.reason}"
        for (op, where), refused in missing.items()
    ]
    hints = list(dict.fromkeys(r.hint for r in missing.values() if r.hint is not None))
    first_where = next((w for _, w in missing if w), None)
    count = "an op has" if len(lines) == 1 else f"{len(lines)} ops have"
    return TransformError(
        f"{count} no {what}:\n  " + "\n  ".join(lines),
        where=first_where,
        hint="; ".join(hints)
        or "register a rule: dxir.register_rules(name, vjp=..., jvp=..., batch=...)",
    )
