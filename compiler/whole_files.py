"""Files that are there in whole or not at all, whatever ends the process that writes them."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(
    path: Path, *, suffix: str = ".part", synced: bool = True, mode: int | None = None
) -> Generator[IO[bytes]]:
    """A file to write to, which gets its name when all is written and nothing was raised.

    It is written beside its place, as a hidden file with that suffix, which stays behind only when
    the process is killed. Unless `synced`, the end of the machine can leave any part of it. `mode`
    says who may do what with it. OSError as it comes.
    """
    part = path.with_name(f".{path.name[:40]}-{os.getpid()}-{secrets.token_hex(4)}{suffix}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def write_whole(
    path: Path,
    chunks: Sequence[bytes],
    suffix: str = ".part",
    *,
    synced: bool = True,
    mode: int | None = None,
) -> None:
    """Write a file by `whole_file`, of these bytes."""
    with whole_file(path, suffix=suffix, synced=synced, mode=mode) as file:
        for chunk in chunks:
            file.write(chunk)


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file that a user names, whole or not at all; a pipe or a device stays what it is.

    Links stay, and what they lead to is written. OSError as it comes.
    """
    if "\0" in os.fspath(path):
        raise OSError(errno.EINVAL, "there is a NUL in its name")
    place = Path(path)
    if place.exists() and not place.is_file():
        place.write_bytes(data)
        return
    place = Path(os.path.realpath(path))
    mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else None
    write_whole(place, (data,), synced=False, mode=mode)
