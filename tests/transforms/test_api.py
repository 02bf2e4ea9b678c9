"""The derivatives and batches of Python functions, where a graph is being built, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import DxirError, GraphError, TransformError
from dxir.tracing.trees import flatten
from dxir.types import DType, f64, i32

Array = np.ndarray[Any, Any]
Leaves = list[Any]


@pytest.fixture(autouse=True)
def _wide() -> Any:
    with jax.enable_x64(True):
        yield


RNG = np.random.default_rng(5)
W, X = RNG.standard_normal((3, 4)), RNG.standard_normal(4)
M = RNG.standard_normal((5, 4))


def built(body: Callable[..., Any], *arrays: Any) -> list[Array]:
    """What a function over values gives on arrays: the leaves of its result."""
    b = dxir.Builder("main")
    params = [b.param(f64[a.shape] if a.dtype.kind == "f" else _type(a)) for a in arrays]
    leaves, _ = flatten(body(*params))
    function = b.build(*leaves)
    dxir.lower(function)
    return [np.asarray(r) for r in _many(dxir.evaluate(function, *arrays))]


def _type(a: Array) -> dxir.TensorType:
    return dxir.TensorType(a.shape, DType.of({"c": "c128", "i": "i32"}[a.dtype.kind]))


def _many(found: Any) -> Sequence[Any]:
    return found if isinstance(found, tuple) else (found,)


def agree(found: list[Array], wanted: Any, rtol: float = 1e-9) -> None:
    leaves = jax.tree.leaves(wanted)
    assert len(found) == len(leaves)
    for a, b in zip(found, leaves, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-12)


def tanh_of(w: Any, x: Any, o: Any = ops) -> Any:
    return ops.tanh(ops.matmul(w, x)) if o is ops else jnp.tanh(w @ x)


def loss(p: Any, scale: Any) -> Any:
    return ops.sum(ops.mul(tanh_of(p["w"], p["x"]), scale))


def jax_loss(p: Any, scale: Any) -> Any:
    return jnp.sum(tanh_of(p["w"], p["x"], jnp) * scale)


def test_gradients_come_in_the_containers_of_the_argument() -> None:
    b = dxir.Builder("main")
    w, x = b.param(f64[3, 4]), b.param(f64[4])
    found = dxir.grad(loss)({"w": w, "x": [x, None][0]}, 2.0)
    assert set(found) == {"w", "x"}
    agree(
        built(lambda w, x: dxir.grad(loss)({"w": w, "x": x}, 2.0), W, X),
        jax.grad(jax_loss)({"w": W, "x": X}, 2.0),
    )


class Pair(NamedTuple):
    a: Any
    b: Any


def test_containers_of_every_kind_go_in_and_out() -> None:
    def f(t: Any) -> Any:
        return ops.sum(t["p"].a * t["q"][0] * t["q"][1][0])

    b = dxir.Builder("main")
    x = b.param(f64[3])
    given = {"q": (x, [x], None), "p": Pair(x, None), "z": {}}
    found = dxir.grad(f)(given)
    assert isinstance(found["p"], Pair)
    assert found["p"].b is None
    assert found["q"][2] is None
    assert found["z"] == {}
    assert isinstance(found["q"][1], list)
    assert found["q"][0].type == f64[3]


def test_wrt_names_one_argument_or_several() -> None:
    f, g = lambda x, y: ops.sum(x * y * y), lambda x, y: jnp.sum(x * y * y)
    for wrt in (0, 1, (1, 0), -1):
        agree(
            built(lambda x, y, wrt=wrt: dxir.grad(f, wrt)(x, y), X, 2 * X),
            jax.grad(g, wrt)(X, 2 * X),
        )


def test_a_value_may_come_in_twice_and_from_outside() -> None:
    def f(x: Any) -> Any:
        return ops.sum(dxir.grad(lambda a, b: ops.sum(a * b * x))(x, x))

    agree(built(f, X), jnp.sum(X * X))
    agree(built(lambda x: dxir.jvp(lambda a: a * x, (x,), (x,))[1], X), X * X)
    agree(built(lambda x: dxir.vjp(lambda a: a * x, x)[1](x), X), (X * X,))
    agree(built(lambda x: dxir.grad(f)(x), X), 2 * X)


def test_the_value_comes_with_its_gradient() -> None:
    agree(
        built(lambda w, x: dxir.value_and_grad(loss)({"w": w, "x": x}, 3.0), W, X),
        jax.value_and_grad(jax_loss)({"w": W, "x": X}, 3.0),
    )


def test_what_else_a_function_returns_is_passed_on() -> None:
    def f(x: Any) -> Any:
        y = x * x
        return ops.sum(y), {"y": y, "n": np.int32(3)}

    s, g = jnp.sum(X * X), 2 * X
    found = built(lambda x: dxir.value_and_grad(f, has_aux=True)(x), X)
    agree(found, ((s, {"n": np.int32(3), "y": X * X}), g))
    found = built(lambda x: dxir.grad(f, has_aux=True)(x), X)
    agree(found, (g, {"n": np.int32(3), "y": X * X}))


def test_what_else_a_function_returns_is_passed_on_by_products() -> None:
    def f(x: Any, o: Any = ops) -> Any:
        return {"y": o.sin(x)}, (x * x, np.int32(3))

    def jax_f(x: Any) -> Any:
        return f(x, jnp)

    found = built(lambda x: dxir.jvp(f, (x,), (x,), has_aux=True), X)
    agree(found, jax.jvp(jax_f, (X,), (X,), has_aux=True))

    def pushed(x: Any) -> Any:
        y, push, aux = dxir.linearize(f, x, has_aux=True)
        return y, push(x), aux

    y, push, aux = jax.linearize(jax_f, X, has_aux=True)
    agree(built(pushed, X), (y, push(X), aux))
    with pytest.raises(TransformError, match="has_aux needs a pair"):
        built(lambda x: dxir.jvp(ops.sin, (x,), (x,), has_aux=True), X)


@pytest.mark.parametrize(
    "transform", ["grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "vjp", "jvp", "vmap"]
)
def test_the_words_of_jax_are_told_what_they_are_here(transform: str) -> None:
    with pytest.raises(TransformError, match="has no option 'argnums'") as caught:
        getattr(dxir, transform)(ops.sin, argnums=0)
    assert caught.value.hint == "it is called wrt here"
    with pytest.raises(TransformError, match="has no option 'axis'") as caught:
        getattr(dxir, transform)(ops.sin, axis=0)
    assert "it has " in str(caught.value.hint)
    assert __file__ in str(caught.value.where)


def test_keyword_arguments_and_plain_objects_reach_the_function() -> None:
    def f(x: Any, kind: str, *, power: int, other: Any) -> Any:
        assert kind == "cube"
        y = x
        for _ in range(power - 1):
            y = y * x
        return ops.sum(y * other)

    agree(built(lambda x: dxir.grad(f)(x, "cube", power=3, other=x), X), 3 * X**2 * X)


@pytest.mark.slow
@pytest.mark.parametrize("transform", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("wrt", [0, 1, (0, 1)])
def test_jacobians_are_those_of_jax(transform: str, wrt: Any) -> None:
    def f(w: Any, x: Any) -> Any:
        return {"y": tanh_of(w, x), "s": ops.sum(x * x)}

    def g(w: Any, x: Any) -> Any:
        return {"y": tanh_of(w, x, jnp), "s": jnp.sum(x * x)}

    mine, theirs = getattr(dxir, transform), getattr(jax, transform)
    agree(built(lambda w, x: mine(f, wrt)(w, x), W, X), theirs(g, wrt)(W, X))


def test_jacobians_of_scalars_need_no_batch() -> None:
    s = np.array(0.7)
    for transform in (dxir.jacfwd, dxir.jacrev):
        agree(built(lambda x, t=transform: t(ops.sin)(x), s), np.cos(s))
        agree(built(lambda x, s, t=transform: t(lambda a: x * a)(s), X, s), X)


def test_jacobians_of_nothing_are_empty() -> None:
    none = np.zeros(0)
    for name in ("jacfwd", "jacrev"):
        mine, theirs = getattr(dxir, name), getattr(jax, name)
        agree(built(lambda x, y, t=mine: t(lambda x, y: ops.sum(x) + y, (0, 1))(x, y), none, X),
              theirs(lambda x, y: jnp.sum(x) + y, (0, 1))(none, X))  # fmt: skip


@pytest.mark.slow
def test_hessians_are_those_of_jax() -> None:
    f = lambda w, x: ops.sum(ops.sin(ops.matmul(w, x)))  # noqa: E731
    g = lambda w, x: jnp.sum(jnp.sin(w @ x))  # noqa: E731
    for wrt in (0, 1, (0, 1)):
        agree(
            built(lambda w, x, wrt=wrt: dxir.hessian(f, wrt)(w, x), W, X),
            jax.hessian(g, wrt)(W, X),
        )
    want = jax.jvp(jax.grad(g, (0, 1)), (W, X), (2 * W, X))[1]
    agree(built(lambda w, x: dxir.hvp(f, (w, x), (w + w, x)), W, X), want)
    want = jax.jvp(jax.grad(lambda x: g(W, x)), (X,), (X,))[1]
    agree(built(lambda w, x: dxir.hvp(f, (w, x), (None, x)), W, X), want)


def test_a_pullback_may_be_called_several_times() -> None:
    def f(w: Any, x: Any) -> Any:
        y, pull = dxir.vjp(lambda w, x: {"y": tanh_of(w, x), "n": x}, w, x)
        return y, pull({"y": y["y"], "n": None}), pull({"y": None, "n": x})

    y, pull = jax.vjp(lambda w, x: {"y": tanh_of(w, x, jnp), "n": x}, W, X)
    zeros = jax.tree.map(jnp.zeros_like, y)
    want = (y, pull({**zeros, "y": y["y"]}), pull({**zeros, "n": X}))
    agree(built(f, W, X), want)


def test_a_pullback_gives_the_cotangents_that_are_asked_for() -> None:
    for wrt, wanted in ((1, X * X), ((1,), (X * X,)), ((1, 0), (X * X, 2 * X * X))):
        agree(
            built(lambda x, y, w=wrt: dxir.vjp(lambda x, y: x * y, x, y, wrt=w)[1](x), X, 2 * X),
            wanted,
        )

    def with_aux(x: Any) -> Any:
        y, pull, aux = dxir.vjp(lambda x: (x * x, {"n": x}), x, has_aux=True)
        return y, pull(x), aux

    agree(built(with_aux, X), (X * X, (2 * X * X,), {"n": X}))


def test_a_pullback_can_be_batched() -> None:
    def f(w: Any, x: Any, m: Any) -> Any:
        _, pull = dxir.vjp(lambda x: ops.sin(x), x)
        return dxir.vmap(pull)(m)

    agree(built(f, W, X, M), (M * np.cos(X),))


def test_a_linear_function_is_computed_in_two_parts() -> None:
    def f(w: Any, x: Any) -> Any:
        y, push = dxir.linearize(tanh_of, w, x)
        return y, push(w, x), push(None, x)

    y, push = jax.linearize(lambda w, x: tanh_of(w, x, jnp), W, X)
    agree(built(f, W, X), (y, push(W, X), push(jnp.zeros_like(W), X)))


def test_integers_have_none_for_a_cotangent_and_a_tangent() -> None:
    n = np.array(3, np.int32)

    def f(x: Any, n: Any) -> Any:
        return x * ops.convert(n, dtype=f64), n

    def body(x: Any, n: Any) -> Any:
        _, pull = dxir.vjp(f, x, n)
        gx, gn = pull((x, None))
        assert gn is None
        (_, same), (moved, none) = dxir.jvp(f, (x, n), (x, None))
        assert none is None
        return gx, moved, same

    agree(built(body, X, n), (3 * X, 3 * X, n))


def test_complex_numbers_follow_jax() -> None:
    z = X + 1j * X[::-1]
    f = lambda z: ops.real(ops.sum(z * z * ops.conj(z)))  # noqa: E731
    g = lambda z: jnp.real(jnp.sum(z * z * jnp.conj(z)))  # noqa: E731
    agree(built(lambda z: dxir.grad(f)(z), z), jax.grad(g)(z))
    h = lambda z: z * z * ops.conj(z)  # noqa: E731
    k = lambda z: z * z * jnp.conj(z)  # noqa: E731
    agree(built(lambda z: dxir.vjp(h, z)[1](z), z), jax.vjp(k, z)[1](z))
    agree(built(lambda z: dxir.jvp(h, (z,), (z,)), z), jax.jvp(k, (z,), (z,)))


NESTINGS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "grad of grad": (
        lambda x: dxir.grad(lambda x: ops.sum(dxir.grad(lambda x: ops.sum(x * ops.sin(x)))(x)))(x),
        lambda x: jax.grad(lambda x: jnp.sum(jax.grad(lambda x: jnp.sum(x * jnp.sin(x)))(x)))(x),
    ),
    "vmap of grad": (
        lambda x: dxir.vmap(dxir.grad(lambda s: s * ops.sin(s)))(x),
        lambda x: jax.vmap(jax.grad(lambda s: s * jnp.sin(s)))(x),
    ),
    "grad of vmap": (
        lambda x: dxir.grad(lambda x: ops.sum(dxir.vmap(lambda s: s * ops.sin(s))(x)))(x),
        lambda x: jax.grad(lambda x: jnp.sum(jax.vmap(lambda s: s * jnp.sin(s))(x)))(x),
    ),
    "jvp of vjp": (
        lambda x: dxir.jvp(lambda x: dxir.vjp(ops.sin, x)[1](x), (x,), (x,))[1],
        lambda x: jax.jvp(lambda x: jax.vjp(jnp.sin, x)[1](x), (x,), (x,))[1],
    ),
    "vjp of jvp": (
        lambda x: dxir.vjp(lambda x: dxir.jvp(ops.sin, (x,), (x,))[1], x)[1](x),
        lambda x: jax.vjp(lambda x: jax.jvp(jnp.sin, (x,), (x,))[1], x)[1](x),
    ),
    "vmap of vmap of grad with what is captured": (
        lambda x: dxir.vmap(
            lambda a: dxir.vmap(lambda b: dxir.grad(lambda c: a * b * c * c)(b))(x)
        )(x),
        lambda x: jax.vmap(
            lambda a: jax.vmap(lambda b: jax.grad(lambda c: a * b * c * c)(b))(x)
        )(x),
    ),
    "jacfwd of vmap": (
        lambda x: dxir.jacfwd(dxir.vmap(lambda s: s * s * s))(x),
        lambda x: jax.jacfwd(jax.vmap(lambda s: s * s * s))(x),
    ),
    "linearize of grad": (
        lambda x: dxir.linearize(dxir.grad(lambda x: ops.sum(x * x * x)), x)[1](x),
        lambda x: jax.linearize(jax.grad(lambda x: jnp.sum(x * x * x)), x)[1](x),
    ),
    "grad of grad by what is captured": (
        lambda x: dxir.grad(
            lambda y: ops.sum(dxir.grad(lambda x: ops.sum(x * x * y * y))(x))
        )(x),
        lambda x: jax.grad(
            lambda y: jnp.sum(jax.grad(lambda x: jnp.sum(x * x * y * y))(x))
        )(x),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTINGS)
def test_transforms_nest_in_any_order(name: str) -> None:
    mine, theirs = NESTINGS[name]
    agree(built(mine, X), theirs(X))


def test_the_body_of_a_loop_may_hold_a_derivative() -> None:
    def step(carry: Any, _: Any) -> Any:
        return carry - 0.1 * dxir.grad(lambda c: ops.sum(c * c))(carry)

    agree(built(lambda x: ops.fori_loop(0, 3, lambda i, c: step(c, i), (x,)), X), X * 0.8**3)


def test_a_batch_lies_where_in_axes_says() -> None:
    f = lambda t, x: (t["w"] * x, ops.sum(x))  # noqa: E731
    g = lambda t, x: (t["w"] * x, jnp.sum(x))  # noqa: E731
    for ins, outs in (((0, None), 0), (({"w": 0}, None), (1, 0)), ((0, None), (-1, None))):
        agree(
            built(lambda m, x, i=ins, o=outs: dxir.vmap(f, i, o)({"w": m}, x), M, X),
            jax.vmap(g, ins, outs)({"w": M}, X),
        )
    agree(
        built(lambda m, w: dxir.vmap(lambda a, b: a * b, (1, 0), 1)(m, w), M[:4], M[:4].T.copy()),
        jax.vmap(lambda a, b: a * b, (1, 0), 1)(M[:4], M[:4].T),
    )


def test_a_batch_without_an_input_needs_a_size() -> None:
    agree(built(lambda x: dxir.vmap(ops.sin, None, axis_size=3)(x), X), np.stack([np.sin(X)] * 3))


def test_the_gradient_stops_where_it_is_told_to() -> None:
    f = lambda x: ops.sum(x * dxir.stop_gradient({"a": [x]})["a"][0])  # noqa: E731
    agree(built(lambda x: dxir.grad(f)(x), X), X)
    agree(built(lambda x: dxir.jvp(f, (x,), (x,))[1], X), jnp.sum(X * X))
    assert dxir.stop_gradient((None, 3, np.int32(4))) == (None, 3, np.int32(4))
    b = dxir.Builder("main")
    x = b.param(f64[3])
    program = dxir.lower(b.build(dxir.stop_gradient(x)))
    assert program.op_counts()["stablehlo.composite"] == 1
    assert "stop_gradient" in str(dxir.vmap(program.raise_()["main"], axis_size=2))


def test_what_nothing_needs_is_not_computed() -> None:
    b = dxir.Builder("main")
    x = b.param(f64[3])
    f = b.build(dxir.grad(lambda x: ops.sum(x * x + ops.floor(ops.exp(x))))(x))
    assert "exp" not in {n.op for n in f.nodes}
    assert "floor" not in {n.op for n in f.nodes}


def test_constants_of_outside_can_be_used_again() -> None:
    two = ops.constant(np.float64(2.0))
    b = dxir.Builder("main")
    x = b.param(f64[()])
    g = dxir.grad(lambda x: x * x + two)(x)
    h = dxir.vmap(lambda a: ops.sum(ops.full(shape=(2,), value=0, dtype=f64)) * a)(
        ops.broadcast_to(x, shape=(3,))
    )
    f = b.build(g * two, h)
    dxir.lower(f)
    np.testing.assert_allclose(dxir.evaluate(f, np.float64(3))[0], 12.0)


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a vector": (lambda x: dxir.grad(lambda x: x)(x), "the gradient is of one real number"),
    "several results": (
        lambda x: dxir.grad(lambda x: (ops.sum(x), ops.sum(x)))(x),
        "the gradient is of one real number",
    ),
    "no result": (lambda x: dxir.grad(lambda x: None)(x), "returns nothing"),
    "an integer result": (
        lambda x: dxir.grad(lambda x: ops.argmax(x))(x), "the gradient is of one real number"
    ),
    "an integer argument": (
        lambda x: dxir.grad(lambda x, n: ops.sum(x), 1)(x, np.int32(3)), "which has no derivative"
    ),
    "an argument that is no value": (
        lambda x: dxir.grad(lambda x, n: ops.sum(x), 1)(x, 2.0), "2.0, which is no array"
    ),
    "an argument that is not there": (
        lambda x: dxir.grad(lambda x: ops.sum(x), 2)(x), "wrt names argument 2"
    ),
    "an argument named twice": (
        lambda x: dxir.grad(lambda x: ops.sum(x), (0, 0))(x), "names an argument twice"
    ),
    "a number for a result": (lambda x: dxir.grad(lambda x: 3.0)(x), "the result of"),
    "a pair without has_aux": (
        lambda x: dxir.grad(lambda x: ops.sum(x), has_aux=True)(x), "has_aux needs a pair"
    ),
    "no function": (lambda x: dxir.grad(x), "takes a dxir.Function or a Python function"),
    "a word of JAX": (
        lambda x: dxir.grad(lambda x: ops.sum(x), argnums=0)(x),  # type: ignore[call-overload]
        "grad has no option 'argnums'",
    ),
    "outputs of a Python function": (
        lambda x: dxir.grad(lambda x: x, outputs=(0,)), "outputs is for a dxir.Function"
    ),
    "cotangents of another shape": (
        lambda x: dxir.vjp(lambda x: x, x)[1](ops.sum(x)), "has type f64"
    ),
    "cotangents in other containers": (
        lambda x: dxir.vjp(lambda x: (x, x), x)[1]([x]), "the cotangents is"
    ),
    "a tangent too few": (
        lambda x: dxir.jvp(lambda x, y: x, (x, x), (x,)), "jvp: tangents is"
    ),
    "tangents without a tuple": (lambda x: dxir.jvp(lambda x: x, x, x), "jvp: primals is"),
    "batches of different sizes": (
        lambda x: dxir.vmap(lambda a, b: a)(x, ops.full(shape=(7,), value=0, dtype=f64)),
        "different sizes",
    ),
    "a batch that is not there": (lambda x: dxir.vmap(lambda a: a, None)(x), "has a batch"),
    "an axis that is not there": (lambda x: dxir.vmap(lambda a: a, 1)(x), "in_axes has 1"),
    "an axis of a result that is not there": (
        lambda x: dxir.vmap(lambda a: a, 0, 1)(x), "out_axes has 1"
    ),
    "too few axes": (lambda x: dxir.vmap(lambda a, b: a, (0,))(x, x), "in_axes has 1 entries"),
    "a batched result without an axis": (
        lambda x: dxir.vmap(lambda a: a, 0, None)(x), "depends on the batch"
    ),
    "a vector for nothing": (
        lambda x: dxir.hvp(lambda x: ops.sum(x), (x,), (None,)), "no vector"
    ),
    "complex Jacobians": (
        lambda x: dxir.jacrev(lambda x: ops.complex(x, x))(x), "one number for each pair"
    ),
    "complex gradients": (
        lambda x: dxir.grad(lambda x: ops.sum(ops.complex(x, x)))(x), "one real number"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_mistakes_are_told_with_the_place(what: str) -> None:
    body, message = REFUSED[what]
    b = dxir.Builder("main")
    x = b.param(f64[4])
    with pytest.raises(TransformError) as caught:
        body(x)
    assert message in caught.value.message
    assert __file__ in str(caught.value.where)


def test_a_function_that_fails_leaves_nothing_behind() -> None:
    b = dxir.Builder("main")
    x = b.param(f64[4])
    with pytest.raises(DxirError):
        dxir.vmap(lambda a: ops.custom_call((a,), types=(f64[()],), call_target_name="no"))(x)
    with pytest.raises(DxirError):
        dxir.vmap(lambda a: a * 2.0, 0, None)(x)
    assert b.function.nodes == []


def test_values_of_a_traced_function_cannot_leave_it() -> None:
    kept: Leaves = []
    b = dxir.Builder("main")
    x = b.param(f64[4])

    def f(x: Any) -> Any:
        kept.append(x * x)
        return ops.sum(x)

    dxir.grad(f)(x)
    with pytest.raises(GraphError, match="already built"):
        kept[0] + x


class TestFunctions:
    """The same of a dxir.Function."""

    @staticmethod
    def function() -> dxir.Function:
        b = dxir.Builder("f")
        w, x, n = b.param(f64[3, 4], name="w"), b.param(f64[4]), b.param(i32[()])
        y = tanh_of(w, x)
        return b.build(y, ops.sum(y), n)

    @pytest.mark.parametrize("transform", ["jacfwd", "jacrev"])
    def test_jacobians_have_a_result_for_each_output_and_input(self, transform: str) -> None:
        made = getattr(dxir, transform)(self.function())
        assert made.name == f"f_{transform}"
        assert made.params[0].name == "w"
        found = dxir.evaluate(made, W, X, np.int32(1))
        g = lambda w, x: (jnp.tanh(w @ x), jnp.sum(jnp.tanh(w @ x)))  # noqa: E731
        agree([np.asarray(a) for a in found], jax.jacrev(g, (0, 1))(W, X))

    def test_second_derivatives(self) -> None:
        g = lambda w, x: jnp.sum(jnp.tanh(w @ x))  # noqa: E731
        made = dxir.hessian(self.function(), (1,), outputs=1)
        assert made.name == "f_hessian"
        agree([np.asarray(dxir.evaluate(made, W, X, np.int32(1)))], jax.hessian(g, 1)(W, X))
        made = dxir.hvp(self.function(), wrt=1, outputs=1)
        found = dxir.evaluate(made, W, X, np.int32(1), X)
        agree([np.asarray(found)], jax.hessian(g, 1)(W, X) @ X)

    def test_linearize_gives_what_is_kept_and_what_takes_it(self) -> None:
        first, second = dxir.linearize(self.function(), wrt=(1, 0), outputs=(1,))
        assert (first.name, second.name) == ("f_forward", "f_linear")
        *_, n, kept = (lambda r: (*r[:3], r[3:]))(dxir.evaluate(first, W, X, np.int32(1)))
        assert n == 1
        moved = dxir.evaluate(second, *kept, X, 2 * W)
        g = lambda w, x: jnp.sum(jnp.tanh(w @ x))  # noqa: E731
        agree([np.asarray(moved)], jax.jvp(g, (W, X), (2 * W, X))[1])

    def test_names_say_what_was_made(self) -> None:
        f = self.function()
        assert dxir.grad(f, outputs=0).name == "f_grad"
        assert dxir.value_and_grad(f, 0, name="g").name == "g"
        assert dxir.vjp(f).name == "f_vjp"
        assert dxir.jvp(f).name == "f_jvp"
        assert dxir.vmap(f, axis_size=3).name == "f_vmap"
        assert len(dxir.value_and_grad(f, 0).results) == 4
        assert dxir.value_and_grad(f).name == "f_value_and_grad"

    def test_positions_may_count_from_the_end(self) -> None:
        f = self.function()
        for transform in (dxir.grad, dxir.vjp, dxir.jvp, dxir.jacfwd, dxir.jacrev, dxir.hessian):
            one, other = transform(f, wrt=-2, outputs=-3), transform(f, wrt=1, outputs=0)
            assert dxir.to_json(dxir.graph.Module([one])) == dxir.to_json(
                dxir.graph.Module([other])
            )
        with pytest.raises(TransformError, match="wrt names parameter -4, but f has 3"):
            dxir.grad(f, -4)
        with pytest.raises(TransformError, match="wrt names parameter -1 of f, which is i32"):
            dxir.grad(f, -1)
        with pytest.raises(TransformError, match="names a parameter twice"):
            dxir.grad(f, (1, -2))

    def test_values_beside_a_function_are_refused(self) -> None:
        f = self.function()
        b = dxir.Builder("main")
        x = b.param(f64[4])
        for call in (lambda: dxir.vjp(f, x), lambda: dxir.jvp(f, (x,), (x,)),
                     lambda: dxir.linearize(f, x)):  # fmt: skip
            with pytest.raises(TransformError, match="is a Function, and takes no values"):
                call()
        with pytest.raises(TransformError, match="has_aux is for Python functions"):
            dxir.grad(f, has_aux=True)  # type: ignore[call-overload]


def test_a_checkpoint_computes_again_what_it_did_not_keep() -> None:
    def layer(w: Any, x: Any) -> Any:
        return ops.sin(ops.sin(ops.matmul(w, x)))

    def total(f: Any) -> Any:
        return lambda w, x: ops.sum(f(w, f(w, x)))

    square = W @ W.T
    wanted = jax.grad(lambda w, x: jnp.sum(jnp.sin(jnp.sin(w @ jnp.sin(jnp.sin(w @ x))))), (0, 1))(
        square, X[:3]
    )
    for policy in ("nothing", "dots", "everything", lambda value: value.producer.op == "sin"):
        f = dxir.checkpoint(layer, policy=policy)
        agree(built(lambda w, x, f=f: dxir.grad(total(f), (0, 1))(w, x), square, X[:3]), wanted)
    with pytest.raises(DxirError, match="the policy is 'some'"):
        built(dxir.checkpoint(layer, policy="some"), square, X[:3])


def test_checkpoints_of_equal_functions_share_one() -> None:
    def f(a: Any, x: Any) -> Any:
        step = dxir.checkpoint(lambda x: ops.sin(x) * a)
        other = dxir.checkpoint(lambda x: ops.cos(x))
        return other(step(step(step(x))))

    b = dxir.Builder("main")
    x = b.param(f64[4])
    program = dxir.lower(b.build(f(x, x)))
    assert len(program.function_names) == 3  # main, and a function for each kind of step


def test_a_checkpoint_of_a_function_is_one() -> None:
    f = TestFunctions.function()
    made = dxir.checkpoint(f, policy="dots")
    assert made.name == "f_checkpoint"
    found = dxir.evaluate(dxir.grad(made, 1, outputs=1), W, X, np.int32(1))
    agree([np.asarray(found)], jax.grad(lambda x: jnp.sum(jnp.tanh(W @ x)))(X))
