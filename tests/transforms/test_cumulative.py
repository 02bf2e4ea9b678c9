"""Running reductions: zeros, ties, and nothing but -inf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dxir import ops
from dxir.evaluation import evaluate
from dxir.graph import Value
from dxir.transforms import vjp_function
from dxir.types import bf16

from .graphs import Array, array, function_of, gradient, made_of, normal, pushed

INF, NAN = np.inf, np.nan


RUNS = [(n, r, e) for n in (1, 5, 40) for r in (False, True) for e in (False, True)]


def others(values: Array) -> Array:
    """For each element the product of all others."""
    return np.array([np.prod(np.delete(values, k)) for k in range(len(values))])


SLOPES: dict[str, Callable[[Array], Array]] = {
    "cumsum": np.ones_like,
    "cumprod": others,
    "cummax": lambda v: (v == v.max()).astype(v.dtype),
    "cummin": lambda v: (v == v.min()).astype(v.dtype),
    "cumlogsumexp": lambda v: np.exp(v - np.log(np.sum(np.exp(v)))),
}


def jacobian(name: str, x: Array, reverse: bool, exclusive: bool) -> Array:
    """The derivative of each place of a running reduction by each element of a vector."""
    size = len(x)
    found = np.zeros((size, size))
    for k in range(size):
        part = slice(k + exclusive, size) if reverse else slice(0, k + 1 - exclusive)
        if len(x[part]):
            found[k, part] = SLOPES[name](x[part].astype(np.float64))
    return found


@pytest.mark.parametrize("name", SLOPES)
@pytest.mark.parametrize(("size", "reverse", "exclusive"), RUNS)
def test_running_reductions_have_derivatives_both_ways(
    name: str, size: int, reverse: bool, exclusive: bool
) -> None:
    def ours(v: Value) -> Value:
        run: Any = ops.lookup(name)
        found: Value = run(v, axis=1, reverse=reverse, exclusive=exclusive)
        return found

    x, g = normal(2, size), normal(2, size)[::-1].copy()
    function = function_of(ours, x)
    slopes = np.stack([jacobian(name, row, reverse, exclusive) for row in x])
    found = evaluate(vjp_function(function, value=False), x, g)
    np.testing.assert_allclose(found, np.einsum("bi,bij->bj", g, slopes), rtol=1e-4, atol=1e-4)
    wanted = np.einsum("bij,bj->bi", slopes, g)
    np.testing.assert_allclose(pushed(ours, [x], [g]), wanted, rtol=1e-4, atol=1e-4)


def test_running_products_with_zeros_are_not_divided() -> None:
    x = array([[2, 0, 3, 0, 5], [1, 2, 0, 4, 5]])
    found = gradient(lambda v: ops.cumprod(v, axis=1), x)
    wanted = [jacobian("cumprod", row, False, False).sum(0) for row in x]
    np.testing.assert_array_equal(found, wanted)


def test_the_first_of_equal_elements_has_the_running_maximum() -> None:
    x = array([1, 3, 3, 2, 3, 4])
    found = gradient(lambda v: ops.cummax(v, axis=0), x)
    np.testing.assert_array_equal(found, [1, 4, 0, 0, 0, 1])
    found = gradient(lambda v: ops.cummax(v, axis=0, reverse=True), array([3, 1, 3, 3, 2]))
    np.testing.assert_array_equal(found, [0, 0, 0, 4, 1])
    x = array([1, NAN, 5, NAN])
    np.testing.assert_array_equal(gradient(lambda v: ops.cummax(v, axis=0), x), [1, 3, 0, 0])


def test_running_logsumexp_of_minus_infinity_has_the_gradient_zero() -> None:
    x = array([-INF, -INF, 1, -INF, 2])
    found = gradient(lambda v: ops.cumlogsumexp(v, axis=0), x)
    share = 1 / (1 + np.exp(1.0))
    np.testing.assert_allclose(found, [0, 0, 2 + share, 0, 1 - share], rtol=1e-6)
    np.testing.assert_array_equal(
        gradient(lambda v: ops.cumlogsumexp(v, axis=0), array([-INF, -INF])), [0, 0]
    )


def test_running_sums_of_narrow_floats_are_pulled_back_by_running_sums() -> None:
    x = np.ones(600, bf16.numpy)
    vjp = vjp_function(function_of(lambda v: ops.cumsum(v, axis=0), x), value=False)
    assert made_of(vjp) == ["cumsum"]
    found = evaluate(vjp, x, x).astype(np.float32)
    np.testing.assert_allclose(found, np.arange(600, 0, -1), rtol=4e-3)
