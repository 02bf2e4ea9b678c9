"""Forward mode: the nodes of a region with the tangents of their results beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dxir.derivatives import add_any, has_tangent, live_nodes, rebuild, zeros
from dxir.errors import TransformError
from dxir.graph import Node, Region, Value, place
from dxir.locations import at
from dxir.making import copied, several
from dxir.op import Op, expansion
from dxir.transforms.activity import part_of_tuple, varies
from dxir.transforms.rule_errors import failed, miscounted, mistyped, no_value
from dxir.transforms.rules import By, Mode, Resolution, refused, resolve, rule_name

Tangents = Sequence[Value | None]


class Forward:
    """Nodes and tangents, made in the region that is being built.

    A structured op has a method `pushforward(sweep)` on a node that is not placed; it puts down
    what computes the results and gives these and their tangents. `sweep.tangents` has those of
    its operands and of what it captures. With `separate` what computes the results must not
    depend on tangents, so that the two can be split.
    """

    def __init__(self, *, separate: bool = False) -> None:
        self.separate = separate
        self.tangents: dict[Value, Value] = {}

    def run(
        self,
        region: Region,
        arguments: Sequence[Value],
        tangents: Tangents,
        wanted: Iterable[int] | None = None,
    ) -> tuple[tuple[Value, ...], tuple[Value | None, ...]]:
        """The results of a region on `arguments`, and their tangents (None for zero).

        `wanted` are the positions of the results whose tangents are; all by default.
        """
        for argument, tangent in zip(arguments, tangents, strict=True):
            if tangent is not None:
                self.tangents[argument] = tangent
        results = region.results
        used = results if wanted is None else [results[i] for i in wanted]
        return self.inlined(region, arguments, used)

    def inlined(
        self, region: Region, arguments: Sequence[Value], used: Iterable[Value] | None = None
    ) -> tuple[tuple[Value, ...], tuple[Value | None, ...]]:
        """A region put down in place of a node: its results, and their tangents."""
        values = dict(zip(region.params, arguments, strict=True))
        self.forward(region.nodes, region.results if used is None else used, values)
        results = tuple([values.get(r, r) for r in region.results])
        return results, tuple([self.tangents.get(r) for r in results])

    def nested(self) -> Forward:
        """A sweep of a region in the one that is being gone through, with the same tangents."""
        inner = Forward(separate=self.separate)
        inner.tangents.update(self.tangents)
        return inner

    def forward(
        self, nodes: Sequence[Node], results: Iterable[Value], values: dict[Value, Value]
    ) -> None:
        """Put down copies of nodes, and what computes the tangents that those of `results` take.

        What has no rule, and is not for these, has no tangent.
        """
        for node in nodes:
            copy = copied(node, values)
            if (element := part_of_tuple(copy)) is not None:
                values[node.results[0]] = element
                continue
            if not varies(copy, self.tangents):
                place(copy)
                continue
            way = resolve(copy, Mode.FORWARD)
            if way.is_refused:
                if node in live_nodes(nodes, results, effects=False):
                    raise refused(copy, Mode.FORWARD)
                place(copy)
                continue
            try:
                with at(copy.location):
                    found, tangents = self._active(copy, way)
                if found is not copy.results:
                    values.update(zip(node.results, found, strict=True))
                if len(tangents) != len(found):
                    raise miscounted(copy, _rule_of(copy), tangents, found, "a tangent")
                for result, tangent in zip(found, tangents, strict=True):
                    if tangent is not None and has_tangent(result.type):
                        self._set(copy, result, tangent)
            except (TransformError, RecursionError):
                raise
            except Exception as error:
                raise failed(copy, _rule_of(copy), error) from error

    def _set(self, node: Node, result: Value, tangent: Value) -> None:
        if not isinstance(tangent, Value):
            raise no_value(node, _rule_of(node), tangent, "the tangent", result)
        if (tangent.shape, tangent.dtype) != (result.shape, result.dtype):
            raise mistyped(node, _rule_of(node), tangent, "a tangent", result.type)
        self.tangents[result] = tangent

    def _active(self, node: Any, way: Resolution) -> tuple[Sequence[Value], Tangents]:
        if way.kind == "pushforward":
            results, tangents = way.on(node)(self)
            return tuple(results), tuple(tangents)
        if way.by is By.EXPANSION:
            return self.inlined(expansion(node), node.operands)
        place(node)
        given = [self.tangents.get(v) for v in node.operands]
        if way.kind == "linear":
            found = _linear(node, given)
        elif way.kind == "multilinear":
            found = _multilinear(node, given)
        else:
            found = way.on(node)(tuple(given), _one_or_all(node))
        return node.results, several(found)


def _one_or_all(node: Node) -> Any:
    return node.results[0] if len(node.results) == 1 else node.results


def _rule_of(node: Node) -> str:
    return rule_name(node, Mode.FORWARD)


def fields_of(node: Op, names: Sequence[str]) -> list[int]:
    """The positions among the operands of the fields of these names."""
    positions: list[int] = []
    at_position = 0
    operands = [f for f in node.fields if f.kind in ("operand", "optional", "variadic")]
    sizes = node.segments or (1,) * len(operands)
    for field, size in zip(operands, sizes, strict=True):
        if field.name in names:
            positions += range(at_position, at_position + size)
        at_position += size
    return positions


def _linear(node: Any, tangents: list[Value | None]) -> Any:
    operands = list(node.operands)
    for i in fields_of(node, node.linear):
        tangent = tangents[i]
        operands[i] = zeros(operands[i]) if tangent is None else tangent
    return rebuild(node, operands)


def _multilinear(node: Any, tangents: list[Value | None]) -> Any:
    total: Value | None = None
    for i in fields_of(node, node.multilinear):
        tangent = tangents[i]
        if tangent is None:
            continue
        operands = list(node.operands)
        operands[i] = tangent
        part = rebuild(node, operands)
        total = part if total is None else add_any(total, part)
    return total
