"""Settings in files: `[tool.dxir.verify]` of pyproject.toml, `[verify]` of dxir.toml."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dxir.errors import ConfigurationError, DxirError
from dxir.table_files import Keys, TableFile, read_table_file
from dxir.verify.finding import SEVERITIES, Severity
from dxir.verify.globs import Glob
from dxir.verify.ids import first_unknown
from dxir.verify.settings import Override, Settings, unknown_rule

_TABLES: Mapping[str, Keys] = {
    "dxir.toml": ("verify",),
    "pyproject.toml": ("tool", "dxir", "verify"),
}
_OF_RULES = ("only", "select", "ignore", "severity", "rules")
_KNOWN = ("fail-on", *_OF_RULES, "import", "exclude", "baseline", "overrides")


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says of the checks; `path` is None where there is no file.

    `exclude` are the files that are not looked at, `baseline` is the file of findings that are
    known. Both are relative to the folder that the file is in.
    """

    settings: Settings = field(default_factory=Settings)
    exclude: tuple[Glob, ...] = ()
    baseline: Path | None = None
    path: Path | None = None


def find_configuration(start: str | os.PathLike[str] | None = None) -> Configuration:
    """The configuration for a folder (by default, the current one).

    That is the nearest in it or above it; a folder with `.git` is the last that is looked at. One
    file of a folder counts, dxir.toml before pyproject.toml. Where there is none, all is at its
    default. ConfigurationError for a mistake.
    """
    try:
        first = Path.cwd() if start is None else Path(start).absolute()
    except OSError:  # the current folder is gone
        return Configuration()
    for folder in _upwards(first):
        for name, keys in _TABLES.items():
            path = folder / name
            if os.path.isfile(path):  # False, too, where one may not look
                file = read_table_file(_shown(path), ConfigurationError)
                if _has_table(file, keys):
                    return _read(file, keys)
                _refuse_misspelt(file, keys)
    return Configuration()


def read_configuration(path: str | os.PathLike[str]) -> Configuration:
    """The configuration in a file: a pyproject.toml, or any other with the table `[verify]`.

    ConfigurationError for a mistake, and when the file has no such table.
    """
    path = Path(path)
    file = read_table_file(path, ConfigurationError)
    keys = _TABLES.get(path.name, _TABLES["dxir.toml"])
    if not _has_table(file, keys):
        raise file.error(f"there is no table [{'.'.join(keys)}]", hint="settings belong in there")
    return _read(file, keys)


def _upwards(folder: Path) -> Iterator[Path]:
    for each in (folder, *folder.parents):
        yield each
        if os.path.exists(each / ".git"):
            return


def _shown(path: Path) -> Path:
    """The path as it is told: from the current folder, if it is in there."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _has_table(file: TableFile, keys: Keys) -> bool:
    found: Any = file.values
    for key in keys:
        if not isinstance(found, Mapping) or key not in found:
            return False
        found = found[key]
    return True


def _refuse_misspelt(file: TableFile, keys: Keys) -> None:
    """ConfigurationError for settings in a table that is not the one of this file, but nearly."""
    elsewhere = next((other for other in _TABLES.values() if other != keys), keys)
    beside = keys[:-1]
    tables = file.table(beside) if len(beside) < 2 or _has_table(file, beside) else {}
    near = difflib.get_close_matches(keys[-1], tables, n=1)
    wrong = elsewhere if _has_table(file, elsewhere) else (*beside, *near) if near else None
    if wrong is not None:
        raise file.error(
            f"[{'.'.join(wrong)}] is no table of settings",
            wrong,
            f"they belong in [{'.'.join(keys)}] of this file",
        )


def _read(file: TableFile, keys: Keys) -> Configuration:
    table = file.table(keys, _KNOWN)
    folder = str(file.path.parent)
    imports = _texts(file, (*keys, "import"), table)
    if imports and os.path.abspath(folder) not in sys.path:
        sys.path.append(os.path.abspath(folder))
    settings = replace(
        _settings(file, keys, table, imports),
        fail_on=_severity(file, (*keys, "fail-on"), table.get("fail-on", Settings().fail_on)),
        overrides=tuple(
            _overrides(file, (*keys, "overrides"), table.get("overrides", []), folder, imports)
        ),
    )
    baseline: Any = table.get("baseline")
    if baseline is not None and not (
        isinstance(baseline, str) and baseline and "\0" not in baseline
    ):
        raise file.error(f"baseline is {baseline!r}, not the name of a file", (*keys, "baseline"))
    return Configuration(
        settings,
        _globs(file, (*keys, "exclude"), table, folder),
        None if baseline is None else file.path.parent / baseline,
        file.path,
    )


def _settings(
    file: TableFile, keys: Keys, table: Mapping[str, Any], imports: tuple[str, ...]
) -> Settings:
    """What a table says of rules."""
    severities: dict[str, Severity] = {
        name: _severity(file, (*keys, "severity", name), value)
        for name, value in file.table((*keys, "severity")).items()
    }
    options = {id: file.table((*keys, "rules", id)) for id in file.table((*keys, "rules"))}
    settings = Settings(
        only=_texts(file, (*keys, "only"), table),
        select=_texts(file, (*keys, "select"), table),
        ignore=_texts(file, (*keys, "ignore"), table),
        severities=severities,
        options=options,
        imports=imports,
    )
    _check_rules(file, keys, settings)
    checked = {id: _options(file, (*keys, "rules", id), given) for id, given in options.items()}
    return replace(settings, options=checked)


def _check_rules(file: TableFile, keys: Keys, settings: Settings) -> None:
    """Refuse rules and options that there are not, at the line that names them."""
    named: list[tuple[Keys, str]] = [
        *[((*keys, "only"), each) for each in settings.only],
        *[((*keys, "select"), each) for each in settings.select],
        *[((*keys, "ignore"), each) for each in settings.ignore],
        *[((*keys, "severity", each), each) for each in settings.severities],
        *[((*keys, "rules", each), each) for each in settings.options],
    ]
    try:
        wrong = first_unknown((each for _, each in named), settings.imports)
    except ConfigurationError as error:  # of a module that declares rules
        raise file.error(error.message, (*keys, "import"), error.hint) from error
    if wrong is not None:
        name, ids = wrong
        at = next(at for at, each in named if each == name)
        refused = unknown_rule(name, ids, patterns="rules" not in at[-2:])
        raise file.error(refused.message, at, refused.hint)


def _options(file: TableFile, keys: Keys, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a rule, its paths as they are from here; refuses those that it has not."""
    from dxir.pipeline.options import options_of
    from dxir.verify.rule import find_rule

    rule = find_rule(keys[-1])
    if rule is None:
        error = unknown_rule(keys[-1], ())
        raise file.error(error.message, keys, error.hint)
    found = dict(given)
    for name, value in given.items():
        try:
            rule.configured({name: value})
        except DxirError as error:
            raise file.error(error.message, (*keys, name), error.hint) from None
        if name in rule.paths and value:
            is_bare = value == os.path.basename(value) and options_of(rule)[name].default
            found[name] = value if is_bare else str(file.path.parent / value)
    return found


def _overrides(
    file: TableFile, keys: Keys, found: Any, folder: str, imports: tuple[str, ...]
) -> Iterator[Override]:
    if not isinstance(found, list):
        raise file.error(
            f"{keys[-1]} is {found!r}, not tables",
            keys,
            f"write them as [[{'.'.join(keys)}]], each with files = [...]",
        )
    for number in range(len(found)):
        at = (*keys, str(number))
        table = file.table(at, ("files", *_OF_RULES))
        files = _globs(file, (*at, "files"), table, folder)
        if not files:
            raise file.error(
                f"there are no files in [[{'.'.join(keys)}]]", at, 'say which: files = ["old/**"]'
            )
        yield Override(files, _settings(file, at, table, imports))


def _globs(file: TableFile, keys: Keys, table: Mapping[str, Any], folder: str) -> tuple[Glob, ...]:
    try:
        return tuple([Glob(pattern, folder) for pattern in _texts(file, keys, table)])
    except ConfigurationError as error:
        if error.where is not None:
            raise
        raise file.error(error.message, keys, error.hint) from None


def _texts(file: TableFile, keys: Keys, table: Mapping[str, Any]) -> tuple[str, ...]:
    found: Any = table.get(keys[-1], ())
    is_array = isinstance(found, (list, tuple))
    if not is_array or not all(isinstance(each, str) and each for each in found):
        raise file.error(f'{keys[-1]} is {found!r}, not an array of texts, such as ["..."]', keys)
    return tuple(found)


def _severity(file: TableFile, keys: Keys, value: Any) -> Severity:
    for each in SEVERITIES:
        if value == each:
            return each
    raise file.error(f"{keys[-1]} is {value!r}, not one of {', '.join(SEVERITIES)}", keys)
