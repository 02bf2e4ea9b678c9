"""Compiled programs, and whatever else is made once, on disk, by key, for the next process.

The folder may be shared by any number of processes and threads, and any of them may be killed at
any time: an entry appears in whole or not at all, and is used only if its checksum holds. What is
wrong with a cache never keeps anything from being made; it is told once, by the logger
`dxir.cache`, which writes to stderr unless logging is set up otherwise.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from dxir.runtime.sealed import (
    Description,
    SealError,
    description_in,
    seal,
    unseal,
)
from dxir.whole_files import write_whole

FOLDER_VARIABLE = "DXIR_CACHE_DIR"
SWITCH_VARIABLE = "DXIR_CACHE"
BOUND_VARIABLE = "DXIR_CACHE_BYTES"
DEFAULT_BOUND = 2 << 30
"""How many bytes the cache may have unless DXIR_CACHE_BYTES says otherwise."""

_ENTRY = re.compile(r"[0-9a-f]{64}\.dxir")
_PART = re.compile(r"\.[0-9a-f]{40}-\d+-[0-9a-f]{8}\.part")
_STALE_S = 3600.0  # longer than anybody takes to write an entry

_log = logging.getLogger("dxir.cache")
_told: set[str] = set()


@dataclass(frozen=True, slots=True)
class Contents:
    """What a cache has: its kind in the heads of files, and in words of its messages."""

    kind: bytes
    plural: str
    again: str


PROGRAMS = Contents(b"cached", "compiled programs", "the program is compiled again")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a cache has of a key, by what its file says; `used` is in seconds since 1970."""

    key: str
    path: Path
    bytes: int
    used: float
    contents: Contents = PROGRAMS

    def description(self) -> Description | None:
        """What it is, and who made it when; None where the file does not say."""
        try:
            return description_in(self.contents.kind, self.path)
        except (OSError, SealError):
            return None


class Cache:
    """What is kept in a folder, which need not be there yet: programs, or other contents."""

    def __init__(
        self, folder: Path, bound: int = DEFAULT_BOUND, contents: Contents = PROGRAMS
    ) -> None:
        self.folder = folder
        self.bound = bound
        self.contents = contents

    def get(self, key: str) -> bytes | None:
        """The program of that key, which is the one used last from now on; None without one."""
        path = self._path(key)
        try:
            if not path.is_file():  # a pipe would never end
                return None
            description, program = unseal(self.contents.kind, path.read_bytes())
        except FileNotFoundError:  # it was evicted just now
            return None
        except OSError as error:
            what = self.contents.plural
            _tell_once(f"the cache of {what} cannot be read: {path}: {_reason(error)}")
            return None
        except SealError as error:
            self.drop(key, str(error))
            return None
        if description.get("key") != key:
            self.drop(key, "is the entry of another key")
            return None
        with suppress(OSError):  # in a folder that may only be read, nothing is evicted either
            os.utime(path)
        return program

    def put(
        self, key: str, program: bytes, description: Mapping[str, Any], *, tidily: bool = True
    ) -> None:
        """Keep a program; entries that were not used for longest leave when there are too many.

        Where many are put, the others leave by `tidy` once all are there, not `tidily` each time;
        these may also be lost when the machine ends.
        """
        chunks = seal(self.contents.kind, {**description, "key": key}, program)
        if sum(map(len, chunks)) > self.bound:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path(key), chunks, synced=tidily)
            if tidily:
                self.tidy()
        except OSError as error:
            _tell_once(
                f"{self.contents.plural} cannot be kept in {self.folder}: {_reason(error)}; "
                f"{FOLDER_VARIABLE} names another folder, {SWITCH_VARIABLE}=0 does without"
            )

    def tidy(self) -> None:
        """Remove what is too much, and what was left half written. OSError as it comes."""
        self._sweep(_STALE_S)
        self._evict()

    def drop(self, key: str, why: str) -> None:
        """Remove an entry that cannot be used ("is damaged"), and tell of it."""
        path = self._path(key)
        with suppress(OSError):
            path.unlink()
        _log.warning("%s %s; %s", path, why, self.contents.again)

    def entries(self) -> list[Entry]:
        """All entries, the one that was not used for longest first. OSError as it comes."""
        found: list[Entry] = []
        for item in self._files(_ENTRY):
            with suppress(FileNotFoundError):
                stat = item.stat()
                key = item.name.removesuffix(".dxir")
                path = Path(item.path)
                found.append(Entry(key, path, stat.st_size, stat.st_mtime, self.contents))
        return sorted(found, key=lambda entry: (entry.used, entry.key))

    def clear(self, older_than: float | None = None) -> list[Entry]:
        """Remove entries, all or those not used for so many seconds; those that were removed.

        Files that are not the cache's stay. OSError as it comes.
        """
        now = time.time()
        gone: list[Entry] = []
        for entry in self.entries():
            if older_than is None or now - entry.used > older_than:
                entry.path.unlink(missing_ok=True)
                gone.append(entry)
        self._sweep(_STALE_S if older_than is None else max(older_than, _STALE_S))
        return gone

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.dxir"

    def _files(self, pattern: re.Pattern[str]) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.folder) as items:
                return [i for i in items if pattern.fullmatch(i.name) and i.is_file()]
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _sweep(self, seconds: float) -> None:
        """Remove what processes that were killed have left half written."""
        now = time.time()
        for item in self._files(_PART):
            with suppress(FileNotFoundError):
                if now - item.stat().st_mtime > seconds:
                    os.unlink(item.path)

    def _evict(self) -> None:
        entries = self.entries()
        excess = sum(entry.bytes for entry in entries) - self.bound
        for entry in entries:
            if excess <= 0:
                return
            entry.path.unlink(missing_ok=True)
            excess -= entry.bytes


def cache_folder(name: str = "executables") -> Path:
    """Where things are kept: in DXIR_CACHE_DIR, or in the user's cache folder."""
    given = os.environ.get(FOLDER_VARIABLE)
    place = Path(given or platformdirs.user_cache_dir("dxir"))
    with suppress(RuntimeError):  # there is no such user: the name is taken as it is
        place = place.expanduser()
    return place.absolute() / name


def the_cache() -> Cache:
    """The cache that the environment describes, whether or not it is switched on."""
    given = os.environ.get(BOUND_VARIABLE, "").strip()
    bound = DEFAULT_BOUND
    if given.isascii() and given.isdigit():
        bound = int(given)
    elif given:
        _tell_once(f"{BOUND_VARIABLE} is a number of bytes, not {given!r}; it is taken as {bound}")
    return Cache(cache_folder(), bound)


def is_on(asked: bool | None) -> bool:
    """Whether programs are kept: as asked for, else unless DXIR_CACHE is 0."""
    if asked is not None:
        return asked
    return os.environ.get(SWITCH_VARIABLE, "").strip().lower() not in ("0", "off", "false", "no")


def _tell_once(message: str) -> None:
    if message not in _told:
        _told.add(message)
        _log.warning("%s", message)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
