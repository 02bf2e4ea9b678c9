"""Modules kept in files, to be held against what a test makes."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dxir.errors import ArtifactError, DxirError

_MOST_LINES = 60
_MOST_COMPARED = 5000  # lines: of more, this would take longer than all else
_UNFIT = re.compile(r"[^\w.-]+")


def assert_matches_snapshot(
    module: Any, path: str | os.PathLike[str], *, update: bool = False, exact: bool = False
) -> None:
    """Assert that a module is the program that a file holds.

    Names, locations and the order of independent ops may differ, unless `exact`: then the text must
    be the same. With `update` a file that is missing or holds another program is written instead,
    and one that does not differ is left as it is. The error has the difference.
    """
    __tracebackhide__ = True
    from dxir.testing.modules import program_of

    program, file = program_of(module), Path(path)
    text = program.text()
    if update:
        if not (file.exists() and _is_same(program, file, text, exact=exact)):
            with _about(file, "written"):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        return
    if not file.exists():
        raise AssertionError(
            f"there is no snapshot {file}\n  hint: pytest --dxir-update writes it; look at it then"
        )
    if not _is_same(program, file, text, exact=exact):
        raise AssertionError(_difference(program, file, text, exact=exact))


@contextmanager
def _about(file: Path, what: str) -> Generator[None]:
    """Within, what goes wrong with a file is an error of dxir."""
    try:
        yield
    except OSError as error:
        raise ArtifactError(
            f"the snapshot cannot be {what}: {error.strerror or error}", where=str(file)
        ) from None


def _kept(file: Path) -> bytes:
    with _about(file, "read"):
        return file.read_bytes()


def _is_same(program: Any, file: Path, text: str, *, exact: bool) -> bool:
    kept = _kept(file)
    if exact or kept == text.encode():
        return kept.decode("utf-8", "replace").splitlines() == text.splitlines()
    from dxir.loading import load

    try:
        return bool(load(kept).fingerprint() == program.fingerprint())
    except DxirError:
        return False


def _difference(program: Any, file: Path, text: str, *, exact: bool) -> str:
    from dxir.differences import difference
    from dxir.loading import load

    kept = _kept(file)
    try:
        told = str(difference(load(kept), program))
    except DxirError as error:
        told = f"the snapshot cannot be read: {error}"
    before, now = kept.decode("utf-8", "replace").splitlines(), text.splitlines()
    shown: list[str] = []
    if max(len(before), len(now)) <= _MOST_COMPARED:
        lines = list(difflib.unified_diff(before, now, "snapshot", "now", n=2))
        left = len(lines) - _MOST_LINES
        shown = lines[:_MOST_LINES] + ([f"... and {left} lines more"] if left > 0 else [])
    why = "text" if exact else "program"
    return "\n".join(
        [
            f"the {why} is not that of the snapshot {file}",
            told,
            *shown,
            "  hint: if it is meant so, pytest --dxir-update writes it anew",
        ]
    )


class Snapshots:
    """The snapshots of one test: `dxir_snapshot(module)` in it asserts that a module is its own.

    They are files `__snapshots__/FILE/TEST.mlir` beside the file of the test, `TEST-NAME.mlir`
    where a test names several; TEST is `CLASS.TEST` in a class. Without a name, the first is
    `TEST.mlir`, then `TEST-2.mlir`. `owners` has the tests that files belong to, for all tests of a
    run: no two have one file.
    """

    def __init__(
        self, file: Path, test: str, *, update: bool, owners: dict[Path, str] | None = None
    ) -> None:
        self.folder = file.parent / "__snapshots__" / file.stem
        self.update = update
        self._id = test
        self._test = _UNFIT.sub("-", test).strip("-")
        self._asked: list[str] = []
        self._held: set[Path] = set()
        self._owners = {} if owners is None else owners

    def __call__(self, module: Any, name: str = "", *, exact: bool = False) -> None:
        """Assert that a module is the program kept for it; see `assert_matches_snapshot`."""
        __tracebackhide__ = True
        path = self.path(name)
        owner = self._owners.setdefault(path, self._id)
        if owner != self._id:
            raise AssertionError(
                f"{owner} and {self._id} have one snapshot, {path}\n"
                "  hint: give one of them a name: dxir_snapshot(module, 'name')"
            )
        # What a test was given a name for once is not written over by what it gives it next.
        update = self.update and path not in self._held
        self._held.add(path)
        assert_matches_snapshot(module, path, update=update, exact=exact)

    def path(self, name: str = "") -> Path:
        """The file that the next snapshot, or the one of that name, is kept in."""
        if not name:
            self._asked.append(name)
            name = "" if len(self._asked) == 1 else str(len(self._asked))
        ending = f"-{_UNFIT.sub('-', name)}" if name else ""
        return self.folder / f"{self._test}{ending}.mlir"
