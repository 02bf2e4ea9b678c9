"""All rules of recognition there are: dxir's own, and those of other packages."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from types import ModuleType

from dxir.errors import PassError
from dxir.pattern.rule import Rule

ENTRY_POINTS = "dxir.patterns"
"""The entry-point group in which other packages name modules that have `RULES`."""

_registered: dict[str, list[Rule]] = {}


def register_rule(rule: Rule) -> Rule:
    """Have `dxir-recognize` look for a rule, beside others of its name if there are."""
    _registered.setdefault(rule.name, []).append(rule)
    return rule


def all_rules() -> dict[str, list[Rule]]:
    """Every rule by the name of its pattern, sorted."""
    found: dict[str, list[Rule]] = {}
    for module in (*_own_modules(), *_foreign_modules()):
        for rule in _rules_in(module):
            found.setdefault(rule.name, []).append(rule)
    for name, rules in _registered.items():
        found.setdefault(name, []).extend(rules)
    return dict(sorted(found.items()))


def rules_of(names: Sequence[str], without: Sequence[str] = ()) -> list[Rule]:
    """The rules of these patterns, of all when none is named, without some.

    Raises PassError for a name that no pattern has, with the nearest.
    """
    known = all_rules()
    for name in (*names, *without):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            raise PassError(
                f"there is no pattern {name!r}",
                hint=f"did you mean {' or '.join(near)}?"
                if near
                else "`dxir patterns` lists them all",
            )
    wanted = names or known
    return [
        rule for n, rules in known.items() if n in wanted and n not in without for rule in rules
    ]


def module_of(rule: Rule) -> ModuleType | None:
    """The module that has a rule in its `RULES`; None for one registered in another way."""
    for module in (*_own_modules(), *_foreign_modules()):
        if any(one is rule for one in _rules_in(module)):
            return module
    return None


def _rules_in(module: ModuleType) -> Iterable[Rule]:
    return getattr(module, "RULES", ())


@functools.cache
def _own_modules() -> tuple[ModuleType, ...]:
    package = importlib.import_module("dxir.passes.patterns")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple([importlib.import_module(f"dxir.passes.patterns.{name}") for name in names])


@functools.cache
def _foreign_modules() -> tuple[ModuleType, ...]:
    from importlib.metadata import entry_points

    found: list[ModuleType] = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda e: e.name):
        try:
            module = entry.load()
            list(module.RULES)
            found.append(module)
        except Exception as error:
            raise PassError(
                f"the patterns {entry.name} of {entry.value} cannot be imported: "
                f"{type(error).__name__}: {error}",
                hint=f"the package that declares them in {ENTRY_POINTS} is broken: reinstall it",
            ) from error
    return tuple(found)
