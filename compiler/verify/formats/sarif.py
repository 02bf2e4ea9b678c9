"""What was found as SARIF 2.1.0, which code scanning of GitHub and editors read."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dxir.errors import DxirError
from dxir.verify.finding import Finding, Place, Severity
from dxir.verify.formats.format import Format
from dxir.verify.formats.lines import columns_of
from dxir.verify.formats.run import Run, Told, tool_version
from dxir.verify.formats.shown import encoded, shown, shown_text

if TYPE_CHECKING:
    from dxir.verify.rule import Rule

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
"""The name that GitHub and others know the folder of the repository by."""

_FINGERPRINT = "dxirFinding/v1"
_EXITS = {0: "nothing failed the run", 1: "findings failed the run", 2: "not all was checked"}

Json = dict[str, Any]


def write_sarif(run: Run) -> str:
    """One run, with the rules that found something, and every finding; allowed ones suppressed."""
    told = list(run.told())
    levels: dict[str, Severity] = {}
    for each in told:
        levels.setdefault(each.finding.rule, each.finding.severity)
    index = {rule: number for number, rule in enumerate(levels)}
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(levels)},
                "invocations": [_invocation(run)],
                "originalUriBaseIds": {_ROOT: {"uri": run.root.as_uri().rstrip("/") + "/"}},
                "artifacts": [
                    {"location": _artifact(name, run), "roles": ["analysisTarget"]}
                    for name in dict.fromkeys(report.name for report in run.reports)
                ],
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, index[each.finding.rule], run) for each in told],
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _driver(levels: Mapping[str, Severity]) -> Json:
    version, page = tool_version(), _pages("dxir").get("homepage")
    return {
        "name": "dxir-verify",
        **({"version": version} if version else {}),
        **({"informationUri": page} if page else {}),
        "rules": [_rule(id, severity) for id, severity in levels.items()],
    }


def _message(text: str) -> Json:
    """A message whose braces and brackets mean themselves: SARIF has its own use for them."""
    plain = shown_text(text).replace("{", "{{").replace("}", "}}")
    return {"text": plain.replace("](", "] (")}


def _rule(id: str, severity: Severity) -> Json:
    from dxir.verify.pages import rule_page
    from dxir.verify.rule import find_rule

    rule = find_rule(id)
    if rule is None:
        about = {"text": f"A rule of another package, {shown(id)}."}
        return {
            "id": shown(id),
            "shortDescription": about,
            "fullDescription": about,
            "help": about,
            "defaultConfiguration": {"level": severity},
        }
    doc = _paragraphs(inspect.getdoc(rule) or "")
    page = _page(rule)
    return {
        "id": id,
        "name": rule.__name__,
        "shortDescription": {"text": rule.summary()},
        "fullDescription": {"text": doc},
        **({"helpUri": page} if page else {}),
        "help": {
            "text": f"{doc}\n\nWhat to do: {rule.remedy}.\ndxir-verify --explain {id} says more.",
            "markdown": rule_page(rule),
        },
        "defaultConfiguration": {"level": rule.severity, "enabled": rule.enabled},
        "properties": {"tags": [rule.family]},
    }


def _page(rule: type[Rule]) -> str | None:
    """Where the page of a rule is published, if its package says where its documentation is."""
    pages = _pages(rule.__module__.partition(".")[0]).get("documentation")
    return f"{pages.rstrip('/')}/rules/{rule.id}/" if pages else None


def _pages(package: str) -> dict[str, str]:
    """The addresses that a package gives, by what is there."""
    try:
        given = metadata(package).get_all("Project-URL") or []
    except PackageNotFoundError:
        return {}
    parts = (entry.partition(",") for entry in given)
    return {label.strip().lower(): url.strip() for label, _, url in parts}


def _paragraphs(doc: str) -> str:
    """A docstring with a line for each paragraph: viewers break lines themselves."""
    return re.sub(r"(?<=[^\s|])\n(?=[A-Za-z0-9`(])", " ", doc)


def _invocation(run: Run) -> Json:
    return {
        "executionSuccessful": not run.errors,
        "exitCode": run.exit_code,
        "exitCodeDescription": _EXITS[run.exit_code],
        "toolExecutionNotifications": [_notification(error, run) for error in run.errors],
    }


def _notification(error: DxirError, run: Run) -> Json:
    hint = f"\n{error.hint}" if error.hint else ""
    place = None if error.where is None else Place.of(error.where, error.where)
    locations = [] if place is None else [{"physicalLocation": _physical(place, run)}]
    return {"level": "error", "message": _message(error.message + hint), "locations": locations}


def _artifact(name: str, run: Run) -> Json:
    path = run.path(name)
    if not os.path.isabs(path):
        return {"uri": quote(encoded(path)), "uriBaseId": _ROOT}
    return {"uri": f"file:///{quote(encoded(Path(path).as_posix().lstrip('/')))}"}


def _physical(place: Place, run: Run) -> Json:
    found: Json = {"artifactLocation": _artifact(place.file, run)}
    line = run.lines.at(place)
    region: Json = {"startLine": max(place.line, 1)}  # GitHub shows nothing that has no line
    if place.line and place.column:
        start, end = (place.column, None) if line is None else columns_of(line, place.column)
        region["startColumn"] = start
        if end is not None:
            region["endColumn"] = end
    return {**found, "region": region}


def _result(told: Told, rule: int, run: Run) -> Json:
    finding = told.finding
    hint = f"\n{finding.hint}" if finding.hint else ""
    location: Json = {"physicalLocation": _physical(finding.place, run)}
    if finding.function is not None:
        location["logicalLocations"] = [{"name": shown_text(finding.function), "kind": "function"}]
    result: Json = {
        "ruleId": shown(finding.rule),
        "ruleIndex": rule,
        "level": finding.severity,
        "message": _message(finding.message + hint),
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: told.fingerprint},
        "properties": _properties(finding),
    }
    related = _related(finding, run)
    if related:
        result["relatedLocations"] = related
    if told.aside is not None:
        kind = "inSource" if told.aside == "allowed" else "external"
        result["suppressions"] = [{"kind": kind, "status": "accepted"}]
    return result


def _properties(finding: Finding) -> Mapping[str, Any]:
    found = finding.as_dict()
    kept = {"op": finding.op, "numbers": found["numbers"], "fixable": finding.fixable}
    return {name: value for name, value in kept.items() if value}


def _related(finding: Finding, run: Run) -> list[Json]:
    places = [(each.message, each.place) for each in finding.related]
    if finding.origin is not None:
        places.append((f"made at {finding.origin}", finding.origin))
    found: list[Json] = []
    for number, (message, place) in enumerate(places):
        location: Json = {"id": number, "message": _message(message)}
        if place is not None and _is_there(place, run):
            location["physicalLocation"] = _physical(place, run)
        found.append(location)
    return found


def _is_there(place: Place, run: Run) -> bool:
    """Whether a viewer can find the place: that of an op may be in a file of another machine."""
    return place.file in run.names or run.lines.at(place) is not None


SARIF = Format("sarif", "SARIF 2.1.0, for code scanning and editors", write_sarif)
