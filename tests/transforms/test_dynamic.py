"""Derivatives and batches of ops whose amounts are values, against those of known amounts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dxir import ops
from dxir.builder import build_function
from dxir.errors import TransformError
from dxir.evaluation import evaluate
from dxir.graph import Function, Module
from dxir.program import lower
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.transforms.jacobians import hessian, jacfwd, jacrev
from dxir.transforms.mapping import vmap
from dxir.types import Dim, TensorType, f64, i32

from .graphs import values

GATHER = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0, 1),
          "index_vector_dim": 1}  # fmt: skip
PLACES = np.array([[1, 5], [-2, 0]], np.int32)
CASES: dict[str, tuple[Any, Any, list[Any], list[Any]]] = {
    "reshape": (
        lambda x: ops.reshape(x, shape=(6,)),
        lambda x, s: ops.dynamic_reshape(x, s, shape=("m",)),
        [(2, 3)],
        [[6]],
    ),
    "broadcast": (
        lambda x: ops.broadcast_in_dim(x, shape=(2, 4, 3), dims=(2, 0)),
        lambda x, s: ops.dynamic_broadcast_in_dim(
            x, s, shape=(2, "m", "b"), dims=(2, 0), known_nonexpanding_dimensions=(0,)
        ),
        [(3, 2)],
        [[2, 4, 3]],
    ),
    "pad": (
        lambda x, v: ops.pad(x, v, low=(1, -1), high=(-2, 2), interior=(1, 0)),
        lambda x, v, low, high, interior: ops.dynamic_pad(
            x, v, low, high, interior, shape=("m", "n")
        ),
        [(3, 2), ()],
        [[1, -1], [-2, 2], [1, 0]],
    ),
    "slice": (
        lambda x: ops.slice(x, starts=(1, 0), limits=(7, 2), strides=(3, 1)),
        lambda x, a, b, c: ops.real_dynamic_slice(x, a, b, c, shape=("m", "n")),
        [(8, 3)],
        [[1, 0], [7, 2], [3, 1]],
    ),
    "gather": (
        lambda x: ops.gather(x, ops.constant(PLACES), slice_sizes=(1, 2), **GATHER),
        lambda x, i, s: ops.dynamic_gather(x, i, s, shape=(2, "n"), **GATHER),
        [(4, 3)],
        [PLACES, [1, 2]],
    ),
}


def typed(shape: tuple[int, ...], first: Any = None) -> TensorType:
    return f64[(first, *shape[1:])] if first and shape else f64[shape]


def functions(name: str, first: str | None) -> tuple[Function, Function, list[Any], list[Any]]:
    static, dynamic, shapes, amounts = CASES[name]
    numbers = [np.array(a, np.int32) for a in amounts]
    types = [typed(s, first if k == 0 else None) for k, s in enumerate(shapes)]
    one = build_function(static, *[f64[s] for s in shapes], name="static")
    other = build_function(dynamic, *types, *[i32[a.shape] for a in numbers], name="dynamic")
    rng = np.random.default_rng(0)
    return one, other, [rng.standard_normal(s) for s in shapes], numbers


def same(found: list[Any], wanted: list[Any]) -> None:
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f, w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("first", [None, "b"], ids=["static operand", "dynamic operand"])
@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_known_amounts(name: str, first: str | None) -> None:
    static, dynamic, operands, numbers = functions(name, first)
    (result,) = values(static, *operands)
    g = np.random.default_rng(1).standard_normal(result.shape)
    back = vjp_function(dynamic, value=False)
    wanted = values(vjp_function(static, value=False), *operands, g)
    same(values(back, *operands, *numbers, g), wanted)
    lower(Module([back])).verify()
    tangents = [x + 1 for x in operands]
    ahead = jvp_function(dynamic, value=False)
    wanted = values(jvp_function(static, value=False), *operands, *tangents)
    same(values(ahead, *operands, *numbers, *tangents), wanted)
    lower(Module([ahead])).verify()


@pytest.mark.parametrize("name", CASES)
def test_batches_are_those_of_known_amounts(name: str) -> None:
    static, dynamic, operands, numbers = functions(name, None)
    batch = [np.stack([x, x * 2 - 1]) for x in operands]
    made = vmap_function(dynamic, (*[0] * len(batch), *[None] * len(numbers)), axis_size=2)
    wanted = values(vmap_function(static, axis_size=2), *batch)
    same(values(made, *batch, *numbers), wanted)
    lower(Module([made])).verify()


@pytest.mark.parametrize("name", [n for n in CASES if n != "gather"])
def test_amounts_that_differ_along_the_batch_are_refused(name: str) -> None:
    _, dynamic, operands, numbers = functions(name, None)
    with pytest.raises(TransformError, match="differ along the batch"):
        vmap_function(dynamic, (*[None] * len(operands), *[0] * len(numbers)), axis_size=2)


def test_a_gather_of_a_batch_of_indices_needs_no_other_sizes() -> None:
    _, dynamic, (x,), (indices, sizes) = functions("gather", None)
    both = np.stack([indices, indices[::-1]])
    for axes, operand in (((None, 0, None), x), ((0, 0, None), np.stack([x, -x]))):
        made = vmap_function(dynamic, axes, axis_size=2)
        each = [operand, operand] if axes[0] is None else operand
        loop = [values(dynamic, a, i, sizes)[0] for a, i in zip(each, both, strict=True)]
        same(values(made, operand, both, sizes), [np.stack(loop)])


def test_a_broadcast_that_may_or_may_not_repeat_is_not_differentiated() -> None:
    f = build_function(
        lambda x, s: ops.dynamic_broadcast_in_dim(x, s, dims=(0,)), f64["n"], i32[1], name="f"
    )
    with pytest.raises(TransformError, match="known_nonexpanding_dimensions"):
        vjp_function(f)


def test_amounts_that_differ_give_one_shape_where_the_type_says_so() -> None:
    f = build_function(
        lambda x, a, b, c: ops.real_dynamic_slice(x, a, b, c, shape=(2,)),
        f64[5], i32[1], i32[1], i32[1], name="f",
    )  # fmt: skip
    x = np.arange(5.0)
    amounts = (np.array([[0], [3]]), np.array([[2], [5]]), np.array([1]))
    made = vmap_function(f, (None, 0, 0, None), axis_size=2)
    (found,) = values(made, x, *[a.astype(np.int32) for a in amounts])
    assert found.tolist() == [[0, 1], [3, 4]]


def test_zeros_of_a_size_known_only_at_run_time_have_that_size() -> None:
    f = build_function(lambda x, y: ops.exp(y), f64["n"], f64["n"], name="f")
    x = np.ones(3)
    assert values(vjp_function(f, value=False), x, x, x)[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ops.tanh(x),
        lambda x: ops.sum(ops.tanh(x) * x),
        lambda x: ops.sum(ops.relu(x), axes=(0,)),
        lambda x: ops.sum(x * x, axes=(1,)),
    ],
)
def test_gradients_take_sizes_as_they_come(function: Any) -> None:
    x = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])
    found, wanted = (
        evaluate(grad_function(build_function(function, f64[first, 3], name="f")), x)
        for first in ("n", 2)
    )
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("transform", [jacfwd, jacrev, hessian])
def test_a_jacobian_needs_sizes(transform: Any) -> None:
    function = build_function(ops.tanh, f64["n", 3], name="f")
    with pytest.raises(TransformError, match=r"result 0 of f is f64\[n, 3\]") as caught:
        transform(function)
    assert "dxir-specialize" in (caught.value.hint or "")


def test_a_rule_that_needs_sizes_is_named_with_the_way_out() -> None:
    function = build_function(lambda x: ops.concat((x, x), axis=0), f64["n", 3], name="f")
    with pytest.raises(TransformError, match=r"concat: its vjp rule failed: .*dynamic") as caught:
        grad_function(function)
    assert "dxir-specialize" in (caught.value.hint or "")
    assert (caught.value.where or "").startswith(__file__)


@pytest.mark.parametrize("size", ["b", Dim("b"), 2.5, True, -1])
def test_a_batch_has_a_known_size(size: Any) -> None:
    function = build_function(ops.tanh, f64[3], name="f")
    with pytest.raises(TransformError, match="a batch has a known number of elements"):
        vmap_function(function, axis_size=size)

    def rows(x: Any) -> Any:
        return vmap(ops.tanh)(x)

    with pytest.raises(TransformError, match=r"axis 0 of f64\[n, 3\] is dynamic"):
        build_function(rows, f64["n", 3], name="f")


def test_a_batch_of_tensors_of_unknown_sizes_is_one_op() -> None:
    function = build_function(ops.tanh, f64["n", 3], name="f")
    x = np.arange(24.0).reshape(2, 4, 3)
    np.testing.assert_array_equal(evaluate(vmap_function(function, axis_size=2), x), np.tanh(x))
