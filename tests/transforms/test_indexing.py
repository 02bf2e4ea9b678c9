"""Derivatives and batches of what reads and writes at computed places, and of sorting."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.builder import build_function
from dxir.errors import TransformError
from dxir.graph import Function, Module, walk
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import f32, f64, i32

from .graphs import op_names, values

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
CLIP, DROP = lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP


def normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def raised(function: Callable[..., Any], *arguments: Any) -> Function:
    """What JAX exports of a function, as a graph."""
    text = str(jax.jit(function).lower(*arguments).as_text())
    return dxir.load(text).raise_()["main"]


def compiled(function: Function, *arguments: Any) -> list[Any]:
    results = dxir.compile(Module([function]), cache=False)(*arguments)
    return list(map(np.asarray, results if isinstance(results, tuple) else (results,)))


def close(found: Sequence[Any], wanted: Any) -> None:
    for f, w in zip(found, jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(f), np.asarray(w), rtol=2e-5, atol=2e-5)


def is_float(array: Any) -> bool:
    return bool(np.issubdtype(array.dtype, np.floating))


def agrees(
    function: Callable[..., Any], *arguments: Any, second: bool = True, batch: bool = True
) -> None:
    """Assert that both derivatives, the second one, and all batches are those of JAX."""
    graph = raised(function, *arguments)
    wrt = [i for i, a in enumerate(arguments) if is_float(a)]
    inputs = [arguments[i] for i in wrt]

    def of_floats(*given: Any) -> Any:
        whole = list(arguments)
        for i, value in zip(wrt, given, strict=True):
            whole[i] = value
        results = function(*whole)
        many = results if isinstance(results, (tuple, list)) else (results,)
        return tuple(r for r in many if is_float(r))

    outputs, pull = jax.vjp(of_floats, *inputs)
    cotangents = tuple(normal(*o.shape, seed=5 + i) for i, o in enumerate(outputs))
    tangents = tuple(normal(*x.shape, seed=9 + i) for i, x in enumerate(inputs))
    back = vjp_function(graph, wrt, value=False)
    close(values(back, *arguments, *cotangents), pull(cotangents))
    close(compiled(back, *arguments, *cotangents), pull(cotangents))
    ahead = jvp_function(graph, wrt, value=False)
    pushed = jax.jvp(of_floats, tuple(inputs), tangents)[1]
    close(values(ahead, *arguments, *tangents), pushed)
    if second:
        moved = jax.jvp(lambda *x: jax.vjp(of_floats, *x)[1](cotangents), tuple(inputs), tangents)
        twice = jvp_function(back, wrt, value=False)
        close(values(twice, *arguments, *cotangents, *tangents), moved[1])
    if batch:
        batches_agree(function, graph, arguments)


def batches_agree(function: Callable[..., Any], graph: Function, arguments: Sequence[Any]) -> None:
    sets = [arguments, [a + 1 if a.dtype == np.int32 else a * 0.7 - 0.2 for a in arguments]]
    for axes in list(itertools.product((0, None), repeat=len(arguments)))[:-1]:
        given = [
            arguments[i] if axis is None
            else np.stack([np.asarray(s[i]).astype(arguments[i].dtype) for s in sets])
            for i, axis in enumerate(axes)
        ]  # fmt: skip
        made = vmap_function(graph, axes, axis_size=2)
        wanted = jax.vmap(function, axes)(*given)
        close(values(made, *given), wanted)
        if None not in axes:
            close(compiled(made, *given), wanted)


def gather(sizes: tuple[int, ...], mode: Any = CLIP, **dims: Any) -> Callable[[Any, Any], Any]:
    numbers = lax.GatherDimensionNumbers(**dims)
    return lambda x, i: lax.gather(x, i, numbers, sizes, mode=mode)


GATHERS = {
    "rows": (gather((1, 3), offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)),
             normal(4, 3), np.array([[0], [-5], [3], [100], [3]], np.int32)),
    "windows": (gather((2, 1, 3), offset_dims=(0, 2), collapsed_slice_dims=(1,),
                       start_index_map=(2, 1)),
                normal(3, 4, 5), np.array([[2, 3], [0, -1], [9, 1], [1, 1]], np.int32)),
    "beside": (gather((1, 1, 2), offset_dims=(2,), collapsed_slice_dims=(1,),
                      operand_batching_dims=(0,), start_indices_batching_dims=(1,),
                      start_index_map=(1,)),
               normal(2, 5, 3), np.array([[[0], [4]], [[7], [4]], [[2], [-3]]], np.int32)),
    "grid": (gather((1, 2), offset_dims=(0,), collapsed_slice_dims=(0,), start_index_map=(0, 1)),
             normal(4, 5), np.array([[[0, 0], [3, 3]], [[1, 9], [-1, 2]]], np.int32)),
}  # fmt: skip


@pytest.mark.parametrize("name", GATHERS)
def test_gathers_of_all_dimension_numbers_are_transformed_as_jax_does(name: str) -> None:
    agrees(*GATHERS[name])


def test_the_gradient_of_an_index_out_of_range_goes_to_the_element_it_is_moved_to() -> None:
    f = build_function(lambda x, i: ops.take(x, i), f32[3], i32[4], name="f")
    ids = np.array([-2, 0, 2, 9], np.int32)
    (found,) = values(grad_function(f), normal(3), ids)
    assert found.tolist() == [2, 0, 2]


def scatter(kind: str, **dims: Any) -> Callable[..., Any]:
    unique = dims.pop("unique", False)
    mode = dims.pop("mode", DROP)
    numbers = lax.ScatterDimensionNumbers(**dims)
    apply = {
        "add": lax.scatter_add, "sub": lax.scatter_sub, "mul": lax.scatter_mul,
        "max": lax.scatter_max, "min": lax.scatter_min, "set": lax.scatter,
    }[kind]  # fmt: skip
    return lambda x, i, u: apply(x, i, u, numbers, unique_indices=unique, mode=mode)


ROWS = {"update_window_dims": (1,), "inserted_window_dims": (0,),
        "scatter_dims_to_operand_dims": (0,)}  # fmt: skip
WINDOWS = {"update_window_dims": (0, 2), "inserted_window_dims": (),
           "scatter_dims_to_operand_dims": (1, 0)}  # fmt: skip
BESIDE = {"update_window_dims": (2,), "inserted_window_dims": (1,), "operand_batching_dims": (0,),
          "scatter_indices_batching_dims": (1,), "scatter_dims_to_operand_dims": (1,)}  # fmt: skip
DISTINCT = np.array([[0], [-5], [3], [5], [2]], np.int32)
MEETING = np.array([[0], [-5], [3], [0], [3]], np.int32)
PAIRS = np.array([[1, 2], [4, 3], [0, -1], [5, 0]], np.int32)
OVERLAPPING = np.array([[1, 2], [2, 2], [0, -1], [9, 0]], np.int32)
LAYERS = np.array([[[0], [4]], [[7], [2]], [[2], [-3]]], np.int32)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["add", "set", "mul", "max", "min"])
def test_scatters_whose_updates_do_not_meet_are_transformed_as_jax_does(kind: str) -> None:
    agrees(scatter(kind, unique=True, **ROWS), normal(5, 3), DISTINCT, normal(5, 3, seed=1))
    agrees(
        scatter(kind, unique=True, **BESIDE), normal(2, 5, 3), LAYERS, normal(3, 2, 3, seed=1),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["add", "sub", "set", "max", "min"])
def test_scatters_whose_updates_meet_are_transformed_as_jax_does(kind: str) -> None:
    agrees(scatter(kind, **ROWS), normal(5, 3), MEETING, normal(5, 3, seed=1))
    agrees(
        scatter(kind, **WINDOWS), normal(5, 7), OVERLAPPING, normal(2, 4, 3, seed=1), batch=False
    )
    agrees(
        scatter(kind, **WINDOWS), normal(5, 7), PAIRS, normal(2, 4, 3, seed=1), second=False,
        batch=False,
    )  # fmt: skip


# For max and min JAX divides by zero here: see the test of a clipped scatter of maxima.
@pytest.mark.parametrize("kind", ["add", "set"])
def test_scatters_that_clip_send_gradients_to_the_updates_that_were_moved(kind: str) -> None:
    agrees(scatter(kind, mode=CLIP, **ROWS), normal(5, 3), DISTINCT, normal(5, 3, seed=1))


def test_ties_of_a_scatter_share_their_gradient_with_the_input() -> None:
    f = build_function(
        lambda x, i, u: ops.scatter_max(
            x, i, u, update_window_dims=(), inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,), index_vector_dim=1,
        ),
        f64[2], i32[3], f64[3], name="f",
    )  # fmt: skip
    at = (np.array([2.0, 5.0]), np.array([0, 0, 1], np.int32), np.array([2.0, 2.0, 7.0]))
    x, u = values(grad_function(f), *at)
    np.testing.assert_allclose(x, [1 / 3, 0])
    np.testing.assert_allclose(u, [1 / 3, 1 / 3, 1])


def product_of(count: int) -> Function:
    """All of `u` multiplied into one element of a tensor of ones."""
    return build_function(
        lambda u: ops.scatter_mul(
            ops.full(shape=(2,), value=1, dtype=f64), ops.full(shape=(count,), value=1, dtype=i32),
            u, update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,),
            index_vector_dim=1,
        ),
        f64[count], name="product",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("u", "gradient"),
    [([2, 0, 3], [0, 6, 0]), ([2, 5, 3], [15, 6, 10]), ([0, 0, 3], [0, 0, 0])],
)
def test_the_gradient_of_a_product_by_scatter_holds_at_zeros(u: Any, gradient: Any) -> None:
    (found,) = values(grad_function(product_of(3)), np.array(u, np.float64))
    assert found.tolist() == gradient


@pytest.mark.parametrize("u", [[2.0, 5.0, 3.0], [0.0, 5.0, 3.0], [2.0, 0.0, 0.0]])
def test_products_by_scatter_have_a_second_derivative_also_at_zeros(u: list[float]) -> None:
    second = jvp_function(grad_function(product_of(3)), value=False)
    rows = [values(second, np.array(u), row)[0] for row in np.eye(3)]
    a, b, c = u
    np.testing.assert_allclose(rows, [[0, c, b], [c, 0, a], [b, a, 0]])


def test_one_of_several_updates_that_overwrite_one_element_has_its_gradient() -> None:
    f = build_function(lambda x, i, u: x.at[i].set(u), f32[3], i32[4], f32[4], name="f")
    at = (normal(3), np.array([1, 1, 7, 2], np.int32), normal(4))
    value, x, u = values(vjp_function(f), *at, np.array([1, 10, 100], np.float32))
    assert x.tolist() == [1, 0, 0]
    assert u.tolist() == [0 if v != value[1] else 10 for v in at[2][:2]] + [0, 100]


ANY = {"update_window_dims": (), "inserted_window_dims": (0,),
       "scatter_dims_to_operand_dims": (0,), "index_vector_dim": 1}  # fmt: skip


def any_body(unique: bool) -> Function:
    return build_function(
        lambda x, y, i, u, v: ops.scatter(
            (x, y), i, (u, v), lambda a, b, u, v: (a * u + ops.sin(v), b * a),
            unique_indices=unique, **ANY,
        ),
        f64[4], f64[4], i32[3], f64[3], f64[3], name="f",
    )  # fmt: skip


def test_scatters_of_any_body_are_differentiated_where_updates_do_not_meet() -> None:
    f = any_body(unique=True)
    ids = np.array([2, 9, 0], np.int32)
    x, y, u, v = (normal(n, seed=n + k).astype(np.float64) for k, n in enumerate((4, 4, 3, 3)))

    def by_hand(x: Any, y: Any, u: Any, v: Any) -> Any:
        at = np.array([2, 0])
        u, v = u[np.array([0, 2])], v[np.array([0, 2])]
        return x.at[at].set(x[at] * u + jnp.sin(v)), y.at[at].set(y[at] * x[at])

    cotangents = (normal(4, seed=7).astype(np.float64), normal(4, seed=8).astype(np.float64))
    with jax.enable_x64(True):
        wanted = jax.vjp(by_hand, x, y, u, v)[1](cotangents)
        pushed = jax.jvp(by_hand, (x, y, u, v), (y, x, v, u))[1]
    back = vjp_function(f, value=False)
    close(values(back, x, y, ids, u, v, *cotangents), wanted)
    close(values(jvp_function(f, value=False), x, y, ids, u, v, y, x, v, u), pushed)
    close(compiled(back, x, y, ids, u, v, *cotangents), wanted)


def test_scatters_of_any_body_are_refused_where_updates_may_meet() -> None:
    with pytest.raises(TransformError, match="unique_indices"):
        vjp_function(any_body(unique=False))


def test_updates_that_a_segment_sum_drops_have_no_gradient() -> None:
    ids = np.array([2, 3], np.int32)
    graph = raised(lambda x: jax.ops.segment_sum(x, ids, 2).sum(), np.zeros(2, np.float32))
    value, gradient = values(grad_function(graph, value=True), np.zeros(2, np.float32))
    assert value == 0
    assert gradient.tolist() == [0, 0]


def test_a_clipped_scatter_of_maxima_has_the_derivative_of_what_won() -> None:
    def loss(t: Any) -> Any:
        update = ops.concat(
            [ops.reshape(1 + t, shape=(1,)), ops.reshape(4 - t, shape=(1,))], axis=0
        )
        ids = ops.clamp(np.int32(0), np.array([-3, 8], np.int32), np.int32(2))
        y = ops.scatter_max(ops.constant(np.array([1, 3, 4], np.float32)), ids, update, **ANY)
        return ops.sum(y * ops.constant(np.array([2, -1, 3], np.float32)))

    f = build_function(loss, f32[()])
    value, derivative = values(grad_function(f, value=True), np.float32(0.03125))
    assert (value, derivative) == (11.0625, 2.0)


def starts(*sizes: int) -> Callable[..., Any]:
    return lambda x, i, j: lax.dynamic_slice(x, (i, j), sizes)


@pytest.mark.parametrize("sizes", [(2, 3), (5, 2), (5, 6), (1, 1)])
def test_dynamic_slices_are_transformed_as_jax_does(sizes: tuple[int, int]) -> None:
    agrees(starts(*sizes), normal(5, 6), np.int32(3), np.int32(5))


@pytest.mark.parametrize("sizes", [(2, 3), (5, 2), (5, 6), (1, 1)])
def test_dynamic_updates_are_transformed_as_jax_does(sizes: tuple[int, int]) -> None:
    agrees(
        lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)),
        normal(5, 6), normal(*sizes, seed=1), np.int32(4), np.int32(-1),
    )  # fmt: skip


def test_a_batch_of_starts_out_of_range_is_moved_inside_as_each_is() -> None:
    at = np.array([-7, 1, 9], np.int32)
    x = normal(4)
    read = build_function(lambda x, i: ops.dynamic_slice(x, [i], sizes=(2,)), f32[4], i32[()])
    write = build_function(
        lambda x, u, i: ops.dynamic_update_slice(x, u, [i]), f32[4], f32[2], i32[()]
    )
    (found,) = values(vmap_function(read, (None, 0), axis_size=3), x, at)
    np.testing.assert_array_equal(found, [x[0:2], x[1:3], x[2:4]])
    u = np.array([8, 9], np.float32)
    (found,) = values(vmap_function(write, (None, None, 0), axis_size=3), x, u, at)
    np.testing.assert_array_equal(
        found, [[8, 9, x[2], x[3]], [x[0], 8, 9, x[3]], [x[0], x[1], 8, 9]]
    )


def test_the_gradient_of_a_sorted_dot_follows_the_permutation() -> None:
    weights = np.array([1, 10, 100], np.float32)
    f = build_function(lambda x: ops.sum(ops.sort(x) * ops.constant(weights)), f32[3], name="f")
    made = grad_function(f)
    assert values(made, np.array([3, 1, 2], np.float32))[0].tolist() == [100, 1, 10]
    assert values(made, np.array([2, 2, 1], np.float32))[0].tolist() == [10, 100, 1]
    assert op_names(made).count("sort_by") == 1
    assert "sort" not in op_names(made)
    assert "clamp" not in op_names(made)


@pytest.mark.parametrize("axis", [0, 1])
def test_sorts_are_transformed_as_jax_does(axis: int) -> None:
    agrees(lambda x: jnp.sort(x, axis=axis), normal(4, 5))


def test_sorts_of_several_operands_are_transformed_as_jax_does() -> None:
    keys = np.array([[1, 0, 1, 0, 2], [2, 2, 2, 1, 1]], np.int32)
    agrees(
        lambda k, x, y: lax.sort((k, x, y), dimension=1, num_keys=2)[1:],
        keys, normal(2, 5), normal(2, 5, seed=1), batch=False,
    )  # fmt: skip


def test_sorts_that_carry_their_places_already_get_no_others() -> None:
    def f(x: Any) -> Any:
        return lax.sort((x, lax.iota(np.int32, 5)), num_keys=1)[0]

    made = grad_function(raised(f, normal(5)))
    (node,) = [n for n in walk(made) if n.op == "sort_by"]
    assert len(node.operands) == 2


def test_sorts_by_any_comparator_are_differentiated() -> None:
    f = build_function(
        lambda x: ops.sort_by((x,), lambda a, b: ops.abs(a) > ops.abs(b), is_stable=True)[0],
        f64[4], name="f",
    )  # fmt: skip
    x, g = np.array([1.0, -3.0, 2.0, -1.0]), np.array([1.0, 10.0, 100.0, 1000.0])
    value, found = values(vjp_function(f), x, g)
    assert value.tolist() == [-3, 2, 1, -1]
    assert found.tolist() == [100, 1, 10, 1000]
    twice = values(vmap_function(f, axis_size=2), np.stack([x, -x]))[0]
    assert twice.tolist() == [[-3, 2, 1, -1], [3, -2, -1, 1]]


def test_the_largest_k_are_transformed_as_jax_does() -> None:
    agrees(lambda x: lax.top_k(x, 3)[0], normal(2, 6))
    made = grad_function(build_function(lambda x: ops.top_k(x, k=2)[0], f32[4], name="f"))
    assert values(made, np.array([1, 3, 3, 3], np.float32))[0].tolist() == [0, 1, 1, 0]
    assert "clamp" not in op_names(made)


def test_rows_of_padding_add_nothing_to_the_gradient_of_a_table() -> None:
    f = build_function(
        lambda t, i: ops.embedding(t, i, padding_index=0), f32[3, 2], i32[5], name="f"
    )
    ids = np.array([0, 1, -4, 9, 0], np.int32)
    (found,) = values(grad_function(f), normal(3, 2), ids)
    # The index -4 is not that of the padding: it reads row 0, and its gradient goes there.
    assert found.tolist() == [[1, 1], [1, 1], [1, 1]]


def test_indices_known_to_be_in_range_are_not_clamped_for_the_gradient() -> None:
    rows = np.array([0, 2, 1], np.int32)
    known = build_function(lambda x: x[rows, :], f32[3, 2], name="f")
    made = grad_function(known)
    assert "clamp" not in op_names(made)
    (node,) = [n for n in walk(made) if n.op == "scatter"]
    assert node.attrs["unique_indices"] is True
    unknown = build_function(lambda x, i: ops.take(x, i), f32[3, 2], i32[4], name="f")
    assert op_names(grad_function(unknown)).count("clamp") == 1


def test_sorted_vectors_of_indices_are_no_longer_called_sorted_once_they_are_clamped() -> None:
    def at(x: Any, i: Any) -> Any:
        return ops.gather(
            x, i, offset_dims=(), collapsed_slice_dims=(0, 1), start_index_map=(0, 1),
            index_vector_dim=1, slice_sizes=(1, 1), indices_are_sorted=True,
        )  # fmt: skip

    made = grad_function(build_function(at, f32[3, 3], i32[2, 2]))
    (node,) = [n for n in walk(made) if n.op == "scatter"]
    assert node.attrs["indices_are_sorted"] is None
    ids = np.array([[-5, 2], [-4, 0]], np.int32)
    assert values(made, normal(3, 3), ids)[0][0].tolist() == [1, 0, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "index",
    [np.s_[1], np.s_[::-2, None], np.s_[..., [2, 0, 2]], np.s_[[0, 2], :, [1, -1]], np.s_[1:, 3]],
)
def test_indexing_and_its_updates_are_differentiated_as_in_jax(index: Any) -> None:
    x, rng = normal(3, 4, 4), np.random.default_rng(3)
    parts = index if isinstance(index, tuple) else (index,)
    listed = tuple(np.asarray(p) if isinstance(p, list) else p for p in parts)
    wanted = jnp.asarray(x)[listed]
    u = rng.standard_normal(wanted.shape).astype(np.float32)
    read = build_function(lambda x: x[index], f32[3, 4, 4], name="read")
    g = rng.standard_normal(wanted.shape).astype(np.float32)
    pull = jax.vjp(lambda x: x[listed], jnp.asarray(x))[1]
    close(values(vjp_function(read, value=False), x, g), pull(g))
    whole = normal(3, 4, 4, seed=4)
    for name in ("add", "set", "mul", "max"):
        if name == "mul" and any(isinstance(p, list) for p in parts):
            continue  # JAX has no gradient of it where indices may meet
        write = build_function(
            lambda x, u, name=name: getattr(x.at[index], name)(u), f32[3, 4, 4], f32[u.shape],
            name="write",
        )  # fmt: skip
        pull = jax.vjp(lambda x, u, n=name: getattr(x.at[listed], n)(u), jnp.asarray(x), u)[1]
        close(values(vjp_function(write, value=False), x, u, whole), pull(whole))


NESTED = {
    "gather": (GATHERS["grid"][0], normal(4, 5), GATHERS["grid"][2]),
    "set": (scatter("set", unique=True, **ROWS), normal(5, 3), DISTINCT, normal(5, 3, seed=1)),
    "max": (scatter("max", **ROWS), normal(5, 3), MEETING, normal(5, 3, seed=1)),
    "slice": (starts(2, 3), normal(5, 6), np.int32(3), np.int32(5)),
    "sort": (jnp.sort, normal(2, 5)),
    "top_k": (lambda x: lax.top_k(x, 2)[0], normal(2, 5)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTED)
def test_gradients_of_batches_and_batches_of_gradients_are_those_of_jax(name: str) -> None:
    function, *arguments = NESTED[name]

    def loss(*given: Any) -> Any:
        return (function(*given) ** 2).sum()

    count = len(arguments)
    twice = [np.stack([a, a[::-1]]) if a.ndim else np.array([a, a - 2]) for a in arguments]
    graph = raised(loss, *arguments)
    made = vmap_function(vmap_function(grad_function(graph, 0), axis_size=2), axis_size=2)
    given = [np.stack([a, a]) for a in twice]
    close(compiled(made, *given), jax.vmap(jax.vmap(jax.grad(loss)))(*given))
    axes = (None, *[0] * (count - 1)) if count > 1 else (0,)
    given = [arguments[0], *twice[1:]] if count > 1 else twice
    made = grad_function(vmap_function(graph, axes, axis_size=2), 0)
    wanted = jax.grad(lambda *a: jax.vmap(loss, axes)(*a).sum())(*given)
    close(compiled(made, *given), [wanted])
