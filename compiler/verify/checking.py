"""Running rules on one module, in this process."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from dxir.errors import DxirError
from dxir.mlir import IrOperation
from dxir.reading import walk
from dxir.verify.finding import Finding
from dxir.verify.report import Report
from dxir.verify.rule import Rule
from dxir.verify.settings import Settings
from dxir.verify.subject import Subject
from dxir.verify.suppressions import UNUSED, Allowed

Watch = Callable[[str], None]
"""What is told the id of each rule before it looks at anything."""


class RuleFailed(DxirError):
    """A rule ended in an exception: the rule is wrong, whatever the module."""

    def __init__(self, id: str, error: Exception) -> None:
        super().__init__(
            f"the rule {id} ended in {type(error).__name__}: {error}{_at(error)}",
            hint=f"this is a mistake in the rule; ignore {id} until it is put right",
        )
        self.id = id


def _at(error: Exception) -> str:
    """The innermost place that an exception came through."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def check(
    subject: Subject,
    settings: Settings | None = None,
    *,
    without: Collection[str] = (),
    watch: Watch | None = None,
) -> Report:
    """What the rules find in a module, in the order of its lines.

    `without` has the ids of rules that do not run whatever the settings say. RuleFailed when a rule
    does not come to an end as it should.
    """
    settings = settings or Settings()
    rules = [rule for rule in settings.rules() if rule.id not in without]
    allowed = Allowed(subject.source, subject)
    findings: list[Finding] = []
    set_aside: list[Finding] = []

    def sort(finding: Finding) -> None:
        kept = set_aside if allowed.allows(finding) else findings
        kept.append(replace(finding, severity=settings.severity_of(finding), at=None))

    for finding in found_by(rules, subject, watch):
        sort(finding)
    for finding in in_vain(rules, allowed, subject):
        sort(finding)
    facts = facts_of(rules, subject, watch)
    return Report(subject.source.name, in_order(findings), in_order(set_aside), facts)


def found_by(rules: Iterable[Rule], subject: Subject, watch: Watch | None = None) -> list[Finding]:
    """What rules find, with the ops it was found at."""
    rules = tuple(rules)
    watch = watch or _nobody
    found: list[Finding] = []
    every: list[Rule] = [rule for rule in rules if rule.ops == ("*",)]
    by_name: dict[str, list[Rule]] = {}
    for rule in rules:
        for name in rule.ops:
            if name != "*":
                by_name.setdefault(name, []).append(rule)

    def look(op: IrOperation) -> None:
        for rule in (*by_name.get(op.name, ()), *every):
            watch(rule.id)
            try:
                _take(rule.visit(op, subject), found)
            except Exception as error:
                raise _failed(rule, error) from error

    if every or by_name:
        walk(subject.module, look)
    for rule in rules:
        watch(rule.id)
        try:
            _take(rule.check(subject), found)
        except Exception as error:
            raise _failed(rule, error) from error
    return found


def _take(given: Iterable[Finding], found: list[Finding]) -> None:
    for each in given:
        if not isinstance(each, Finding):
            raise TypeError(f"it found {each!r}, which is no Finding")
        found.append(each)


def in_vain(rules: Collection[Rule], allowed: Allowed, subject: Subject) -> list[Finding]:
    """The findings of the rule that tells of allowances of nothing, should it run."""
    ids = [rule.id for rule in rules]
    told_by = [rule for rule in rules if rule.id == UNUSED]
    return [
        rule.found(
            vain.message,
            vain.allowance.op or vain.allowance.place,
            subject,
            hint=vain.hint,
            severity=vain.severity,
        )
        for rule in told_by
        for vain in allowed.in_vain(ids)
    ]


def facts_of(rules: Iterable[Rule], subject: Subject, watch: Watch | None = None) -> dict[str, Any]:
    """What rules know of a module that is no finding."""
    found: dict[str, Any] = {}
    for rule in rules:
        (watch or _nobody)(rule.id)
        try:
            found.update(rule.facts(subject))
        except Exception as error:
            raise _failed(rule, error) from error
    return found


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their lines."""
    return tuple(
        sorted(findings, key=lambda f: (f.place.file, f.place.line, f.place.column, f.rule))
    )


def _failed(rule: Rule, error: Exception) -> Exception:
    return error if isinstance(error, MemoryError) else RuleFailed(rule.id, error)


def _nobody(_id: str) -> None:
    pass
