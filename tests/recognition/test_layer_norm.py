"""The layer norm pattern: in every spelling of the front ends, and told apart from what is near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import bf16, f16, f32, f64, ops

X, D = f32[3, 4, 8], f32[8]
EPSILON = 1e-3
TWO = 'axis = [2], epsilon = 1.000000e-03 : f64, form = "two_pass"'
ONE = 'axis = [2], epsilon = 1.000000e-03 : f64, form = "one_pass"'

Make = Callable[..., Any]


def mean(x: Any, axes: Any = -1) -> Any:
    return ops.mean(x, axes=axes, keepdims=True)


def mean_by_sum(x: Any, axes: Any = -1) -> Any:
    return ops.sum(x, axes=axes, keepdims=True) / 8


def mean_by_factor(x: Any, axes: Any = -1) -> Any:
    return 0.125 * ops.sum(x, axes=axes, keepdims=True)


def two_pass(x: Any, axes: Any = -1) -> Any:
    centred = x - mean(x, axes)
    return mean(centred * centred, axes)


def one_pass(x: Any, axes: Any = -1) -> Any:
    return mean(x * x, axes) - ops.square(mean(x, axes))


def inverse(x: Any, axes: Any = -1, of: Make = two_pass) -> Any:
    return ops.rsqrt(of(x, axes) + EPSILON)


def once(x: Any, s: Any, o: Any) -> Any:
    centred = x - mean(x)
    return centred * ops.rsqrt(mean(centred * centred) + EPSILON) * s + o


def by_sums(average: Make) -> Make:
    def make(x: Any, s: Any, o: Any) -> Any:
        centred = x - average(x)
        return s * (centred / ops.sqrt(EPSILON + average(centred * centred))) + o

    return make


def guarded(x: Any, s: Any, o: Any) -> Any:
    count = ops.constant(8.0, dtype="f32") - ops.convert(ops.constant(0, dtype="i32"), dtype="f32")
    centred = x - mean(x)
    variance = ops.sum(centred * centred, axes=-1, keepdims=True) / count
    there = ops.compare(count, ops.constant(0.0, dtype="f32"), direction="GT")
    nothing = ops.full_like(variance, value=float("nan"))
    variance = ops.select(there, variance, nothing)
    return (x - mean(x)) * ops.rsqrt(variance + EPSILON) * s + o


def keras(x: Any, s: Any, o: Any) -> Any:
    scaled = inverse(x) * s
    return x * scaled + (-mean(x) * scaled + o)


SPELLINGS: dict[str, tuple[Make, str]] = {
    "mean once": (once, TWO),
    "mean twice": (lambda x, s, o: (x - mean(x)) * inverse(x) * s + o, TWO),
    "offset first": (lambda x, s, o: o + s * (inverse(x) * (x - mean(x))), TWO),
    "scale at the inverse": (lambda x, s, o: (x - mean(x)) * (inverse(x) * s) + o, TWO),
    "scale at the value": (lambda x, s, o: ((x - mean(x)) * s) * inverse(x) + o, TWO),
    "divided": (lambda x, s, o: s * (x - mean(x)) / ops.sqrt(two_pass(x) + EPSILON) + o, TWO),
    "reciprocal": (lambda x, s, o: s * (x - mean(x)) * (1 / ops.sqrt(two_pass(x) + EPSILON)) + o,
                   TWO),
    "power": (lambda x, s, o: (x - mean(x)) * ops.pow(two_pass(x) + EPSILON, -0.5) * s + o, TWO),
    "divided by a power": (
        lambda x, s, o: (x - mean(x)) / ops.pow(two_pass(x) + EPSILON, 0.5) * s + o, TWO),
    "sum / 8": (by_sums(mean_by_sum), TWO),
    "sum * 0.125": (by_sums(mean_by_factor), TWO),
    "where the count is positive": (guarded, TWO),
    "multiplied out, keras": (keras, TWO),
    "multiplied out, subtracted": (
        lambda x, s, o: x * (inverse(x) * s) + (o - mean(x) * (inverse(x) * s)), TWO),
    "one pass": (lambda x, s, o: (x - mean(x)) * inverse(x, of=one_pass) * s + o, ONE),
    "one pass, multiplied out": (
        lambda x, s, o: x * (inverse(x, of=one_pass) * s)
        + (o - mean(x) * (inverse(x, of=one_pass) * s)), ONE),
}  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_found(find_in: Any, spelling: str) -> None:
    make, attributes = SPELLINGS[spelling]
    (found,) = find_in(make, X, D, D)
    assert found.pattern == "layer_norm"
    assert found.attributes == attributes + ", operand_segments = [1, 1, 1]"
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>", "tensor<8xf32>")


@pytest.mark.parametrize("clip", [lambda v: ops.max(v, 0.0), lambda v: ops.max(0.0, v)])
@pytest.mark.parametrize("form", [one_pass, two_pass])
def test_a_variance_kept_from_going_below_zero_is_said_to_be(
    find_in: Any, clip: Make, form: Make
) -> None:
    (found,) = find_in(lambda x: (x - mean(x)) * ops.rsqrt(clip(form(x)) + EPSILON), X)
    assert "clipped = true" in found.attributes
    assert f'form = "{form.__name__}"' in found.attributes


@pytest.mark.parametrize("scaled", [0, 1])
@pytest.mark.parametrize("shifted", [0, 1])
def test_scale_and_offset_may_be_left_out_and_the_attributes_say_which(
    find_in: Any, scaled: int, shifted: int
) -> None:
    def make(x: Any, *parameters: Any) -> Any:
        left = list(parameters)
        y = (x - mean(x)) * inverse(x)
        y = y * left.pop(0) if scaled else y
        return y + left.pop(0) if shifted else y

    (found,) = find_in(make, X, *[D] * (scaled + shifted))
    assert found.attributes.endswith(f"operand_segments = [1, {scaled}, {shifted}]")
    assert len(found.operands) == 1 + scaled + shifted


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (1, 2), (0, 2), (0, 1, 2)])
def test_it_is_over_any_axes(find_in: Any, axes: tuple[int, ...]) -> None:
    found = find_in(lambda x: (x - mean(x, axes)) * inverse(x, axes), X)
    assert [f.pattern for f in found] == ["layer_norm"]
    assert f"axis = {list(axes)}," in found[0].attributes


def test_parameters_of_several_axes_have_their_sizes(find_in: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        return (x - mean(x, (1, 2))) * inverse(x, (1, 2)) * s + o

    (found,) = find_in(make, X, f32[4, 8], f32[4, 8])
    assert found.operands[1:] == ("tensor<4x8xf32>", "tensor<4x8xf32>")


@pytest.mark.parametrize("narrow", [bf16, f16])
def test_statistics_in_f32_of_narrow_floats_take_and_give_them(find_in: Any, narrow: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        return ops.convert(once(ops.convert(x, dtype="f32"), s, o), dtype=x.tensor.dtype)

    (found,) = find_in(make, narrow[3, 4, 8], D, D)
    name = f"tensor<3x4x8x{narrow.name}>"
    assert found.operands == (name, "tensor<8xf32>", "tensor<8xf32>")


def test_narrow_parameters_are_taken_as_they_are(find_in: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        wide = [ops.convert(a, dtype="f32") for a in (x, s, o)]
        return ops.convert(once(*wide), dtype="bf16")

    (found,) = find_in(make, bf16[3, 4, 8], bf16[8], bf16[8])
    assert found.operands == ("tensor<3x4x8xbf16>", "tensor<8xbf16>", "tensor<8xbf16>")


def test_a_wide_value_that_others_use_stays_the_operand(find_in: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        wide = ops.convert(x, dtype="f32")
        return ops.convert(once(wide, s, o), dtype="bf16"), ops.sin(wide)

    (found,) = find_in(make, bf16[3, 4, 8], D, D)
    assert found.operands[0] == "tensor<3x4x8xf32>"


def test_a_wide_result_that_others_use_stays_the_result(find_in: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        y = once(ops.convert(x, dtype="f32"), s, o)
        return ops.convert(y, dtype="bf16"), ops.sin(y)

    (found,) = find_in(make, bf16[3, 4, 8], D, D)
    assert found.operands[0] == "tensor<3x4x8xf32>"


@pytest.mark.parametrize("element", [bf16, f16, f64])
def test_it_is_found_in_every_float_type(find_in: Any, element: Any) -> None:
    found = find_in(once, element[3, 4, 8], element[8], element[8])
    assert [f.pattern for f in found] == ["layer_norm"]


def test_mean_and_inverse_that_others_use_are_results_too(find_in: Any) -> None:
    def make(x: Any) -> Any:
        m, r = mean(x), inverse(x)
        return (x - m) * r, m, r

    assert [f.pattern for f in find_in(make, X)] == ["layer_norm"]


def test_an_adaptive_scale_and_what_is_added_stay_outside(find_in: Any) -> None:
    def make(x: Any, rows: Any, residual: Any) -> Any:
        return (x - mean(x)) * inverse(x) * rows + residual

    (found,) = find_in(make, X, f32[3, 1, 8], X)
    assert found.attributes == TWO + ", operand_segments = [1, 0, 0]"


def test_the_same_value_as_scale_and_offset_is_an_operand_twice(find_in: Any) -> None:
    (found,) = find_in(lambda x, s: once(x, s, s), X, D)
    assert found.attributes == TWO + ", operand_segments = [1, 1, 1]"
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>", "tensor<8xf32>")


def test_constant_parameters_are_operands_like_others(find_in: Any) -> None:
    s, zeros = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    (found,) = find_in(lambda x: once(x, ops.constant(s), ops.constant(zeros)), X)
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>", "tensor<8xf32>")


def test_one_constant_as_scale_and_offset_is_an_operand_twice(find_in: Any) -> None:
    def make(x: Any) -> Any:
        ones = ops.constant(np.ones(8, np.float32))
        return once(x, ones, ones)

    (found,) = find_in(make, X)
    assert found.operands == ("tensor<3x4x8xf32>", "tensor<8xf32>", "tensor<8xf32>")


def turned(x: Any) -> Any:
    return ops.transpose(x, permutation=(0, 2, 1))


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "the mean of another axis": (
        lambda x: (x - mean(x, 0)) * inverse(x), (X,), "axis is another axis in one place"),
    "the variance of another axis": (
        lambda x: (x - mean(x)) * ops.rsqrt(two_pass(x, 1) + EPSILON), (X,),
        "axis is another axis in one place"),
    "the mean of another value": (
        lambda x, y: (x - mean(y)) * inverse(x), (X, X), "x is not one and the same value"),
    "the variance of another value": (
        lambda x, y: (x - mean(x)) * inverse(y), (X, X), "x is not one and the same value"),
    "divided by 7": (
        lambda x: (x - mean(x)) * ops.rsqrt(
            ops.sum(ops.square(x - mean(x)), axes=-1, keepdims=True) / 7 + EPSILON), (X,),
        "a constant is 7, not 8"),
    "epsilon along the axis": (
        lambda x, e: (x - mean(x)) * ops.rsqrt(two_pass(x) + e), (X, D),
        "epsilon varies along the axis"),
    "the sum of both": (
        lambda x: (x + mean(x)) * inverse(x), (X,), "x is not one and the same value"),
    "one pass with a plus": (
        lambda x: (x - mean(x)) * ops.rsqrt(mean(x * x) + ops.square(mean(x)) + EPSILON), (X,),
        "should stand where"),
    "epsilon outside of the root": (
        lambda x: (x - mean(x)) / (ops.sqrt(two_pass(x)) + EPSILON), (X,), ""),
    "no epsilon": (lambda x: (x - mean(x)) / ops.sqrt(two_pass(x)), (X,), ""),
    "the result transposed": (
        lambda x: (turned(x) - turned(mean(x))) * turned(inverse(x)), (X,),
        "the result is not laid out as x is"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_near_a_layer_norm_is_none_and_mostly_a_remark_says_why(
    near_misses_in: Any, name: str
) -> None:
    make, types, why = NOT[name]
    messages = near_misses_in("layer_norm", make, *types)
    assert not why or any(why in message for message in messages), messages
