"""What was put right in one file, and what was not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dxir.errors import SchemaError
from dxir.verify.finding import Finding


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that was to be put right and was not, and why."""

    finding: Finding
    why: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What was put right in a file; it was written anew when anything was."""

    name: str
    fixed: tuple[Finding, ...] = ()
    left: tuple[Left, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """What was put right, as plain values."""
        return {
            "file": self.name,
            "fixed": [finding.as_dict() for finding in self.fixed],
            "left": [{"finding": each.finding.as_dict(), "why": each.why} for each in self.left],
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Fixed:
        """What was put right, of plain values; SchemaError when they are none."""
        try:
            return cls(
                str(found["file"]),
                tuple([Finding.from_dict(each) for each in found["fixed"]]),
                tuple(
                    [
                        Left(Finding.from_dict(each["finding"]), str(each["why"]))
                        for each in found["left"]
                    ]
                ),
            )
        except (KeyError, TypeError) as error:
            raise SchemaError(f"this does not say what was put right: {error}") from None
