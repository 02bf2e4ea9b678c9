"""Comparing two modules, or the modules of two folders, and telling what differs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dxir.differences import Difference, difference
from dxir.errors import ArgumentError, DxirError
from dxir.program import Program
from dxir.tools.contained import stage
from dxir.tools.diff_arguments import DiffArguments
from dxir.tools.module_file import called, read_module
from dxir.tools.one_by_one import Stopped, one_by_one
from dxir.tools.tool import failed, tool_name
from dxir.verify.files import find_files

_SAME, _DIFFERENT, _FAILED = 0, 1, 2

Status = Literal["same", "different", "added", "removed", "failed"]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two files of one name: what differs, or on which side there is none, or what went wrong."""

    name: str
    before: str | None
    after: str | None
    found: Difference | None = None
    error: DxirError | None = None

    @property
    def status(self) -> Status:
        """How the two are to each other."""
        if self.error is not None:
            return "failed"
        if self.found is None:
            return "added" if self.before is None else "removed"
        return "same" if self.found.same else "different"

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name,
            "before": self.before,
            "after": self.after,
            "status": self.status,
            "difference": None if self.found is None else self.found.as_dict(),
            "error": None if self.error is None else str(self.error),
        }


def compare(arguments: DiffArguments) -> int:
    """Compare what a command line names; gives the exit code."""
    folders = [os.path.isdir(path) for path in (arguments.before, arguments.after)]
    if folders[0] != folders[1]:
        folder, other = (arguments.before, arguments.after)[:: 1 if folders[0] else -1]
        raise ArgumentError(
            f"{folder} is a folder, and {other} is none",
            hint="compare two modules, or two folders",
        )
    if folders[0]:
        return _compare_folders(arguments)
    found = difference(_read(arguments.before, arguments), _read(arguments.after, arguments))
    _tell(arguments, found)
    return _code(arguments, found)


def _read(path: str, arguments: DiffArguments) -> Program:
    program = read_module(path)
    name = called(path)
    if arguments.passes is not None:
        stage(f"running passes on {name}")
        program = program.run_passes(arguments.passes)
    stage(f"comparing {name}")
    return program


def _code(arguments: DiffArguments, found: Difference) -> int:
    same = found.same and not (arguments.exact and found.spelling)
    return _SAME if same else _DIFFERENT


def _tell(arguments: DiffArguments, found: Difference) -> None:
    if arguments.quiet:
        return
    if arguments.json:
        print(json.dumps(found.as_dict(), indent=2))
        return
    if arguments.markdown:
        from dxir.tools.diff_markdown import page

        print(page(found, arguments.before, arguments.after, arguments.top), end="")
        return
    from dxir.tools.diff_text import print_difference

    print_difference(found, arguments.before, arguments.after, arguments.top, stat=arguments.stat)


def _compare_folders(arguments: DiffArguments) -> int:
    compared = list(_pairs(arguments))
    code = max([_code_of(arguments, each) for each in compared], default=_SAME)
    for each in compared:
        if each.error is not None:
            failed(tool_name(), each.error)
    if arguments.quiet:
        return code
    if arguments.json:
        print(json.dumps({"schema": 1, "files": [c.as_dict() for c in compared]}, indent=2))
        return code
    if arguments.markdown:
        from dxir.tools.diff_markdown import pages

        print(pages(compared, arguments.top), end="")
        return code
    from dxir.tools.diff_text import print_folders

    print_folders(compared, arguments.top, stat=arguments.stat)
    return code


def _code_of(arguments: DiffArguments, compared: Compared) -> int:
    if compared.error is not None:
        return _FAILED
    return _DIFFERENT if compared.found is None else _code(arguments, compared.found)


def _pairs(arguments: DiffArguments) -> Iterator[Compared]:
    """The files of both folders by their names within, each with what differs."""
    first, second = (_files(path) for path in (arguments.before, arguments.after))
    if not first and not second:
        raise ArgumentError(
            f"there are no modules in {arguments.before}, and none in {arguments.after}",
            hint="their names end in .mlir, .mlirbc, .stablehlo or .vhlo, unless they are bytecode",
        )
    names = sorted({*first, *second})
    both = [(name, first[name], second[name]) for name in names if name in first and name in second]
    found = iter(_found(arguments, both))
    for name in names:
        before, after = first.get(name), second.get(name)
        if before is None or after is None:
            yield Compared(name, before, after)
            continue
        each = next(found)
        if isinstance(each, Stopped):
            each = DxirError(
                each.what, where=name, hint=f"`dxir-verify {before} {after}` says more"
            )
        if isinstance(each, DxirError):
            yield Compared(name, before, after, error=each)
        else:
            yield Compared(name, before, after, each)


_Both = tuple[str, str, str]


def _found(
    arguments: DiffArguments, both: Sequence[_Both]
) -> Iterable[Difference | DxirError | Stopped]:
    """What differs between files of one name, or why they were not compared."""

    def compared(each: _Both) -> Difference | DxirError:
        _, before, after = each
        try:
            return difference(_read(before, arguments), _read(after, arguments))
        except DxirError as error:
            if arguments.debug:
                raise
            return error

    # A traceback is told where the work is done.
    return map(compared, both) if arguments.debug else one_by_one(compared, both)


def _files(folder: str) -> dict[str, str]:
    """The modules in a folder, by their paths within."""
    return {os.path.relpath(file.path, folder): file.path for file in find_files([folder])}
