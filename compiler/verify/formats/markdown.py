"""What was found as Markdown: for the summary of a job, or a comment on a change."""

from __future__ import annotations

import html
import os
import re
from collections import Counter, defaultdict
from urllib.parse import quote

from dxir.chunks import STDIN
from dxir.verify.finding import Finding, Place, Severity
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import WORST_FIRST, Run
from dxir.verify.formats.shown import encoded, shown
from dxir.verify.report import Report
from dxir.wording import counted

LIMIT = 60_000
"""How many characters there are at most: a comment on GitHub has 65,536, and some are for others"""

_RULES = 50
_MESSAGE = 500
_SPECIAL = re.compile(r"[^\w\s,.;:%()'/=+-]|_|:(?=\S)|(?<=www)\.")
_CODE = re.compile(r"`([^`]+)`|(?<![\w/])((?:[@#]|GH-|gh-)[\w.$-]+)")
_MARKS: dict[Severity, str] = {"error": "❌", "warning": "⚠️", "note": "ℹ️"}


def write_markdown(run: Run) -> str:
    """How many findings there are of each rule, and those of each file, folded, as many as fit."""
    parts = [f"### dxir-verify\n\n{_verdict(run)}\n"]
    parts += [f"- {_MARKS['error']} {_plain(str(error))}\n" for error in run.errors[:_RULES]]
    if run.findings:
        parts.append(_by_rule(run))
    left = LIMIT - sum(map(len, parts)) - 200
    shown_files = 0
    found = [report for report in run.reports if report.findings]
    for report in sorted(found, key=lambda each: not any(map(run.fails_by, each.findings))):
        part = _of_file(report, run, left)
        if len(part) > left:
            break
        parts.append(part)
        left -= len(part)
        shown_files += 1
    if shown_files < len(found):
        parts.append(f"\nThere is no room for {counted(len(found) - shown_files, 'more file')}.\n")
    return "\n".join(parts) + "\n"


def _verdict(run: Run) -> str:
    fails = run.settings.fails(run.findings)
    mark = _MARKS["error"] if fails or run.errors else "✅"
    return f"{mark} {_plain(run.summary())}."


def _by_rule(run: Run) -> str:
    rules: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in run.findings:
        rules[finding.rule].append(finding)
    worst = {rule: min(WORST_FIRST.index(each.severity) for each in rules[rule]) for rule in rules}
    rows = ["| rule | findings | files |", "| --- | ---: | ---: |"]
    ordered = sorted(rules, key=lambda rule: (worst[rule], -len(rules[rule]), rule))
    for rule in ordered[:_RULES]:
        files = len({each.place.file for each in rules[rule]})
        mark = _MARKS[WORST_FIRST[worst[rule]]]
        rows.append(f"| {mark} {_code(rule)} | {len(rules[rule]):,} | {files:,} |")
    if len(ordered) > _RULES:
        rows.append(f"| and {counted(len(ordered) - _RULES, 'more rule')} | | |")
    return "\n".join(rows) + "\n"


def _of_file(report: Report, run: Run, left: int) -> str:
    """The findings of a file, of which those that do not fit are counted."""
    counts = Counter(each.severity for each in report.findings)
    told = ", ".join(counted(counts[each], each) for each in WORST_FIRST if counts[each])
    start = f"<details><summary>{_code(run.path(report.name))}: {told}</summary>\n\n"
    rows = ["| line | rule | what was found |\n| ---: | --- | --- |"]
    room = left - len(start) - len(rows[0]) - 100
    for number, finding in enumerate(report.findings):
        row = _row(finding, run)
        if room < len(row) + 1:
            rows.append(f"| | | and {counted(len(report.findings) - number, 'more finding')} |")
            break
        rows.append(row)
        room -= len(row) + 1
    return start + "\n".join(rows) + "\n\n</details>\n"


def _row(finding: Finding, run: Run) -> str:
    text = finding.message + (f"\n{finding.hint}" if finding.hint else "")
    if len(text) > _MESSAGE:
        text = text[:_MESSAGE] + "..."
    told = "<br>".join(map(_plain, text.split("\n")))
    mark = _MARKS[finding.severity]
    return f"| {_line(finding.place, run)} | {mark} {_code(finding.rule)} | {told} |"


def _line(place: Place, run: Run) -> str:
    """The number of the line, with a link to it where a CI service says what it shows."""
    if not place.line:
        return ""
    base = _blob()
    path = run.path(place.file)
    if base is None or place.file == STDIN or os.path.isabs(path):
        return str(place.line)
    return f'<a href="{base}/{html.escape(quote(encoded(path)))}#L{place.line}">{place.line}</a>'


def _blob() -> str | None:
    env = os.environ
    github = [env.get(f"GITHUB_{each}") for each in ("SERVER_URL", "REPOSITORY", "SHA")]
    if all(github):
        return html.escape(f"{github[0]}/{github[1]}/blob/{github[2]}")
    if env.get("CI_PROJECT_URL") and env.get("CI_COMMIT_SHA"):
        return html.escape(f"{env['CI_PROJECT_URL']}/-/blob/{env['CI_COMMIT_SHA']}")
    return None


def _plain(text: str) -> str:
    """Text that means itself in Markdown, but for `code`: no links, nobody is mentioned.

    GitHub takes `@main` for a user and `#1` for an issue, but not where they are code.
    """
    parts: list[str] = []
    end = 0
    text = shown(text.replace("\t", " "))
    for match in _CODE.finditer(text):
        parts += [_escaped(text[end : match.start()]), _code(match[1] or match[2])]
        end = match.end()
    return "".join([*parts, _escaped(text[end:])])


def _code(text: str) -> str:
    return f"<code>{_escaped(shown(text))}</code>"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text)


MARKDOWN = Format("markdown", "a summary for a comment or the page of a job", write_markdown)
