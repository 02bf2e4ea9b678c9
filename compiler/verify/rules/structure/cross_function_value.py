"""Values that one function takes from another."""

from __future__ import annotations

import re
from bisect import bisect_right

from dxir.errors import DxirError, ParseError
from dxir.verify.finding import Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Source

_FUNCTION = re.compile(r"^[ \t]*(?:func\.)?func\s", re.MULTILINE)
_WORD = r"[\w$.-]"
_TAKEN = re.compile(r"^region entry argument '(%[^']+)' is already in use")


class CrossFunctionValue(Rule, id="structure-cross-function-value", severity="error"):
    """An op uses a value that another function defines.

    A function sees its parameters and what its own ops give, no more. Producers that split a
    program into functions must hand over what was captured as arguments.
    """

    remedy = "make the value a parameter of the function that uses it, and pass it at each call"
    messages = (r"using value defined outside the region",)
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %scale = stablehlo.constant dense<2.0> : tensor<2xf32>
  %y = call @scaled(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @scaled(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.multiply %x, %scale : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %scale = stablehlo.constant dense<2.0> : tensor<2xf32>
  %y = call @scaled(%x, %scale) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @scaled(%x: tensor<2xf32>, %scale: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.multiply %x, %scale : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""

    def tells(self, error: DxirError, source: Source, /) -> bool:
        if super().tells(error, source) or _used_before(error, source) is not None:
            return True
        if not error.message.startswith("use of undeclared SSA value"):
            return False
        place = Place.of(error.where, source.name)
        line = source.lines[place.line - 1] if 0 < place.line <= len(source.lines) else ""
        # Columns are of bytes.
        used = re.match(rf"%{_WORD}+", _from(line, place.column))
        return used is not None and _is_defined_elsewhere(used[0], place.line, source)

    def reworded(self, error: DxirError, source: Source, /) -> DxirError:
        place = _used_before(error, source)
        if place is None:
            return error
        message = "use of a value that a function further down defines"
        return ParseError(message, where=str(place), hint=error.hint)


def _from(line: str, column: int) -> str:
    return line.encode()[max(column - 1, 0) :].decode("utf-8", "replace")


def _used_before(error: DxirError, source: Source) -> Place | None:
    """Where a function uses a value of a later one: MLIR says that it is defined twice."""
    taken = _TAKEN.search(error.message)
    if taken is None:
        return None
    name, line = taken[1], Place.of(error.where, source.name).line
    text = "\n".join(source.lines)
    starts = _starts(text)
    used = re.search(rf"{re.escape(name)}(?!{_WORD})", text)
    if used is None:
        return None
    first = text.count("\n", 0, used.start()) + 1
    if bisect_right(starts, first) == bisect_right(starts, line):
        return None
    column = used.start() - text.rfind("\n", 0, used.start())
    if used.start() == _end_of_indent(text, used.start()) or text[used.end()] in ":#":
        return None  # that is where it is defined
    return Place(source.name, first, column)


def _end_of_indent(text: str, at: int) -> int:
    """Where the line around a place begins, without spaces."""
    start = text.rfind("\n", 0, at) + 1
    return start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))


def _is_defined_elsewhere(name: str, line: int, source: Source) -> bool:
    """Whether a function other than that around a line defines a value."""
    text = "\n".join(source.lines)
    starts = _starts(text)
    here = bisect_right(starts, line)
    lines = (text.count("\n", 0, m.start()) + 1 for m in _defined(name).finditer(text))
    return any(bisect_right(starts, found) != here for found in lines)


def _starts(text: str) -> list[int]:
    """The lines that functions begin at."""
    return [text.count("\n", 0, m.end()) + 1 for m in _FUNCTION.finditer(text)]


def _defined(name: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(name)}(?!{_WORD})(?::\d+)?\s*(?:=|:|,\s*%{_WORD}+[^\n]*=)")
