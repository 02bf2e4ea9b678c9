"""Which nodes take part in a derivative, and whether each of them has a rule."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from dxir.derivatives import Undefined, Zero, captured, has_tangent, live_nodes, taken
from dxir.errors import TransformError
from dxir.graph import Function, Node, Region, Value
from dxir.making import make_room
from dxir.naming import MEANING
from dxir.op import Derived, Op, expansion
from dxir.transforms.doubts import Bits, doubt, without_its_rule
from dxir.transforms.flagging import Flagging
from dxir.transforms.registry import rules_for
from dxir.types import FutureType, TensorType, TupleType, Type

Missing = dict[tuple[str, str], tuple[str, str | None]]
"""Op and place of what has no rule: the reason, and what to do about it."""

_OF_KERNELS = (
    "the call of a kernel stands for a composite: derive or batch by a pass (dxir-differentiate, "
    "dxir-jvp, dxir-vmap), which takes that, or run dxir-decompose{kernels=off} before raising"
)
_DEEPEST = 200  # calls in calls
_REVERSE = ("vjp", "pullback")
_FORWARD = ("jvp", "pushforward")


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
    if not depends(node, varied) or derivative_of(node) is not None:
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


def derivative_of(node: Node) -> Zero | None:
    """Zero for a node whose derivative is: its class, or the rules of a name, say so."""
    found = node.derivative  # type: ignore[attr-defined]
    return found if found.__class__ is Zero else None


def reached_values(nodes: Sequence[Node], results: Iterable[Value]) -> set[Value]:
    """The values that cotangents of `results` may come to."""
    reached = {r for r in results if moves(r.type)}
    for node in reversed(nodes):
        for result in node.results:
            if result in reached:
                if derivative_of(node) is None:
                    around = taken(node) if node.regions else node.operands
                    reached.update([v for v in around if moves(v.type)])
                break
    return reached


def check_rules(
    region: Region,
    varied: Iterable[Value],
    results: Iterable[Value] | None,
    refusal: Callable[[Node], str | None],
    what: str,
    *,
    every_type: bool = False,
) -> None:
    """Raise a TransformError that lists every active node without a rule, before any work.

    `refusal` gives the reason why a node has none; None when it has. With `every_type` values vary
    whatever their types, as in batching; otherwise only those that have tangents do.
    """
    varied = set(varied)
    found = _Check(refusal, every_type)
    found.visit(region, varied, results)
    if found.missing:
        raise missing_error(found.missing, what)
    if every_type and any(n.has_side_effect for n in region.nodes):
        _refuse_predicated(region, varied)
    for message, where in found.doubts:
        doubt(message, where)


def _refuse_predicated(region: Region, batched: set[Value]) -> None:
    """Have ops say that their predicates differ in the batch, which effects in them rule out."""
    flagging = Flagging(lambda value: value in batched, expansion)
    flagging.region(region, [p in batched for p in region.params])


class _Check:
    def __init__(self, refusal: Callable[[Node], str | None], every_type: bool) -> None:
        self._refusal = refusal
        self._every_type = every_type
        self._kinds = ("batch",) if every_type else _FORWARD if refusal is jvp_refusal else _REVERSE
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
            reason = self._refusal(node)
            if reason is not None:
                hint = hint_of(node, self._kinds)
                where = str(node.location or self._where)
                self.missing.setdefault((described(node), where), (reason, hint))
                continue
            for nested in node.regions:
                self.visit(nested, varied | self._varying(nested.params), None)
            rules = rules_for(node)
            if rules is None or not rules.says(node, *self._kinds):
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
                lacking = node.lacks(self._kinds[0])
                if lacking is not None:
                    where = str(node.location or self._where)
                    self.missing[described(node), where] = (lacking.reason, lacking.hint)

    def _is_plain(self, cls: Any) -> bool:
        """Whether all nodes of an op have the rule, so that none of them need be looked at."""
        found = self._plain.get(cls)
        if found is None:
            found = self._plain[cls] = (
                cls.__module__.startswith("dxir.")
                and cls.op not in ("composite", "custom_call")
                and cls.lacks is Op.lacks
                and not isinstance(cls.derivative, (Undefined, property))
                and callable(getattr(cls, self._kinds[0]))
                and not (self._every_type and cls.unbatchable)
                and not any(f.kind in ("region", "regions") or "Function" in f.annotation
                            for f in cls.fields)
            )  # fmt: skip
        return found

    def _visit_callees(self, node: Node) -> None:
        if self._depth == _DEEPEST:
            raise TransformError(
                f"{described(node)}: calls are nested deeper than {_DEEPEST}",
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
        """Look into an op of another package that goes by its expansion; dxir's own all go."""
        cls = node.__class__
        if cls.__module__.startswith("dxir.") or not issubclass(cls, Derived):
            return
        if not any(getattr(cls, kind) for kind in self._kinds):
            body = expansion(node)
            before, self._where = self._where, str(node.location or self._where)
            self.visit(body, self._varying(body.params), None)
            self._where = before

    def _varying(self, params: Iterable[Value]) -> set[Value]:
        return {p for p in params if self._every_type or moves(p.type)}


def hint_of(node: Any, kinds: Sequence[str]) -> str | None:
    """What to do about a node that has none of these rules, if anything is known."""
    rules = rules_for(node)
    said = rules.undefined(*kinds) if rules is not None and rules.says(node, *kinds) else None
    if said is not None:
        return said.hint
    if MEANING in (node.annotations or {}):
        return _OF_KERNELS
    said = node.__class__.unbatchable if kinds[0] == "batch" else node.derivative
    if not isinstance(said, Undefined):
        said = node.lacks(kinds[0])
    return said.hint if isinstance(said, Undefined) else None


def callees(node: Node) -> list[Function]:
    """The functions that a node refers to and that have a body."""
    found: list[Function] = []
    for value in node.attrs.values():
        many: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
        found += [v for v in many if isinstance(v, Function) and not v.is_declaration]
    return found


def described(node: Node) -> str:
    """The op of a node; with the name that its meaning depends on, where there is one."""
    name = node.attrs.get("call_target_name") or node.attrs.get("composite_name")
    return f"{node.op} @{name}" if name else node.op


def missing_error(missing: Missing, what: str) -> TransformError:
    """The error for nodes without rules: the first in the message, all of them in the notes."""
    lines = [
        f"{op}{f' at {where}' if where else ''}: {reason}"
        for (op, where), (reason, _) in missing.items()
    ]
    hints = list(dict.fromkeys(h for _, h in missing.values() if h is not None))
    first_where = next((w for _, w in missing if w), None)
    count = "an op has" if len(lines) == 1 else f"{len(lines)} ops have"
    return TransformError(
        f"{count} no {what}:\n  " + "\n  ".join(lines),
        where=first_where,
        hint="; ".join(hints)
        or "register a rule: dxir.register_rules(name, vjp=..., jvp=..., batch=...)",
    )


def vjp_refusal(node: Node) -> str | None:
    """Why there is no reverse rule for a node; None when there is one."""
    return _refusal(node, _REVERSE)


def jvp_refusal(node: Node) -> str | None:
    """Why there is no forward rule for a node; None when there is one."""
    return _refusal(node, _FORWARD, "linear", "multilinear")


def _refusal(node: Node, kinds: Sequence[str], *others: str) -> str | None:
    assert isinstance(node, Op)
    given = rules_for(node)
    if given is not None and given.says(node, *kinds):
        return given.refusal(*kinds)
    cls = node.__class__
    if isinstance(cls.derivative, Undefined):
        return cls.derivative.reason
    if any(getattr(cls, r) for r in (*kinds, *others)) or issubclass(cls, Derived):
        lacking = node.lacks(kinds[0])
        return None if lacking is None else lacking.reason
    return f"no {kinds[0]} rule"
