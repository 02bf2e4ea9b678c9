"""Reading and writing the `check` dialect of StableHLO's tests, which the bindings do not have.

`check.expect_eq %a, %b : tensor<2xf32>` becomes a custom call before MLIR reads the text:

    stablehlo.custom_call @check.expect_eq(%a, %b) {dxir.check = {}, has_side_effect = true} : ...

which every context knows, no pass removes, and `restored_checks` turns back in what MLIR prints.
Lines stay where they are, so that diagnostics tell the user's.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from dxir.errors import ParseError

MARK = "dxir.check"
"""The attribute of a custom call that stands for an op of the check dialect; a dictionary."""

PREFIX = "check."
"""What the targets of custom calls that are checks start with, in StableHLO's test data, too."""


@dataclass(frozen=True, slots=True)
class Form:
    """How an op of the check dialect is written: `options` are its keywords with their types."""

    constant: bool = False
    operands: int = 2
    options: tuple[tuple[str, str, str], ...] = ()  # keyword, attribute, type
    both_types: bool = False


_TOLERANCE = ("tolerance", "tolerance", "f64")
FORMS = {
    "expect_eq": Form(),
    "expect_eq_const": Form(constant=True, operands=1),
    "expect_almost_eq": Form(options=(_TOLERANCE,)),
    "expect_almost_eq_const": Form(constant=True, operands=1, options=(_TOLERANCE,)),
    "expect_close": Form(
        options=(
            ("max_ulp_difference", "max_ulp_difference", "ui64"),
            ("min_ulp_difference", "min_ulp_difference", "ui64"),
        ),
        both_types=True,
    ),
    "expect_serialized_eq": Form(
        operands=1, options=(("probe_id", "probe_id", ""), ("iter", "iteration", "ui32"))
    ),
    # As they were called until 2023.
    "eq": Form(constant=True, operands=1),
    "almost_eq": Form(constant=True, operands=1),
}

_HIDDEN = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|//[^\n]*')
_CUSTOM = re.compile(r"(?<![\w.$@%#!^-])check\.(\w+)(?=[ \t\r\n]*%)")
_GENERIC = re.compile(r'"check\.(\w+)"(?=[ \t\r\n]*\()')
_VALUE = re.compile(r"%[\w.$-]+(?:#\d+)?")
_WORD = re.compile(r"[!#]?[A-Za-z_][\w.$-]*")
_NUMBER = re.compile(r"[-+]?(?:0x[0-9A-Fa-f]+|\d[\w.]*(?:(?<=[eE])[-+]\d+)?)")
_SCALAR_TYPE = re.compile(r"\s*:\s*((?:f|ui|si|i)\d+)\b")
_OPEN, _CLOSE = frozenset("([{<"), frozenset(")]}>")
_BRACKET = re.compile(r"->|[()\[\]{}<>]")
_SEPARATOR = re.compile(r"->|[()\[\]{}<>,]")


def rewritten_checks(text: str, name: str) -> str:
    """MLIR text with the ops of the check dialect, in custom and generic form, as custom calls.

    Text without any comes back as it is. Raises ParseError for one that is not written as it must
    be, and for a custom form of none; a generic form of none is left to MLIR's parser.
    """
    if PREFIX not in text:
        return text
    plain = _HIDDEN.sub(_blank, text)
    pieces: list[str] = []
    end = 0
    for found in _CUSTOM.finditer(plain):
        if found.start() >= end:
            if found[1] not in FORMS:
                raise _no_check(text, found, name)
            reader = _Reader(text, plain, found.end(), name, found[1])
            pieces += [text[end : found.start()], reader.call(found.start())]
            end = reader.at
    text = "".join(pieces) + text[end:]
    return _rewritten_generic(text, name) if '"check.' in text else text


def _no_check(text: str, found: re.Match[str], name: str) -> ParseError:
    near = difflib.get_close_matches(found[1], FORMS, n=1)
    return ParseError(
        f"the check dialect has no op 'check.{found[1]}'",
        where=_place(text, found.start(), name),
        hint=f"did you mean {PREFIX}{near[0]}?"
        if near
        else f"it has {', '.join(PREFIX + n for n in FORMS)}",
    )


def _place(text: str, at: int, name: str) -> str:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f"{name}:{line}:{column}"


def _blank(match: re.Match[str]) -> str:
    # Quotes stay, so that a string is still a token.
    return '"' + "_" * (len(match[0]) - 2) + '"' if match[0][0] == '"' else " " * len(match[0])


def _rewritten_generic(text: str, name: str) -> str:
    plain = _HIDDEN.sub(_blank, text)
    comments = [m.span() for m in _HIDDEN.finditer(text) if m[0].startswith("//")]
    pieces: list[str] = []
    end = 0
    for found in _GENERIC.finditer(text):
        hidden = any(a <= found.start() < b for a, b in comments)
        if found[1] not in FORMS or found.start() < end or hidden:
            continue
        reader = _Reader(text, plain, found.end(), name, found[1])
        pieces += [text[end : found.start()], reader.generic_call(found.start())]
        end = reader.at
    return "".join(pieces) + text[end:]


class _Reader:
    """Reads one op of the check dialect from where its name ends."""

    def __init__(self, text: str, plain: str, at: int, name: str, op: str) -> None:
        self.text, self.plain, self.at, self.name, self.op = text, plain, at, name, op
        self.form = FORMS[op]

    def call(self, start: int) -> str:
        """The custom call for the custom form."""
        operands = [self._value()]
        attributes: list[str] = []
        if self.form.operands == 2:
            self._expect(",")
            operands.append(self._value())
        kind = ""
        if self.form.constant:
            self._expect(",")
            value, kind = self._constant()
            attributes.append(f"value = [{value} : {kind}]")
        while self._take(","):
            attributes.append(self._option())
        attributes += self._dictionary()
        types = [kind]
        if not self.form.constant:
            self._expect(":")
            attributes += self._dictionary()
            types = [self._type()] * self.form.operands
            if self.form.both_types:
                self._expect(",")
                types[1] = self._type()
        call = (
            f"stablehlo.custom_call @check.{self.op}({', '.join(operands)}) "
            f"{{{MARK} = {{{', '.join(attributes)}}}, has_side_effect = true}} : "
            f"({', '.join(types)}) -> ()"
        )
        return self._padded(call, start)

    def generic_call(self, start: int) -> str:
        """The generic form's custom call up to, and without, its type."""
        operands = self._balanced()
        attributes: list[str] = []
        if self._take("<"):
            attributes += self._dictionary()
            self._expect(">")
        attributes += self._dictionary()
        attributes = [_wrapped_value(a) for a in attributes]
        call = (
            f'"stablehlo.custom_call"{operands} '
            f'<{{call_target_name = "check.{self.op}", has_side_effect = true}}> '
            f"{{{MARK} = {{{', '.join(attributes)}}}}}"
        )
        return self._padded(call, start)

    def _padded(self, call: str, start: int) -> str:
        """The call with as many line breaks as what it stands for."""
        return call + "\n" * (self.text.count("\n", start, self.at) - call.count("\n"))

    def _space(self) -> None:
        while self.at < len(self.plain) and self.plain[self.at].isspace():
            self.at += 1

    def _take(self, token: str) -> bool:
        start = self.at
        self._space()
        if not self.plain.startswith(token, self.at):
            self.at = start
            return False
        self.at += len(token)
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self._fail(f"expected '{token}'")

    def _matched(self, pattern: re.Pattern[str], what: str) -> str:
        self._space()
        found = pattern.match(self.plain, self.at)
        if found is None:
            self._fail(f"expected {what}")
        assert found is not None
        self.at = found.end()
        return self.text[found.start() : found.end()]

    def _value(self) -> str:
        return self._matched(_VALUE, "an SSA value")

    def _constant(self) -> tuple[str, str]:
        start = self.at
        self._matched(_WORD, "a constant such as dense<1.0>")
        if self.plain.startswith("<", self.at):
            self._balanced()
        value = self.text[start : self.at].strip()
        self._expect(":")
        return value, self._type()

    def _option(self) -> str:
        keyword = self._matched(_WORD, "a keyword")
        known = {k: (a, t) for k, a, t in self.form.options}
        if keyword not in known:
            self._fail(f"expected {' or '.join(known) or 'no option'}, not '{keyword}'")
        attribute, kind = known[keyword]
        self._expect("=")
        if not kind:
            return f"{attribute} = {self._string()}"
        number = self._matched(_NUMBER, "a number")
        scalar = _SCALAR_TYPE.match(self.plain, self.at)
        if scalar:
            self.at = scalar.end()
        return f"{attribute} = {number} : {scalar[1] if scalar else kind}"

    def _string(self) -> str:
        return self._matched(re.compile(r'"[^"\n]*"'), "a string")

    def _type(self) -> str:
        start = self.at
        self._matched(_WORD, "a type")
        if self.plain.startswith("<", self.at):
            self._balanced()
        return self.text[start : self.at].strip()

    def _dictionary(self) -> list[str]:
        if not self._take("{"):
            return []
        self.at -= 1
        return split_entries(self._balanced()[1:-1])

    def _balanced(self) -> str:
        """The bracket that opens here, with all it holds."""
        self._space()
        end = bracket_end(self.plain, self.at)
        if end is None:
            self._fail("expected a bracket that is closed")
        assert end is not None
        start, self.at = self.at, end
        return self.text[start:end]

    def _fail(self, message: str) -> None:
        where = _place(self.text, self.at, self.name)
        raise ParseError(f"'check.{self.op}' op: {message}", where=where)


def bracket_end(plain: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed again; `plain` has no strings."""
    depth = 0
    for found in _BRACKET.finditer(plain, start):
        if depth == 0 and found.start() != start:
            return None
        if found[0] in _OPEN:
            depth += 1
        elif found[0] in _CLOSE:
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def split_entries(text: str) -> list[str]:
    """The entries of a list or dictionary, given without its brackets."""
    plain = _HIDDEN.sub(_blank, text)
    entries: list[str] = []
    start = depth = 0
    for found in _SEPARATOR.finditer(plain):
        if found[0] in _OPEN:
            depth += 1
        elif found[0] in _CLOSE:
            depth -= 1
        elif found[0] == "," and depth == 0:
            entries.append(text[start : found.start()].strip())
            start = found.end()
    entries.append(text[start:].strip())
    return [entry for entry in entries if entry]


def _wrapped_value(entry: str) -> str:
    """The constant in a list: the bindings cannot read a complex one that stands alone."""
    key, _, value = entry.partition("=")
    return f"value = [{value.strip()}]" if key.strip() == "value" else entry


_CALL = re.compile(r"stablehlo\.custom_call @check\.(\w+)(?=\()")
_GENERIC_CALL = re.compile(r'"stablehlo\.custom_call"(?=\()')
_TARGET = re.compile(r'call_target_name = "check\.(\w+)"')


def restored_checks(text: str) -> str:
    """Text that MLIR printed, with the custom calls that stand for checks written as checks."""
    if MARK not in text:
        return text
    lines = text.split("\n")
    return "\n".join(_restored(line) if MARK in line else line for line in lines)


def _restored(line: str) -> str:
    plain = _HIDDEN.sub(_blank, line)
    custom = _CALL.search(line)
    found = custom or _GENERIC_CALL.search(line)
    operands_end = bracket_end(plain, found.end()) if found else None
    if found is None or operands_end is None:
        return line
    operands = line[found.end() + 1 : operands_end - 1]
    op = custom[1] if custom else ""
    at = operands_end + 1
    if not custom:
        target = _TARGET.search(line, operands_end)
        end = bracket_end(plain, at)
        if target is None or end is None:
            return line
        op, at = target[1], end + 1
    end = bracket_end(plain, at)
    if op not in FORMS or end is None or not plain.startswith(" : (", end):
        return line
    entries = [e for e in split_entries(line[at + 1 : end - 1]) if not _is_plumbing(e)]
    marked = next(e for e in split_entries(line[at + 1 : end - 1]) if e.startswith(MARK))
    own = dict(_pair(e) for e in split_entries(marked.partition("=")[2].strip()[1:-1]))
    known = {"value", *(attribute for _, attribute, _ in FORMS[op].options)}
    entries += [f"{key} = {own.pop(key)}" for key in [*own] if key not in known]
    types_end = bracket_end(plain, end + 3)
    if types_end is None:
        return line
    types = line[end + 4 : types_end - 1]
    if custom:
        written = _custom_form(op, operands, own, split_entries(types), entries)
        return line[: found.start()] + written + line[types_end + len(" -> ()") :]
    properties = ", ".join(f"{k} = {_unwrapped(k, v)}" for k, v in own.items())
    written = f'"check.{op}"({operands})' + (f" <{{{properties}}}>" if properties else "")
    written += f" {{{', '.join(entries)}}}" if entries else ""
    return line[: found.start()] + written + line[end:]


def _is_plumbing(entry: str) -> bool:
    return entry.startswith((MARK, "has_side_effect"))


def _pair(entry: str) -> tuple[str, str]:
    key, _, value = entry.partition("=")
    return key.strip(), value.strip()


def _unwrapped(key: str, value: str) -> str:
    return value[1:-1] if key == "value" and value.startswith("[") else value


def _custom_form(
    op: str, operands: str, own: dict[str, str], types: list[str], entries: list[str]
) -> str:
    form = FORMS[op]
    parts = [operands]
    if form.constant and "value" in own:
        parts.append(_unwrapped("value", own["value"]))
    for keyword, attribute, kind in form.options:
        if attribute in own:
            parts.append(f"{keyword} = {own[attribute].removesuffix(f' : {kind}')}")
    text = f"check.{op} {', '.join(parts)}"
    dictionary = f"{{{', '.join(entries)}}}" if entries else ""
    if form.constant:
        return f"{text} {dictionary}".rstrip()
    shown = ", ".join(types) if form.both_types else types[0]
    if form.both_types:
        return f"{text} : {dictionary + ' ' if dictionary else ''}{shown}"
    return f"{text} {dictionary + ' ' if dictionary else ''}: {shown}"
