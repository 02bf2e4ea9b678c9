"""What `dxir doctor` finds: a line for each thing it looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do if it is not as it should be.

    `details` are for programs: numbers and names that the message has in words.
    """

    section: str
    name: str
    status: Status
    message: str
    advice: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    def described(self) -> dict[str, Any]:
        """The finding as `--json` prints it."""
        return {
            "section": self.section,
            "name": self.name,
            "status": self.status,
            "message": self.message,
            "advice": self.advice,
            "details": dict(self.details),
        }
