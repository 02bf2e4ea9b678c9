"""Modules that cost more than was agreed on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from dxir.errors import ConfigurationError
from dxir.pipeline.base import option
from dxir.verify.budgets import COSTS, FILE, candidates, costs_of
from dxir.verify.finding import Finding, Place
from dxir.verify.kept_budgets import budget_for
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class CostBudget(Rule, id="contract-cost-budget", severity="error"):
    """A module computes, moves or holds more than its budget has.

    The costs are told from the ops alone, as `dxir cost` tells them: arithmetic operations, bytes
    read and written where each op goes to memory, and the most bytes that are live at a time.
    The budget is a limit among the options, or what the module had when `dxir-verify
    --write-budgets` was called last (dxir-budgets.json, in its folder or above it). Without either
    nothing is found.
    """

    paths = ("budgets",)
    remedy = "look why (dxir cost shows which ops); --write-budgets agrees to what is meant"
    example_options: ClassVar[Mapping[str, Any]] = {"most-flops": 100}
    faulty = """\
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""

    budgets: str = option("the file of budgets: its name, or a path; empty for none", default=FILE)
    tolerance: float = option("how much more it may be, as a share of the budget", default=0.0)
    most_flops: int | None = option("the most arithmetic operations", default=None)
    most_bytes: int | None = option("the most bytes moved", default=None)
    most_peak_bytes: int | None = option("the most bytes at a time", default=None)

    def __post_init__(self) -> None:
        if not self.tolerance >= 0:
            raise ConfigurationError(
                f"the option tolerance of {self.id} is a number from 0 on, not {self.tolerance}"
            )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        stated = {
            "flops": self.most_flops,
            "bytes": self.most_bytes,
            "peak_bytes": self.most_peak_bytes,
        }
        limits = {name: most for name, most in stated.items() if most is not None}
        kept = budget_for(self, self.budgets, subject)
        if isinstance(kept, Finding):
            yield kept
            kept = None
        budget = {} if kept is None or kept[1] is None else kept[1].costs
        if not limits and not budget:
            return
        costs = costs_of(subject)
        for name, most in limits.items():
            if name not in costs:
                yield self._unknown(name, subject)
            elif costs[name] > most:
                yield self._beyond(
                    f"the module has {costs[name]:,} {COSTS[name]}, and {most:,} are the most",
                    subject,
                    {name: costs[name], "most": most},
                    "look why (dxir cost shows which ops); where it is meant, raise the limit",
                )
        more: list[str] = []
        numbers: dict[str, float] = {}
        for name in COSTS:
            if name in limits or name not in budget:
                continue
            before = budget[name]
            if name not in costs:
                yield self._unknown(name, subject)
            elif (now := costs[name]) > before * (1 + self.tolerance):
                share = f"+{(now - before) / before:.1%}, " if before else ""
                more.append(f"{now - before:,} {COSTS[name]} ({share}{before:,} -> {now:,})")
                numbers |= {name: now, f"{name}_before": before}
        if more:
            yield self._beyond(f"this change adds {', '.join(more)}", subject, numbers)

    def _beyond(
        self, text: str, subject: Subject, numbers: dict[str, float], hint: str | None = None
    ) -> Finding:
        return self.found(text, Place(subject.source.name), subject, numbers=numbers, hint=hint)

    def _unknown(self, name: str, subject: Subject) -> Finding:
        return self.found(
            f"the {COSTS[name]} of the module are not known, and have a budget",
            Place(subject.source.name),
            subject,
            hint="dxir cost says which ops and sizes are not known",
        )

    def reads(self, subject: Subject, /) -> Iterable[str]:
        return [str(path) for path in candidates(subject.source.name, self.budgets)]
