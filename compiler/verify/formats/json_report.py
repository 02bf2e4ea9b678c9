"""What was found, for programs: JSON of a versioned schema."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from dxir.errors import SchemaError
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import WORST_FIRST, Run, tool_version
from dxir.verify.report import Report

FORMAT = "dxir-verify"

VERSION = 1
"""The version of the schema: it grows when what was there changes, not when there is more."""


def write_json(run: Run) -> str:
    """One object: what was found in each file, and how many findings there are."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "dxir": tool_version(),
        "fail_on": run.settings.fail_on,
        "exit_code": run.exit_code,
        "summary": {
            "files": len(run.reports),
            **{f"{each}s": run.counts[each] for each in WORST_FIRST},
            "allowed": run.allowed,
            "known": run.known,
            "fixable": run.fixable,
        },
        "errors": [
            {"message": each.message, "where": each.where, "hint": each.hint} for each in run.errors
        ],
        "reports": [report.as_dict() for report in run.reports],
    }
    return json.dumps(_plain(document), indent=2) + "\n"


def reports_of(text: str | bytes) -> tuple[Report, ...]:
    """The reports of a document that `write("json", ...)` made; SchemaError for any other."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"the report is not JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SchemaError(
            "this is not a report of dxir-verify", hint="dxir-verify --format=json writes one"
        )
    if document.get("version") != VERSION:
        raise SchemaError(
            f"the report has version {document.get('version')!r}, and this dxir reads {VERSION}",
            hint="write it again with this version of dxir",
        )
    reports = document.get("reports")
    if not isinstance(reports, list):
        raise SchemaError("the report has no list of reports")
    return tuple([Report.from_dict(each) for each in reports])


def _plain(value: Any) -> Any:
    """The value in what JSON has: facts may hold tuples, NumPy's numbers and infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    return str(value)


JSON = Format("json", "for programs: everything, in a versioned schema", write_json)
