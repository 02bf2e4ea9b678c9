"""The ops of a function, as far as their types can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from dxir.mlir import IrOperation, ir
from dxir.reading import ops_below, symbol, walk

CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The attribute that names the function of each kind of call."""

OPEN = frozenset(
    (
        "sdy.manual_computation",
        "sdy.named_computation",
        "stablehlo.case",
        "stablehlo.if",
        "stablehlo.while",
    )
)
"""Ops whose regions compute like functions do; those of all others are typed by the op."""


@dataclass(slots=True)
class Body:
    """The ops of a function in order; `closed` are those in regions typed by the op around them."""

    function: IrOperation
    ops: list[tuple[IrOperation, str, bool]] = field(default_factory=list)

    @classmethod
    def of(cls, function: IrOperation) -> Body:
        """Read a function."""
        body = cls(function)
        add = body.ops.append

        def visit(op: IrOperation) -> ir.WalkResult | None:
            name = op.name
            if name == "func.func":
                return None
            add((op, name, False))
            if name in OPEN or not len(op.regions):
                return None
            for inner in ops_below(op):
                add((inner, inner.name, True))
            return ir.WalkResult.SKIP

        walk(function, visit)
        body.ops[-1] = (
            body.ops[-1][0],
            "func.return",
            False,
        )  # or stablehlo.return, as MLIR allows
        return body


def callee_of(op: IrOperation, name: str) -> str:
    """The function that a call or a composite refers to."""
    return symbol(op, CALLS[name]) or "?"
