"""Which rules run, with which options, how bad what they find is, and what fails a run."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from dxir.errors import ConfigurationError
from dxir.verify.finding import Finding, Severity, is_at_least
from dxir.verify.rule import Rule, all_rules


@dataclass(frozen=True)
class Settings:
    """What the checks of a module are to be.

    Rules are named by id or by a pattern of ids, such as `numerics-*`. Those that are on by default
    run, and those in `select`, but for those in `ignore`; with `only`, no others than those in
    there. `severities` says how bad findings of a rule are, whatever the rule says; `options` gives
    rules their options, by id. A run fails that finds something as bad as `fail_on`.
    """

    only: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    fail_on: Severity = "warning"

    def rules(self) -> tuple[Rule, ...]:
        """The rules that run, with their options.

        ConfigurationError for an id or a pattern that names none, and for options no rule has.
        """
        known = all_rules()
        named = (*self.only, *self.select, *self.ignore, *self.severities, *self.options)
        for each in named:
            if not any(fnmatchcase(id, each) for id in known):
                raise _unknown(each, known)
        return tuple(
            [
                cls.configured(self.options.get(id, {}))
                for id, cls in known.items()
                if self._runs(cls)
            ]
        )

    def _runs(self, cls: type[Rule]) -> bool:
        if _is_among(cls.id, self.ignore):
            return False
        if self.only:
            return _is_among(cls.id, self.only)
        return cls.enabled or _is_among(cls.id, self.select)

    def severity_of(self, finding: Finding) -> Severity:
        """How bad a finding is: what was said of its rule, the most exact pattern first."""
        found = [each for each in self.severities if fnmatchcase(finding.rule, each)]
        return self.severities[max(found, key=len)] if found else finding.severity

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Whether a run with these findings fails."""
        return any(is_at_least(f.severity, self.fail_on) for f in findings)


def _is_among(id: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(id, pattern) for pattern in patterns)


def _unknown(name: str, known: Mapping[str, type[Rule]]) -> ConfigurationError:
    near = difflib.get_close_matches(name, known, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else "dxir-verify --list-rules has them all"
    return ConfigurationError(f"there is no rule {name!r}", hint=hint)
