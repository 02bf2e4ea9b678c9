"""What the checks of one module came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dxir.errors import SchemaError
from dxir.verify.finding import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one module.

    `name` is the file it was read from. `allowed` are the findings that the module itself allows,
    by a comment or an attribute, `known` those that a baseline has. `facts` is what there is to
    know of the module that is no finding: its StableHLO version, its cost.
    """

    name: str
    findings: tuple[Finding, ...] = ()
    allowed: tuple[Finding, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    known: tuple[Finding, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, as JSON has them."""
        return {
            "file": self.name,
            "findings": [f.as_dict() for f in self.findings],
            "allowed": [f.as_dict() for f in self.allowed],
            "known": [f.as_dict() for f in self.known],
            "facts": dict(self.facts),
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Report:
        """The report of plain values; SchemaError when they are none."""
        try:
            return cls(
                str(found["file"]),
                tuple([Finding.from_dict(each) for each in found["findings"]]),
                tuple([Finding.from_dict(each) for each in found["allowed"]]),
                dict(found["facts"]),
                tuple([Finding.from_dict(each) for each in found.get("known", ())]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise SchemaError(f"this is not a report: {error}") from None
