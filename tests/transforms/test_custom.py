"""Functions that bring their own derivative, and rules by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.derivatives import Undefined
from dxir.errors import DxirWarning, GraphError, TransformError
from dxir.tracing.trees import flatten
from dxir.transforms import registry
from dxir.types import f64

Array = np.ndarray[Any, Any]
X, W, V = np.array(0.3), np.array(0.8), np.arange(4) / 3


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(registry, "_RULES", {})
    with jax.enable_x64(True):
        yield


def values(body: Callable[..., Any], *arrays: Array) -> list[Any]:
    """What a function over values gives, as it is and once lowered and raised."""
    b = dxir.Builder("main")
    leaves, _ = flatten(body(*[b.param(f64[a.shape]) for a in arrays]))
    function = b.build(*leaves)
    first = dxir.evaluate(function, *arrays)
    again = dxir.evaluate(dxir.lower(function).raise_()["main"], *arrays)
    first, again = (r if isinstance(r, tuple) else (r,) for r in (first, again))
    for a, c in zip(first, again, strict=True):
        np.testing.assert_array_equal(a, c)
    return list(first)


def agree(found: list[Any], wanted: Any) -> None:
    leaves = jax.tree.leaves(wanted)
    assert len(found) == len(leaves)
    for a, b in zip(found, leaves, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def sine() -> Any:
    """`sin(p["a"]) * y`, whose derivatives are wrong on purpose: 2 and 3 times what they should."""

    @dxir.custom_vjp
    def f(p: Any, y: Any) -> Any:
        return ops.sin(p["a"]) * y

    def fwd(p: Any, y: Any) -> Any:
        return f(p, y), (ops.cos(p["a"]), y, 3.0)

    def bwd(residuals: Any, g: Any) -> Any:
        c, y, three = residuals
        return {"a": c * g * y * 2.0}, g * three

    f.defvjp(fwd, bwd)
    return f


def jax_sine() -> Any:
    @jax.custom_vjp
    def f(p: Any, y: Any) -> Any:
        return jnp.sin(p["a"]) * y

    f.defvjp(
        lambda p, y: (f(p, y), (jnp.cos(p["a"]), y)),
        lambda r, g: ({"a": r[0] * g * r[1] * 2.0}, g * 3.0),
    )
    return f


def product() -> Any:
    """`sin(x) * y`, whose tangent by `y` is twice what it should be."""

    @dxir.custom_jvp
    def f(x: Any, y: Any) -> Any:
        return ops.sin(x) * y

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (dx, dy) = primals, tangents
        return f(x, y), ops.cos(x) * y * dx + ops.sin(x) * dy * 2.0

    return f


def jax_product() -> Any:
    @jax.custom_jvp
    def f(x: Any, y: Any) -> Any:
        return jnp.sin(x) * y

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (dx, dy) = primals, tangents
        return f(x, y), jnp.cos(x) * y * dx + jnp.sin(x) * dy * 2.0

    return f


def losses(kind: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    if kind == "vjp":
        f, g = sine(), jax_sine()
        return (lambda x, w: f({"a": x}, w) * x), (lambda x, w: g({"a": x}, w) * x)
    h, k = product(), jax_product()
    return (lambda x, w: h(x, w) * x), (lambda x, w: k(x, w) * x)


kinds = pytest.mark.parametrize("kind", ["vjp", "jvp"])


@kinds
def test_the_derivative_is_the_one_that_is_given(kind: str) -> None:
    f, g = losses(kind)
    agree(values(lambda x, w: dxir.grad(f, (0, 1))(x, w), X, W), jax.grad(g, (0, 1))(X, W))
    agree(values(f, X, W), g(X, W))


@kinds
def test_the_second_derivative_is_that_of_the_rule(kind: str) -> None:
    f, g = losses(kind)
    agree(
        values(lambda x, w: dxir.grad(lambda x: dxir.grad(f)(x, w))(x), X, W),
        jax.grad(lambda x: jax.grad(g)(x, W))(X),
    )


@kinds
def test_a_batch_keeps_the_rule(kind: str) -> None:
    f, g = losses(kind)
    agree(
        values(lambda v, w: dxir.vmap(dxir.grad(f, (0, 1)), (0, None))(v, w), V, W),
        jax.vmap(jax.grad(g, (0, 1)), (0, None))(V, W),
    )
    agree(
        values(
            lambda v, w: dxir.grad(
                lambda v, w: ops.sum(dxir.vmap(lambda a: f(a, w))(v)), (0, 1)
            )(v, w), V, W,
        ),
        jax.grad(lambda v, w: jnp.sum(jax.vmap(lambda a: g(a, w))(v)), (0, 1))(V, W),
    )  # fmt: skip
    agree(
        values(
            lambda v, w: dxir.grad(
                lambda v: ops.sum(dxir.vmap(lambda w: dxir.vmap(lambda a: f(a, w))(v))(v))
            )(v) + w, V, W,
        ),
        jax.grad(lambda v: jnp.sum(jax.vmap(lambda w: jax.vmap(lambda a: g(a, w))(v))(v)))(V) + W,
    )  # fmt: skip


def test_a_forward_rule_serves_forward_mode() -> None:
    f, g = losses("jvp")
    agree(values(lambda x, w: dxir.jvp(f, (x, w), (w, x)), X, W), jax.jvp(g, (X, W), (W, X)))
    agree(
        values(lambda x, w: dxir.jvp(f, (x, w), (w, None))[1], X, W),
        jax.jvp(g, (X, W), (W, jnp.zeros(())))[1],
    )
    agree(values(lambda x, w: dxir.hessian(f)(x, w), X, W), jax.hessian(g)(X, W))


def test_a_reverse_rule_has_no_forward_mode() -> None:
    f, _ = losses("vjp")
    b = dxir.Builder("main")
    x = b.param(f64[()])
    with pytest.raises(TransformError, match=r"reverse rule of its own, by dxir\.custom_vjp"):
        dxir.jvp(f, (x, x), (x, x))


@kinds
def test_the_rule_is_found_again_in_a_program(kind: str) -> None:
    f, g = losses(kind)
    b = dxir.Builder("main")
    program = dxir.lower(b.build(f(b.param(f64[()]), b.param(f64[()]))))
    assert f'"custom_{kind}.f.' in str(program)
    after = program.run_passes("dxir-differentiate{seed=one value=false rename-to=main}")
    agree([np.asarray(r) for r in dxir.compile(after)(X, W)], jax.grad(g, (0, 1))(X, W))


def test_functions_of_one_name_have_composites_of_two() -> None:
    f, g = sine(), sine()
    b = dxir.Builder("main")
    x = b.param(f64[()])
    program = dxir.lower(b.build(f({"a": x}, x), g({"a": x}, x), f({"a": x}, x)))
    one, other, main = sorted(program.function_names)
    assert (other, main) == (f"{one}_1", "main")
    assert str(program).count(f'"{one}"') == 2
    assert str(program).count(f'"{other}"') == 1


def test_a_function_of_the_same_name_that_does_something_else_has_another_composite() -> None:
    def program(factor: float) -> str:
        def f(x: Any) -> Any:
            return x * factor

        made = dxir.custom_vjp(f, lambda x: (f(x), None), lambda _, g: (g * 100.0,))
        b = dxir.Builder("main")
        return str(dxir.lower(b.build(made(b.param(f64[2])))))

    first = program(2)
    registry._RULES.clear()  # as in another process
    second = program(3)
    function = dxir.load(second).raise_()["main"]
    np.testing.assert_array_equal(dxir.evaluate(dxir.grad(function), np.zeros(2)), [100, 100])
    function = dxir.load(first).raise_()["main"]
    with pytest.warns(DxirWarning, match="derivative of its own, which is not known in this"):
        gradient = dxir.grad(function)
    np.testing.assert_array_equal(dxir.evaluate(gradient, np.zeros(2)), [2, 2])
    with pytest.warns(DxirWarning, match="is batched, and loses its name"):
        dxir.vmap(function, axis_size=2)
    registry._RULES.clear()
    program(2)
    np.testing.assert_array_equal(dxir.evaluate(dxir.grad(function), np.zeros(2)), [100, 100])


def test_a_pass_says_that_a_rule_is_not_known() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.composite "custom_jvp.f.0" %x {decomposition = @f}
        : (tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    }
    func.func private @f(%x: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.sine %x : tensor<f64>
      return %0 : tensor<f64>
    }""")
    for text in ("dxir-differentiate{seed=one}", "dxir-jvp", "dxir-vmap{size=2}"):
        (found,) = program.run_passes(text).diagnostics
        assert found.severity == "warning"
        assert "custom_jvp.f.0" in found.message
        assert found.where is not None
        assert ":3:" in found.where


def test_a_name_that_is_given_is_that_of_the_composite() -> None:
    f = dxir.custom_vjp(
        lambda x: ops.sin(x),
        lambda x: (ops.sin(x), x),
        lambda x, g: (g * x,),
        name="acme.sine",
    )
    program = dxir.load("""
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.composite "acme.sine" %x {decomposition = @f} : (tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    }
    func.func private @f(%x: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.sine %x : tensor<f64>
      return %0 : tensor<f64>
    }""")
    found = dxir.evaluate(dxir.grad(program.raise_()["main"]), X)
    np.testing.assert_array_equal(found, X)
    b = dxir.Builder("main")
    assert '"acme.sine"' in str(dxir.lower(b.build(f(b.param(f64[()])))))
    with pytest.raises(TransformError, match="has rules already"):
        dxir.custom_jvp(ops.sin, lambda p, t: (p[0], t[0]), name="acme.sine")


def test_captured_constants_are_fine_and_other_values_are_not() -> None:
    two = ops.constant(np.float64(2))
    f = dxir.custom_vjp(lambda x: x * two, lambda x: (x * two, None), lambda r, g: (g,))
    agree(values(lambda x: (f(x), f(x + two), dxir.grad(f)(x)), X), (2 * X, 2 * (X + 2), 1.0))
    b = dxir.Builder("main")
    x = b.param(f64[()], name="x")
    g = dxir.custom_vjp(lambda y: y * x, lambda y: (y * x, None), lambda r, g: (g,))
    with pytest.raises(GraphError, match="uses the value 'x' of type"):
        g(x)


def test_a_rule_that_does_not_fit_is_told() -> None:
    b = dxir.Builder("main")
    x = b.param(f64[3])

    def total(f: Any) -> Any:
        return dxir.grad(lambda x: ops.sum(f(x)))(x)

    same = lambda x: (x, x)  # noqa: E731
    for fwd, bwd, message in (
        (lambda x: x, None, "it must return a pair"),
        (lambda x: (ops.sum(x), None), None, "gives f64[], but the function itself f64[3]"),
        (same, lambda r, g: (ops.sum(g),), "belongs to a value of type f64[3]"),
        (same, lambda r, g: (g, g), "the result of the bwd"),
    ):
        f = dxir.custom_vjp(lambda x: x * x, fwd, bwd or (lambda r, g: (g,)))
        with pytest.raises(TransformError) as caught:
            total(f)
        assert message in str(caught.value)
    with pytest.raises(TransformError, match="is a custom_vjp without a derivative"):
        total(dxir.custom_vjp(lambda x: x))
    with pytest.raises(TransformError, match=r"takes a dxir\.Function or a Python function"):
        dxir.custom_vjp(3)  # type: ignore[arg-type]
    with pytest.raises(TransformError, match="holds, 3, which is no array"):
        dxir.custom_vjp(lambda x, n: x, lambda x, n: (x, n), lambda n, g: (g, None))(x, 3)


def test_what_is_left_out_goes_through_the_decomposition() -> None:
    dxir.register_rules("acme.cube", vjp=lambda node, g, y: (g * 7.0,))
    cube = dxir.build_function(lambda x: x * x * x, f64[()], name="cube", public=False)

    def f(x: Any) -> Any:
        return ops.composite("acme.cube", (x,), decomposition=cube)

    agree(values(lambda x: dxir.grad(f)(x), X), 7.0)
    agree(values(lambda x: dxir.jvp(f, (x,), (x,))[1], X), 3 * X**3)
    agree(values(lambda v: dxir.vmap(f)(v), V), V**3)


def test_rules_are_checked_when_they_are_registered() -> None:
    dxir.register_rules("acme.one", vjp=lambda node, g, y: (g,))
    with pytest.raises(TransformError, match="has rules already"):
        dxir.register_rules("acme.one", vjp=lambda node, g, y: (g,))
    dxir.register_rules("acme.one", vjp=lambda node, g, y: (g,), replace=True)
    assert ops.lookup("softmax") is not None
    with pytest.raises(TransformError, match=r"'dxir\.softmax' is the op dxir\.dialects\.nn"):
        dxir.register_rules("dxir.softmax", vjp=lambda node, g, y: (g,))
    with pytest.raises(TransformError, match="names no composite"):
        dxir.register_rules("")
    with pytest.raises(TransformError, match=r"the jvp of 'acme\.two' is 3"):
        dxir.register_rules("acme.two", jvp=3)  # type: ignore[arg-type]
    with pytest.raises(TransformError, match=r"the pullback of 'acme\.two' is Undefined"):
        dxir.register_rules("acme.two", pullback=Undefined("why"))  # type: ignore[arg-type]
    with pytest.raises(TransformError, match=r"is given both vjp and pullback"):
        dxir.register_rules(
            "acme.two", vjp=lambda node, g, y: (g,), pullback=lambda node, sweep: ((), None)
        )


def test_that_there_is_no_rule_is_registered_with_the_reason() -> None:
    none = Undefined("nobody knows it", "ask somebody")
    dxir.register_rules("acme.call", vjp=none, batch=none, jvp=lambda node, t, y: t[0])

    def f(x: Any) -> Any:
        return ops.custom_call((x,), types=(x.type,), call_target_name="acme.call")

    b = dxir.Builder("main")
    x, v = b.param(f64[()]), b.param(f64[4])
    for body in (lambda: dxir.grad(f)(x), lambda: dxir.vmap(f)(v)):
        with pytest.raises(TransformError, match="nobody knows it") as caught:
            body()
        assert caught.value.hint == "ask somebody"
    assert dxir.jvp(f, (x,), (x,))[1].type == x.type


def test_a_rule_by_name_may_be_both_sweeps_at_once() -> None:
    def pulled(node: Any, sweep: Any) -> Any:
        y = ops.sin(node.inputs[0])
        return (y,), lambda g: ((node.inputs[0], g[0] * 3.0),)

    def pushed(node: Any, sweep: Any) -> Any:
        return (ops.sin(node.inputs[0]),), (sweep.tangents[node.inputs[0]] * 5.0,)

    dxir.register_rules("acme.sine", pullback=pulled, pushforward=pushed)

    def f(x: Any) -> Any:
        return ops.custom_call((x,), types=(x.type,), call_target_name="acme.sine")

    agree(values(lambda x: dxir.value_and_grad(f)(x), X), (np.sin(X), 3.0))
    agree(values(lambda x: dxir.jvp(f, (x,), (x,)), X), (np.sin(X), 5 * X))


@kinds
def test_the_rule_holds_in_loops_and_branches(kind: str) -> None:
    f, g = losses(kind)

    def looped(x: Any, w: Any) -> Any:
        (x,) = ops.fori_loop(0, 3, lambda i, x: f(x, w), (x,))
        return ops.cond(
            ops.compare(x, np.float64(0), direction="GT"), lambda: f(x, w), lambda: x * w
        )

    def jax_looped(x: Any, w: Any) -> Any:
        for _ in range(3):
            x = g(x, w)
        return g(x, w)

    agree(
        values(lambda x, w: dxir.grad(looped, (0, 1))(x, w), X, W),
        jax.grad(jax_looped, (0, 1))(X, W),
    )
    agree(
        values(lambda v, w: dxir.vmap(dxir.grad(looped, (0, 1)), (0, None))(v + 0.1, w), V, W),
        jax.vmap(jax.grad(jax_looped, (0, 1)), (0, None))(V + 0.1, W),
    )


@kinds
def test_the_rule_holds_in_a_checkpoint(kind: str) -> None:
    f, g = losses(kind)
    again = dxir.checkpoint(lambda x, w: f(f(x, w), w))
    agree(
        values(lambda x, w: dxir.grad(again, (0, 1))(x, w), X, W),
        jax.grad(lambda x, w: g(g(x, w), w), (0, 1))(X, W),
    )
