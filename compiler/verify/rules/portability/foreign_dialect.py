"""Ops of other dialects than those of StableHLO programs."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.pipeline.base import option
from dxir.reading import ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

ALWAYS = frozenset({"builtin", "func", "stablehlo"})

_HINTS = {
    "mhlo": "convert it in the producer; mhlo is internal to XLA",
    "shape": "legalize it: dxir-opt --shape-legalize-to-stablehlo",
    "vhlo": "read the artifact as one: dxir.load, or stablehlo-translate --deserialize",
    "chlo": "legalize it: program.legalize_chlo(), or dxir-opt --chlo-legalize-to-stablehlo",
    "sdy": "take shardings out: dxir-opt --dxir-strip-sharding",
}


class ForeignDialect(Rule, id="portability-foreign-dialect", severity="error"):
    """The program holds ops that are not of StableHLO.

    A portable artifact holds StableHLO and functions. CHLO and Shardy are turned into it when an
    artifact is written, and so let through by the option `allow`; ops of other dialects (mhlo,
    arith, tensor, linalg, ...) have no versioned form, and readers do not know them.
    """

    remedy = "convert the ops to StableHLO in the producer"
    allow: tuple[str, ...] = option("dialects that are let through", default=("chlo", "sdy"))
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        allowed = ALWAYS | set(self.allow)
        counts: dict[str, int] = {}
        foreign = [name for name in subject.op_counts if name.partition(".")[0] not in allowed]
        for name in foreign:
            dialect = name.partition(".")[0]
            counts[dialect] = counts.get(dialect, 0) + subject.op_counts[name]
        if not counts:
            return
        ops = ops_below(subject.module.operation, foreign)
        for dialect, count in counts.items():
            first = next(op for op in ops if op.name.partition(".")[0] == dialect)
            more = f", the first of {count} ops of {dialect}" if count > 1 else ""
            yield self.found(
                f"{first.name} is not of StableHLO{more}",
                first,
                subject,
                hint=_HINTS.get(dialect),
                numbers={"ops": count},
            )
