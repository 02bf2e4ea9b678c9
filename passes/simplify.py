"""Simplify expressions, by rewrites after which every bit of every result is as it was.

They hold for NaN (though not for its payload), infinities, the sign of zero, subnormals and
integers that overflow. `fast-math` adds those that hold for ordinary numbers only, and the module
says from then on what was allowed: `dxir.fast_math = ["nnan", ...]`, by LLVM's names.

An annotated op (with a sharding, say) is replaced only by one that is annotated alike. Barriers,
composites and quantized arithmetic stay as they are; constants are computed by `dxir-fold`.
"""

from __future__ import annotations

from dxir.mlir import ir
from dxir.passes.rewrites import algebra, control, conversions, fast_math, layout, logic
from dxir.pipeline.base import Pass, option
from dxir.pipeline.rewriting import Rules, apply_rules
from dxir.reading import attribute, functions, has_body

EXACT = Rules(algebra.RULES, logic.RULES, conversions.RULES, control.RULES, layout.RULES)
FAST = Rules(EXACT, fast_math.RULES)

MARK = "dxir.fast_math"


class Simplify(Pass, name="dxir-simplify"):
    """Simplify arithmetic, logic, control flow and layout, bit for bit."""

    fast_math: bool = option(
        "also rewrites that assume ordinary numbers and no rounding", default=False
    )

    def run(self, module: ir.Module) -> bool:
        changed = self.fast_math and _mark(module)
        rules = FAST if self.fast_math else EXACT
        for function in list(functions(module)):
            if has_body(function):
                changed |= apply_rules(self, function, rules, fold=False)
        return changed


def _mark(module: ir.Module) -> bool:
    """Record what was allowed, beside what was before; whether that is news."""
    given = attribute(module.operation, MARK)
    before = list(given) if isinstance(given, ir.ArrayAttr) else []
    allowed = [ir.StringAttr.get(flag) for flag in fast_math.ALLOWED]
    news = [flag for flag in allowed if flag not in before]
    if news:
        module.operation.attributes[MARK] = ir.ArrayAttr.get([*before, *news])
    return bool(news)
