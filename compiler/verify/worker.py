"""Checking one file, in this process."""

from __future__ import annotations

from dxir.chunks import Chunk, split
from dxir.errors import ParseError
from dxir.verify.checking import check, in_order
from dxir.verify.finding import Finding
from dxir.verify.reading import finding_of, read
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.subject import Source


def check_data(data: bytes, name: str, settings: Settings, *, trusted: bool = False) -> Report:
    """What the rules find in the bytes of a file: in each of its parts, in the order of lines.

    `trusted` is for a process that may be brought down by them.
    """
    return joined(name, [_check_part(part, settings, trusted) for part in parts(data, name)])


def parts(data: bytes, name: str) -> list[Chunk]:
    """The parts of a file that are modules, without those between markers that are blank."""
    found = split(data, name)
    filled = [part for part in found if part.data.strip()]
    return filled or found[:1] or [Chunk(data, name, data)]


def joined(name: str, reports: list[Report]) -> Report:
    """The reports of the parts of a file as one; facts are told of a file that is one module."""
    if len(reports) == 1:
        return reports[0]
    return Report(
        name,
        in_order([finding for report in reports for finding in report.findings]),
        in_order([finding for report in reports for finding in report.allowed]),
    )


def unreadable(name: str, error: OSError, settings: Settings) -> Report:
    """The report of a file that the system does not give."""
    told = ParseError(
        f"the file cannot be read: {error.strerror or error}",
        where=name,
        hint="see that the file is there, and who may read it",
    )
    return Report(name, (finding_of(told, Source(name), settings.rules()),))


def _check_part(part: Chunk, settings: Settings, trusted: bool) -> Report:
    source = Source(part.name, part.placed)
    subject = read(source, settings.rules(), trusted=trusted)
    if isinstance(subject, Finding):
        return Report(part.name, (subject,))
    return check(subject, settings)
