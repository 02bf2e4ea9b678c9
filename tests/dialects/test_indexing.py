"""Gather, scatter, Python indexing, sorting: stories that the examples cannot tell."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import dxir
from dxir import Builder, Function, Module, TensorType, Value, evaluate, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, GraphError, ShapeError
from dxir.lowering import lower_module
from dxir.mlir import ir
from dxir.types import bf16, f32, i1, i32, ui8

Array = np.ndarray[Any, Any]
HERE = "test_indexing.py:"


def build(body: Callable[..., Any], *arguments: Any) -> Function:
    """The function `main` that `body` describes on parameters of the arguments' types."""
    types = [a if isinstance(a, TensorType) else TensorType.of_array(a) for a in arguments]
    return dxir.build_function(body, *types, name="main")


def both(body: Callable[..., Any], *arguments: Array) -> Any:
    """What the compiled program gives, after checking that the reference gives the same."""
    function = build(body, *arguments)
    results = dxir.compile(function)(*arguments)
    wanted = evaluate(function, *arguments)
    found = [np.asarray(r) for r in results] if isinstance(results, tuple) else np.asarray(results)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_array_equal(a, b)
    return found


def emitted(function: Function) -> Counter[str]:
    """How many operations of each name the module holds, without functions and returns."""
    module = lower_module(Module([function]))
    count: Counter[str] = Counter()

    def visit(op: Any) -> Any:
        count[op.name] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    for name in ("builtin.module", "func.func", "func.return", "stablehlo.return"):
        count.pop(name, None)
    return count


def message(body: Callable[..., Any], *types: TensorType, error: type[DxirError]) -> str:
    """The text of the error that building `body` raises; it names this file."""
    with pytest.raises(error) as caught:
        dxir.build_function(body, *types, name="main")
    assert HERE in str(caught.value), str(caught.value)
    return str(caught.value)


ROWS = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,)}


def gather_rows(x: Value, i: Value, **changes: Any) -> Value:
    given = {**ROWS, "index_vector_dim": 1, "slice_sizes": (1, 2), **changes}
    return ops.gather(x, i, **given)


def test_a_gather_start_out_of_range_clamps() -> None:
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    found = both(gather_rows, x, np.array([[0], [-5], [3], [100]], np.int32))
    np.testing.assert_array_equal(found, [[0, 1], [0, 1], [6, 7], [6, 7]])


def test_narrow_indices_are_widened_once_and_wide_ones_never() -> None:
    narrow = emitted(build(lambda x, i: gather_rows(x, i), f32[300, 2], ui8[3, 1]))
    assert narrow == {"stablehlo.convert": 1, "stablehlo.gather": 1}
    assert emitted(build(gather_rows, f32[300, 2], i32[3, 1])) == {"stablehlo.gather": 1}


def test_an_unsigned_narrow_index_is_zero_extended() -> None:
    x = np.arange(600, dtype=np.int32).reshape(300, 2)
    found = both(gather_rows, x, np.array([[200], [255]], np.uint8))
    np.testing.assert_array_equal(found, x[[200, 255]])


def test_take_is_one_gather_with_the_dimensions_of_the_contract() -> None:
    function = build(lambda x, i: ops.take(x, i), f32[7, 4], i32[2, 3])
    assert emitted(function) == {"stablehlo.composite": 1, "stablehlo.gather": 1}
    text = str(lower_module(Module([function])))
    assert "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0]" in text


def test_sorting_compares_with_total_order_in_one_sort() -> None:
    function = build(lambda x: ops.sort(x, descending=True), f32[4])
    assert emitted(function) == {
        "stablehlo.composite": 1, "stablehlo.sort": 1, "stablehlo.compare": 1
    }  # fmt: skip
    text = str(lower_module(Module([function])))
    assert "GT" in text
    assert "TOTALORDER" in text
    assert emitted(build(lambda x: ops.top_k(x, k=2), f32[4])) == {"chlo.top_k": 1}


def test_total_order_ranks_signs_of_zero_and_of_nan() -> None:
    x = np.array([np.nan, 0.0, -np.inf, -0.0, np.inf, -np.nan, 1e-45, -1e-45], np.float32)
    x[5] = -np.float32(np.nan)
    assert list(np.signbit(x)) == [False, False, True, True, False, True, False, True]
    assert list(both(lambda v: ops.argsort(v), x)) == [5, 2, 7, 3, 1, 6, 4, 0]
    assert list(both(lambda v: ops.argsort(v, descending=True), x)) == [0, 4, 6, 1, 3, 7, 2, 5]
    assert list(np.signbit(both(lambda v: ops.sort(v), x)[:4])) == [True] * 4


def test_ties_keep_the_lower_index_in_both_directions() -> None:
    x = np.array([2, 1, 2, 1, 2], np.int32)
    assert list(both(lambda v: ops.argsort(v), x)) == [1, 3, 0, 2, 4]
    assert list(both(lambda v: ops.argsort(v, descending=True), x)) == [0, 2, 4, 1, 3]


def test_top_k_ranks_nan_above_infinity_and_takes_the_first_of_equals() -> None:
    x = np.array([1, np.nan, 3, 3, 2, np.inf], np.float32)
    values, indices = both(lambda v: ops.top_k(v, k=4), x)
    np.testing.assert_array_equal(values, [np.nan, np.inf, 3, 3])
    np.testing.assert_array_equal(indices, [1, 5, 2, 3])


def test_sort_by_reorders_several_inputs_by_any_order() -> None:
    keys, data = np.array([[3, 1, 2]], np.int32), np.array([[0.5, 1.5, 2.5]], np.float32)
    found = both(
        lambda k, d: ops.sort_by((k, d), lambda a, b, *_: ops.compare(a, b, direction="GT")),
        keys, data,
    )  # fmt: skip
    np.testing.assert_array_equal(found[0], [[3, 2, 1]])
    np.testing.assert_array_equal(found[1], [[0.5, 2.5, 1.5]])


def test_gather_and_scatter_with_batching_dims_agree_with_jax() -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 5, 3)).astype(np.float32)
    i = rng.integers(-2, 7, (4, 2, 1)).astype(np.int32)
    updates = rng.standard_normal((4, 2, 3)).astype(np.float32)
    found = both(
        lambda a, b: ops.gather(
            a, b, offset_dims=(2,), collapsed_slice_dims=(1,), operand_batching_dims=(0,),
            start_indices_batching_dims=(1,), start_index_map=(1,), index_vector_dim=2,
            slice_sizes=(1, 1, 3),
        ),
        x, i,
    )  # fmt: skip
    numbers = jax.lax.GatherDimensionNumbers(
        offset_dims=(2,), collapsed_slice_dims=(1,), start_index_map=(1,),
        operand_batching_dims=(0,), start_indices_batching_dims=(1,),
    )  # fmt: skip
    wanted = jax.lax.gather(x, i, numbers, (1, 1, 3), mode="clip")
    np.testing.assert_array_equal(found, wanted)
    found = both(
        lambda a, b, u: ops.scatter_max(
            a, b, u, update_window_dims=(2,), inserted_window_dims=(1,), input_batching_dims=(0,),
            scatter_indices_batching_dims=(1,), scatter_dims_to_operand_dims=(1,),
            index_vector_dim=2,
        ),
        x, i, updates,
    )  # fmt: skip
    places = jax.lax.ScatterDimensionNumbers(
        update_window_dims=(2,), inserted_window_dims=(1,), scatter_dims_to_operand_dims=(1,),
        operand_batching_dims=(0,), scatter_indices_batching_dims=(1,),
    )  # fmt: skip
    wanted = jax.lax.scatter_max(x, i, updates, places, mode="drop")
    np.testing.assert_array_equal(found, wanted)


def test_a_scattered_window_that_sticks_out_is_dropped_whole() -> None:
    x, updates = np.zeros(5, np.int32), np.arange(1, 7, dtype=np.int32).reshape(3, 2)
    found = both(
        lambda a, i, u: ops.scatter_add(
            a, i, u, update_window_dims=(1,), inserted_window_dims=(),
            scatter_dims_to_operand_dims=(0,), index_vector_dim=1,
        ),
        x, np.array([[4], [-1], [3]], np.int32), updates,
    )  # fmt: skip
    np.testing.assert_array_equal(found, [0, 0, 0, 5, 6])


def test_segment_sum_drops_the_ids_that_are_no_segment() -> None:
    found = both(
        lambda a, i, u: a.at[i].add(u),
        np.zeros(2, np.float32), np.array([2, 3], np.int32), np.ones(2, np.float32),
    )  # fmt: skip
    np.testing.assert_array_equal(found, [0, 0])


def test_take_along_and_take_agree_with_numpy_in_range() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((3, 4, 2)).astype(np.float32)
    i = rng.integers(0, 4, (3, 2, 2)).astype(np.int64)
    found = both(lambda a, b: ops.take_along(a, b, axis=1), x, i)
    np.testing.assert_array_equal(found, np.take_along_axis(x, i, 1))
    found = both(lambda a, b: ops.take(a, b, axis=-2), x, i)
    np.testing.assert_array_equal(found, np.take(x, i, 1))


def _random_item(size: int, pick: random.Random) -> Any:
    kind = pick.randrange(6)
    if kind == 0:
        return pick.randrange(-size, size)
    if kind == 1:
        return slice(None)
    if kind == 2:
        return slice(
            pick.choice([None, 0, 1, -2]), pick.choice([None, 2, -1, 9]),
            pick.choice([None, 1, 2, -1, -2]),
        )  # fmt: skip
    shape = pick.choice([(), (2,), (3, 1), (1,)])
    count = int(np.prod(shape))
    drawn = [pick.randrange(-size, size) for _ in range(count)]
    return np.array(drawn).astype(pick.choice([np.int32, np.int64, np.int8])).reshape(shape)


def _random_index(pick: random.Random) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    shape = tuple(pick.choice([1, 2, 3, 4]) for _ in range(pick.randrange(0, 4)))
    used = pick.randrange(0, len(shape) + 1)
    items = [_random_item(n, pick) for n in shape[:used]]
    if pick.random() < 0.4:
        at = pick.randrange(0, len(items) + 1)
        last = shape[len(shape) - (len(items) - at) :]
        items = [*items[:at], Ellipsis, *(_random_item(n, pick) for n in last)]
    for _ in range(pick.choice([0, 0, 1, 2])):
        items.insert(pick.randrange(0, len(items) + 1), None)
    return shape, tuple(items)


def _indexed(shape: tuple[int, ...], index: tuple[Any, ...], pick: random.Random) -> Any:
    """A function of x and the index tensors that reads and updates x, and its arguments."""
    x = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    update = np.arange(x[index].size, dtype=np.int32).reshape(x[index].shape) * 7 + 1
    builder = Builder("main")
    arguments = [x, update]
    p, u = (builder.param(TensorType.of_array(a)) for a in arguments)
    parts: list[Any] = []
    for part in index:
        if isinstance(part, np.ndarray) and pick.random() < 0.7:
            parts.append(builder.param(TensorType.of_array(part)))
            arguments.append(part)
        else:
            parts.append(part)
    at = p.at[tuple(parts)]
    return builder.build(p[tuple(parts)], at.add(u), at.set(np.int32(-1))), arguments


@pytest.mark.parametrize("seed", range(40))
def test_python_indexing_reads_and_updates_as_numpy_does(seed: int) -> None:
    pick = random.Random(seed)
    for turn in range(4):
        shape, index = _random_index(pick)
        function, arguments = _indexed(shape, index, pick)
        run = dxir.compile(function) if turn == 0 else lambda *a, f=function: evaluate(f, *a)
        read, added, written = (np.asarray(r) for r in run(*arguments))
        x, update = arguments[:2]
        np.testing.assert_array_equal(read, x[index], err_msg=f"{shape} {index}")
        wanted = x.copy()
        np.add.at(wanted, index, update)
        np.testing.assert_array_equal(added, wanted, err_msg=f"{shape} {index}")
        wanted = x.copy()
        wanted[index] = -1
        np.testing.assert_array_equal(written, wanted, err_msg=f"{shape} {index}")


def test_static_indices_need_no_gather_or_scatter() -> None:
    assert emitted(build(lambda x: x[1], f32[4, 3])) == {
        "stablehlo.slice": 1, "stablehlo.reshape": 1
    }  # fmt: skip
    assert emitted(build(lambda x: x[...], f32[4, 3])) == {}
    assert emitted(build(lambda x: x[:, ::-1], f32[4, 3])) == {"stablehlo.reverse": 1}
    count = emitted(build(lambda x, v: x.at[1:3].set(v), f32[4, 3], f32[2, 3]))
    assert count["stablehlo.dynamic_update_slice"] == 1
    assert not count["stablehlo.scatter"]


def test_an_index_tensor_out_of_range_clamps_in_reads_and_is_left_out_of_updates() -> None:
    x, i = np.arange(4, dtype=np.float32), np.array([-9, -1, 0, 9], np.int64)
    assert list(both(lambda a, b: a[b], x, i)) == [0, 3, 0, 3]
    assert list(both(lambda a, b: a.at[b].mul(10.0), x, i)) == [0, 1, 2, 30]
    found = both(lambda a, b: a.at[b].min(-1.0), x, i.astype(np.int8))
    assert list(found) == [-1, 1, 2, -1]


@pytest.mark.parametrize(
    ("index", "error", "text"),
    [
        (np.array([True, False]), DTypeError, "f32[2, 3] cannot be indexed by booleans"),
        (True, DTypeError, "f32[2, 3] cannot be indexed by booleans"),
        (2, ShapeError, "index 2 is out of range for axis 0 of f32[2, 3]"),
        ((0, -4), ShapeError, "index -4 is out of range for axis 1 of f32[2, 3]"),
        ((0, 0, 0), ShapeError, "3 indices are given for f32[2, 3], which has 2 axes"),
        ([0, 5], ShapeError, "the indices [0, 5] are out of range for axis 0 of f32[2, 3]"),
        ((..., ...), dxir.DxirError, "an index can hold only one ..."),
        (1.5, dxir.DxirError, "f32[2, 3] cannot be indexed by 1.5 (float)"),
        (np.array([1.5]), DTypeError, "float64 is not a type for indices"),
    ],
)
def test_an_index_that_cannot_be_is_refused(index: Any, error: type[DxirError], text: str) -> None:
    assert text in message(lambda x: x[index], f32[2, 3], error=error)
    assert "x.at[index]: " in message(lambda x: x.at[index].set(0.0), f32[2, 3], error=error)


def test_masks_and_computed_slice_bounds_are_refused_with_a_way_out() -> None:
    text = message(lambda x, m: x[m], f32[4], i1[4], error=DTypeError)
    assert "dxir.ops.select" in text
    text = message(lambda x, i: x[i:], f32[4], i32[()], error=DxirError)
    assert "dxir.ops.dynamic_slice" in text


def test_an_update_must_fit_in_shape_and_type() -> None:
    text = message(lambda x, v: x.at[0].set(v), f32[2, 3], f32[2], error=ShapeError)
    assert "shape [2] does not fit x[index] of shape [3]" in text
    text = message(lambda x, v: x.at[0].add(v), f32[2, 3], bf16[3], error=DTypeError)
    assert "f32[2, 3] cannot be updated with bf16[3]" in text


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"slice_sizes": (1, 3)}, ShapeError, "do not fit in f32[4, 2]: 3 on axis 1 of size 2"),
        ({"slice_sizes": (2, 2)}, ShapeError, "axis 0 is collapsed or batching"),
        ({"slice_sizes": (1,)}, ShapeError, "slice_sizes has 1 entries, but 2 are needed"),
        ({"offset_dims": ()}, ShapeError, "0 offset_dims and 1 collapsed or batching axes"),
        ({"offset_dims": (2,)}, ShapeError, "offset_dims entry 2 is out of range for rank 2"),
        ({"start_index_map": (0, 1)}, ShapeError, "has 2 entries, but index vectors along axis 1"),
        ({"start_index_map": (0, 0)}, AttributeValueError, "name an axis twice"),
        ({"index_vector_dim": 3}, ShapeError, "index_vector_dim 3 is out of range"),
        ({"collapsed_slice_dims": (2,)}, ShapeError, "collapsed_slice_dims entry 2"),
        (
            {
                "offset_dims": (), "slice_sizes": (1, 1), "operand_batching_dims": (1,),
                "start_indices_batching_dims": (0,),
            },
            ShapeError, "batching axis 1 of f32[4, 2] has size 2, but axis 0 of the indices",
        ),
        (
            {
                "offset_dims": (), "slice_sizes": (1, 1), "operand_batching_dims": (1,),
                "start_indices_batching_dims": (1,),
            },
            AttributeValueError, "contain index_vector_dim 1",
        ),
    ],
)  # fmt: skip
def test_gather_dimensions_that_contradict_each_other_are_refused(
    changes: dict[str, Any], error: type[DxirError], text: str
) -> None:
    found = message(lambda x, i: gather_rows(x, i, **changes), f32[4, 2], i32[3, 1], error=error)
    assert "gather: " in found
    assert text in found


SCATTER = {
    "update_window_dims": (1,), "inserted_window_dims": (0,),
    "scatter_dims_to_operand_dims": (0,), "index_vector_dim": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("types", "text"),
    [
        ((f32[4, 2], i32[3, 1], f32[2, 2]), "have [2] outside of their window axes [1]"),
        ((f32[4, 2], i32[3, 1], f32[3, 5]), "axis 1 of the updates (f32[3, 5]) has size 5"),
        ((f32[4, 2], i32[3, 2], f32[3, 2]), "index vectors along axis 1 of i32[3, 2] have 2"),
        ((f32[4, 2], i32[3, 1], bf16[3, 2]), "an input of type f32[4, 2] gets updates of bf16"),
        ((f32[4, 2], f32[3, 1], f32[3, 2]), "scatter_indices has type f32[3, 1]"),
    ],
)
def test_scatter_operands_that_do_not_go_together_are_refused(types: Any, text: str) -> None:
    found = message(lambda x, i, u: ops.scatter_add(x, i, u, **SCATTER), *types, error=DxirError)
    assert text in found


def test_a_scatter_or_sort_body_must_be_closed_and_of_the_right_type() -> None:
    types = (f32[4, 2], i32[3, 1], f32[3, 2], f32[()])
    text = message(
        lambda x, i, u, k: ops.scatter((x,), i, (u,), lambda a, b: a + k, **SCATTER),
        *types, error=GraphError,
    )  # fmt: skip
    assert "the update body uses <Value" in text
    text = message(
        lambda x, i, u, k: ops.scatter((x,), i, (u,), lambda a, b: a > b, **SCATTER),
        *types, error=ShapeError,
    )  # fmt: skip
    assert "the update body returns i1[] as result 0, but must return f32[]" in text
    text = message(lambda x: ops.sort_by((x,), lambda a, b: a), f32[4], error=ShapeError)
    assert "the comparator returns f32[] as result 0, but must return i1[]" in text


def test_a_body_may_use_constants_from_outside() -> None:
    x = np.array([1, 5, 2], np.int32)

    def body(v: Value) -> Any:
        two = ops.constant(np.int32(2))
        return ops.sort_by((v,), lambda a, b: ops.compare(ops.rem(a, two), b % 2, direction="LT"))

    assert sorted(both(lambda v: body(v), x) % 2) == [0, 1, 1]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (lambda x: ops.top_k(x, k=4), "k is 4, but the last axis of f32[2, 3] has size 3"),
        (lambda x: ops.top_k(x, k=-1), "k is -1"),
        (lambda x: ops.sort(x, axis=2), "axis 2 is out of range for rank 2"),
        (lambda x: ops.take(x, x), "indices has type f32[2, 3]"),
        (lambda x: ops.take_along(x, np.zeros((3, 3), np.int32)), "axis 0 of indices"),
        (lambda x: ops.take_along(x, np.zeros(3, np.int32)), "indices has type i32[3]"),
        (lambda x: ops.sort(ops.complex(x, x)), "operand has type c64[2, 3]"),
    ],
)
def test_lookups_that_cannot_be_are_refused(body: Any, text: str) -> None:
    assert text in message(body, f32[2, 3], error=DxirError)
