"""The view of a program."""

from __future__ import annotations

from dxir.costs import CostReport, cost_of
from dxir.errors import DxirError
from dxir.fingerprint import value_digests
from dxir.mlir import IrOperation
from dxir.program import Program
from dxir.reading import ops_below
from dxir.view.bodies import laid
from dxir.view.counting import count
from dxir.view.records import Node, View
from dxir.view.scan import scan


def view_of(program: Program, *, name: str = "", digests: bool = False) -> View:
    """A program as nodes in bodies, for looking at; the program stays as it is.

    With `digests`, nodes have one by which those that compute the same are found.
    """
    costs: CostReport | None = None
    try:
        costs = cost_of(program)
        notes = list(costs.notices)
    except DxirError as error:
        notes = [f"costs are not known: {error.message}"]
    numbers = {op: i for i, op in enumerate(ops_below(program.module.operation))}

    of_values = value_digests(program.module) if digests else {}

    def visit(op: IrOperation, node: Node) -> None:
        if digests and len(op.results):
            node.digest = of_values.get(hash(op.results[0]), b"")
        number = numbers.get(op)
        if costs is None or number is None or node.kind == "function":
            return
        cost = costs.ops[number].in_all
        if "flops" not in cost.unknown or cost.least.flops:
            node.flops = cost.least.flops + cost.least.transcendentals
        moved = cost.least.read + cost.least.written
        if cost.bytes is not None or moved:
            node.moved = moved

    found = laid(name, scan(program.module, visit))
    found.notes += notes
    count(found)
    return found
