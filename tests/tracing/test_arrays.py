"""Arrays of numbers and of graphs: ops and transforms on them."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import Array, ops
from dxir.errors import DxirError, GraphError, OperandError
from dxir.graph import building

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def loss(w: Any, x: Any) -> Any:
    return ops.sum(ops.tanh(ops.matmul(x, w)))


def test_ops_on_arrays_of_numbers_are_computed_at_once() -> None:
    y = ops.softmax(Array(X), axis=-1)
    assert isinstance(y, Array)
    assert not y.is_traced
    np.testing.assert_allclose(y, jax.nn.softmax(X, axis=-1), rtol=1e-6)
    top, where = ops.top_k(Array(X), k=2)
    np.testing.assert_array_equal(where, [[2, 1], [2, 1]])
    assert (top.shape, where.dtype) == ((2, 2), dxir.i32)


def test_arrays_are_copied_and_pickled_wherever_their_numbers_are() -> None:
    on_device = dxir.jit(lambda x: x + 1)(X)
    narrow, weak = Array(X.astype(dxir.bf16.numpy)), Array(2.0, weak=True)
    for array in (on_device, Array(X), narrow, weak):
        for kept in (copy.copy(array), copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
            assert (kept.type, kept.weak) == (array.type, array.weak)
            np.testing.assert_array_equal(kept, array)
    kept = copy.deepcopy({"w": on_device})["w"]
    dxir.jit(lambda w: w * 2, donate="w")(on_device)  # takes over the memory of the original
    np.testing.assert_array_equal(kept, X + 1)


def test_an_array_of_a_graph_is_its_own_copy_and_is_not_pickled() -> None:
    def f(x: Any) -> Any:
        assert copy.copy(x) is x
        assert copy.deepcopy([x])[0] is x
        return pickle.dumps(x)

    with pytest.raises(GraphError, match="a pickle asks for the numbers of"):
        dxir.function(f).trace(X)


def test_ops_on_arrays_of_a_graph_are_nodes() -> None:
    function = dxir.Function("main", [dxir.f32[2, 3]])
    with building(function):
        y = ops.tanh(Array(function.params[0]))
        assert y.is_traced
        function.seal([y.value()])
    assert [n.op for n in function.nodes] == ["tanh"]


def test_numbers_become_constants_of_the_graph_that_uses_them() -> None:
    weights = Array(X)
    for name in ("first", "second"):  # not of the first alone
        function = dxir.Function(name, [dxir.f32[2, 3]])
        with building(function):
            function.seal([ops.add(Array(function.params[0]), weights).value()])
        np.testing.assert_array_equal(dxir.evaluate(function, X), X + X)


def test_regions_of_ops_are_given_arrays() -> None:
    count, total = ops.while_loop(
        cond=lambda i, t: i < 3,
        body=lambda i, t: (i + 1, t + t),
        init=(Array(np.int32(0)), Array(X)),
    )
    assert int(count) == 3
    np.testing.assert_array_equal(total, X * 8)


def test_transforms_on_numbers_give_numbers() -> None:
    w = np.ones((3, 4), np.float32)

    def theirs(w: Any, x: Any) -> Any:
        return jnp.tanh(x @ w).sum()

    value, gradient = dxir.value_and_grad(loss)(Array(w), Array(X))
    wanted, wanted_gradient = jax.value_and_grad(theirs)(w, X)
    np.testing.assert_allclose(value, wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(gradient, wanted_gradient, rtol=1e-5, atol=1e-6)
    y, pullback = dxir.vjp(ops.sin, Array(X))
    np.testing.assert_allclose(pullback(y)[0], np.sin(X) * np.cos(X), rtol=1e-5)
    _, tangent = dxir.jvp(ops.sin, (Array(X),), (Array(X),))
    np.testing.assert_allclose(tangent, X * np.cos(X), rtol=1e-5)
    np.testing.assert_allclose(dxir.vmap(ops.sum)(Array(X)), X.sum(1), rtol=1e-6, atol=1e-7)
    again = dxir.grad(dxir.checkpoint(loss))(Array(w), Array(X))
    np.testing.assert_allclose(again, wanted_gradient, rtol=1e-5, atol=1e-6)
    hessian = dxir.hessian(lambda v: ops.sum(ops.mul(ops.mul(v, v), v)))(Array(X[0]))
    np.testing.assert_allclose(hessian, np.diag(6 * X[0]), rtol=1e-5, atol=1e-7)


def test_transforms_on_numpy_arrays_alone_are_computed_at_once() -> None:
    w = np.ones((3, 4), np.float32)
    gradient = dxir.grad(loss)(w, X)
    assert isinstance(gradient, Array)
    np.testing.assert_array_equal(gradient, dxir.grad(loss)(Array(w), Array(X)))
    np.testing.assert_allclose(dxir.vmap(ops.sum)(X), X.sum(1), rtol=1e-6, atol=1e-7)
    b = dxir.Builder("main")
    found = dxir.evaluate(b.build(b.param(dxir.f32[3, 4]) + gradient), w)
    np.testing.assert_array_equal(found, w + gradient.numpy())


def test_own_rules_are_kept_on_numbers() -> None:
    @dxir.custom_vjp
    def clipped(x: Any) -> Any:
        return ops.sin(x)

    clipped.defvjp(lambda x: (ops.sin(x), None), lambda _, g: (ops.mul(g, 5.0),))

    found = dxir.grad(lambda v: ops.sum(clipped(v)))(Array(X))
    np.testing.assert_array_equal(found, np.full_like(X, 5))


def test_values_stay_values() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[2, 3])
    w = b.param(dxir.f32[3, 4])
    gradient = dxir.grad(loss)(w, x)
    assert isinstance(gradient, dxir.Value)


def test_a_traced_array_has_no_numbers_and_says_what_to_use() -> None:
    function = dxir.Function("main", [dxir.f32[()]])
    with building(function):
        x = Array(function.params[0])
        for ask in (bool, int, float, complex, np.asarray, lambda v: v.item()):
            with pytest.raises(GraphError, match="stands for any array") as caught:
                ask(x)
            assert "f.eager" in str(caught.value)
            assert __file__ in str(caught.value.where)


def test_numbers_of_more_than_one_element_have_no_truth() -> None:
    with pytest.raises(OperandError, match="needs an array of one element"):
        bool(Array(X))


def test_arrays_cannot_be_changed_in_place() -> None:
    given = X.copy()
    x = Array(given)
    given[:] = 7
    np.testing.assert_array_equal(x, X)
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 1
    with pytest.raises(GraphError, match=r"not changed in place"):
        x[0] = 1  # type: ignore[index]


def test_an_error_of_an_op_names_the_line_of_its_call() -> None:
    with pytest.raises(DxirError) as caught:
        ops.matmul(Array(X), Array(X))
    assert __file__ in str(caught.value)


def test_a_graph_that_arrays_were_used_in_is_let_go_of() -> None:
    with dxir.Builder("main") as b:
        total = Array(b.param(dxir.f32[2, 3])) + Array(X)
        built = b.build(total.value())
    graph = weakref.ref(built)
    del b, built, total
    gc.collect()
    assert graph() is None


def test_a_function_that_is_sealed_holds_no_numbers_of_its_arrays() -> None:
    with dxir.Builder("main") as b:
        x = Array(b.param(dxir.f32[2, 3]))
        built = b.build((x + Array(X) + Array(X)).value())
    assert [n.op for n in built.nodes].count("constant") == 1
    assert not built.constants
