"""What the bodies of reductions, scatters and collectives combine two values by."""

from __future__ import annotations

from dxir.mlir import IrOperation, ir

ASSOCIATIVE = frozenset({"add", "multiply", "maximum", "minimum", "and", "or", "xor"})
"""The ops by which elements may be combined in any order; of floats, but for rounding."""

_PREFIX = "stablehlo."


def combiner(block: ir.Block) -> str:
    """The op of StableHLO that is all that a body does to its two arguments; empty for others.

    It is one of ASSOCIATIVE, without the dialect.
    """
    ops = [view.operation for view in block.operations]
    if len(ops) != 2 or not ops[0].name.startswith(_PREFIX):
        return ""
    name = str(ops[0].name).removeprefix(_PREFIX)
    arguments = list(block.arguments)
    if name not in ASSOCIATIVE or len(arguments) != 2:
        return ""
    if list(ops[0].operands) not in (arguments, arguments[::-1]):
        return ""
    return name if list(ops[1].operands) == [ops[0].results[0]] else ""


def combiner_of(op: IrOperation) -> str:
    """The combiner of an op whose only region is such a body; empty for others."""
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        return ""
    return combiner(op.regions[0].blocks[0])
