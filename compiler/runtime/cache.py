"""Compiled programs on disk, by key, for the next process that wants the same.

The folder may be shared by any number of processes and threads, and any of them may be killed at
any time: an entry appears in whole or not at all, and is used only if its checksum holds. What is
wrong with the cache never keeps a program from being compiled; it is told once, by the logger
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
    write_whole,
)

FOLDER_VARIABLE = "DXIR_CACHE_DIR"
SWITCH_VARIABLE = "DXIR_CACHE"
BOUND_VARIABLE = "DXIR_CACHE_BYTES"
DEFAULT_BOUND = 2 << 30
"""How many bytes the cache may have unless DXIR_CACHE_BYTES says otherwise."""

_KIND = b"cached"
_ENTRY = re.compile(r"[0-9a-f]{64}\.dxir")
_PART = re.compile(r"\.[0-9a-f]{40}-\d+-[0-9a-f]{8}\.part")
_STALE_S = 3600.0  # longer than anybody takes to write an entry

_log = logging.getLogger("dxir.cache")
_told: set[str] = set()


@dataclass(frozen=True, slots=True)
class Entry:
    """A compiled program in the cache, by what its file says; `used` is in seconds since 1970."""

    key: str
    path: Path
    bytes: int
    used: float

    def description(self) -> Description | None:
        """What the program is, and who compiled it when; None where the file does not say."""
        try:
            return description_in(_KIND, self.path)
        except (OSError, SealError):
            return None


class Cache:
    """The compiled programs in a folder, which need not be there yet."""

    def __init__(self, folder: Path, bound: int = DEFAULT_BOUND) -> None:
        self.folder = folder
        self.bound = bound

    def get(self, key: str) -> bytes | None:
        """The program of that key, which is the one used last from now on; None without one."""
        path = self._path(key)
        try:
            if not path.is_file():  # a pipe would never end
                return None
            description, program = unseal(_KIND, path.read_bytes())
        except FileNotFoundError:  # it was evicted just now
            return None
        except OSError as error:
            _tell_once(f"the cache of compiled programs cannot be read: {path}: {_reason(error)}")
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

    def put(self, key: str, program: bytes, description: Mapping[str, Any]) -> None:
        """Keep a program; entries that were not used for longest leave when there are too many."""
        chunks = seal(_KIND, {**description, "key": key}, program)
        if sum(map(len, chunks)) > self.bound:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path(key), chunks)
            self._sweep(_STALE_S)
            self._evict()
        except OSError as error:
            _tell_once(
                f"compiled programs cannot be kept in {self.folder}: {_reason(error)}; "
                f"{FOLDER_VARIABLE} names another folder, {SWITCH_VARIABLE}=0 does without"
            )

    def drop(self, key: str, why: str) -> None:
        """Remove an entry that cannot be used ("is damaged"), and tell of it."""
        path = self._path(key)
        with suppress(OSError):
            path.unlink()
        _log.warning("%s %s; the program is compiled again", path, why)

    def entries(self) -> list[Entry]:
        """All entries, the one that was not used for longest first. OSError as it comes."""
        found: list[Entry] = []
        for item in self._files(_ENTRY):
            with suppress(FileNotFoundError):
                stat = item.stat()
                key = item.name.removesuffix(".dxir")
                found.append(Entry(key, Path(item.path), stat.st_size, stat.st_mtime))
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


def cache_folder() -> Path:
    """Where compiled programs are kept: DXIR_CACHE_DIR, or in the user's cache folder."""
    given = os.environ.get(FOLDER_VARIABLE)
    place = Path(given or platformdirs.user_cache_dir("dxir"))
    with suppress(RuntimeError):  # there is no such user: the name is taken as it is
        place = place.expanduser()
    return place.absolute() / "executables"


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
