"""The patterns of group norm and instance norm, in the layouts and reshapes of the front ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dxir import bf16, f16, f32, ops

NHWC, NCHW, C = f32[2, 3, 5, 8], f32[2, 8, 3, 5], f32[8]
EPSILON = 1e-3
ALL = ", operand_segments = [1, 1, 1]"

Make = Callable[..., Any]


def mean(x: Any, axes: Any, keepdims: bool = True) -> Any:
    return ops.mean(x, axes=axes, keepdims=keepdims)


def inverse(x: Any, axes: Any) -> Any:
    return ops.rsqrt(mean(ops.square(x - mean(x, axes)), axes) + EPSILON)


def normal(x: Any, axes: Any) -> Any:
    return (x - mean(x, axes)) * inverse(x, axes)


def channels_last(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 3, 5, 4, 2)), (1, 2, 4))
    return ops.reshape(y, shape=(2, 3, 5, 8)) * s + o


def channels_first(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 4, 2, 3, 5)), (2, 3, 4))
    return ops.reshape(y, shape=(2, 8, 3, 5)) * along(s) + along(o)


def flattened(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 4, 30)), 2)
    return ops.reshape(y, shape=(2, 8, 3, 5)) * along(s) + along(o)


def keras(x: Any, s: Any, o: Any) -> Any:
    x, axes = ops.reshape(x, shape=(2, 3, 5, 4, 2)), (1, 2, 4)
    scaled = inverse(x, axes) * ops.reshape(s, shape=(1, 1, 1, 4, 2))
    moved = -mean(x, axes) * scaled + ops.reshape(o, shape=(1, 1, 1, 4, 2))
    return ops.reshape(x * scaled + moved, shape=(2, 3, 5, 8))


def flax(x: Any, s: Any, o: Any) -> Any:
    groups, axes = ops.reshape(x, shape=(2, 3, 5, 4, 2)), (1, 2, 4)
    m = mean(groups, axes, keepdims=False)
    v = ops.max(0.0, mean(groups * groups, axes, keepdims=False) - ops.square(m))
    m, v = (
        ops.reshape(
            ops.broadcast_in_dim(a, shape=(2, 4, 2), dims=(0, 1)), shape=(2, 1, 1, 8)
        )
        for a in (m, v)
    )  # fmt: skip
    return (x - m) * (ops.rsqrt(v + EPSILON) * s) + o


def along(a: Any) -> Any:
    return ops.reshape(a, shape=(8, 1, 1))


TWO, ONE = 'form = "two_pass"', 'form = "one_pass"'
GROUPS: dict[str, tuple[Make, Any, int, str]] = {
    "channels last": (channels_last, NHWC, 3, TWO),
    "channels first": (channels_first, NCHW, 1, TWO),
    "flattened, torch": (flattened, NCHW, 1, TWO),
    "multiplied out, keras": (keras, NHWC, 3, TWO),
    "statistics alone, flax": (flax, NHWC, 3, ONE),
}


@pytest.mark.parametrize("spelling", GROUPS)
def test_every_spelling_of_a_group_norm_is_found(find_in: Any, spelling: str) -> None:
    make, type, feature, form = GROUPS[spelling]
    (found,) = find_in(make, type, C, C)
    clipped = "clipped = true, " if form == ONE else ""
    assert found.pattern == "group_norm"
    assert found.attributes == (
        f"{clipped}epsilon = 1.000000e-03 : f64, feature_index = {feature} : i64, {form}, "
        "groups = 4 : i64" + ALL
    )
    assert found.operands[1:] == ("tensor<8xf32>", "tensor<8xf32>")


def test_without_parameters_the_groups_tell_the_channels(find_in: Any) -> None:
    def make(x: Any) -> Any:
        y = normal(ops.reshape(x, shape=(2, 4, 2, 3, 5)), (2, 3, 4))
        return ops.reshape(y, shape=(2, 8, 3, 5))

    (found,) = find_in(make, NCHW)
    assert "feature_index = 1 : i64" in found.attributes
    assert found.operands == ("tensor<2x8x3x5xf32>",)


def test_one_group_is_told_by_its_parameters(find_in: Any) -> None:
    (found,) = find_in(lambda x, s, o: normal(x, (1, 2, 3)) * s + o, NHWC, C, C)
    assert found.pattern == "group_norm"
    assert "feature_index = 3 : i64" in found.attributes
    assert "groups = 1 : i64" in found.attributes


def test_an_example_without_a_batch_has_none(find_in: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        y = normal(ops.reshape(x, shape=(4, 2, 3, 5)), (1, 2, 3))
        return ops.reshape(y, shape=(8, 3, 5)) * along(s) + along(o)

    (found,) = find_in(make, f32[8, 3, 5], C, C)
    assert "batch = 0 : i64" in found.attributes
    assert "feature_index = 0 : i64" in found.attributes


@pytest.mark.parametrize("narrow", [bf16, f16])
def test_statistics_in_f32_of_narrow_floats_take_and_give_them(find_in: Any, narrow: Any) -> None:
    def make(x: Any, s: Any, o: Any) -> Any:
        return ops.convert(
            channels_last(ops.convert(x, dtype="f32"), s, o), dtype=x.tensor.dtype
        )  # fmt: skip

    (found,) = find_in(make, narrow[2, 3, 5, 8], C, C)
    assert found.operands[0] == f"tensor<2x3x5x8x{narrow.name}>"


@pytest.mark.parametrize("type", [NHWC, NCHW, f32[2, 3, 8]])
@pytest.mark.parametrize("shifted", [0, 1])
def test_statistics_of_each_channel_are_an_instance_norm(
    find_in: Any, type: Any, shifted: int
) -> None:
    feature = type.shape.index(8)
    axes = tuple(i for i in range(1, len(type.shape)) if i != feature)

    def make(x: Any, *given: Any) -> Any:
        s, *rest = [along(a) if feature == 1 else a for a in given]
        y = normal(x, axes) * s
        return y + rest[0] if shifted else y

    (found,) = find_in(make, type, *[C] * (1 + shifted))
    assert found.pattern == "instance_norm"
    assert f"feature_index = {feature} : i64" in found.attributes
    assert found.attributes.endswith(f"operand_segments = [1, 1, {shifted}]")


def test_without_parameters_an_instance_norm_is_a_layer_norm_over_places(find_in: Any) -> None:
    (found,) = find_in(lambda x: normal(x, (1, 2)), NHWC)
    assert found.pattern == "layer_norm"
    assert "axis = [1, 2]" in found.attributes


def wrong_groups(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 4, 2, 3, 5)), (1, 3, 4))
    return ops.reshape(y, shape=(2, 8, 3, 5)) * along(s) + along(o)


def grouped_parameters(x: Any, s: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 3, 5, 4, 2)), (1, 2, 4)) * s
    return ops.reshape(y, shape=(2, 3, 5, 8))


def over_the_batch(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 4, 2, 3, 5)), (0, 2, 3, 4))
    return ops.reshape(y, shape=(2, 8, 3, 5)) * along(s) + along(o)


def rows_apart(x: Any, s: Any, o: Any) -> Any:
    y = normal(ops.reshape(x, shape=(2, 3, 5, 4, 2)), (1, 4))
    return ops.reshape(y, shape=(2, 3, 5, 8)) * s + o


def other_groups(x: Any, s: Any, o: Any) -> Any:
    groups, axes = ops.reshape(x, shape=(2, 4, 2, 3, 5)), (2, 3, 4)
    m, r = mean(groups, axes), inverse(groups, axes)
    y = ops.reshape((groups - ops.reverse(m, axes=(1,))) * r, shape=(2, 8, 3, 5))
    return y * along(s) + along(o)


NOT: dict[str, tuple[Make, Any, str]] = {
    "groups of every fourth channel": (wrong_groups, NCHW, "it normalizes over parts"),
    "rows apart": (rows_apart, NHWC, "has statistics of its own, and is not of the batch"),
    "the means of other groups": (other_groups, NCHW, ""),
}


@pytest.mark.parametrize("name", NOT)
def test_what_is_near_a_group_norm_is_none_and_mostly_a_remark_says_why(
    near_misses_in: Any, name: str
) -> None:
    make, type, why = NOT[name]
    messages = near_misses_in("group_norm", make, type, C, C)
    assert not why or any(why in message for message in messages), messages


def test_statistics_over_all_axes_have_no_batch(find_in: Any) -> None:
    (found,) = find_in(over_the_batch, NCHW, C, C)
    assert found.attributes.startswith("batch = 0 : i64")


def test_a_scale_for_each_group_is_that_of_the_groups_as_channels(find_in: Any) -> None:
    (found,) = find_in(grouped_parameters, NHWC, f32[4, 1])
    assert found.pattern == "instance_norm"
    assert found.operands == ("tensor<2x3x5x4x2xf32>", "tensor<4x1xf32>")


@pytest.mark.parametrize("groups", [2, 4])
def test_the_sizes_of_groups_are_told(find_in: Any, groups: int) -> None:
    def make(x: Any) -> Any:
        split = (2, 3, 5, groups, 8 // groups)
        return ops.reshape(normal(ops.reshape(x, shape=split), (1, 2, 4)), shape=(2, 3, 5, 8))

    (found,) = find_in(make, NHWC)
    assert f"groups = {groups} : i64" in found.attributes
