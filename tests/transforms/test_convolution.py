"""Convolutions: every dimension number, group, dilation and padding, forwards and back."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dxir import ops
from dxir.builder import build_function
from dxir.dialects.layouts import dimension_numbers
from dxir.errors import TransformError
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.transforms import jvp_function, vjp_function, vmap_function
from dxir.types import TensorType, bf16, f32, i32

Array = np.ndarray[Any, Any]
NCHW = ("NCHW", "OIHW", "NCHW")
ODD = ("HNCW", "IHWO", "CWNH")


def normal(*shapes: tuple[int, ...]) -> list[Array]:
    """Arrays of f32 of these shapes, the same ones each time."""
    rng = np.random.default_rng(7)
    return [rng.standard_normal(s).astype(np.float32) for s in shapes]


def case(x: Any, w: Any, layouts: Any = NCHW, **options: Any) -> dict[str, Any]:
    """A convolution of arrays of these shapes; options as JAX calls them."""
    rank = len(x) - 2
    full: dict[str, Any] = {
        "window_strides": (1,) * rank, "padding": ((0, 0),) * rank, "lhs_dilation": (1,) * rank,
        "rhs_dilation": (1,) * rank, "feature_group_count": 1, "batch_group_count": 1,
    }  # fmt: skip
    return {"x": x, "w": w, "layouts": layouts, "options": full | options}


def function_of(given: dict[str, Any], **more: Any) -> Function:
    """The function of input and kernel."""
    numbers = dimension_numbers(",".join(given["layouts"]))

    def build(x: Value, w: Value) -> Value:
        return ops.convolution(x, w, **numbers, **given["options"], **more)

    return build_function(build, TensorType(given["x"], f32), TensorType(given["w"], f32), name="f")


def theirs(given: dict[str, Any]) -> Any:
    """The same function in JAX."""

    def convolve(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, dimension_numbers=given["layouts"], **given["options"]
        )

    return convolve


CASES = [
    case((2, 3, 6, 5), (4, 3, 3, 2), window_strides=(1, 2)),
    case((2, 3, 6, 5), (4, 3, 3, 2), window_strides=(3, 2), padding=((1, 2), (0, 3))),
    case((2, 3, 6, 7), (4, 3, 3, 2), padding=((-1, 2), (2, -2))),
    case((2, 3, 7, 7), (4, 3, 2, 3), padding=((-1, 0), (1, 1)), window_strides=(2, 3),
         rhs_dilation=(2, 1), lhs_dilation=(1, 2)),
    case((2, 4, 5, 5), (8, 2, 3, 3), feature_group_count=2, padding=((1, 1), (1, 1))),
    case((2, 4, 5, 5), (8, 1, 3, 3), feature_group_count=4, window_strides=(2, 2),
         rhs_dilation=(2, 2), padding=((2, 2), (2, 2))),
    case((4, 3, 5, 4), (6, 3, 2, 2), batch_group_count=2, lhs_dilation=(2, 1)),
    case((6, 2, 4, 4), (6, 2, 2, 2), batch_group_count=3, window_strides=(2, 1)),
    case((6, 2, 4, 5), (2, 3, 2, 4), layouts=ODD, feature_group_count=2, padding=((1, 0), (-1, 2)),
         lhs_dilation=(1, 2), rhs_dilation=(2, 1)),
    case((1, 5, 5, 2), (3, 3, 2, 4), layouts=("NHWC", "HWIO", "NHWC")),
    case((2, 3, 8), (4, 3, 3), layouts=("NCW", "OIW", "NCW"), window_strides=(2,)),
    case((2, 3), (4, 3), layouts=("NC", "OI", "NC")),
    case((1, 2, 3, 3, 4), (2, 2, 2, 2, 2), layouts=("NCDHW", "OIDHW", "NCDHW"),
         window_strides=(1, 2, 1)),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("given", CASES)
def test_both_cotangents_are_those_of_jax(given: dict[str, Any]) -> None:
    x, w = normal(given["x"], given["w"])
    out, pull = jax.vjp(theirs(given), x, w)
    (g,) = normal(out.shape)
    found = evaluate(vjp_function(function_of(given), value=False), x, w, g)
    for one, other in zip(found, pull(g), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("given", CASES)
@pytest.mark.parametrize("axes", list(itertools.product((0, None), repeat=2))[:-1])
def test_a_batch_is_what_a_loop_gives(given: dict[str, Any], axes: Any) -> None:
    arrays = normal(given["x"], given["w"])
    stacked = [a if axis is None else np.stack([a, 2 * a, a[::-1]])
               for a, axis in zip(arrays, axes, strict=True)]  # fmt: skip
    function = function_of(given)
    found = evaluate(vmap_function(function, axes, axis_size=3), *stacked)
    for k in range(3):
        one = [a if axis is None else a[k] for a, axis in zip(stacked, axes, strict=True)]
        np.testing.assert_allclose(found[k], evaluate(function, *one), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("given", CASES[:4])
@pytest.mark.parametrize("flags", [(True, False), (True, True)])
def test_flipped_kernels_have_flipped_cotangents(given: dict[str, Any], flags: Any) -> None:
    x, w = normal(given["x"], given["w"])
    axes = tuple(i + 2 for i, f in enumerate(flags) if f)
    out, pull = jax.vjp(lambda a, b: theirs(given)(a, jnp.flip(b, axes)), x, w)
    (g,) = normal(out.shape)
    function = function_of(given, window_reversal=flags)
    found = evaluate(vjp_function(function, value=False), x, w, g)
    for one, other in zip(found, pull(g), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


def test_the_weight_gradient_of_feature_groups_has_batch_groups() -> None:
    """B39: the forward group count would not fit the shapes of the gradient."""
    given = case((1, 4, 4, 4), (8, 1, 3, 3), feature_group_count=4)
    vjp = vjp_function(function_of(given), value=False)
    assert [r.shape for r in vjp.results] == [(1, 4, 4, 4), (8, 1, 3, 3)]
    (weights,) = [n for n in vjp.nodes if n.results == (vjp.results[1],)]
    assert weights.attrs["batch_group_count"] == 4
    assert weights.attrs["feature_group_count"] == 1


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_grouped_gradients_are_those_of_differences(groups: int) -> None:
    """B39, with stride 2 and dilation 2."""
    given = case((1, 4, 6, 6), (8, 4 // groups, 2, 2), feature_group_count=groups,
                 window_strides=(2, 2), rhs_dilation=(2, 2))  # fmt: skip
    function = function_of(given)
    x, w = normal(given["x"], given["w"])
    (g,) = normal(evaluate(function, x, w).shape)
    dx, dw = evaluate(vjp_function(function, value=False), x, w, g)
    tx, tw = normal(x.shape, w.shape)
    by_x = np.sum(evaluate(function, tx, w) * g)
    by_w = np.sum(evaluate(function, x, tw) * g)
    np.testing.assert_allclose([np.sum(dx * tx), np.sum(dw * tw)], [by_x, by_w], rtol=1e-4)


X, KERNEL = np.array([[[1, 2, 3]]], np.float32), np.array([[[1, 10, 100]]], np.float32)
TRANSPOSED = [
    (((1, 1),), [10, 201, 20, 302, 30]),
    (((2, 2),), [100, 10, 201, 20, 302, 30, 3]),
    ("SAME", [100, 10, 201, 20, 302, 30]),
    ("VALID", [100, 10, 201, 20, 302, 30, 3]),
]


@pytest.mark.parametrize(("padding", "wanted"), TRANSPOSED)
def test_a_transposed_convolution_takes_the_padding_of_the_dilated_input(
    padding: Any, wanted: list[int]
) -> None:
    """B41."""
    function = build_function(
        lambda x, w: ops.conv_transpose1d(
            x, w, window_strides=(1,), lhs_dilation=(2,), padding=padding
        ),
        f32[1, 1, 3], f32[1, 1, 3], name="f",
    )  # fmt: skip
    np.testing.assert_array_equal(evaluate(function, X, KERNEL)[0, 0], wanted)


@pytest.mark.parametrize("pad", [(0, 0), (1, 1), (2, 0)])
def test_a_transposed_convolution_is_the_cotangent_of_a_convolution(pad: tuple[int, int]) -> None:
    """B41: with the padding `dilation * (k - 1) - pad` and the kernel flipped."""
    strides, size = 2, 5 + 4 - sum(pad)
    forward = build_function(
        lambda x, w: ops.conv1d(x, w, window_strides=strides, padding=(pad,)),
        TensorType((1, 1, size), f32), f32[1, 1, 3], name="f",
    )  # fmt: skip
    x, w = normal((1, 1, size), (1, 1, 3))
    g = normal(evaluate(forward, x, w).shape)[0]
    dx = evaluate(vjp_function(forward, 0, value=False), x, w, g)
    low = 2 - pad[0]
    high = size - ((g.shape[2] - 1) * strides + 1) + pad[0]
    transposed = build_function(
        lambda y, v: ops.conv_transpose1d(
            y, v, window_strides=1, lhs_dilation=strides, padding=((low, high),),
            window_reversal=True,
        ),
        TensorType(g.shape, f32), f32[1, 1, 3], name="t",
    )  # fmt: skip
    np.testing.assert_allclose(evaluate(transposed, g, w), dx, rtol=1e-6)


@pytest.mark.parametrize("given", CASES)
def test_the_gradient_of_a_convolution_has_no_more_ops_than_that_of_jax(
    given: dict[str, Any],
) -> None:
    vjp = vjp_function(function_of(given), value=False)
    ours = [n.op for n in vjp.nodes if n.op != "constant"]
    arrays = [np.zeros(p.tensor.static_shape, np.float32) for p in vjp.params]

    def pulled(x: Any, w: Any, g: Any) -> Any:
        return jax.vjp(theirs(given), x, w)[1](g)

    text = jax.jit(pulled).lower(*arrays).as_text()
    assert len(ours) <= text.count("stablehlo.") - text.count("stablehlo.constant"), text


def dynamic(**options: Any) -> Function:
    """A convolution whose padding is a parameter."""
    numbers = dimension_numbers("NHWC,HWIO,NHWC")
    return build_function(
        lambda x, w, p: ops.dynamic_conv(x, w, p, **numbers, **options),
        f32[2, 5, 6, 2], f32[2, 3, 2, 4], i32[2, 2], name="f",
    )  # fmt: skip


PADDED: dict[str, Any] = {"window_strides": (2, 1), "rhs_dilation": (1, 2)}


def test_a_padding_that_is_a_value_gives_the_same_cotangents() -> None:
    padding = ((1, 2), (-1, 1))
    static = build_function(
        lambda x, w: ops.convolution(
            x, w, padding=padding, **dimension_numbers("NHWC,HWIO,NHWC"), **PADDED
        ),
        f32[2, 5, 6, 2], f32[2, 3, 2, 4], name="s",
    )  # fmt: skip
    shape = static.results[0].tensor.static_shape
    x, w, g = normal((2, 5, 6, 2), (2, 3, 2, 4), shape)
    wanted = evaluate(vjp_function(static, value=False), x, w, g)
    function = dynamic(shape=shape, **PADDED)
    found = evaluate(vjp_function(function, value=False), x, w, np.array(padding, np.int32), g)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_a_batch_of_paddings_is_one_convolution_each() -> None:
    function = dynamic(shape=(2, 3, 2, 4), **PADDED)
    paddings = np.array([[[1, 1], [0, 0]], [[0, 2], [1, -1]]], np.int32)
    x, w = normal((2, 5, 6, 2), (2, 3, 2, 4))
    found = evaluate(vmap_function(function, (None, None, 0), axis_size=2), x, w, paddings)
    for k in range(2):
        np.testing.assert_allclose(found[k], evaluate(function, x, w, paddings[k]), rtol=1e-6)
    with pytest.raises(TransformError, match="the padding differs within the batch"):
        vmap_function(dynamic(**PADDED), (None, None, 0), axis_size=2)


def test_the_kernel_of_an_unknown_result_has_no_cotangent() -> None:
    function = dynamic(**PADDED)
    assert vjp_function(function, 0, value=False).result_types == (f32[2, 5, 6, 2],)
    with pytest.raises(TransformError, match="needs the sizes of the result"):
        vjp_function(function, 1, value=False)


def test_narrow_operands_of_a_wider_result_get_narrow_cotangents() -> None:
    function = build_function(
        lambda x, w: ops.conv1d(x, w, window_strides=1, preferred_element_type=f32),
        bf16[1, 2, 5], bf16[3, 2, 2], name="f",
    )  # fmt: skip
    vjp = vjp_function(function, value=False)
    assert vjp.result_types == (bf16[1, 2, 5], bf16[3, 2, 2])


def test_second_derivatives_are_those_of_jax() -> None:
    given = CASES[4]
    x, w = normal(given["x"], given["w"])
    out, _ = jax.vjp(theirs(given), x, w)
    (g,) = normal(out.shape)
    moved = jvp_function(vjp_function(function_of(given), value=False), (0, 1), value=False)
    found = evaluate(moved, x, w, g, x, w)
    wanted = jax.jvp(lambda a, b: jax.vjp(theirs(given), a, b)[1](g), (x, w), (x, w))[1]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
