"""Derivatives and batches of collectives, on several devices of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.attributes import MeshAxesGroups
from dxir.dialects.process_groups import listed
from dxir.errors import TransformError
from dxir.graph import Function, Module
from dxir.sharding import AxisRef, Mesh, Sharding
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import f32, token

_RNG = np.random.default_rng(17)
_ALL = ((0, 1, 2, 3),)
_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("mesh", {"x": 4, "y": 2})
Array = Any


def function_of(build: Callable[..., Any], *shapes: tuple[int, ...]) -> Function:
    b = dxir.Builder("main")
    with b:
        results = build(*[b.param(f32[s]) for s in shapes])
    return b.build(*(results if isinstance(results, tuple) else (results,)))


def on_replicas(function: Function, arguments: Sequence[Sequence[Array]]) -> list[Array]:
    """The first result of each of the replicas, on arguments of its own."""
    count = len(arguments)
    program = dxir.lower(Module([function]))
    run = dxir.compile(program, devices=count, replicas=count)
    found = run.run_replicas([list(a) for a in arguments])  # type: ignore[attr-defined]
    return [np.asarray(r[0]) for r in found]


def normal(*shape: int) -> Array:
    return _RNG.standard_normal(shape).astype(np.float32)


def add(a: Any, b: Any) -> Any:
    return ops.add(a, b)


_LINEAR: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "all_reduce": (lambda x: ops.all_reduce((x,), body=add, replica_groups=_PAIRS)[0], (3,)),
    "all_gather": (lambda x: ops.all_gather((x,), axis=1, replica_groups=_PAIRS)[0], (2, 3)),
    "reduce_scatter": (
        lambda x: ops.reduce_scatter(x, body=add, axis=0, replica_groups=_ALL),
        (8, 2),
    ),
    "all_to_all": (
        lambda x: ops.all_to_all((x,), split_axis=0, concat_axis=1, replica_groups=_ALL)[0],
        (4, 3),
    ),
    "collective_permute": (
        lambda x: ops.collective_permute(x, source_target_pairs=((0, 1), (1, 2), (3, 0))),
        (3,),
    ),
}


@pytest.mark.parametrize("name", list(_LINEAR))
def test_what_is_sent_along_comes_back(name: str) -> None:
    build, shape = _LINEAR[name]
    function = function_of(build, shape)
    xs = [normal(*shape) for _ in range(4)]
    ys = on_replicas(function, [[x] for x in xs])
    gs = [normal(*y.shape) for y in ys]
    vjp = vjp_function(function, value=False, name="main")
    back = on_replicas(vjp, [[x, g] for x, g in zip(xs, gs, strict=True)])
    sent = sum(np.vdot(g, y) for g, y in zip(gs, ys, strict=True))
    returned = sum(np.vdot(b, x) for b, x in zip(back, xs, strict=True))
    np.testing.assert_allclose(sent, returned, rtol=1e-4)
    jvp = jvp_function(function, value=False, name="main")
    ones = [normal(*shape) for _ in range(4)]
    moved = on_replicas(jvp, [[o, x] for o, x in zip(ones, xs, strict=True)])
    for m, y in zip(moved, ys, strict=True):
        np.testing.assert_array_equal(m, y)


@pytest.mark.parametrize("name", list(_LINEAR))
def test_a_batch_is_an_axis_more(name: str) -> None:
    build, shape = _LINEAR[name]
    function = function_of(build, shape)
    mapped = vmap_function(function, axis_size=2, name="main")
    assert name in [n.op for n in mapped.nodes]
    batches = [normal(2, *shape) for _ in range(4)]
    found = on_replicas(mapped, [[x] for x in batches])
    for i in range(2):
        wanted = on_replicas(function, [[x[i]] for x in batches])
        for f, w in zip(found, wanted, strict=True):
            np.testing.assert_allclose(f[i], w, rtol=1e-6)


def test_what_was_broadcast_comes_back_to_its_root() -> None:
    function = function_of(
        lambda x: ops.collective_broadcast((x,), replica_groups=((2, 0), (1, 3)))[0], (2,)
    )
    vjp = vjp_function(function, value=False, name="main")
    gs = [np.full(2, k + 1, np.float32) for k in range(4)]
    back = on_replicas(vjp, [[g, g] for g in gs])
    np.testing.assert_array_equal(np.stack(back)[:, 0], [0, 6, 4, 0])
    batched = vmap_function(function, axis_size=3, name="main")
    assert [n.op for n in batched.nodes] == ["collective_broadcast"]


def test_processes_that_have_the_largest_value_share_its_cotangent() -> None:
    function = function_of(
        lambda x: ops.all_reduce((x,), body=lambda a, b: ops.max(a, b), replica_groups=_ALL)[0],
        (2,),
    )
    xs = [np.array(v, np.float32) for v in ([1, 5], [3, 5], [3, 0], [2, 1])]
    vjp = vjp_function(function, value=False, name="main")
    gs = [np.array([1, k], np.float32) for k in range(4)]
    back = on_replicas(vjp, [[x, g] for x, g in zip(xs, gs, strict=True)])
    np.testing.assert_array_equal(np.stack(back), [[0, 3], [2, 3], [2, 0], [0, 0]])
    jvp = jvp_function(function, value=False, name="main")
    moved = on_replicas(jvp, [[x, np.full(2, k, np.float32)] for k, x in enumerate(xs)])
    np.testing.assert_array_equal(np.stack(moved), [[1.5, 0.5]] * 4)


@pytest.mark.parametrize("scattered", [False, True])
def test_products_over_processes_have_derivatives_at_zeros_too(scattered: bool) -> None:
    def build(x: Any) -> Any:
        def multiply(a: Any, b: Any) -> Any:
            return ops.mul(a, b)

        if scattered:
            return ops.reduce_scatter(x, body=multiply, axis=0, replica_groups=_ALL)
        return ops.all_reduce((x,), body=multiply, replica_groups=_ALL)[0]

    xs = np.array([[2, 2, 0, 1], [0, 3, 0, 1], [3, 1, 5, 1], [1, 4, 6, 1]], np.float32)
    width = 1 if scattered else 4
    vjp = vjp_function(function_of(build, (4,)), value=False, name="main")
    back = on_replicas(vjp, [[x, np.ones(width, np.float32)] for x in xs])
    others = np.stack([np.delete(xs, i, 0).prod(0) for i in range(4)])
    np.testing.assert_array_equal(np.stack(back), others * (1 if scattered else 4))


def test_a_largest_value_that_is_scattered_goes_back_to_who_had_it() -> None:
    function = function_of(
        lambda x: ops.reduce_scatter(
            x, body=lambda a, b: ops.max(a, b), axis=0, replica_groups=_ALL
        ),
        (4,),
    )
    xs = np.array([[1, 2, 3, 4], [4, 2, 1, 0], [0, 0, 5, 4], [1, 1, 1, 1]], np.float32)
    vjp = vjp_function(function, value=False, name="main")
    back = on_replicas(vjp, [[x, np.array([k + 1], np.float32)] for k, x in enumerate(xs)])
    wanted = [[0, 1, 0, 2], [1, 1, 0, 0], [0, 0, 3, 2], [0, 0, 0, 0]]
    np.testing.assert_array_equal(np.stack(back), wanted)


def test_a_body_without_a_derivative_is_refused_before_anything_is_done() -> None:
    def build(x: Any) -> Any:
        return ops.all_reduce((x,), body=lambda a, b: ops.mul(a, b))[0]

    with pytest.raises(TransformError, match="replica_groups do not say how many"):
        vjp_function(function_of(build, (2,)))


def test_what_is_sent_to_another_device_is_not_taken_for_a_constant() -> None:
    def build(x: Any) -> Any:
        ops.send((x,), ops.create_token(), channel_handle=1, source_target_pairs=((0, 1),))
        return ops.mul(x, x)

    with pytest.raises(TransformError, match=r"send.*what another device makes of it"):
        vjp_function(function_of(build, (2,)))


def test_what_goes_to_the_host_has_no_cotangent_and_no_batch() -> None:
    def build(x: Any) -> Any:
        ops.outfeed((x,), ops.create_token())
        return ops.mul(x, x)

    function = function_of(build, (2,))
    assert "outfeed" in [n.op for n in vjp_function(function).nodes]
    with pytest.raises(TransformError, match="not a batch of it"):
        vmap_function(function, axis_size=2)
    b = dxir.Builder("main")
    with b:
        x, order = b.param(f32[2]), b.param(token)
        value, _ = ops.infeed(order, types=(f32[2],))
    assert vjp_function(b.build(ops.mul(x, value)))


def test_what_is_started_and_waited_for_is_differentiated_where_it_is_waited_for() -> None:
    def build(x: Any) -> Any:
        future = ops.async_start(
            (ops.mul(x, x),), body=lambda v: ops.slice(v, starts=(1,), limits=(3,))
        )
        return ops.async_done(future)

    function = function_of(build, (4,))
    x, g = normal(4), normal(2)
    back = dxir.evaluate(vjp_function(function, value=False), x, g)
    np.testing.assert_allclose(back, 2 * x * np.pad(g, 1), rtol=1e-6)
    moved = dxir.evaluate(jvp_function(function, value=False), x, x)
    np.testing.assert_allclose(moved, 2 * x[1:3] ** 2, rtol=1e-6)
    xs = normal(3, 4)
    found = dxir.evaluate(vmap_function(function, axis_size=3), xs)
    np.testing.assert_allclose(found, xs[:, 1:3] ** 2, rtol=1e-6)


def test_groups_by_axes_of_a_mesh_are_rows_of_devices() -> None:
    mesh = Mesh("m", {"a": 2, "b": 4})
    assert listed(MeshAxesGroups(mesh, "b")) == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert listed(MeshAxesGroups(mesh, "a")) == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert listed(MeshAxesGroups(mesh, [AxisRef("b", (1, 2))])) == (
        (0, 2), (1, 3), (4, 6), (5, 7),
    )  # fmt: skip
    assert listed(MeshAxesGroups(mesh, [AxisRef("b", (2, 2)), "a"])) == (
        (0, 4, 1, 5), (2, 6, 3, 7),
    )  # fmt: skip


def manual(x: Any, w: Any, b: Any) -> Any:
    """A sharded layer whose loss is a sum over all devices, and what is left of it on each."""

    def body(x: Any, w: Any, b: Any) -> Any:
        h = ops.tanh(ops.matmul(x, w) + b)
        (total,) = ops.all_reduce(
            (ops.sum(h * h),),
            body=add,
            replica_groups=(tuple(range(8)),),
            channel=1,
            use_global_device_ids=True,
        )
        return h, total, ops.exp(total * 0.1)

    return ops.manual_computation(
        (x, w, b),
        body=body,
        in_shardings=(Sharding(_MESH, "x", None), Sharding(_MESH, None, "y"), Sharding(_MESH)),
        out_shardings=(Sharding(_MESH, "x", "y"), Sharding(_MESH), Sharding(_MESH)),
        manual_axes=("x", "y"),
    )


def plain(x: Any, w: Any, b: Any) -> Any:
    h = ops.tanh(ops.matmul(x, w) + b)
    total = ops.sum(h * h)
    return h, total, ops.exp(total * 0.1)


_SHAPES = ((8, 3), (3, 4), ())


def both(build: Callable[..., Any], transform: Callable[[Function], Function]) -> Function:
    def loss(x: Any, w: Any, b: Any) -> Any:
        h, total, more = build(x, w, b)
        return ops.sum(h * h * h) + total * total * 0.01 + more * 0.1

    return transform(function_of(loss, *_SHAPES))


def run(function: Function, *arguments: Array) -> list[Array]:
    found = dxir.compile(dxir.lower(Module([function])), devices=8)(*arguments)
    return [np.asarray(r) for r in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("twice", [False, True])
def test_a_manual_computation_has_the_gradient_of_what_it_computes(twice: bool) -> None:
    def transform(function: Function) -> Function:
        if not twice:
            return grad_function(function, name="main")
        return grad_function(grad_function(function, 1), name="main")

    arguments = [normal(*s) * np.float32(0.5) for s in _SHAPES]
    found = run(both(manual, transform), *arguments)
    wanted = dxir.evaluate(both(plain, transform), *arguments)
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f, w, rtol=2e-4, atol=1e-4)


def test_a_manual_computation_has_the_tangent_of_what_it_computes() -> None:
    arguments = [normal(*s) * np.float32(0.5) for s in (*_SHAPES, *_SHAPES)]
    found = run(both(manual, lambda f: jvp_function(f, value=False, name="main")), *arguments)
    wanted = dxir.evaluate(both(plain, lambda f: jvp_function(f, value=False)), *arguments)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-4)


def test_a_manual_computation_on_a_batch_stays_one() -> None:
    def transform(function: Function) -> Function:
        return vmap_function(function, (0, None, 0), axis_size=2, name="main")

    arguments = [normal(2, 8, 3), normal(3, 4), normal(2)]
    made = both(manual, transform)
    (inside,) = [n for n in made.nodes if n.op == "manual_computation"]
    assert inside.operands[0].shape == (2, 8, 3)
    found = run(made, *arguments)
    wanted = dxir.evaluate(both(plain, transform), *arguments)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-4)


def test_cotangents_of_a_manual_computation_have_the_shardings_of_their_values() -> None:
    vjp = vjp_function(function_of(manual, *_SHAPES))
    along, back = [n for n in vjp.nodes if n.op == "manual_computation"]
    ins, outs = along.attrs["in_shardings"], along.attrs["out_shardings"]
    assert back.attrs["out_shardings"] == ins
    assert back.attrs["in_shardings"][-3:] == outs[:3]


def test_what_is_kept_of_a_manual_computation_is_split_along_all_its_axes() -> None:
    def build(x: Any) -> Any:
        return ops.manual_computation(
            (x,),
            body=lambda x: ops.exp(ops.sin(ops.sin(x))),
            in_shardings=(Sharding(_MESH, "x"),),
            out_shardings=(Sharding(_MESH, "x"),),
            manual_axes=("x", "y"),
        )[0]

    vjp = vjp_function(function_of(build, (8,)), value=False, name="main")
    along, back = [n for n in vjp.nodes if n.op == "manual_computation"]
    kept = along.attrs["out_shardings"][1:]
    assert kept
    assert all(str(s.dims) == '({"x", "y"},)' for s in kept)
    assert set(kept) <= set(back.attrs["in_shardings"])
    x, g = normal(8), normal(8)
    wanted = g * np.exp(np.sin(np.sin(x))) * np.cos(np.sin(x)) * np.cos(x)
    np.testing.assert_allclose(run(vjp, x, g)[0], wanted, rtol=1e-5)


def test_a_sum_over_the_copies_of_a_result_is_not_summed_again() -> None:
    def build(x: Any) -> Any:
        def body(x: Any) -> Any:
            return ops.all_reduce(
                (ops.sum(x * x),), body=add, replica_groups=(tuple(range(8)),), channel=1,
                use_global_device_ids=True,
            )  # fmt: skip

        return ops.manual_computation(
            (x,),
            body=body,
            in_shardings=(Sharding(_MESH, ("x", "y")),),
            out_shardings=(Sharding(_MESH),),
            manual_axes=("x", "y"),
        )[0]

    vjp = vjp_function(function_of(build, (8,)), value=False, name="main")
    (back,) = [n for n in vjp.nodes if n.op == "manual_computation"]
    assert "all_reduce" not in [n.op for n in back.regions[0].nodes]
    x = normal(8)
    np.testing.assert_allclose(run(vjp, x, np.float32(3))[0], 6 * x, rtol=1e-6)


def test_a_named_computation_keeps_its_label_on_both_ways() -> None:
    def build(x: Any) -> Any:
        def body(x: Any) -> Any:
            return (ops.mul(ops.exp(x), x),)

        return ops.named_computation((x,), body=body, label="layer")[0]

    function = function_of(build, (3,))
    x, g = normal(3), normal(3)
    vjp = vjp_function(function, value=False)
    assert [n.attrs["label"] for n in vjp.nodes if n.op == "named_computation"] == ["layer"] * 2
    np.testing.assert_allclose(
        dxir.evaluate(vjp, x, g), g * np.exp(x) * (1 + x), rtol=1e-5, atol=1e-6
    )


def test_the_cotangent_gets_the_sharding_of_its_value() -> None:
    spec = Sharding(_MESH, "x", None)

    def build(x: Any) -> Any:
        return ops.propagation_barrier(
            ops.sharding_constraint(x, spec), allowed_direction="FORWARD"
        )

    nodes = vjp_function(function_of(build, (8, 3)), value=False).nodes
    assert [n.op for n in nodes] == ["propagation_barrier", "sharding_constraint"]
    assert nodes[0].attrs["allowed_direction"] == "BACKWARD"
    assert nodes[1].attrs["spec"] == spec
    batched = vmap_function(function_of(build, (8, 3)), axis_size=2).nodes[0]
    assert str(batched.attrs["spec"].dims) == '({?}, {"x"}, {})'
