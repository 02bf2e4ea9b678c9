"""What a rule finds: which rule, how bad, where, and what to do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from dxir.errors import SchemaError

if TYPE_CHECKING:
    from dxir.mlir import IrOperation

Severity = Literal["note", "warning", "error"]
"""How bad a finding is, from what one may want to know to what will not work."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)

_PLACE = re.compile(r"(?s:(?P<file>.*?)):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?")


def is_at_least(severity: Severity, limit: Severity) -> bool:
    """Whether one severity is as bad as another, or worse."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(limit)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: `line` and `column` count from 1; 0 is the whole file, or line."""

    file: str
    line: int = 0
    column: int = 0

    @classmethod
    def of(cls, where: str | None, file: str) -> Place:
        """The place that a `file:line:col` says; in `file`, where it says none."""
        found = _PLACE.fullmatch(where or "")
        if found is None:
            return cls(file)
        return cls(found["file"], int(found["line"]), int(found["column"] or 0))

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        return self.file + line + (f":{self.column}" if self.line and self.column else "")


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding is about, and what is there."""

    message: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found in a module.

    `place` is where the user finds it: the line of the file that was checked. `origin` is the
    place that the location of the op names, where that is another one, such as the line of the
    Python file the op was traced from. `hint` says what to do. `numbers` are those the message is
    about, by name. `at` is the op, while it is alive; it is not part of what is told.
    """

    rule: str
    severity: Severity
    message: str
    place: Place
    origin: Place | None = None
    op: str | None = None
    function: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    fixable: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    at: IrOperation | None = field(default=None, compare=False, repr=False)

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that stay the same when lines move: for baselines and SARIF.

        The file is no part of it, since one file has many paths. Findings of one rule in one
        function about ops of one name with one message, but for its numbers, share it.
        """
        text = re.sub(r"\d+", "#", self.message.replace(self.place.file, ""))
        parts = (self.rule, self.function or "", self.op or "", text)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """The finding as plain values, as JSON has them."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "origin": None if self.origin is None else str(self.origin),
            "op": self.op,
            "function": self.function,
            "hint": self.hint,
            "related": [
                {"message": r.message, "where": None if r.place is None else str(r.place)}
                for r in self.related
            ],
            "fixable": self.fixable,
            "fingerprint": self.fingerprint,
            "numbers": {name: _plain(value) for name, value in self.numbers.items()},
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Finding:
        """The finding of plain values; SchemaError when they are not one."""
        try:
            file = str(found["file"])
            if found["severity"] not in SEVERITIES:
                raise ValueError(f"no severity {found['severity']!r}")
            return cls(
                str(found["rule"]),
                found["severity"],
                str(found["message"]),
                Place(file, int(found["line"]), int(found["column"])),
                Place.of(found["origin"], found["origin"]) if found.get("origin") else None,
                found.get("op"),
                found.get("function"),
                found.get("hint"),
                tuple(
                    [
                        Related(
                            r["message"], Place.of(r["where"], r["where"]) if r["where"] else None
                        )
                        for r in found.get("related", ())
                    ]
                ),
                bool(found.get("fixable", False)),
                {name: float(value) for name, value in found.get("numbers", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SchemaError(
                f"this is not a finding: {type(error).__name__}: {error}",
                hint="it is an object as Finding.as_dict makes it",
            ) from None


def _plain(value: Any) -> float | str:
    """A number as JSON has it: none of NumPy's, and text for infinities."""
    number: float = value if isinstance(value, int | float) else float(value)
    return number if number - number == 0 else str(float(number))
