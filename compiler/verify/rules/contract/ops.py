"""Ops that a project does not want in its modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from dxir.pipeline.base import option
from dxir.reading import ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_ALWAYS = frozenset(
    {"func.func", "func.return", "func.call", "stablehlo.return", "sdy.return", "sdy.mesh"}
)


class Ops(Rule, id="contract-ops", severity="error"):
    """A module has ops that are not allowed, or that are denied.

    What `allow` names may be there (functions, calls and returns always may), what `deny` names may
    not, also where `allow` has it. Both take names and patterns, such as `chlo.*`. Without either
    nothing is found.
    """

    remedy = "emit the module without the op, or allow it in the configuration"
    example_options: ClassVar[Mapping[str, Any]] = {"deny": ["chlo.*"]}
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    allow: tuple[str, ...] = option("the ops that may be there: all, where empty", default=())
    deny: tuple[str, ...] = option("the ops that may not be there", default=())

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not self.allow and not self.deny:
            return
        bad = {name: why for name in subject.op_counts if (why := self._why(name)) is not None}
        told: set[str] = set()
        for op in ops_below(subject.module.operation, bad):
            name: str = op.name
            if name in told:
                continue
            told.add(name)
            count = subject.op_counts[name]
            others = "" if count == 1 else f" ({count} of them in all)"
            yield self.found(f"{name} {bad[name]}{others}", op, subject, numbers={"count": count})

    def _why(self, name: str) -> str | None:
        """Why an op may not be there; None where it may."""
        by = next((p for p in self.deny if fnmatchcase(name, p)), None)
        if by is not None:
            return "is denied" + ("" if by == name else f" by {by}")
        if not self.allow or name in _ALWAYS:
            return None
        return None if any(fnmatchcase(name, p) for p in self.allow) else "is not allowed"
