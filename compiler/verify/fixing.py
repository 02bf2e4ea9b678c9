"""Putting right what rules find in files, in processes that one of them may bring down."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from dxir.errors import ConfigurationError, RuntimeFailure
from dxir.runtime.machine import threads_to_use
from dxir.verify.files import File, find_files
from dxir.verify.fixed import Fixed
from dxir.verify.fleet import Limits, Work
from dxir.verify.globs import Glob
from dxir.verify.settings import Settings
from dxir.verify.team import can_fork


def fix_files(
    paths: Iterable[str | os.PathLike[str] | File],
    settings: Settings,
    *,
    jobs: int | None = None,
    exclude: Iterable[str | Glob] = (),
    limits: Limits | None = None,
) -> Iterator[Fixed]:
    """Put right in files what rules find and can put right, and say what was, in their order.

    A file is written anew, at once and in its own kind, when the module is valid then, what was put
    right is no longer found, and nothing else is. Of text, only the functions that change are
    written, and those not when comments in them would be lost. What the module allows stays. A file
    that ends its process, or takes more than `limits`, stays as it is.

    Raises what `check_files` does, and ConfigurationError for what is no file, such as `-`.
    """
    if not can_fork():
        raise RuntimeFailure("files are put right where processes can fork: not on this system")
    files = list(find_files(paths, exclude))
    for file in files:
        if file.data is not None:
            raise ConfigurationError(
                f"{file.name} is no file, and cannot be put right",
                hint="write it to a file, and name that",
            )
    return _fixed(Work(files, settings, limits or Limits(), do="fix"), jobs)


def _fixed(work: Work, jobs: int | None) -> Iterator[Fixed]:
    for answer in work.answers(jobs or threads_to_use()):
        yield Fixed.from_dict(answer["fixed"])
