"""Collectives over named axes in manual computations, run on eight virtual devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import AxisRef, Mesh, P, collectives, f32, i32, ops
from dxir.errors import AttributeValueError, DxirError, ShapeError, ShardingError
from dxir.graph import Function, Value
from dxir.transforms import vmap_function

MESH = Mesh("mesh", {"x": 2, "y": 4})
TURNED = Mesh("mesh", {"x": 2, "y": 4}, device_ids=(0, 4, 1, 5, 2, 6, 3, 7))
PARTS = P(("x", "y"))
X = np.random.default_rng(3).standard_normal((8, 8, 4)).astype(np.float32)
GRID = X.reshape(2, 4, 8, 4)
Array = Any


def manual(
    body: Callable[..., Any],
    outs: Sequence[P],
    *,
    ins: P = PARTS,
    mesh: Mesh = MESH,
    axes: Sequence[str] | None = None,
) -> Function:
    b = dxir.Builder("main", mesh=mesh)
    x = b.param(f32[8, 8, 4], name="x", sharding=ins)
    found = ops.manual_computation(
        (x,), body, in_shardings=ins, out_shardings=outs, manual_axes=axes
    )
    return b.build(*found)


def on_devices(function: Function, *arguments: Array) -> list[Array]:
    found = dxir.compile(function, devices=8)(*arguments)
    return [np.asarray(r) for r in (found if isinstance(found, tuple) else (found,))]


def everywhere(total: Array) -> Array:
    return np.broadcast_to(total, GRID.shape).reshape(X.shape)


def by_place(parts: Callable[[int, int], Array]) -> Array:
    return np.stack([parts(i, j) for i in range(2) for j in range(4)])


REDUCED: dict[str, tuple[Callable[[Value], Value], Array]] = {
    "sum": (lambda v: collectives.all_reduce(v, "x"), everywhere(GRID.sum(0, keepdims=True))),
    "mean over both": (
        lambda v: collectives.all_reduce(v, ("x", "y"), "mean"),
        everywhere(GRID.mean((0, 1), keepdims=True)),
    ),
    "prod": (
        lambda v: collectives.all_reduce(v, "y", "prod"),
        everywhere(GRID.prod(1, keepdims=True)),
    ),
    "max": (
        lambda v: collectives.all_reduce(v, "y", "max"),
        everywhere(GRID.max(1, keepdims=True)),
    ),
    "min": (
        lambda v: collectives.all_reduce(v, "x", "min"),
        everywhere(GRID.min(0, keepdims=True)),
    ),
    "a part of an axis": (
        lambda v: collectives.all_reduce(v, AxisRef("y", (1, 2))),
        np.broadcast_to(X.reshape(2, 2, 2, 8, 4).sum(1, keepdims=True), (2, 2, 2, 8, 4)).reshape(
            X.shape
        ),
    ),
    "a function": (
        lambda v: collectives.all_reduce(v, "y", lambda a, b: ops.log(ops.exp(a) + ops.exp(b))),
        everywhere(np.log(np.exp(GRID).sum(1, keepdims=True))),
    ),
    "scattered": (
        lambda v: collectives.reduce_scatter(v, "y", axis=1),
        by_place(lambda i, j: GRID[i].sum(0)[2 * j : 2 * j + 2]),
    ),
    "scattered maxima": (
        lambda v: collectives.reduce_scatter(v, "y", "max", axis=1),
        by_place(lambda i, j: GRID[i].max(0)[2 * j : 2 * j + 2]),
    ),
    "scattered by a function": (
        lambda v: collectives.reduce_scatter(v, "y", lambda a, b: a + b + a * b, axis=1),
        by_place(lambda i, j: (np.prod(GRID[i] + 1, 0) - 1)[2 * j : 2 * j + 2]),
    ),
}
MOVED: dict[str, tuple[Callable[[Value], Value], Array]] = {
    "gathered": (
        lambda v: collectives.all_gather(v, "y", axis=2),
        by_place(lambda i, j: np.concatenate(GRID[i], -1)),
    ),
    "exchanged": (
        lambda v: collectives.all_to_all(v, "y", split_axis=1, concat_axis=2),
        by_place(lambda i, j: np.concatenate(GRID[i, :, 2 * j : 2 * j + 2], -1)),
    ),
    "shifted": (lambda v: collectives.shift(v, "y"), np.roll(GRID, 1, 1).reshape(X.shape)),
    "shifted over both": (lambda v: collectives.shift(v, ("x", "y"), 3), np.roll(X, 3, 0)),
    "shifted out": (
        lambda v: collectives.shift(v, "y", -1, wrap=False),
        np.concatenate([GRID[:, 1:], 0 * GRID[:, :1]], 1).reshape(X.shape),
    ),
    "sent": (
        lambda v: collectives.collective_permute(v, "x", [(0, 1)]),
        np.concatenate([0 * GRID[:1], GRID[:1]]).reshape(X.shape),
    ),
    "broadcast": (
        lambda v: collectives.collective_broadcast(v, "y", root=2),
        everywhere(GRID[:, 2:3]),
    ),
    "numbered": (
        lambda v: v * 0 + ops.convert(collectives.axis_index(("y", "x")), dtype=f32[()].dtype),
        everywhere((np.arange(4) * 2 + np.arange(2)[:, None])[:, :, None, None]),
    ),
}


@pytest.mark.parametrize("mesh", [MESH, TURNED], ids=["in order", "turned"])
@pytest.mark.parametrize("cases", [REDUCED, MOVED], ids=["reduced", "moved"])
def test_collectives_over_axes_agree_with_numpy(mesh: Mesh, cases: Any) -> None:
    function = manual(
        lambda v: tuple(make(v) for make, _ in cases.values()), [PARTS] * len(cases), mesh=mesh
    )
    found = on_devices(function, X)
    for name, got, (_, wanted) in zip(cases, found, cases.values(), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-5, err_msg=name)


def test_axes_that_are_not_manual_are_left_to_propagation() -> None:
    lies = P("x", None, "y")

    def body(v: Value) -> tuple[Value, ...]:
        number = ops.convert(collectives.axis_index("x"), dtype=f32[()].dtype)
        return (
            collectives.all_reduce(v, "x"),
            collectives.all_gather(v, "x"),
            collectives.reduce_scatter(v, "x", axis=1),
            collectives.all_to_all(v, "x", split_axis=1, concat_axis=0),
            collectives.collective_broadcast(v, "x", root=1),
            v + number,
        )

    free = P(None, None, "y")
    outs = [free, free, P(None, "x", "y"), P(None, "x", "y"), lies, lies]
    function = manual(body, outs, ins=lies, axes=("x",))
    total = X.reshape(2, 4, 8, 4).sum(0)
    wanted = [
        total,
        X,
        total,
        X,
        np.concatenate([X[4:], X[4:]]),
        X + np.repeat([0, 1], 4)[:, None, None],
    ]
    for got, want in zip(on_devices(function, X), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def test_integers_flags_and_nan_are_combined_and_sent() -> None:
    def body(v: Value, n: Value) -> tuple[Value, ...]:
        flag = n > 2
        sent = collectives.collective_broadcast((v, n, flag), "x", root=1)
        return (
            *sent,
            collectives.all_reduce(n, "x", "xor"),
            collectives.all_reduce(flag, "x", "or"),
            collectives.all_reduce(flag, "x", "and"),
        )

    line = Mesh("line", {"x": 8})
    b = dxir.Builder("main", mesh=line)
    args = (b.param(f32[8]), b.param(i32[8]))
    split = (P("x"),) * 6
    function = b.build(
        *ops.manual_computation(args, body, in_shardings=split[:2], out_shardings=split)
    )
    v = np.array([1, np.nan, 2, 3, 4, 5, 6, np.inf], np.float32)
    n = np.arange(8, dtype=np.int32) + 1
    found = on_devices(function, v, n)
    assert np.isnan(found[0]).all()
    np.testing.assert_array_equal(found[1], np.full(8, 2))
    assert not found[2].any()
    np.testing.assert_array_equal(found[3], np.full(8, 8))
    assert found[4].all()
    assert not found[5].any()


def test_a_gradient_goes_through_collectives_over_axes() -> None:
    def loss(x: Value) -> Value:
        def body(v: Value) -> Value:
            spread = collectives.all_gather(v, "y", axis=1)
            near = collectives.shift(v, "x") * collectives.collective_broadcast(v, "y", root=1)
            local = ops.sum(spread * spread) + ops.sum(near)
            return collectives.all_reduce(ops.reshape(local, shape=(1,)), ("x", "y"))

        (total,) = ops.manual_computation((x,), body, in_shardings=PARTS, out_shardings=P(None))
        return ops.sum(total)

    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8, 8, 4], sharding=PARTS)
    (found,) = on_devices(b.build(dxir.grad(loss)(x)), X)
    near = np.roll(GRID, 1, 0)
    wanted = 2 * 4 * GRID + np.roll(np.repeat(GRID[:, 1:2], 4, 1), -1, 0)
    wanted[:, 1] += near.sum(1)
    np.testing.assert_allclose(found.reshape(GRID.shape), wanted, rtol=1e-4, atol=1e-4)


def test_a_batch_goes_through_collectives_over_axes() -> None:
    function = manual(
        lambda v: (collectives.reduce_scatter(v, "y", axis=1), collectives.shift(v, "x")),
        [PARTS, PARTS],
    )
    mapped = vmap_function(function, axis_size=3, name="main")
    batch = np.stack([X, 2 * X, X + 1])
    found = on_devices(mapped, batch)
    for i in range(3):
        for got, want in zip(found, on_devices(function, batch[i]), strict=True):
            np.testing.assert_allclose(got[i], want, rtol=1e-5, atol=1e-5)


def test_collectives_have_a_channel_each_and_lists_of_devices() -> None:
    function = manual(
        lambda v: (collectives.all_reduce(collectives.all_reduce(v, "x"), "y"),), [PARTS]
    )
    text = str(dxir.lower(function))
    assert "handle = 1, " in text
    assert "handle = 2, " in text
    assert "replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>" in text
    assert "replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>" in text
    assert str(dxir.lower(dxir.lower(function).raise_())) == text


def test_the_size_of_axes_is_a_number() -> None:
    sizes: list[int] = []

    def body(v: Value) -> Value:
        sizes.extend([collectives.axis_size(over) for over in ("x", ("x", "y"), ())])
        return v

    manual(body, [PARTS])
    assert sizes == [2, 8, 1]


MISTAKES: dict[str, tuple[Callable[[Value], Any], type[DxirError], str]] = {
    "unknown": (lambda v: collectives.all_reduce(v, "z"), ShardingError, "has no axis 'z'"),
    "twice": (lambda v: collectives.all_reduce(v, ("x", "x")), ShardingError, "used twice"),
    "free": (lambda v: collectives.all_gather(v, "y"), ShardingError, "left to propagation"),
    "no axes": (lambda v: collectives.all_reduce(v, 3), ShardingError, "3 are no axes"),  # type: ignore[arg-type]
    "reducer": (lambda v: collectives.all_reduce(v, "x", "avg"), AttributeValueError, "'avg'"),
    "reducer's type": (
        lambda v: collectives.all_reduce(v, "x", lambda a, b: a > b),
        ShapeError,
        "the reducer must return",
    ),
    "root": (
        lambda v: collectives.collective_broadcast(v, "x", root=2),
        AttributeValueError,
        "root is 2, but there are 2 devices",
    ),
    "pair": (
        lambda v: collectives.collective_permute(v, "x", [(0, 1), (1, 1)]),
        AttributeValueError,
        "place 1 is twice a target",
    ),
    "parts": (
        lambda v: collectives.reduce_scatter(v, "x", axis=0, reducer="min") if v.shape[0] % 2
        else collectives.all_to_all(ops.slice(v, starts=(0, 0, 0), limits=(3, 8, 4)), "x",
                                    split_axis=0, concat_axis=0),
        ShapeError,
        "does not split into 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", list(MISTAKES))
def test_a_mistake_in_a_body_is_told_with_its_line(case: str) -> None:
    body, kind, words = MISTAKES[case]
    with pytest.raises(kind) as caught:
        manual(body, [P("x")], ins=P("x"), axes=("x",))
    assert words in str(caught.value)
    assert "test_manual.py" in str(caught.value.where)


def test_outside_a_manual_computation_axes_have_no_meaning() -> None:
    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8])
    with pytest.raises(ShardingError, match="outside the body of a manual_computation") as caught:
        collectives.all_reduce(x, "x")
    assert "test_manual.py" in str(caught.value.where)
    assert "replica_groups" in str(caught.value.hint)


def test_a_rule_of_ones_own_may_speak_to_other_devices() -> None:
    @dxir.custom_vjp
    def copied(x: Value) -> Value:
        return x * 1

    def forward(x: Value) -> tuple[Value, tuple[()]]:
        return x * 1, ()

    def backward(_: Any, g: Value) -> tuple[Value]:
        return (collectives.all_reduce(g, "x"),)

    copied.defvjp(forward, backward)
    line = Mesh("line", {"x": 8})

    def loss(x: Value) -> Value:
        def body(v: Value) -> Value:
            place = ops.convert(collectives.axis_index("x"), dtype=f32[()].dtype)
            return copied(v) * place

        (y,) = ops.manual_computation((x,), body, in_shardings=P("x"), out_shardings=P("x"))
        return ops.sum(y)

    b = dxir.Builder("main", mesh=line)
    (found,) = on_devices(b.build(dxir.grad(loss)(b.param(f32[8]))), np.ones(8, np.float32))
    np.testing.assert_array_equal(found, np.full(8, 28))


def test_the_gradient_of_a_maximum_over_devices_is_that_of_the_device_that_has_it() -> None:
    def loss(x: Value) -> Value:
        (y,) = ops.manual_computation(
            (x,),
            lambda v: collectives.all_reduce(v, ("x", "y"), "max"),
            in_shardings=PARTS,
            out_shardings=P(),
        )
        return ops.sum(y)

    b = dxir.Builder("main", mesh=MESH)
    (found,) = on_devices(b.build(dxir.grad(loss)(b.param(f32[8, 8, 4]))), X)
    np.testing.assert_array_equal(found, X.max(axis=0) == X)


def test_collectives_of_several_operands_run_on_partitions() -> None:
    def body(v: Value) -> tuple[Value, ...]:
        told: Any = {
            "replica_groups": [[0, 1, 2, 3], [4, 5, 6, 7]],
            "channel": 1,
            "use_global_device_ids": True,
        }
        totals = ops.all_reduce((v, v * 2), lambda a, b: a + b, **told)
        return (*totals, *ops.all_gather((v, v * 2), axis=0, **told))

    found = on_devices(manual(body, [P("x")] * 4), X)
    total, rows = GRID.sum(axis=1), X
    for i, factor in enumerate((1, 2)):
        np.testing.assert_allclose(found[i], factor * total, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(found[2 + i], factor * rows)
