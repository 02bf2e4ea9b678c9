"""Stories of constants, and of the ops that change shape, that their examples cannot tell."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import bf16, f8e4m3fn, f32, i8, i32, ops, ui8
from dxir.errors import AttributeValueError, DTypeError, OperandError, ShapeError
from dxir.graph import Module
from dxir.lowering import lower_module
from dxir.types import ALL_DTYPES, DType, TensorType

HERE = "test_shape.py"


def graph(body: Callable[..., Any], *types: Any) -> Any:
    return dxir.build_function(body, *types, name="main")


def lowered(body: Callable[..., Any], *types: Any) -> str:
    return str(lower_module(Module([graph(body, *types)])))


def on_cpu(body: Callable[..., Any], *arrays: Any) -> Any:
    arrays = tuple(np.asarray(a) for a in arrays)
    return np.asarray(dxir.compile(graph(body, *(TensorType.of_array(a) for a in arrays)))(*arrays))


def by_reference(body: Callable[..., Any], *arrays: Any) -> Any:
    arrays = tuple(np.asarray(a) for a in arrays)
    return dxir.evaluate(graph(body, *(TensorType.of_array(a) for a in arrays)), *arrays)


def emitted(body: Callable[..., Any], *types: Any) -> Counter[str]:
    module = lower_module(Module([graph(body, *types)]))
    main = next(iter(module.body.operations))
    names = [op.operation.name for op in main.regions[0].blocks[0].operations]
    return Counter(n.removeprefix("stablehlo.") for n in names if n != "func.return")


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_the_stated_slice_and_pad(run: Any) -> None:
    x = np.arange(4, dtype=np.float32)
    assert run(lambda v: ops.slice(v, starts=[0], limits=[4], strides=[2]), x).tolist() == [0, 2]
    y = np.array([1, 2, 3], np.float32)
    padded = run(lambda v: ops.pad(v, value=0, low=[0], high=[0], interior=[2]), y)
    assert padded.tolist() == [1, 0, 0, 2, 0, 0, 3]


@pytest.mark.parametrize("run", [on_cpu, by_reference])
@pytest.mark.parametrize(("start", "wanted"), [(3, 1), (-5, 0), (100, 1), (0, 0)])
def test_a_dynamic_slice_moves_inside(run: Any, start: int, wanted: int) -> None:
    x = np.arange(4, dtype=np.float32)
    found = run(lambda v, s: ops.dynamic_slice(v, (s,), sizes=(3,)), x, np.int32(start))
    assert found[0] == wanted


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_narrow_unsigned_starts_are_zero_extended(run: Any) -> None:
    x = np.arange(300, dtype=np.float32)
    body = lambda v, s: ops.dynamic_slice(v, (s,), sizes=(2,))  # noqa: E731
    assert run(body, x, np.uint8(200)).tolist() == [200, 201]
    assert run(body, x, np.int8(-56)).tolist() == [0, 1]
    assert emitted(body, f32[300], ui8[()]) == Counter(convert=1, dynamic_slice=1)
    assert emitted(body, f32[300], i32[()]) == Counter(dynamic_slice=1)


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_one_broadcast_equals_two_of_them(run: Any) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)

    def twice(v: Any) -> Any:
        y = ops.broadcast_in_dim(v, shape=(3, 4, 2), dims=(2, 0))
        return ops.broadcast_in_dim(y, shape=(3, 4, 2, 5), dims=(0, 1, 2))

    once = run(lambda v: ops.broadcast_in_dim(v, shape=(3, 4, 2, 5), dims=(2, 0)), x)
    np.testing.assert_array_equal(run(twice, x), once)


def test_spellings_of_reshape_are_one_reshape() -> None:
    one = Counter(reshape=1)
    assert emitted(lambda x: ops.squeeze(x), f32[1, 2, 1]) == one
    assert emitted(lambda x: ops.expand_dims(x, axes=0), f32[2]) == one
    assert emitted(lambda x: ops.flatten(x), f32[2, 3]) == one
    assert emitted(lambda x: ops.stack((x, x)), f32[2]) == Counter(reshape=2, concatenate=1)
    assert emitted(lambda x: ops.split(x, sizes=3), f32[6]) == Counter(slice=3)
    assert emitted(lambda x: ops.broadcast_to(x, shape=(2,)), f32[2]) == Counter()
    assert emitted(lambda x: ops.round(x, mode="away"), f32[2]) == Counter(round_nearest_afz=1)


def test_a_join_of_three_has_the_size_of_all() -> None:
    types = (f32[1, 1, 8], f32[1, 4, 8], f32[1, 1, 8])
    function = graph(lambda *xs: ops.concat(xs, axis=1), *types)
    assert function.result_types == (f32[1, 6, 8],)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_constants_keep_every_bit_of_every_type(dtype: DType) -> None:
    raw = np.random.default_rng(7).integers(0, 256, 64 * dtype.numpy.itemsize, np.uint8)
    if dtype.bits < 8 and not dtype.is_bool:
        raw &= (1 << dtype.bits) - 1
    array = (raw & 1).astype(bool) if dtype.is_bool else raw.view(dtype.numpy)
    if dtype.kind == "int" and dtype.bits < 8:
        array = raw.astype(np.int8).astype(dtype.numpy)
    for given in (array.reshape(8, 8), array[:1].reshape(()), array[:0], array[:1].repeat(5)):
        function = graph(lambda g=given: ops.constant(g))
        raised = dxir.lower(Module([function])).raise_()
        (held,) = [n for n in raised["main"].nodes if n.op == "constant"]
        assert held.value.dtype == given.dtype
        assert held.value.shape == given.shape
        assert np.array_equal(
            np.ascontiguousarray(held.value).reshape(-1).view(np.uint8),
            np.ascontiguousarray(given).reshape(-1).view(np.uint8),
        )


def test_a_uniform_array_is_held_once() -> None:
    text = lowered(lambda: ops.constant(np.full((1000, 1000), 3, np.float32)))
    assert "dense<3.000000e+00> : tensor<1000x1000xf32>" in text
    zeros = np.zeros((100, 100), np.float32)
    zeros[3, 4] = -0.0
    assert "dense<0.000000e+00>" not in lowered(lambda: ops.constant(zeros))


def test_full_of_a_huge_shape_costs_nothing() -> None:
    tracemalloc.start()
    function = graph(lambda: ops.full(shape=(1 << 20, 1 << 12), value=1, dtype=f32))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert function.result_types == (f32[1 << 20, 1 << 12],)
    assert peak < 1 << 20


def test_a_constant_is_not_changed_through_the_array_it_came_from() -> None:
    array, scalar = np.arange(4, dtype=np.float32), np.array(7, np.int32)
    view = array[:]
    view.flags.writeable = False
    spread = np.broadcast_to(scalar, (2,))
    values = (array, view, scalar, spread)
    function = graph(lambda: tuple(ops.constant(v) for v in values))
    array[0], scalar[()] = 99, 99
    assert [r.tolist() for r in dxir.evaluate(function)] == [[0, 1, 2, 3], [0, 1, 2, 3], 7, [7, 7]]


def test_zeros_of_either_sign_and_equal_numbers_of_other_types_stay_apart() -> None:
    numbers = [(0.0, f32), (-0.0, f32), (1, f32), (True, "i1"), (1, i32)]
    function = graph(lambda: tuple(ops.full(shape=(2,), value=v, dtype=t) for v, t in numbers))
    found = dxir.evaluate(function)
    assert [bool(np.signbit(r.astype(float))[0]) for r in found] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert [r.dtype.name for r in found] == ["float32", "float32", "float32", "bool", "int32"]


def test_tril_keeps_nan_out_of_the_other_triangle() -> None:
    x = np.array([[1, np.nan], [2, 3]], np.float32)
    assert on_cpu(lambda v: ops.tril(v), x).tolist() == [[1, 0], [2, 3]]


def test_dynamic_ops_evaluate_with_sizes_given_at_run_time() -> None:
    x, sizes = np.arange(6, dtype=np.float32), np.array([2, 3], np.int32)
    reshaped = graph(lambda v, s: ops.dynamic_reshape(v, s, shape=("a", "b")), f32["n"], i32[2])
    assert dxir.evaluate(reshaped, x, sizes).tolist() == x.reshape(2, 3).tolist()
    iota = graph(lambda s: ops.dynamic_iota(s, axis=0, dtype=i8), i32[2])
    assert dxir.evaluate(iota, sizes).tolist() == [[0, 0, 0], [1, 1, 1]]
    spread = graph(lambda v, s: ops.dynamic_broadcast_in_dim(v, s, dims=(1,)), f32["n"], i32[2])
    assert dxir.evaluate(spread, x[:3], sizes).tolist() == [[0, 1, 2], [0, 1, 2]]


def _with_constants(run: Any, x: Any, op: Any, *numbers: Any) -> Any:
    def body(v: Any) -> Any:
        return op(v, *[ops.constant(np.array(n, np.int64)) for n in numbers])

    return run(body, x)


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_dynamic_ops_run_when_their_sizes_are_constants(run: Any) -> None:
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    cut = lambda v, *c: ops.real_dynamic_slice(v, *c, shape=(2, 2))  # noqa: E731
    found = _with_constants(run, x, cut, [1, 0], [4, 2], [2, 1])
    assert found.tolist() == x[1:4:2, 0:2].tolist()
    pad = lambda v, *c: ops.dynamic_pad(v, np.float32(9), *c, shape=(5, 2))  # noqa: E731
    found = _with_constants(run, x, pad, [1, 0], [0, -1], [0, 0])
    assert found.tolist() == np.pad(x, ((1, 0), (0, 0)), constant_values=9)[:, :2].tolist()

    def gather(v: Any, sizes: Any) -> Any:
        indices = ops.constant(np.array([[0], [9], [-3]], np.int32))
        return ops.dynamic_gather(
            v, indices, sizes, offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,),
            index_vector_dim=1, shape=(3, 2),
        )  # fmt: skip

    assert _with_constants(run, x, gather, [1, 2]).tolist() == x[[0, 3, 0], :2].tolist()


def test_set_dimension_size_cuts_and_keeps_the_bound() -> None:
    function = graph(lambda x, n: ops.set_dimension_size(x, n, axis=0), f32[4, 3], i32[()])
    assert str(function.result_types[0]) == "f32[?<=4, 3]"
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert dxir.evaluate(function, x, np.int32(2)).tolist() == x[:2].tolist()


MISTAKES = [
    (lambda x: ops.reshape(x, shape=(4, 2)), (f32[2, 3],), ShapeError, ["6 elements", "[4, 2]"]),
    (lambda x: ops.reshape(x, shape=(-1, -1)), (f32[2],), AttributeValueError, ["more than one"]),
    (lambda x: ops.reshape(x, shape=(-1,)), (f32["n"],), ShapeError, ["f32[n]", "dynamic_reshape"]),
    (lambda x: ops.reshape(x, shape=("m",)), (f32[2],), ShapeError, ["m", "dynamic_reshape"]),
    (lambda x: ops.transpose(x, permutation=(0, 0)), (f32[2, 3],), ShapeError, ["(0, 0)"]),
    (
        lambda x: ops.broadcast_in_dim(x, shape=(2, 4), dims=(1,)),
        (f32[3],),
        ShapeError,
        ["axis 0", "size 3", "size 4"],
    ),
    (lambda x: ops.broadcast_to(x, shape=(3,)), (f32[2, 3],), ShapeError, ["more axes"]),
    (
        lambda x: ops.slice(x, starts=(1,), limits=(5,)),
        (f32[4],),
        ShapeError,
        ["1:5", "axis 0", "f32[4]"],
    ),
    (
        lambda x: ops.slice(x, starts=(0,), limits=(4,), strides=(0,)),
        (f32[4],),
        AttributeValueError,
        ["strides[0]", "positive"],
    ),
    (
        lambda x, s: ops.dynamic_slice(x, (s,), sizes=(5,)),
        (f32[4], i32[()]),
        ShapeError,
        ["size 5", "axis 0"],
    ),
    (
        lambda x, s: ops.dynamic_slice(x, (s,), sizes=(1,)),
        (f32[4], f32[()]),
        DTypeError,
        ["a start", "int"],
    ),
    (lambda x: ops.concat((x, ops.squeeze(x)), axis=0), (f32[1, 2],), ShapeError, ["xs[1]"]),
    (lambda x, y: ops.concat((x, y), axis=0), (f32[2, 3], f32[2, 4]), ShapeError, ["axis 1"]),
    (lambda x: ops.concat((), axis=0), (f32[2],), OperandError, ["nothing to join"]),
    (lambda x: ops.split(x, sizes=4), (f32[6],), ShapeError, ["4 equal pieces"]),
    (lambda x: ops.split(x, sizes=(1, 2)), (f32[6],), ShapeError, ["(1, 2)"]),
    (
        lambda x: ops.pad(x, value=0, low=(-3,), high=(0,)),
        (f32[2],),
        ShapeError,
        ["[-3]", "axis 0"],
    ),
    (
        lambda x: ops.pad(x, value=0, low=(0,), high=(0,), interior=(-1,)),
        (f32[2],),
        AttributeValueError,
        ["interior", "negative"],
    ),
    (lambda x: ops.pad(x, value=0.5, low=0, high=0), (i32[2],), DTypeError, ["0.5", "i32"]),
    (lambda x: ops.reverse(x, axes=(2,)), (f32[2, 3],), ShapeError, ["axes 2", "rank 2"]),
    (lambda x: ops.squeeze(x, axes=(0,)), (f32[2, 1],), ShapeError, ["axis 0", "size 2"]),
    (lambda x: ops.expand_dims(x, axes=(5,)), (f32[2],), ShapeError, ["axes 5"]),
    (lambda x: ops.tril(x), (f32[2],), ShapeError, ["2 dimensions"]),
    (lambda: ops.iota(shape=(), axis=0, dtype=i32), (), ShapeError, ["no axis"]),
    (lambda: ops.iota(shape=(2,), axis=0, dtype="i1"), (), DTypeError, ["i1"]),
    (lambda: ops.constant([300], dtype=i8), (), DTypeError, ["300", "i8"]),
    (lambda: ops.constant([2**40]), (), DTypeError, [str(2**40), "i32"]),
    (lambda: ops.constant([1.5], dtype=i32), (), DTypeError, ["1.5", "i32"]),
    (lambda: ops.constant([1e9], dtype=f8e4m3fn), (), DTypeError, ["f8e4m3fn", "448"]),
    (lambda: ops.constant("abc"), (), AttributeValueError, ["abc"]),
    (lambda: ops.full(shape=(2,), value=-1, dtype=ui8), (), DTypeError, ["-1", "ui8"]),
    (
        lambda x, s: ops.dynamic_reshape(x, s, shape=(4,)),
        (f32[2, 3], i32[1]),
        ShapeError,
        ["6 elements", "[4]"],
    ),
    (
        lambda x, s: ops.dynamic_reshape(x, s, shape=(4, 1)),
        (f32["n"], i32[1]),
        ShapeError,
        ["2 axes", "has 1"],
    ),
    (lambda x, s: ops.dynamic_reshape(x, s), (f32[2], f32[1]), DTypeError, ["output_shape"]),
    (
        lambda x, s: ops.set_dimension_size(x, s, axis=0),
        (f32[2], f32[()]),
        ShapeError,
        ["size", "i32"],
    ),
    (lambda x, u: ops.dynamic_update_slice(x, u, (0,)), (f32[2], f32[3]), ShapeError, ["f32[3]"]),
    (lambda x, u: ops.dynamic_update_slice(x, u, (0,)), (f32[2], bf16[2]), DTypeError, ["bf16"]),
]


@pytest.mark.parametrize(("body", "types", "kind", "words"), MISTAKES)
def test_a_mistake_is_named_with_what_was_given_and_the_users_line(
    body: Any, types: Any, kind: Any, words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        graph(body, *types)
    text = str(caught.value)
    assert all(word in text for word in words), text
    assert f"{HERE}:{body.__code__.co_firstlineno}" in text, text
