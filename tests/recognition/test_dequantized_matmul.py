"""Products with quantized weights, scaled before and after, and what only looks like them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir

from .exact import found_in, random

X, SCALE, BIAS = random(4, 8), np.abs(random(16)), random(16)
WEIGHTS = np.random.default_rng(0).integers(-8, 8, (8, 16)).astype(np.int8)
Make = Callable[..., Any]


def stated(at: str, layout: str, granularity: str, segments: str = "[1, 1, 1, 0, 0]") -> str:
    return (
        f'granularity = "{granularity}", layout = "{layout}", '
        f'operand_segments = {segments}, scale_at = "{at}"'
    )


def before(x: Any, w: Any, s: Any) -> Any:
    return x @ (w.astype(x.dtype) * s)


def after(x: Any, w: Any, s: Any) -> Any:
    return (x @ w.astype(x.dtype)) * s


@pytest.mark.parametrize("stored", [np.int8, np.uint8, ml_dtypes.int4])
@pytest.mark.parametrize(("make", "at"), [(before, "weights"), (after, "product")])
def test_scales_of_channels_are_found_before_and_after(make: Make, at: str, stored: Any) -> None:
    weights = (WEIGHTS if stored is not np.uint8 else np.abs(WEIGHTS)).astype(stored)
    (match,) = found_in(make, X, weights, SCALE)
    assert match.pattern == "dequantized_matmul"
    assert match.attributes == stated(at, "bd,df,f->bf", "channel")
    assert match.operands[0] == "tensor<4x8xf32>"
    assert match.operands[2] == "tensor<16xf32>"


def test_one_scale_is_found_and_narrow_floats() -> None:
    narrow = X.astype(ml_dtypes.bfloat16)
    (match,) = found_in(after, narrow, WEIGHTS, np.ones((), ml_dtypes.bfloat16))
    assert match.attributes == stated("product", "bd,df,->bf", "tensor")


def test_a_zero_point_is_found_of_floats_and_of_integers() -> None:
    def of_floats(x: Any, w: Any, s: Any, z: Any) -> Any:
        return x @ ((w.astype(x.dtype) - z) * s)

    def of_integers(x: Any, w: Any, s: Any, z: Any) -> Any:
        return x @ ((w.astype(jnp.int32) - z.astype(jnp.int32)).astype(x.dtype) * s)

    for make, points in ((of_floats, BIAS), (of_integers, np.arange(16, dtype=np.int32))):
        (match,) = found_in(make, X, WEIGHTS, SCALE, points)
        segments = "[1, 1, 1, 1, 0]"
        assert match.attributes == stated("weights", "bd,df,f,f->bf", "channel", segments)
        assert match.operands[2] == "tensor<16xf32>"


def test_scales_of_groups_are_found() -> None:
    def grouped(x: Any, w: Any, s: Any) -> Any:
        return x @ (w.astype(x.dtype).reshape(2, 4, 16) * s[:, None]).reshape(8, 16)

    (match,) = found_in(grouped, X, WEIGHTS, np.abs(random(2, 16)))
    assert 'granularity = "group", group_size = 4 : i64' in match.attributes
    assert 'layout = "b(dk),(dk)f,df->bf"' in match.attributes


def test_a_bias_is_part_of_it() -> None:
    def biased(x: Any, w: Any, s: Any, b: Any) -> Any:
        return x @ (w.astype(x.dtype) * s) + b

    (match,) = found_in(biased, X, WEIGHTS, SCALE, BIAS)
    segments = "[1, 1, 1, 0, 1]"
    assert match.attributes == stated("weights", "bd,df,f,f->bf", "channel", segments)


def test_transposed_weights_and_more_rows_are_found() -> None:
    def layer(x: Any, w: Any, s: Any) -> Any:
        return jnp.einsum("btd,fd->btf", x, w.astype(x.dtype) * s[:, None])

    (match,) = found_in(layer, random(2, 3, 8), WEIGHTS.T.copy(), SCALE)
    assert match.attributes == stated("weights", "bsd,fd,f->bsf", "channel")


NOT: dict[str, tuple[Make, Any]] = {
    "a scale of rows of x": (lambda x, w, s: (x @ w.astype(x.dtype)) * s[:4, None], WEIGHTS),
    "wide integers": (before, WEIGHTS.astype(np.int32)),
    "floats": (before, WEIGHTS.astype(np.float32)),
    "truth values": (before, WEIGHTS > 0),
    "a scale of x": (lambda x, w, s: (x * s[:8]) @ w.astype(x.dtype), WEIGHTS),
    "a shift": (lambda x, w, s: x @ (w.astype(x.dtype) + s * s) + s, WEIGHTS),
    "a power": (lambda x, w, s: x @ (w.astype(x.dtype) ** 3 / (s + x[0, 0])), WEIGHTS),
}


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_it_is_not_it(what: str) -> None:
    make, weights = NOT[what]
    matches = found_in(make, X, weights, SCALE)
    assert [m for m in matches if m.pattern == "dequantized_matmul"] == []


def test_a_difference_that_wraps_is_no_zero_point() -> None:
    def wrapping(x: Any, w: Any, s: Any, z: Any) -> Any:
        return x @ ((w - z).astype(x.dtype) * s)

    (match,) = found_in(wrapping, X, WEIGHTS, SCALE, np.int8(100))
    assert "operand_segments = [1, 1, 1, 0, 0]" in match.attributes


def test_a_scale_of_rows_is_told(near_misses_in: Any) -> None:
    from dxir import ops

    def rows(x: Any, w: Any, s: Any) -> Any:
        wide = ops.convert(w, dtype=dxir.f32)
        product = ops.dot_general(x, wide, lhs_contracting=(1,), rhs_contracting=(0,))
        return product * ops.broadcast_in_dim(s, shape=(4, 16), dims=(0,))

    told = near_misses_in("dequantized_matmul", rows, dxir.f32[4, 8], dxir.i8[8, 16], dxir.f32[4])
    assert any("its scale is not one of the weights: it varies along x" in line for line in told)
