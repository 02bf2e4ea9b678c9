"""All rules of recognition there are: dxir's own, and those of other packages."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from types import ModuleType

from dxir.errors import DxirError, PassError
from dxir.operations import DIALECTS, near_operations, operations
from dxir.pattern.forms import Elementwise
from dxir.pattern.rule import Rule

ENTRY_POINTS = "dxir.patterns"
"""The entry-point group in which other packages name modules that have `RULES`."""

BROKEN: dict[str, PassError] = {}
"""The entry points that give no patterns, found when these were asked for."""

_registered: dict[str, list[Rule]] = {}


def register_rule(rule: Rule) -> Rule:
    """Have `dxir-recognize` look for a rule, beside others of its name if they are of its package.

    Raises PassError for a name that a pattern of another package has, and for ops that no dialect
    has.
    """
    foreign = _foreign_modules() if _foreign_modules.cache_info().currsize else ()
    _check(rule, foreign)
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

    Raises PassError for a name that no pattern has, with the nearest, and for the name of an entry
    point that is broken.
    """
    known = all_rules()
    for name in (*names, *without):
        if name not in known:
            raise _unknown(name, known)
    wanted = names or known
    return [
        rule for n, rules in known.items() if n in wanted and n not in without for rule in rules
    ]


def _unknown(name: str, known: Iterable[str]) -> PassError:
    if name in BROKEN:
        return BROKEN[name]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`dxir patterns` lists them all"
    if BROKEN:
        hint += f"; there may be one in what is broken: {'; '.join(map(_said, BROKEN.values()))}"
    return PassError(f"there is no pattern {name!r}", hint=hint)


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

    BROKEN.clear()
    found: list[ModuleType] = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda e: e.name):
        try:
            module = entry.load()
            for rule in module.RULES:
                _check(rule, found)
            found.append(module)
        except Exception as error:  # noqa: BLE001  whatever a package of others does
            hint = f"the package that declares them in {ENTRY_POINTS} is broken: reinstall it"
            broken = PassError(
                f"the patterns {entry.name} of {entry.value} cannot be had: {_said(error)}",
                hint=(isinstance(error, DxirError) and error.hint) or hint,
            )
            broken.__cause__ = error
            BROKEN[entry.name] = broken
    return tuple(found)


def _said(error: Exception) -> str:
    return error.message if isinstance(error, DxirError) else f"{type(error).__name__}: {error}"


def _check(rule: object, foreign: Iterable[ModuleType]) -> None:
    """Refuse what is no rule, one by the name of another package, and ops that there are not."""
    if not isinstance(rule, Rule):
        raise PassError(f"{rule!r} is no Rule", hint="RULES and `register_rule` take rules alone")
    _check_name(rule, foreign)
    for part in rule.parts():
        if isinstance(part, Elementwise):
            for name in sorted(part.names):
                _check_op(rule, name)


def _check_name(rule: Rule, foreign: Iterable[ModuleType]) -> None:
    own = [one for module in _own_modules() for one in _rules_in(module)]
    others = [one for module in foreign for one in _rules_in(module)]
    others += _registered.get(rule.name, ())
    taken = {one.composite for one in own if one.name == rule.name}
    # Several composites of one pattern are fine where one package gives them all.
    package = rule.composite.partition(".")[0]
    strange = {
        one.composite
        for one in others
        if one.name == rule.name and one.composite.partition(".")[0] != package
    }
    known = sorted(strange | taken if rule.composite not in taken else strange)
    if known:
        raise PassError(
            f"the rule {rule.name} makes {rule.composite}, and a pattern of that name makes "
            f"{' or '.join(known)}",
            hint="give the rule another name: patterns are chosen by it",
        )


def _check_op(rule: Rule, name: str) -> None:
    dialect, _, word = name.rpartition(".")
    if name in operations() or (dialect and not _is_known(dialect)):
        return
    near = near_operations(name)
    raise PassError(
        f"the rule {rule.name} looks for {name!r}, and there is no such op",
        hint=f"did you mean {' or '.join(near)}?"
        if near
        else f"an op is called as in the text of a program: stablehlo.{word}, not {word}"
        if not dialect
        else f"{dialect} has no op that is spelled alike",
    )


def _is_known(dialect: str) -> bool:
    """Whether it is a dialect all of whose ops are known, or one of them misspelt."""
    return bool(difflib.get_close_matches(dialect, DIALECTS, n=1, cutoff=0.75))
