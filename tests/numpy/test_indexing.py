"""Parts of arrays by index, and arrays changed there, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import DTypeError, DxirError, GraphError, OperandError, ShapeError
from dxir.graph import building

X = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
I = np.array([0, 2, -1], np.int32)
M = np.array([[True, False, True, False]] * 3)

INDICES = [
    0, -1, (1, 2), (1, 2, 3), (), None, Ellipsis, slice(1, None), slice(None, None, -1),
    slice(10, -10, -2), slice(2, 2), (slice(None), 1), (Ellipsis, 0), (0, Ellipsis, None),
    (None, 1, slice(1, 3), None), (slice(None, None, 2), slice(3, 0, -1)), np.int64(1),
    [0, 2], [[0], [-1]], (slice(None), [1, 3]), ([0, 1], [1, 2]),
    ([0, 2], slice(1, 3), [1, 0]), (0, [1, 2]), ([1], 2),
    (slice(None), [[0], [1]], [0, 4, 2]), [],
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_parts_are_those_of_numpy(run: Any, index: Any) -> None:
    wanted = X[index if not isinstance(index, list) else np.asarray(index, int)]
    found = run(lambda a: a[index], X)
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)


def test_parts_at_indices_of_arrays_are_those_of_numpy(run: Any) -> None:
    np.testing.assert_array_equal(run(lambda a, i: a[i], X, I), X[I])
    np.testing.assert_array_equal(run(lambda a, i: a[:, i[:2]], X, I), X[:, I[:2]])
    np.testing.assert_array_equal(run(lambda a, i: a[i[1], :, i], X, I), X[2, :, I])
    np.testing.assert_array_equal(run(lambda a, i: a[i[0]], X, I), X[0])
    np.testing.assert_array_equal(run(lambda a: a[I.astype(np.int8)], X), X[I])
    np.testing.assert_array_equal(run(lambda a: a[xp.asarray(1)], X), X[1])


def test_indices_in_arrays_are_brought_into_range(run: Any) -> None:
    i = np.array([7, -9, 1], np.int32)
    np.testing.assert_array_equal(run(lambda a, j: a[j], X, i), X[[2, 0, 1]])
    np.testing.assert_array_equal(run(lambda a, j: xp.take(a, j, axis=1), X, i), X[:, [3, 0, 1]])


def test_masks_of_known_elements_select(run: Any) -> None:
    np.testing.assert_array_equal(Array(X)[Array(X) > 30], X[X > 30])
    np.testing.assert_array_equal(run(lambda a: a[M], X), X[M])
    np.testing.assert_array_equal(run(lambda a: a[:, M[0]], X), X[:, M[0]])
    np.testing.assert_array_equal(run(lambda a: a[M[:, 0], 1], X), X[M[:, 0], 1])
    np.testing.assert_array_equal(run(lambda a: a[[True, False, True]], X), X[[0, 2]])
    np.testing.assert_array_equal(run(lambda a: a[..., M[0, [0, 1, 2, 3, 0]]], X),
                                  X[..., M[0, [0, 1, 2, 3, 0]]])  # fmt: skip
    np.testing.assert_array_equal(run(lambda a: a[True], X), X[True])
    np.testing.assert_array_equal(run(lambda a: a[False], X), X[False])
    np.testing.assert_array_equal(run(lambda a: a[X < 0], X), X[X < 0])


def test_nothing_is_taken_of_axes_without_elements(run: Any) -> None:
    empty = np.zeros((0, 3), np.float32)
    for index in (np.zeros(0, int), np.zeros((2, 0), int), np.zeros((0, 3), bool)):
        assert run(lambda a, i=index: a[i], empty).shape == empty[index].shape
    assert run(lambda a: a[[]], empty).shape == (0, 3)
    assert run(lambda a, i: a[i], empty, np.zeros(0, np.int32)).shape == (0, 3)
    assert run(lambda a: xp.take(a, [], axis=0), empty).shape == (0, 3)
    with pytest.raises(ShapeError, match="axis 0"):
        Array(empty)[[0]]


def test_a_mask_that_is_traced_is_refused_and_where_is_named() -> None:
    graph = dxir.Function("main", [dxir.f32[3]])
    x = Array(graph.params[0])
    with (
        building(graph),
        pytest.raises(
            GraphError, match=r"x\[mask\]: how many elements are selected depends"
        ) as refused,
    ):
        x[x > 0]
    assert "dxir.numpy.where" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        (3, ShapeError, "index 3 is out of range"), (-4, ShapeError, "index -4 is out of range"),
        ((0, 0, 0, 0), ShapeError, "4 indices are given"),
        ((Ellipsis, Ellipsis), OperandError, r"only one \.\.\."),
        (1.5, OperandError, "cannot be indexed by 1.5"), ("a", OperandError, "cannot be indexed"),
        (np.array([0.5]), DTypeError, "is not a type for indices"),
        (np.ones(4, bool), ShapeError, r"a mask of shape \(4,\) selects along"),
        (slice(0, 1.5), OperandError, "the bounds of a slice are integers, not 1.5"),
    ],
)  # fmt: skip
def test_indices_that_do_not_fit_are_refused(index: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        Array(X)[index]
    assert __file__ in str(refused.value)
    graph = dxir.Function("main", [dxir.f32[3, 4, 5]])
    x = Array(graph.params[0])
    with building(graph), pytest.raises(error, match=message):
        x[index]


def test_a_bound_of_a_slice_that_is_traced_is_refused() -> None:
    graph = dxir.Function("main", [dxir.f32[3], dxir.i32[()]])
    x, n = (Array(p) for p in graph.params)
    with building(graph), pytest.raises(DxirError, match="a bound of a slice is computed"):
        x[:n]
    np.testing.assert_array_equal(Array(X)[: xp.asarray(2)], X[:2])


@pytest.mark.parametrize("index", INDICES[:-1], ids=str)
@pytest.mark.parametrize("method", ["set", "add", "multiply", "min", "max"])
def test_arrays_are_changed_as_by_numpy(run: Any, method: str, index: Any) -> None:
    wanted = X.copy()
    own = np.asarray(index) if isinstance(index, list) else index
    value = np.float32(30)
    old = wanted[own]
    wanted[own] = {
        "set": np.full_like(old, value), "add": old + value, "multiply": old * value,
        "min": np.minimum(old, value), "max": np.maximum(old, value),
    }[method]  # fmt: skip
    found = run(lambda a: getattr(a.at[index], method)(30), X, lower=False)
    np.testing.assert_array_equal(found, wanted)


def test_updates_of_one_element_are_all_applied(run: Any) -> None:
    x, i = np.zeros(3, np.int32), np.array([0, 0, 2, 7], np.int32)
    found = run(lambda a, j: a.at[j].add(np.array([1, 2, 3, 4], np.int32)), x, i)
    np.testing.assert_array_equal(found, [3, 0, 3])  # what is out of range is left out
    np.testing.assert_array_equal(run(lambda a: a.at[1].subtract(4), x), [0, -4, 0])
    np.testing.assert_array_equal(run(lambda a: a.at[1].get(), x), 0)


def test_masks_change_arrays_in_both_ways(run: Any) -> None:
    for method, wanted in (
        ("set", np.where(X > 30, -1, X)), ("add", np.where(X > 30, X - 1, X)),
        ("mul", np.where(X > 30, -X, X)), ("min", np.where(X > 30, -1, X)),
        ("max", X),
    ):  # fmt: skip
        found = run(lambda a, m=method: getattr(a.at[a > 30], m)(-1), X)
        np.testing.assert_array_equal(found, wanted)
    wanted = X.copy()
    wanted[M] = 7
    np.testing.assert_array_equal(run(lambda a, m: a.at[m].set(7), X, M), wanted)
    np.testing.assert_array_equal(run(lambda a: a.at[:, M[0]].set(0), X), X * ~M[0][:, None])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x.at[0].set(xp.ones(4)), DxirError, "shape"),
        (lambda x: x.at[7].set(1), ShapeError, "index 7 is out of range"),
        (lambda x: x.at[x > 0].set(xp.ones((2, 3, 4, 5))), ShapeError, "does not spread to"),
        (lambda x: x.at[M[0]].set(1), ShapeError, "a mask of shape"),
        (lambda x: x.astype(xp.int32).at[0].set(1.5), DTypeError, "1.5 is no number of type i32"),
        (lambda x: x.astype(xp.int32).at[0].add(x[0]), DTypeError, "is put into i32"),
    ],
)
def test_updates_that_do_not_fit_are_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        call(Array(X))
    assert __file__ in str(refused.value)


def test_arrays_are_not_changed_in_place() -> None:
    x = Array(X)
    with pytest.raises(DxirError, match="arrays are not changed in place") as refused:
        x[0] = 1
    assert "x.at[index].set(value)" in (refused.value.hint or "")
    y = x
    y += 1
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, X + 1)


def test_elements_are_taken_along_an_axis_as_by_numpy(run: Any) -> None:
    i = np.array([[[0, 3], [2, 2]]], np.int32)
    np.testing.assert_array_equal(run(lambda a, j: xp.take(a, j, axis=1), X, I), X[:, I])
    np.testing.assert_array_equal(run(xp.take, X[0, 0], I), X[0, 0][I])
    for axis, index in ((1, np.argsort(-X, 1)), (-1, np.argmax(X, -1, keepdims=True))):
        np.testing.assert_array_equal(
            run(lambda a, j, k=axis: xp.take_along_axis(a, j, axis=k), X, index.astype(np.int32)),
            np.take_along_axis(X, index, axis),
        )
    np.testing.assert_array_equal(
        run(lambda a, j: xp.take_along_axis(a, j, axis=1), X, i[:, :1].mT.copy()),
        np.take_along_axis(X, i[:, :1].mT, 1),
    )
    with pytest.raises(ShapeError, match="take needs an axis"):
        xp.take(X, [0])


def test_arrays_are_iterated_and_unpacked() -> None:
    a, b, c = Array(X)
    np.testing.assert_array_equal(b, X[1])
    assert len(Array(X)) == 3
    assert [float(v) for v in Array(X[0, 0])] == [0, 1, 2, 3, 4]
    assert a.shape == c.shape == (4, 5)
