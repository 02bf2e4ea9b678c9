"""What was found as JUnit's XML, which Jenkins, GitLab and others show as tests.

A suite is a family of rules, and a test of it one file: viewers list the suites first, then the
tests of each that failed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from dxir.errors import ConfigurationError, DxirError
from dxir.verify.finding import Finding
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import Run
from dxir.verify.formats.shown import shown, shown_text
from dxir.verify.formats.text import told
from dxir.verify.ids import FAMILIES, UNREADABLE
from dxir.verify.report import Report
from dxir.wording import counted

_NAME = "dxir-verify"


def write_junit(run: Run) -> str:
    """A suite for each family of rules that ran, and in it a test for each file."""
    suites = [_suite(family, run) for family in _families(run)]
    if run.errors:
        suites.append(_counted(f"{_NAME}.run", [_error(error) for error in run.errors]))
    root = ElementTree.Element("testsuites", name=_NAME)
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in suites)))
    root.set("time", "0")
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _families(run: Run) -> list[str]:
    """The families of the rules that ran, and of those that found something, in their order."""
    found = [_family(finding) for finding in run.findings]
    with contextlib.suppress(ConfigurationError):  # the run told it: nothing was checked
        found += [rule.family for rule in run.settings.rules()]
    known = dict.fromkeys(found)
    return sorted(known, key=lambda each: FAMILIES.index(each) if each in FAMILIES else 99)


def _family(finding: Finding) -> str:
    return finding.rule.partition("-")[0]


def _suite(family: str, run: Run) -> ElementTree.Element:
    name = f"{_NAME}.{shown(family)}"
    return _counted(name, [_case(name, family, report, run) for report in run.reports])


def _counted(name: str, cases: Sequence[ElementTree.Element]) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=name, tests=str(len(cases)))
    for what, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(what, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", "0")
    suite.extend(cases)
    return suite


def _case(name: str, family: str, report: Report, run: Run) -> ElementTree.Element:
    path = shown(run.path(report.name))
    case = ElementTree.Element("testcase", classname=name, name=path, file=path, time="0")
    found = [each for each in report.findings if _family(each) == family]
    failing = [each for each in found if run.fails_by(each)]
    if failing:
        failure = ElementTree.SubElement(case, "failure", type=shown(failing[0].rule))
        failure.set("message", _first(failing))
        failure.text = _told(failing, run)
    elif not found and any(each.rule in UNREADABLE for each in report.findings):
        ElementTree.SubElement(case, "skipped", message="there is no module that could be checked")
    others = [each for each in found if each not in failing]
    if others:
        ElementTree.SubElement(case, "system-out").text = _told(others, run)
    return case


def _first(findings: Sequence[Finding]) -> str:
    first = shown(findings[0].message.partition("\n")[0])
    return first if len(findings) == 1 else f"{counted(len(findings), 'finding')}: {first}"


def _told(findings: Iterable[Finding], run: Run) -> str:
    return "\n\n".join(told(each, run) for each in findings)


def _error(error: DxirError) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=f"{_NAME}.run", name=shown(str(error.where)))
    case.set("time", "0")
    element = ElementTree.SubElement(case, "error", type=type(error).__name__)
    element.set("message", shown(error.message))
    element.text = shown_text(str(error))
    return case


JUNIT = Format("junit", "JUnit's XML, for Jenkins and others that show tests", write_junit)
