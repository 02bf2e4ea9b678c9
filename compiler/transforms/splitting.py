"""A function of inputs and cotangents cut in two: what can be known early, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from dxir.derivatives import live_nodes, taken
from dxir.graph import Function, Node, Value, building, place
from dxir.making import copied
from dxir.types import TensorType

Saveable = Callable[[Value], bool]

# What costs less to do again than to keep: no arithmetic, and nothing larger to read.
_FREE = frozenset(
    ("broadcast_in_dim", "broadcast_to", "reshape", "squeeze", "expand_dims", "convert", "compare",
     "not", "stop_gradient")
)  # fmt: skip
# Of values that are there anyway: XLA fuses these into what reads them.
_CHEAP = _FREE | frozenset(
    ("abs", "add", "and", "clamp", "div", "max", "min", "mul", "neg", "or",
     "select", "sign", "square", "sub", "xor")
)  # fmt: skip
_CHEAP_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Split:
    """The two parts of a function.

    `forward` takes the known inputs and gives the known outputs, then the residuals in
    `computed` that are no outputs: `places` has the position of each among its results.
    `backward` takes the residuals, `inputs` (positions of known inputs) and then
    `computed`, and the unknown inputs after them.
    """

    forward: Function
    backward: Function
    inputs: tuple[int, ...]
    computed: tuple[Value, ...]
    places: tuple[int, ...]

    def kept(self, inputs: Sequence[Value], results: Sequence[Value]) -> list[Value]:
        """What `backward` takes first, given what `forward` took and all that it gave."""
        return [*[inputs[i] for i in self.inputs], *[results[i] for i in self.places]]


def split(
    joint: Function,
    known: int,
    outputs: int,
    *,
    names: tuple[str, str] = ("forward", "backward"),
    saveable: Saveable | None = None,
    costly: Collection[int] = (),
    along: int | None = None,
) -> Split:
    """Cut `joint` between its first `known` parameters, with `outputs` results, and the rest.

    `saveable` says which values in between may be kept; the others are computed again from what
    is kept and from the inputs. By default all may be, and what costs nothing is done again.
    `costly` are the positions of known inputs that are kept only if they must be. Behind the first
    `along` nodes, those with effects are late, whatever they take.
    """
    late, unknown = late_nodes(joint, joint.params[known:], along)
    late_results = joint.results[outputs:]
    wanted = {v for n in late for v in taken(n) if v not in unknown}
    wanted.update([v for v in late_results if v not in unknown])
    again, kept = _residuals(joint, wanted, saveable or (lambda value: True))
    free = {p for i, p in enumerate(joint.params[:known]) if i not in costly}
    _drop_cheap(joint, again, kept, free)
    positions = {p: i for i, p in enumerate(joint.params)}
    inputs = tuple(sorted(positions[v] for v in kept if v in positions))
    order = {r: i for i, n in enumerate(joint.nodes) for r in n.results}
    computed = tuple(sorted([v for v in kept if v not in positions], key=order.__getitem__))
    early = [n for n in joint.nodes if n not in late]
    given = joint.results[:outputs]
    extra = [v for v in computed if v not in given]
    position = {v: i for i, v in reversed(list(enumerate((*given, *extra))))}
    places = tuple([position[v] for v in computed])
    forward = part(names[0], joint.params[:known], early, (*given, *extra))
    params = (*[joint.params[i] for i in inputs], *computed, *joint.params[known:])
    behind = [n for n in joint.nodes if n in again or n in late]
    backward = part(names[1], params, behind, late_results)
    return Split(forward, backward, inputs, computed, places)


def late_nodes(
    joint: Function, start: Sequence[Value], along: int | None = None
) -> tuple[set[Node], set[Value]]:
    """The nodes of a function that depend on any of `start`, and these with what they give.

    Of the nodes behind the first `along`, those that have effects and what depends on them too.
    """
    late: set[Node] = set()
    unknown = set(start)
    end = len(joint.nodes) if along is None else along
    for i, node in enumerate(joint.nodes):
        if (i >= end and node.has_side_effect) or any(v in unknown for v in taken(node)):
            late.add(node)
            unknown.update(node.results)
    return late, unknown


def _residuals(
    joint: Function, wanted: set[Value], saveable: Saveable
) -> tuple[set[Node], set[Value]]:
    """The nodes to do again, and the values to keep, so that `wanted` can be had."""
    params = set(joint.params)
    again: set[Node] = set()
    kept: set[Value] = set()
    pending = list(wanted)
    while pending:
        value = pending.pop()
        node = value.producer
        if value in params or value in kept or node is None:
            kept.add(value)
        elif node in again:
            continue
        elif not node.has_side_effect and (_is_free(node) or not saveable(value)):
            again.add(node)
            pending += taken(node)
        else:
            kept.add(value)
    return again, {v for v in kept if v.producer is None or v.producer not in again}


def _drop_cheap(joint: Function, again: set[Node], kept: set[Value], free: set[Value]) -> None:
    """Do again what is cheap to make of other values that are kept, instead of keeping it."""

    def chain(value: Value, depth: int) -> list[Node] | None:
        node = value.producer
        if node is None:
            return [] if value in kept or value in free else None
        if value in kept or node in again:
            return []
        if node.has_side_effect or node.regions or (node.operands and node.op not in _CHEAP):
            return None
        return nodes_for(node, depth)

    def nodes_for(node: Node, depth: int) -> list[Node] | None:
        if depth == 0:
            return None
        found = [node]
        for operand in node.operands:
            more = chain(operand, depth - 1)
            if more is None:
                return None
            found += more
        return found

    for node in joint.nodes:
        if node.op not in _CHEAP or len(node.results) != 1 or node.results[0] not in kept:
            continue
        found = nodes_for(node, _CHEAP_DEPTH)
        if found is not None:
            kept.remove(node.results[0])
            again.update(found)
            for other in found:
                kept.update([v for v in other.operands if v in free])


def _is_free(node: Node) -> bool:
    operands = taken(node)
    if not operands:
        return True
    if node.op not in _FREE:
        return False
    return _bytes(node.results) >= _bytes(operands)


def _bytes(values: Sequence[Value]) -> float:
    total = 0.0
    for value in values:
        type = value.type
        if isinstance(type, TensorType) and type.is_static and type.dtype.kind != "quantized":
            total += type.size * type.primitive.bits
    return total


def part(
    name: str, params: Sequence[Value], nodes: Sequence[Node], results: Sequence[Value]
) -> Function:
    """A private function of some values of another one: copies of the nodes that it needs."""
    function = Function(name, [v.type for v in params], public=False)
    values = dict(zip(params, function.params, strict=True))
    given = set(params)
    nodes = [n for n in nodes if not n.results or not given.issuperset(n.results)]
    needed = live_nodes(nodes, results)
    with building(function):
        for node in nodes:
            if node in needed:
                place(copied(node, values))
        function.seal([values[r] for r in results])
    return function
