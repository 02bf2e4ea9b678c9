"""What was found as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable

from dxir.chunks import STDIN
from dxir.verify.finding import Finding, Severity
from dxir.verify.formats.format import Format
from dxir.verify.formats.lines import columns_of
from dxir.verify.formats.markdown import write_markdown
from dxir.verify.formats.run import WORST_FIRST, Run
from dxir.verify.formats.shown import shown, shown_text
from dxir.verify.formats.text import write_text

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}

_SHOWN = 10
"""How many annotations of a kind GitHub shows for one step; it drops those after."""

_LONGEST = 4000

_OF_DATA = "%\r\n"
_OF_PROPERTIES = "%\r\n:,"

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file whose Markdown GitHub shows on the page of a run."""


def write_github(run: Run) -> str:
    """Annotations, then everything as text in the log; the summary of the job, if there is one.

    The log is text of modules that anyone may have written: while it is printed, GitHub obeys no
    commands until it reads a word that nobody can guess.
    """
    commands = [command for severity in WORST_FIRST for command in _annotations(severity, run)]
    path = os.environ.get(SUMMARY)
    if path:
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write(write_markdown(run))
        except OSError as error:
            reason = f"the summary of the job cannot be written: {error.strerror or error}"
            commands.append(_command("warning", reason, {"title": "dxir-verify"}))
    word = secrets.token_hex(16)
    log = [f"::stop-commands::{word}", write_text(run).rstrip("\n"), f"::{word}::"]
    return "\n".join([*commands, "::group::dxir-verify", *log, "::endgroup::"]) + "\n"


def _annotations(severity: Severity, run: Run) -> Iterable[str]:
    found = [each for each in run.findings if each.severity == severity]
    for finding in found[:_SHOWN]:
        yield _command(_COMMANDS[severity], _told(finding), _properties(finding, run))
    if severity == "error":
        for error in run.errors:
            yield _command("error", str(error), {"title": "dxir-verify"})


def _told(finding: Finding) -> str:
    return f"{finding.message}\n{finding.hint}" if finding.hint else finding.message


def _properties(finding: Finding, run: Run) -> dict[str, str]:
    place = finding.place
    properties = {"title": f"dxir-verify: {shown(finding.rule)}"}
    if place.file == STDIN:
        return properties
    properties["file"] = shown(run.path(place.file))
    if place.line:
        properties["line"] = str(place.line)
        line = run.lines.at(place)
        if place.column and line is not None:
            start, end = columns_of(line, place.column)
            properties |= {"col": str(start), "endColumn": str(end)}
    return properties


def _command(name: str, message: str, properties: dict[str, str]) -> str:
    given = ",".join(
        f"{key}={_escaped(value, _OF_PROPERTIES)}" for key, value in properties.items()
    )
    text = shown_text(message)
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "..."
    return f"::{name} {given}::{_escaped(text, _OF_DATA)}"


def _escaped(text: str, special: str) -> str:
    return re.sub(f"[{special}]", lambda match: f"%{ord(match[0]):02X}", text)


GITHUB = Format("github", "annotations and the job summary of GitHub", write_github)
