"""Modules that come out otherwise when they are emitted again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from dxir.errors import DxirError
from dxir.loading import load
from dxir.pipeline.base import option
from dxir.program import Program
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_SHOWN = 4


class Determinism(Rule, id="contract-determinism", severity="error"):
    """A module that was emitted twice is not the same program, or not the same bytes.

    A cache that goes by a module's bytes misses on every run, and a difference in ops is a front
    end that depends on the order of a set or on a clock. Let the emitter run twice, into two
    folders, and name the second by `again`: of each file, the one of the same name in there is
    read. Another fingerprint is an error; the same one in other bytes (names, order, locations) is
    a warning. Without `again` nothing is found.
    """

    paths = ("again",)
    remedy = "sort what comes from sets, and leave times and addresses out of names"
    no_example = "it compares two files"

    again: str = option("the folder with the modules as they were emitted again", default="")
    exact: bool = option("tell the same program in other bytes, too", default=True)

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        places = _places(subject.source.name, self.again)
        if not places or subject.source.is_memory:
            return
        here = Place(subject.source.name)
        other = next((place for place in places if place.is_file()), None)
        if other is None:
            yield self.found(
                f"there is no such module in {self.again}",
                here,
                subject,
                hint="run the emitter again, into that folder; files have the same names there",
            )
            return
        try:
            data = other.read_bytes()
            if data == subject.source.data.lstrip(b"\n "):
                return
            again = load(data, allow_elided=True)
        except (OSError, DxirError) as error:
            why = error.message if isinstance(error, DxirError) else error.strerror or str(error)
            yield self.found(f"{other} cannot be read: {why}", here, subject)
            return
        if again.fingerprint() != subject.program.fingerprint():
            yield self.found(
                f"{other} is another program: {_difference(subject.program, again)}", here, subject
            )
        elif self.exact:
            yield self.found(
                f"{other} is the same program in other bytes: {_in_bytes(subject, data)}",
                here,
                subject,
                severity="warning",
            )

    def reads(self, subject: Subject, /) -> Iterable[str]:
        return [str(place) for place in _places(subject.source.name, self.again)]


def _places(name: str, again: str) -> list[Path]:
    """Where the module of a file may be in the other folder: by the longest part of its path."""
    if not again or name.startswith("<"):
        return []
    parts = [part for part in PurePath(name).parts if part not in (os.sep, "..")]
    found = [Path(again, *parts[i:]) for i in range(len(parts))]
    return [place for place in found if not _is_same(place, name)]


def _is_same(place: Path, name: str) -> bool:
    return os.path.abspath(place) == os.path.abspath(name)


def _difference(here: Program, again: Program) -> str:
    before, after = here.op_counts(), again.op_counts()
    changed = {
        name: (before.get(name, 0), after.get(name, 0))
        for name in sorted({*before, *after})
        if before.get(name, 0) != after.get(name, 0)
    }
    if not changed:
        from dxir.differences import difference

        lines = [line.strip() for line in str(difference(here, again)).splitlines()]
        return "; ".join(lines[1:_SHOWN])
    told = [f"{name} {a} -> {b}" for name, (a, b) in list(changed.items())[:5]]
    return ", ".join(told) + (" and others" if len(changed) > 5 else "")


def _in_bytes(subject: Subject, data: bytes) -> str:
    """Where two texts differ first."""
    if subject.source.kind != "text":
        return f"{len(subject.source.data)} and {len(data)} of them"
    theirs = data.decode("utf-8", "replace").split("\n")
    for number, (a, b) in enumerate(zip(subject.source.lines, theirs, strict=False), 1):
        if a != b:
            return f"line {number} is {_short(b)} there"
    return f"{len(subject.source.lines)} and {len(theirs)} lines"


def _short(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
