"""Which element type operands are brought to: the table of the standard, and beyond."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import DTypeError
from dxir.graph import building

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip
KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}


@pytest.mark.parametrize("one", NAMES)
def test_types_of_one_kind_are_promoted_as_the_standard_says(one: str) -> None:
    for other in NAMES:
        a, b = np.dtype(one), np.dtype(other)
        if {one, other} & {"uint64"} and {a.kind, b.kind} == {"i", "u"}:
            with pytest.raises(DTypeError, match="no element type in common"):
                xp.result_type(getattr(xp, one), getattr(xp, other))
            continue
        found = xp.result_type(getattr(xp, one), getattr(xp, other))
        if KINDS[a.kind] == KINDS[b.kind]:
            assert found.numpy == np.result_type(a, b)
        else:  # the wider kind's own type, which NumPy makes wider still
            assert found.numpy == max(a, b, key=lambda t: KINDS[t.kind])


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("bfloat16", "float16", "float32"), ("bfloat16", "float32", "float32"),
        ("float16", "float64", "float64"), ("bfloat16", "int32", "bfloat16"),
        ("bool", "float16", "float16"), ("float16", "complex64", "complex64"),
        ("f8e4m3fn", "f32", "float32"), ("i4", "i8", "int8"), ("ui4", "i8", "int8"),
    ],
)  # fmt: skip
def test_narrow_types_are_promoted_too(one: str, other: str, wanted: str) -> None:
    assert xp.result_type(one, other) == dxir.types.DType.of(wanted)
    assert xp.result_type(other, one) == dxir.types.DType.of(wanted)


def test_narrow_types_without_one_that_holds_both_are_refused() -> None:
    for pair in (("f8e4m3fn", "f8e5m2"), ("f8e4m3fn", "f8e4m3")):
        with pytest.raises(DTypeError, match="no element type in common"):
            xp.result_type(*pair)


@pytest.mark.parametrize(
    ("dtype", "number", "wanted"),
    [
        ("int8", 1, "int8"), ("int8", 1.5, "float32"), ("int8", 1j, "complex64"),
        ("uint8", True, "uint8"), ("float16", 2, "float16"), ("bfloat16", 2.5, "bfloat16"),
        ("float64", 1.5, "float64"), ("float64", 1j, "complex128"), ("float32", 1j, "complex64"),
        ("bool", 1, "int32"), ("bool", 1.5, "float32"), ("complex64", 2.5, "complex64"),
        ("float32", np.float64(1.5), "float32"), ("float32", np.float32(1.5), "float32"),
        ("float16", np.float32(1.5), "float32"), ("int8", np.int32(1), "int32"),
    ],
)  # fmt: skip
def test_python_numbers_take_the_type_of_the_array(
    run: Any, dtype: str, number: Any, wanted: str
) -> None:
    own = dxir.types.DType.of(dtype)
    x = np.ones(2, own.numpy)
    for call in (lambda a: a * number, lambda a: number * a):
        found = run(call, x)
        assert found.dtype == dxir.types.DType.of(wanted).numpy
        np.testing.assert_array_equal(found.astype(complex), np.ones(2) * number)


def test_arrays_that_came_of_python_numbers_stay_weak(run: Any) -> None:
    x = np.ones(2, np.float16)
    for call in (
        lambda a: a * xp.exp(0.0), lambda a: a + xp.add(1, 2.5), lambda a: a * xp.sqrt(4),
        lambda a: a * xp.where(a > 0, 1.0, 2.0), lambda a: a * -xp.multiply(2, 3),
        lambda a: a / xp.divide(1, 2),
    ):  # fmt: skip
        assert run(call, x).dtype == np.float16
    assert run(lambda a: a * xp.asarray(2.0), x).dtype == np.float32


def test_numpy_arrays_on_the_left_make_arrays(run: Any) -> None:
    x = np.array([1, 2], np.float32)
    for op in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow,
               operator.lt, operator.eq, operator.floordiv, operator.mod):  # fmt: skip
        found = run(lambda a, o=op: o(np.array([3, 5], np.float32), a), x)
        np.testing.assert_allclose(found, op(np.array([3, 5], np.float32), x))


INTEGER_OPERATORS = (
    "add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift", "lt", "le",
    "gt", "ge", "eq", "ne",
)  # fmt: skip
FLOAT_OPERATORS = ("add", "sub", "mul", "truediv", "pow", "lt", "eq")


@pytest.mark.parametrize(
    ("symbol", "dtype"),
    [*((s, "int32") for s in INTEGER_OPERATORS), *((s, "float32") for s in FLOAT_OPERATORS)],
)
def test_operators_are_those_of_numpy(run: Any, symbol: str, dtype: str) -> None:
    op = getattr(operator, symbol)
    x, y = np.array([7, -3, 0, 5]).astype(dtype), np.array([2, 3, 1, 5]).astype(dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(run(op, x, y), op(x, y))
        np.testing.assert_array_equal(run(lambda a: op(a, 2), x), op(x, np.array(2, dtype)))
        np.testing.assert_array_equal(run(lambda a: op(2, a), y), op(np.array(2, dtype), y))


def test_what_is_no_operand_is_left_to_python() -> None:
    x = xp.ones(2)
    for other in ("text", [1, 2], None, object()):
        with pytest.raises(TypeError, match=r"unsupported operand|a number is needed"):
            x + other
        with pytest.raises(TypeError, match=r"unsupported operand|a number is needed"):
            other - x
    assert (x == None) is False  # noqa: E711  # what is no operand is not equal


def test_what_the_element_type_does_not_hold_is_refused() -> None:
    for x, number in ((xp.ones(2, dtype=xp.int8), 1000), (xp.ones(2, dtype=xp.uint8), -1)):
        with pytest.raises(DTypeError, match=f"{number} is no") as refused:
            x + number
        assert __file__ in str(refused.value)
    graph = dxir.Function("main", [dxir.i8[2]])
    x = Array(graph.params[0])
    with building(graph), pytest.raises(DTypeError, match="1000 is no"):
        x + 1000
