"""One composite replaced by a copy of what its decomposition holds."""

from __future__ import annotations

from dxir.approximations import APPROXIMATIONS, copy_records
from dxir.editing import replace_with
from dxir.mlir import IrAttribute, IrOperation, IrValue, inlined_call, ir, sdy
from dxir.reading import SHARDING, SHARDING_RULE, attribute, attribute_names, terminator

COMPOSITE = "stablehlo.composite"

INHERENT = frozenset(("name", "composite_attributes", "decomposition", "version"))
"""The attributes that make a composite what it is; all others are said about its results."""


def expand(op: IrOperation, callee: IrOperation) -> None:
    """Put the ops of the function in the place of the composite, in the current context."""
    _end_in_func_return(callee)
    operands = list(op.operands)
    with ir.InsertionPoint(op):
        values = inlined_call(callee, operands, op.location)
        made = [None if v in operands else _maker(v) for v in values]
        for name in attribute_names(op):
            if name == SHARDING:
                values = _sharded(op, values, made)
            elif name == APPROXIMATIONS:
                for owner in [v.owner for v in values if v not in operands]:
                    if not isinstance(owner, ir.Block):
                        copy_records([op], owner.operation)
            elif name not in INHERENT and name != SHARDING_RULE:
                for maker in made:
                    _describe(maker, name, attribute(op, name))
    replace_with(op, values)


def _end_in_func_return(function: IrOperation) -> None:
    # The bindings copy no function that ends in stablehlo.return, which the verifier lets pass.
    last = terminator(function.regions[0].blocks[0])
    if last.name == "stablehlo.return":
        values, ip = list(last.operands), ir.InsertionPoint(last)
        ir.Operation.create("func.return", operands=values, ip=ip, loc=last.location)
        last.erase()


def _maker(value: IrValue) -> IrOperation | None:
    """The op whose only result the value is."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    return op if len(op.results) == 1 else None


def _describe(op: IrOperation | None, name: str, value: IrAttribute | None) -> bool:
    """Give the op the attribute; False when it has another one of that name already."""
    if op is None or value is None:
        return False
    if name not in op.attributes:
        op.attributes[name] = value
    return attribute(op, name) == value


def _sharded(
    op: IrOperation, values: list[IrValue], made: list[IrOperation | None]
) -> list[IrValue]:
    """The values with the shardings of the composite's results, one for each."""
    given = sdy.TensorShardingPerValueAttr(op.attributes[SHARDING])
    found: list[IrValue] = []
    for value, maker, sharding in zip(values, made, given.shardings, strict=True):
        if _describe(maker, SHARDING, sdy.TensorShardingPerValueAttr.get([sharding])):
            found.append(value)
        else:
            constraint = ir.Operation.create(
                "sdy.sharding_constraint",
                results=[value.type],
                operands=[value],
                attributes={"sharding": sharding},
                loc=op.location,
            )
            found.append(constraint.results[0])
    return found
