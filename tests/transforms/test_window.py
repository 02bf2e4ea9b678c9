"""Reductions over windows: sums, the first of equal extrema, bodies of every kind."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.dialects.window import Window
from dxir.errors import TransformError
from dxir.evaluation import evaluate
from dxir.graph import Value
from dxir.transforms import grad_function, jvp_function, vjp_function

from .graphs import Array, array, function_of, gradient, normal, pushed

INF = np.inf


WINDOWS: list[dict[str, Any]] = [
    {"window_dimensions": (3, 2)},
    {"window_dimensions": (2, 3), "window_strides": (2, 1), "padding": ((1, 0), (2, 1))},
    {"window_dimensions": (3, 3), "window_strides": (3, 2), "padding": ((0, 2), (1, 1))},
    {"window_dimensions": (2, 2), "window_dilations": (2, 3), "window_strides": (1, 2)},
    {"window_dimensions": (3, 2), "base_dilations": (2, 1), "padding": ((1, 1), (-1, 0))},
    {"window_dimensions": (1, 8), "padding": ((0, 0), (7, 0))},
]


def windowed(op: str, init: float, window: dict[str, Any]) -> tuple[Any, Any]:
    """A reduction over windows, ours and JAX's."""
    combine: Any = ops.lookup(op)
    theirs = {"add": jax.lax.add, "max": jax.lax.max, "min": jax.lax.min}[op]

    def ours(x: Value) -> Any:
        return ops.reduce_window((x,), (array(init),), lambda a, b: combine(a, b), **window)

    ones = (1, 1)
    strides, padding = window.get("window_strides", ones), window.get("padding", ((0, 0),) * 2)
    base, dilations = window.get("base_dilations", ones), window.get("window_dilations", ones)

    def other(x: Any) -> Any:
        return jax.lax.reduce_window(
            x, np.float32(init), theirs, window["window_dimensions"], strides, padding, base,
            dilations,
        )  # fmt: skip

    return ours, other


@pytest.mark.parametrize("window", WINDOWS)
def test_sums_over_windows_have_the_derivatives_of_jax(window: dict[str, Any]) -> None:
    ours, theirs = windowed("add", 0, window)
    x = normal(6, 8)
    out, pull = jax.vjp(theirs, x)
    g = normal(*out.shape)
    function = function_of(ours, x)
    found = evaluate(vjp_function(function, value=False), x, g)
    np.testing.assert_allclose(found, pull(g)[0], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(pushed(ours, [x], [x]), out, rtol=1e-5, atol=1e-5)


def first_best(x: Array, op: str, window: dict[str, Any]) -> Array:
    """The flat index, for each window, of the first element that is the extremum; -1 for none."""
    sliding = Window.make(
        window["window_dimensions"], window.get("window_strides"), window.get("padding"),
        window.get("base_dilations"), window.get("window_dilations"),
    )  # fmt: skip
    flat = sliding.patches(np.arange(x.size).reshape(x.shape), range(x.ndim), -1)
    flat = flat.reshape(*flat.shape[: x.ndim], -1)
    lost = -INF if op == "max" else INF
    values = np.where(flat >= 0, x.reshape(-1)[flat], lost)
    best = np.argmax(values, -1) if op == "max" else np.argmin(values, -1)
    return np.take_along_axis(flat, best[..., None], -1)[..., 0]


@pytest.mark.parametrize("op", ["max", "min"])
@pytest.mark.parametrize("window", WINDOWS)
def test_extrema_of_windows_go_to_the_first_that_is_one(op: str, window: dict[str, Any]) -> None:
    ours, _ = windowed(op, -INF if op == "max" else INF, window)
    x = np.random.default_rng(1).integers(0, 3, (6, 8)).astype(np.float32)
    at = first_best(x, op, window)
    inside = at >= 0
    g = normal(*at.shape)
    wanted = np.zeros(x.size)
    np.add.at(wanted, at[inside], g[inside])
    found = evaluate(vjp_function(function_of(ours, x), value=False), x, g)
    np.testing.assert_allclose(found, wanted.reshape(x.shape), rtol=1e-5, atol=1e-5)
    t = normal(6, 8)
    moved = np.where(inside, t.reshape(-1)[at], 0)
    np.testing.assert_array_equal(pushed(ours, [x], [t])[inside], moved[inside])


def test_a_max_pool_has_first_and_second_derivatives() -> None:
    x = normal(1, 2, 6, 6)

    def build(v: Value) -> Value:
        y = ops.max_pool(v, window=3, window_strides=2, padding="SAME")
        return ops.sum(y * y * y)

    def theirs(v: Any) -> Any:
        y = jax.lax.reduce_window(v, -INF, jax.lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME")
        return jnp.sum(y * y * y)

    np.testing.assert_allclose(gradient(build, x), jax.grad(theirs)(x), rtol=1e-5)
    second = jvp_function(grad_function(function_of(build, x)), value=False)
    wanted = jax.jvp(jax.grad(theirs), (x,), (x,))[1]
    np.testing.assert_allclose(evaluate(second, x, x), wanted, rtol=1e-5, atol=1e-5)
    back = grad_function(grad_function(function_of(build, x)))
    twice = jax.grad(lambda v: jnp.sum(jax.grad(theirs)(v)))(x)
    np.testing.assert_allclose(evaluate(back, x), twice, rtol=1e-5, atol=1e-5)


RUNS = [(op, reverse) for op in ("cummax", "cummin", "cumprod", "cumlogsumexp")
        for reverse in (False, True)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("op", "reverse"), RUNS)
def test_windows_over_all_of_an_axis_run_along_it(op: str, reverse: bool) -> None:
    run: Any = getattr(jax.lax, op)

    def theirs(v: Any) -> Any:
        return jnp.sum(jnp.sin(run(v, axis=1, reverse=reverse)))

    def exported(x: Array) -> dxir.Program:
        return dxir.load(jax.jit(theirs).lower(x).as_text())

    x = normal(2, 21)
    assert "reduce_window" in str(exported(x))
    once = "dxir-differentiate{seed=one value=false rename-to=main}"
    found = dxir.compile(exported(x).run_passes(once))(x)
    np.testing.assert_allclose(found, jax.grad(theirs)(x), rtol=1e-4, atol=1e-5)
    if not reverse:
        short = normal(1, 9)
        function = exported(short).raise_()["main"]
        twice = evaluate(grad_function(grad_function(function)), short)
        wanted = jax.grad(lambda v: jnp.sum(jax.grad(theirs)(v)))(short)
        np.testing.assert_allclose(twice, wanted, rtol=1e-3, atol=1e-4)
    long = exported(normal(2, 400)).run_passes(once)
    elements = [np.prod([int(n) for n in shape.split("x")[:-1]], dtype=np.int64)
                for shape in re.findall(r"tensor<((?:\d+x)+f32)>", str(long))]  # fmt: skip
    assert max(elements) <= 2 * 2 * 400  # not 400 for each of 400 places


def test_running_windows_send_ties_and_nans_to_the_first_on_the_way() -> None:
    def build(v: Value) -> Any:
        return ops.reduce_window(
            (v,), (array(-INF),), lambda a, b: ops.max(a, b), window_dimensions=(5,),
            padding=((4, 0),),
        )  # fmt: skip

    np.testing.assert_array_equal(gradient(build, array([1, 3, 3, 2, 3])), [1, 4, 0, 0, 0])
    np.testing.assert_array_equal(
        gradient(build, array([1, np.nan, 3, np.nan, 2])), [1, 4, 0, 0, 0]
    )


def test_a_max_pool_of_jax_whose_windows_overlap_is_one_select_and_scatter() -> None:
    def theirs(window: int) -> Any:
        return lambda v: jnp.sum(
            jax.lax.reduce_window(v, -INF, jax.lax.max, (window, window), (2, 2), "SAME") ** 2
        )

    x = np.random.default_rng(2).permutation(72).reshape(8, 9).astype(np.float32)
    for window, expected in ((3, 1), (2, 0)):
        program = dxir.load(jax.jit(theirs(window)).lower(x).as_text()).run_passes(
            "dxir-differentiate{seed=one value=false rename-to=main}"
        )
        assert str(program).count('"stablehlo.select_and_scatter"') == expected
        found = dxir.compile(program)(x)
        np.testing.assert_array_equal(found, jax.grad(theirs(window))(x))


def test_any_body_over_windows_has_a_derivative() -> None:
    x = normal(7)

    def ours(v: Value) -> Any:
        return ops.reduce_window(
            (v,), (array(1),), lambda a, b: a * b, window_dimensions=(3,), window_strides=(2,),
            padding=((1, 1),),
        )  # fmt: skip

    def theirs(v: Any) -> Any:
        padded = jnp.pad(v, 1, constant_values=1)
        return jnp.sum(jnp.stack([jnp.prod(padded[i : i + 3]) for i in range(0, 7, 2)]))

    np.testing.assert_allclose(gradient(ours, x), jax.grad(theirs)(x), rtol=1e-5)
    zeroed = x * array([1, 0, 1, 1, 0, 1, 1])
    np.testing.assert_allclose(gradient(ours, zeroed), jax.grad(theirs)(zeroed), rtol=1e-5)


def test_only_sums_are_scattered_with_a_derivative() -> None:
    def build(x: Value, source: Value, init: Value) -> Value:
        return ops.select_and_scatter(
            x, source, init, lambda a, b: a >= b, lambda a, b: a + b, window_dimensions=(2,),
            window_strides=(2,),
        )  # fmt: skip

    x, source = array([1, 3, 5, 5]), array([10, 20])
    found = gradient(lambda *v: build(*v) * array([1, 2, 3, 4]), x, source, array(0))
    np.testing.assert_array_equal(found[0], [0, 0, 0, 0])
    np.testing.assert_array_equal(found[1], [2, 3])
    assert found[2] == 10
    function = function_of(
        lambda x, s: ops.select_and_scatter(
            x, s, array(1), lambda a, b: a >= b, lambda a, b: a * b, window_dimensions=(2,)
        ),
        x, array([1, 2, 3]),
    )  # fmt: skip
    with pytest.raises(TransformError, match="only where it adds up"):
        grad_function(function)
