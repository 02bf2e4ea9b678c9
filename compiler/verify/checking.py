"""Running rules on one module, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dxir.mlir import IrOperation
from dxir.reading import walk
from dxir.verify.finding import Finding
from dxir.verify.report import Report
from dxir.verify.rule import Rule
from dxir.verify.settings import Settings
from dxir.verify.subject import Subject
from dxir.verify.suppressions import Allowed

Visit = Callable[[IrOperation, Subject], Iterable[Finding]]


def check(subject: Subject, settings: Settings | None = None) -> Report:
    """What the rules find in a module, in the order of its lines."""
    settings = settings or Settings()
    allowed = Allowed(subject)
    findings: list[Finding] = []
    set_aside: list[Finding] = []
    for finding in found_by(settings.rules(), subject):
        kept = set_aside if allowed.allows(finding) else findings
        kept.append(replace(finding, severity=settings.severity_of(finding), at=None))
    return Report(subject.source.name, in_order(findings), in_order(set_aside))


def found_by(rules: Iterable[Rule], subject: Subject) -> Iterator[Finding]:
    """What rules find, while the ops it was found at are alive."""
    rules = tuple(rules)
    found: list[Finding] = []
    every: list[Visit] = [rule.visit for rule in rules if rule.ops == ("*",)]
    by_name: dict[str, list[Visit]] = {}
    for rule in rules:
        for name in rule.ops:
            if name != "*":
                by_name.setdefault(name, []).append(rule.visit)

    def look(op: IrOperation) -> None:
        for visit in (*by_name.get(op.name, ()), *every):
            found.extend(visit(op, subject))

    if every or by_name:
        walk(subject.module, look)
    yield from found
    for rule in rules:
        yield from rule.check(subject)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their lines."""
    return tuple(
        sorted(findings, key=lambda f: (f.place.file, f.place.line, f.place.column, f.rule))
    )
