"""What is the same in every tool: help, version, how an error is told, modules of the user's."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from dxir.errors import DxirError, DxirWarning


class Common(Protocol):
    """What the command line of every tool may ask for."""

    @property
    def debug(self) -> bool:
        """Whether the traceback of an error is shown."""
        ...

    @property
    def version(self) -> bool:
        """Whether the version is asked for."""
        ...

    @property
    def wants_help(self) -> bool:
        """Whether help is asked for."""
        ...


Asked = TypeVar("Asked", bound=Common)

_called = "dxir"


def tool_name() -> str:
    """What messages call the tool that is at work: `dxir-run`, or `dxir run`, as it was called."""
    return _called


@contextmanager
def named(tool: str) -> Generator[None]:
    """Within, messages call the tool so."""
    global _called
    before, _called = _called, tool
    try:
        yield
    finally:
        _called = before


@contextmanager
def noting_warnings(note: Callable[[str], None]) -> Generator[None]:
    """Within, what dxir warns of is a note of the tool, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DxirWarning)
        try:
            yield
        finally:
            told = list(caught)
    for text in dict.fromkeys(str(w.message) for w in told if _is_ours(w)):
        note(text)
    for other in told:
        if not _is_ours(other):
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)


def _is_ours(warning: warnings.WarningMessage) -> bool:
    return issubclass(warning.category, DxirWarning)


def run_tool(
    tool: str,
    asked: Callable[[], Asked],
    help: Callable[[str], str],
    work: Callable[[Asked], int],
    *,
    misused: int = 1,
    failing: int = 1,
) -> int:
    """Do what `asked` reads from the command line; gives the exit code.

    That is `misused` for a command line that cannot be read, `failing` for any other error.
    """
    with named(tool):
        try:
            arguments = asked()
        except DxirError as error:
            failed(tool, error)
            return misused
        try:
            if arguments.wants_help:
                print(help(tool), end="")
                return 0
            if arguments.version:
                return _version(tool)
            return work(arguments)
        except DxirError as error:
            if arguments.debug:
                raise
            failed(tool, error)
            return failing


def failed(tool: str, error: DxirError) -> int:
    """Tell an error that is about no place in a module; gives the exit code."""
    where = f"{error.where}: " if error.where else ""
    with contextlib.suppress(OSError):  # the exit code tells, too
        print(f"{tool}: {where}error: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"{tool}: note: {error.hint}", file=sys.stderr)
    return 1


def _version(tool: str) -> int:
    import dxir
    from dxir.mlir import jaxlib_version
    from dxir.versions import current_version

    print(f"{tool} (dxir {dxir.__version__}, jaxlib {jaxlib_version})")
    print(f"StableHLO {current_version()}")
    return 0


def called_as(names: Sequence[str]) -> str:
    """The name that this process was started under, if it is one of `names`; else their first."""
    name = os.path.basename(sys.argv[0]).removesuffix(".exe")
    return name if name in names else names[0]


def import_module(name: str) -> None:
    """Import a module that `--import` names, from the working folder or installed.

    DxirError for whatever goes wrong in it.
    """
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever the user's module does
        said = f"{type(error).__name__}: {error}"
        raise DxirError(f"--import={name}: {said}", hint="--debug shows where") from error
