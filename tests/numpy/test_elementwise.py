"""Functions of each element against NumPy, on ordinary and on hostile elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir.numpy as xp
from dxir.errors import DTypeError

Array = np.ndarray[Any, Any]

INF, NAN = float("inf"), float("nan")
HOSTILE = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, 1e-30, 1e30, INF, -INF, NAN]
INTEGERS = {
    "int8": [0, 1, -1, 7, 127, -128], "int16": [0, 1, -5, 32767, -32768],
    "int32": [0, 1, -1, 9, 2**31 - 1, -(2**31)], "int64": [0, 3, -3, 2**63 - 1, -(2**63)],
    "uint8": [0, 1, 2, 255], "uint16": [0, 1, 65535], "uint32": [0, 5, 2**32 - 1],
    "uint64": [0, 5, 2**64 - 1],
}  # fmt: skip
COMPLEX = [0, 1, -1, 1j, -1j, 0.5 + 2j, -3 - 0.25j, 2.5 - 1.5j]

FLOAT_UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "log2",
    "log10",
    "negative",
    "positive",
    "reciprocal",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "square",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "logical_not",
    "real",
    "imag",
    "conj",
]
INTEGER_UNARY = [
    "abs",
    "bitwise_invert",
    "ceil",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "negative",
    "positive",
    "round",
    "square",
    "trunc",
    "logical_not",
    "sign",
    "real",
    "conj",
]
COMPLEX_UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "conj",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "log2",
    "log10",
    "negative",
    "positive",
    "real",
    "reciprocal",
    "sign",
    "sin",
    "sinh",
    "square",
    "sqrt",
    "tan",
    "tanh",
    "logical_not",
]
FLOAT_BINARY = [
    "add",
    "atan2",
    "copysign",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "less",
    "less_equal",
    "logaddexp",
    "maximum",
    "minimum",
    "multiply",
    "nextafter",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
    "logical_and",
    "logical_or",
    "logical_xor",
]
INTEGER_BINARY = [
    "add",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "maximum",
    "minimum",
    "multiply",
    "not_equal",
    "subtract",
    "logical_and",
    "logical_or",
    "logical_xor",
]
COMPLEX_BINARY = [
    "add",
    "divide",
    "equal",
    "multiply",
    "not_equal",
    "subtract",
    "logical_and",
    "logical_or",
]


def judge(name: str) -> Callable[..., Array]:
    """NumPy's function of that name."""
    found: Callable[..., Array] = getattr(np, name)
    return found


def check(found: Array, wanted: Any, rtol: float = 2e-6) -> None:
    wanted = np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, wanted)
        return
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(found.astype(wide), wanted.astype(wide), rtol=rtol, atol=1e-37)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FLOAT_UNARY)
def test_functions_of_floats_are_those_of_numpy(run: Any, name: str, dtype: str) -> None:
    x = np.array(HOSTILE, dtype)
    with np.errstate(all="ignore"):
        wanted = judge(name)(x)
    found = run(getattr(xp, name), x)
    check(found, wanted)
    if found.dtype.kind == "f" and name not in ("acos", "asin", "log", "sign"):
        zeros = (np.asarray(wanted) == 0) & (np.abs(x) < 1)
        np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]))


@pytest.mark.parametrize("name", [n for n in FLOAT_UNARY if n != "signbit"])
def test_functions_of_narrow_floats_are_those_of_wide_ones_rounded(run: Any, name: str) -> None:
    for dtype in (np.float16, ml_dtypes.bfloat16):
        x = np.array([0.0, 0.5, 1.0, 2.0, -1.5, INF, NAN], dtype)
        with np.errstate(all="ignore"):
            wanted = np.asarray(judge(name)(x.astype(np.float64)))
        found = run(getattr(xp, name), x, lower=False)
        assert found.dtype == (dtype if wanted.dtype.kind == "f" else wanted.dtype)
        np.testing.assert_allclose(
            found.astype(np.float64), wanted.astype(np.float64), rtol=2e-2, atol=1e-2
        )


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", INTEGER_UNARY)
def test_functions_of_integers_keep_their_type(run: Any, name: str, dtype: str) -> None:
    x = np.array(INTEGERS[dtype], dtype)
    with np.errstate(all="ignore"):
        wanted = judge(name)(x)
    if name in ("ceil", "floor", "round", "trunc"):
        wanted = x
    check(run(getattr(xp, name), x), wanted)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", COMPLEX_UNARY)
def test_functions_of_complex_numbers_are_those_of_numpy(run: Any, name: str, dtype: str) -> None:
    x = np.array(COMPLEX, dtype)
    with np.errstate(all="ignore"):
        wanted = np.asarray(judge(name)(x))
    found = run(getattr(xp, name), x)
    usual = np.isfinite(wanted)  # of poles and on branch cuts, the standard leaves much open
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found[usual], wanted[usual], rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("name", FLOAT_BINARY)
def test_functions_of_two_floats_are_those_of_numpy(run: Any, name: str) -> None:
    x, y = (a.astype(np.float32) for a in np.meshgrid(HOSTILE, HOSTILE))
    with np.errstate(all="ignore"):
        wanted = judge(name)(x, y)
    found = run(getattr(xp, name), x, y)
    if name in ("floor_divide", "remainder"):  # of 1e30 by 1e-30, say, nothing is left of it
        usual = (np.abs(x) < 1e20) & (np.abs(y) > 1e-20) | ~np.isfinite(x)
        found, wanted = found[usual], wanted[usual]
    check(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_functions_of_two_integers_are_those_of_numpy(run: Any, name: str, dtype: str) -> None:
    x, y = np.meshgrid(*[np.array(INTEGERS[dtype], dtype)] * 2)
    with np.errstate(all="ignore"):
        wanted = judge(name)(x, y)
    check(run(getattr(xp, name), x, y), wanted)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "pow"])
def test_integers_are_divided_and_raised_as_by_numpy(run: Any, name: str, dtype: str) -> None:
    x, y = np.meshgrid(np.array(INTEGERS[dtype], dtype), np.array([1, 2, 5], dtype))
    with np.errstate(all="ignore"):
        wanted = judge(name)(x, y)
    check(run(getattr(xp, name), x, y), wanted)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits_are_moved_as_by_numpy(run: Any, dtype: str) -> None:
    x, y = np.meshgrid(np.array(INTEGERS[dtype], dtype), np.array([0, 1, 5], dtype))
    check(run(xp.bitwise_left_shift, x, y), np.left_shift(x, y))
    check(run(xp.bitwise_right_shift, x, y), np.right_shift(x, y))


@pytest.mark.parametrize("name", COMPLEX_BINARY)
def test_functions_of_two_complex_numbers_are_those_of_numpy(run: Any, name: str) -> None:
    x, y = np.meshgrid(np.array(COMPLEX, np.complex64), np.array(COMPLEX[1:], np.complex64))
    check(run(getattr(xp, name), x, y), judge(name)(x, y))


def test_truth_values_are_combined_as_bits(run: Any) -> None:
    x, y = np.array([True, True, False]), np.array([True, False, False])
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "equal", "maximum", "less"):
        check(run(getattr(xp, name), x, y), judge(name)(x, y))
    check(run(xp.bitwise_invert, x), ~x)


def test_powers_by_python_numbers_are_those_of_numpy(run: Any) -> None:
    x = np.array(HOSTILE, np.float32)
    for power in (0, 1, 2, 3, -1, 0.5, 2.0):
        powers = np.full_like(x, power)  # of one number NumPy takes the root, also of -inf
        with np.errstate(all="ignore"):
            check(run(lambda a, p=power: a**p, x), np.power(x, powers), rtol=1e-5)
            check(run(lambda a, p=power: p**a, x), np.power(powers, x), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_clip_bounds_by_numbers_and_arrays(run: Any, dtype: str) -> None:
    x = np.array([0, 1, 2, 3, 4, 5], dtype)
    check(run(lambda a: xp.clip(a, 1, 3), x), np.clip(x, 1, 3))
    check(run(lambda a: xp.clip(a, min=2), x), np.clip(x, 2, None))
    check(run(lambda a: xp.clip(a, max=a[2]), x), np.clip(x, None, x[2]))
    check(run(lambda a: xp.clip(a), x), x)


def test_bounds_beyond_an_integer_type_are_its_limits(run: Any) -> None:
    x = np.array([0, 100, 255], np.uint8)
    check(run(lambda a: xp.clip(a, -5, 1000), x), x)
    with pytest.raises(DTypeError, match=r"clip: the bound 0\.5 is no number of the array's kind"):
        xp.clip(xp.asarray([1, 2]), 0.5)


def test_where_chooses_elements_of_the_common_type(run: Any) -> None:
    c = np.array([True, False, True])
    x, y = np.array([1, 2, 3], np.int8), np.array([1.5, 2.5, NAN], np.float32)
    check(run(xp.where, c, x, y), np.where(c, x, y))
    check(run(lambda m, a: xp.where(m, a, 0), c, y), np.where(c, y, np.float32(0)))
    check(run(lambda m, a: xp.where(m, -1.0, a), c, y), np.where(c, np.float32(-1), y))
    wide = np.ones((2, 1, 3), np.float32)
    check(run(xp.where, c, wide, y[:, None]), np.where(c, wide, y[:, None]))


def test_nan_and_infinities_are_replaced(run: Any) -> None:
    x = np.array(HOSTILE, np.float32)
    check(run(xp.nan_to_num, x), np.nan_to_num(x))
    check(run(lambda a: xp.nan_to_num(a, 7.0, 8.0, 9.0), x), np.nan_to_num(x, True, 7, 8, 9))


def test_elements_are_close_as_by_numpy(run: Any) -> None:
    x, y = (a.astype(np.float32) for a in np.meshgrid(HOSTILE, HOSTILE))
    for equal_nan in (False, True):
        wanted = np.isclose(x, y + np.float32(1e-7), equal_nan=equal_nan)
        found = run(
            lambda a, b, e=equal_nan: xp.isclose(a, b + np.float32(1e-7), equal_nan=e), x, y
        )
        check(found, wanted)


def test_integers_become_floats_where_a_function_needs_them(run: Any) -> None:
    x = np.array([1, 2, 3], np.int32)
    check(run(xp.exp, x), np.exp(x.astype(np.float32)))
    check(run(xp.divide, x, x[::-1].copy()), (x / x[::-1]).astype(np.float32))
    check(run(lambda a: a / 2, x), (x / 2).astype(np.float32))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: xp.bitwise_and(xp.ones(2), xp.ones(2)), "bitwise_and takes int or uint or bool"),
        (lambda: xp.less(xp.asarray([1j]), xp.asarray([1j])), "less takes int or uint or float"),
        (lambda: xp.floor(xp.asarray([1j])), "floor takes int or uint or float"),
        (lambda: xp.negative(xp.asarray([True])), "negative takes int or uint or float or complex"),
        (lambda: xp.add(xp.asarray([1], dtype=xp.uint8), 300), "300 is no"),
        (lambda: xp.asarray([1], dtype=xp.uint64) + xp.asarray([1]), "no element type in common"),
    ],
)
def test_element_types_that_a_function_does_not_take_are_refused(call: Any, message: str) -> None:
    with pytest.raises(DTypeError, match=message) as refused:
        call()
    assert __file__ in str(refused.value)
