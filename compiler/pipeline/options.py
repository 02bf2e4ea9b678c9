"""Options of passes and rules: text into the values of their fields, and back."""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, Literal, Union

from dxir.errors import PassError
from dxir.pipeline.base import Pass
from dxir.pipeline.text import parse_options, pipeline_error, split_list

_BOOLEANS = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}
_SPECIAL = re.compile(r"[\s{}()\[\],\"']")


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """An option of a pass or rule: its name in pipelines, its type, default and what it means."""

    name: str
    field: str
    type: Any
    default: Any
    help: str

    @property
    def type_name(self) -> str:
        """The type in words: `int`, `str,...`, `a|b`."""
        return _type_name(self.type)

    @property
    def default_text(self) -> str:
        """The default as pipelines spell it."""
        return _value_text(self.default)


_known: dict[type[Any], dict[str, Option]] = {}


def options_of(cls: type[Any]) -> dict[str, Option]:
    """The options of a pass or a rule, by their names in pipelines."""
    if cls not in _known:
        _known[cls] = _options_of(cls)
    return _known[cls]


def _options_of(cls: type[Any]) -> dict[str, Option]:
    hints = typing.get_type_hints(cls)
    return {
        name: Option(name, f.name, hints[f.name], f.default, f.metadata.get("help", ""))
        for f in dataclasses.fields(cls)
        if f.init
        for name in (f.metadata.get("name") or f.name.replace("_", "-"),)
    }


def checked(option: Option, value: Any, pass_name: str) -> Any:
    """The value given for an option in Python, in its normal form; PassError for another kind."""
    try:
        return accepted(option.type, value)
    except ValueError as error:
        raise PassError(
            f"the option {option.field} of {pass_name} is {error}, not {value!r}"
        ) from None


def accepted(type_: Any, value: Any) -> Any:
    """The value as one of the type, in its normal form; ValueError saying what it must be."""
    kind = typing.get_origin(type_)
    if kind in (Union, types.UnionType):
        return None if value is None else accepted(_present(type_), value)
    if kind is Literal:
        if value not in typing.get_args(type_):
            raise ValueError("one of " + ", ".join(map(str, typing.get_args(type_))))
        return value
    if kind is tuple:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError("a tuple")
        return tuple([accepted(typing.get_args(type_)[0], v) for v in value])
    if type_ is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, type_) or (isinstance(value, bool) and type_ is not bool):
        raise ValueError(_WORDS[type_])
    return value


_WORDS = {bool: "True or False", int: "a whole number", float: "a number", str: "text"}


def make_pass(cls: type[Pass], written: str, text: str, start: int) -> Pass:
    """The pass with the options written, which stand in the pipeline `text` from `start` on."""
    known = options_of(cls)
    values: dict[str, Any] = {}
    at = max(text.find(written, start), start) if written else start
    for given in parse_options(written, at):
        option = known.get(given.name) or known.get(given.name.replace("_", "-"))
        if option is None:
            raise pipeline_error(text, given.start, *_unknown_option(cls, given.name, known))
        if option.field in values:
            raise pipeline_error(
                text, given.start, f"the option {option.name} of {cls.name} is given twice"
            )
        try:
            values[option.field] = converted(option.type, given.value)
        except ValueError as error:
            raise pipeline_error(
                text,
                given.start,
                f"the option {option.name} of {cls.name} is {error}, not {given.value!r}"
                if given.value is not None
                else f"the option {option.name} of {cls.name} needs a value, {error}",
            ) from None
    try:
        return cls(**values)
    except PassError as error:
        raise pipeline_error(text, start, f"{cls.name}: {error.message}", error.hint) from None


def _unknown_option(cls: type[Pass], name: str, known: dict[str, Option]) -> tuple[str, str]:
    near = difflib.get_close_matches(name, known, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else ""
    if not near:
        hint = f"it has {', '.join(known)}" if known else "it takes no options"
    return f"the pass {cls.name} has no option {name!r}", hint


def format_options(pass_: Pass) -> str:
    """The options of a pass that differ from their defaults, as pipelines spell them."""
    return " ".join(
        f"{option.name}={_value_text(value)}"
        for option in options_of(type(pass_)).values()
        if (value := getattr(pass_, option.field)) != option.default
    )


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(_quoted(str(v)) for v in value)
    return _quoted(str(value))


def _quoted(value: str) -> str:
    if value and not _SPECIAL.search(value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _type_name(type_: Any) -> str:
    kind = typing.get_origin(type_)
    if kind is Literal:
        return "|".join(map(str, typing.get_args(type_)))
    if kind is tuple:
        return f"{_type_name(typing.get_args(type_)[0])},..."
    if kind in (Union, types.UnionType):
        return _type_name(_present(type_))
    return str(type_.__name__)


def _present(type_: Any) -> Any:
    """The type without None."""
    (found,) = [t for t in typing.get_args(type_) if t is not type(None)]
    return found


_CONVERT: dict[Any, tuple[Callable[[str], Any], str]] = {
    int: (lambda v: int(v, 0), _WORDS[int]),
    float: (float, _WORDS[float]),
    str: (str, _WORDS[str]),
}


def converted(type_: Any, value: str | None) -> Any:
    """The value of the type that a text stands for; ValueError saying what it must be."""
    kind = typing.get_origin(type_)
    if type_ is bool:
        if value is None:
            return True
        if value.lower() not in _BOOLEANS:
            raise ValueError("true or false")
        return _BOOLEANS[value.lower()]
    if kind in (Union, types.UnionType):
        return None if value == "" else converted(_present(type_), value)
    if kind is Literal:
        choices = {str(c): c for c in typing.get_args(type_)}
        if value not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return choices[value]
    if kind is tuple:
        inner = typing.get_args(type_)[0]
        if value is None:
            raise ValueError("a list with commas between")
        return tuple(converted(inner, v) for v in split_list(value))
    convert, what = _CONVERT[type_]
    if value is None:
        raise ValueError(what)
    try:
        return convert(value)
    except ValueError:
        raise ValueError(what) from None
