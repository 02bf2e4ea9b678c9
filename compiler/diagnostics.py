"""Diagnostics of MLIR, told in the user's terms."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from dxir.diagnostic_hints import hint_for
from dxir.errors import DxirError, ParseError, SchemaError, VerificationError
from dxir.mlir import IrLocation, ir
from dxir.quoting import QUOTED, unquoted

if TYPE_CHECKING:
    from rich.text import Text

_FILE_LINE = re.compile(rf"({QUOTED}):(\d+)(?::(\d+))?")
_NODE_NAME = re.compile(rf"^loc\(({QUOTED})[()]")
_OP_NAME = re.compile(r'(?:^|[\s=])"?([a-zA-Z_]\w*\.[\w.$-]+)"?\s*[(@%<{:]')
_OP_AT = re.compile(r'"?([a-zA-Z_][\w$-]*\.[\w.$-]+)')
_NO_DIALECT = re.compile(
    r"Dialect `([\w.$-]+)' not found for custom (op|type|attr\w*) '?([\w.$!#-]*)"
)

# MLIR repeats the op, and often the whole module, in a note of every error.
CURRENT_OP = "see current operation"
"""How the note begins in which MLIR prints the op of an error."""

_NOISE = (CURRENT_OP, "Available dialects:")

_SHOWN = 4

_STYLES = {"error": "bold red", "warning": "bold yellow", "remark": "bold cyan", "note": "dim"}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: `severity` is `error`, `warning`, `remark` or `note`.

    `where` is `file:line:col`, `op` the name of the op it is about (unknown while text is parsed),
    `code` one of `dxir.diagnostic_codes` (None for what MLIR says), `pass_name` the pass that ran,
    `numbers` what the message is about in numbers, by name.
    """

    severity: str
    message: str
    where: str | None = None
    notes: tuple[Diagnostic, ...] = ()
    op: str | None = None
    code: str | None = None
    pass_name: str | None = None
    numbers: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)

    def __str__(self) -> str:
        head = f"{self.where}: " if self.where else ""
        lines = [f"{head}{self.severity}: {self.message}"]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def __rich__(self) -> Text:
        """The diagnostic in colours, with its code, pass and numbers, for `rich.print`."""
        from rich.text import Text

        text = Text()
        text.append(f"{self.where}: " if self.where else "", "bold")
        text.append(f"{self.severity}: ", _STYLES.get(self.severity, ""))
        text.append(self.message)
        if self.code:
            text.append(f" [{self.code}]", "magenta")
        numbers = [f"{name}={value:g}" for name, value in self.numbers.items()]
        about = " ".join([*([f"by {self.pass_name}"] if self.pass_name else []), *numbers])
        if about:
            text.append(f"\n  {about}", "dim")
        for note in self.notes:
            text.append("\n  ").append_text(note.__rich__())
        return text

    @classmethod
    def of_error(cls, error: DxirError) -> Diagnostic:
        """What an error says; its hint becomes a note."""
        notes = (cls("note", error.hint, error.where),) if error.hint else ()
        return cls(
            "error", error.message, error.where, notes, code=error.code, pass_name=error.pass_name
        )

    def as_dict(self) -> dict[str, Any]:
        """The diagnostic as plain values, as JSON has them."""
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "where": self.where,
            "op": self.op,
            "pass": self.pass_name,
            "numbers": {name: _number_json(value) for name, value in self.numbers.items()},
            "notes": [note.as_dict() for note in self.notes],
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Diagnostic:
        """The diagnostic of plain values; SchemaError when they are not one."""
        try:
            return cls(
                str(found["severity"]),
                str(found["message"]),
                found.get("where"),
                tuple([cls.from_dict(note) for note in found.get("notes", ())]),
                found.get("op"),
                found.get("code"),
                found.get("pass"),
                {name: _number(value) for name, value in found.get("numbers", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SchemaError(
                f"this is not a diagnostic: {type(error).__name__}: {error}",
                hint="it is an object with severity and message, as Diagnostic.as_dict makes it",
            ) from None

    def to_json(self) -> str:
        """The diagnostic as JSON text."""
        return json.dumps(self.as_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Diagnostic:
        """The diagnostic of a JSON text; SchemaError when it is none."""
        return cls.from_dict(_json_of(text))


def diagnostics_to_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as the text of a JSON array, one on a line."""
    lines = ",\n".join(d.to_json() for d in diagnostics)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


def diagnostics_from_json(text: str | bytes) -> list[Diagnostic]:
    """The diagnostics of a JSON array; SchemaError when it is none."""
    found = _json_of(text)
    if not isinstance(found, list):
        raise SchemaError(f"diagnostics are a JSON array, not {type(found).__name__}")
    return [Diagnostic.from_dict(each) for each in found]


def _json_of(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise SchemaError(f"this is not JSON: {error}") from None


def _number_json(value: float) -> float | str:
    """The number; as a word where JSON has no number for it (inf, nan)."""
    return value if value - value == 0 else str(float(value))


def _number(value: float | str) -> float:
    return float(value) if isinstance(value, str) else value


def where_of(location: IrLocation | None) -> str | None:
    """The user's `file:line:col` of a location.

    Names are looked through; of a call stack the innermost frame is taken, of a fused location the
    first part. None for a location without a file.
    """
    if location is None:
        return None
    for name, line, column in _FILE_LINE.findall(_location_text(location)):
        if int(line):
            file = unquoted(name)
            file = "<text>" if file == "-" else file
            return f"{file}:{line}" + (f":{column}" if int(column or 0) else "")
    return None


def _location_text(location: IrLocation) -> str:
    try:
        return str(location)
    except (RuntimeError, UnicodeError):  # a name that is not UTF-8
        return ""


def node_name_of(location: IrLocation) -> str | None:
    """The name that a front end wrapped around a location, if any."""
    found = _NODE_NAME.match(_location_text(location))
    return unquoted(found[1]) if found else None


def message_of(diagnostic: Any) -> str:
    """The message of a diagnostic of MLIR, or that it cannot be told."""
    try:
        return str(diagnostic.message)
    except (RuntimeError, UnicodeError):
        return "(the message of MLIR is not UTF-8: a name in the module is not)"


def op_shown(notes: Iterable[str]) -> str | None:
    """The name of the op that one of the notes of an error shows."""
    shown = (_OP_NAME.search(note) for note in notes if note.startswith(CURRENT_OP))
    return next((found[1] for found in shown if found), None)


def _taken(diagnostic: Any) -> Diagnostic:
    all_notes = [_taken(note) for note in diagnostic.notes]
    op = op_shown(note.message for note in all_notes)
    message = message_of(diagnostic).strip()
    if op is not None and op not in message and diagnostic.severity.name == "ERROR":
        message = f"'{op}' op: {message}"
    return Diagnostic(
        diagnostic.severity.name.lower(),
        message,
        where_of(diagnostic.location),
        tuple([n for n in all_notes if not n.message.startswith(_NOISE)]),
        op,
    )


@contextmanager
def collecting(context: ir.Context) -> Generator[list[Diagnostic]]:
    """Collect what MLIR reports in `context` instead of printing it."""
    found: list[Diagnostic] = []

    def take(diagnostic: Any) -> bool:
        # Nothing may escape: MLIR prints it and loses the diagnostic.
        found.append(_taken(diagnostic))
        return True

    handler = context.attach_diagnostic_handler(take)
    try:
        yield found
    finally:
        handler.detach()


_Error = TypeVar("_Error", bound=DxirError)


def error_from(
    kind: type[_Error],
    found: Sequence[Diagnostic],
    fallback: str,
    *,
    where: str | None = None,
    hint: str | None = None,
) -> _Error:
    """An error of `kind` that says what MLIR reported, most important first.

    `fallback` is the message when nothing was reported, `where` the place when the report has none;
    `hint` replaces the one dxir knows for the message.
    """
    errors = _distinct(d for d in found if d.severity == "error")
    if not errors:
        return kind(fallback, where=where, hint=hint)
    first = errors[0]
    lines = [first.message]
    lines += [f"  {_place(n)}{n.message}" for n in first.notes]
    lines += [f"  {_place(d)}{d.message}" for d in errors[1:_SHOWN]]
    if len(errors) > _SHOWN:
        lines.append(f"  and {len(errors) - _SHOWN} more errors")
    return kind(
        "\n".join(lines),
        where=first.where or where,
        hint=hint or hint_for(first.message),
    )


def _place(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.where}: " if diagnostic.where else ""


def _distinct(errors: Iterable[Diagnostic]) -> list[Diagnostic]:
    """One error for each place: what follows at the same place only restates it."""
    seen: set[str | None] = set()
    kept: list[Diagnostic] = []
    for error in errors:
        if error.where not in seen:
            seen.add(error.where)
            kept.append(error)
    return kept


def parse_error(found: Sequence[Diagnostic], name: str, text: str = "") -> ParseError:
    """The error of a module that did not parse; `text` is what was parsed, if it was text."""
    found = [replace(d, message=_with_dialect(d, text)) for d in found]
    return error_from(ParseError, found, f"{name} is not a readable module", where=name)


def _with_dialect(diagnostic: Diagnostic, text: str) -> str:
    found = _NO_DIALECT.search(diagnostic.message)
    if found:
        dialect, kind, name = found.groups()
        return f"the dialect `{dialect}` of the {kind} {name} is not known here".replace("  ", " ")
    if not diagnostic.message.startswith("operation being parsed with an unregistered dialect"):
        return diagnostic.message
    place = re.search(r":(\d+):\d+$", diagnostic.where or "")
    lines = text.splitlines()
    line = lines[int(place[1]) - 1] if place and int(place[1]) <= len(lines) else ""
    named = re.search(r'"(([\w$-]+)\.[\w.$-]+)"\(', line)
    if named is None:
        return "the dialect `?` of this op is not known here"
    return f"the dialect `{named[2]}` of the op {named[1]} is not known here"


def verification_error(
    found: Sequence[Diagnostic], where: str | None = None, text: str = ""
) -> VerificationError:
    """The error of a module that MLIR's verifier rejects, read from `text` if from text."""
    found = [replace(d, message=_with_op(d, where, text)) for d in found]
    return error_from(VerificationError, found, "the module is not valid", where=where)


def _with_op(diagnostic: Diagnostic, name: str | None, text: str) -> str:
    """The message with the op that stands at its place; type inference leaves it out."""
    message = diagnostic.message
    place = re.fullmatch(r"(.*):(\d+):(\d+)", diagnostic.where or "", re.DOTALL)
    if place is None or place[1] not in (name, "<text>"):
        return message
    if not text or diagnostic.severity != "error":
        return message
    line, column = int(place[2]), int(place[3])
    shown = "".join(text.split("\n")[line - 1 : line]).encode()[column - 1 :]  # columns are bytes
    op = _OP_AT.match(shown.decode("utf-8", "replace"))
    return message if op is None or op[1] in message else f"'{op[1]}' op: {message}"
