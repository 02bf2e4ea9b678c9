"""Simplify expressions, by rewrites after which every bit of every result is as it was.

They hold for NaN (though not for its payload), infinities, the sign of zero, subnormals and
integers that overflow. `fast-math` adds those that hold for ordinary numbers only, and the module
records from then on what was allowed, as an approximation: `assumes = ["nnan", ...]`, by LLVM's
names.

An annotated op (with a sharding, say) is replaced only by one that is annotated alike. Barriers,
composites and quantized arithmetic stay as they are; constants are computed by `dxir-fold`.
"""

from __future__ import annotations

from dxir.mlir import ir
from dxir.passes.rewrites import algebra, control, conversions, fast_math, layout, logic
from dxir.pipeline.base import Pass, option
from dxir.pipeline.rewriting import Rules, apply_rules
from dxir.reading import functions, has_body

EXACT = Rules(algebra.RULES, logic.RULES, conversions.RULES, control.RULES, layout.RULES)
FAST = Rules(EXACT, fast_math.RULES)

_REASON = "fast-math was asked for: rewrites that assume ordinary numbers and no rounding"


class Simplify(Pass, name="dxir-simplify"):
    """Simplify arithmetic, logic, control flow and layout, bit for bit."""

    fast_math: bool = option(
        "also rewrites that assume ordinary numbers and no rounding", default=False
    )

    def run(self, module: ir.Module) -> bool:
        changed = self.fast_math and self.record_approximation(
            module, "IEEE 754 arithmetic", _REASON, assumes=fast_math.ALLOWED
        )
        rules = FAST if self.fast_math else EXACT
        for function in list(functions(module)):
            if has_body(function):
                changed |= apply_rules(self, function, rules, fold=False)
        return changed
