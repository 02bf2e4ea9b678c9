"""A run of the checks, as the formats see it."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dxir.errors import DxirError
from dxir.verify.finding import SEVERITIES, Finding, Severity, is_at_least
from dxir.verify.formats.lines import Lines
from dxir.verify.report import Report
from dxir.verify.settings import Settings

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The variables in which GitHub and GitLab name the folder of the repository."""


@dataclass(frozen=True)
class Run:
    """The reports of a run, in the order of the files, and what is needed to tell them.

    `errors` are what kept files from being checked: the reports do not have them.
    """

    reports: tuple[Report, ...]
    settings: Settings
    root: Path
    lines: Lines
    errors: tuple[DxirError, ...] = ()
    color: bool = False
    width: int = 100

    @property
    def findings(self) -> Iterator[Finding]:
        """All that was found, but for what is allowed."""
        return (finding for report in self.reports for finding in report.findings)

    @functools.cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings there are of each severity."""
        return Counter(finding.severity for finding in self.findings)

    @functools.cached_property
    def allowed(self) -> int:
        """How many findings are allowed."""
        return sum(len(report.allowed) for report in self.reports)

    @functools.cached_property
    def fixable(self) -> int:
        """How many findings `--fix` can put right."""
        return sum(finding.fixable for finding in self.findings)

    @functools.cached_property
    def fails(self) -> bool:
        """Whether something is at least as bad as what fails the run."""
        return any(is_at_least(each, self.settings.fail_on) for each in self.counts)

    @property
    def exit_code(self) -> int:
        """With what the command ends."""
        return 2 if self.errors else int(self.fails)

    def path(self, name: str) -> str:
        """A file's path relative to the root, with slashes; as it is, where it is not below it."""
        path = Path(os.path.abspath(name))
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else name


def by_severity(counts: Counter[Severity]) -> list[str]:
    """How many there are of each severity, the worst first, such as `2 errors`."""
    return [plural(counts[each], each) for each in reversed(SEVERITIES) if counts[each]]


def plural(count: int, noun: str) -> str:
    """A number of things: `1 file`, `2 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def tool_version() -> str:
    """The version of dxir, empty where it is not installed."""
    try:
        return version("dxir")
    except PackageNotFoundError:
        return ""


def repository_root() -> Path:
    """The folder of the repository that the run is in: of the CI job, or the one around it."""
    here = Path.cwd()
    for name in _ROOTS:
        named = os.environ.get(name)
        if named and here.is_relative_to(named):
            return Path(named)
    around = (each for each in (here, *here.parents) if (each / ".git").exists())
    return next(around, here)
