"""NumPy's functions on arrays: operators are dxir's, all else is for numbers only."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dxir.errors import TracingError
from dxir.locations import Location, caller_location
from dxir.tracing.leaks import is_over, leak
from dxir.tracing.operators import function

# What `a + x` calls where `a` is NumPy's, by the names in dxir.numpy.
_OPERATORS = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide",
    "floor_divide": "floor_divide", "remainder": "remainder", "power": "pow", "matmul": "matmul",
    "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift", "less": "less",
    "less_equal": "less_equal", "greater": "greater", "greater_equal": "greater_equal",
    "equal": "equal", "not_equal": "not_equal",
}  # fmt: skip


def on_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What a function of NumPy gives where arrays of dxir are among its inputs.

    `a + x` and `a += x` with an array of NumPy on the left are as `x + a`: an array of dxir. Other
    functions compute on the numbers, in NumPy; TracingError for arrays that have none.
    """
    out = options.get("out")
    name = _OPERATORS.get(ufunc.__name__)
    in_place = out is not None and len(inputs) == 2 and out[0] is inputs[0]
    if method == "__call__" and name is not None and (not options or in_place):
        return function(name)(*inputs)
    taken = _numbers(inputs, ufunc.__name__)
    return getattr(ufunc, method)(*taken, **options)


def on_function(called: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What another function of NumPy gives for numbers; TracingError for arrays without any."""
    home = str(getattr(called, "__module__", "")).removeprefix("numpy").removeprefix(".")
    name = f"{home}.{called.__name__}" if home else called.__name__
    return called(*_numbers(args, name), **_numbers(options, name))


def _numbers(given: Any, name: str) -> Any:
    """What a function is given with arrays of dxir as those of NumPy."""
    if isinstance(given, (tuple, list)):
        return type(given)([_numbers(v, name) for v in given])
    if isinstance(given, dict):
        return {k: _numbers(v, name) for k, v in given.items()}
    traced = getattr(given, "is_traced", None)
    if traced and is_over(given.held.region):
        raise leak(given.held, _caller())
    if traced:
        raise TracingError(
            f"np.{name} computes on numbers, and {given.type} stands for any array while the "
            "function is traced",
            where=_caller(),
            hint=f"dxir.numpy has {_like(name)}; `f.eager(...)` runs the function on numbers",
        )
    return given if traced is None else np.asarray(given)


def _caller() -> Location | None:
    """The line that calls NumPy, which lies between it and here."""
    depth, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]  # documented
    while frame.f_back is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if not name.startswith(("numpy.", "dxir.")) and name != "numpy":
            break
        depth, frame = depth + 1, frame.f_back
    return caller_location(depth + 1)


_OTHERS = {"linalg.norm": "linalg.vector_norm", "dot": "matmul"}


def _like(name: str) -> str:
    name = _OTHERS.get(name, name)
    return f"this one: dxir.numpy.{name}" if _is_function(name) else "functions for such arrays"


def _is_function(name: str) -> bool:
    """Whether dxir.numpy has a function of this name."""
    home, _, last = name.rpartition(".")
    try:
        return callable(getattr(function(home), last) if home else function(name))
    except AttributeError:
        return False
