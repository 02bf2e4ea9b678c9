"""Which rules run, with which options, how bad what they find is, and what fails a run."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from dxir.errors import ConfigurationError
from dxir.verify.finding import SEVERITIES, Finding, Severity, is_at_least
from dxir.verify.globs import Glob, matches_any

if TYPE_CHECKING:
    from dxir.verify.rule import Rule


@dataclass(frozen=True)
class Settings:
    """What the checks of a module are to be.

    Rules are named by id or by a pattern of ids, such as `numerics-*`. Those that are on by default
    run, and those in `select`, but for those in `ignore`; where both name a rule, the longer
    pattern holds. With `only`, no others than those in there run. `severities` says how bad
    findings of a rule are, whatever the rule says; `options` gives rules their options, by id. A
    run fails that finds something as bad as `fail_on`. `imports` are modules that declare rules.
    `overrides` are for some files; `for_file` has what holds for one.
    """

    only: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    fail_on: Severity = "warning"
    imports: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()

    def __post_init__(self) -> None:
        for name in ("only", "select", "ignore", "imports"):
            given: Any = getattr(self, name)
            if isinstance(given, str):
                raise ConfigurationError(
                    f"{name} is {given!r}, and is to be several", hint=f"write ({given!r},)"
                )
        for severity in (self.fail_on, *self.severities.values()):
            if severity not in SEVERITIES:
                raise ConfigurationError(
                    f"there is no severity {severity!r}", hint=f"one of {', '.join(SEVERITIES)}"
                )

    def rules(self) -> tuple[Rule, ...]:
        """The rules that run, with their options.

        ConfigurationError for an id or a pattern that names none, and for options no rule has.
        """
        from dxir.verify.rule import all_rules, import_rules

        import_rules(self.imports)
        known = all_rules()
        for each in (*self.only, *self.select, *self.ignore, *self.severities):
            if not any(fnmatchcase(id, each) for id in known):
                raise unknown_rule(each, known, patterns=True)
        for id in self.options:
            if id not in known:
                raise unknown_rule(id, known)
        return tuple(
            [
                cls.configured(self.options.get(id, {}))
                for id, cls in known.items()
                if self.runs(id, enabled=cls.enabled)
            ]
        )

    def runs(self, id: str, *, enabled: bool) -> bool:
        """Whether the rule of an id runs that is `enabled` by default, or not."""
        named = max(map(len, _fitting(id, self.only or self.select)), default=0)
        refused = max(map(len, _fitting(id, self.ignore)), default=0)
        if named or refused:
            return named > refused
        return enabled and not self.only

    def severity_of(self, finding: Finding) -> Severity:
        """How bad a finding is: what was said of its rule, the most exact pattern first."""
        return self.severity_for(finding.rule, finding.severity)

    def severity_for(self, id: str, severity: Severity) -> Severity:
        """How bad the findings of a rule are that are of a severity unless told otherwise."""
        found = _fitting(id, self.severities)
        return self.severities[max(found, key=len)] if found else severity

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Whether a run with these findings fails."""
        return any(is_at_least(f.severity, self.fail_on) for f in findings)

    def for_file(self, name: str) -> Settings:
        """The settings for a file, which have no overrides."""
        found = self
        for override in self.overrides:
            if matches_any(name, override.files):
                found = found.updated(override.settings)
        return replace(found, overrides=()) if found.overrides else found

    def updated(self, by: Settings) -> Settings:
        """These settings, with others on top; what these ignore, the others may select again.

        `fail_on` and `overrides` stay.
        """
        named = (*by.only, *by.select)
        # What was named before as exactly as it is ignored now is ignored.
        dropped = [each for each in (*self.only, *self.select) if _fitting(each, by.ignore)]
        return replace(
            self,
            only=by.only or ((*self.only, *by.select) if self.only else ()),
            select=(*self.select, *by.select),
            ignore=(*_without(self.ignore, named), *by.ignore, *dropped),
            imports=tuple(dict.fromkeys((*self.imports, *by.imports))),
            severities={**self.severities, **by.severities},
            options={
                id: {**self.options.get(id, {}), **by.options.get(id, {})}
                for id in {**self.options, **by.options}
            },
        )

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values, as JSON has them, but for the overrides."""
        return {
            "only": list(self.only),
            "select": list(self.select),
            "ignore": list(self.ignore),
            "severities": dict(self.severities),
            "options": {id: dict(given) for id, given in self.options.items()},
            "fail_on": self.fail_on,
            "imports": list(self.imports),
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Settings:
        """The settings of what `as_dict` made."""
        return cls(
            only=tuple(found["only"]),
            select=tuple(found["select"]),
            ignore=tuple(found["ignore"]),
            severities=found["severities"],
            options=found["options"],
            fail_on=found["fail_on"],
            imports=tuple(found["imports"]),
        )


@dataclass(frozen=True)
class Override:
    """Other settings for the files that fit one of some patterns."""

    files: tuple[Glob, ...]
    settings: Settings


def unknown_rule(
    name: str, known: Collection[str], *, patterns: bool = False
) -> ConfigurationError:
    """The error of an id that names no rule, or of a pattern of ids, where there may be one."""
    near = difflib.get_close_matches(name, list(known), n=2)
    family, _, rest = name.partition("-")
    if rest in ("", "*"):  # a family was meant: numerics, numeric-*
        families = dict.fromkeys(id.partition("-")[0] for id in known)
        meant = difflib.get_close_matches(family, families, n=1)
        near = [f"{each}-*" for each in meant] if patterns else []
    hint = f"did you mean {' or '.join(near)}?" if near else "dxir-verify --list-rules has them all"
    return ConfigurationError(f"there is no rule {name!r}", hint=hint)


def _fitting(id: str, patterns: Iterable[str]) -> list[str]:
    return [pattern for pattern in patterns if fnmatchcase(id, pattern)]


def _without(patterns: Iterable[str], above: Iterable[str]) -> tuple[str, ...]:
    """The patterns, but for those that fit one of the patterns above."""
    above = tuple(above)
    return tuple([each for each in patterns if not _fitting(each, above)])
