"""Ops that give what they take, as MLIR can refine them: sharding constraints, placements.

stablehlo-refine-shapes has no rule for Shardy's ops and for custom calls. While it runs, those that
give a tensor of the type they take are optimization barriers with a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dxir.editing import replaced
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.reading import attribute, attributes_of, is_dynamic, ops_below, target_of

_MARK = "dxir.aside"
_BARRIER = "stablehlo.optimization_barrier"
_SAME_TYPE = frozenset(
    {
        "sdy.all_gather",
        "sdy.all_reduce",
        "sdy.all_slice",
        "sdy.all_to_all",
        "sdy.collective_permute",
        "sdy.propagation_barrier",
        "sdy.reduce_scatter",
        "sdy.replicated_to_unreduced",
        "sdy.reshard",
        "sdy.sharded_to_unreduced",
        "sdy.sharding_constraint",
    }
)
_CANDIDATES = _SAME_TYPE | {"stablehlo.custom_call"}
_SAME_TYPE_TARGETS = frozenset(
    {"Sharding", "annotate_device_placement", "MoveToDevice", "MoveToHost"}
)


@dataclass(slots=True)
class Aside:
    """The ops put aside: what each was, by the number in its mark."""

    was: list[tuple[str, Mapping[str, IrAttribute]]] = field(default_factory=list)

    def put(self, functions: Sequence[IrOperation]) -> None:
        """Make barriers of the dynamic ops of these functions that give what they take."""
        for function in functions:
            for op in ops_below(function, _CANDIDATES):
                if _gives_what_it_takes(op) and is_dynamic(op.results[0].type):
                    mark = ir.IntegerAttr.get(
                        ir.IntegerType.get_signless(64, op.context), len(self.was)
                    )
                    self.was.append((op.name, attributes_of(op)))
                    replaced(op, _BARRIER, {_MARK: mark})

    def bring_back(self, functions: Sequence[IrOperation]) -> None:
        """Make the barriers in these functions what they were, with the types they have now."""
        for function in functions if self.was else ():
            for op in ops_below(function, (_BARRIER,)):
                mark = attribute(op, _MARK)
                if isinstance(mark, ir.IntegerAttr):
                    name, said = self.was[mark.value]
                    replaced(op, name, said, types=[op.operands[0].type])


def _gives_what_it_takes(op: IrOperation) -> bool:
    if op.name not in _SAME_TYPE and target_of(op) not in _SAME_TYPE_TARGETS:
        return False
    return (
        len(op.operands) == 1 and len(op.results) == 1 and op.operands[0].type == op.results[0].type
    )
