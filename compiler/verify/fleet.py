"""Checking many files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from dxir.verify.files import File, find_files
from dxir.verify.globs import Glob
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.worker import check_data, unreadable


def check_files(
    paths: Iterable[str | os.PathLike[str] | File],
    settings: Settings,
    *,
    jobs: int | None = None,
    cache: bool = True,
    exclude: Iterable[str | Glob] = (),
) -> Iterator[Report]:
    """What the rules find in files, in folders (`find_files` says which files), and in `-`.

    Reports come in the order of the files. ConfigurationError, before any report, for a path that
    is not there and for settings that no rule has.
    """
    settings.rules()
    for override in settings.overrides:
        settings.updated(override.settings).rules()
    files = list(find_files(paths, exclude))
    for file in files:
        yield _checked(file, settings.for_file(file.name))


def _checked(file: File, settings: Settings) -> Report:
    try:
        data = Path(file.path).read_bytes() if file.data is None else file.data
    except OSError as error:
        return unreadable(file.name, error, settings)
    return check_data(data, file.name, settings)
