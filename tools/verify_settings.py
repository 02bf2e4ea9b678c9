"""The settings that dxir-verify goes by: those of its command line on top of those of a file."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dxir.errors import ConfigurationError
from dxir.tools.verify_arguments import VerifyArguments
from dxir.verify.configuration import Configuration, find_configuration, read_configuration
from dxir.verify.globs import Glob
from dxir.verify.ids import first_unknown
from dxir.verify.settings import Settings, unknown_rule

_BASELINE = "dxir-baseline.json"
_VERSIONS = ("portability-version", "versions")
_TARGETS = ("portability-target", "targets")
_RECORDER = "contract-op-budget"
_BUDGETED = (_RECORDER, "contract-cost-budget", "contract-signature")
_DEVICES = ("distribution-devices", "devices")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a run goes by.

    `baseline` has the known findings, `baseline_out` is where to write them, and `budgets_out` what
    modules have. `file` has the settings, if there is one.
    """

    settings: Settings
    exclude: tuple[Glob, ...]
    baseline: Path | None
    baseline_out: Path | None
    budgets_out: Path | None
    file: Path | None


def chosen_by(arguments: VerifyArguments) -> Chosen:
    """What a command line and the file of settings say; ConfigurationError for a mistake."""
    found = _configuration(arguments)
    given = _given(arguments, found.settings.imports)
    _refuse_unknown(given, found.settings.imports)
    settings = found.settings.updated(given)
    if arguments.fail_on is not None:
        settings = replace(settings, fail_on=arguments.fail_on)
    baseline = found.baseline if arguments.baseline is None else Path(arguments.baseline)
    out: Path | None = None
    if arguments.write_baseline is not None:
        out = Path(arguments.write_baseline)
        if arguments.write_baseline == "-":
            folder = Path() if found.path is None else found.path.parent
            out = folder / _BASELINE if baseline is None else baseline
    budgets_out = _budgets_out(arguments, settings)
    if budgets_out is not None:
        settings = _recording(settings)
    return Chosen(
        settings,
        (*found.exclude, *[Glob(pattern) for pattern in arguments.exclude]),
        baseline,
        out,
        budgets_out,
        found.path,
    )


def _refuse_unknown(given: Settings, imports: tuple[str, ...]) -> None:
    """ConfigurationError for what names no rule, whatever files there are."""
    named = (*given.only, *given.select, *given.ignore, *given.severities, *given.options)
    wrong = first_unknown(named, (*imports, *given.imports))
    if wrong is not None:
        raise unknown_rule(*wrong)


def _budgets_out(arguments: VerifyArguments, settings: Settings) -> Path | None:
    """Where budgets are written: in the file named, or else in the one that would be read."""
    if arguments.write_budgets is None or arguments.write_budgets != "-":
        return None if arguments.write_budgets is None else Path(arguments.write_budgets)
    from dxir.verify.budgets import FILE, candidates

    name = settings.options.get(_RECORDER, {}).get("budgets") or FILE
    places = candidates("module.mlir", name)
    return next((place for place in places if place.is_file()), Path(name))


def _recording(settings: Settings) -> Settings:
    """The settings with which reports tell what budgets are made from, and none is held to."""
    unheld: dict[str, dict[str, Any]] = {id: {"budgets": ""} for id in _BUDGETED}
    unheld[_RECORDER]["record"] = True
    return settings.updated(Settings(select=(_RECORDER,), options=unheld))


def _configuration(arguments: VerifyArguments) -> Configuration:
    if arguments.no_config:
        return Configuration()
    if arguments.config is not None:
        return read_configuration(arguments.config)
    return find_configuration()


def _given(arguments: VerifyArguments, imports: tuple[str, ...]) -> Settings:
    """What the command line says of rules; `imports` declare some, beside those it names."""
    if arguments.imports and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    shortcuts = {
        _VERSIONS: arguments.versions,
        _TARGETS: arguments.target,
        _DEVICES: arguments.devices,
    }
    options: dict[str, dict[str, Any]] = {}
    for (id, name), value in shortcuts.items():
        if value:
            options.setdefault(id, {})[name] = value
    named = tuple(options)
    imports = (*imports, *arguments.imports)
    for id, name, text in arguments.options():
        options.setdefault(id, {})[name] = _converted(id, name, text, imports)
    return Settings(
        only=(*arguments.only, *named) if arguments.only else (),
        select=(*arguments.select, *named),
        ignore=arguments.ignore,
        severities=arguments.severities(),
        options=options,
        imports=arguments.imports,
    )


def _converted(id: str, name: str, text: str, imports: tuple[str, ...]) -> Any:
    """The value of an option of a rule that a text stands for."""
    from dxir.pipeline.options import converted, options_of
    from dxir.verify.rule import all_rules, find_rule, import_rules

    import_rules(imports)
    rule = find_rule(id)
    if rule is None:
        raise unknown_rule(id, all_rules())
    known = options_of(rule)
    option = known.get(name) or known.get(name.replace("_", "-"))
    if option is None:
        rule.configured({name: text})  # says what is wrong
        raise ConfigurationError(f"the rule {id} has no option {name!r}")
    try:
        return converted(option.type, text)
    except ValueError as error:
        raise ConfigurationError(
            f"the option {option.name} of {id} is {error}, not {text!r}"
        ) from None
