"""Checking the contents of one file, in this process."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, replace

from dxir.chunks import Chunk, split
from dxir.errors import ParseError
from dxir.verify import stopped
from dxir.verify.checking import RuleFailed, check, in_order
from dxir.verify.files import digest_of
from dxir.verify.finding import Finding
from dxir.verify.reading import finding_of, read
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.stages import LOOKING, READING, Board
from dxir.verify.subject import Source, Subject
from dxir.verify.suppressions import Allowed

_FILLED = re.compile(rb"\S")


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check of a file came to.

    `reads` are the digests of the other files that it depends on (None for one that is not there),
    by path; it is None itself where the same check can come to something else next time.
    """

    report: Report
    reads: Mapping[str, str | None] | None


@dataclass(frozen=True, slots=True)
class Contained:
    """What a process goes by that may be brought down by what it checks.

    It says on `board` what it does. `memory_bytes` is what it may have while it reads a module. The
    rules in `without` do not run.
    """

    board: Board
    memory_bytes: int | None = None
    without: Collection[str] = ()


def check_data(
    data: bytes,
    name: str,
    settings: Settings,
    contained: Contained | None = None,
    *,
    trusted: bool = False,
) -> Checked:
    """What the rules find in the bytes of a file: in each of its parts, in the order of lines.

    A rule that ends in an exception is one finding, as is a file that cannot be read. `trusted` is
    for bytes that this program made itself; where they may bring this process down, they are read
    in it without a child, too.
    """
    trusted = trusted or contained is not None
    contained = contained or Contained(Board())
    found = [_check_part(part, settings, contained, trusted) for part in parts(data, name)]
    reads: dict[str, str | None] | None = {}
    for each in found:
        reads = None if reads is None or each.reads is None else {**reads, **each.reads}
    return Checked(joined(name, [each.report for each in found]), reads)


def parts(data: bytes, name: str) -> list[Chunk]:
    """The parts of a file that are modules, without those between markers that are blank."""
    found = split(data, name)
    filled = [part for part in found if _FILLED.search(part.data)]
    return filled or found[:1] or [Chunk(data, name, data)]


def joined(name: str, reports: list[Report]) -> Report:
    """The reports of the parts of a file as one; facts are told of a file that is one module."""
    if len(reports) == 1:
        return reports[0]
    return Report(
        name,
        in_order([finding for report in reports for finding in report.findings]),
        in_order([finding for report in reports for finding in report.allowed]),
        known=in_order([finding for report in reports for finding in report.known]),
    )


def unreadable(name: str, why: str, settings: Settings) -> Report:
    """The report of a file that the system does not give."""
    told = ParseError(
        f"the file cannot be read: {why}",
        where=name,
        hint="see that the file is there, and who may read it",
    )
    return Report(name, as_set([finding_of(told, Source(name), settings.rules())], settings))


def as_set(findings: Iterable[Finding], settings: Settings) -> tuple[Finding, ...]:
    """Findings about a file as a whole, as bad as the settings say, but for what these ignore."""
    without_only = replace(settings, only=())
    return tuple(
        [
            replace(finding, severity=settings.severity_of(finding))
            for finding in findings
            if without_only.runs(finding.rule, enabled=True)
        ]
    )


@contextlib.contextmanager
def bounded_memory(bound: int | None) -> Generator[None]:
    """Within, the system refuses this process more memory than that beyond what it has."""
    if bound is None or sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound += _address_space()
    if hard != resource.RLIM_INFINITY:
        bound = min(bound, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """How many bytes of addresses this process has taken; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _check_part(part: Chunk, settings: Settings, contained: Contained, trusted: bool) -> Checked:
    rules = settings.rules()
    source = Source(part.name, part.placed)
    contained.board.begin_part()
    contained.board.enter(READING)
    with bounded_memory(contained.memory_bytes):
        subject = read(source, rules, trusted=trusted)
    if isinstance(subject, Finding):
        return Checked(_refused(source, subject, settings), {})
    return check_subject(subject, settings, contained)


def _refused(source: Source, finding: Finding, settings: Settings) -> Report:
    """The report of what is no valid module, which its comments may allow."""
    found = as_set([finding], settings)
    if Allowed(source).allows(finding):
        return Report(source.name, allowed=found)
    return Report(source.name, found)


def check_subject(
    subject: Subject, settings: Settings, contained: Contained | None = None
) -> Checked:
    """What the rules find in a module that was read, or was in memory."""
    contained = contained or Contained(Board())
    contained.board.enter(LOOKING)
    rules = settings.rules()
    report, failed = _look(subject, settings, contained)
    if failed:
        report = replace(report, findings=in_order((*as_set(failed, settings), *report.findings)))
    if failed or not all(rule.repeatable for rule in rules):
        return Checked(report, None)
    paths = [path for rule in rules for path in rule.reads(subject)]
    return Checked(report, {path: digest_of(path) for path in paths})


def _look(
    subject: Subject, settings: Settings, contained: Contained
) -> tuple[Report, list[Finding]]:
    """What the rules find, and those that ended in an exception, as findings."""
    failed: list[Finding] = []
    left_out = set(contained.without)
    while True:
        try:
            found = check(subject, settings, without=left_out, watch=contained.board.enter)
            contained.board.enter(LOOKING)
            return found, failed
        except RuleFailed as error:
            left_out.add(error.id)
            failed.append(stopped.failed(subject.source.name, error.message, error.hint))
