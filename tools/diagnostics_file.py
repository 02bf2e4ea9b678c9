"""Writing what a tool reports to a file, for programs to read."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dxir.diagnostics import Diagnostic, diagnostics_to_json
from dxir.errors import DxirError
from dxir.tools.messages import Message


@contextmanager
def kept_diagnostics(path: str | None) -> Generator[list[Message]]:
    """Gives a list for the messages of a tool; they are in the file when it ends, however it does.

    The error that it ends with, if any, is the last one. Without a path, nothing is written.
    """
    found: list[Message] = []
    last: list[Diagnostic] = []
    try:
        yield found
    except DxirError as error:
        last.append(Diagnostic.of_error(error))
        raise
    finally:
        if path is not None:
            _write(path, diagnostics_to_json([*map(as_diagnostic, found), *last]))


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        raise DxirError(
            f"--diagnostics-json: the file cannot be written: {error.strerror or error}", where=path
        ) from None


def as_diagnostic(message: Message) -> Diagnostic:
    """A message of a tool as data: the calls that led there come first among its notes."""
    notes = [*message.callers, *(n for n in message.notes if not n.shows_op)]
    return Diagnostic(
        message.severity,
        message.message,
        message.where,
        tuple([as_diagnostic(note) for note in notes]),
        message.op,
        message.code,
        message.pass_name,
        message.numbers,
    )
