"""Arrays made of numbers, shapes and lists, at once and while tracing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import AttributeValueError, DTypeError, DxirError, OperandError, ShapeError
from dxir.graph import building


def made(run: Any, function: Any) -> Any:
    """What a function without arrays gives, both ways."""
    return run(lambda x: function(), np.float32(0))


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda: xp.zeros((2, 3)), np.zeros((2, 3), np.float32)),
        (lambda: xp.zeros(4, dtype=xp.int8), np.zeros(4, np.int8)),
        (lambda: xp.ones([2], dtype=bool), np.ones(2, bool)),
        (lambda: xp.ones((), dtype=complex), np.ones((), np.complex64)),
        (lambda: xp.full((2, 2), 7), np.full((2, 2), 7, np.int32)),
        (lambda: xp.full(2, 1.5), np.full(2, 1.5, np.float32)),
        (lambda: xp.full(2, True), np.full(2, True)),
        (lambda: xp.full(2, 1j), np.full(2, 1j, np.complex64)),
        (lambda: xp.full(2, 3, dtype=xp.float64), np.full(2, 3.0)),
        (lambda: xp.full(3, xp.asarray(2.0)), np.full(3, 2, np.float32)),
        (lambda: xp.empty((0, 2)), np.zeros((0, 2), np.float32)),
        (lambda: xp.arange(5), np.arange(5, dtype=np.int32)),
        (lambda: xp.arange(300), np.arange(300, dtype=np.int32)),
        (lambda: xp.arange(5, 500, 7), np.arange(5, 500, 7, dtype=np.int32)),
        (lambda: xp.arange(500, 5, -3, dtype=xp.int64), np.arange(500, 5, -3)),
        (lambda: xp.arange(0.0, 100.0, 0.5), np.arange(0, 100, 0.5, dtype=np.float32)),
        (lambda: xp.arange(3, 1), np.zeros(0, np.int32)),
        (lambda: xp.linspace(0, 1, 5), np.linspace(0, 1, 5, dtype=np.float32)),
        (lambda: xp.linspace(-1, 3, 200), np.linspace(-1, 3, 200, dtype=np.float32)),
        (lambda: xp.linspace(0, 1, 4, endpoint=False), np.array([0, 0.25, 0.5, 0.75], np.float32)),
        (lambda: xp.linspace(0, 1, 0), np.zeros(0, np.float32)),
        (lambda: xp.linspace(2, 3, 1), np.array([2], np.float32)),
        (lambda: xp.linspace(0, 10, 3, dtype=xp.int32), np.array([0, 5, 10], np.int32)),
        (lambda: xp.linspace(0, 1j, 3), np.array([0, 0.5j, 1j], np.complex64)),
        (lambda: xp.eye(3), np.eye(3, dtype=np.float32)),
        (lambda: xp.eye(20, 30, k=2, dtype=xp.int32), np.eye(20, 30, 2, dtype=np.int32)),
        (lambda: xp.eye(9, 9, k=-3), np.eye(9, 9, -3, dtype=np.float32)),
    ],
)
def test_arrays_are_made_as_by_numpy(run: Any, call: Any, wanted: Any) -> None:
    found = made(run, call)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


def test_large_arrays_of_a_traced_function_are_ops_and_no_constants() -> None:
    graph = dxir.Function("main", [dxir.f32[()]])
    with building(graph):
        parts = [xp.zeros((4096, 4096)), xp.eye(2048), xp.linspace(0, 1, 10**6)]
        total = xp.sum(xp.arange(10**6)) + sum(xp.sum(p) for p in parts)
        graph.seal([total.value()])
    assert max(len(str(n)) for n in graph.nodes) < 1000
    assert len(dxir.lower(graph).text()) < 20_000


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        (1, "int32"), (True, "bool"), (1.5, "float32"), (1j, "complex64"), ([1, 2], "int32"),
        ([1, 2.5], "float32"), ([True, False], "bool"), ([[1, 2], [3, 4]], "int32"),
        ((1.0, 2j), "complex64"), (2**40, "int64"), ([2**63], "uint64"), ([], "float32"),
        (np.float64(2), "float64"), (np.arange(3), "int64"), ([np.int8(3)], "int8"),
        (np.zeros(2, np.float16), "float16"), (np.arange(2, dtype=">i4"), "int32"),
    ],
)  # fmt: skip
def test_python_numbers_have_default_types_and_arrays_keep_theirs(given: Any, dtype: str) -> None:
    found = xp.asarray(given)
    assert found.numpy().dtype == dtype
    np.testing.assert_array_equal(found, np.asarray(given))
    assert not found.weak


def test_nested_lists_may_hold_arrays(run: Any) -> None:
    x = np.float32(3)
    np.testing.assert_array_equal(
        run(lambda a: xp.asarray([[a, 1], [2.5, a]]), x), np.array([[3, 1], [2.5, 3]], np.float32)
    )
    assert xp.asarray([xp.asarray(1), xp.asarray(2.5)]).dtype == dxir.f32
    with pytest.raises(ShapeError, match="the parts of a list have shapes"):
        xp.asarray([xp.ones(2), xp.ones(3)])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: xp.asarray("text"), OperandError, "no array can be made of 'text'"),
        (lambda: xp.asarray([[1, 2], [3]]), ShapeError, "no array can be made of"),
        (lambda: xp.asarray({"a": 1}), OperandError, "no array can be made of"),
        (lambda: xp.asarray([300], dtype=xp.int8), DTypeError, "no array can be made of"),
        (lambda: xp.asarray([1], copy=False), AttributeValueError, "is a copy"),
        (lambda: xp.zeros(3, dtype="no type"), DTypeError, "'no type' is not an element type"),
        (lambda: xp.zeros(-3), ShapeError, "-3 is not a dimension"),
        (lambda: xp.zeros(2.5), ShapeError, "2.5 is not a dimension"),
        (lambda: xp.zeros(3, device="tpu"), AttributeValueError, "there is no device 'tpu'"),
        (lambda: xp.arange(1, 2, 0), AttributeValueError, "step is 0"),
        (lambda: xp.arange("3"), OperandError, "arange takes numbers"),
        (lambda: xp.linspace(0, 1, -1), AttributeValueError, "num is -1"),
        (lambda: xp.meshgrid(xp.ones((2, 2))), ShapeError, "meshgrid takes arrays of one axis"),
        (lambda: xp.full(2, 1.5, dtype=xp.int32), DTypeError, "1.5 is no number of type i32"),
    ],
)
def test_what_no_array_can_be_made_of_is_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message.replace(".", r"\.")) as refused:
        call()
    assert __file__ in str(refused.value)


def test_a_bound_that_is_traced_is_refused() -> None:
    graph = dxir.Function("main", [dxir.i32[()]])
    bound = Array(graph.params[0])
    with building(graph), pytest.raises(ShapeError, match="size of the result is not known"):
        xp.arange(bound)


def test_arrays_are_made_like_others(run: Any) -> None:
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    for function, judge in (
        (xp.zeros_like, np.zeros_like), (xp.ones_like, np.ones_like),
        (lambda a, **k: xp.full_like(a, 3, **k), lambda a, **k: np.full_like(a, 3, **k)),
    ):  # fmt: skip
        np.testing.assert_array_equal(run(function, x), judge(x))
        found = run(lambda a, f=function: f(a, dtype=xp.float32), x)
        np.testing.assert_array_equal(found, judge(x, dtype=np.float32))


def test_triangles_are_those_of_numpy(run: Any) -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) + 1
    for k in (-5, -1, 0, 2, 9):
        np.testing.assert_array_equal(run(lambda a, k=k: xp.tril(a, k=k), x), np.tril(x, k))
        np.testing.assert_array_equal(run(lambda a, k=k: xp.triu(a, k=k), x), np.triu(x, k))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_grids_are_those_of_numpy(run: Any, indexing: str) -> None:
    given = [np.arange(n, dtype=np.float32) for n in (2, 3, 4)]
    for count in (1, 2, 3):
        found = run(lambda *a: xp.meshgrid(*a, indexing=indexing), *given[:count])
        wanted = np.meshgrid(*given[:count], indexing=indexing)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


def test_arrays_go_to_other_libraries_and_come_back() -> None:
    x = xp.asarray([1.0, 2.0])
    np.testing.assert_array_equal(np.from_dlpack(x), [1, 2])
    np.testing.assert_array_equal(xp.from_dlpack(np.arange(3)), [0, 1, 2])
    np.testing.assert_array_equal(np.asarray(x, np.float64), [1, 2])
    assert x.__dlpack_device__() == (1, 0)


def test_the_namespace_says_what_it_can_do() -> None:
    info = xp.__array_namespace_info__()
    assert info.default_dtypes()["real floating"] == xp.float32
    assert info.dtypes(kind="unsigned integer") == {
        "uint8": xp.uint8, "uint16": xp.uint16, "uint32": xp.uint32, "uint64": xp.uint64,
    }  # fmt: skip
    assert (info.devices(), info.default_device()) == (["cpu"], "cpu")
    assert xp.zeros(2).device == "cpu"
    assert xp.zeros(2).to_device("cpu").shape == (2,)
    with pytest.raises(DxirError, match="cannot be brought to 'gpu'"):
        xp.zeros(2).to_device("gpu")
    assert xp.zeros(2).__array_namespace__(api_version="2023.12") is xp
    with pytest.raises(DxirError, match=r"version '1999\.1' of the array API standard"):
        xp.zeros(2).__array_namespace__(api_version="1999.1")


def test_element_types_tell_their_limits_and_kinds() -> None:
    assert xp.finfo(xp.float32).eps == np.finfo(np.float32).eps
    assert xp.finfo(xp.ones(2, dtype=xp.complex128)).dtype == xp.float64
    assert xp.finfo(xp.bfloat16).max == pytest.approx(3.39e38, rel=1e-2)
    assert (xp.iinfo(xp.int8).min, xp.iinfo(xp.uint64).max) == (-128, 2**64 - 1)
    assert xp.isdtype(xp.float32, "real floating")
    assert xp.isdtype(xp.uint8, ("bool", "integral"))
    assert not xp.isdtype(xp.bool, "numeric")
    assert xp.isdtype(xp.int8, xp.int8)
    assert xp.can_cast(xp.int8, xp.int32)
    assert not xp.can_cast(xp.float64, xp.float32)
    for call in (lambda: xp.finfo(xp.int8), lambda: xp.iinfo(xp.float32)):
        with pytest.raises(DTypeError, match="info takes"):
            call()


def test_conversion_saturates_and_truth_is_what_is_not_zero(run: Any) -> None:
    x = np.array([1.7, -1.7, 300, np.nan, 0], np.float32)
    np.testing.assert_array_equal(run(lambda a: a.astype(xp.int8), x), [1, -1, 127, 0, 0])
    np.testing.assert_array_equal(run(lambda a: a.astype(bool), x), [1, 1, 1, 1, 0])
    z = np.array([1j, 0], np.complex64)
    np.testing.assert_array_equal(run(lambda a: xp.astype(a, xp.bool), z), [True, False])
    with pytest.raises(DTypeError, match="complex numbers are no f32"):
        xp.asarray(z).astype(xp.float32)
