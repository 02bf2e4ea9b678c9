"""Which files are checked: those named, and those found in folders."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dxir.chunks import STDIN
from dxir.errors import ConfigurationError
from dxir.verify.globs import Glob, matches_any

SUFFIXES = (".mlir", ".mlirbc", ".stablehlo", ".vhlo")
"""The endings of names that make a file in a folder one to check; bytecode is seen by its start."""

PIPE_LIMIT = 1 << 30
"""The most bytes that are taken from the standard input or another pipe."""

_MAGIC = b"ML\xefR"


@dataclass(frozen=True, slots=True)
class File:
    """A file to check: its path, and what it is called in reports.

    `data` is what came from a pipe, which can be read but once.
    """

    path: str
    name: str
    data: bytes | None = None


def find_files(
    paths: Iterable[str | os.PathLike[str] | File], exclude: Iterable[str | Glob] = ()
) -> Iterator[File]:
    """The files that paths name, each once: files, what is in folders, `-` the standard input.

    A File stands for itself.

    In folders, at any depth, these are the files whose names end as one of SUFFIXES, and those that
    start as bytecode does; names that start with a dot are left out. Files come in the order of the
    paths, those of a folder in the order of their names. Links are followed, but no folder is
    looked through twice.

    `exclude` are patterns as `.gitignore` has them, in the current folder unless they say which;
    what is in a folder that is left out is left out, too. They hold for files that are named as
    well.

    ConfigurationError for a path that is not there, and for a folder that cannot be read.
    """
    seen = _Seen(tuple([each if isinstance(each, Glob) else Glob(each) for each in exclude]))
    for path in paths:
        if isinstance(path, File):
            yield path
            continue
        given = os.fspath(path)
        if given == "-":
            if seen.is_new(STDIN):
                yield File("-", STDIN, _standard_input())
            continue
        mode = _mode(given)
        if stat.S_ISDIR(mode):
            yield from _in_folder(given, seen)
        elif not seen.leaves_out(given) and seen.is_new(given):
            yield _file(given, None if stat.S_ISREG(mode) else _from_pipe(given))


def digest_of(path: str) -> str | None:
    """The digest of what a file holds; None when there is none that can be read to its end."""
    try:
        # Opening a pipe would wait for somebody to write into it.
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class _Seen:
    """What was found already, and what is left out."""

    def __init__(self, exclude: tuple[Glob, ...]) -> None:
        self._exclude = exclude
        self._paths: set[str] = set()
        self._folders: set[tuple[int, int]] = set()

    def is_new(self, path: str) -> bool:
        path = os.path.normpath(path)
        if path in self._paths:
            return False
        self._paths.add(path)
        return True

    def is_new_folder(self, path: str) -> bool:
        found = os.stat(path)
        key = (found.st_dev, found.st_ino)
        if key in self._folders:
            return False
        self._folders.add(key)
        return True

    def leaves_out(self, path: str) -> bool:
        return matches_any(path, self._exclude)


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigurationError(
            f"there is nothing to check at {_shown(path)!r}: {why or error}",
            hint="name files, folders, or - for the standard input",
        ) from None


def _in_folder(folder: str, seen: _Seen) -> Iterator[File]:
    waiting = [folder]
    while waiting:
        at = waiting.pop()
        if seen.leaves_out(at):
            continue
        try:
            if not seen.is_new_folder(at):
                continue
            with os.scandir(at) as items:
                entries = sorted(items, key=lambda item: item.name)
        except OSError as error:
            raise ConfigurationError(
                f"the folder {_shown(at)!r} cannot be looked through: {error.strerror or error}",
                hint="leave it out by a pattern in exclude",
            ) from None
        below: list[str] = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if _is_folder(entry):
                below.append(entry.path)
            elif _is_module(entry) and not seen.leaves_out(entry.path) and seen.is_new(entry.path):
                yield _file(entry.path)
        waiting += reversed(below)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # links in a circle
        return False


def _is_module(entry: os.DirEntry[str]) -> bool:
    """Whether a file in a folder is one to check; one that cannot be read is, by its name."""
    if entry.name.endswith(SUFFIXES):
        try:
            is_broken = entry.is_symlink() and not os.path.exists(entry.path)
            return entry.is_file() or is_broken
        except OSError:
            return True
    try:
        if not entry.is_file():
            return False
        with open(entry.path, "rb", buffering=0) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _file(path: str, data: bytes | None = None) -> File:
    below = path[2:].lstrip("/") if path.startswith("./") else ""
    return File(path, _shown(below or path), data)


def _shown(path: str) -> str:
    """The path as it is told: what is not UTF-8 in it, as a replacement character."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _standard_input() -> bytes:
    try:
        return _bounded(sys.stdin.buffer.read(PIPE_LIMIT + 1), STDIN)
    except OSError as error:
        raise ConfigurationError(
            f"the standard input cannot be read: {error.strerror or error}"
        ) from None


def _from_pipe(path: str) -> bytes | None:
    """What a pipe or a device gives; None for one that cannot be read, which is told later."""
    try:
        with open(path, "rb") as file:
            return _bounded(file.read(PIPE_LIMIT + 1), path)
    except OSError:
        return None


def _bounded(data: bytes, path: str) -> bytes:
    if len(data) > PIPE_LIMIT:
        raise ConfigurationError(
            f"{_shown(path)} gives more than {PIPE_LIMIT >> 20} MiB",
            hint="write it to a file, and check the file",
        )
    return data
