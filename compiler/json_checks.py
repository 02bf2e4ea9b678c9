"""Looking through a JSON document: what is there, what is wrong with it, and where."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from dxir.errors import DxirError, SchemaError
from dxir.locations import Location

Json = Any
Path = tuple[Any, ...]  # (the path of the parent, the key or position in it); () is the document
_T = TypeVar("_T")


def fail(path: Path, message: str, hint: str | None = None) -> NoReturn:
    """Refuse the document; `path` leads to the place in it."""
    raise SchemaError(message, where=path_text(path), hint=hint)


def path_text(path: Path) -> str:
    """The place in a document, such as `$.functions[0].nodes[3].op`."""
    steps: list[str] = []
    while path:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "$" + "".join(reversed(steps))


def path_of(document: Json, wanted: Json) -> Path:
    """Where in the document an object is, by identity."""
    pending: list[tuple[Json, Path]] = [(document, ())]
    while pending:
        value, path = pending.pop()
        if value is wanted:
            return path
        if isinstance(value, (dict, list)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            pending += [(v, (path, k)) for k, v in items]
    return ()


@contextmanager
def placed(location: Location | None) -> Generator[None]:
    """Tell the errors of a node at its place in the front end's source, where that is known."""
    try:
        yield
    except SchemaError as error:
        if location is not None and error.where is not None and error.where.startswith("$"):
            error.message = f"{error.message} ({error.where})"
            error.where = str(location)
        raise


def entries(row: dict[str, Json], key: str, path: Path) -> dict[str, Json]:
    """The object under a key that may be absent."""
    given = row.get(key)
    if given is None:
        return {}
    if not isinstance(given, dict):
        fail((path, key), f"an object is needed, not {kind_of(given)}")
    return given


def called(function: Json) -> list[str]:
    """The names of functions that a function refers to, wherever they stand."""
    found: list[str] = []
    pending: list[Json] = [function.get("nodes")]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            name = value.get("function")
            if isinstance(name, str) and len(value) == 1:
                found.append(name)
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return found


def near(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the known words most like `name`."""
    found = difflib.get_close_matches(name, list(known), n=3)
    return f"did you mean {' or '.join(found)}?" if found else None


def obj(value: Json, path: Path, required: str = "", optional: str = "") -> dict[str, Any]:
    """`value`, when it is an object with these keys and no others."""
    if not isinstance(value, dict):
        fail(path, f"an object is needed, not {kind_of(value)}")
    needed, allowed = required.split(), (required + " " + optional).split()
    for key in needed:
        if key not in value:
            fail(path, f"the key {key!r} is missing")
    for key in value:
        if key not in allowed:
            fail(
                (path, key),
                f"{key!r} is no key here",
                near(key, allowed) or f"use {', '.join(allowed)}",
            )
    return value


def array(value: Json, path: Path, length: int | None = None) -> list[Any]:
    """`value`, when it is an array (of `length` entries)."""
    if not isinstance(value, list):
        fail(path, f"an array is needed, not {kind_of(value)}")
    if length is not None and len(value) != length:
        fail(path, f"{length} entries are needed, not {len(value)}")
    return value


def text(value: Json, path: Path) -> str:
    """`value`, when it is a string."""
    if not isinstance(value, str):
        fail(path, f"a string is needed, not {kind_of(value)}")
    return value


def integer(value: Json, path: Path, low: int | None = None) -> int:
    """`value`, when it is an integer (of at least `low`)."""
    if not isinstance(value, int) or isinstance(value, bool):
        fail(path, f"an integer is needed, not {kind_of(value)}")
    if low is not None and value < low:
        fail(path, f"{value} is less than {low}")
    return value


def flag(value: Json, path: Path) -> bool:
    """`value`, when it is true or false."""
    if not isinstance(value, bool):
        fail(path, f"true or false is needed, not {kind_of(value)}")
    return value


def kind_of(value: Json) -> str:
    """What a JSON value is, for messages."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def guarded(path: Path, make: Callable[[], _T]) -> _T:
    """What `make` gives; its errors are errors of the document at `path`."""
    try:
        return make()
    except SchemaError:
        raise
    except DxirError as error:
        raise SchemaError(error.message, where=path_text(path), hint=error.hint) from error
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        TypeError,
        ValueError,
    ) as error:
        raise SchemaError(f"this cannot be read: {error}", where=path_text(path)) from error
