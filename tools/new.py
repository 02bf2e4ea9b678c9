"""`dxir new`: a starter project, a front end that emits StableHLO, with tests and CI of its own."""

from __future__ import annotations

import argparse
import importlib.util
import keyword
import re
import shutil
import sys
import tempfile
from pathlib import Path

import dxir
from dxir.errors import DxirError

STABLEHLO = "1.0.0"
"""The version that the project writes for unless told otherwise: every reader has it."""

_STARTER = Path(__file__).with_name("starter")
_SUFFIX = ".template"
_HIDDEN = "dot-"
_PACKAGE = "PACKAGE"
_NAME = re.compile(r"[a-z]([a-z0-9_]*[a-z0-9])?")
_LONGEST = 40  # so that no line of the project is too long for its own linter
_TAKEN = frozenset({"dxir", "src", "test", "tests", "models", "conftest"})


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    name = checked_name(options.name)
    folder = Path(options.path).expanduser() / name
    files = write_project(name, folder)
    print(f"{folder}: {len(files)} files")
    for file in files:
        print(f"  {file}")
    print(
        f"\nnext:\n  cd {folder}\n  make check\n  .venv/bin/{name} models/small.net -o small.mlirbc"
    )
    return 0


def checked_name(name: str) -> str:
    """The name, if a package and a project can have it; DxirError otherwise."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        near = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_").lstrip("0123456789_")
        example = f", as in {near}" if _NAME.fullmatch(near) else ""
        raise DxirError(
            f"{name[:_LONGEST]!r} cannot be the name of a package",
            hint="it has small letters, digits and words joined by _, begins with a letter, and "
            f"has at most {_LONGEST} characters{example}",
        )
    why = _why_taken(name)
    if why is not None:
        raise DxirError(f"{name!r} {why}", hint=f"choose another name, as {name}_frontend")
    return name


def _why_taken(name: str) -> str | None:
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "is a word of Python's"
    if name in sys.stdlib_module_names:
        return "is a module of Python's"
    if name in _TAKEN:
        return "is taken here"
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is not None and spec.origin is not None:
        return f"is a package that is installed here, {spec.origin}"
    return None


def write_project(name: str, folder: Path) -> list[str]:
    """Write the project of that name; gives its files.

    DxirError for a folder that cannot be written, or that has something in it.
    """
    try:
        _refuse(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=folder.parent) as beside:
            made = Path(beside) / name
            files = _written(name, made)
            if folder.is_dir():
                folder.rmdir()
            shutil.move(made, folder)
    except OSError as error:
        where = str(error.filename or folder)
        raise DxirError(
            f"the project cannot be written: {error.strerror or error}",
            where=where,
            hint="--path names a folder that you may write in",
        ) from None
    return files


def _refuse(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise DxirError("there is a file of that name", where=str(folder), hint=_ELSEWHERE)
    if folder.is_dir() and any(folder.iterdir()):
        raise DxirError("the folder is not empty", where=str(folder), hint=_ELSEWHERE)


_ELSEWHERE = "choose another name, or another folder by --path; nothing is overwritten"


def _written(name: str, folder: Path) -> list[str]:
    words = {
        "@NAME@": name,
        "@STABLEHLO@": STABLEHLO,
        "@RELEASE@": f">={dxir.__version__.partition('+')[0]}",
    }
    files: list[str] = []
    for template in sorted(_STARTER.rglob(f"*{_SUFFIX}")):
        parts = template.relative_to(_STARTER).as_posix().removesuffix(_SUFFIX).split("/")
        place = "/".join(_part(part, name) for part in parts)
        text = template.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        files.append(place)
    return files


def _part(part: str, name: str) -> str:
    if part.startswith(_HIDDEN):
        return f".{part.removeprefix(_HIDDEN)}"
    return name if part == _PACKAGE else part
