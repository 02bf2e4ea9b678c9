"""Functions cut short: what comes late is left out, and of the results all but a few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from dxir.editing import retype
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, attributes_of, terminator, used_values
from dxir.reduction.places import entries, named
from dxir.reduction.search import InChunks, Reduction, Search


class Shorten(Reduction):
    """The shortest beginning of each function that is interesting, by bisection.

    A beginning gives every value that the rest of the function would have used, so that what goes
    wrong in it shows; then, if that will do, only the results of its last op.
    """

    name = "ends of functions"

    def run(self, search: Search) -> None:
        for name in entries(search.current):
            low, high = -1, _length(search.current, name)
            while high - low > 1:
                middle = (low + high) // 2
                if search.first([partial(_keep_beginning, name=name, count=middle)]) is None:
                    low = middle
                else:
                    high = min(middle, _length(search.current, name))
            search.first([partial(_keep_last, name=name)])


def _length(module: ir.Module, name: str) -> int:
    blocks = named(module, name).regions[0].blocks
    return len(blocks[0].operations) - 1 if len(blocks) == 1 else 0


def _keep_beginning(module: ir.Module, name: str, count: int) -> bool:
    """Leave the first ops of a function, and have it return what of them is used later."""
    function = named(module, name)
    block = function.regions[0].blocks[0]
    ops = [view.operation for view in block.operations]
    kept, dropped, end = ops[:count], ops[count:-1], ops[-1]
    defined = {value: None for op in kept for value in op.results}
    used: dict[IrValue, None] = {}
    for op in (*dropped, end):
        used.update(dict.fromkeys(used_values(op)))
    _return(function, end, [value for value in defined if value in used])
    for op in reversed(dropped):
        op.erase()
    return True


def _keep_last(module: ir.Module, name: str) -> bool:
    """Have a function return the results of its last op and nothing else."""
    function = named(module, name)
    blocks = function.regions[0].blocks
    if len(blocks) != 1 or len(blocks[0].operations) < 2:
        return False
    operations = blocks[0].operations
    last, end = operations[len(operations) - 2].operation, operations[len(operations) - 1].operation
    if list(end.operands) == list(last.results):
        return False
    _return(function, end, list(last.results))
    return True


def _return(function: IrOperation, end: IrOperation, values: Iterable[IrValue]) -> None:
    ir.Operation.create(
        end.name,
        operands=list(values),
        attributes=attributes_of(end),
        ip=ir.InsertionPoint(end),
        loc=end.location,
    )
    end.erase()
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    retype(function)


class DropResults(InChunks[tuple[str, int]]):
    """Results of functions that nobody calls."""

    name = "results of functions"

    def sites(self, module: ir.Module) -> list[tuple[str, int]]:
        return [
            (name, index)
            for name in entries(module)
            if len((function := named(module, name)).regions[0].blocks) == 1
            for index in range(len(terminator(function.regions[0].blocks[0]).operands))
        ]

    def apply(self, module: ir.Module, sites: Sequence[tuple[str, int]]) -> bool:
        for name in dict.fromkeys(name for name, _ in sites):
            function = named(module, name)
            end = terminator(function.regions[0].blocks[0])
            lost = {index for other, index in sites if other == name}
            kept = [i for i in range(len(end.operands)) if i not in lost]
            said = attribute(function, "res_attrs")
            operands = list(end.operands)
            _return(function, end, [operands[i] for i in kept])
            if isinstance(said, ir.ArrayAttr) and kept:
                function.attributes["res_attrs"] = ir.ArrayAttr.get([said[i] for i in kept])
        return True
