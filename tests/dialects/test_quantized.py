from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import QuantizedType, bf16, f32, i8, i32, ops, ui8
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.op import trace

Q8 = QuantizedType(i8, f32, (0.5,), (3,))
WEIGHT = QuantizedType(i8, f32, (0.25,), (0,))
SUM = QuantizedType(i32, f32, (0.125,), (0,))
ROWS = QuantizedType(ui8, f32, (0.5, 2.0), (10, 0), axis=0)


def function_of(body: Callable[..., Any], *types: Any) -> Function:
    return trace(body, Function("main", types))


def test_quantizing_rounds_to_even_saturates_and_takes_nan_for_zero() -> None:
    function = function_of(lambda x: ops.uniform_quantize(x, Q8), f32[8])
    x = np.array([0, 0.25, 0.75, -0.25, 1e9, -np.inf, np.nan, 61.9], np.float32)
    assert evaluate(function, x).tolist() == [3, 3, 5, 3, 127, -128, 3, 127]


def test_each_index_along_the_axis_has_its_own_scale() -> None:
    x = np.array([[1, 2], [1, 2]], np.float32)
    function = function_of(lambda x: ops.uniform_quantize(x, ROWS), f32[2, 2])
    assert evaluate(function, x).tolist() == [[12, 14], [0, 1]]
    back = function_of(ops.uniform_dequantize, ROWS[2, 2])
    stored = np.array([[12, 14], [0, 255]], np.uint8)
    np.testing.assert_array_equal(evaluate(back, stored), [[1, 2], [0, 510]])


def test_storage_limits_hold() -> None:
    narrow = QuantizedType(i8, f32, (1.0,), (0,), storage_min=-4, storage_max=3)
    function = function_of(lambda x: ops.uniform_quantize(x, narrow), f32[2])
    assert evaluate(function, np.array([-9, 9], np.float32)).tolist() == [-4, 3]


def test_requantizing_goes_through_the_numbers() -> None:
    function = function_of(lambda x: ops.uniform_quantize(x, WEIGHT), Q8[3])
    assert evaluate(function, np.array([3, 4, 127], np.int8)).tolist() == [0, 2, 127]


def test_arithmetic_on_quantized_types_is_that_of_the_numbers() -> None:
    def body(x: Value, y: Value, w: Value) -> Any:
        total = ops.add(x, y)
        product = ops.dot_general(
            x, w, lhs_contracting=(1,), rhs_contracting=(0,), preferred_element_type=SUM
        )
        return total, ops.transpose(ops.max(x, y)), product, ops.compare(x, y, direction="GT")

    function = function_of(body, Q8[2, 3], Q8[2, 3], WEIGHT[3, 1])
    x = np.array([[3, 5, -7], [13, 3, 100]], np.int8)
    y = np.array([[5, 5, 5], [3, 3, 100]], np.int8)
    w = np.array([[4], [8], [-4]], np.int8)
    total, largest, product, greater = evaluate(function, x, y, w)
    numbers = (x - 3.0) * 0.5, (y - 3.0) * 0.5, w * 0.25
    assert total.tolist() == [[5, 7, -5], [13, 3, 127]]
    assert largest.tolist() == np.maximum(x, y).T.tolist()
    np.testing.assert_array_equal(product * 0.125, numbers[0] @ numbers[2])
    assert greater.tolist() == (x > y).tolist()


def test_quantized_programs_verify_serialize_and_come_back() -> None:
    def body(x: Value) -> Value:
        y = ops.uniform_quantize(x, ROWS)
        z = ops.uniform_quantize(ops.add(y, y), Q8)
        return ops.uniform_dequantize(ops.tanh(z))

    program = dxir.lower(function_of(body, f32[2, 2]))
    counts = program.op_counts()
    assert counts["stablehlo.uniform_quantize"] == 2
    loaded = dxir.load(program.serialize())
    assert loaded.fingerprint() == program.fingerprint()
    raised = loaded.raise_()["main"]
    assert raised.nodes[0].results[0].type == ROWS[2, 2]
    assert raised.nodes[0].attrs["dtype"] == ROWS
    assert dxir.lower(loaded.raise_()).fingerprint() == program.fingerprint()


@pytest.mark.parametrize(
    ("body", "type", "error", "words"),
    [
        (
            lambda x: ops.uniform_quantize(x, i8),
            f32[2],
            AttributeValueError,
            "give a QuantizedType",
        ),
        (lambda x: ops.uniform_quantize(x, Q8), bf16[2], DTypeError, "convert it to f32 first"),
        (lambda x: ops.uniform_quantize(x, ROWS), f32[3, 2], ShapeError, "2 scales along axis 0"),
        (lambda x: ops.uniform_quantize(x, ROWS), f32[()], ShapeError, "out of range for rank 0"),
        (
            lambda x: ops.uniform_quantize(x, QuantizedType(i8, f32, (-1.0,), (0,))),
            f32[2],
            DTypeError,
            "scale that is not positive",
        ),
        (
            lambda x: ops.uniform_quantize(x, QuantizedType(i8, f32, (1.0,), (128,))),
            f32[2],
            DTypeError,
            "outside -128..127",
        ),
        (ops.uniform_dequantize, f32[2], DTypeError, "f32[2] is not quantized"),
        (ops.tanh, ROWS[2, 2], DTypeError, "only one scale for the whole tensor"),
    ],
)
def test_what_cannot_be_quantized_is_said_with_this_line(
    body: Any, type: Any, error: type[DxirError], words: str
) -> None:
    with pytest.raises(error) as caught:
        function_of(body, type)
    assert words in str(caught.value)
    assert "test_quantized.py" in str(caught.value.where)
