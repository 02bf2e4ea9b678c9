"""The pattern of moments: variance and mean, and the form of the variance that is never swapped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import bf16, f32, f64, ops

from .conftest import coarsened

X = f32[3, 4, 8]
Make = Callable[..., Any]


def mean(x: Any, axes: Any = -1, keepdims: bool = True) -> Any:
    return ops.mean(x, axes=axes, keepdims=keepdims)


def two_pass(x: Any, axes: Any = -1, keepdims: bool = False) -> Any:
    return mean(ops.square(x - mean(x, axes)), axes, keepdims)


def one_pass(x: Any, axes: Any = -1, keepdims: bool = False) -> Any:
    return mean(x * x, axes, keepdims) - ops.square(mean(x, axes, keepdims))


def described(form: str, axes: str = "[2]", correction: int = 0, keepdims: str = "false") -> str:
    return f'axes = {axes}, correction = {correction} : i64, form = "{form}", keepdims = {keepdims}'


FORMS: dict[str, Make] = {"two_pass": two_pass, "one_pass": one_pass}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("axes", [(0,), (2,), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_variances_are_found_over_any_axes_and_told_apart(
    find_in: Any, form: str, axes: tuple[int, ...], keepdims: bool
) -> None:
    (found,) = find_in(lambda x: FORMS[form](x, axes, keepdims), X)
    assert found.pattern == "moments"
    # A mean of squares keeps its dimensions after the variance, a difference of means within it.
    kept = str(keepdims and form == "one_pass").lower()
    assert found.attributes == described(form, str(list(axes)), keepdims=kept)
    assert found.operands == ("tensor<3x4x8xf32>",)


def test_the_unbiased_variance_is_told_by_its_correction(find_in: Any) -> None:
    def make(x: Any) -> Any:
        return ops.sum(ops.square(x - mean(x)), axes=-1) / 7

    (found,) = find_in(make, X)
    assert found.attributes == described("two_pass", correction=1)


@pytest.mark.parametrize("form", FORMS)
def test_a_mean_that_is_used_is_the_second_result(form: str) -> None:
    builder = dxir.Builder("main")
    x = builder.param(X, name="x")
    m = mean(x, keepdims=False)
    spread = ops.broadcast_in_dim(m, shape=(3, 4, 8), dims=(0, 1))
    v = {
        "two_pass": lambda: mean(ops.square(x - spread), keepdims=False),
        "one_pass": lambda: mean(x * x, keepdims=False) - m * m,
    }[form]()
    program = dxir.lower(builder.build(m, v))
    coarse = program.run_passes("dxir-recognize{patterns=moments},dxir-coarsen")
    text = str(coarse)
    assert "(tensor<3x4x8xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)" in text
    assert "return %0#1, %0#0" in text
    assert coarse.run_passes("dxir-decompose").fingerprint() == program.fingerprint()


def test_the_form_of_a_variance_keeps_its_values() -> None:
    given = np.array([10000.0, 10000.1, 9999.9, 10000.0], np.float32)
    variances = {}
    for form, make in FORMS.items():
        builder = dxir.Builder("main")
        program = dxir.lower(builder.build(make(builder.param(f32[4], name="x"), 0)))
        coarse = program.run_passes("dxir-recognize,dxir-coarsen")
        assert f'form = "{form}"' in str(coarse)
        fine = coarse.run_passes("dxir-decompose")
        assert fine.fingerprint() == program.fingerprint()
        values = [float(dxir.compile(p)(given)) for p in (program, coarse, fine)]
        assert values[0] == values[1] == values[2]
        variances[form] = values[0]
    assert variances["one_pass"] <= 0
    assert variances["two_pass"] == pytest.approx(0.00496101, rel=1e-3)


def test_narrow_floats_stay_narrow_around_statistics_in_f32(find_in: Any) -> None:
    def make(x: Any) -> Any:
        return ops.convert(two_pass(ops.convert(x, dtype="f32")), dtype="bf16")

    (found,) = find_in(make, bf16[3, 4, 8])
    assert found.operands == ("tensor<3x4x8xbf16>",)


@pytest.mark.parametrize("element", [bf16, f64])
def test_it_is_found_in_every_float_type(find_in: Any, element: Any) -> None:
    assert [f.pattern for f in find_in(two_pass, element[3, 4, 8])] == ["moments"]


def test_the_variance_in_a_norm_is_part_of_the_norm(find_in: Any) -> None:
    def make(x: Any) -> Any:
        return (x - mean(x)) * ops.rsqrt(two_pass(x, keepdims=True) + 1e-3)

    assert [f.pattern for f in find_in(make, X)] == ["layer_norm"]


def test_a_standard_deviation_has_its_variance_in_it(find_in: Any) -> None:
    (found,) = find_in(lambda x: (x - mean(x)) / ops.sqrt(two_pass(x, keepdims=True)), X)
    assert found.attributes == described("two_pass")


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "centred values that are used": (
        lambda x: (lambda c: (c, mean(c * c)))(x - mean(x)), (X,),
        "a value inside is used outside, too"),
    "divided by 6": (
        lambda x: ops.sum(ops.square(x - mean(x)), axes=-1) / 6, (X,),
        "the variance of 8 elements is divided by 6"),
    "another mean": (lambda x, y: mean(ops.square(x - mean(y))), (X, X), "x is not one"),
    "the mean of another axis": (
        lambda x: mean(ops.square(x - mean(x, 0))), (X,), "axis is another axis"),
    "the mean of squares": (lambda x: mean(x * x), (X,), ""),
    "a covariance": (
        lambda x, y: mean(x * y) - mean(x) * mean(y), (X, X), ""),
    "the sum of both": (lambda x: mean(x * x) + ops.square(mean(x)), (X,), ""),
    "the difference turned": (lambda x: ops.square(mean(x)) - mean(x * x), (X,), ""),
    "the root of the mean": (lambda x: mean(x * x) - mean(x), (X,), ""),
    "absolute distances": (lambda x: mean(ops.abs(x - mean(x))), (X,), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_near_a_variance_is_none_and_mostly_a_remark_says_why(
    near_misses_in: Any, name: str
) -> None:
    make, types, why = NOT[name]
    messages = near_misses_in("moments", make, *types)
    assert not why or any(why in message for message in messages), messages


def test_a_mean_that_the_match_has_not_is_no_result_of_it() -> None:
    folder = Path(__file__).parent / "corpus" / "near_misses"
    text = (folder / "layer_norm_another_mean.mlir").read_text(encoding="utf-8")
    old = "stablehlo.subtract %arg0, %15"
    assert old in text
    coarsened(dxir.load(text.replace(old, "stablehlo.subtract %4, %15")))
