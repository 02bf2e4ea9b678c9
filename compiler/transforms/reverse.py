"""Reverse mode: the nodes of a region put down forwards, cotangents sent back through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dxir.derivatives import Cotangent, add_any, taken, zeros
from dxir.errors import TransformError
from dxir.graph import Node, Region, Value, place
from dxir.locations import at, moving
from dxir.making import copied
from dxir.op import expansion
from dxir.transforms.activity import moves, part_of_tuple, reached_values, varies
from dxir.transforms.options import LoopOptions, current_options
from dxir.transforms.rule_errors import failed, miscounted, mistyped, no_value
from dxir.transforms.rules import By, Mode, refused, resolve, rule_name

Pull = Callable[[Sequence[Value | None]], Iterable[tuple[Value, Cotangent]]]
"""Takes a cotangent (or None) for each result; gives what it adds to values' cotangents."""


def replaced(_: Sequence[Value | None]) -> Iterable[tuple[Value, Cotangent]]:
    """The Pull of a node in whose place others were put down, which have their own."""
    return ()


class Reverse:
    """One sweep: `forward` any number of times, then `backward` once.

    Nodes are made in the region that is being built. A structured op (a loop, say) has a method
    `pullback(sweep)` on a node that is not placed: it puts down what computes the results, and
    gives these and a Pull. `sweep.varied` are the values, operands and captured ones, that
    cotangents are wanted for; `sweep.reached` says for each result of that node whether one may
    come to it.
    """

    def __init__(self, options: LoopOptions | None = None) -> None:
        self.options = current_options() if options is None else options
        self.varied: set[Value] = set()
        self.reached: tuple[bool, ...] = ()
        self._tape: list[tuple[Node, tuple[Value, ...], Pull]] = []
        self._cotangents: dict[Value, Value] = {}

    def run(
        self,
        region: Region,
        arguments: Sequence[Value],
        varied: Sequence[bool],
        reached: Iterable[int] | None = None,
    ) -> tuple[Value, ...]:
        """The results of a region on `arguments`, where cotangents of some are wanted.

        `reached` are the positions of the results that cotangents will come to; all by default.
        """
        self.varied.update([a for a, v in zip(arguments, varied, strict=True) if v])
        results = region.results
        used = results if reached is None else [results[i] for i in reached]
        return self.inlined(region, arguments, used)

    def inlined(
        self, region: Region, arguments: Sequence[Value], used: Iterable[Value] | None = None
    ) -> tuple[Value, ...]:
        """The results of a region put down in place of a node, on `arguments`."""
        values = dict(zip(region.params, arguments, strict=True))
        self.forward(region.nodes, region.results if used is None else used, values)
        return tuple([values.get(r, r) for r in region.results])

    def forward(
        self, nodes: Sequence[Node], results: Iterable[Value], values: dict[Value, Value]
    ) -> None:
        """Put down copies of nodes; `values` has what they take, and gets their results.

        Cotangents will come to `results` only.
        """
        ends = reached_values(nodes, results)
        for node in nodes:
            copy = copied(node, values)
            if (element := part_of_tuple(copy)) is not None:
                values[node.results[0]] = element
                continue
            reached = tuple([r in ends for r in node.results])
            if True not in reached or not varies(copy, self.varied):
                place(copy)
                continue
            self.reached = reached
            try:
                found = self._active(copy)
            except (TransformError, RecursionError):
                raise
            except Exception as error:
                raise failed(copy, _rule_of(copy), error) from error
            if found is not copy.results:
                values.update(zip(node.results, found, strict=True))

    def _active(self, node: Any) -> Sequence[Value]:
        """Put down a node through which cotangents will come; its results."""
        way = resolve(node, Mode.REVERSE)
        if way.kind == "vjp":
            place(node)
            self.varied.update([r for r in node.results if moves(r.type)])
            self._tape.append((node, node.results, self._plain(node, way.on(node))))
            return node.results  # type: ignore[no-any-return]
        if way.kind == "pullback":
            with at(node.location):
                return self._record(node, *way.on(node)(self))
        if way.by is By.EXPANSION:
            return self._expanded(node)
        raise refused(node, Mode.REVERSE)

    def _record(self, node: Node, results: Sequence[Value], pull: Pull) -> tuple[Value, ...]:
        if pull is not replaced:
            before = taken(node)  # a result that was there before varies if it did
            new = [r for r in results if moves(r.type) and r not in before]
            self.varied.update(new)
            self._tape.append((node, tuple(results), pull))
        return tuple(results)

    def _plain(self, node: Node, rule: Callable[[Any, Any], Sequence[Cotangent]]) -> Pull:
        operands, results = node.operands, node.results

        count, single = len(operands), len(results) == 1

        def pull(g: Sequence[Value | None]) -> Iterable[tuple[Value, Cotangent]]:
            given = rule(g[0], results[0]) if single else rule(tuple(g), results)
            if not isinstance(given, (tuple, list)) or len(given) != count:
                raise miscounted(node, "vjp", given, operands, "a cotangent")
            return zip(operands, given, strict=True)

        return pull

    def _expanded(self, node: Any) -> tuple[Value, ...]:
        body = expansion(node)
        used = [r for r, reached in zip(body.results, self.reached, strict=True) if reached]
        with at(node.location):
            return self.inlined(body, node.operands, used)

    def backward(self, cotangents: Iterable[tuple[Value, Value | None]]) -> None:
        """Send cotangents of results back through everything put down, last first."""
        for value, g in cotangents:
            self._add(value, g, None)
        found, varied = self._cotangents, self.varied
        with moving() as move:
            for node, results, pull in reversed(self._tape):
                gs = [found.get(r) for r in results]
                for g in gs:
                    if g is not None:
                        break
                else:
                    continue
                move(node.location)
                try:
                    for value, part in pull(gs):
                        if part is not None and value in varied:
                            given = part if isinstance(part, Value) else _made(node, value, part)
                            self._add(value, given, node)
                except (TransformError, RecursionError):
                    raise
                except Exception as error:
                    raise failed(node, _rule_of(node), error) from error
        self._tape.clear()

    def _add(self, value: Value, g: Value | None, node: Node | None) -> None:
        if g is None:
            return
        if g.type is not value.type and (g.shape, g.dtype) != (value.shape, value.dtype):
            if node is not None:
                raise mistyped(node, _rule_of(node), g, "a cotangent", value.type)
            raise TransformError(
                f"a cotangent has type {g.type}, but belongs to a value of type {value.type}"
            )
        before = self._cotangents.get(value)
        self._cotangents[value] = g if before is None else add_any(before, g)

    def cotangent(self, value: Value) -> Value | None:
        """What has come back to a value; None for a structural zero."""
        return self._cotangents.get(value)

    def cotangent_or_zeros(self, value: Value) -> Value:
        """What has come back to a value, zeros where nothing has."""
        found = self._cotangents.get(value)
        return zeros(value) if found is None else found


def _made(node: Node, value: Value, part: Any) -> Value | None:
    """The cotangent that a rule gives as a function that makes it."""
    given = part() if callable(part) else part
    if given is None or isinstance(given, Value):
        return given
    raise no_value(node, _rule_of(node), given, "the cotangent", value)


def _rule_of(node: Node) -> str:
    return rule_name(node, Mode.REVERSE)
