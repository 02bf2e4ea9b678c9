"""Passes that misbehave, each in its own way, for the tests of the tools."""

from __future__ import annotations

import os
import time

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.pipeline.base import Pass, option
from dxir.pipeline.rewriting import Make, Rules, apply_rules

SPINNING = Rules()


@SPINNING.rule("stablehlo.add")
def add_becomes_subtract(op: IrOperation, make: Make) -> ir.Value:
    return make.op("stablehlo.subtract", op.results[0].type, *make.operands)


@SPINNING.rule("stablehlo.subtract")
def subtract_becomes_add(op: IrOperation, make: Make) -> ir.Value:
    return make.op("stablehlo.add", op.results[0].type, *make.operands)


class Spin(Pass, name="acme-spin", anchor="func.func"):
    """Turn additions into subtractions and back, for ever."""

    def run(self, function: IrOperation) -> bool:
        return apply_rules(self, function, SPINNING)


WRONG = Rules()


@WRONG.rule("stablehlo.add")
def add_is_multiply(op: IrOperation, make: Make) -> ir.Value:
    return make.op("stablehlo.multiply", op.results[0].type, *make.operands)


class Miscompile(Pass, name="acme-miscompile", anchor="func.func"):
    """Turn additions into multiplications."""

    def run(self, function: IrOperation) -> bool:
        return apply_rules(self, function, WRONG)


class Break(Pass, name="acme-break", anchor="func.func"):
    """Leave functions without their return."""

    def run(self, function: IrOperation) -> bool:
        block = function.regions[0].blocks[0]
        block.operations[len(block.operations) - 1].operation.erase()
        return True


class Refuse(Pass, name="acme-refuse", anchor="func.func"):
    """Refuse every function, with a warning before."""

    reason: str = option("what to say", default="it is not wanted")

    def run(self, function: IrOperation) -> bool:
        self.warn("this will not go well", function)
        raise PassError(self.reason, where=where_of(function.location), hint="take another one")


class Raise(Pass, name="acme-raise"):
    """Have a bug."""

    def run(self, module: ir.Module) -> bool:
        return bool(1 // 0)


class Abort(Pass, name="acme-abort"):
    """End the process, as a fault of native code does."""

    def run(self, module: ir.Module) -> bool:
        os.abort()


class Sleep(Pass, name="acme-sleep"):
    """Take a minute."""

    def run(self, module: ir.Module) -> bool:
        time.sleep(60)
        return False
