"""Baselines: findings that are known, and fail nothing while nobody has put them right."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from dxir.errors import ConfigurationError
from dxir.verify.finding import Finding, is_at_least
from dxir.verify.ids import UNREADABLE
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.whole_files import write_file

FORMAT = "dxir-verify-baseline"

VERSION = 1
"""The version of the file; it grows when what was there changes, not when there is more."""


class Known(NamedTuple):
    """What a baseline names findings by; `file` is told from the folder of the baseline."""

    file: str
    rule: str
    fingerprint: str


@dataclass(frozen=True)
class Baseline:
    """How often each known finding is there, and what it said, for people who read the file.

    `path` is the file of the baseline. Files are told from the folder it is in, so that it holds in
    every checkout, and wherever one checks from.
    """

    path: Path
    counts: Mapping[Known, int] = field(default_factory=dict[Known, int])
    messages: Mapping[Known, str] = field(default_factory=dict[Known, str])

    def set_aside(self, report: Report) -> tuple[Report, Counter[Known]]:
        """The report with known findings set aside; and which these are."""
        left = Counter(self.counts)
        found: list[Finding] = []
        known = list(report.known)
        used: Counter[Known] = Counter()
        for finding in report.findings:
            key = self.key(finding)
            if left[key] > 0:
                left[key] -= 1
                used[key] += 1
                known.append(finding)
            else:
                found.append(finding)
        return replace(report, findings=tuple(found), known=tuple(known)), used

    def key(self, finding: Finding) -> Known:
        """What the baseline names a finding by."""
        return Known(self._relative(finding.place.file), finding.rule, finding.fingerprint)

    def _relative(self, file: str) -> str:
        try:
            return os.path.relpath(file, self.path.parent).replace(os.sep, "/")
        except ValueError:  # on another drive
            return Path(file).as_posix()

    def gone(self, reports: Iterable[Report], used: Counter[Known], settings: Settings) -> int:
        """How many known findings are no longer there, of what was checked in these reports.

        `used` are those that are. What a rule finds that does not run now, or in a file that was
        not looked at, may still be there; in a file that is not there, it is not.
        """
        looked_at = self._looked_at(reports)
        return sum(
            count - used[key]
            for key, count in self.counts.items()
            if count > used[key] and self._was_looked_for(key, looked_at, settings)
        )

    def updated(self, reports: Iterable[Report], settings: Settings) -> Baseline:
        """The baseline with the findings of these reports, and without those that are gone.

        Notes are left out where they fail nothing.
        """
        reports = tuple(reports)
        looked_at = self._looked_at(reports)
        counts: Counter[Known] = Counter()
        messages: dict[Known, str] = {}
        for key, count in self.counts.items():
            if not self._was_looked_for(key, looked_at, settings):
                counts[key] = count
                messages[key] = self.messages.get(key, "")
        for report in reports:
            for finding in report.findings:
                if finding.severity == "note" and not is_at_least("note", settings.fail_on):
                    continue
                key = self.key(finding)
                counts[key] += 1
                messages.setdefault(key, finding.message)
        return Baseline(self.path, counts, messages)

    def _looked_at(self, reports: Iterable[Report]) -> dict[str, str]:
        """The files that rules could look at: as the baseline names them, and as reports do."""
        return {
            self._relative(report.name): report.name
            for report in reports
            if not any(finding.rule in UNREADABLE for finding in report.findings)
        }

    def _was_looked_for(self, key: Known, looked_at: Mapping[str, str], settings: Settings) -> bool:
        """Whether a finding would have been found again, or its file is no longer there."""
        if key.file not in looked_at:
            is_file = not key.file.startswith("<")  # the standard input is none
            return is_file and not (self.path.parent / key.file).exists()
        from dxir.verify.rule import find_rule

        rule = find_rule(key.rule)
        here = settings.for_file(looked_at[key.file])
        return rule is None or here.runs(key.rule, enabled=rule.enabled)

    def write(self) -> None:
        """Write the file, whole or not at all; ConfigurationError when that cannot be done."""
        rows = [
            json.dumps(
                {
                    "file": key.file,
                    "rule": key.rule,
                    "fingerprint": key.fingerprint,
                    "count": self.counts[key],
                    "message": self.messages.get(key, ""),
                },
                ensure_ascii=False,
            )
            for key in sorted(self.counts)
        ]
        # A line for each finding, so that a change of the file reads as one of the findings.
        listed = "[\n    " + ",\n    ".join(rows) + "\n  ]" if rows else "[]"
        text = f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'
        try:
            write_file(self.path, text.encode("utf-8", "replace"))
        except OSError as error:
            raise ConfigurationError(
                f"the baseline cannot be written: {error.strerror or error}",
                where=self.path,
                hint="name a file in a folder that is there, and that you may write in",
            ) from None


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file; ConfigurationError when there is none."""
    try:
        document: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigurationError(
            f"the baseline cannot be read: {error.strerror or error}",
            where=path,
            hint="--write-baseline writes one",
        ) from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"the baseline is not JSON: {error}",
            where=path,
            hint="--write-baseline writes it anew; a conflict of two versions is to be settled "
            "first, for findings in files that are not checked to be kept",
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ConfigurationError(
            "this is no baseline of dxir-verify", where=path, hint="--write-baseline writes one"
        )
    if document.get("version") != VERSION:
        raise ConfigurationError(
            f"the baseline has version {document.get('version')!r}, this dxir reads {VERSION}",
            where=path,
            hint="--write-baseline writes it anew",
        )
    return _of(document, path)


def baseline_to_update(path: Path) -> Baseline:
    """The baseline that one written to a file takes the place of.

    That is an empty one where there is no file, or one of another version. ConfigurationError for a
    file that is something else.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):  # reading a pipe may never end
        return Baseline(path)
    try:
        return read_baseline(path)
    except ConfigurationError:
        if path.exists() and not _is_ours(path):
            raise
        return Baseline(path)


def _is_ours(path: Path) -> bool:
    try:
        return FORMAT.encode() in path.read_bytes()
    except OSError:
        return False


def _of(document: Mapping[str, Any], path: Path) -> Baseline:
    counts: dict[Known, int] = {}
    messages: dict[Known, str] = {}
    try:
        rows = document["findings"]
        if not isinstance(rows, list):
            raise TypeError("the findings are no list")
        for row in rows:
            key = Known(str(row["file"]), str(row["rule"]), str(row["fingerprint"]))
            counts[key] = counts.get(key, 0) + _count(row["count"])
            messages[key] = str(row.get("message", ""))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(
            f"the baseline has a finding that is none: {type(error).__name__}: {error}",
            where=path,
            hint="--write-baseline writes it anew",
        ) from None
    return Baseline(path, counts, messages)


def _count(found: Any) -> int:
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise ValueError(f"its count is {found!r}")
    return found
