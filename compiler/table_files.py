"""Small files of settings, in JSON or TOML, whose mistakes are told with their line."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dxir.errors import ArgumentError, DxirError

Keys = tuple[str, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_HEADING = re.compile(r"\s*\[(\[?)\s*([^\[\]]+?)\s*\]")
_ASSIGNMENT = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"))*)\s*="
)
_PART = re.compile(r"[\w-]+|\"[^\"]*\"|'[^']*'")

_DEEPEST = 100  # tables that no file of settings has


@dataclass(frozen=True, slots=True)
class TableFile:
    """What a file says, the line of each of its keys, and the kind of error a mistake is.

    The tables of an array are named by their numbers, from "0" on.
    """

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[Keys, int] = field(default_factory=dict)
    kind: type[DxirError] = ArgumentError

    def error(self, message: str, keys: Keys = (), hint: str | None = None) -> DxirError:
        """An error at the line of a key, or of what it is in."""
        return self.kind(message, where=self.where(keys), hint=hint)

    def where(self, keys: Keys = ()) -> str:
        """The line of a key, or of what it is in."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return f"{self.path}:{self.lines.get(keys, 1)}"

    def table(self, keys: Keys = (), known: Collection[str] | None = None) -> Mapping[str, Any]:
        """The table at some keys, empty where there is none; `known` are all it may have."""
        found: Any = self.values
        for i, key in enumerate(keys):
            found = _at(found, key)
            if isinstance(found, list) and i < len(keys) - 1:
                continue
            if not isinstance(found, Mapping):
                raise self.error(f"{'.'.join(keys[: i + 1])} is {found!r}, not a table", keys)
        for key in found:
            if known is not None and key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                raise self.error(
                    f"there is no setting {'.'.join((*keys, key))!r}",
                    (*keys, key),
                    f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}",
                )
        return dict(found)


def _at(found: Any, key: str) -> Any:
    return found[int(key)] if isinstance(found, list) else found.get(key, {})


def read_table_file(path: Path, kind: type[DxirError] = ArgumentError) -> TableFile:
    """A file in JSON, if its name ends in `.json`, or in TOML; an error if it is neither."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise kind(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise kind(f"{path} is not text in UTF-8", where=f"{path}:1") from error
    if path.suffix == ".json":
        return _read_json(path, text, kind)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        message = str(error)[: at.start()] if at else str(error)
        line = at[1] if at and at[1] else max(len(text.splitlines()), 1)
        raise kind(f"this is not TOML: {message}", where=f"{path}:{line}") from error
    except RecursionError as error:
        raise kind("this is nested too deeply", where=f"{path}:1") from error
    return TableFile(path, values, _toml_lines(text), kind)


def _read_json(path: Path, text: str, kind: type[DxirError]) -> TableFile:
    try:
        values: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise kind(
            f"this is not JSON: {error.msg}", where=f"{path}:{error.lineno}:{error.colno}"
        ) from error
    except RecursionError as error:
        raise kind("this is nested too deeply", where=f"{path}:1") from error
    if not isinstance(values, dict):
        raise kind(f"this is not an object, but {values!r:.40}", where=f"{path}:1")
    return TableFile(path, values, _json_lines(text), kind)


def _json_lines(text: str) -> dict[Keys, int]:
    """The line of each key of valid JSON that is in objects alone."""
    found: dict[Keys, int] = {}
    above: list[str] = []
    last = ("", 0)  # the latest word, and where it stands
    line, end = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", end, match.start())
        end, token = match.start(), match.group()
        if token == ":":
            above[-1:] = [json.loads(last[0])]
            found.setdefault(tuple(above), last[1])
        elif token in "{[":
            above.append("")
        elif token in "}]":
            above.pop()
        elif token != ",":
            last = (token, line)
    return found


def _toml_lines(text: str) -> dict[Keys, int]:
    """The line of each key of valid TOML that begins one, and of each heading."""
    found: dict[Keys, int] = {}
    table: Keys = ()
    counts: dict[Keys, int] = {}  # the number of the last table of each array
    for number, line in enumerate(text.splitlines(), 1):
        heading, assigned = _HEADING.match(line), _ASSIGNMENT.match(line)
        if heading:
            table = _numbered(_parts(heading[2]), counts)
            if heading[1]:
                counts[table] = counts.get(table, -1) + 1
                found.setdefault(table, number)
                table = (*table, str(counts[table]))
            found.setdefault(table, number)
        elif assigned:
            keys = _parts(assigned[1])[:_DEEPEST]
            for i in range(len(keys)):
                found.setdefault((*table, *keys[: i + 1]), number)
    return found


def _numbered(keys: Keys, counts: Mapping[Keys, int]) -> Keys:
    """The keys of a table with the number of each array's table that it is in."""
    found: Keys = ()
    for key in keys:
        if found in counts:
            found = (*found, str(counts[found]))
        found = (*found, key)
    return found


def _parts(text: str) -> Keys:
    return tuple([part.strip("\"'") for part in _PART.findall(text)])
