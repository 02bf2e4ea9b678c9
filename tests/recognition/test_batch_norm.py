"""The pattern of batch norm for inference: given moments, each channel of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import bf16, f16, f32, ops

NHWC, NCHW, C = f32[2, 3, 3, 8], f32[2, 8, 3, 3], f32[8]
EPSILON = 1e-3
ALL = ", operand_segments = [1, 1, 1, 1, 1]"

Make = Callable[..., Any]


def inverse(v: Any) -> Any:
    return ops.rsqrt(v + EPSILON)


SPELLINGS: dict[str, Make] = {
    "in order": lambda x, s, o, m, v: (x - m) * inverse(v) * s + o,
    "scale at the inverse": lambda x, s, o, m, v: (x - m) * (inverse(v) * s) + o,
    "offset first": lambda x, s, o, m, v: o + s * (inverse(v) * (x - m)),
    "divided": lambda x, s, o, m, v: s * (x - m) / ops.sqrt(v + EPSILON) + o,
    "multiplied out, keras": lambda x, s, o, m, v: (
        x * (inverse(v) * s) + (-m * (inverse(v) * s) + o)
    ),
    "multiplied out, tensorflow": lambda x, s, o, m, v: (
        x * (inverse(v) * s) + (o - m * (inverse(v) * s))
    ),
    "scale over the root": lambda x, s, o, m, v: (x - m) * (s / ops.sqrt(v + EPSILON)) + o,
}


def channels(x: Any, axis: int) -> Any:
    """A value for each channel as it lies beside `x`."""
    return ops.reshape(x, shape=(8, 1, 1)) if axis == 1 else x


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(("type", "axis"), [(NHWC, 3), (NCHW, 1), (f32[5, 8], -1)])
def test_every_spelling_is_found(find_in: Any, spelling: str, type: Any, axis: int) -> None:
    def make(x: Any, *given: Any) -> Any:
        return SPELLINGS[spelling](x, *[channels(a, axis) for a in given])

    (found,) = find_in(make, type, C, C, C, C)
    feature = axis % len(type.shape)
    assert found.pattern == "batch_norm_inference"
    assert found.attributes == (
        f"epsilon = 1.000000e-03 : f64, feature_index = {feature} : i64" + ALL
    )
    assert found.operands[1:] == ("tensor<8xf32>",) * 4


def test_operands_are_in_the_order_of_the_operation() -> None:
    builder = dxir.Builder("main")
    names = ("v", "m", "o", "s")
    v, m, o, s = [builder.param(C, name=name) for name in names]
    x = builder.param(NHWC, name="x")
    program = dxir.lower(builder.build(SPELLINGS["in order"](x, s, o, m, v)))
    coarse = program.run_passes("dxir-recognize{patterns=batch_norm_inference},dxir-coarsen")
    assert '"dxir.batch_norm_inference" %arg4, %arg3, %arg2, %arg1, %arg0 ' in str(coarse)


@pytest.mark.parametrize("scaled", [0, 1])
@pytest.mark.parametrize("shifted", [0, 1])
def test_scale_and_offset_may_be_left_out(find_in: Any, scaled: int, shifted: int) -> None:
    def make(x: Any, m: Any, v: Any, a: Any) -> Any:
        y = (x - m) * inverse(v)
        y = y * a if scaled else y
        return y + a if shifted else y

    (found,) = find_in(make, NHWC, C, C, C)
    assert found.attributes.endswith(f"operand_segments = [1, {scaled}, {shifted}, 1, 1]")


def test_constants_of_a_fresh_model_are_operands_each(find_in: Any) -> None:
    def make(x: Any) -> Any:
        ones, zeros = (ops.constant(np.full(8, n, np.float32)) for n in (1, 0))
        return SPELLINGS["in order"](x, ones, zeros, zeros, ones)

    (found,) = find_in(make, NHWC, values=False)
    assert found.operands[1:] == ("tensor<8xf32>",) * 4


@pytest.mark.parametrize("narrow", [bf16, f16])
def test_in_f32_of_narrow_floats_it_takes_and_gives_them(find_in: Any, narrow: Any) -> None:
    def make(x: Any, *given: Any) -> Any:
        wide = ops.convert(x, dtype="f32")
        return ops.convert(SPELLINGS["in order"](wide, *given), dtype=x.tensor.dtype)

    (found,) = find_in(make, narrow[2, 3, 3, 8], C, C, C, C)
    assert found.operands[0] == f"tensor<2x3x3x8x{narrow.name}>"


@pytest.mark.parametrize(("axes", "feature"), [((0, 1, 2), 3), ((0, 2, 3), 1)])
def test_moments_over_the_batch_are_training(
    find_in: Any, axes: tuple[int, ...], feature: int
) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        m = ops.mean(x, axes=axes, keepdims=True)
        v = ops.mean(ops.square(x - m), axes=axes, keepdims=True)
        s, o = channels(s, feature), channels(o, feature)
        return SPELLINGS["in order"](x, s, o, m, v), m, v

    (found,) = find_in(make, NHWC if feature == 3 else NCHW, C, C)
    assert found.pattern == "batch_norm_training"
    assert found.attributes == (
        f"epsilon = 1.000000e-03 : f64, feature_index = {feature} : i64, "
        'form = "two_pass", operand_segments = [1, 1, 1]'
    )


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "a variance for each place": (
        lambda x, v, m: (x - m) * inverse(v) * m, (NHWC, f32[3, 3, 8], C),
        "the variance has no number for each channel"),
    "a mean for each row": (
        lambda x, m, v, s: (x - m) * inverse(v) * s, (NHWC, f32[2, 1, 1, 1], C, C),
        "mean is along axes [0], not along axes [3]"),
    "the sum with the mean": (
        lambda x, m, v, s: (x + m) * inverse(v) * s, (NHWC, C, C, C), ""),
    "no epsilon": (lambda x, m, v, s: (x - m) * ops.rsqrt(v) * s, (NHWC, C, C, C), ""),
    "an epsilon that is a value": (
        lambda x, m, v, s: (x - m) * ops.rsqrt(v + m) * s, (NHWC, C, C, C), ""),
    "two inverses": (
        lambda x, m, v, o: x * inverse(v) - m * inverse(o) + o, (NHWC, C, C, C), ""),
    "computed moments of a norm of rows": (
        lambda x: (x - ops.mean(x, axes=0)) * inverse(ops.mean(x, axes=0)), (f32[4, 8],),
        "mean and variance are computed"),
    "a vector": (
        lambda x, m, v, s: (x - m) * inverse(v) * s, (C, C, C, C), "no axis but that"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_near_a_batch_norm_is_none_and_mostly_a_remark_says_why(
    near_misses_in: Any, name: str
) -> None:
    make, types, why = NOT[name]
    messages = near_misses_in("batch_norm_inference", make, *types)
    assert not why or any(why in message for message in messages), messages
