"""What executables refuse to be called with, and how they say it."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from dxir.errors import ArgumentError
from dxir.runtime.arguments import Parameter, check_count, host_array, parameters_of
from dxir.types import TensorType, bf16, c64, f8e4m3fnuz, f16, f32, f64, i1, i4, i8, i32, ui8, ui64


def take(given: Any, type: TensorType) -> np.ndarray[Any, Any]:
    return host_array(given, Parameter(0, "x", type))


def refusal(given: Any, type: TensorType) -> str:
    with pytest.raises(ArgumentError) as caught:
        take(given, type)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "type", "told"),
    [
        (np.zeros((8, 4), np.float32), f32[4, 8], "not f32[8, 4]"),
        (np.zeros((4, 8), np.int32), f32[4, 8], "not i32[4, 8]"),
        (np.zeros((32,), np.float32), f32[4, 8], "reshape it to [4, 8]"),
        (np.zeros((8, 4), np.float32), f32[4, 8], "transpose it"),
        (np.zeros((4, 7), np.float32), f32[4, 8], "give an array of shape [4, 8]"),
        (np.zeros((4,), np.float16), bf16[4], "array.astype(ml_dtypes.bfloat16)"),
        (np.zeros((4,), np.uint8), i8[4], "array.astype(np.int8)"),
        (np.zeros((4,), np.float64), f32[4], "array.astype(np.float32)"),
        (np.zeros((4,), np.bool_), i8[4], "not i1[4]"),
        (np.zeros((), np.float32), f32[1], "not f32[]"),
        (np.float64(1), f32[()], "not f64[]"),
        (np.zeros((4,), object), f32[4], "give an array"),
        (np.zeros((4,), "U3"), f32[4], "give an array of numbers"),
        (np.zeros((4,), "M8[s]"), f32[4], "give an array of numbers"),
        (np.zeros((4,), np.longdouble), f64[4], "not"),
        (np.ma.masked_array([1.0, 2.0], [0, 1]), f64[2], "its mask would be lost"),
        (None, f32[()], "not NoneType"),
        ("1.0", f32[()], "not str '1.0'"),
        (object(), f32[()], "not a object"),
        ([[1.0], [2.0, 3.0]], f32[2, 2], "different lengths"),
        ([1, "a"], f32[2], "not [1, 'a']"),
    ],
)
def test_other_arrays_are_refused_with_what_to_do(given: Any, type: TensorType, told: str) -> None:
    message = refusal(given, type)
    assert message.startswith(f"parameter 0 (x) takes {type}, not ")
    assert told in message


@pytest.mark.parametrize(
    ("given", "type"),
    [
        (1, f32[()]),
        (-0.0, f32[()]),
        (float("nan"), bf16[()]),
        (float("-inf"), f16[()]),
        (0.5, bf16[()]),
        (True, i1[()]),
        (1, i8[()]),
        (2**64 - 1, ui64[()]),
        (2**53, f64[()]),
        (-8, i4[()]),
        (1 + 2j, c64[()]),
        (1, c64[()]),
        ([1, 2.5], f32[2]),
        ([[True], [False]], i1[2, 1]),
        ([], i32[0]),
        ([[], []], f32[2, 0]),
        ((1, 2), i32[2]),
        ([np.float32(0.1), np.float32(0.2)], f32[2]),
    ],
)
def test_numbers_are_converted_when_nothing_is_lost(given: Any, type: TensorType) -> None:
    array = take(given, type)
    assert array.dtype == type.dtype.numpy
    assert array.shape == type.shape
    wanted = np.asarray(given)
    back = array.real if array.dtype.kind == "c" and wanted.dtype.kind != "c" else array
    back = back.astype(wanted.dtype)
    assert np.array_equal(back, wanted, equal_nan=wanted.dtype.kind in "fc")


@pytest.mark.parametrize(
    ("given", "type"),
    [
        (0.1, f32[()]),
        (2.0, i32[()]),
        (1.5, i32[()]),
        (True, i32[()]),
        (True, f32[()]),
        (1, i1[()]),
        (128, i8[()]),
        (-1, ui8[()]),
        (2**64, ui64[()]),
        (8, i4[()]),
        (2**53 + 1, f64[()]),
        (2**63 - 1, f64[()]),
        (65537, f16[()]),
        (1e39, f32[()]),
        (1j, f64[()]),
        (-0.0, f8e4m3fnuz[()]),
        ([1, 300], ui8[2]),
        ([1, 2, 3], i32[2]),
        (1, i32[1]),
    ],
)
def test_numbers_that_would_change_are_refused(given: Any, type: TensorType) -> None:
    assert "parameter 0 (x)" in refusal(given, type)


def test_arguments_keep_their_memory_where_they_can() -> None:
    array = np.zeros((2, 3), np.float32)
    assert take(array, f32[2, 3]) is array
    assert take(np.asfortranarray(array), f32[2, 3]).flags.c_contiguous
    swapped = np.array([1, 2], ">f4")
    assert take(swapped, f32[2]).tolist() == [1, 2]
    assert take(swapped, f32[2]).dtype.isnative


def test_foreign_arrays_are_taken_by_their_protocol() -> None:
    class Foreign:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.ones(2, ml_dtypes.bfloat16)

    class Broken:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise RuntimeError("on the moon")

    assert take(Foreign(), bf16[2]).dtype == ml_dtypes.bfloat16
    assert "on the moon" in refusal(Broken(), bf16[2])


def test_the_number_of_arguments_is_checked_first() -> None:
    parameters = parameters_of((f32[2], i32[()]), ("weights",))
    with pytest.raises(ArgumentError, match="takes 2 arguments, not 1") as caught:
        check_count(1, parameters)
    assert "(weights: f32[2], i32[])" in str(caught.value)
    check_count(2, parameters)
