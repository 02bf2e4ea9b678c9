"""Guards: what a select does not choose stays out of derivatives, whatever it would be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dxir import ops
from dxir.evaluation import evaluate
from dxir.graph import Value
from dxir.transforms import grad_function, jvp_function, vjp_function
from dxir.types import bf16, f32, i1

from .graphs import function_of, gradients, near, pushed, values

INF = float("inf")


GUARDED: dict[str, tuple[Callable[[Value], Value], float]] = {
    "sqrt": (ops.sqrt, 0),
    "rsqrt": (ops.rsqrt, 0),
    "cbrt": (ops.cbrt, 0),
    "log": (ops.log, 0),
    "log1p": (ops.log1p, -1),
    "div": (lambda x: ops.div(1, x), 0),
    "quotient": (lambda x: ops.div(x, x), 0),
    "power": (lambda x: ops.pow(x, 0.5), 0),
    "negative power": (lambda x: ops.pow(x, -1.5), 0),
    "power of itself": (lambda x: ops.pow(x, x), -1),
    "asin": (ops.asin, 1),
    "acos": (ops.acos, 1),
    "acosh": (ops.acosh, 1),
    "atanh": (ops.atanh, 1),
    "erf_inv": (ops.erf_inv, 1),
    "atan2": (lambda x: ops.atan2(x, x), 0),
    "exp": (ops.exp, 1000),
    "lgamma": (ops.lgamma, 0),
    "product with itself": (lambda x: ops.mul(x, x), INF),
    "five below": (lambda x: ops.sub(x, ops.mul(ops.div(ops.neg(ops.sqrt(x)), x), x)), 0),
    "exponential": (lambda x: ops.mul(x, ops.exp(x)), 1000),
    "entropy": (lambda x: ops.mul(x, ops.log(x)), 0),
    "two below": (lambda x: ops.neg(ops.mul(ops.exp(ops.sqrt(x)), 3.0)), 0),
    "narrow": (lambda x: ops.convert(ops.sqrt(ops.convert(x, dtype=bf16)), dtype=f32), 0),
    "complex": (lambda x: ops.real(ops.complex(ops.sqrt(x), 0)), 0),
    "used twice": (lambda x: (lambda y: ops.add(ops.mul(y, y), y))(ops.sqrt(x)), 0),
    "divided and subtracted": (lambda x: ops.sub(1, ops.div(ops.log(x), 2.0)), 0),
    "the larger": (lambda x: ops.max(ops.log(x), -3.0), 0),
    "clamped": (lambda x: ops.clamp(-1.0, ops.sqrt(x), 1.0), 0),
    "guarded twice": (lambda x: ops.select(ops.compare(x, 9, direction="LT"), ops.sqrt(x), 0), 0),
}


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("chosen", [True, False])
def test_a_guard_keeps_what_it_does_not_choose_out_of_the_gradient(name: str, chosen: bool) -> None:
    function, bad = GUARDED[name]
    x = np.float32([bad, 0.5])

    def body(x: Value) -> Value:
        if chosen:
            return ops.select(ops.compare(x, bad, direction="NE"), function(x), 0)
        return ops.select(ops.compare(x, bad, direction="EQ"), 0, function(x))

    with np.errstate(all="ignore"):
        (back,) = gradients(body, x)
        ahead = pushed(body, [x], [np.ones(2, np.float32)])
        (alone,) = gradients(function, x[1:])
    assert back[0] == 0
    near(back[1:], alone, 1e-2)
    near(ahead, back)


def test_a_guard_holds_for_second_derivatives_in_every_order_of_the_modes() -> None:
    def body(x: Value) -> Value:
        return ops.select(ops.compare(x, 0, direction="GT"), ops.sqrt(x), 0)

    function = function_of(body, f32[2])
    x, t = np.float32([0, 4]), np.ones(2, np.float32)
    wanted = [0, -0.25 * 4**-1.5]
    with np.errstate(all="ignore"):
        near(values(grad_function(grad_function(function)), x)[0], wanted)
        near(values(jvp_function(grad_function(function), value=False), x, t)[0], wanted)
        near(values(grad_function(jvp_function(function, value=False), wrt=0), x, t)[0], wanted)


def test_a_scalar_condition_guards_and_broadcast_operands_get_their_sums() -> None:
    def body(p: Value, a: Value, b: Value) -> Value:
        return ops.select(p, ops.sqrt(a), b)

    a, b = np.zeros((2, 1), np.float32), np.ones(3, np.float32)
    for p in (True, False):
        with np.errstate(all="ignore"):
            to_a, to_b = gradients(body, np.bool_(p), a, b)
        near(to_a, np.full((2, 1), INF if p else 0))
        near(to_b, np.full(3, 0 if p else 2))


def test_a_guard_from_below_keeps_an_infinite_slope_out_of_what_it_replaces() -> None:
    def body(x: Value) -> Value:
        return ops.sqrt(ops.select(ops.compare(x, 0, direction="GT"), x, 0))

    x = np.float32([-1, 0, 4])
    with np.errstate(all="ignore"):
        near(gradients(body, x), [[0, 0, 0.25]])
        near(pushed(body, [x], [np.ones(3, np.float32)]), [0, 0, 0.25])


def test_a_guard_around_a_guard_selects_the_cotangent_once() -> None:
    def body(x: Value) -> Value:
        p = ops.compare(x, 0, direction="GT")
        return ops.select(p, ops.sqrt(ops.select(p, x, 1)), 0)

    function = vjp_function(function_of(body, f32[4]), value=False)
    assert [n.op for n in function.nodes].count("select") == 2  # the forward one, and one more


def test_a_product_of_finite_numbers_under_a_mask_costs_one_select() -> None:
    def body(p: Value, x: Value, y: Value) -> Value:
        return ops.select(p, ops.mul(ops.sub(x, y), ops.tanh(y)), 0)

    function = vjp_function(function_of(body, i1[4], f32[4], f32[4]), value=False)
    assert [n.op for n in function.nodes].count("select") == 1


@pytest.mark.parametrize("transform", ["vjp", "jvp"])
def test_a_sigmoid_in_parts_keeps_its_derivative_where_the_exponential_overflows(
    transform: str,
) -> None:
    def parts(x: Value) -> Value:
        return ops.div(1, ops.add(ops.exp(ops.neg(x)), 1))

    x = np.array([-200.0, -90.0, -1.0, 0.0, 3.0, 200.0], np.float32)
    f = function_of(parts, f32[6])
    made = vjp_function(f, value=False) if transform == "vjp" else jvp_function(f, value=False)
    found = evaluate(made, x, np.ones_like(x))
    y = 1 / (1 + np.exp(-x.astype(np.float64)))
    np.testing.assert_allclose(found, y * (1 - y), rtol=1e-6, atol=1e-12)
    second = evaluate(jvp_function(made, 0, value=False), x, np.ones_like(x), np.ones_like(x))
    np.testing.assert_allclose(second, y * (1 - y) * (1 - 2 * y), rtol=1e-5, atol=1e-12)
