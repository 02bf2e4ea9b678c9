"""Distinct elements. How many there are depends on the elements: not while tracing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dxir import ops
from dxir.numpy.arguments import known, made, public
from dxir.numpy.promotion import promoted
from dxir.numpy.sizes import reshaped
from dxir.tracing.arrays import Array


class UniqueAll(NamedTuple):
    """Distinct elements; where each is first; which of them each element is; how many there are."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """Distinct elements, and how many there are of each."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """Distinct elements, and which of them each element is."""

    values: Array
    inverse_indices: Array


def _unique(x: Any, what: str) -> tuple[Array, Array, Array, Array]:
    numbers = known(x, what)
    values, indices, inverse, counts = np.unique(
        numbers, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    places = [v.astype(np.int32) for v in (indices, inverse.reshape(numbers.shape), counts)]
    return made(values), made(places[0]), made(places[1]), made(places[2])


@public
def unique_all(x: Any, /) -> UniqueAll:
    """Distinct elements and all that is known of them; each NaN is one of its own."""
    return UniqueAll(*_unique(x, "unique_all"))


@public
def unique_counts(x: Any, /) -> UniqueCounts:
    """Distinct elements, and how many there are of each."""
    values, _, _, counts = _unique(x, "unique_counts")
    return UniqueCounts(values, counts)


@public
def unique_inverse(x: Any, /) -> UniqueInverse:
    """Distinct elements, and which of them each element is."""
    values, _, inverse, _ = _unique(x, "unique_inverse")
    return UniqueInverse(values, inverse)


@public
def unique_values(x: Any, /) -> Array:
    """Distinct elements, in order."""
    return _unique(x, "unique_values")[0]


@public
def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Whether elements of the first are among those of the second."""
    a, b = promoted(x1, x2)
    pairs = ops.compare(reshaped(a, (*a.shape, 1)), reshaped(b, (-1,)), direction="EQ")
    found = ops.any(pairs, axes=(len(a.shape),))
    return ops.not_(found) if invert else found
