"""All rules of recognition there are: dxir's own, and those of other packages."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Sequence

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
    for rule in (*_own_rules(), *_foreign_rules()):
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
                else f"there are {', '.join(known)}",
            )
    wanted = names or known
    return [
        rule for n, rules in known.items() if n in wanted and n not in without for rule in rules
    ]


@functools.cache
def _own_rules() -> tuple[Rule, ...]:
    package = importlib.import_module("dxir.passes.patterns")
    found: list[Rule] = []
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        found += getattr(
            importlib.import_module(f"dxir.passes.patterns.{module.name}"), "RULES", ()
        )
    return tuple(found)


@functools.cache
def _foreign_rules() -> tuple[Rule, ...]:
    from importlib.metadata import entry_points

    found: list[Rule] = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda e: e.name):
        try:
            rules: Iterable[Rule] = entry.load().RULES
            found += list(rules)
        except Exception as error:
            raise PassError(
                f"the patterns {entry.name} of {entry.value} cannot be imported: "
                f"{type(error).__name__}: {error}",
                hint=f"the package that declares them in {ENTRY_POINTS} is broken: reinstall it",
            ) from error
    return tuple(found)
