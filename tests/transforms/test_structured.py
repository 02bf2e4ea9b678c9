"""Calls, conditionals, tuples and checkpoints: what their gradients are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import TransformError
from dxir.graph import Function, Module
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import QuantizedType, TensorType, TupleType, f32, i1, i8, i32

from .graphs import Array, function_of, nodes, private, values

RNG = np.random.default_rng(3)


def data(*shape: int) -> Array:
    return (RNG.normal(size=shape) * 0.7).astype(np.float32)


def names(*functions: Function) -> list[str]:
    return [f.name for f in Module(functions).functions]


LAYER = private(lambda h, w: ops.tanh(ops.matmul(h, w)), f32[4, 4], f32[4, 4], name="layer")


def stack(h: Any, *weights: Any) -> Any:
    for w in weights:
        h = ops.call(LAYER, h, w, no_inline=True)
    return ops.sum(h)


def test_a_layer_that_is_called_often_is_differentiated_once() -> None:
    function = function_of(stack, *[f32[4, 4]] * 33)
    gradient = grad_function(function)
    assert names(gradient) == ["main_grad", "layer_fwd", "layer_bwd"]
    assert len(gradient.nodes) < 80
    assert len(nodes(gradient, "call")) == 64
    assert not nodes(gradient, "tanh")


def test_functions_made_of_one_callee_have_names_of_their_own() -> None:
    function = function_of(stack, *[f32[4, 4]] * 4)
    gradient = grad_function(function)
    second = grad_function(gradient, 0)
    made = [
        function, gradient, second, grad_function(function, 1, name="one"),
        grad_function(function, 0, name="zero"), jvp_function(second), jvp_function(function),
        vmap_function(second, axis_size=2), vmap_function(function, axis_size=3, name="three"),
    ]  # fmt: skip
    found = names(*made)
    assert len(set(found)) == len(found)
    assert dxir.lower(Module(made))


def test_a_call_of_a_small_function_is_differentiated_in_place() -> None:
    where = private(lambda p, a: ops.select(p, a, 0.0), i1[4], f32[4], name="_where")
    function = function_of(lambda x: ops.call(where, x > 0, ops.sqrt(x)), f32[4])
    x = np.float32([-1, 0, 0.25, 4])
    gradient, tangent = grad_function(function), jvp_function(function, value=False)
    for derived in (gradient, tangent):
        assert not nodes(derived, "call")
    np.testing.assert_array_equal(values(gradient, x)[0], [0, 0, 1, 0.25])
    np.testing.assert_array_equal(values(tangent, x, x * 0 + 1)[0], [0, 0, 1, 0.25])
    batched = vmap_function(function, axis_size=2)
    found = values(grad_function(batched), np.stack([x, x]))
    np.testing.assert_array_equal(found[0], [[0, 0, 1, 0.25]] * 2)


def long(x: Any) -> Any:
    for _ in range(9):
        x = ops.sin(x)
    return x


def test_calls_of_what_is_large_sharded_or_not_to_be_inlined_stay() -> None:
    large = private(long, f32[4], name="large")
    small = private(ops.sin, f32[4], name="small")
    sharded = private(ops.cos, f32[4], name="spread")
    sharded.param_shardings[:] = [dxir.Sharding(dxir.Mesh("devices", {"x": 2}), "x")]
    for callee, options in ((large, {}), (small, {"no_inline": True}), (sharded, {})):
        function = function_of(lambda x, f=callee, o=options: ops.sum(ops.call(f, x, **o)), f32[4])
        assert nodes(grad_function(function), "call")


def test_only_cotangents_that_are_wanted_are_computed_in_a_call() -> None:
    function = function_of(stack, *[f32[4, 4]] * 2)
    gradient = grad_function(function, 1)
    (back,) = [f for f in Module([gradient]).functions if "bwd" in f.name]
    assert len(back.results) == 1
    assert len(nodes(back, "dot_general")) == 1


def test_results_that_nothing_depends_on_send_nothing_back() -> None:
    callee = private(lambda x: (ops.sin(x), ops.exp(x)), f32[3], name="two")
    function = function_of(lambda x: ops.sum(ops.call(callee, x, no_inline=True)[0]), f32[3])
    (back,) = [f for f in Module([grad_function(function)]).functions if "bwd" in f.name]
    assert len(nodes(back, "mul")) == 1


def test_a_composite_without_rules_goes_through_its_decomposition() -> None:
    inner = private(lambda x: ops.mul(ops.sin(x), x), f32[3], name="decomposed")
    function = function_of(lambda x: ops.composite("acme.wave", (x,), decomposition=inner), f32[3])
    x = data(3)
    wanted = np.sin(x) + x * np.cos(x)
    np.testing.assert_allclose(values(grad_function(function), x)[0], wanted, rtol=1e-5)
    np.testing.assert_allclose(
        values(jvp_function(function, value=False), x, np.ones_like(x))[0], wanted, rtol=1e-5
    )
    batched = values(vmap_function(function, axis_size=2), np.stack([x, x]))[0]
    np.testing.assert_allclose(batched[1], np.sin(x) * x, rtol=1e-5)


def test_an_index_out_of_range_has_the_gradient_of_the_last_branch() -> None:
    def powers(x: Any, index: Any) -> Any:
        squares = ops.mul(x, x)
        return ops.switch(
            index,
            (
                lambda: ops.sum(squares),
                lambda: ops.sum(ops.mul(squares, x)),
                lambda: ops.sum(ops.mul(squares, squares)),
            ),
        )

    gradient = grad_function(function_of(powers, f32[2], i32[()]), 0)
    x = np.array([0.5, 1.0], np.float32)
    rows = {0: [1, 2], 1: [0.75, 3], 2: [0.5, 4], 7: [0.5, 4], -1: [0.5, 4]}
    for index, row in rows.items():
        np.testing.assert_allclose(values(gradient, x, np.int32(index))[0], row)
    indices = np.array(list(rows), np.int32)
    batched = vmap_function(gradient, (None, 0), axis_size=len(rows))
    np.testing.assert_allclose(values(batched, x, indices)[0], list(rows.values()))


def test_branches_share_the_slots_of_what_they_keep() -> None:
    def branches(x: Any, index: Any) -> Any:
        return ops.switch(
            index, (lambda: ops.sin(x), lambda: ops.tanh(x), lambda: ops.log(ops.exp(x)))
        )

    (forward, back) = nodes(grad_function(function_of(branches, f32[3], i32[()]), 0), "switch")
    assert len(forward.results) == 2
    assert len(back.results) == 1


def guarded(x: Any) -> Any:
    return ops.cond(
        ops.compare(x, np.float32(0), direction="GT"), lambda: ops.log(x), lambda: ops.mul(x, x)
    )


def test_a_branch_that_is_not_chosen_sends_no_nan_into_a_batched_gradient() -> None:
    function = function_of(guarded, f32[()])
    x = np.array([0, -1, 1, 2], np.float32)
    gradient = grad_function(vmap_function(function, axis_size=4))
    np.testing.assert_allclose(values(gradient, x)[0], [0, -2, 1, 0.5])
    np.testing.assert_allclose(values(grad_function(gradient), x)[0], [2, 2, -1, -0.25])
    batched = vmap_function(grad_function(function), axis_size=4)
    np.testing.assert_allclose(values(batched, x)[0], [0, -2, 1, 0.5])


def test_a_predicate_of_the_whole_batch_stays_a_condition() -> None:
    function = function_of(lambda p, x: ops.cond(p, lambda: ops.sin(x), lambda: x), i1[()], f32[3])
    made = vmap_function(function, (None, 0), axis_size=2)
    assert len(nodes(made, "cond")) == 1
    assert not nodes(made, "select")


BLOCK = private(
    lambda h, w: ops.sin(ops.tanh(ops.matmul(h, w))), f32[4, 4], f32[4, 4], name="block"
)


@pytest.mark.parametrize(("policy", "products"), [("nothing", 3), ("dots", 2), ("everything", 2)])
def test_a_checkpoint_does_again_what_its_policy_does_not_keep(policy: str, products: int) -> None:
    function = function_of(
        lambda h, w: ops.sum(ops.checkpoint_call(BLOCK, (h, w), policy=policy)),
        f32[4, 4],
        f32[4, 4],
    )
    plain = function_of(lambda h, w: ops.sum(ops.call(BLOCK, h, w)), f32[4, 4], f32[4, 4])
    gradient = grad_function(function)
    back = next(f for f in Module([gradient]).functions if "bwd" in f.name)
    assert len(nodes(back, "dot_general")) + len(nodes(back, "matmul")) == products
    assert len(nodes(gradient, "optimization_barrier")) == (policy != "everything")
    operands = (data(4, 4), data(4, 4))
    for make in (grad_function, jvp_function, lambda f: vjp_function(jvp_function(f))):
        given = operands if make is grad_function else (*operands, *operands)
        if make not in (grad_function, jvp_function):
            given = (*given, np.float32(1), np.float32(1))
        pairs = zip(values(make(function), *given), values(make(plain), *given), strict=True)
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_policy_may_be_a_function_of_values() -> None:
    function = function_of(
        lambda h, w: ops.sum(
            ops.checkpoint_call(BLOCK, (h, w), policy=lambda v: v.producer.op == "tanh")
        ),
        f32[4, 4],
        f32[4, 4],
    )
    back = next(f for f in Module([grad_function(function)]).functions if "bwd" in f.name)
    assert not nodes(back, "tanh")
    with pytest.raises(dxir.DxirError, match="policy"):
        function_of(
            lambda h, w: ops.checkpoint_call(BLOCK, (h, w), policy="all"), f32[4, 4], f32[4, 4]
        )


def test_a_tuple_in_place_is_what_was_put_into_it() -> None:
    function = function_of(
        lambda x: ops.get_tuple_element(ops.tuple((ops.sin(x), x)), index=0), f32[3]
    )
    x = data(3)
    np.testing.assert_allclose(values(grad_function(function), x)[0], np.cos(x), rtol=1e-6)
    np.testing.assert_allclose(
        values(jvp_function(function, value=False), x, x)[0], x * np.cos(x), rtol=1e-6
    )
    batched = values(vmap_function(function, axis_size=2), np.stack([x, x]))[0]
    np.testing.assert_allclose(batched[1], np.sin(x), rtol=1e-6)


def test_a_tuple_from_elsewhere_is_refused_and_not_taken_for_zero() -> None:
    inner = private(
        lambda t: ops.get_tuple_element(t, index=0), TupleType((f32[3], f32[3])), name="first"
    )
    function = function_of(lambda x: ops.call(inner, ops.tuple((ops.sin(x), x))), f32[3])
    for make in (grad_function, jvp_function):
        with pytest.raises(TransformError, match="one by one"):
            make(function)


def test_a_barrier_holds_cotangents_together_too() -> None:
    function = function_of(
        lambda x, y: ops.mul(*ops.optimization_barrier((ops.sin(x), ops.cos(y)))), f32[3], f32[3]
    )
    gradient = grad_function(function)
    assert [len(n.operands) for n in nodes(gradient, "optimization_barrier")] == [2, 2]


def test_shardings_of_a_function_are_those_of_what_is_sent_through_it() -> None:
    mesh = dxir.Mesh("devices", {"x": 2})
    spread, whole = dxir.Sharding(mesh, "x", None), dxir.Sharding(mesh, None, None)
    layer = private(lambda h, w: ops.tanh(ops.matmul(h, w)), f32[4, 4], f32[4, 4], name="sharded")
    layer.param_shardings[:] = [spread, whole]
    layer.result_shardings[:] = [spread]
    function = function_of(lambda h, w: ops.sum(ops.call(layer, h, w)), f32[4, 4], f32[4, 4])
    along, back = Module([grad_function(function)]).functions[1:]
    assert along.param_shardings == [spread, whole]
    assert along.result_shardings[0] == spread
    assert back.result_shardings == [spread, whole]
    assert back.param_shardings[-1] == spread


def noted() -> Function:
    mesh = dxir.Mesh("devices", {"x": 2, "y": 2})
    function = function_of(lambda a, b: ops.matmul(a, b), f32[4, 4], f32[4])
    function.params[0].name = "a"
    function.param_shardings[:] = [dxir.Sharding(mesh, "x", None), dxir.Sharding(mesh, "y")]
    function.result_shardings[:] = [dxir.Sharding(mesh, "x")]
    function.param_annotations[0] = {"jax.buffer_donor": True, "tf.aliasing_output": 0,
                                     "dxir.dims": ["n", "m"]}  # fmt: skip
    function.result_annotations[0] = {"jax.result_info": "y"}
    return function


@pytest.mark.parametrize("make", [
    dxir.grad, dxir.value_and_grad, dxir.vjp, dxir.jvp, dxir.jacfwd, dxir.jacrev, dxir.hessian,
    dxir.hvp, dxir.checkpoint, lambda f: dxir.linearize(f)[0],
])  # fmt: skip
def test_what_is_said_of_inputs_stays_where_it_stays_true(make: Callable[..., Any]) -> None:
    function = noted()
    made = make(function)
    assert made.params[0].name == "a"
    assert made.param_shardings[:2] == function.param_shardings
    donated = {"jax.buffer_donor": True, "dxir.dims": ["n", "m"]}
    assert made.param_annotations[:2] == [donated, {}]
    assert "tf.aliasing_output" in function.param_annotations[0]


def test_what_is_said_of_results_goes_along_with_them() -> None:
    function = noted()
    for make in (dxir.value_and_grad, dxir.vjp, dxir.jvp, dxir.checkpoint):
        made: Any = make(function)
        assert made.result_annotations[0] == {"jax.result_info": "y"}
        assert made.result_shardings[0] == function.result_shardings[0]
    assert dxir.grad(function).result_annotations == [{}, {}]


def test_a_batch_changes_what_is_said_of_shapes() -> None:
    function = noted()
    made = dxir.vmap(function, (0, None), 1, axis_size=3)
    assert made.param_annotations == [{"jax.buffer_donor": True}, {}]
    mesh = function.param_shardings[1].mesh  # type: ignore[union-attr]
    assert made.param_shardings[0] == dxir.Sharding(mesh, None, "x", None)
    assert made.param_shardings[1] == function.param_shardings[1]
    assert made.result_shardings == [dxir.Sharding(mesh, "x", None)]


def test_blocks_of_jacobians_are_split_as_results_and_inputs_are() -> None:
    function = noted()
    mesh = function.param_shardings[1].mesh  # type: ignore[union-attr]
    split_twice = dxir.Sharding(mesh, "x", "y")
    only_rows = dxir.Sharding(mesh, "x", None, None)
    assert dxir.jacrev(function).result_shardings == [only_rows, split_twice]
    function.result_shardings[:] = [None]
    only_columns = dxir.Sharding(mesh, None, "y")
    assert dxir.jacfwd(function, 1).result_shardings == [only_columns]
    dxir.lower(Module([dxir.jacrev(function)])).verify()


def test_a_batched_call_keeps_shardings_and_the_axes_of_quantized_types() -> None:
    scales = QuantizedType(i8, f32, (0.5, 0.25), (0, 0), axis=0)
    mesh = dxir.Mesh("devices", {"x": 2})
    inner = private(ops.uniform_dequantize, TensorType((2, 3), scales), name="inner")
    inner.param_shardings[:] = inner.result_shardings[:] = [dxir.Sharding(mesh, "x", None)]
    function = function_of(lambda q: ops.call(inner, q), TensorType((2, 3), scales))
    made = vmap_function(function, axis_size=4)
    (batched,) = Module([made]).functions[1:]
    assert batched.params[0].dtype.axis == 1
    assert batched.param_shardings == batched.result_shardings
    assert batched.param_shardings == [dxir.Sharding(mesh, None, "x", None)]
    dxir.lower(Module([made])).verify()
