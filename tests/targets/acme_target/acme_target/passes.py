"""The pass of the package."""

from typing import Any

from dxir.mlir import IrOperation
from dxir.pipeline import Make, Pass, Rules, apply_rules, defining

RULES = Rules()


@RULES.rule("stablehlo.negate")
def negate_negate(op: IrOperation, make: Make) -> Any:
    """`-(-x)` is `x`."""
    inner = defining(op.operands[0], "stablehlo.negate")
    return None if inner is None else inner.operands[0]


class CancelNegations(Pass, name="acme-cancel-negations", anchor="func.func"):
    """Remove a negation of a negation."""

    def run(self, function: IrOperation) -> bool:
        """Remove them in one function."""
        return apply_rules(self, function, RULES)
