from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import dxir
from dxir import bf16, f32, i32, ops
from dxir.dialects.layouts import dimension_numbers
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

ROOT = Path(__file__).parents[2]
CASES = {c["name"]: c for c in json.loads((ROOT / "examples/cases/numeric.json").read_text())}
NCHW = dimension_numbers("NCHW,OIHW,NCHW")


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def both(body: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """What the device and what the reference give."""
    given = [np.asarray(a) for a in arrays]
    function = function_of(body, *(TensorType.of_array(a) for a in given))
    found = dxir.compile(function)(*given)
    return np.asarray(found), evaluate(function, *given)


def text(body: Callable[..., Any], *types: TensorType) -> str:
    return str(dxir.lower(function_of(body, *types)).decompose())


def random(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "name", ["conv 3x3 by ones 2x2", "transposed conv, lhs_dilation 2, pad (1,1)"]
)
def test_the_given_convolutions_hold(name: str) -> None:
    case = CASES[name]
    given = [np.array(i, np.float32) for i in case["inputs"]]
    op = getattr(ops, case["op"])
    for found in both(lambda x, w: op(x, w, **case["attrs"]), *given):
        np.testing.assert_array_equal(found, np.array(case["expected"], np.float32))


@pytest.mark.parametrize(
    ("padding", "wanted"),
    [
        (((1, 1),), [10, 201, 20, 302, 30]),
        (((2, 2),), [100, 10, 201, 20, 302, 30, 3]),
        ("SAME", [100, 10, 201, 20, 302, 30]),
        ("VALID", [100, 10, 201, 20, 302, 30, 3]),
    ],
)
def test_a_transposed_convolution_pads_the_dilated_input(padding: Any, wanted: Any) -> None:
    """B41: the four paddings as JAX has them."""
    x, w = np.array([[[1, 2, 3]]], np.float32), np.array([[[1, 10, 100]]], np.float32)

    def body(x: Any, w: Any) -> Any:
        return ops.conv_transpose1d(x, w, window_strides=1, lhs_dilation=2, padding=padding)

    for found in both(body, x, w):
        np.testing.assert_array_equal(found[0, 0], np.array(wanted, np.float32))


def test_a_convolution_is_one_op_in_the_layout_that_was_asked_for() -> None:
    written = text(
        lambda x, w: ops.conv2d(x, w, window_strides=1), f32[1, 2, 4, 4], f32[3, 2, 2, 2]
    )
    assert "dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]" in written
    written = text(
        lambda x, w: ops.conv_transpose2d(x, w, window_strides=1), f32[1, 2, 4, 4], f32[2, 3, 2, 2]
    )
    assert "dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]" in written
    written = text(
        lambda x, w: ops.conv2d(x, w, window_strides=1, dimension_numbers="NHWC,HWIO,NHWC"),
        f32[1, 4, 4, 2], f32[2, 2, 2, 3],
    )  # fmt: skip
    assert "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" in written


def _case(seed: int) -> tuple[Any, Any, dict[str, Any], str]:
    """A convolution with random layouts, strides, dilations, padding and groups."""
    rng = np.random.default_rng(seed)
    spatial = list("HWD"[: int(rng.integers(1, 4))])
    groups, batches = [(1, 1), (2, 1), (3, 1), (1, 2)][int(rng.integers(4))]
    sizes = {"N": 2 * batches, "C": 2 * groups, "I": 2, "O": 2 * groups * batches}
    left = "".join(rng.permutation(["N", "C", *spatial]))
    kernel = "".join(rng.permutation(["O", "I", *spatial]))
    out = "".join(rng.permutation(["N", "C", *spatial]))
    x = random(*(sizes.get(c, int(rng.integers(3, 6))) for c in left), seed=seed)
    w = random(*(sizes.get(c, int(rng.integers(1, 4))) for c in kernel), seed=seed + 1)
    count = len(spatial)
    attrs = {
        "window_strides": tuple(int(v) for v in rng.integers(1, 3, count)),
        "padding": tuple((int(a), int(b)) for a, b in rng.integers(-1, 4, (count, 2))),
        "lhs_dilation": tuple(int(v) for v in rng.integers(1, 4, count)),
        "rhs_dilation": tuple(int(v) for v in rng.integers(1, 3, count)),
        "feature_group_count": groups,
        "batch_group_count": batches,
    }
    return x, w, attrs, f"{left},{kernel},{out}"


@pytest.mark.parametrize("seed", range(10))
def test_the_reference_of_a_convolution_matches_jax_for_any_attributes(seed: int) -> None:
    x, w, attrs, layouts = _case(seed)
    wanted = jax.lax.conv_general_dilated(
        x, w, dimension_numbers=tuple(layouts.split(",")), precision="highest", **attrs
    )
    function = function_of(
        lambda x, w: ops.convolution(x, w, **attrs, **dimension_numbers(layouts)),
        TensorType.of_array(x), TensorType.of_array(w),
    )  # fmt: skip
    close(evaluate(function, x, w), wanted)
    close(dxir.compile(function)(x, w), wanted)


def test_a_reversed_window_is_the_flipped_kernel() -> None:
    x, w = random(1, 2, 5, 5), random(3, 2, 2, 3, seed=1)

    def body(x: Any, w: Any) -> Any:
        return ops.conv2d(x, w, window_strides=1, window_reversal=(True, False))

    wanted = jax.lax.conv_general_dilated(x, w[:, :, ::-1], (1, 1), "VALID")
    for found in both(body, x, w):
        close(found, wanted)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(("size", "step", "dilation"), [(3, 2, 1), (2, 3, 1), (1, 2, 1), (3, 2, 2)])
def test_named_padding_of_transposed_convolutions_is_that_of_jax(
    padding: str, size: int, step: int, dilation: int
) -> None:
    x, w = random(1, 2, 4), random(2, 3, size, seed=1)

    def body(x: Any, w: Any) -> Any:
        return ops.conv_transpose1d(
            x, w, window_strides=1, lhs_dilation=step, rhs_dilation=dilation, padding=padding
        )

    wanted = jax.lax.conv_transpose(
        x, w, (step,), padding, (dilation,), dimension_numbers=("NCW", "IOW", "NCW")
    )
    for found in both(body, x, w):
        close(found, wanted)


def test_a_reversed_transposed_convolution_is_the_gradient_of_the_convolution() -> None:
    """With padding dilation * (k - 1) - p, as the docstring says."""
    x, w = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1)
    y, pull = jax.vjp(lambda x: jax.lax.conv_general_dilated(x, w, (2, 2), ((1, 1), (1, 1))), x)
    g = random(*y.shape, seed=2)

    def body(g: Any, w: Any) -> Any:
        return ops.conv_transpose2d(
            g, w, window_strides=1, lhs_dilation=2, padding=((1, 1), (1, 1)), window_reversal=True
        )

    for found in both(body, g, w):
        close(found, pull(g)[0])


def test_the_gradient_of_the_sum_of_a_convolution_is_the_given_one() -> None:
    case = CASES["gradient of conv"]
    ones = np.ones((1, 1, 2, 2), np.float32)

    def body(g: Any, w: Any) -> Any:
        return ops.conv_transpose2d(
            g, w, window_strides=1, padding=((1, 1), (1, 1)), window_reversal=True
        )

    for found in both(body, ones, ones):
        np.testing.assert_array_equal(np.squeeze(found), np.squeeze(case["expected"]))


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_the_weight_gradient_of_a_grouped_convolution_has_the_groups_in_the_batch(
    groups: int,
) -> None:
    """B39: batch_group_count instead of the forward feature_group_count."""
    x, w = random(2, 4, 6, 6), random(8, 4 // groups, 3, 3, seed=1)

    def forward(w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (2, 2), "VALID", rhs_dilation=(1, 1), feature_group_count=groups
        )

    y, pull = jax.vjp(forward, w)
    g = random(*y.shape, seed=2)

    def body(x: Any, g: Any) -> Any:
        return ops.conv2d(
            x, g, window_strides=1, rhs_dilation=2, padding=((0, -1), (0, -1)),
            batch_group_count=groups, dimension_numbers="CNHW,IOHW,CNHW",
        )  # fmt: skip

    wanted = pull(g)[0]
    for found in both(body, x, g):
        close(found, wanted)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_the_weight_gradient_of_a_strided_dilated_grouped_convolution_is_its_slope(
    groups: int,
) -> None:
    """B39: strides and dilations change places; finite differences are the judge."""
    x, w = random(1, 4, 9, 9), random(4, 4 // groups, 3, 3, seed=1)
    g = random(1, 4, 3, 3, seed=2)
    case = {"window_strides": 2, "rhs_dilation": 2, "feature_group_count": groups}
    forward = function_of(lambda w: ops.conv2d(ops.constant(x), w, **case), TensorType.of_array(w))
    run, step = dxir.compile(forward), np.float32(0.5)
    wanted = np.empty(w.shape, np.float32)
    for place in np.ndindex(w.shape):
        bump = np.zeros_like(w)
        bump[place] = step
        there = (np.asarray(run(w + bump)) - np.asarray(run(w - bump))) / (2 * step)
        wanted[place] = np.sum(there * g)

    def body(x: Any, g: Any) -> Any:
        return ops.conv2d(
            x, g, window_strides=2, rhs_dilation=2, batch_group_count=groups,
            dimension_numbers="CNHW,IOHW,CNHW",
        )  # fmt: skip

    for found in both(body, x, g):
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


def test_a_batch_of_named_size_convolves() -> None:
    x = TensorType(("batch", 2, 5, 5), f32)
    function = function_of(lambda x, w: ops.conv2d(x, w, window_strides=2), x, f32[3, 2, 3, 3])
    assert function.result_types == (TensorType(("batch", 3, 2, 2), f32),)
    assert "tensor<?x3x2x2xf32>" in str(dxir.lower(function))


def test_a_narrow_convolution_may_give_a_wide_result() -> None:
    body = lambda x, w: ops.conv1d(x, w, window_strides=1, preferred_element_type=f32)  # noqa: E731
    assert function_of(body, bf16[1, 2, 4], bf16[3, 2, 2]).result_types == (f32[1, 3, 3],)


def _conv(**attrs: Any) -> Callable[..., Any]:
    return lambda x, w: ops.conv2d(x, w, **{"window_strides": 1, **attrs})


IMAGE, KERNEL = f32[1, 4, 5, 5], f32[6, 4, 3, 3]
MISTAKES: list[tuple[Callable[..., Any], list[TensorType], type[DxirError], str]] = [
    (_conv(), [f32[1, 3, 5, 5], KERNEL], ShapeError, r"takes 4 input features, but lhs .* has 3"),
    (_conv(), [f32[4, 5, 5], KERNEL], ShapeError, r"x has type f32\[4, 5, 5\], but needs 4"),
    (_conv(), [IMAGE, i32[6, 4, 3, 3]], DTypeError, "the element types differ"),
    (_conv(feature_group_count=3), [IMAGE, KERNEL], ShapeError, "do not divide into 3 groups"),
    (_conv(batch_group_count=2), [IMAGE, KERNEL], ShapeError, "a batch of 1 does not divide"),
    (
        _conv(feature_group_count=4), [IMAGE, f32[6, 1, 3, 3]], ShapeError,
        "6 output features do not divide by feature_group_count 4",
    ),
    (_conv(feature_group_count=0), [IMAGE, KERNEL], AttributeValueError, "must be at least 1"),
    (_conv(window_strides=(1, 0)), [IMAGE, KERNEL], AttributeValueError, "every entry must be"),
    (_conv(window_strides=(1, 1, 1)), [IMAGE, KERNEL], ShapeError, "has 3 entries, but 2"),
    (_conv(padding="FULL"), [IMAGE, KERNEL], AttributeValueError, "one of SAME, VALID"),
    (_conv(padding=((1, 1),)), [IMAGE, KERNEL], ShapeError, "padding has 1 entries, but 2"),
    (
        _conv(dimension_numbers="NHWC,HWIO"), [IMAGE, KERNEL], AttributeValueError,
        '"NHWC,HWIO,NHWC", each letter once',
    ),
    (
        _conv(dimension_numbers="NHWC,HHIO,NHWC"), [IMAGE, KERNEL], AttributeValueError,
        "are not the layouts of a convolution",
    ),
    (
        lambda x, w: ops.conv_transpose2d(x, w, window_strides=2), [IMAGE, KERNEL],
        AttributeValueError, "upsamples by lhs_dilation",
    ),
    (
        lambda x, w: ops.convolution(x, w, **{**NCHW, "output_feature_dimension": 0}),
        [IMAGE, KERNEL], ShapeError, "must name each of its dimensions once",
    ),
]  # fmt: skip


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_a_mistake_is_named_with_the_line_it_is_on(mistake: int) -> None:
    body, types, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=message) as caught:
        function_of(body, *types)
    assert __file__ in str(caught.value)


def test_the_strides_of_a_convolution_must_be_said() -> None:
    with pytest.raises(TypeError, match="window_strides"):
        function_of(lambda x, w: ops.conv2d(x, w), IMAGE, KERNEL)
