"""What was found as GitLab's code quality report, which merge requests show."""

from __future__ import annotations

import json

from dxir.verify.finding import Severity
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import Run
from dxir.verify.formats.shown import shown, shown_text

_SEVERITIES: dict[Severity, str] = {"note": "info", "warning": "minor", "error": "major"}


def write_gitlab(run: Run) -> str:
    """A list of all that was found, each with a fingerprint of its own."""
    found = [
        {
            "description": shown_text(finding.message),
            "check_name": shown(finding.rule),
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": shown(run.path(finding.place.file)),
                "lines": {"begin": max(finding.place.line, 1)},
            },
            **({"content": {"body": shown_text(finding.hint)}} if finding.hint else {}),
        }
        for finding, fingerprint, aside in run.told()
        if aside is None
    ]
    return json.dumps(found, indent=2) + "\n"


GITLAB = Format("gitlab", "the code quality report of GitLab", write_gitlab)
