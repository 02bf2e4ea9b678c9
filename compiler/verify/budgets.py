"""Budgets: what modules had when somebody agreed to it, in a file that is kept beside them."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dxir.errors import ConfigurationError, DxirError
from dxir.reading import is_public, signature
from dxir.verify.report import Report
from dxir.verify.subject import Subject
from dxir.whole_files import write_file

FILE = "dxir-budgets.json"
"""What the file is called, unless one says otherwise."""

FORMAT = "dxir-budgets"
VERSION = 1

FACT = "budget"
"""The fact of a report that a file of budgets is made from."""

COSTS = {
    "flops": "arithmetic operations",
    "bytes": "bytes moved",
    "peak_bytes": "bytes at the peak",
}
"""The costs that have a budget, and what each counts."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a module has: how many ops of each name, its costs, the types of its functions.

    `functions` are the public ones. A cost that is not known is not there.
    """

    ops: Mapping[str, int] = field(default_factory=dict[str, int])
    costs: Mapping[str, int] = field(default_factory=dict[str, int])
    functions: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, subject: Subject) -> Budget:
        """What a module has."""
        return cls(dict(subject.op_counts), costs_of(subject), signatures_of(subject))

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "costs": dict(self.costs),
            "functions": dict(self.functions),
            "ops": dict(self.ops),
        }

    @classmethod
    def from_dict(cls, found: Any) -> Budget:
        """The budget of plain values; ValueError, TypeError or KeyError when they are none."""
        return cls(
            {str(name): int(count) for name, count in found["ops"].items()},
            {str(name): int(amount) for name, amount in found["costs"].items()},
            {str(name): str(text) for name, text in found["functions"].items()},
        )


def costs_of(subject: Subject) -> dict[str, int]:
    """The costs of a module that are known."""
    from dxir.costs import cost_of

    try:
        found = cost_of(subject.program)
    except DxirError:
        return {}
    total = found.total
    amounts = {"flops": total.flops, "bytes": total.bytes, "peak_bytes": found.memory.peak}
    return {name: amount for name, amount in amounts.items() if amount is not None}


def signatures_of(subject: Subject) -> dict[str, str]:
    """The types of the public functions, as MLIR writes them."""
    return {
        name: str(signature(function))
        for name, function in subject.functions.items()
        if is_public(function)
    }


@dataclass(frozen=True)
class Budgets:
    """The budgets of the modules of a folder, by their paths from there, with `/` between."""

    path: Path
    files: Mapping[str, Budget] = field(default_factory=dict[str, Budget])

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Budgets:
        """The budgets of a file; ConfigurationError for one that cannot be read, or has others."""
        path = Path(path)
        try:
            found = json.loads(path.read_bytes())
            if found["format"] != FORMAT or found["version"] != VERSION:
                raise ValueError(f"its format is not {FORMAT} {VERSION}")
            files = {str(name): Budget.from_dict(each) for name, each in found["files"].items()}
        except OSError as error:
            raise ConfigurationError(
                f"the budgets cannot be read: {error.strerror or error}", where=path
            ) from None
        except (
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise ConfigurationError(
                f"the file holds no budgets: {type(error).__name__}: {error}",
                where=path,
                hint="dxir-verify --write-budgets writes it",
            ) from None
        return cls(path, files)

    def of(self, name: str) -> Budget | None:
        """The budget of the module in a file, if there is one."""
        return self.files.get(self._key(name))

    def updated(self, reports: Iterable[Report]) -> Budgets:
        """The budgets with those of these reports, and without those of files that are gone."""
        folder = self.path.parent
        files = {name: each for name, each in self.files.items() if (folder / name).exists()}
        for report in reports:
            if FACT in report.facts:
                files[self._key(report.name)] = Budget.from_dict(report.facts[FACT])
        return Budgets(self.path, files)

    def write(self) -> None:
        """Write the file, whole or not at all; ConfigurationError when that cannot be done."""
        values = {
            "format": FORMAT,
            "version": VERSION,
            "files": {name: each.as_dict() for name, each in self.files.items()},
        }
        # A line for each number, in the order of names: a change of the file reads as one.
        text = json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        try:
            write_file(self.path, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise ConfigurationError(
                f"the budgets cannot be written: {error.strerror or error}",
                where=self.path,
                hint="name a file in a folder that is there, and that you may write in",
            ) from None

    def _key(self, name: str) -> str:
        try:
            return os.path.relpath(name, self.path.parent).replace(os.sep, "/")
        except ValueError:  # on another drive
            return Path(name).as_posix()


def candidates(name: str, budgets: str) -> list[Path]:
    """Where the budgets of a file may be: the first that is there counts.

    A bare name is looked for in the folder of the file and in those above it, up to the one with
    `.git`; any other path is that file.
    """
    if not budgets or name.startswith("<"):
        return []
    if budgets != os.path.basename(budgets):
        return [Path(budgets)]
    found: list[Path] = []
    folder = Path(os.path.abspath(name)).parent
    for each in (folder, *folder.parents):
        found.append(each / budgets)
        if (each / ".git").exists():
            break
    return found


def budgets_for(name: str, budgets: str) -> Budgets | None:
    """The budgets that hold for a file; None where there are none.

    ConfigurationError for a file of budgets that cannot be read, and where one is named that is not
    there.
    """
    places = candidates(name, budgets)
    for place in places:
        if place.is_file():
            return _read(place, place.stat().st_mtime_ns)
    if places and budgets != FILE:  # no file of the name that it has by default is no mistake
        raise ConfigurationError(
            "there is no such file of budgets",
            where=budgets,
            hint=f"dxir-verify --write-budgets={budgets} FILES writes it",
        )
    return None


@functools.lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> Budgets:
    return Budgets.read(path)


def shown(path: Path) -> str:
    """The path as it is told: from the current folder, if it is in there."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def record(reports: Iterable[Report], path: str | os.PathLike[str]) -> Budgets:
    """Write the budgets of reports into a file, beside those of other modules it has already."""
    path = Path(path)
    known = Budgets.read(path) if path.exists() else Budgets(path)
    made = known.updated(reports)
    made.write()
    return made
