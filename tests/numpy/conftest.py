"""Functions run both ways: on numbers at once, and in a function that is traced and evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Array
from dxir.graph import building
from dxir.tracing.trees import flatten
from dxir.types import TensorType


def traced(function: Callable[..., Any], *arrays: Any) -> dxir.Function:
    """The graph of a function on arrays of these types."""
    graph = dxir.Function("main", [TensorType.of_array(np.asarray(a)) for a in arrays])
    with building(graph):
        leaves, _ = flatten(function(*[Array(p) for p in graph.params]))
        graph.seal([leaf.value() for leaf in leaves])
    return graph


def same(eager: Any, later: Any) -> None:
    """The results of both ways are of one type, and equal but for the last bits."""
    assert eager.dtype == later.dtype
    assert eager.shape == later.shape
    if eager.dtype.kind in "biu":
        np.testing.assert_array_equal(eager, later)
    else:
        wide = np.complex128 if eager.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(eager.astype(wide), later.astype(wide), rtol=1e-5, atol=1e-6)


@pytest.fixture
def run() -> Callable[..., Any]:
    """What a function gives on arrays, after both ways were found to agree.

    NumPy arrays; a tuple where it gives several.
    """

    def both(function: Callable[..., Any], *arrays: Any, lower: bool = True) -> Any:
        leaves, tree = flatten(function(*[Array(np.asarray(a)) for a in arrays]))
        assert not any(leaf.is_traced for leaf in leaves)
        found = [leaf.numpy() for leaf in leaves]
        graph = traced(function, *arrays)
        later = dxir.evaluate(graph, *arrays)
        for a, b in zip(found, later if len(found) > 1 else [later], strict=True):
            same(a, np.asarray(b))
        if lower:
            dxir.lower(graph)
        result = tree.build(found)
        return tuple(result) if isinstance(result, (tuple, list)) else result

    return both
