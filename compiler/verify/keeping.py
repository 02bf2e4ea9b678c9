"""What was found in files, kept on disk for when the same files are checked in the same way.

The key of a file's entry is made of its bytes, of the settings, and of all that decides what rules
find: dxir's sources, those of the packages that have rules, and jaxlib. Where a rule read other
files, the entry has their digests, and counts only as long as these are the same. Importing this
imports no MLIR, and so neither does a check of files that are as they were.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from dxir.errors import SchemaError
from dxir.runtime.cache import Cache, Contents, cache_folder, the_cache
from dxir.verify.files import digest_of
from dxir.verify.finding import Finding, Place, Related
from dxir.verify.report import Report
from dxir.verify.settings import Settings

REPORTS = Contents(b"checked", "what was found in files", "the file is checked again")
"""What this cache has, and what becomes of an entry of it that is damaged."""

_BOUND = 256 << 20
_NAME = "<file>"  # stands for the file, which other files with the same bytes are as well
_PACKAGES = ("dxir", "dxir.dialects", "dxir.passes")
_RULES = "dxir.rules"


def the_reports() -> Cache:
    """The cache of what was found in files that the environment describes."""
    return Cache(cache_folder("checks"), min(_BOUND, the_cache().bound), REPORTS)


class Keeper:
    """What was found in files, with some settings."""

    def __init__(self, settings: Sequence[Settings]) -> None:
        self._cache = the_reports()
        self._keys = [_key_of(each) for each in settings]
        self._has_put = False

    def get(self, number: int, digest: str, name: str, path: str) -> Report | None:
        """What was found in a file of that digest with the settings of that number, if it is kept.

        It is told of the file as it is called now.
        """
        place = _place(path, name)
        for key in (self._key(number, digest), self._key(number, digest, place)):
            found = self._cache.get(key)
            if found is None:
                continue
            try:
                kept = json.loads(found)
                report = Report.from_dict(kept["report"])
                reads = dict(kept["reads"])
            except (ValueError, KeyError, TypeError, SchemaError, RecursionError) as error:
                self._cache.drop(key, f"cannot be read: {error}")
                continue
            if all(digest_of(other) == digest for other, digest in reads.items()):
                return _renamed(report, _NAME, name)
        return None

    def put(
        self, number: int, digest: str, path: str, report: Report, reads: Mapping[str, str | None]
    ) -> None:
        """Keep what was found in a file of that digest, and the digests of what else was read.

        Whoever read other files may have gone by the place of this one.
        """
        place = _place(path, report.name) if reads else None
        key = self._key(number, digest, place)
        kept = {
            "report": _renamed(report, report.name, _NAME).as_dict(),
            "reads": {os.path.abspath(other): each for other, each in reads.items()},
        }
        self._cache.put(key, json.dumps(kept).encode(), {"file": report.name}, tidily=False)
        self._has_put = True

    def close(self) -> None:
        """Remove what was not used for longest, should there be too much by now."""
        if self._has_put:
            with suppress(OSError):  # what cannot be removed stays
                self._cache.tidy()

    def _key(self, number: int, digest: str, path: str | None = None) -> str:
        places = () if path is None else (os.getcwd(), os.path.abspath(path))
        return _digest(self._keys[number], digest, *places)


def _place(path: str, name: str) -> str:
    """Where a file is, for rules that look beside it; the standard input is where its name says."""
    return name if path == "-" else path


def _key_of(settings: Settings) -> str:
    """What the keys of all files are made of that are checked with some settings.

    What fails a run is decided when everything was found.
    """
    told = {**settings.as_dict(), "fail_on": None}
    given = json.dumps(told, sort_keys=True, default=str)
    own = [state for name in settings.imports for state in _states_around(name)]
    return _digest(_made_by(), given, *own)


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def _renamed(report: Report, old: str, new: str) -> Report:
    """The report with another name of the file that it is about."""

    def place(found: Place) -> Place:
        return replace(found, file=new) if found.file == old else found

    def related(found: Related) -> Related:
        return found if found.place is None else replace(found, place=place(found.place))

    def finding(found: Finding) -> Finding:
        return replace(
            found,
            place=place(found.place),
            origin=None if found.origin is None else place(found.origin),
            related=tuple(map(related, found.related)),
        )

    return replace(
        report,
        name=new,
        findings=tuple(map(finding, report.findings)),
        allowed=tuple(map(finding, report.allowed)),
    )


@cache
def _made_by() -> str:
    """A digest of all code that decides what is found, as far as it can be told without it."""
    return _digest(*_versions(), *_sources())


def _versions() -> Iterator[str]:
    yield sys.version
    for package in ("dxir", "jaxlib", "numpy"):
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield package


def _sources() -> Iterator[str]:
    """What tells the state of each source file: its path, size, and when it was written."""
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in () if spec is None else spec.submodule_search_locations or ():
            yield from _states(Path(folder))
    for entry in entry_points(group=_RULES):
        yield f"{entry.name} {entry.value} {entry.dist.version if entry.dist else ''}"
        yield from _states_of(entry.module)


def _states_of(module: str) -> Iterator[str]:
    """What tells the state of the package that a module is in."""
    try:
        spec = importlib.util.find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        yield from _states(Path(folder))
    if spec.origin is not None:
        yield _state(Path(spec.origin))


def _states_around(module: str) -> Iterator[str]:
    """What tells the state of a module, and of what is beside it, which it may import."""
    yield from _states_of(module)
    with suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(module.partition(".")[0])
        places = [] if spec is None else [*(spec.submodule_search_locations or ())]
        if spec is not None and spec.has_location and spec.origin and not places:
            places = [spec.origin]
        for folder in {Path(place).parent for place in places}:
            if folder.name == "site-packages":  # what is installed beside it has versions
                continue
            yield from map(_state, sorted(folder.glob("*.py")))
            for package in sorted(folder.glob("*/__init__.py")):
                yield from _states(package.parent)


def _states(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        yield _state(path)


def _state(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return str(path)
    return f"{path} {found.st_size} {found.st_mtime_ns}"
