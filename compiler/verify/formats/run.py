"""A run of the checks, as the formats see it."""

from __future__ import annotations

import functools
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, NamedTuple

from dxir.chunks import STDIN
from dxir.errors import DxirError
from dxir.verify.finding import SEVERITIES, Finding, Severity, is_at_least
from dxir.verify.formats.lines import Lines
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.wording import counted

WORST_FIRST: tuple[Severity, ...] = tuple(reversed(SEVERITIES))

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The variables in which GitHub and GitLab name the folder of the repository."""


Aside = Literal["allowed", "known"] | None
"""Why a finding fails nothing: the module allows it, or a baseline has it."""


class Told(NamedTuple):
    """A finding as services keep it, with a fingerprint that no other one has."""

    finding: Finding
    fingerprint: str
    aside: Aside


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

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found, but for what is allowed."""
        return tuple([finding for report in self.reports for finding in report.findings])

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The names of what was checked."""
        return frozenset(report.name for report in self.reports)

    @functools.cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings there are of each severity."""
        return Counter(finding.severity for finding in self.findings)

    @property
    def allowed(self) -> int:
        """How many findings the modules allow."""
        return sum(len(report.allowed) for report in self.reports)

    @property
    def known(self) -> int:
        """How many findings the baseline has."""
        return sum(len(report.known) for report in self.reports)

    @property
    def fixable(self) -> int:
        """How many findings `--fix` can put right."""
        return sum(finding.fixable for finding in self.findings)

    def fails_by(self, finding: Finding) -> bool:
        """Whether a finding makes the run fail."""
        return is_at_least(finding.severity, self.settings.fail_on)

    @property
    def exit_code(self) -> int:
        """With what the command ends."""
        return 2 if self.errors else int(self.settings.fails(self.findings))

    def told(self) -> Iterator[Told]:
        """Every finding, also those that are allowed or known."""
        seen: Counter[tuple[str, str]] = Counter()
        for report in self.reports:
            groups: tuple[tuple[Aside, tuple[Finding, ...]], ...] = (
                (None, report.findings),
                ("allowed", report.allowed),
                ("known", report.known),
            )
            for aside, findings in groups:
                for finding in findings:
                    key = (self.path(finding.place.file), finding.fingerprint)
                    seen[key] += 1
                    text = "\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")
                    yield Told(finding, hashlib.sha256(text).hexdigest()[:32], aside)

    def path(self, name: str) -> str:
        """A file's path relative to the root, with slashes; as it is, where it is not below it."""
        found = self._paths.get(name)
        if found is None:
            path = Path(os.path.abspath(name))
            is_below = name != STDIN and path.is_relative_to(self.root)
            found = path.relative_to(self.root).as_posix() if is_below else name
            self._paths[name] = found
        return found

    @functools.cached_property
    def _paths(self) -> dict[str, str]:
        return {}

    def summary(self) -> str:
        """How many files were checked, and what was found in them, in one line."""
        counts = ", ".join(
            counted(self.counts[each], each) for each in WORST_FIRST if self.counts[each]
        )
        if counts:
            counts += f" in {counted(sum(bool(each.findings) for each in self.reports), 'file')}"
        parts = [f"{counted(len(self.reports), 'file')} checked: {counts or 'nothing found'}"]
        if self.allowed:
            parts.append(f"{self.allowed:,} allowed")
        if self.known:
            parts.append(f"{self.known:,} known")
        if self.fixable:
            parts.append(f"{self.fixable:,} can be put right by --fix")
        return "; ".join(parts)


def tool_version() -> str | None:
    """The version of dxir, where it is installed as a package."""
    try:
        return version("dxir")
    except PackageNotFoundError:
        return None


def repository_root() -> Path:
    """The folder of the repository that the run is in: of the CI job, or the one around it."""
    here = Path.cwd()
    for name in _ROOTS:
        root = os.environ.get(name)
        if root and here.is_relative_to(root):
            return Path(root)
    around = (each for each in (here, *here.parents) if (each / ".git").exists())
    return next(around, here)
