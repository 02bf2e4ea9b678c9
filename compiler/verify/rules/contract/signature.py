"""Modules whose functions are no longer what callers know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from dxir.errors import ConfigurationError
from dxir.mlir import ir
from dxir.pipeline.base import option
from dxir.reading import is_public, signature
from dxir.verify.budgets import FILE, candidates
from dxir.verify.finding import Finding, Place
from dxir.verify.kept_budgets import budget_for
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_SHOWN = 4


class Signature(Rule, id="contract-signature", severity="error"):
    """A public function is gone, new, or takes and gives other types than was agreed on.

    Whoever loads the module by the names and types of its functions breaks. What was agreed on is
    among the options, or what the module had when `dxir-verify --write-budgets` was called last
    (dxir-budgets.json, in its folder or above it). Without either nothing is found. A new function
    breaks nobody: a warning.
    """

    paths = ("budgets",)
    remedy = "keep the signature, or tell callers and call dxir-verify --write-budgets"
    example_options: ClassVar[Mapping[str, Any]] = {
        "functions": ["main: (tensor<2xf32>) -> tensor<2xf32>"]
    }
    faulty = """\
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""

    budgets: str = option("the file of budgets: its name, or a path; empty for none", default=FILE)
    functions: tuple[str, ...] = option(
        "the public functions and their types, as `main: (tensor<f32>) -> tensor<f32>`", default=()
    )

    def __post_init__(self) -> None:
        self._stated: dict[str, str] = {}
        for text in self.functions:
            name, colon, type = text.partition(":")
            if not colon or "->" not in type:
                raise ConfigurationError(
                    f"the option functions of {self.id} has {text!r}, which is no signature",
                    hint='write "main: (tensor<2xf32>) -> tensor<2xf32>"',
                )
            self._stated[name.strip().removeprefix("@")] = type.strip()

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        agreed, where = self._stated, "the configuration"
        hint = "keep the signature, or tell callers and change the option `functions`"
        if not agreed:
            kept = budget_for(self, self.budgets, subject)
            if isinstance(kept, Finding):
                yield kept
                return
            if kept is None or kept[1] is None:
                return
            agreed, where, hint = dict(kept[1].functions), kept[0].path.name, self.remedy
        there = {name: f for name, f in subject.functions.items() if is_public(f)}
        for name, before in agreed.items():
            function = there.get(name)
            if function is None:
                state = "is private" if name in subject.functions else "is not there"
                yield self.found(
                    f"the public function @{name} of {where} {state}",
                    subject.functions.get(name) or Place(subject.source.name),
                    subject,
                    hint=hint,
                )
                continue
            differs = _difference(signature(function), before)
            if differs:
                yield self.found(
                    f"the public function @{name} is not what it is in {where}: {differs}",
                    function,
                    subject,
                    hint=hint,
                )
        for name, function in there.items():
            if name not in agreed:
                yield self.found(
                    f"the public function @{name} is new to {where}",
                    function,
                    subject,
                    hint=hint,
                    severity="warning",
                )

    def reads(self, subject: Subject, /) -> Iterable[str]:
        return [str(path) for path in candidates(subject.source.name, self.budgets)]


def _difference(now: ir.FunctionType, before: str) -> str:
    """How a type differs from the one that a text says; empty where it does not."""
    try:
        known = ir.Type.parse(before, now.context)
    except (ir.MLIRError, ValueError):
        known = None
    if not isinstance(known, ir.FunctionType):
        return f"{before} there is no type of a function"
    if known == now:
        return ""
    found = [
        told
        for what, a, b in (
            ("parameter", known.inputs, now.inputs),
            ("result", known.results, now.results),
        )
        for told in _differences(what, list(a), list(b))
    ]
    left = len(found) - _SHOWN
    return "; ".join(found[:_SHOWN]) + (f"; and {left} more" if left > 0 else "")


def _differences(what: str, before: list[ir.Type], now: list[ir.Type]) -> list[str]:
    if len(before) != len(now):
        return [f"it has {len(now)} {what}{'s' * (len(now) != 1)} instead of {len(before)}"]
    return [
        f"{what} {i} is {b} instead of {a}"
        for i, (a, b) in enumerate(zip(before, now, strict=True))
        if a != b
    ]
