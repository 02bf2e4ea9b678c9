"""What a target answers about a program before anything is compiled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dxir.diagnostics import Diagnostic
from dxir.wording import counted

REFUSED, DOUBTFUL, HANDLED = "TARGET_REFUSES", "TARGET_DOUBTFUL", "TARGET_HANDLES"
KEPT, KERNEL, INLINED = "COMPOSITE_KEPT", "COMPOSITE_TO_KERNEL", "COMPOSITE_INLINED"
EXTERNALIZED = "CONSTANT_EXTERNALIZED"


@dataclass(frozen=True, slots=True)
class Report:
    """What a target will not take of a program, and what its pipeline does about the rest.

    An error among the `diagnostics` is refused, a warning is done otherwise than meant, a remark is
    taken care of; their codes say how, and `numbers["count"]` how often. `compiles_here` says
    whether the target can compile on this machine, `needs` what that takes otherwise.
    """

    target: str
    diagnostics: tuple[Diagnostic, ...]
    compiles_here: bool
    needs: str = ""

    @property
    def can_run(self) -> bool:
        """Whether the target takes the program, as its pipeline leaves it."""
        return not self.refusals

    @property
    def refusals(self) -> tuple[Diagnostic, ...]:
        """What the target will not take."""
        return tuple(d for d in self.diagnostics if d.severity == "error")

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, as JSON has them."""
        return {
            "target": self.target,
            "can_run": self.can_run,
            "compiles_here": self.compiles_here,
            "needs": self.needs,
            "diagnostics": [d.as_dict() for d in self.diagnostics],
        }

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.as_dict(), allow_nan=False, indent=2)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.diagnostics), *self.conclusion()])

    def conclusion(self) -> list[str]:
        """The answer in a line; and in another what compiling takes where it is not to be had."""
        count = len(self.refusals)
        said = f"will not take {counted(count, 'thing')} in it" if count else "takes it"
        lines = [f"{self.target} {said}"]
        if not self.compiles_here:
            lines.append(
                "it does not compile here" + (f": it needs {self.needs}" if self.needs else "")
            )
        return lines
