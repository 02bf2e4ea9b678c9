"""What a traced array was used for where numbers are needed, read from the user's source."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NamedTuple

from dxir.locations import Location, caller_location

_LOOPS = "dxir.fori_loop, dxir.scan or dxir.while_loop"


class Use(NamedTuple):
    """What was done with an array, as a sentence that the array ends, and what to do instead."""

    what: str
    hint: str


_TRUTH: dict[type[ast.AST], Use] = {
    ast.If: Use(
        "an `if` asks for the truth of",
        "write dxir.cond(condition, on_true, on_false, operands), or "
        "dxir.numpy.where(condition, a, b) to choose between elements; an argument that is a "
        "setting goes in static=",
    ),
    ast.IfExp: Use(
        "`a if x else b` asks for the truth of",
        "write dxir.numpy.where(x, a, b), or dxir.cond for branches of which one is computed; an "
        "argument that is a setting goes in static=",
    ),
    ast.While: Use(
        "a `while` asks for the truth of",
        "write dxir.while_loop(condition, body, start); dxir.fori_loop counts, dxir.scan goes over "
        "an array",
    ),
    ast.Assert: Use(
        "an `assert` asks for the truth of",
        "shapes and types can be asserted; what numbers must be is checked by f.eager, or by "
        "returning the condition",
    ),
    ast.And: Use(
        "`and` asks for the truth of", "write x & y, or dxir.numpy.logical_and(x, y), for elements"
    ),
    ast.Or: Use(
        "`or` asks for the truth of", "write x | y, or dxir.numpy.logical_or(x, y), for elements"
    ),
    ast.Not: Use("`not` asks for the truth of", "write ~x, or dxir.numpy.logical_not(x)"),
    ast.Compare: Use(
        "a chain of comparisons asks for the truth of", "write (a < x) & (x < b) for a < x < b"
    ),
    ast.pattern: Use(
        "a `match` asks for the truth of",
        "write dxir.switch(index, branches, operands), or make the argument static",
    ),
    ast.comprehension: Use(
        "the `if` of a comprehension asks for the truth of",
        "choose elements by dxir.numpy.where; how many there are must not depend on numbers",
    ),
}  # fmt: skip

_CALLS = {
    "range": Use(
        "`range` asks for the number of",
        f"loop by {_LOOPS}; a Python loop needs a number that is known, such as a size of a shape "
        "or an argument named in static=",
    ),
    "any": Use("`any` asks for the truth of", "write dxir.numpy.any(x)"),
    "all": Use("`all` asks for the truth of", "write dxir.numpy.all(x)"),
    "max": Use("`max` asks for the truth of", "write dxir.numpy.maximum(x, y)"),
    "min": Use("`min` asks for the truth of", "write dxir.numpy.minimum(x, y)"),
    "sorted": Use("`sorted` asks for the truth of", "write dxir.numpy.sort(x)"),
    "bool": Use("`bool(x)` asks for the truth of", "keep it as an array of i1: x != 0"),
    "int": Use(
        "`int(x)` asks for the number of", "keep it as an array: dxir.numpy.astype(x, dxir.i32)"
    ),
    "float": Use(
        "`float(x)` asks for the number of", "keep it as an array: dxir.numpy.astype(x, dxir.f32)"
    ),
    "complex": Use(
        "`complex(x)` asks for the number of", "keep it as an array: dxir.numpy.astype(x, dxir.c64)"
    ),
    "round": Use("`round` asks for the number of", "write dxir.numpy.round(x)"),
}

_SUBSCRIPT = Use(
    "a Python list or tuple is indexed by",
    "index an array: dxir.numpy.stack(items)[i]; or choose what to do by dxir.switch",
)

FORMAT = Use(
    "a text with a format asks for the number of",
    "print the array as it is, which tells its type; numbers are there when the function has run",
)

SIZE = Use(
    "a size, a bound or an index of Python asks for the number of",
    "sizes are known while a function is traced: name the argument in static=, or take the size "
    "from the shape of an array",
)


def numbers_use(asked: str) -> Use:
    """The use of a method that gives numbers to Python."""
    return Use(
        f"{asked} asks for the numbers of",
        "return the array, and ask for its numbers where the function was called",
    )


JAX = Use(
    "JAX asks for the numbers of",
    "use dxir.numpy in the place of jax.numpy; dxir.load(jax.jit(f).lower(...).as_text()) is a "
    "function of JAX as a program",
)

NUMPY = Use(
    "NumPy asks for the numbers of",
    "use dxir.numpy in the place of numpy: dxir.numpy.asarray(x), dxir.random for random numbers",
)


def use_here(truth: bool) -> Use | None:
    """What the user's code does with an array of which it needs the truth, or the number.

    None where the source does not tell.
    """
    place = caller_location()
    frame = None if place is None else _frame_at(place)
    if frame is None:
        return None
    spans = list(frame.f_code.co_positions())
    line, end_line, column, end_column = spans[frame.f_lasti // 2]
    if line is None or column is None or end_line is None or end_column is None:
        return None
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    inner = (line, column, end_line, end_column)
    return _use([node for node in ast.walk(tree) if _encloses(node, inner)], inner, truth)


_Span = tuple[int, int, int, int]


def _use(around: list[ast.AST], inner: _Span, truth: bool) -> Use | None:
    """The use among the nodes that enclose an instruction, outer ones first."""
    for node in reversed(around):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = _CALLS.get(node.func.id)
            if found is not None:
                return found
        if not truth:
            found = _number_use(node)
            if found is not None:
                return found
            continue
        if isinstance(node, ast.BoolOp):
            return _TRUTH[type(node.op)]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return _TRUTH[ast.Not]
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            return _TRUTH[ast.Compare]
        if isinstance(node, ast.pattern):
            return _TRUTH[ast.pattern]
        # Python 3.11 gives the jump of a statement the place of all of it.
        tested = hasattr(node, "test") and _span_of(node) == inner
        if tested or any(_encloses(test, inner) for test in _tests(node)):
            return _TRUTH[ast.comprehension if hasattr(node, "generators") else type(node)]
    return None


def _number_use(node: ast.AST) -> Use | None:
    """What asks for a number, if a node does."""
    if isinstance(node, ast.Subscript):
        return _SUBSCRIPT
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return FORMAT
    if isinstance(node, ast.FormattedValue):
        return FORMAT
    called = node.func if isinstance(node, ast.Call) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        if called.value.id == "math":
            return Use(
                f"math.{called.attr} asks for the number of",
                f"math is for numbers of Python; dxir.numpy.{called.attr} is for arrays",
            )
        if called.attr == "format":
            return FORMAT
    return None


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        yield node.test
    for clause in getattr(node, "generators", ()):
        yield from clause.ifs


def _span_of(node: ast.AST) -> _Span | None:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", None)
    end, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    if line is None or column is None or end is None or end_column is None:
        return None
    return line, column, end, end_column


def _encloses(node: ast.AST, inner: _Span) -> bool:
    """Whether an instruction is that of the node, or of a part of it."""
    span = _span_of(node)
    return span is not None and span[:2] <= inner[:2] and inner[2:] <= span[2:]


def _frame_at(place: Location) -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]  # documented
    while frame is not None:
        if frame.f_code.co_filename == place.file and frame.f_lineno == place.line:
            return frame
        frame = frame.f_back
    return None
