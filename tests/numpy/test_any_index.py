"""Indices as Hypothesis draws them: parts and updates are those of NumPy, in both ways."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

drawn = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def numbers(data: st.DataObject, least: int) -> Any:
    shape = data.draw(hnp.array_shapes(min_dims=least, max_dims=3, min_side=least, max_side=4))
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def agrees(run: Any, x: Any, index: Any) -> None:
    """Elements there are those of NumPy, and so is the array with others there."""
    found, wanted = run(lambda a: a[index], x, lower=False), x[index]
    assert found.shape == np.shape(wanted)
    np.testing.assert_array_equal(found, wanted)
    changed = x.copy()
    changed[index] = 7
    np.testing.assert_array_equal(run(lambda a: a.at[index].set(7), x, lower=False), changed)


@drawn
@given(data=st.data())
def test_slices_and_integers(run: Any, data: st.DataObject) -> None:
    x = numbers(data, 0)
    agrees(run, x, data.draw(hnp.basic_indices(x.shape, allow_newaxis=True)))


def part(data: st.DataObject, size: int, shape: tuple[int, ...]) -> Any:
    elements = st.integers(-size, size - 1)
    one: Any = (1,) * len(shape)
    return data.draw(
        st.one_of(
            st.sampled_from([shape, one, ()]).flatmap(
                lambda s: hnp.arrays(np.int32, s, elements=elements)
            ),
            elements,
            st.lists(elements, min_size=1, max_size=1),
            st.slices(size),
            st.none(),
        )
    )


@drawn
@given(data=st.data())
def test_arrays_of_indices(run: Any, data: st.DataObject) -> None:
    x = numbers(data, 1)
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3))
    count = data.draw(st.integers(1, x.ndim))
    index = [part(data, size, shape) for size in x.shape[:count]]
    if data.draw(st.booleans()):
        index.insert(data.draw(st.integers(0, count)), Ellipsis)
    try:
        x[tuple(index)]
    except IndexError:
        assume(False)
    agrees(run, x, tuple(index))
    places = [i for i, p in enumerate(index) if isinstance(p, np.ndarray)]

    def with_arrays(a: Any, *arrays: Any) -> Any:
        given = list(index)
        for place, array in zip(places, arrays, strict=True):
            given[place] = array
        return a[tuple(given)]

    arrays = [index[i] for i in places]
    found = run(with_arrays, x, *arrays, lower=False)
    np.testing.assert_array_equal(found, x[tuple(index)])


@drawn
@given(data=st.data())
def test_masks(run: Any, data: st.DataObject) -> None:
    x = numbers(data, 0)
    count = data.draw(st.integers(0, x.ndim))
    mask = data.draw(hnp.arrays(bool, x.shape[:count]))
    agrees(run, x, mask)
    changed = x.copy()
    changed[mask] = 7
    np.testing.assert_array_equal(run(lambda a, m: a.at[m].set(7), x, mask, lower=False), changed)
