"""Loops: how long they are, what is kept of steps, what becomes of elements of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import TransformError
from dxir.examples import Example
from dxir.graph import Function, Value, walk
from dxir.op import REGISTRY, Derived
from dxir.transforms import grad_function, jvp_function, vmap_function
from dxir.transforms.options import LoopOptions, using
from dxir.types import Type, c64, f32, i32

from .graphs import Array, function_of, nodes, private, values

RNG = np.random.default_rng(3)


def data(*shape: int) -> Array:
    return (RNG.normal(size=shape) * 0.7).astype(np.float32)


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
    function = function_of(lambda x: ops.add(halving(x), halving(ops.sin(x))), f32[()])
    with pytest.raises(TransformError, match="max_trip_count") as caught:
        grad_function(function)
    assert "test_loops.py" in str(caught.value)
    assert "while_loop" in str(caught.value)
    assert "options=dxir.LoopOptions(max_trip_count=100)" in str(caught.value)


def test_a_loop_of_unknown_length_has_a_gradient_with_a_bound() -> None:
    function = function_of(halving, f32[()])
    for bound, wanted in ((8, roots(4.2)), (4, roots(4.2)), (3, np.nan)):
        with using(LoopOptions(max_trip_count=bound)):
            gradient = grad_function(function)
        np.testing.assert_allclose(values(gradient, np.float32(4.2))[0], wanted, rtol=1e-4)
    tangent = values(jvp_function(function, value=False), np.float32(4.2), np.float32(1))[0]
    np.testing.assert_allclose(tangent, roots(4.2), rtol=1e-4)


def test_every_transform_that_goes_backwards_takes_the_bound() -> None:
    function, options = function_of(halving, f32[()]), dxir.LoopOptions(max_trip_count=5)
    x, one = np.float32(4.2), np.float32(1)
    second = -sum(0.25 / np.sqrt(4.2 - 1 - k) ** 3 for k in range(4))
    for made, given, wanted in (
        (dxir.jacrev(function, options=options), (x,), roots(4.2)),
        (dxir.hessian(function, options=options), (x,), second),
        (dxir.hvp(function, options=options), (x, one), second),
    ):
        np.testing.assert_allclose(values(made, *given)[0], wanted, rtol=1e-4)
    for body, wanted in (
        (lambda x: dxir.jacrev(halving, options=options)(x), roots(4.2)),
        (lambda x: dxir.hessian(halving, options=options)(x), second),
        (lambda x: dxir.hvp(halving, (x,), (x,), options=options)[0], second * 4.2),
    ):
        np.testing.assert_allclose(values(function_of(body, f32[()]), x)[0], wanted, rtol=1e-4)
    with pytest.raises(TransformError, match="max_trip_count"):
        dxir.hessian(function)


def test_elements_of_a_batch_that_are_done_keep_their_state_and_send_no_nan() -> None:
    function = function_of(halving, f32[()])
    x = np.array([1, -1, 2.5, 4.2], np.float32)
    batched = vmap_function(function, axis_size=4)
    rows = [values(function, v)[0] for v in x]
    np.testing.assert_allclose(values(batched, x)[0], rows, rtol=1e-6)
    with using(LoopOptions(max_trip_count=5)):
        gradient = grad_function(batched)
    np.testing.assert_allclose(values(gradient, x)[0], [roots(v) for v in x], rtol=1e-4)


def test_counters_of_a_batched_loop_stay_what_they_are() -> None:
    step = private(lambda i, x: (ops.add(i, np.int32(1)), ops.sin(x)), i32[()], f32[3], name="step")
    function = function_of(
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


class TwiceAdded(Derived, name="tests.twice_added"):
    """`a + a`, and `a + b`."""

    a: Value
    b: Value

    examples = (Example(a=f32[()], b=f32[()]),)

    def infer(self) -> tuple[Type, Type]:
        return self.a.type, self.b.type

    def expand(self, a: Value, b: Value) -> tuple[Value, Value]:
        return ops.add(a, a), ops.add(a, b)

    def reference(self, a: Array, b: Array) -> tuple[Array, Array]:
        return a + a, a + b


del REGISTRY["tests.twice_added"]  # which other tests list


@pytest.mark.parametrize(
    "inner", ["while", "fori", "scan", "map", "cond", "call", "size", "derived"]
)
def test_loops_tell_before_they_are_made_what_a_batch_leaves_as_it_is(inner: str) -> None:
    taken: Any = TwiceAdded.build
    add = private(lambda s, x: (ops.add(s, s), ops.add(x, s)), f32[()], f32[()], name="add")
    again = lambda s, x: (ops.add(s, s), ops.add(x, s))  # noqa: E731

    def step(s: Any, x: Any) -> Any:
        if inner == "while":
            return ops.while_loop(
                lambda i, *_: ops.compare(i, np.int32(2), direction="LT"),
                lambda i, *state: (ops.add(i, np.int32(1)), *again(*state)),
                (np.int32(0), s, x),
            )[1:]
        if inner == "fori":
            return ops.fori_loop(0, 2, lambda i, *state: again(*state), (s, x))
        if inner == "scan":
            return ops.scan(again, (s, x), (), length=2)
        if inner == "map":
            rows = ops.map(again, (ops.reshape(s, shape=(1,)), ops.reshape(x, shape=(1,))))
            return [ops.reshape(r, shape=()) for r in rows]
        if inner == "cond":
            wide = ops.compare(s, np.float32(3), direction="GT")
            return ops.cond(wide, lambda: again(s, x), lambda: (s, x))
        if inner == "size":
            count = ops.get_dimension_size(ops.reshape(x, shape=(1,)), axis=0)
            return ops.add(s, ops.convert(count, dtype=f32)), ops.add(x, s)
        return ops.call(add, s, x) if inner == "call" else taken(s, x)

    function = function_of(lambda s, x: ops.scan(step, (s, x), (), length=3), f32[()], f32[()])
    made = vmap_function(function, (None, 0), (None, 0), axis_size=2)
    (outer,) = [n for n in made.nodes if n.op == "scan"]
    assert [v.shape for v in outer.results] == [(), (2,)]
    x = data(2)
    rows = [values(function, np.float32(1), v)[1] for v in x]
    np.testing.assert_allclose(values(made, np.float32(1), x)[1], rows, rtol=1e-6)


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

    function = function_of(loop, f32[10, 3])
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

    first, back = nodes(grad_function(function_of(loop, f32[3], f32[5, 3])), "scan")
    shapes = [r.shape for r in first.results]
    assert shapes == [(3,), (5, 3)]  # the state, and the sum in each step: not exp(w)
    assert not [n for n in walk(back.regions[0]) if n.op == "exp"]


def test_a_slice_that_a_loop_reads_is_read_again_and_not_kept() -> None:
    def loop(xs: Any) -> Any:
        return ops.scan(lambda h, x: ops.mul(h, x), (np.ones(3, np.float32),), (xs,))[0]

    first, back = nodes(grad_function(function_of(loop, f32[5, 3])), "scan")
    assert [r.shape for r in first.results] == [(3,), (5, 3)]
    assert len(back.operands) == 3


def test_integers_that_a_loop_carries_have_no_cotangents() -> None:
    def loop(x: Any) -> Any:
        def step(n: Any, h: Any) -> Any:
            return ops.add(n, n), ops.mul(h, ops.convert(n, dtype=f32))

        return ops.scan(step, (np.int32(1), x), length=4)[1]

    gradient = grad_function(function_of(loop, f32[()]))
    np.testing.assert_allclose(values(gradient, np.float32(2))[0], 64)


def test_loops_in_segments_keep_that_many_states() -> None:
    def loop(xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return ops.sin(ops.add(h, x))

        return ops.sum(ops.scan(step, (np.zeros(3, np.float32),), (xs,))[0])

    function = function_of(loop, f32[12, 3])
    x = data(12, 3)
    wanted = values(grad_function(function), x)[0]
    for kept in (1, 3, 4, 5):
        with using(LoopOptions(loops=kept)):
            gradient = grad_function(function)
        np.testing.assert_allclose(values(gradient, x)[0], wanted, rtol=1e-5)
        outer = [n for n in gradient.nodes if n.op == "scan"]
        stacked = [r.shape[0] for n in outer for r in n.results if len(r.shape) == 2]
        assert max(stacked) <= 12 if kept == 5 else stacked[0] == kept


@pytest.mark.parametrize("options", [{"loops": 0}, {"loops": "some"}, {"max_trip_count": 0}])
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TransformError, match="must be"):
        LoopOptions(**options)


def test_a_loop_may_count_in_any_way_that_ends() -> None:
    ways = [
        (5, -1, lambda i: ops.compare(i, np.int32(0), direction="NE"), 5),
        (0, 3, lambda i: ops.compare(np.int32(10), i, direction="GE"), 4),
        (7, -2, lambda i: ops.not_(ops.compare(i, np.int32(0), direction="LE")), 4),
        (2, 2, lambda i: ops.compare(ops.mul(i, i), np.int32(50), direction="LT"), 3),
        (3, 1, lambda i: ops.compare(i, np.int32(3), direction="LT"), 0),
    ]
    for start, step, holds, count in ways:
        function = function_of(
            lambda x, a=start, s=step, h=holds: ops.while_loop(
                lambda i, y: h(i),
                lambda i, y: (ops.add(i, np.int32(s)), ops.mul(y, y)),
                (np.int32(a), x),
            )[1],
            f32[()],
        )
        power = 2**count
        wanted = power * 1.1 ** (power - 1)
        found = values(grad_function(function), np.float32(1.1))[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_a_loop_whose_counter_never_stops_it_is_of_unknown_length() -> None:
    function = function_of(
        lambda x: ops.while_loop(
            lambda i, y: ops.compare(i, np.int32(3), direction="LT"),
            lambda i, y: (ops.mul(i, np.int32(1)), ops.sin(y)),
            (np.int32(0), x),
        )[1],
        f32[()],
    )
    with pytest.raises(TransformError, match="how often it runs is not known"):
        grad_function(function)


def test_a_tensor_read_whole_and_by_rows_gets_both_cotangents() -> None:
    def loop(xs: Any) -> Any:
        def step(i: Any, h: Any) -> Any:
            row = ops.dynamic_slice(xs, (i, np.int32(0)), sizes=(1, 2))
            other = ops.dynamic_slice(xs, (ops.add(i, np.int32(1)), np.int32(0)), sizes=(1, 2))
            both = ops.reshape(ops.mul(row, other), shape=(2,))
            return ops.add(i, np.int32(1)), ops.add(ops.sin(h), ops.mul(both, ops.sum(xs)))

        zero = (np.int32(0), np.zeros(2, np.float32))
        return ops.sum(
            ops.while_loop(lambda i, h: ops.compare(i, np.int32(4), direction="LT"), step, zero)[1]
        )

    function = function_of(loop, f32[4, 2])
    x = data(4, 2)
    np.testing.assert_allclose(
        values(grad_function(function), x)[0], slopes(function, x), atol=3e-3
    )


def test_complex_numbers_go_through_loops_and_branches() -> None:
    def loop(x: Any) -> Any:
        def step(h: Any) -> Any:
            flag = ops.compare(ops.real(h), np.float32(0), direction="GT")
            return ops.cond(flag, lambda: ops.mul(h, x), lambda: ops.conj(h))

        return ops.real(ops.scan(step, (x,), length=3)[0])

    function = function_of(loop, c64[()])
    x = np.complex64(1.2 - 0.3j)
    tangents = [values(jvp_function(function, value=False), x, np.complex64(t))[0] for t in (1, 1j)]
    gradient = values(grad_function(function), x)[0]
    np.testing.assert_allclose(gradient, tangents[0] - 1j * tangents[1], rtol=1e-5)


def test_a_large_constant_of_outside_is_not_copied_into_both_loops() -> None:
    table = np.arange(300, dtype=np.float32).reshape(100, 3)

    def loop(x: Any) -> Any:
        rows = ops.constant(table)
        return ops.sum(ops.scan(lambda h: ops.mul(h, ops.sum(rows)), (x,), length=3)[0])

    gradient = grad_function(function_of(loop, f32[3]))
    large = [n for n in nodes(gradient, "constant") if n.attrs["value"].size == 300]
    assert len(large) == 1
