"""Functions of many elements, searching and sorting, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import DTypeError, GraphError, ShapeError
from dxir.graph import building

RNG = np.random.default_rng(3)
X = RNG.standard_normal((3, 4, 5)).astype(np.float32)
HOSTILE = np.array([3, np.nan, -np.inf, -0.0, 0.0, np.inf, 2], np.float32)
AXES = (None, 0, -1, (0, 2), ())


def close(found: Any, wanted: Any, rtol: float = 1e-5) -> None:
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-6)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min", "var", "std"])
def test_reductions_are_those_of_numpy(run: Any, name: str, axis: Any, keepdims: bool) -> None:
    wanted = getattr(np, name)(X, axis=axis, keepdims=keepdims)
    found = run(lambda a: getattr(xp, name)(a, axis=axis, keepdims=keepdims), X)
    assert found.dtype == np.float32
    close(found, wanted)
    close(run(lambda a: getattr(a, name)(axis, keepdims=keepdims), X), wanted)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["all", "any", "count_nonzero"])
def test_truth_of_many_elements_is_that_of_numpy(run: Any, name: str, axis: Any) -> None:
    for x in (X > 0, (X > 0).astype(np.int8), HOSTILE.reshape(1, 1, -1)):
        wanted = getattr(np, name)(x, axis=axis)
        found = run(lambda a: getattr(xp, name)(a, axis=axis), x)
        assert found.dtype == (np.int32 if name == "count_nonzero" else bool)
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [
        ("bool", "int32"), ("int8", "int32"), ("int16", "int32"), ("int32", "int32"),
        ("int64", "int64"), ("uint8", "uint32"), ("uint16", "uint32"), ("uint64", "uint64"),
        ("float16", "float16"), ("float32", "float32"), ("complex64", "complex64"),
    ],
)  # fmt: skip
def test_sums_of_narrow_integers_are_wide(run: Any, dtype: str, wanted: str) -> None:
    x = np.array([100, 100, 100], np.float32).astype(dtype)
    for name in ("sum", "cumulative_sum"):
        found = run(getattr(xp, name), x)
        assert found.dtype == wanted
        close(found.astype(complex), getattr(np, name)(x).astype(complex), rtol=1e-3)
    assert run(lambda a: xp.sum(a, dtype=xp.float64), x.real).dtype == np.float64
    assert run(lambda a: xp.prod(a, dtype=xp.int8), x.real).dtype == np.int8


def test_sums_of_nothing_are_neutral_and_extrema_are_refused(run: Any) -> None:
    empty = np.zeros((0, 2), np.float32)
    np.testing.assert_array_equal(run(lambda a: xp.sum(a, axis=0), empty), [0, 0])
    np.testing.assert_array_equal(run(xp.prod, empty), 1)
    np.testing.assert_array_equal(run(xp.mean, empty), np.nan)
    np.testing.assert_array_equal(run(xp.all, empty), True)
    np.testing.assert_array_equal(run(lambda a: xp.max(a, axis=1), empty), np.zeros(0))
    for name in ("max", "min", "argmax", "argmin"):
        with pytest.raises(ShapeError, match=f"{name}: .* has no elements to choose from"):
            getattr(xp, name)(Array(empty))


def test_nan_is_the_extremum_wherever_it_is(run: Any) -> None:
    for name in ("max", "min", "argmax", "argmin", "sum", "mean"):
        np.testing.assert_array_equal(run(getattr(xp, name), HOSTILE), getattr(np, name)(HOSTILE))


@pytest.mark.filterwarnings("ignore:Degrees of freedom:RuntimeWarning")
@pytest.mark.parametrize("correction", [0, 1, 0.5, 3])
def test_corrections_of_the_variance_are_those_of_numpy(run: Any, correction: float) -> None:
    with np.errstate(all="ignore"):
        for axis in (None, 0, (1, 2)):
            wanted = np.var(X, axis=axis, ddof=correction)
            close(run(lambda a, i=axis: xp.var(a, axis=i, correction=correction), X), wanted)
            close(
                run(lambda a, i=axis: a.std(i, correction=correction), X),
                np.std(X, axis=axis, ddof=correction),
            )


def test_means_of_integers_and_complex_numbers(run: Any) -> None:
    found = run(xp.mean, np.array([100, 101], np.int8))
    assert (found.dtype, float(found)) == (np.float32, 100.5)
    z = np.array([1 + 2j, 3 - 1j, 0.5j], np.complex64)
    close(run(xp.mean, z), z.mean())
    close(run(xp.var, z), z.var())
    close(run(lambda a, w: xp.average(a, weights=w), X, X**2), np.average(X, weights=X**2))
    close(
        run(lambda a, w: xp.average(a, axis=1, weights=w), X, np.arange(4.0)),
        np.average(X, 1, np.arange(4.0)),
    )


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_running_sums_and_products_are_those_of_numpy(run: Any, name: str) -> None:
    for axis in (0, -1):
        for first in (False, True):
            close(
                run(lambda a, i=axis, f=first: getattr(xp, name)(a, axis=i, include_initial=f), X),
                getattr(np, name)(X, axis=axis, include_initial=first),
            )
    with pytest.raises(ShapeError, match="an axis is needed"):
        getattr(xp, name)(Array(X))
    close(run(xp.cumsum, X), np.cumsum(X))
    close(run(lambda a: xp.cumprod(a, 1), X), np.cumprod(X, 1))
    close(run(xp.cumulative_sum, np.zeros(0, np.float32)), np.zeros(0))


def test_differences_of_neighbours_are_those_of_numpy(run: Any) -> None:
    for n in (0, 1, 2, 9):
        for axis in (0, -1):
            close(run(lambda a, n=n, i=axis: xp.diff(a, n=n, axis=i), X), np.diff(X, n, axis))
    x = np.array([1, 4, 9], np.float32)
    close(
        run(lambda a: xp.diff(a, prepend=xp.asarray(0.0), append=a), x),
        np.diff(x, prepend=np.float32(0), append=x),
    )
    np.testing.assert_array_equal(run(xp.diff, x > 2), np.diff(x > 2))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "int8", "uint16", "bool"])
def test_sorting_is_that_of_numpy(run: Any, dtype: str, descending: bool) -> None:
    x = np.array([[3, 1, 2, 3, 1], [0, 0, 1, 5, 4]]).astype(dtype)
    for axis in (0, -1):
        wanted = np.sort(x, axis)
        found = run(lambda a, i=axis: xp.sort(a, axis=i, descending=descending), x)
        np.testing.assert_array_equal(found, np.flip(wanted, axis) if descending else wanted)
        order = run(lambda a, i=axis: xp.argsort(a, axis=i, descending=descending), x)
        assert order.dtype == np.int32
        np.testing.assert_array_equal(np.take_along_axis(x, order, axis), found)
    if not descending:
        np.testing.assert_array_equal(run(xp.argsort, x), np.argsort(x, stable=True))


def test_hostile_elements_are_sorted_and_found_as_by_numpy(run: Any) -> None:
    found = run(xp.sort, HOSTILE)
    np.testing.assert_array_equal(found, np.sort(HOSTILE))
    for side in ("left", "right"):
        np.testing.assert_array_equal(
            run(lambda a, v, s=side: xp.searchsorted(a, v, side=s), found, HOSTILE),
            np.searchsorted(found, HOSTILE, side=side),
        )
    np.testing.assert_array_equal(run(xp.sort, np.float32(3)), 3)
    np.testing.assert_array_equal(run(xp.argsort, np.float32(3)), 0)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 8, 9, 100])
def test_places_in_sorted_arrays_are_those_of_numpy(run: Any, size: int) -> None:
    x = np.sort(RNG.integers(0, 50, size)).astype(np.int32)
    v = np.arange(-2, 53, dtype=np.int32).reshape(5, 11)
    for side in ("left", "right"):
        found = run(lambda a, b, s=side: xp.searchsorted(a, b, side=s), x, v)
        np.testing.assert_array_equal(found, np.searchsorted(x, v, side))
    order = np.argsort(-x, stable=True).astype(np.int32)
    np.testing.assert_array_equal(
        run(lambda a, b, o: xp.searchsorted(a, b, sorter=o), -x, v, order),
        np.searchsorted(-x, v, sorter=order),
    )


def test_extrema_are_found_as_by_numpy(run: Any) -> None:
    for name in ("argmax", "argmin"):
        for axis in (None, 0, -1):
            for keepdims in (False, True):
                found = run(
                    lambda a, n=name, i=axis, k=keepdims: getattr(xp, n)(a, axis=i, keepdims=k), X
                )
                assert found.dtype == np.int32
                np.testing.assert_array_equal(
                    found, getattr(np, name)(X, axis=axis, keepdims=keepdims)
                )


def test_distinct_elements_are_those_of_numpy() -> None:
    x = np.array([[3, 1, 3], [2, 1, 1]], np.int32)
    found = xp.unique_all(x)
    for a, b in zip(found, np.unique_all(x), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(xp.unique_counts(x).counts, [3, 1, 2])
    np.testing.assert_array_equal(xp.unique_inverse(x).inverse_indices, [[2, 0, 2], [1, 0, 0]])
    assert xp.unique_values(HOSTILE).shape == (6,)
    assert xp.unique_values(np.array([np.nan, np.nan], np.float32)).shape == (2,)
    np.testing.assert_array_equal(xp.nonzero(x - 1)[0], [0, 0, 1])


def test_membership_is_that_of_numpy(run: Any) -> None:
    x, y = np.array([[1, 2], [3, 4]], np.int32), np.array([4, 1, 9], np.int32)
    np.testing.assert_array_equal(run(xp.isin, x, y), np.isin(x, y))
    np.testing.assert_array_equal(
        run(lambda a, b: xp.isin(a, b, invert=True), x, y), ~np.isin(x, y)
    )


@pytest.mark.parametrize(
    "name",
    ["nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values"],
)
def test_sizes_that_depend_on_elements_are_refused_while_tracing(name: str) -> None:
    graph = dxir.Function("main", [dxir.f32[3]])
    with (
        building(graph),
        pytest.raises(
            GraphError, match=f"{name}: the shape of its result depends on the elements"
        ) as refused,
    ):
        getattr(xp, name)(Array(graph.params[0]))
    assert "where" in (refused.value.hint or "")


@pytest.mark.parametrize("name", ["sort", "argsort", "max", "argmax"])
def test_complex_numbers_have_no_order(name: str) -> None:
    with pytest.raises(DTypeError):
        getattr(xp, name)(xp.asarray([1j, 2]))
