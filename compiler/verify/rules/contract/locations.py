"""Ops that do not say where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dxir.errors import ConfigurationError
from dxir.mlir import IrOperation
from dxir.pipeline.base import option
from dxir.reading import ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_NOT_ASKED = frozenset(
    {"func.func", "func.return", "stablehlo.return", "sdy.return", "sdy.mesh", "builtin.module"}
)


class Locations(Rule, id="contract-locations", severity="error"):
    """Too few ops carry the file and line of the program that they were made from.

    Without locations no tool can say which line of a user's program an error, a slow op or a wrong
    number comes from. `share` is the part of the ops that must have a location with a file, other
    than the module's own: 1 is all. Without it nothing is found. Returns and functions need none.
    """

    remedy = "have the front end write locations (JAX: as_text(debug_info=True))"
    example_options: ClassVar[Mapping[str, Any]] = {"share": 1.0}
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("model.py":12:8)
  return %0 : tensor<4xf32>
}
"""

    share: float | None = option("the share of ops that must have a location", default=None)

    def __post_init__(self) -> None:
        if self.share is not None and not 0 <= self.share <= 1:
            raise ConfigurationError(
                f"the option share of {self.id} is a number from 0 to 1, not {self.share}"
            )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not self.share:
            return
        asked = [op for op in ops_below(subject.module.operation) if op.name not in _NOT_ASKED]
        without = [op for op in asked if not _has_location(op, subject)]
        have = len(asked) - len(without)
        if not without or have >= self.share * len(asked):
            return
        yield self.found(
            f"{have} of {len(asked)} ops have a location ({have / len(asked):.0%}), and "
            f"{self.share:.0%} must; the first without is {without[0].name}",
            without[0],
            subject,
            numbers={"with": have, "ops": len(asked)},
        )


def _has_location(op: IrOperation, subject: Subject) -> bool:
    return subject.places(op)[1] is not None
