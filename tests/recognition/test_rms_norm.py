"""The RMS norm pattern: its spellings, an epsilon that is a value, mixed precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import bf16, f16, f32, f64, ops

X, D = f32[3, 4, 8], f32[8]
EPSILON = 1e-3
PLAIN = "axis = [2], epsilon = 1.000000e-03 : f64"

Make = Callable[..., Any]


def mean(x: Any, axes: Any = -1) -> Any:
    return ops.mean(x, axes=axes, keepdims=True)


def inverse(x: Any, axes: Any = -1) -> Any:
    return ops.rsqrt(mean(x * x, axes) + EPSILON)


SPELLINGS: dict[str, Make] = {
    "value first": lambda x, s: x * inverse(x) * s,
    "scale first": lambda x, s: s * (x * inverse(x)),
    "scale at the inverse": lambda x, s: x * (inverse(x) * s),
    "scale at the value": lambda x, s: (x * s) * inverse(x),
    "divided": lambda x, s: s * (x / ops.sqrt(mean(ops.square(x)) + EPSILON)),
    "divided at last": lambda x, s: (s * x) / ops.sqrt(EPSILON + mean(ops.square(x))),
    "reciprocal": lambda x, s: x * (1 / ops.sqrt(mean(x * x) + EPSILON)) * s,
    "power": lambda x, s: x * ops.pow(mean(ops.pow(x, 2.0)) + EPSILON, -0.5) * s,
    "sum / 8": lambda x, s: x * ops.rsqrt(ops.sum(x * x, axes=-1, keepdims=True) / 8 + EPSILON) * s,
    "sum * 0.125": lambda x, s: (
        x * ops.rsqrt(0.125 * ops.sum(x * x, axes=-1, keepdims=True) + EPSILON) * s
    ),
    "a mean of zero, flax": lambda x, s: (x - ops.full_like(mean(x), value=0.0)) * (inverse(x) * s),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_found(find_in: Any, spelling: str) -> None:
    (found,) = find_in(SPELLINGS[spelling], X, D)
    assert found.pattern == "rms_norm"
    assert found.attributes == PLAIN + ", operand_segments = [1, 1]"
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>")


def test_the_scale_may_be_left_out(find_in: Any) -> None:
    (found,) = find_in(lambda x: x * inverse(x), X)
    assert found.attributes == PLAIN + ", operand_segments = [1, 0]"


def test_a_scale_of_one_more_than_a_parameter_is_the_scale(find_in: Any) -> None:
    (found,) = find_in(lambda x, s: x * inverse(x) * (1 + s), X, D)
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>")


@pytest.mark.parametrize("axes", [(0,), (1,), (1, 2), (0, 1, 2)])
def test_it_is_over_any_axes(find_in: Any, axes: tuple[int, ...]) -> None:
    (found,) = find_in(lambda x: x * inverse(x, axes), X)
    assert f"axis = {list(axes)}," in found.attributes


def test_an_epsilon_for_each_row_is_an_operand(find_in: Any) -> None:
    def make(x: Any, e: Any) -> Any:
        return x * ops.rsqrt(mean(x * x) + e)

    (found,) = find_in(make, f32[4, 8], f32[4, 1])
    assert found.attributes == "axis = [1], operand_segments = [1, 0, 1]"
    assert found.operands == ("tensor<4x8xf32>", "tensor<4x1xf32>")


@pytest.mark.parametrize("narrow", [bf16, f16])
def test_a_root_mean_square_in_f32_of_narrow_floats_takes_and_gives_them(
    find_in: Any, narrow: Any
) -> None:
    def make(x: Any, s: Any) -> Any:
        wide = ops.convert(x, dtype="f32")
        return ops.convert(wide * inverse(wide) * s, dtype=x.tensor.dtype)

    (found,) = find_in(make, narrow[3, 4, 8], D)
    assert found.operands == (f"tensor<3x4x8x{narrow.name}>", "tensor<8xf32>")


def test_a_scale_after_the_rounding_is_part_of_it(find_in: Any) -> None:
    def make(x: Any, s: Any) -> Any:
        wide = ops.convert(x, dtype="f32")
        return ops.convert(wide * inverse(wide), dtype="bf16") * s

    (found,) = find_in(make, bf16[3, 4, 8], bf16[8])
    assert found.operands == ("tensor<3x4x8xbf16>", "tensor<8xbf16>")


@pytest.mark.parametrize("element", [bf16, f16, f64])
def test_it_is_found_in_every_float_type(find_in: Any, element: Any) -> None:
    (found,) = find_in(lambda x, s: x * inverse(x) * s, element[3, 4, 8], element[8])
    assert found.pattern == "rms_norm"


def test_a_scale_for_each_row_stays_outside(find_in: Any) -> None:
    (found,) = find_in(lambda x, s: x * inverse(x) * s, X, f32[3, 4, 1])
    assert found.attributes == PLAIN + ", operand_segments = [1, 0]"


def test_two_norms_of_one_kind_share_a_decomposition() -> None:
    builder = dxir.Builder("main")
    x, s = builder.param(X, name="x"), builder.param(D, name="s")
    make = SPELLINGS["value first"]
    program = dxir.lower(builder.build(make(make(x, s), s)))
    coarse = program.run_passes("dxir-recognize{patterns=rms_norm},dxir-coarsen")
    assert str(coarse).count("func.func private @dxir.rms_norm") == 1
    assert coarse.op_counts()["stablehlo.composite"] == 2


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "the sum of squares": (
        lambda x: x * ops.rsqrt(ops.sum(x * x, axes=-1, keepdims=True) + EPSILON), (X,), ""),
    "the squares of another": (
        lambda x, y: x * inverse(y), (X, X), "x is not one and the same value"),
    "a product with another": (
        lambda x, y: x * ops.rsqrt(mean(x * y) + EPSILON), (X, X), "x is not one and the same"),
    "cubes": (lambda x: x * ops.rsqrt(mean(x * x * x) + EPSILON), (X,), ""),
    "divided by 9": (
        lambda x: x * ops.rsqrt(ops.sum(x * x, axes=-1, keepdims=True) / 9 + EPSILON), (X,),
        "a constant is 9, not 8"),
    "an epsilon along the axis": (
        lambda x, e: x * ops.rsqrt(mean(x * x) + e), (X, D), "epsilon varies along the axis"),
    "less than the mean": (
        lambda x: x * ops.rsqrt(EPSILON - mean(x * x)), (X,), ""),
    "the root": (lambda x: x * ops.sqrt(mean(x * x) + EPSILON), (X,), ""),
    "the maximum": (
        lambda x: x * ops.rsqrt(ops.reduce_max(x * x, axes=-1, keepdims=True) / 8 + EPSILON),
        (X,), ""),
    "of other rows": (
        lambda x: ops.reverse(x, axes=(0,)) * inverse(x), (X,), "x is not one and the same"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_near_an_rms_norm_is_none_and_mostly_a_remark_says_why(
    near_misses_in: Any, name: str
) -> None:
    make, types, why = NOT[name]
    messages = near_misses_in("rms_norm", make, *types)
    assert not why or any(why in message for message in messages), messages


def test_hostile_rows_keep_their_values(find_in: Any) -> None:
    rows = np.array([[6e4, 6e4, -6e4, 0], [np.nan, 1, 2, 3], [np.inf, 0, 0, 1]], np.float16)
    (found,) = find_in(lambda: (lambda x: x * inverse(x))(ops.constant(rows)))
    assert found.pattern == "rms_norm"
