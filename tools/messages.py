"""Diagnostics on stderr, in the form in which mlir-opt prints them.

A message is `file:line:col: error: text`, the source line, and a caret below the column. The form
is that of LLVM's source manager, byte for byte: tabs are expanded, a line that is not ASCII has no
caret, a place outside its file has no source line.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TextIO

from dxir.chunks import Chunk
from dxir.diagnostic_hints import hint_for
from dxir.diagnostics import CURRENT_OP, Diagnostic, message_of, op_shown
from dxir.errors import DxirError
from dxir.mlir import IrLocation, ir
from dxir.quoting import QUOTED, unquoted

_UNKNOWN = "loc(unknown)"
_CALL_STACK_LIMIT = 10
_TAB_STOP = 8
_LARGEST_SOURCE_BYTES = 64 << 20

_FILE_LINE = re.compile(rf"loc\(({QUOTED}):(\d+):(\d+)")
_OP_TEXT = re.compile(
    r'\s*(?:%[^=\n]*= )?(?:"[\w$-]+\.[\w.$-]+"\(|[a-zA-Z_][\w$-]*\.[\w.$-]+[ (@%<{])'
)
# What dxir calls a source that has no name.
_NAMELESS = ("-", "<text>", "<bytes>")


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was reported.

    `where` is its place as printed, None where no file is known; `file`, `line` and `column` (from
    1, 0 for none) are the place for looking it up, `location` the whole location in MLIR's words.
    `callers` are the notes of the calls that led there. `optional` marks a note that says nothing
    which its message does not: a hint, or the text of the op. `span` bytes are underlined. The op,
    code, pass and numbers are those of a Diagnostic.
    """

    severity: str
    message: str
    where: str | None = None
    file: str | None = None
    line: int = 0
    column: int = 0
    location: str = _UNKNOWN
    callers: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()
    optional: bool = False
    span: int = 0
    op: str | None = None
    code: str | None = None
    pass_name: str | None = None
    numbers: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)

    @property
    def shows_op(self) -> bool:
        """Whether it is the note in which MLIR prints the op of an error."""
        return self.message.startswith(CURRENT_OP)


@dataclass(slots=True)
class _Buffer:
    data: bytes
    breaks: list[int] | None = None

    def line_at(self, line: int, column: int) -> bytes | None:
        """The line, if it is there and the column is in it or just behind."""
        if self.breaks is None:
            self.breaks = [match.start() for match in re.finditer(b"\n", self.data)]
        if not 0 < line <= len(self.breaks) + 1 or column < 1:
            return None
        start = self.breaks[line - 2] + 1 if line > 1 else 0
        end = self.breaks[line - 1] if line <= len(self.breaks) else len(self.data)
        carriage = self.data.find(b"\r", start, end)
        end = carriage if carriage >= 0 else end
        return self.data[start:end] if column <= end - start + 1 else None


class Buffers:
    """The texts that messages are about: an input, `main`, and files that locations name.

    Files are looked for in the working directory there is now.
    """

    def __init__(self, main: str, text: bytes) -> None:
        self.main = main
        self._read: dict[str, _Buffer | None] = {main: _Buffer(text)}
        self._directory = ""
        with suppress(OSError):  # it may be gone
            self._directory = os.getcwd()

    def text(self, name: str) -> bytes | None:
        """The text of that name, None where there is none to be read."""
        buffer = self._buffer(name)
        return None if buffer is None else buffer.data

    def line_at(self, name: str, line: int, column: int) -> bytes | None:
        """A line of a text, None if it is not there or ends before the column."""
        buffer = self._buffer(name)
        return None if buffer is None else buffer.line_at(line, column)

    def _buffer(self, name: str) -> _Buffer | None:
        if name not in self._read:
            data = self._load(name)
            self._read[name] = None if data is None else _Buffer(data)
        return self._read[name]

    def _load(self, name: str) -> bytes | None:
        # A pipe would never end, and a device is no source.
        with suppress(OSError, ValueError):
            path = os.path.join(self._directory, name)
            found = os.stat(path)
            if stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_SOURCE_BYTES:
                with open(path, "rb") as file:
                    return file.read()
        return None


_SEVERITIES = ("error", "warning", "remark")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which messages are reported: up to a severity, with or without notes, and ops in notes."""

    up_to: str = "remark"
    notes: bool = True
    ops: bool = True

    def filtered(self, message: Message) -> Message | None:
        """What is left of a message; None for nothing."""
        if message.severity in _SEVERITIES[_SEVERITIES.index(self.up_to) + 1 :]:
            return None
        if self.notes and self.ops:
            return message
        kept = (n for n in message.notes if self.notes and not n.shows_op)
        return replace(message, notes=tuple(kept))


class Reporter:
    """Takes messages one by one, keeps them, and prints them to `stream` as they come.

    Without a stream they are only kept. `running` is the pass at work, once one is.
    """

    def __init__(self, buffers: Buffers, stream: TextIO | None, only: Filter = Filter()) -> None:
        self.buffers = buffers
        self.stream = stream
        self.only = only
        self.messages: list[Message] = []
        self.running: str | None = None

    def report(self, what: Diagnostic | DxirError) -> None:
        """Report what dxir found itself; a hint becomes a note."""
        self.take(self._own(what))

    def take(self, message: Message) -> None:
        """Keep a message, and print it, if it is to be reported."""
        found = self.only.filtered(message)
        if found is not None:
            self.messages.append(found)
            self.show(found)

    def show(self, message: Message) -> None:
        """Print a message without keeping it."""
        if self.stream is not None:
            self.stream.write(rendered(message, self.buffers))
            self.stream.flush()

    def _own(self, what: Diagnostic | DxirError) -> Message:
        message = replace(
            self._placed(what.message, what.where),
            code=what.code,
            pass_name=what.pass_name or self.running,
        )
        if isinstance(what, Diagnostic):
            return replace(
                message,
                severity=what.severity,
                notes=tuple(self._own(note) for note in what.notes),
                op=what.op,
                numbers=what.numbers,
            )
        if not what.hint:
            return message
        hint = replace(message, severity="note", message=what.hint, optional=True)
        return replace(message, notes=(hint,))

    def _placed(self, message: str, where: str | None) -> Message:
        if where is None:
            return Message("error", message)
        file, line, column = _place_of(where)
        named = self.buffers.main if file in _NAMELESS else file
        where = named + where[len(file) :]
        return Message("error", message, where, named, line, column, where)

    def copied(self, diagnostic: Any) -> Message:
        """A copy of a diagnostic of MLIR, which is gone once its handler returns."""
        location = diagnostic.location
        severity = diagnostic.severity.name.lower()
        message = self._located(severity, message_of(diagnostic), location)
        notes = tuple(
            self._note(self._located("note", message_of(note), note.location), message)
            for note in diagnostic.notes
        )
        hint = hint_for(message.message) if severity == "error" else None
        if hint is not None:
            notes += (replace(message, severity="note", message=hint, optional=True),)
        return replace(
            message,
            callers=self._callers(location),
            notes=notes,
            op=op_shown(note.message for note in notes),
            pass_name=self.running,
        )

    def _note(self, note: Message, about: Message) -> Message:
        # MLIR prints the op of an error in a note, and Shardy that of a warning.
        shows_op = note.shows_op or (
            about.severity == "warning"
            and note.location == about.location
            and _OP_TEXT.match(note.message) is not None
        )
        return replace(note, optional=shows_op)

    def _located(self, severity: str, message: str, location: IrLocation) -> Message:
        text = _text_of(location)
        found = _file_of(location)
        if found is None:
            return Message(severity, message, location=text)
        file, line, column = found
        file = self.buffers.main if file == "-" else file
        return Message(severity, message, f"{file}:{line}:{column}", file, line, column, text)

    def _callers(self, location: IrLocation) -> tuple[Message, ...]:
        callers: list[Message] = []
        call = _call_in(location)
        while call is not None and len(callers) < _CALL_STACK_LIMIT:
            callers.append(self._located("note", "called from", call.caller))
            call = _call_in(call.caller)
        return tuple(callers)


@contextmanager
def reporting(
    context: ir.Context,
    chunk: Chunk,
    *,
    quiet: bool = False,
    only: Filter = Filter(),
) -> Generator[Reporter]:
    """Report what MLIR says in `context` meanwhile, about a chunk of an input, to stderr.

    When `quiet`, it is only kept.
    """
    reporter = Reporter(Buffers(chunk.name, chunk.whole), None if quiet else sys.stderr, only)
    failed: list[BaseException] = []

    def take(diagnostic: Any) -> bool:
        try:
            reporter.take(reporter.copied(diagnostic))
        except BaseException as error:  # noqa: BLE001  raised again below; C++ would lose it
            failed.append(error)
        return True

    handler = context.attach_diagnostic_handler(take)
    try:
        yield reporter
    finally:
        handler.detach()
        if failed:
            raise failed[0]


def rendered(message: Message, buffers: Buffers) -> str:
    """A message with its notes as it is printed."""
    parts = [_rendered(message, buffers, show_source=True)]
    parts += [_rendered(caller, buffers, show_source=True) for caller in message.callers]
    last = message.callers[-1].location if message.callers else message.location
    for note in message.notes:
        shown_before = note.location == last or (
            note.optional and note.location == message.location
        )
        parts.append(_rendered(note, buffers, show_source=not shown_before))
        last = note.location
    return "".join(parts)


def _rendered(message: Message, buffers: Buffers, *, show_source: bool) -> str:
    if message.where is None:
        location = "" if message.location == _UNKNOWN else f"{message.location}: "
        return f"<unknown>:0: {message.severity}: {location}{message.message}\n"
    text = f"{message.where}: {message.severity}: {message.message}\n"
    if show_source and message.file is not None:
        line = buffers.line_at(message.file, message.line, message.column)
        if line is not None:
            text += _source(line, message.column - 1, message.span)
    return text


def _source(line: bytes, column: int, span: int) -> str:
    """A source line, and the caret line if it is ASCII."""
    shown = line.expandtabs(_TAB_STOP).decode("utf-8", "replace") + "\n"
    if not line.isascii():
        return shown
    caret = bytearray(b" " * (len(line) + 1))
    end = min(column + span, len(line))
    caret[column:end] = b"~" * (end - column)
    caret[column] = ord("^")
    marks = caret.rstrip(b" ").decode("ascii")
    return f"{shown}{_widened(marks, line)}\n"


def _widened(marks: str, line: bytes) -> str:
    """The caret line with each mark below a tab as wide as the tab."""
    parts: list[str] = []
    width = start = 0
    tab = line.find(b"\t")
    while 0 <= tab < len(marks):
        parts.append(marks[start:tab])
        width += tab - start
        fill = _TAB_STOP - width % _TAB_STOP
        parts.append(marks[tab] * fill)
        width += fill
        start = tab + 1
        tab = line.find(b"\t", start)
    return "".join([*parts, marks[start:]])


def _place_of(where: str) -> tuple[str, int, int]:
    """File, line and column of `file:line:col`; 0 for what it lacks."""
    numbers: list[int] = []
    while len(numbers) < 2:
        head, _, last = where.rpartition(":")
        if not head or not (last.isascii() and last.isdecimal()) or len(last) > 9:
            break
        numbers.insert(0, int(last))
        where = head
    line, column = (*numbers, 0, 0)[:2]
    return where, line, column


def _text_of(location: IrLocation) -> str:
    try:
        return str(location)
    except (RuntimeError, UnicodeError):
        return "loc(?)"


def _file_of(location: IrLocation) -> tuple[str, int, int] | None:
    """The first file, line and column in a location: callees before callers, parts in order."""
    waiting: list[IrLocation] = [location]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.FileLineColLoc):
            # Its `filename` ends the process if it is not UTF-8; printed, it is escaped.
            found = _FILE_LINE.match(_text_of(here))
            return None if found is None else (unquoted(found[1]), int(found[2]), int(found[3]))
        if isinstance(here, ir.NameLoc):
            waiting.append(here.child_loc)
        elif isinstance(here, ir.CallSiteLoc):
            waiting += (here.caller, here.callee)
        elif isinstance(here, ir.FusedLoc):
            waiting += reversed(here.locations)
    return None


def _call_in(location: IrLocation) -> ir.CallSiteLoc | None:
    """The first call in a location, outside of other calls."""
    waiting: list[IrLocation] = [location]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.CallSiteLoc):
            return here
        if isinstance(here, ir.NameLoc):
            waiting.append(here.child_loc)
        elif isinstance(here, ir.FusedLoc):
            waiting += reversed(here.locations)
    return None
