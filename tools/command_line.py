"""The grammar of command lines, after LLVM's: options declared as fields of a dataclass.

`--x` and `-x` are one option; a value follows after `=` or, where one is needed, as the next
argument; `--` ends the options. Parsing and the help text both come from the fields.
"""

from __future__ import annotations

import dataclasses
import difflib
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dxir.errors import DxirError

Reader = Callable[[str], Any]
"""What makes a value of the text after `=`; ValueError says what is wrong with the text."""

_OPTION = "option"


@dataclass(frozen=True, slots=True)
class CommandOption:
    """How an option is written, and what it means.

    `implied` is the value of an option given without one; None for an option that needs one.
    """

    names: tuple[str, ...]
    group: str
    help: str
    read: Reader
    metavar: str = ""
    implied: str | None = None
    many: bool = False
    ends: bool = False

    @property
    def spelling(self) -> str:
        """The option as messages and the help write it."""
        return spelled(self.names[0])


@dataclass(frozen=True, slots=True)
class OtherOption:
    """An option that was not declared, as written: `text` has the dashes, `name` has not."""

    text: str
    name: str
    value: str | None


@dataclass(slots=True)
class Parsed:
    """What a command line says: values by field, options not declared, and the rest.

    `ended` is true when an option that answers at once (`--help`) cut the reading short.
    """

    values: dict[str, Any] = field(default_factory=dict)
    others: list[OtherOption] = field(default_factory=list)
    positional: list[str] = field(default_factory=list)
    ended: bool = False


def spelled(name: str) -> str:
    """An option's name with its dashes."""
    return f"-{name}" if len(name) == 1 else f"--{name}"


def _declared(option: CommandOption, default: Any) -> Any:
    return field(default=default, metadata={_OPTION: option})


def flag(
    name: str, group: str, help: str, *aliases: str, default: bool = False, ends: bool = False
) -> Any:
    """A field that is on or off; `ends` for one that is answered at once, whatever follows."""
    metavar = "false" if default else ""
    names = (name, *aliases)
    option = CommandOption(names, group, help, _boolean, metavar, implied="true", ends=ends)
    return _declared(option, default)


def value(
    name: str,
    group: str,
    metavar: str,
    help: str,
    *aliases: str,
    read: Reader = str,
    default: Any = None,
    implied: str | None = None,
) -> Any:
    """A field with a value made by `read`; `implied` is the text taken when none is given."""
    return _declared(CommandOption((name, *aliases), group, help, read, metavar, implied), default)


def values(name: str, group: str, metavar: str, help: str) -> Any:
    """A field with a tuple of texts: commas between, or the option repeated."""
    return _declared(CommandOption((name,), group, help, _texts, metavar, many=True), ())


def repeated(name: str, group: str, metavar: str, help: str) -> Any:
    """A field with a tuple of texts, one for each time the option is given, commas and all."""
    return _declared(CommandOption((name,), group, help, _text, metavar, many=True), ())


def choice(
    name: str,
    group: str,
    choices: tuple[str, ...],
    help: str,
    default: str | None = None,
    implied: str | None = None,
) -> Any:
    """A field that is one of some words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"Cannot find option named '{text}'! It is one of {_listed(choices)}")
        return text

    option = CommandOption((name,), group, help, read, "|".join(choices), implied)
    return _declared(option, default)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


_BOOLEANS = {
    **dict.fromkeys(("true", "TRUE", "True", "1"), True),
    **dict.fromkeys(("false", "FALSE", "False", "0"), False),
}


def _boolean(text: str) -> bool:
    if text not in _BOOLEANS:
        raise ValueError(f"'{text}' is invalid value for boolean argument! Try 0 or 1")
    return _BOOLEANS[text]


def _texts(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(",") if part)


def _text(text: str) -> tuple[str, ...]:
    return (text,)


def integer(text: str) -> int:
    """A whole number, also hexadecimal."""
    try:
        number = int(text, 0)
    except ValueError:
        number = 1 << 64
    if abs(number) >= 1 << 63:
        raise ValueError(f"'{text}' value invalid for integer argument!")
    return number


def positive(text: str) -> float:
    """A number above 0, such as seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError(f"'{text}' is not a number above 0")
    return number


def not_negative(text: str) -> float:
    """A number from 0 on, such as a tolerance."""
    return 0.0 if text in ("0", "0.0") else positive(text)


def natural(text: str) -> int:
    """A number from 0 on, such as a seed."""
    number = integer(text)
    if number < 0:
        raise ValueError(f"'{text}' is not a number from 0 on")
    return number


def options_of(cls: type[Any]) -> dict[str, CommandOption]:
    """The options declared by the fields of a dataclass, by field."""
    return {f.name: f.metadata[_OPTION] for f in dataclasses.fields(cls) if _OPTION in f.metadata}


def parse(cls: type[Any], argv: Iterable[str]) -> Parsed:
    """Read a command line by the options that `cls` declares.

    DxirError for a value that an option cannot have, lacks, or gets twice.
    """
    known = {name: (f, o) for f, o in options_of(cls).items() for name in o.names}
    found = Parsed()
    rest = iter(argv)
    for text in rest:
        if text == "--":
            found.positional.extend(rest)
            break
        if not text.startswith("-") or text == "-":
            found.positional.append(text)
            continue
        name, equals, given = text.lstrip("-").partition("=")
        if name not in known:
            _check_utf8(text)
            found.others.append(OtherOption(text, name, given if equals else None))
            continue
        target, option = known[name]
        if option.ends:
            return Parsed({target: True}, ended=True)
        # LLVM takes an empty value for none.
        written = given if equals else _missing(option, rest)
        _take(found, target, option, written or option.implied or "")
    return found


def _check_utf8(text: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        shown = text.encode("utf-8", "backslashreplace").decode()
        raise DxirError(f"the argument '{shown}' is not UTF-8")


def _missing(option: CommandOption, rest: Iterator[str]) -> str:
    """The value of an option written without `=`."""
    if option.implied is not None:
        return option.implied
    following = next(rest, None)
    if following is None or following.startswith("--"):
        hint = f"write {option.spelling}={option.metavar}"
        raise DxirError(f"for the {option.spelling} option: requires a value!", hint=hint)
    return following


def _take(found: Parsed, target: str, option: CommandOption, text: str) -> None:
    if target in found.values and not option.many:
        raise DxirError(f"for the {option.spelling} option: may only occur zero or one times!")
    if option.metavar != "FILE":  # which may have any name
        _check_utf8(text)
    try:
        taken = option.read(text)
    except ValueError as error:
        raise DxirError(f"for the {option.spelling} option: {error}") from None
    found.values[target] = found.values.get(target, ()) + taken if option.many else taken


def nearest(cls: type[Any], text: str, others: Iterable[str] = ()) -> list[str]:
    """The options, of those declared and of `others`, whose names resemble a misspelt one."""
    name = text.lstrip("-").partition("=")[0]
    declared = (n for o in options_of(cls).values() for n in o.names if len(n) > 1)
    names = dict.fromkeys((*declared, *others))
    return [spelled(n) for n in difflib.get_close_matches(name, names, n=2, cutoff=0.7)]


def refuse_others(
    cls: type[Any],
    found: Parsed,
    tool: str,
    hint: str | None = None,
    *,
    error: type[DxirError] = DxirError,
) -> None:
    """Raise `error` where an option was given that `cls` does not declare.

    Its hint names the options that resemble it; it is `hint` where none does.
    """
    for other in found.others:
        near = nearest(cls, other.name)
        raise error(
            f"Unknown command line argument '{spelled(other.name)}'.  Try: '{tool} --help'",
            hint=f"did you mean {' or '.join(near)}?" if near else hint,
        )


_WIDTH = 96
_COLUMN = 32


def help_of(cls: type[Any], order: Sequence[str]) -> str:
    """The options of a dataclass with what they mean, by group, the groups in that order."""
    groups: dict[str, list[CommandOption]] = {group: [] for group in order}
    for option in options_of(cls).values():
        groups[option.group].append(option)
    parts: list[str] = []
    for group, options in groups.items():
        parts.append("\n".join([f"{group}:", *(_row(option) for option in options)]))
    return "\n\n".join(parts)


def _row(option: CommandOption) -> str:
    metavar = option.metavar
    names = sorted(option.names, key=lambda name: (len(name) > 1, name == option.names[0]))
    if metavar and option.implied is not None:
        shown = f"[={metavar}]"
    elif metavar:
        shown = f" {metavar}" if len(names[-1]) == 1 else f"={metavar}"
    else:
        shown = ""
    head = "  " + ", ".join(map(spelled, names)) + shown
    lines = textwrap.wrap(option.help, _WIDTH - _COLUMN, break_on_hyphens=False)
    body = [" " * _COLUMN + line for line in lines]
    if len(head) <= _COLUMN - 2:
        body[0] = head.ljust(_COLUMN) + lines[0]
        return "\n".join(body)
    return "\n".join([head, *body])
