"""Checking many files, in processes that one of them may bring down."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from dxir.errors import ConfigurationError
from dxir.runtime.cache import is_on
from dxir.runtime.contained_messages import Message
from dxir.runtime.machine import threads_to_use
from dxir.verify.files import File, digest_of, find_files
from dxir.verify.globs import Glob
from dxir.verify.keeping import Keeper
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.team import Team, can_fork

_AHEAD = 2  # tasks given for each worker, so that none waits for another
_MOST_KEPT = 1000  # reports that are kept are not all read before the first is told
_BYTES_PER_S = 200_000
_MEMORY_PER_BYTE = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """What the check of one file may take: these for a small one, more for a large one.

    The seconds are for each part of a file that has several.
    """

    seconds: float | None = 60.0
    memory_bytes: int | None = 4 << 30

    def for_size(self, size: int) -> dict[str, Any]:
        """What the check of a file of so many bytes may take, as a worker is told."""
        seconds, memory = self.seconds, self.memory_bytes
        return {
            "seconds": None if seconds is None else seconds + size / _BYTES_PER_S,
            "memory": None if memory is None else _there_is(memory + size * _MEMORY_PER_BYTE),
        }


def check_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str] | File],
    settings: Settings | None = None,
    *,
    jobs: int | None = None,
    cache: bool = True,
    exclude: Iterable[str | Glob] = (),
    limits: Limits | None = None,
) -> Iterator[Report]:
    """What the rules find in files, in folders (`find_files` says which files), and in `-`.

    Reports come in the order of the files, each as soon as it and those before it are there. `jobs`
    processes work at a time, by default as many as there are processors; a file that ends one, or
    takes more than `limits`, is one finding. With 0, all is done in this process, which is for
    finding mistakes in rules. `cache` keeps what was found, and tells it again of a file that is
    as it was.

    Raises ConfigurationError for a path that is not there and for settings that no rule has,
    RuntimeFailure where there can be no process.
    """
    if jobs is not None and jobs < 0:
        raise ConfigurationError(f"there cannot be {jobs} jobs", hint="0 checks in this process")
    if isinstance(paths, str | os.PathLike):
        paths = (paths,)
    files = list(find_files(paths, exclude))
    work = Work(files, settings or Settings(), limits or Limits())
    if jobs == 0 or not can_fork():
        return _in_this_process(work)
    return _by_others(work, jobs or threads_to_use(), keep=cache and is_on(None))


class Work:
    """What is to be done with files: `check`, or `fix`; with the settings of each."""

    def __init__(
        self, files: Sequence[File], settings: Settings, limits: Limits, do: str = "check"
    ) -> None:
        self.files = files
        self.settings: list[Settings] = []
        self.numbers: list[int] = []
        """The place of a file's settings among all settings, for each file."""
        self._limits = limits
        self._do = do
        known: dict[str, int] = {}
        for file in files:
            of_file = settings.for_file(file.name)
            key = json.dumps(of_file.as_dict(), sort_keys=True, default=str)
            if key not in known:
                known[key] = len(self.settings)
                self.settings.append(of_file)
            self.numbers.append(known[key])
        # What files there are should not decide whether settings are right.
        self.settings.append(settings.for_file(""))
        self.settings += [settings.updated(each.settings) for each in settings.overrides]

    def answers(
        self, jobs: int, known: Callable[[int], Message | None] | None = None
    ) -> Iterator[Message]:
        """What came of each file, from processes of their own, in the order of the files.

        Those that are `known`, by the number of the file, are not given to any process.
        """
        ready: dict[int, Message] = {}
        given = told = 0
        with contextlib.ExitStack() as stack:
            team: Team | None = None
            while told < len(self.files):
                while given < min(len(self.files), told + _MOST_KEPT + jobs * _AHEAD):
                    if given - told - len(ready) >= jobs * _AHEAD:
                        break
                    answer = None if known is None else known(given)
                    if answer is not None:
                        ready[given] = answer
                    else:
                        team = team or stack.enter_context(Team(self.settings, jobs))
                        self._give(given, team)
                    given += 1
                if told not in ready:
                    assert team is not None
                    answer = team.answer()
                    ready[answer["number"]] = answer
                while told in ready:
                    yield ready.pop(told)
                    told += 1

    def _give(self, number: int, team: Team) -> None:
        file = self.files[number]
        size = len(file.data) if file.data is not None else _size(file.path)
        task = {
            "do": self._do,
            "number": number,
            "path": file.path,
            "name": file.name,
            "settings": self.numbers[number],
            "without": [],
            **self._limits.for_size(size),
        }
        team.give(task, file.data)


def _in_this_process(work: Work) -> Iterator[Report]:
    """The reports, one file after another."""
    from dxir.verify.contents import check_data, unreadable

    for settings in work.settings:
        settings.rules()
    for file, number in zip(work.files, work.numbers, strict=True):
        settings = work.settings[number]
        try:
            data = Path(file.path).read_bytes() if file.data is None else file.data
        except OSError as error:
            yield unreadable(file.name, error.strerror or str(error), settings)
            continue
        yield check_data(data, file.name, settings).report


def _by_others(work: Work, jobs: int, *, keep: bool) -> Iterator[Report]:
    """The reports, from processes of their own; those that are kept, from the cache."""
    keeper = Keeper(work.settings) if keep else None

    def known(number: int) -> Message | None:
        file = work.files[number]
        digest = digest_of(file.path) if file.data is None else sha256(file.data).hexdigest()
        if keeper is None or digest is None:
            return None
        report = keeper.get(work.numbers[number], digest, file.name, file.path)
        return None if report is None else {"kept": report}

    try:
        for answer in work.answers(jobs, None if keeper is None else known):
            if "kept" in answer:
                yield answer["kept"]
                continue
            report = Report.from_dict(answer["report"])
            if keeper is not None and answer["digest"] is not None and answer["reads"] is not None:
                number = answer["number"]
                path, settings = work.files[number].path, work.numbers[number]
                keeper.put(settings, answer["digest"], path, report, answer["reads"])
            yield report
    finally:
        if keeper is not None:
            keeper.close()


def _there_is(size: int) -> int:
    """So many bytes of memory, or all there are."""
    try:
        return min(size, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return size


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
