"""Choices and loops on containers of arrays: while tracing, on numbers, and what JAX gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array, ops
from dxir.errors import DxirError, GraphError, OperandError, ShapeError
from dxir.graph import building
from dxir.types import TensorType

X = np.arange(6, dtype=np.float32).reshape(2, 3) / 4


class State(NamedTuple):
    count: Any
    total: Any


def traced(body: Callable[..., Any], *arrays: Any) -> Any:
    """What a function gives when it is traced, and its graph evaluated."""
    types = [TensorType.of_array(np.asarray(a)) for a in arrays]
    function = dxir.Function("main", types)
    with building(function):
        leaves, tree = dxir.tree.flatten(body(*[Array(p) for p in function.params]))
        function.seal([leaf.value() for leaf in leaves])
    dxir.lower(function)
    found = dxir.evaluate(function, *arrays)
    return tree.build(found if isinstance(found, tuple) else (found,))


def same(found: Any, wanted: Any) -> None:
    ours, shape = dxir.tree.flatten(found)
    others, wanted_shape = dxir.tree.flatten(wanted)
    assert shape == wanted_shape
    for a, b in zip(ours, others, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=1e-6)


def both(body: Callable[..., Any], *arrays: Any) -> Any:
    """What a function gives on numbers, which must be what it gives traced."""
    found = body(*[Array(np.asarray(a)) for a in arrays])
    same(traced(body, *arrays), found)
    return found


def test_a_choice_gives_what_the_branch_gives_in_its_containers() -> None:
    def body(x: Any) -> Any:
        return dxir.cond(
            x[0, 0] < 1, lambda v: {"a": v * 2, "n": None}, lambda v: {"a": v, "n": None}, x
        )

    same(both(body, X), {"a": X * 2, "n": None})
    same(both(body, X + 9), {"a": X + 9, "n": None})


def test_a_branch_may_use_arrays_from_outside_and_return_them() -> None:
    same(both(lambda x: dxir.cond(x[0, 0] < 1, lambda: x, lambda: -x), X), X)


def test_python_numbers_from_branches_take_the_types_of_the_other_branch() -> None:
    def body(x: Any) -> Any:
        return dxir.cond(x[0, 0] < 1, lambda: 0, lambda: x[0, 0])

    found = both(body, X)
    assert found.dtype == dxir.f32
    assert both(lambda x: dxir.cond(x[0, 0] < 1, lambda: 1, lambda: 2), X).dtype == dxir.i32


@pytest.mark.parametrize("index", [-5, 0, 1, 2, 7])
def test_an_index_out_of_range_takes_the_last_branch(index: int) -> None:
    branches = [lambda v: v, lambda v: -v, lambda v: v * 3]
    found = both(lambda i, x: dxir.switch(i, branches, x), np.int32(index), X)
    wanted = branches[index if 0 <= index < 3 else 2](X)
    same(found, wanted)


@pytest.mark.parametrize(
    "index",
    [np.int64(1 << 32), np.uint32(0xFFFFFFFF), np.uint64(1 << 33), np.int8(-1), np.int64(1)],
)
def test_an_index_of_any_width_is_out_of_range_where_it_is(index: Any) -> None:
    branches = [lambda v: v, lambda v: -v, lambda v: v * 3]
    found = both(lambda i, x: dxir.switch(i, branches, x), index, X)
    same(found, branches[int(index) if 0 <= int(index) < 3 else 2](X))


def test_a_while_loop_keeps_named_tuples() -> None:
    def body(x: Any) -> Any:
        return dxir.while_loop(
            lambda s: s.count < 4, lambda s: State(s.count + 1, s.total + x), State(0, x)
        )

    found = both(body, X)
    assert isinstance(found, State)
    same(found, State(np.int32(4), X * 5))


def test_what_began_as_a_python_number_takes_the_type_the_body_gives_it() -> None:
    found = both(lambda x: dxir.fori_loop(0, 3, lambda i, t: t + x[0, i], 0), X)
    assert found.dtype == dxir.f32
    same(found, X[0].sum())


def test_a_loop_counts_from_traced_bounds() -> None:
    def body(n: Any, x: Any) -> Any:
        return dxir.fori_loop(1, n, lambda i, t: t * x + i, x)

    wanted = jax.lax.fori_loop(1, 4, lambda i, t: t * X + i, jnp.asarray(X))
    same(both(body, np.int32(4), X), np.asarray(wanted))
    same(both(body, np.int64(0), X), X)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_scan_stacks_what_each_step_gives(reverse: bool) -> None:
    def body(carry: Any, row: Any) -> Any:
        return carry * 0.5 + row, {"y": carry * row, "none": None}

    def ours(x: Any) -> Any:
        return dxir.scan(body, x[0], x, reverse=reverse)

    carry, ys = jax.lax.scan(body, jnp.asarray(X[0]), jnp.asarray(X), reverse=reverse)
    same(both(ours, X), (np.asarray(carry), {"y": np.asarray(ys["y"]), "none": None}))


def test_a_scan_needs_no_xs_when_it_is_told_its_length() -> None:
    same(
        both(lambda x: dxir.scan(lambda c, _: (c + x, c), 0.0 * x, length=3), X),
        (X * 3, np.stack([X * 0, X, X * 2])),
    )


def test_a_scan_of_no_steps_has_stacks_of_nothing() -> None:
    carry, ys = both(lambda x: dxir.scan(lambda c, r: (c, r * 2), x, xp.add(x, 0)[:0]), X)
    same(carry, X)
    assert ys.shape == (0, 3)


def test_map_treats_one_row_after_the_other() -> None:
    same(both(lambda x: dxir.map(lambda r: r * r, x), X), X * X)


@pytest.mark.parametrize("eager", [True, False])
def test_loops_and_choices_have_gradients(eager: bool) -> None:
    def loss(x: Any) -> Any:
        carry, _ = dxir.scan(lambda c, r: (c * r + 1, None), x[0], x)
        chosen = dxir.cond(x[0, 0] < 1, lambda: carry, lambda: -carry)
        return ops.sum(dxir.fori_loop(0, 2, lambda i, t: t * chosen, chosen))

    def theirs(x: Any) -> Any:
        carry, _ = jax.lax.scan(lambda c, r: (c * r + 1, None), x[0], x)
        chosen = jax.lax.cond(x[0, 0] < 1, lambda: carry, lambda: -carry)
        return jax.lax.fori_loop(0, 2, lambda i, t: t * chosen, chosen).sum()

    wanted = np.asarray(jax.grad(theirs)(jnp.asarray(X)))
    gradient = dxir.grad(loss)
    found = gradient(Array(X)) if eager else traced(gradient, X)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5)


def test_on_numbers_only_the_branch_that_is_taken_runs(capsys: pytest.CaptureFixture[str]) -> None:
    def left(v: Any) -> Any:
        print("left", float(v))
        return v

    def right(v: Any) -> Any:
        print("right")
        return v

    dxir.cond(True, left, right, Array(np.float32(2)))
    assert capsys.readouterr().out == "left 2.0\n"


MISTAKES: dict[str, tuple[Callable[[Any], Any], type[DxirError], str]] = {
    "branches of other shapes": (
        lambda x: dxir.cond(x[0, 0] > 0, lambda: x, lambda: x[0]),
        GraphError,
        r"the result is f32\[2, 3\] from true, f32\[3\] from false",
    ),
    "branches of other containers": (
        lambda x: dxir.cond(x[0, 0] > 0, lambda: (x,), lambda: [x]),
        GraphError,
        r"true returns \(value,\), false \[value\]",
    ),
    "a predicate of many": (
        lambda x: dxir.cond(x > 0, lambda: x, lambda: x),
        OperandError,
        "must be one boolean",
    ),
    "a body that changes a shape": (
        lambda x: dxir.while_loop(lambda s: s["h"][0, 0] > 0, lambda s: {"h": s["h"][0]}, {"h": x}),
        GraphError,
        r"the state\['h'\] is f32\[2, 3\] at first, and f32\[3\] after the body",
    ),
    "a body that changes the containers": (
        lambda x: dxir.while_loop(lambda s: x[0, 0] > 0, lambda s: (s, s), x),
        GraphError,
        "after the body",
    ),
    "a scan without a pair": (lambda x: dxir.scan(lambda c, r: c, x, x), GraphError, "not a pair"),
    "a scan of nothing": (lambda x: dxir.scan(lambda c, r: (c, r), x), ShapeError, "no steps"),
    "rows of two lengths": (
        lambda x: dxir.scan(lambda c, r: (c, None), x, (x, x[:1])),
        ShapeError,
        "2 and 1 steps",
    ),
    "a branch number that is a float": (
        lambda x: dxir.switch(x[0, 0], [lambda: x]),
        OperandError,
        "must be an integer scalar",
    ),
    "no branches": (lambda x: dxir.switch(0, []), OperandError, "no list of functions"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_at_its_line_with_what_to_do(name: str) -> None:
    body, kind, message = MISTAKES[name]
    with pytest.raises(kind, match=message) as caught:
        traced(body, X)
    assert caught.value.where is not None
    assert __file__ in caught.value.where


def test_a_mistake_in_a_body_leaves_the_function_usable() -> None:
    function = dxir.Function("main", [dxir.f32[2, 3]])
    with building(function):
        x = Array(function.params[0])
        with pytest.raises(ZeroDivisionError):
            dxir.cond(x[0, 0] > 0, lambda: 1 / 0, lambda: x)
        function.seal([(x * 2).value()])
    same(dxir.evaluate(function, X), X * 2)
