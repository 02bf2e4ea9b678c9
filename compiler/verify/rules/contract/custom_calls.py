"""Custom calls beyond what a project allows itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from dxir.pipeline.base import option
from dxir.reading import ops_below, target_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_CALLS = frozenset({"stablehlo.custom_call", "mhlo.custom_call"})
_SHOWN = 8


class CustomCalls(Rule, id="contract-custom-calls", severity="error"):
    """A module has more custom calls than it may have.

    A custom call runs where somebody registered its target and nowhere else. `most` says how many
    there may be: 0 keeps a module portable. Without it nothing is found. (Which targets are allowed
    is the business of the portability rules.)
    """

    remedy = "emit the module without the call: expand it into ops, or make it a composite"
    example_options: ClassVar[Mapping[str, Any]] = {"most": 0}
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    most: int | None = option("the most custom calls that there may be", default=None)
    without: tuple[str, ...] = option("patterns of targets that do not count", default=())

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if self.most is None or _CALLS.isdisjoint(subject.op_counts):
            return
        calls = [
            op
            for op in ops_below(subject.module.operation, _CALLS)
            if not any(fnmatchcase(target_of(op), pattern) for pattern in self.without)
        ]
        if len(calls) <= self.most:
            return
        targets = Counter(map(target_of, calls)).most_common()
        told = ", ".join(f"{n} @{target}" for target, n in targets[:_SHOWN])
        left = f" and {len(targets) - _SHOWN} other targets" if len(targets) > _SHOWN else ""
        count = len(calls)
        there = "there is one custom call" if count == 1 else f"there are {count} custom calls"
        yield self.found(
            f"{there}, and at most {self.most} may be: {told}{left}",
            calls[self.most],
            subject,
            numbers={"count": len(calls), "most": self.most},
        )
