"""Shardings of the results of ops, which XLA forgets, as constraints behind them, which it keeps.

    %0 = stablehlo.tanh %x {sdy.sharding = S}    %0 = stablehlo.tanh %x
                                                 %1 = sdy.sharding_constraint %0 S

XLA carries Shardy's attributes through HLO, where it discards those of all ops but some calls of
its own. (0.10, 0.12)
"""

from __future__ import annotations

from typing import Any

from dxir.mlir import IrOperation, IrValue, ir, sdy
from dxir.reading import SHARDING, walk


def has_op_shardings(module: ir.Module) -> bool:
    """Whether an op of the module says how its results are sharded."""
    return bool(_sharded_ops(module))


def constrain_results(module: ir.Module) -> None:
    """Put a constraint behind each result that has a sharding, in place."""
    with module.context:
        for op in _sharded_ops(module):
            given = sdy.TensorShardingPerValueAttr(op.attributes[SHARDING])
            for value, sharding in zip(list(op.results), list(given.shardings), strict=True):
                type = value.type
                if isinstance(type, ir.RankedTensorType) and _says_anything(sharding, type.rank):
                    _constrain(op, value, sharding)
            del op.attributes[SHARDING]


def _sharded_ops(module: ir.Module) -> list[IrOperation]:
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if SHARDING in op.attributes and op.results and not op.name.startswith("sdy."):
            found.append(op)

    walk(module, visit)
    return found


def _says_anything(sharding: Any, rank: int) -> bool:
    given = sdy.TensorShardingAttr(sharding)
    dims = [sdy.DimensionShardingAttr(d) for d in given.dimension_shardings]
    return (
        len(dims) != rank  # on one device
        or any(d.is_closed or len(d.axes) for d in dims)
        or bool(len(given.replicated_axes) or len(given.unreduced_axes))
    )


def _constrain(op: IrOperation, value: IrValue, sharding: Any) -> None:
    constraint = ir.Operation.create(
        "sdy.sharding_constraint",
        results=[value.type],
        operands=[value],
        attributes={"sharding": sharding},
        ip=ir.InsertionPoint.after(op),
        loc=op.location,
    )
    value.replace_all_uses_except(constraint.results[0], constraint)
