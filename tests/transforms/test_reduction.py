"""Reductions: ties, zeros, infinities, and bodies of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.scipy.special import logsumexp

from dxir import ops
from dxir.evaluation import evaluate
from dxir.graph import Value
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import bf16

from .graphs import array, function_of, gradient, made_of, normal, pushed

INF, NAN = np.inf, np.nan


def reduced(
    body: Callable[..., Any], *inits: Any, axes: tuple[int, ...] = (0,)
) -> Callable[..., Any]:
    """A `reduce` by a body of as many inputs as there are inits."""
    return lambda *xs: ops.reduce(xs, [array(i) for i in inits], body, axes=axes)


def test_a_product_with_zeros_is_not_divided() -> None:
    np.testing.assert_array_equal(gradient(ops.prod, array([2, 0, 3])), [0, 6, 0])
    np.testing.assert_array_equal(gradient(ops.prod, array([2, 0, 0])), [0, 0, 0])
    by_body = reduced(lambda a, b: a * b, 1)
    np.testing.assert_array_equal(gradient(by_body, array([2, 0, 3])), [0, 6, 0])
    x = array([[2, 0, 3], [4, 5, 0]])
    found = gradient(lambda v: ops.prod(v, axes=(1,)), x)
    np.testing.assert_array_equal(found, [[0, 6, 0], [0, 0, 20]])
    np.testing.assert_array_equal(pushed(ops.prod, [array([2, 0, 3])], [array([1, 1, 1])]), 6)


@pytest.mark.slow
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (1, 2), None])
def test_products_over_any_axes_have_the_gradients_of_jax(axes: Any) -> None:
    x = normal(3, 5, 2)
    found = gradient(lambda v: ops.prod(v, axes=axes), x)
    wanted = jax.grad(lambda v: jnp.sum(jnp.prod(v, axis=axes)))(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    second = jvp_function(
        grad_function(function_of(lambda v: ops.prod(v, axes=axes), x)), value=False
    )
    hessian = jax.jvp(jax.grad(lambda v: jnp.sum(jnp.prod(v, axis=axes))), (x,), (x,))[1]
    np.testing.assert_allclose(evaluate(second, x, x), hessian, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("build", [ops.reduce_max, reduced(lambda a, b: ops.max(a, b), -INF)])
def test_elements_tied_for_the_largest_share_equally(build: Callable[..., Any]) -> None:
    x = array([1, 3, 3, 2, 3])
    third = np.float32(1) / 3
    np.testing.assert_allclose(gradient(build, x), [0, third, third, 0, third])
    np.testing.assert_allclose(jax.grad(jnp.max)(x), gradient(build, x))
    np.testing.assert_allclose(pushed(build, [x], [array([0, 1, 2, 0, 6])]), 3)


def test_a_nan_among_the_elements_is_in_the_gradient_as_in_jax() -> None:
    x = array([1, NAN, 2])
    np.testing.assert_array_equal(gradient(ops.reduce_max, x), jax.grad(jnp.max)(x))
    np.testing.assert_array_equal(gradient(ops.reduce_min, x), jax.grad(jnp.min)(x))


def test_an_init_that_wins_takes_the_gradient() -> None:
    build = reduced(lambda a, b: ops.max(a, b), 5)
    np.testing.assert_array_equal(gradient(build, array([1, 3])), [0, 0])
    np.testing.assert_array_equal(gradient(build, array([1, 7])), [0, 1])
    x, init = array([1, 3, 3]), array(2)
    both = gradient(lambda v, i: ops.reduce((v,), (i,), lambda a, b: a + b, axes=(0,)), x, init)
    np.testing.assert_array_equal(both[0], [1, 1, 1])
    assert both[1] == 1
    product = gradient(lambda v, i: ops.reduce((v,), (i,), lambda a, b: a * b, axes=(0,)), x, init)
    np.testing.assert_array_equal(product[0], [18, 6, 6])
    assert product[1] == 9


def test_a_reduction_of_pairs_pulls_back_to_the_chosen_ones() -> None:
    def larger(a: Value, i: Value, b: Value, j: Value) -> tuple[Value, Value]:
        pick = ops.or_(a > b, ops.and_(ops.compare(a, b, direction="EQ"), i < j))
        return ops.select(pick, a, b), ops.select(pick, i, j)

    def build(x: Value) -> Value:
        index = ops.iota(shape=(2, 5), axis=1, dtype="i32")
        found, _ = ops.reduce((x, index), (array(-INF), np.int32(0)), larger, axes=(1,))
        return found

    x = array([[1, 5, 2, 5, 0], [7, 1, 2, 3, 4]])
    wanted = [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    np.testing.assert_array_equal(gradient(build, x), wanted)
    np.testing.assert_array_equal(pushed(build, [x], [x]), [5, 7])


def test_a_body_of_exponentials_has_the_shares_as_its_gradient() -> None:
    def body(a: Value, b: Value) -> Value:
        top = ops.max(a, b)
        return top + ops.log(ops.exp(a - top) + ops.exp(b - top))

    x = normal(7, 3)
    found = gradient(reduced(body, -1e30), x)
    np.testing.assert_allclose(found, jax.nn.softmax(x, axis=0), rtol=1e-5)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7])
def test_the_order_of_a_body_that_does_not_commute_is_kept(size: int) -> None:
    def after(a: Value, b: Value, c: Value, d: Value) -> tuple[Value, Value]:
        return a * c, c * b + d  # x -> c (a x + b) + d

    slopes, shifts = normal(size, 2), normal(size, 2)[::-1].copy()

    def theirs(a: Any, b: Any) -> Any:
        total: Any = 0
        for k in range(size):
            total = a[k] * total + b[k]
        return jnp.sum(total)

    def build(a: Value, b: Value) -> Value:
        _, found = ops.reduce((a, b), (array(1), array(0)), after, axes=(0,))
        return found

    found = gradient(build, slopes, shifts)
    for one, other in zip(found, jax.grad(theirs, (0, 1))(slopes, shifts), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_what_a_body_captures_has_a_gradient_and_a_batch() -> None:
    def build(x: Value, scale: Value) -> Any:
        return ops.reduce((x,), (array(0),), lambda a, b: a + b + scale * a * b, axes=(0,))

    x, scale = normal(4), array(0.5)

    def theirs(v: Any, s: Any) -> Any:
        return (jnp.prod(1 + s * v) - 1) / s

    found = gradient(build, x, scale)
    wanted = jax.grad(theirs, (0, 1))(x, scale)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-5)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-4)
    scales = array([0.5, 0.25, 2])
    batched = vmap_function(function_of(build, x, scale), (None, 0), axis_size=3)
    np.testing.assert_allclose(
        evaluate(batched, x, scales), [theirs(x, s) for s in scales], rtol=1e-4
    )


def test_a_batch_of_inits_is_folded_member_by_member() -> None:
    function = function_of(
        lambda x, i: ops.reduce((x,), (i,), lambda a, b: a + b, axes=(0,)), normal(3), array(0)
    )
    made = vmap_function(function, (None, 0), axis_size=2)
    np.testing.assert_allclose(evaluate(made, array([1, 2, 3]), array([0, 10])), [6, 16])


def test_no_elements_and_no_axes_are_no_trouble() -> None:
    assert gradient(lambda x: ops.prod(x, axes=(1,)), normal(2, 0)).shape == (2, 0)
    np.testing.assert_array_equal(gradient(lambda x: ops.prod(x, axes=()), normal(2)), [1, 1])
    np.testing.assert_array_equal(gradient(lambda x: ops.reduce_max(x, axes=()), normal(2)), [1, 1])
    assert gradient(lambda x: ops.reduce_max(x, axes=(1,)), normal(2, 0)).shape == (2, 0)


def test_the_gradients_of_sums_and_means_are_broadcasts() -> None:
    x = normal(4, 3)
    for build, wanted in (
        (lambda v: ops.sum(v, axes=(1,)), ["broadcast_in_dim"]),
        (lambda v: ops.sum(v, axes=(1,), keepdims=True), ["broadcast_in_dim"]),
        (lambda v: ops.mean(v, axes=(1,)), ["div", "broadcast_in_dim"]),
    ):
        assert made_of(vjp_function(function_of(build, x), value=False)) == wanted


def test_the_mean_of_many_narrow_floats_is_divided_in_f32() -> None:
    x = np.ones(257, bf16.numpy)
    found = gradient(ops.mean, x).astype(np.float32)
    np.testing.assert_allclose(found, np.full(257, 1 / 257), rtol=4e-3)


def test_nothing_but_minus_infinity_has_a_logsumexp_with_gradient_zero() -> None:
    """B15."""
    x = array([-INF, -INF])
    function = function_of(ops.logsumexp, x)
    assert evaluate(function, x) == -INF
    np.testing.assert_array_equal(gradient(ops.logsumexp, x), [0, 0])
    np.testing.assert_array_equal(gradient(ops.logsumexp, x.astype(bf16.numpy)), [0, 0])
    np.testing.assert_array_equal(pushed(ops.logsumexp, [x], [array([1, 2])]), 0)
    second = jvp_function(grad_function(function), value=False)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(evaluate(second, x, array([1, 2])), [0, 0])


def test_masked_rows_leave_the_other_rows_their_gradient() -> None:
    """B15."""
    x = array([[-INF, -INF, -INF], [1, -INF, 2]])
    found = gradient(lambda v: ops.logsumexp(v, axes=(1,)), x)
    np.testing.assert_array_equal(found[0], [0, 0, 0])
    np.testing.assert_allclose(found[1], jax.nn.softmax(x[1]), rtol=1e-6)


def test_the_shares_of_large_narrow_floats_sum_to_one() -> None:
    x = (normal(6) * 3 + 1000).astype(bf16.numpy)
    found = gradient(ops.logsumexp, x).astype(np.float32)
    wanted = jax.grad(logsumexp)(x.astype(np.float32))
    np.testing.assert_allclose(found, wanted, atol=4e-3)


def test_a_batch_of_a_logsumexp_is_a_composite_still() -> None:
    function = function_of(lambda v: ops.logsumexp(v, axes=(0,)), normal(3, 2))
    assert made_of(vmap_function(function, axis_size=4)) == ["logsumexp"]


@pytest.mark.parametrize("order", [1, 2, INF])
def test_a_norm_has_the_gradient_zero_at_zero(order: float) -> None:
    def build(v: Value) -> Value:
        return ops.norm(v, axes=(1,), ord=order)

    found = gradient(build, array([[0, 0, 0], [3, 0, -4]]))
    np.testing.assert_array_equal(found[0], [0, 0, 0])
    wanted = {1: [1, 0, -1], 2: [0.6, 0, -0.8], INF: [0, 0, -1]}[order]
    np.testing.assert_allclose(found[1], wanted, rtol=1e-6)


def test_the_spread_of_equal_elements_has_the_gradient_zero() -> None:
    np.testing.assert_array_equal(gradient(ops.std, array([2, 2, 2])), [0, 0, 0])
    x = normal(3, 5)
    for ours, theirs in ((ops.std, jnp.std), (ops.var, jnp.var)):
        found = gradient(lambda v, f=ours: f(v, axes=(1,), correction=1), x)
        wanted = jax.grad(lambda v, f=theirs: jnp.sum(f(v, axis=1, ddof=1)))(x)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_the_gradient_of_a_variance_is_taken_from_the_differences_to_the_mean() -> None:
    x = array([10000.0, 10000.1, 9999.9, 10000.0])
    found = gradient(ops.var, x)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(found, (wide - wide.mean()) / 2, atol=1e-3)


def test_positions_and_truths_are_found_in_batches() -> None:
    x = normal(3, 2, 4)
    for build, theirs in (
        (lambda v: ops.argmax(v), lambda v: np.argmax(v)),
        (lambda v: ops.argmin(v, keepdims=True), lambda v: np.argmin(v).reshape(1, 1)),
        (lambda v: ops.argmax(v, axis=1), lambda v: np.argmax(v, 1)),
        (lambda v: ops.any(v > 1, axes=(0,)), lambda v: np.any(v > 1, 0)),
        (lambda v: ops.all(v < 1), lambda v: np.all(v < 1)),
    ):
        made = vmap_function(function_of(build, x[0]), axis_size=3)
        np.testing.assert_array_equal(evaluate(made, x), [theirs(v) for v in x])
