"""Element types, dimensions, tensor types."""

import pickle
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import DTypeError, ShapeError
from dxir.types import (
    ALL_DTYPES,
    UNKNOWN,
    Dim,
    DType,
    QuantizedType,
    TensorType,
    broadcast_shapes,
    f32,
    i8,
    same_dimension,
    same_shape,
)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=lambda t: t.name)
def test_every_element_type_is_found_by_each_of_its_names(dtype: DType) -> None:
    for spec in (dtype, dtype.name, dtype.mlir, dtype.numpy, dtype.numpy.name, dtype.numpy.type):
        assert DType.of(spec) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=lambda t: t.name)
def test_every_element_type_survives_mlir_and_back(dtype: DType) -> None:
    from dxir.mlir import TypeCache, decode_type, shared_context

    types = TypeCache.of(shared_context())
    for type in (dtype[2, 3], dtype[()], dtype[0, 3], TensorType(("n", 4), dtype)):
        found = decode_type(types.type(type))
        assert isinstance(found, TensorType)
        assert same_shape(found.shape, [UNKNOWN if isinstance(d, Dim) else d for d in type.shape])
        assert found.dtype == dtype


def test_there_are_all_element_types_of_stablehlo() -> None:
    assert len(ALL_DTYPES) == 30
    assert {t.kind for t in ALL_DTYPES} == {"bool", "int", "uint", "float", "complex"}
    assert DType.of(ml_dtypes.bfloat16) is dxir.bf16
    assert DType.of(">f4") is f32


@pytest.mark.parametrize("spec", ["float99", "f4, g", object, "datetime64[s]", np.dtype("U4"), 3.5])
def test_what_is_no_element_type_is_refused_with_the_list_of_those_that_are(spec: object) -> None:
    with pytest.raises(DTypeError, match=r"use one of i1, i2|did you mean f"):
        DType.of(spec)


@pytest.mark.parametrize(("spec", "meant"), [("u8", "ui64"), ("f4", "f32"), ("c8", "c64")])
def test_a_name_that_counts_bytes_is_refused_since_others_count_bits(spec: str, meant: str) -> None:
    with pytest.raises(DTypeError, match="bytes in NumPy, and of bits in dxir") as caught:
        DType.of(spec)
    assert caught.value.hint == f"NumPy's {spec} is {meant} here"
    assert DType.of(f"<{spec}").name == DType.of(np.dtype(spec)).name == meant
    assert DType.of("i8") is i8


@pytest.mark.parametrize(
    "shape", [(-1,), (2.5,), (None,), (True,), ((2, 3),), (10**20,), (1 << 63,)]
)
def test_what_is_no_dimension_is_refused(shape: tuple[object, ...]) -> None:
    with pytest.raises(ShapeError, match="is not a dimension"):
        TensorType(shape, f32)


def test_types_read_as_they_are_written() -> None:
    assert repr(dxir.f32[32, 64]) == "f32[32, 64]"
    assert repr(dxir.bf16[()]) == "bf16[]"
    assert repr(TensorType((2, "n"), f32)) == "f32[2, n]"
    assert repr(TensorType((2, 3), f32, ("rows", "cols"))) == "f32[rows: 2, cols: 3]"
    assert repr(QuantizedType(i8, f32, (0.5,), (3,))[4]) == "quant<i8:f32,0.5:3>[4]"


def test_axis_names_must_be_distinct_and_as_many_as_axes() -> None:
    with pytest.raises(ShapeError, match="1 axis names"):
        TensorType((2, 3), f32, ("a",))
    with pytest.raises(ShapeError, match="used twice"):
        TensorType((2, 3), f32, ("a", "a"))


def test_dynamic_dimensions_are_equal_by_name_and_unknown_ones_match_anything() -> None:
    assert broadcast_shapes((Dim("n"), 1), (Dim("n"), 4)) == (Dim("n"), 4)
    assert broadcast_shapes((UNKNOWN,), (7,)) == (7,)
    with pytest.raises(ShapeError, match="axis -1 is n in one and m in the other"):
        broadcast_shapes((Dim("n"),), (Dim("m"),))


def test_broadcasting_names_both_shapes_and_the_axis() -> None:
    assert broadcast_shapes((4,), (3, 4)) == (3, 4)
    assert broadcast_shapes((1, 4), (3, 1)) == (3, 4)
    assert broadcast_shapes((), (0, 2)) == (0, 2)
    with pytest.raises(ShapeError, match=r"\[2, 3\] and \[2, 4\] do not broadcast: axis -1"):
        broadcast_shapes((2, 3), (2, 4))


def test_quantized_types_must_make_sense() -> None:
    with pytest.raises(DTypeError, match="stores an integer"):
        QuantizedType(f32, f32, (1.0,), (0,))
    with pytest.raises(DTypeError, match="zero points"):
        QuantizedType(i8, f32, (1.0, 2.0), (0,), axis=0)
    with pytest.raises(DTypeError, match="axis they run along"):
        QuantizedType(i8, f32, (1.0, 2.0), (0, 0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: QuantizedType(i8, f32, (-1.0,), (0,)), "not positive and finite"),
        (lambda: QuantizedType(i8, f32, (1e-300,), (0,)), "not positive and finite"),
        (lambda: QuantizedType(i8, f32, (1.0,), (200,)), "zero point 200, outside"),
        (lambda: QuantizedType(i8, f32, (1.0,), (0,), None, 5, -5), "stores 5 to -5"),
        (lambda: QuantizedType(dxir.i64, f32, (1.0,), (0,)), "wider than 32 bits"),
        (lambda: QuantizedType(i8, f32, (1.0,), (0,), -1), "axis -1"),
        (lambda: QuantizedType(i8, f32, 1.0, 0), "scales 1.0"),  # type: ignore[arg-type]
    ],
)
def test_a_quantized_type_that_mlir_would_refuse_is_refused_at_this_line(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(DTypeError, match=words) as caught:
        make()
    assert "test_types.py" in str(caught.value.where)


def test_limits_that_are_those_of_the_storage_are_the_same_type() -> None:
    plain = QuantizedType(i8, f32, (0.5,), (0,))
    assert QuantizedType(i8, f32, (0.5,), (0,), None, -128, 127) == plain
    assert QuantizedType(i8, f32, (0.5,), (0,), None, -127) == QuantizedType(
        i8, f32, (0.5,), (0,), None, -127, 127
    )


def test_an_element_type_is_no_sequence() -> None:
    with pytest.raises(TypeError):
        tuple(f32)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tuple(QuantizedType(i8, f32, (0.5,), (0,)))  # type: ignore[arg-type]


def test_an_unknown_dimension_is_not_larger_than_its_bound() -> None:
    assert same_dimension(Dim("?", 4), 4)
    assert not same_dimension(Dim("?", 4), 64)
