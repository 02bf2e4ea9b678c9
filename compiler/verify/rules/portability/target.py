"""Programs that a target does not take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dxir.errors import ConfigurationError, DxirError
from dxir.pipeline.base import option
from dxir.targets.checking import check
from dxir.targets.registry import find_target
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class TargetRule(Rule, id="portability-target", severity="error"):
    """A target that the program is for does not take it.

    The option `targets` names them, as `dxir-opt --list-targets` does; without it nothing is found.
    The pipeline of the target runs on a copy, and what it leaves is looked at: ops, element types,
    sizes and custom calls that the target refuses are errors, what it does otherwise than meant is
    a warning.
    """

    remedy = "leave out what the target refuses, or give it a kernel; dxir.check tells it in full"
    targets: tuple[str, ...] = option("the targets that the program is for", default=())
    example_options: ClassVar[Mapping[str, Any]] = {"targets": ["xla-cpu"]}
    faulty = """\
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
"""

    def __post_init__(self) -> None:
        for name in self.targets:
            try:
                find_target(name)
            except DxirError as error:
                raise ConfigurationError(
                    f"the option targets of {self.id}: {error.message}", hint=error.hint
                ) from None

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        for name in self.targets:
            report = check(subject.program, find_target(name))
            for told in report.diagnostics:
                if told.severity not in ("error", "warning"):
                    continue
                hints = [note.message for note in told.notes if note.where is None]
                message = told.message if name in told.message else f"{name}: {told.message}"
                yield self.found(
                    message,
                    subject.at(told.where, told.op),
                    subject,
                    hint=hints[0] if hints else None,
                    severity="error" if told.severity == "error" else "warning",
                )
