"""Convolutions with a bias and a rectifier, and what only looks like them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import nn

import dxir

from .exact import found, found_in, random

X, KERNEL, BIAS = random(2, 6, 6, 3), random(3, 3, 3, 4), random(4)
NHWC = ("NHWC", "HWIO", "NHWC")
Layer = Callable[[Any, Any, Any], Any]


def convolved(x: Any, w: Any, **given: Any) -> Any:
    stated = {"window_strides": (1, 1), "padding": "VALID", "dimension_numbers": NHWC, **given}
    return jax.lax.conv_general_dilated(x, w, **stated)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize("activation", ["none", "relu"])
def test_a_convolution_with_a_bias_is_found(dtype: Any, activation: str) -> None:
    def layer(x: Any, w: Any, b: Any) -> Any:
        y = convolved(x, w, window_strides=(2, 1), padding=((1, 0), (2, 1))) + b
        return jnp.maximum(y, 0) if activation == "relu" else y

    (match,) = found_in(layer, *(a.astype(dtype) for a in (X, KERNEL, BIAS)))
    assert (match.pattern, match.attributes) == (
        "conv",
        f'activation = "{activation}", batch_group_count = 1 : i64, '
        'dimension_numbers = "NHWC,HWIO,NHWC", feature_group_count = 1 : i64, '
        "lhs_dilation = [1, 1], padding = [[1, 0], [2, 1]], rhs_dilation = [1, 1], "
        "window_strides = [2, 1]",
    )
    element = "f32" if dtype is np.float32 else "bf16"
    assert match.operands == tuple(
        f"tensor<{shape}x{element}>" for shape in ("2x6x6x3", "3x3x3x4", "4")
    )


def test_any_dimension_numbers_are_found() -> None:
    def first(x: Any, w: Any, b: Any) -> Any:
        return nn.relu(jax.lax.conv(x, w, (2, 2), "SAME") + b[:, None, None])

    (match,) = found_in(first, random(2, 3, 6, 6), random(4, 3, 3, 3), BIAS)
    assert 'dimension_numbers = "NCHW,OIHW,NCHW"' in match.attributes

    def over_time(x: Any, w: Any, b: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (1,), "SAME", dimension_numbers=("WNC", "IOW", "NCW"), rhs_dilation=(2,)
        ) + b[:, None]  # fmt: skip

    (match,) = found_in(over_time, random(7, 2, 3), random(3, 4, 3), BIAS)
    assert 'dimension_numbers = "WNC,IOW,NCW"' in match.attributes
    assert "rhs_dilation = [2]" in match.attributes


def test_groups_and_a_single_image_are_found() -> None:
    def depthwise(x: Any, w: Any, b: Any) -> Any:
        return nn.relu(convolved(x, w, feature_group_count=3) + b)

    (match,) = found_in(depthwise, X, random(3, 3, 1, 6), random(6))
    assert "feature_group_count = 3" in match.attributes

    def single(x: Any, w: Any, b: Any) -> Any:
        return convolved(x[None], w)[0] + b

    assert [m.pattern for m in found_in(single, X[0], KERNEL, BIAS)] == ["conv"]


def test_a_rectifier_that_selects_says_so() -> None:
    def selected(x: Any, w: Any, b: Any) -> Any:
        y = convolved(x, w) + b
        return jnp.where(y > 0, y, jnp.zeros_like(y))

    (match,) = found_in(selected, X, KERNEL, BIAS)
    assert 'activation = "relu"' in match.attributes
    assert 'form = "select"' in match.attributes


NOT: dict[str, Layer] = {
    "no bias": lambda x, w, b: convolved(x, w) * b,
    "a bias of places": lambda x, w, b: convolved(x, w) + b[:, None],
    "a bias of images": lambda x, w, b: convolved(x, w) + b[:2, None, None, None],
    "a number": lambda x, w, b: convolved(x, w) + b[0],
    "a residual": lambda x, w, b: convolved(x, w, padding="SAME") + jnp.sin(x[..., :1] + b),
    "transposed before": lambda x, w, b: jnp.swapaxes(convolved(x, w), 1, 3) + b[:, None, None],
}


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_it_is_not_it(what: str) -> None:
    matches = found_in(NOT[what], X, KERNEL, BIAS)
    assert [m for m in matches if m.pattern == "conv"] == []


def test_integers_are_left_alone() -> None:
    given = (np.ones_like(a, dtype=np.int8) for a in (X, KERNEL, BIAS))
    assert found_in(lambda x, w, b: convolved(x, w) + b, *given) == []


def test_a_flipped_kernel_is_told() -> None:
    program = dxir.load(
        """
        func.func public @main(%x: tensor<1x2x5xf32>, %w: tensor<4x2x3xf32>, %b: tensor<4xf32>)
            -> tensor<1x4x3xf32> {
          %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
            window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
            : (tensor<1x2x5xf32>, tensor<4x2x3xf32>) -> tensor<1x4x3xf32>
          %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<1x4x3xf32>
          %r = stablehlo.add %c, %y : tensor<1x4x3xf32>
          return %r : tensor<1x4x3xf32>
        }
        """
    )
    (match,) = found(program, random(1, 2, 5), random(4, 2, 3), BIAS)
    assert "window_reversal = [true]" in match.attributes
