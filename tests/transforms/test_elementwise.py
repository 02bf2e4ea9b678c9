"""Derivatives and batches of elementwise ops: beside JAX's, at the edges, and under guards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dxir
from dxir import ops
from dxir.graph import Module, Value
from dxir.transforms import grad_function, vjp_function, vmap_function
from dxir.types import bf16, f32, i1, i32

from .graphs import Array, function_of, gradients, near, pushed, values

INF, NAN = float("inf"), float("nan")
WIDE = np.array([-2.5, -1.25, -0.5, 0.75, 1.5, 3.0], np.float32)
ABOVE_0 = np.array([0.125, 0.5, 1.0, 1.5, 4.0], np.float32)
ABOVE_1 = np.array([1.125, 1.5, 4.0], np.float32)
INSIDE = np.array([-0.9, -0.25, 0.0, 0.5, 0.75], np.float32)
OTHER = np.array([0.75, 2.5, -0.5, 1.25, -3.0, 0.5], np.float32)

ONE_OPERAND = {
    "neg": (lax.neg, WIDE),
    "exp": (lax.exp, WIDE),
    "expm1": (lax.expm1, WIDE),
    "log": (lax.log, ABOVE_0),
    "log1p": (lax.log1p, ABOVE_0),
    "sigmoid": (lax.logistic, WIDE),
    "sin": (lax.sin, WIDE),
    "cos": (lax.cos, WIDE),
    "tan": (lax.tan, INSIDE),
    "chlo_tan": (lax.tan, INSIDE),
    "tanh": (lax.tanh, WIDE),
    "sqrt": (lax.sqrt, ABOVE_0),
    "rsqrt": (lax.rsqrt, ABOVE_0),
    "cbrt": (lax.cbrt, WIDE),
    "abs": (lax.abs, WIDE),
    "asin": (lax.asin, INSIDE),
    "acos": (lax.acos, INSIDE),
    "atan": (lax.atan, WIDE),
    "asinh": (lax.asinh, WIDE),
    "acosh": (lax.acosh, ABOVE_1),
    "atanh": (lax.atanh, INSIDE),
    "sinh": (lax.sinh, WIDE),
    "cosh": (lax.cosh, WIDE),
    "square": (lax.square, WIDE),
    "erf": (lax.erf, WIDE),
    "erfc": (lax.erfc, WIDE),
    "erf_inv": (lax.erf_inv, INSIDE),
    "lgamma": (lax.lgamma, ABOVE_0),
    "digamma": (lax.digamma, ABOVE_0),
    "bessel_i1e": (lax.bessel_i1e, np.array([-30, -1, -1e-9, 0, 0.5, 7.9, 8.1, 50], np.float32)),
    "bessel_i0e": (lax.bessel_i0e, np.array([-30, -1, 0, 0.5, 7.9, 8.1, 50, 1e4], np.float32)),
}
TWO_OPERANDS = {
    "add": (lax.add, WIDE),
    "sub": (lax.sub, WIDE),
    "mul": (lax.mul, WIDE),
    "div": (lax.div, WIDE),
    "rem": (lax.rem, WIDE),
    "pow": (lax.pow, np.abs(WIDE)),
    "max": (lax.max, WIDE),
    "min": (lax.min, WIDE),
    "atan2": (lax.atan2, WIDE),
}
COMPLEX = "neg exp log sin cos tan tanh sqrt rsqrt asin acos atan asinh acosh atanh sinh cosh"
CUT = np.array([0.3 + 0.4j, -0.6 + 0.2j, 1.5 - 0.7j, -2 - 0.25j], np.complex64)


def pulled(body: Callable[..., Any], g: Array, *arrays: Any) -> list[Array]:
    function = function_of(body, *arrays)
    return values(vjp_function(function, value=False), *arrays, g)


@pytest.mark.parametrize("name", ONE_OPERAND)
def test_a_function_of_one_operand_has_the_derivative_that_it_has_in_jax(name: str) -> None:
    theirs, x = ONE_OPERAND[name]
    body = getattr(ops, name)
    g = np.linspace(-1, 2, x.size, dtype=np.float32)
    near(pulled(body, g, x)[0], jax.vjp(theirs, x)[1](g)[0])
    near(pushed(body, [x], [g]), jax.jvp(theirs, (x,), (g,))[1])


@pytest.mark.parametrize("name", TWO_OPERANDS)
def test_a_function_of_two_operands_has_the_derivatives_that_it_has_in_jax(name: str) -> None:
    theirs, x = TWO_OPERANDS[name]
    body = getattr(ops, name)
    g = np.linspace(-1, 2, x.size, dtype=np.float32)
    for found, wanted in zip(
        pulled(body, g, x, OTHER), jax.vjp(theirs, x, OTHER)[1](g), strict=True
    ):
        near(found, wanted)
    near(pushed(body, [x, OTHER], [g, g + 1]), jax.jvp(theirs, (x, OTHER), (g, g + 1))[1])


@pytest.mark.parametrize("name", COMPLEX.split())
def test_complex_derivatives_follow_jax(name: str) -> None:
    theirs, body = ONE_OPERAND[name][0], getattr(ops, name)
    x = CUT if name != "acosh" else CUT[CUT.real > 0]  # JAX has another branch on the left
    g = (x * (1 - 2j) + 0.5).astype(np.complex64)
    near(pulled(body, g, x)[0], jax.vjp(theirs, x)[1](g)[0], 1e-3)


@pytest.mark.parametrize(
    ("body", "theirs"),
    [
        (ops.real, lax.real),
        (ops.imag, lax.imag),
        (ops.abs, lax.abs),
        (ops.conj, jnp.conj),
        (lambda z: ops.convert(z, dtype=f32), jnp.real),
        (lambda z: ops.mul(z, ops.conj(z)), lambda z: z * jnp.conj(z)),
        (lambda z: ops.pow(z, 2.0), lambda z: z**2),
    ],
)
def test_parts_of_complex_numbers_have_the_cotangents_that_they_have_in_jax(
    body: Callable[..., Any], theirs: Callable[..., Any]
) -> None:
    y, back = jax.vjp(theirs, CUT)
    g = np.asarray(np.arange(4) - 1.5 + (0.5j if np.iscomplexobj(y) else 0)).astype(y.dtype)
    near(pulled(body, g, CUT)[0], back(g)[0])


def test_complex_numbers_from_parts_give_the_parts_their_cotangents_as_in_jax() -> None:
    g = (CUT * 2 - 1j).astype(np.complex64)
    x, y = CUT.real.copy(), CUT.imag[:1].copy()
    wanted = jax.vjp(lambda a, b: lax.complex(a, jnp.broadcast_to(b, a.shape)), x, y)[1](g)
    for found, theirs in zip(pulled(ops.complex, g, x, y), wanted, strict=True):
        near(found, theirs)
    near(pushed(ops.complex, [x, y], [x, y]), x + 1j * y)


def test_the_complex_sign_turns_with_its_operand() -> None:
    def angle(z: Array) -> Array:
        return z / np.abs(z)

    t = np.array([1j, 0.5, -2, 1 + 1j], np.complex64)
    wide, step = CUT.astype(np.complex128), 1e-6
    wanted = (angle(wide + step * t) - angle(wide - step * t)) / (2 * step)
    near(pushed(ops.sign, [CUT], [t]), wanted)
    assert pushed(ops.sign, [np.zeros(1, np.complex64)], [t[:1]])[0] == 0


@pytest.mark.parametrize(
    ("base", "exponent", "by_base", "by_exponent"),
    [
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 1.0, 0.0),
        (0.0, 2.0, 0.0, 0.0),
        (0.0, 0.5, INF, 0.0),
        (-2.0, 2.0, -4.0, NAN),
        (-2.0, 3.0, 12.0, NAN),
        (-2.0, 0.0, 0.0, NAN),
        (2.0, 0.0, 0.0, np.log(2.0)),
    ],
)
def test_a_power_has_slopes_at_base_0_and_at_negative_bases(
    base: float, exponent: float, by_base: float, by_exponent: float
) -> None:
    x, y = np.float32([base]), np.float32([exponent])
    near(gradients(ops.pow, x, y), [[by_base], [by_exponent]])
    near(gradients(lambda v: ops.pow(v, exponent), x), [[by_base]])


@pytest.mark.parametrize("exponent", [-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0])
def test_a_power_of_a_constant_exponent_differentiates_twice(exponent: float) -> None:
    slope = grad_function(function_of(lambda v: ops.pow(v, exponent), f32[5]))
    near(values(slope, ABOVE_0), [exponent * ABOVE_0 ** (exponent - 1)])
    if exponent not in (0.0, 1.0):
        curve = exponent * (exponent - 1) * ABOVE_0 ** (exponent - 2)
        near(values(grad_function(slope), ABOVE_0), [curve])


def test_max_and_min_share_ties_equally_and_give_nothing_where_one_is_nan() -> None:
    x, y = np.float32([1, 1, 2, NAN, 1]), np.float32([1, 2, 1, 1, NAN])
    near(gradients(ops.max, x, y), [[0.5, 0, 1, 0, 0], [0.5, 1, 0, 0, 0]])
    near(gradients(ops.min, x, y), [[0.5, 1, 0, 0, 0], [0.5, 0, 1, 0, 0]])
    for ours, theirs in ((ops.max, jnp.maximum), (ops.min, jnp.minimum)):
        near(pulled(ours, np.ones(5, np.float32), x, y), jax.vjp(theirs, x, y)[1](np.ones(5, "f")))


def test_clamp_gives_its_cotangent_inside_to_x_and_outside_to_the_limit() -> None:
    lo, hi = np.float32(-1), np.float32(1)
    x = np.float32([-2, -1, 0, 1, 2, NAN])
    near(gradients(ops.clamp, lo, x, hi)[1], [0, 0, 1, 0, 0, 0])
    near([g for i, g in enumerate(gradients(ops.clamp, lo, x, hi)) if i != 1], [1, 1])
    crossed = gradients(ops.clamp, np.float32([2]), np.float32([0]), np.float32([1]))
    near(crossed, [[0], [0], [1]])  # min(max(lo, x), hi) is hi


def test_abs_and_sign_are_flat_at_0() -> None:
    near(gradients(ops.abs, np.float32([-2, -0.0, 0, 2])), [[-1, 0, 0, 1]])
    near(gradients(ops.abs, np.complex64([0, 3 + 4j])), [[0, 0.6 - 0.8j]])
    near(gradients(ops.sign, np.float32([-2, 0, 2])), [[0, 0, 0]])


def test_rounding_is_flat_and_takes_its_operand_out_of_the_gradient() -> None:
    def body(x: Value) -> Value:
        return ops.mul(x, ops.floor(x))

    near(gradients(body, WIDE), [np.floor(WIDE)])
    for name in ("ceil", "round", "round_nearest_even", "round_nearest_afz"):
        near(gradients(getattr(ops, name), WIDE), [0 * WIDE])


def test_the_next_number_moves_along_with_its_first_operand() -> None:
    x, y = np.float32([1, -2, 3]), np.float32(2)
    for found, wanted in zip(gradients(ops.next_after, x, y), ([1, 1, 1], 0), strict=True):
        near(found, wanted)
    for found, wanted in zip(gradients(ops.next_after, y, x), (3, [0, 0, 0]), strict=True):
        near(found, wanted)


def test_remainders_differ_in_the_quotient_that_their_divisor_is_multiplied_with() -> None:
    x, y = np.float32([7, -7, 7, -7]), np.float32([2, 2, -2, -2])
    near(gradients(ops.rem, x, y), [[1] * 4, -np.trunc(x / y)])
    near(gradients(ops.mod, x, y), [[1] * 4, -np.floor(x / y)])
    near(gradients(ops.floor_divide, x, y), [[0] * 4, [0] * 4])


JAXS: dict[str, Callable[..., Any]] = {
    **{name: theirs for name, (theirs, _) in ONE_OPERAND.items() if name != "bessel_i0e"},
    **{name: theirs for name, (theirs, _) in TWO_OPERANDS.items() if name != "pow"},
}


def operations(text: object) -> int:
    names = re.findall(r'(?:= |^\s+)"?(?:stablehlo|chlo)\.(\w+)', str(text), re.MULTILINE)
    return sum(n not in ("constant", "return", "broadcast_in_dim") for n in names)


@pytest.mark.parametrize("name", JAXS)
def test_a_gradient_has_no_more_operations_than_jaxs(name: str) -> None:
    theirs, count = JAXS[name], 2 if name in TWO_OPERANDS else 1
    function = vjp_function(function_of(getattr(ops, name), *[f32[4]] * count))
    x = np.ones(4, np.float32)

    def both(g: Any, *xs: Any) -> Any:
        y, pullback = jax.vjp(theirs, *xs)
        return y, pullback(g)

    jaxs = jax.jit(both).lower(x, *[x] * count).as_text()
    assert operations(dxir.lower(Module([function]))) <= operations(jaxs)


def test_constants_get_no_cotangent_and_cost_nothing() -> None:
    def body(x: Value) -> Value:
        return ops.mul(ops.div(ops.max(x, 0), 3.0), ops.pow(x, 2.0))

    function = vjp_function(function_of(body, f32[4]), value=False)
    assert all(r.shape == (4,) for r in function.results)
    assert "log" not in [n.op for n in function.nodes]


def test_orders_are_whole_numbers_without_a_derivative() -> None:
    n, x = np.float32([1, 2]), np.float32([1.5, 2.5])
    to_n, to_x = gradients(ops.polygamma, n, x)
    near(to_n, [0, 0])
    near(to_x, jax.vjp(lambda v: lax.polygamma(n, v), x)[1](np.ones(2, np.float32))[0])


def test_a_batched_scalar_operand_meets_the_axes_that_it_is_scalar_for() -> None:
    x, lo = np.tile(WIDE, (2, 1)), np.float32([-1, 1])
    clamp = function_of(lambda a, v: ops.clamp(a, v, 2.0), f32[()], f32[6])
    near(values(vmap_function(clamp, axis_size=2), lo, x)[0], np.clip(x, lo[:, None], 2))
    choose = function_of(lambda p, v: ops.select(p, v, 0), i1[()], f32[6])
    p = np.array([True, False])
    near(values(vmap_function(choose, (0, None), axis_size=2), p, WIDE)[0], x * p[:, None])


def test_conversions_carry_cotangents_back_in_the_type_they_came_from() -> None:
    def body(x: Value) -> Value:
        return ops.convert(ops.convert(x, dtype=bf16), dtype=f32)

    g = np.float32([1.0, 1.001, 3.14159])
    (found,) = pulled(body, g, np.ones(3, np.float32))
    assert found.dtype == np.float32
    near(found, jax.vjp(lambda x: x.astype("bfloat16").astype("f"), np.ones(3, "f"))[1](g)[0], 0)
    counted = function_of(lambda x: ops.convert(ops.convert(x, dtype=i32), dtype=f32), f32[3])
    near(values(grad_function(counted), g)[0], [0, 0, 0])


def test_reduced_precision_rounds_cotangents_as_in_jax() -> None:
    g = np.float32([1.0, 1.001, 3.14159])
    body = lambda x: ops.reduce_precision(x, exponent_bits=8, mantissa_bits=7)  # noqa: E731
    wanted = jax.vjp(lambda x: lax.reduce_precision(x, 8, 7), g)[1](g)[0]
    near(pulled(body, g, g)[0], wanted, 0)
