"""Modules with more ops than were agreed on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from dxir.errors import ConfigurationError
from dxir.pipeline.base import option
from dxir.verify.budgets import FACT, FILE, Budget, Budgets, candidates, shown
from dxir.verify.finding import Finding, Place
from dxir.verify.kept_budgets import budget_for
from dxir.verify.limits import named_limits
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_TOTAL = "total"
_SHOWN = 5


class OpBudget(Rule, id="contract-op-budget", severity="error"):
    """A change gives a module more ops than its budget has.

    A change of a framework that shows in no test may show here: "this change adds 41
    stablehlo.broadcast_in_dim (120 -> 161)". The budget is what the module had when
    `dxir-verify --write-budgets` was called last: a file, dxir-budgets.json, in the module's folder
    or above it. Without one, and without `limits`, nothing is found. Fewer ops than the budget has
    are a note, so that the budget follows.
    """

    paths = ("budgets",)
    remedy = "look why; where the ops are meant, dxir-verify --write-budgets agrees to them"
    example_options: ClassVar[Mapping[str, Any]] = {"limits": ["stablehlo.transpose=0"]}
    faulty = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}
"""

    budgets: str = option("the file of budgets: its name, or a path; empty for none", default=FILE)
    limits: tuple[str, ...] = option(
        "the most there may be of ops: name=number, a pattern of names, or total=number", default=()
    )
    ops_counted: tuple[str, ...] = option(
        "patterns of the ops that have a budget", default=("*",), name="ops"
    )
    tolerance: float = option("how many more there may be, as a share of the budget", default=0.0)
    record: bool = option("tell in the report what a file of budgets is made from", default=False)

    def __post_init__(self) -> None:
        self._limits = named_limits(self.limits, self.id)
        if not self.tolerance >= 0:
            raise ConfigurationError(
                f"the option tolerance of {self.id} is a number from 0 on, not {self.tolerance}"
            )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        yield from self._beyond_limits(subject)
        kept = budget_for(self, self.budgets, subject)
        if isinstance(kept, Finding):
            yield kept
        elif kept is not None:
            budgets, budget = kept
            if budget is None:
                yield self.found(
                    f"{budgets.path.name} has no budget for this file",
                    Place(subject.source.name),
                    subject,
                    hint=f"dxir-verify --write-budgets={shown(budgets.path)} FILE adds it",
                    severity="note",
                )
            else:
                yield from self._beyond_budget(subject, budgets, budget)

    def _beyond_limits(self, subject: Subject) -> Iterator[Finding]:
        counts = {**subject.op_counts, _TOTAL: sum(subject.op_counts.values())}
        for pattern, most in self._limits:
            met = {name: n for name, n in counts.items() if fnmatchcase(name, pattern)}
            if pattern != _TOTAL:
                met.pop(_TOTAL, None)
            count = sum(met.values())
            if count > most:
                what = "ops" if pattern == _TOTAL else pattern
                there = f"there {'is' if count == 1 else 'are'} {count} {what}"
                yield self.found(
                    f"{there}, and at most {most} may be",
                    None,
                    subject,
                    hint="look why; where the ops are meant, raise the limit",
                    numbers={"count": count, "most": most},
                )

    def _beyond_budget(
        self, subject: Subject, budgets: Budgets, budget: Budget
    ) -> Iterator[Finding]:
        now = {n: c for n, c in subject.op_counts.items() if self._counts(n)}
        names = [*now, *(n for n in budget.ops if n not in now and self._counts(n))]
        changes = {n: (budget.ops.get(n, 0), now.get(n, 0)) for n in names}
        more = {n: c for n, c in changes.items() if c[1] > c[0] * (1 + self.tolerance)}
        fewer = {n: c for n, c in changes.items() if c[1] < c[0]}
        place = Place(subject.source.name)
        if more:
            numbers = {
                "before": sum(a for a, _ in more.values()),
                "after": sum(b for _, b in more.values()),
            }
            text = f"this change adds {_told(more)}"
            if fewer:
                text += f", and takes away {_told(fewer)}"
            yield self.found(text, place, subject, numbers=numbers)
        elif fewer:
            yield self.found(
                f"this change takes away {_told(fewer)}",
                place,
                subject,
                hint=f"dxir-verify --write-budgets={shown(budgets.path)} keeps it so",
                severity="note",
            )

    def _counts(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.ops_counted)

    def reads(self, subject: Subject, /) -> Iterable[str]:
        return [str(path) for path in candidates(subject.source.name, self.budgets)]

    def facts(self, subject: Subject, /) -> Mapping[str, Any]:
        return {FACT: Budget.of(subject).as_dict()} if self.record else {}


def _told(changes: Mapping[str, tuple[int, int]]) -> str:
    """The largest changes: how many of which op, before and after."""
    ordered = sorted(changes.items(), key=lambda c: (-abs(c[1][1] - c[1][0]), c[0]))
    parts = [f"{abs(b - a)} {name} ({a} -> {b})" for name, (a, b) in ordered[:_SHOWN]]
    left = len(ordered) - _SHOWN
    return ", ".join(parts) + (f" and {left} other{'s' * (left > 1)}" if left > 0 else "")
