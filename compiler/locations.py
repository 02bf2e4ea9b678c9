"""Where a node comes from: the user's file and line."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, Token
from types import CodeType, FrameType
from typing import NamedTuple, ParamSpec, TypeVar

from dxir.errors import DxirError, GraphError

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_OWN_ROOTS = ("compiler", "dialects", "passes", "tools")


class Location(NamedTuple):
    """A place in a source file: `file`, `line` (from 1) and `column` (from 1; 0 if unknown)."""

    file: str
    line: int
    column: int = 0

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


NOWHERE = Location("", 0)


def _own_folders() -> tuple[str, ...]:
    # An editable install serves each folder of the package from the checkout, so dxir's own
    # frames live in four folders beside each other instead of one.
    folders = [_PACKAGE]
    if os.path.basename(os.path.dirname(_PACKAGE)) == "compiler":
        checkout = os.path.dirname(os.path.dirname(_PACKAGE))
        folders += [os.path.join(checkout, name) + os.sep for name in _OWN_ROOTS]
    return tuple(folders)


_OWN_FOLDERS = _own_folders()
_PACKAGES = os.sep + "site-packages" + os.sep
# They call back what they are given, for the user who called them.
_CALLING_BACK = tuple([_PACKAGES + name + os.sep for name in ("numpy", "jax")])
# Code objects of equal text are equal, whichever file they are from, so they are told apart by
# identity, and kept so that their ids stay theirs.
_is_own: dict[int, bool] = {}
_interned: dict[tuple[int, int], Location] = {}
_kept: list[CodeType] = []
_MOST_KEPT = 1 << 16
_enabled = os.environ.get("DXIR_LOCATIONS", "1") != "0"
_override: ContextVar[Location | None] = ContextVar("dxir_location", default=None)


def _own(code: CodeType) -> bool:
    if len(_kept) >= _MOST_KEPT:
        _is_own.clear()
        _interned.clear()
        _kept.clear()
    name = code.co_filename
    own = name.startswith((*_OWN_FOLDERS, "<dxir "))
    own = own or any(package in name for package in _CALLING_BACK)
    own = own or code.co_qualname.startswith("__create_fn__.")  # a dataclass's `__init__`
    _kept.append(code)
    _is_own[id(code)] = own
    return own


def caller_location(depth: int = 1) -> Location | None:
    """The innermost frame that is not dxir's; None when locations are switched off.

    `depth` frames above this one are known to be dxir's and skipped without a look.
    """
    given = _override.get()
    if given is not None:
        return None if given is NOWHERE else given
    if not _enabled:
        return None
    frame: FrameType | None = sys._getframe(depth)  # pyright: ignore[reportPrivateUsage]  # it is documented
    while frame is not None:
        key = (id(frame.f_code), frame.f_lasti)  # finding its line costs more than this
        found = _interned.get(key)
        if found is not None:
            return found
        code = frame.f_code
        own = _is_own.get(id(code))
        if own is None:
            own = _own(code)
        if not own:
            found = _interned[key] = Location(code.co_filename, frame.f_lineno)
            return found
        frame = frame.f_back
    return None


P = ParamSpec("P")
R = TypeVar("R")


def place_error(error: DxirError) -> None:
    """Give an error that says no place that of the user's line, where locations are on."""
    if error.where is None and (place := caller_location()) is not None:
        error.where = str(place)


def placed(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose errors without a place get that of the call."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except DxirError as error:
            place_error(error)
            raise

    return call


def warn_at_caller(message: str, kind: type[Warning]) -> None:
    """Warn at the line outside of dxir that what is warned of comes from."""
    place = caller_location()
    if place is None:
        warnings.warn(message, kind, stacklevel=3)
    else:
        warnings.warn_explicit(message, kind, place.file, place.line)


def given_location() -> Location | None:
    """The location that `at` gives the nodes made here, if it does."""
    given = _override.get()
    return None if given is NOWHERE else given


def enable_locations(enabled: bool) -> None:
    """Switch the recording of the user's file and line on or off for this process."""
    global _enabled
    _enabled = enabled


def at(location: Location | None) -> AbstractContextManager[None]:
    """Give every node made inside this location instead of the Python caller's.

    Front ends of other languages name *their* source with it; None leaves things as they are, and
    NOWHERE makes nodes without a location.
    """
    if location is not None and not _is_place(*location):
        raise GraphError(
            f"{location!r} is not a place", where=caller_location(), hint="give a file and a line"
        )
    return _At(location)


@contextmanager
def moving() -> Generator[Callable[[Location | None], None]]:
    """Give a function that sets the location of the nodes made after it, inside this.

    It does what `at` does, for many locations in turn of nodes that exist: nothing is checked.
    """
    before = _override.get()
    reset = _override.set(before)

    def move(location: Location | None) -> None:
        _override.set(before if location is None else location)

    try:
        yield move
    finally:
        _override.reset(reset)


def _is_place(file: object, line: object, column: object = 0) -> bool:
    if not isinstance(file, str) or not isinstance(line, int) or not isinstance(column, int):
        return False
    text = file.isascii() or file.encode(errors="replace").decode() == file
    return text and 0 <= line < 1 << 31 > column >= 0


class _At:
    """A context manager written out: one made of a generator takes longer than what is inside."""

    __slots__ = ("_location", "_reset")

    def __init__(self, location: Location | None) -> None:
        self._location = location
        self._reset: Token[Location | None] | None = None

    def __enter__(self) -> None:
        if self._location is not None:
            self._reset = _override.set(self._location)

    def __exit__(self, *_: object) -> None:
        if self._reset is not None:
            _override.reset(self._reset)
