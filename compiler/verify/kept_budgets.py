"""How a rule comes to the budget of the module it looks at."""

from __future__ import annotations

from pathlib import Path

from dxir.errors import ConfigurationError
from dxir.verify.budgets import Budget, Budgets, budgets_for, shown
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


def budget_for(
    rule: Rule, budgets: str, subject: Subject
) -> tuple[Budgets, Budget | None] | Finding | None:
    """The file of budgets that holds for a module, and the module's; None where there is no file.

    A file that cannot be read is a finding.
    """
    try:
        found = budgets_for(subject.source.name, budgets)
    except ConfigurationError as error:
        place = Place(shown(Path(error.where or subject.source.name)))
        return rule.found(error.message, place, subject, hint=error.hint)
    return None if found is None else (found, found.of(subject.source.name))
