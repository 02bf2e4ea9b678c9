"""Values that one function takes from another."""

from __future__ import annotations

import re
from bisect import bisect_right

from dxir.errors import DxirError
from dxir.verify.finding import Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Source

_FUNCTION = re.compile(r"^[ \t]*(?:func\.)?func\s", re.MULTILINE)
_WORD = r"[\w$.-]"


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
        if super().tells(error, source):
            return True
        if not error.message.startswith("use of undeclared SSA value"):
            return False
        place = Place.of(error.where, source.name)
        line = source.lines[place.line - 1] if 0 < place.line <= len(source.lines) else ""
        # Columns are of bytes.
        used = re.match(rf"%{_WORD}+", _from(line, place.column))
        return used is not None and _is_defined_elsewhere(used[0], place.line, source)


def _from(line: str, column: int) -> str:
    return line.encode()[max(column - 1, 0) :].decode("utf-8", "replace")


def _is_defined_elsewhere(name: str, line: int, source: Source) -> bool:
    """Whether a function other than that around a line defines a value."""
    text = "\n".join(source.lines)
    starts = [text.count("\n", 0, m.end()) + 1 for m in _FUNCTION.finditer(text)]
    here = bisect_right(starts, line)
    defined = re.compile(rf"{re.escape(name)}(?!{_WORD})(?::\d+)?\s*(?:=|:|,\s*%{_WORD}+[^\n]*=)")
    lines = (text.count("\n", 0, m.start()) + 1 for m in defined.finditer(text))
    return any(bisect_right(starts, found) != here for found in lines)
