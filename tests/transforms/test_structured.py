"""Calls, conditionals, loops and checkpoints: what their gradients are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import TransformError
from dxir.graph import Function, Module, Node, walk
from dxir.op import trace
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.transforms.options import Options, using
from dxir.types import TupleType, f32, i1, i32

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(3)


def data(*shape: int) -> Array:
    return (RNG.normal(size=shape) * 0.7).astype(np.float32)


def graph(function: Callable[..., Any], *types: Any, name: str = "main") -> Function:
    return trace(function, Function(name, types))


def private(function: Callable[..., Any], *types: Any, name: str) -> Function:
    return trace(function, Function(name, types, public=False))


def values(function: Function, *arguments: Any) -> list[Array]:
    found = dxir.evaluate(function, *arguments)
    return [np.asarray(v) for v in (found if isinstance(found, tuple) else (found,))]


def slopes(function: Function, x: Array, step: float = 1e-3) -> Array:
    """Central differences of a number, by each element of its only parameter."""
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.astype(np.float64), x.astype(np.float64)
        up[place] += step
        down[place] -= step
        pair = [values(function, v.astype(x.dtype))[0] for v in (up, down)]
        found[place] = (pair[0] - pair[1]) / (2 * step)
    return found


def nodes(function: Function, op: str) -> list[Node]:
    return [n for n in walk(function) if n.op == op]


def names(*functions: Function) -> list[str]:
    return [f.name for f in Module(functions).functions]


LAYER = private(lambda h, w: ops.tanh(ops.matmul(h, w)), f32[4, 4], f32[4, 4], name="layer")


def stack(h: Any, *weights: Any) -> Any:
    for w in weights:
        h = ops.call(LAYER, h, w)
    return ops.sum(h)


def test_a_layer_that_is_called_often_is_differentiated_once() -> None:
    function = graph(stack, *[f32[4, 4]] * 33)
    gradient = grad_function(function)
    assert names(gradient) == ["main_grad", "layer_fwd", "layer_bwd"]
    assert len(gradient.nodes) < 80
    assert len(nodes(gradient, "call")) == 64
    assert not nodes(gradient, "tanh")


def test_functions_made_of_one_callee_have_names_of_their_own() -> None:
    function = graph(stack, *[f32[4, 4]] * 4)
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


def test_only_cotangents_that_are_wanted_are_computed_in_a_call() -> None:
    function = graph(stack, *[f32[4, 4]] * 2)
    gradient = grad_function(function, 1)
    (back,) = [f for f in Module([gradient]).functions if "bwd" in f.name]
    assert len(back.results) == 1
    assert len(nodes(back, "dot_general")) == 1


def test_results_that_nothing_depends_on_send_nothing_back() -> None:
    callee = private(lambda x: (ops.sin(x), ops.exp(x)), f32[3], name="two")
    function = graph(lambda x: ops.sum(ops.call(callee, x)[0]), f32[3])
    (back,) = [f for f in Module([grad_function(function)]).functions if "bwd" in f.name]
    assert len(nodes(back, "mul")) == 1


def test_a_composite_without_rules_goes_through_its_decomposition() -> None:
    inner = private(lambda x: ops.mul(ops.sin(x), x), f32[3], name="decomposed")
    function = graph(lambda x: ops.composite("acme.wave", (x,), decomposition=inner), f32[3])
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

    gradient = grad_function(graph(powers, f32[2], i32[()]), 0)
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

    (forward, back) = nodes(grad_function(graph(branches, f32[3], i32[()]), 0), "switch")
    assert len(forward.results) == 2
    assert len(back.results) == 1


def guarded(x: Any) -> Any:
    return ops.cond(
        ops.compare(x, np.float32(0), direction="GT"), lambda: ops.log(x), lambda: ops.mul(x, x)
    )


def test_a_branch_that_is_not_chosen_sends_no_nan_into_a_batched_gradient() -> None:
    function = graph(guarded, f32[()])
    x = np.array([0, -1, 1, 2], np.float32)
    gradient = grad_function(vmap_function(function, axis_size=4))
    np.testing.assert_allclose(values(gradient, x)[0], [0, -2, 1, 0.5])
    np.testing.assert_allclose(values(grad_function(gradient), x)[0], [2, 2, -1, -0.25])
    batched = vmap_function(grad_function(function), axis_size=4)
    np.testing.assert_allclose(values(batched, x)[0], [0, -2, 1, 0.5])


def test_a_predicate_of_the_whole_batch_stays_a_condition() -> None:
    function = graph(lambda p, x: ops.cond(p, lambda: ops.sin(x), lambda: x), i1[()], f32[3])
    made = vmap_function(function, (None, 0), axis_size=2)
    assert len(nodes(made, "cond")) == 1
    assert not nodes(made, "select")


def halving(x: Any) -> Any:
    """A loop as long as a value is above 1: sqrt is infinite in slope where it stops."""
    return ops.while_loop(
        lambda x, s: ops.compare(x, np.float32(1), direction="GT"),
        lambda x, s: (ops.sub(x, np.float32(1)), ops.add(s, ops.sqrt(ops.sub(x, np.float32(1))))),
        (x, ops.mul(x, np.float32(0))),
    )[1]


def roots(x: float) -> float:
    return sum(0.5 / np.sqrt(x - 1 - k) for k in range(10) if x - k > 1)


def test_a_loop_of_unknown_length_is_refused_with_its_place_and_a_way_out() -> None:
    function = graph(lambda x: ops.add(halving(x), halving(ops.sin(x))), f32[()])
    with pytest.raises(TransformError, match="max_trip_count") as caught:
        grad_function(function)
    assert "test_structured.py" in str(caught.value)
    assert "while_loop" in str(caught.value)


def test_a_loop_of_unknown_length_has_a_gradient_with_a_bound() -> None:
    function = graph(halving, f32[()])
    for bound, wanted in ((8, roots(4.2)), (4, roots(4.2)), (3, np.nan)):
        with using(Options(max_trip_count=bound)):
            gradient = grad_function(function)
        np.testing.assert_allclose(values(gradient, np.float32(4.2))[0], wanted, rtol=1e-4)
    tangent = values(jvp_function(function, value=False), np.float32(4.2), np.float32(1))[0]
    np.testing.assert_allclose(tangent, roots(4.2), rtol=1e-4)


def test_elements_of_a_batch_that_are_done_keep_their_state_and_send_no_nan() -> None:
    function = graph(halving, f32[()])
    x = np.array([1, -1, 2.5, 4.2], np.float32)
    batched = vmap_function(function, axis_size=4)
    rows = [values(function, v)[0] for v in x]
    np.testing.assert_allclose(values(batched, x)[0], rows, rtol=1e-6)
    with using(Options(max_trip_count=5)):
        gradient = grad_function(batched)
    np.testing.assert_allclose(values(gradient, x)[0], [roots(v) for v in x], rtol=1e-4)


def test_counters_of_a_batched_loop_stay_what_they_are() -> None:
    step = private(lambda i, x: (ops.add(i, np.int32(1)), ops.sin(x)), i32[()], f32[3], name="step")
    function = graph(
        lambda x: ops.while_loop(
            lambda i, x: ops.compare(i, np.int32(4), direction="LT"),
            lambda i, x: ops.call(step, i, x),
            (np.int32(0), x),
        )[1],
        f32[3],
    )
    made = vmap_function(function, axis_size=2)
    (loop,) = nodes(made, "while_loop")
    assert loop.results[0].shape == ()
    assert not nodes(made, "select")


def carried(function: Function) -> Iterator[tuple[int, ...]]:
    for loop in nodes(function, "scan"):
        yield from [v.shape for v in loop.operands[: loop.segments[0]]]


def test_the_rows_that_a_while_loop_reads_and_writes_are_no_state() -> None:
    def loop(xs: Any) -> Any:
        def step(i: Any, h: Any, ys: Any) -> Any:
            row = ops.dynamic_slice(xs, (ops.sub(np.int32(9), i), np.int32(0)), sizes=(1, 3))
            h = ops.tanh(ops.add(h, ops.reshape(row, shape=(3,))))
            start = (ops.sub(np.int32(9), i), np.int32(0))
            ys = ops.dynamic_update_slice(ys, ops.reshape(h, shape=(1, 3)), start)
            return ops.add(i, np.int32(1)), h, ys

        start = (np.int32(0), np.zeros(3, np.float32), np.ones((10, 3), np.float32))
        _, _, ys = ops.while_loop(
            lambda i, h, ys: ops.compare(i, np.int32(8), direction="LT"), step, start
        )
        return ops.sum(ops.mul(ys, ys))

    function = graph(loop, f32[10, 3])
    gradient = grad_function(function)
    assert (10, 3) not in set(carried(gradient))
    assert all(n.attrs["reverse"] == (i == 0) for i, n in enumerate(nodes(gradient, "scan")))
    x = data(10, 3)
    np.testing.assert_allclose(values(gradient, x)[0], slopes(function, x), atol=2e-3)


def test_what_is_the_same_in_every_step_is_kept_once() -> None:
    def loop(w: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return ops.mul(ops.add(h, x), ops.exp(w))

        return ops.sum(ops.scan(step, (np.zeros(3, np.float32),), (xs,))[0])

    first, back = nodes(grad_function(graph(loop, f32[3], f32[5, 3])), "scan")
    shapes = [r.shape for r in first.results]
    assert shapes == [(3,), (5, 3)]  # the state, and the sum in each step: not exp(w)
    assert not [n for n in walk(back.regions[0]) if n.op == "exp"]


def test_a_slice_that_a_loop_reads_is_read_again_and_not_kept() -> None:
    def loop(xs: Any) -> Any:
        return ops.scan(lambda h, x: ops.mul(h, x), (np.ones(3, np.float32),), (xs,))[0]

    first, back = nodes(grad_function(graph(loop, f32[5, 3])), "scan")
    assert [r.shape for r in first.results] == [(3,), (5, 3)]
    assert len(back.operands) == 3


def test_integers_that_a_loop_carries_have_no_cotangents() -> None:
    def loop(x: Any) -> Any:
        def step(n: Any, h: Any) -> Any:
            return ops.add(n, n), ops.mul(h, ops.convert(n, dtype=f32))

        return ops.scan(step, (np.int32(1), x), length=4)[1]

    gradient = grad_function(graph(loop, f32[()]))
    np.testing.assert_allclose(values(gradient, np.float32(2))[0], 64)


def test_loops_in_segments_keep_that_many_states() -> None:
    def loop(xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return ops.sin(ops.add(h, x))

        return ops.sum(ops.scan(step, (np.zeros(3, np.float32),), (xs,))[0])

    function = graph(loop, f32[12, 3])
    x = data(12, 3)
    wanted = values(grad_function(function), x)[0]
    for kept in (1, 3, 4, 5):
        with using(Options(loops=kept)):
            gradient = grad_function(function)
        np.testing.assert_allclose(values(gradient, x)[0], wanted, rtol=1e-5)
        outer = [n for n in gradient.nodes if n.op == "scan"]
        stacked = [r.shape[0] for n in outer for r in n.results if len(r.shape) == 2]
        assert max(stacked) <= 12 if kept == 5 else stacked[0] == kept


@pytest.mark.parametrize("options", [{"loops": 0}, {"loops": "some"}, {"max_trip_count": 0}])
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TransformError, match="must be"):
        Options(**options)


BLOCK = private(
    lambda h, w: ops.sin(ops.tanh(ops.matmul(h, w))), f32[4, 4], f32[4, 4], name="block"
)


@pytest.mark.parametrize(("policy", "products"), [("nothing", 3), ("dots", 2), ("everything", 2)])
def test_a_checkpoint_does_again_what_its_policy_does_not_keep(policy: str, products: int) -> None:
    function = graph(
        lambda h, w: ops.sum(ops.checkpoint_call(BLOCK, (h, w), policy=policy)),
        f32[4, 4],
        f32[4, 4],
    )
    plain = graph(lambda h, w: ops.sum(ops.call(BLOCK, h, w)), f32[4, 4], f32[4, 4])
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
    function = graph(
        lambda h, w: ops.sum(
            ops.checkpoint_call(BLOCK, (h, w), policy=lambda v: v.producer.op == "tanh")
        ),
        f32[4, 4],
        f32[4, 4],
    )
    back = next(f for f in Module([grad_function(function)]).functions if "bwd" in f.name)
    assert not nodes(back, "tanh")
    with pytest.raises(dxir.DxirError, match="policy"):
        graph(lambda h, w: ops.checkpoint_call(BLOCK, (h, w), policy="all"), f32[4, 4], f32[4, 4])


def test_a_tuple_in_place_is_what_was_put_into_it() -> None:
    function = graph(lambda x: ops.get_tuple_element(ops.tuple((ops.sin(x), x)), index=0), f32[3])
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
    function = graph(lambda x: ops.call(inner, ops.tuple((ops.sin(x), x))), f32[3])
    for make in (grad_function, jvp_function):
        with pytest.raises(TransformError, match="one by one"):
            make(function)


def test_a_barrier_holds_cotangents_together_too() -> None:
    function = graph(
        lambda x, y: ops.mul(*ops.optimization_barrier((ops.sin(x), ops.cos(y)))), f32[3], f32[3]
    )
    gradient = grad_function(function)
    assert [len(n.operands) for n in nodes(gradient, "optimization_barrier")] == [2, 2]
