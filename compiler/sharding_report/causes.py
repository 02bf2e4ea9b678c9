"""What needs a collective: the op whose parts it joins, or what asks for a value elsewhere."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from dxir.mlir import IrOperation, IrValue, stablehlo
from dxir.passes.device_groups import MOVES
from dxir.passes.partitioning.lying import alike
from dxir.reading import attribute, function_around, function_name, maker_of
from dxir.sharding import AxisRef
from dxir.sharding_report.records import axes_text, shown
from dxir.sharding_report.scan import Scan, short

_MOVES = MOVES | {"sdy.reshard"}
_JOINING = ("sdy.all_reduce", "sdy.reduce_scatter")
_OWN = ("sdy.reshard", "sdy.sharding_constraint")


class Causes:
    """Why the collectives of a module are there.

    `before` is the module without them, in which constraints still stand where they stood, and
    `given` the program as it came, whose own collectives are not counted as inserted.
    """

    def __init__(self, scan: Scan, before: Scan, given: Scan) -> None:
        self._scan = scan
        self._asked: dict[tuple[str, str | None, int], IrOperation] = {}
        for _, op in before.ops:
            for i, operand in enumerate(op.operands):
                maker = maker_of(operand)
                if maker is not None and maker.name in _OWN:
                    self._asked[op.name, before.place(op.location), i] = maker
        self._constraints: set[str | None] = set()
        self._had: dict[tuple[str, str | None], int] = defaultdict(int)
        for _, op in given.ops:
            if op.name in _OWN:
                self._constraints.add(given.place(op.location))
            elif op.name in _MOVES:
                self._had[op.name, given.place(op.location)] += 1

    def of_shardy(self, op: IrOperation, axes: tuple[AxisRef, ...]) -> tuple[str, bool]:
        """Why a collective is there, and whether it was inserted."""
        mark = (op.name, self._scan.place(op.location))
        if self._had.get(mark, 0) > 0:
            self._had[mark] -= 1
            return "the program has it", False
        return self._why(op, axes), True

    def _why(self, op: IrOperation, axes: tuple[AxisRef, ...]) -> str:
        root = self._root(op)
        if op.name in _JOINING:
            maker = maker_of(op.operands[0])
            if maker is not None and maker.name not in _MOVES:
                return self._parts(maker, axes)
        return self._wanted(op, root)

    def _root(self, op: IrOperation) -> IrValue:
        """The value that is moved, before all moves."""
        value = op.operands[0]
        maker = maker_of(value)
        while maker is not None and maker.name in _MOVES:
            value = maker.operands[0]
            maker = maker_of(value)
        return value

    def _parts(self, maker: IrOperation, axes: tuple[AxisRef, ...]) -> str:
        at = self._at(maker)
        text = axes_text(axes)
        what = _summed(maker)
        if what is not None and self._contracts(maker, axes):
            return f"{what} over {text} of {short(maker.name)}{at}"
        return f"the devices along {text} have parts of the result of {short(maker.name)}{at}"

    def _contracts(self, maker: IrOperation, axes: tuple[AxisRef, ...]) -> bool:
        """Whether the axes split what the op sums over."""
        names = {axis.name for axis in axes}
        split: set[str] = set()
        for operand, dims in _summed_dims(maker):
            sharding = self._scan.sharding(operand)
            if sharding is not None:
                split |= {a.name for i in dims for a in sharding.dims[i].axes}
        return names <= split

    def _wanted(self, op: IrOperation, root: IrValue) -> str:
        """Who asks for the value elsewhere: what takes it at the end of all moves."""
        last = op
        lies = self._scan.sharding(root)
        is_lying = shown(lies) or "replicated"
        while True:
            use = next(iter(last.results[0].uses), None)
            if use is None:
                return f"{self._of(root)} is {is_lying}, and nobody takes it"
            user = use.owner.operation
            if user.name not in _MOVES:
                break
            last = user
        asked = self._scan.sharding(last.results[0])
        wanted = shown(asked) or "replicated"
        who = self._who(user, use.operand_number)
        if wanted == is_lying and lies is not None and asked is not None:
            if lies.mesh == asked.mesh:
                between = self._scan.sharding(op.results[0])
                if alike(between, lies):
                    between = self._scan.sharding(op.operands[0])
                is_lying = f"that, and {shown(between) or 'replicated'} in between"
            else:
                wanted, is_lying = f"{wanted} on @{asked.mesh.name}", f"that on @{lies.mesh.name}"
        return f"{who} is asked to be {wanted}, and {self._of(root)} is {is_lying}"

    def _who(self, user: IrOperation, operand: int) -> str:
        asked = self._asked.get((user.name, self._scan.place(user.location), operand))
        if asked is not None:
            where = self._scan.place(asked.location)
            if where in self._constraints:
                return f"the value of the sharding_constraint{_at(where)}"
        name, at = short(user.name), self._at(user)
        if name == "func.return":
            function = function_around(user)
            of = "" if function is None else f" of @{function_name(function)}"
            return f"result {operand}{of}"
        if user.name in ("stablehlo.return", "sdy.return") and user.parent is not None:
            outer = user.parent.operation
            return f"result {operand} of a region of {short(outer.name)}{self._at(outer)}"
        return f"operand {operand} of {name}{at}"

    def _of(self, value: IrValue) -> str:
        item = self._scan.by_key.get(value)
        if item is None:
            return "the value"
        if item.kind == "parameter":
            return f"parameter {item.index}" + (f" {item.label}" if item.label else "")
        if item.kind == "region":
            return f"{item.name}{_at(item.where)}"
        return f"the result of {item.made_by}{_at(item.where)}"

    def _at(self, op: IrOperation) -> str:
        return _at(self._scan.place(op.location))


def _at(where: str | None) -> str:
    return f" at {where}" if where else ""


def _summed(op: IrOperation) -> str | None:
    if op.name == "stablehlo.dot_general":
        return "the contraction"
    return "the reduction" if op.name == "stablehlo.reduce" else None


def _summed_dims(op: IrOperation) -> list[tuple[IrValue, list[int]]]:
    """The operands of an op that sums, each with the dimensions it sums over."""
    if op.name == "stablehlo.dot_general":
        given = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        left, right = list(given.lhs_contracting_dimensions), list(given.rhs_contracting_dimensions)
        return [(op.operands[0], left), (op.operands[1], right)]
    if op.name == "stablehlo.reduce":
        dims = [int(i) for i in np.asarray(attribute(op, "dimensions"))]
        half = len(op.operands) // 2
        return [(operand, dims) for operand in list(op.operands)[:half]]
    return []
