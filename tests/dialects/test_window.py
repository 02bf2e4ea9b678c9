from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import f32, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

ROOT = Path(__file__).parents[2]
CASES = {c["name"]: c for c in json.loads((ROOT / "examples/cases/numeric.json").read_text())}
NAN, INF = np.nan, np.inf


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def both(body: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """What the device and what the reference give."""
    given = [np.asarray(a) for a in arrays]
    function = function_of(body, *(TensorType.of_array(a) for a in given))
    found = dxir.compile(function)(*given)
    return np.asarray(found), evaluate(function, *given)


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def random(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_the_given_max_pool_holds() -> None:
    case = CASES["max pool 2x2 of 1..16"]
    given = np.array(case["inputs"][0], np.float32)
    for found in both(lambda x: ops.max_pool(x, **case["attrs"]), given):
        np.testing.assert_array_equal(found, np.array(case["expected"], np.float32))


def test_a_window_starts_from_its_init_once_in_the_reference() -> None:
    """B05: backends differ when the init is no identity; the reference has it as padding."""
    x = np.array([1, 2, 3, 4], np.float32)

    def body(x: Any) -> Any:
        (y,) = ops.reduce_window(
            (x,), (np.float32(5),), lambda a, b: a + b, window_dimensions=(3,), padding=((2, 0),)
        )
        return y

    found = evaluate(function_of(body, f32[4]), x)
    np.testing.assert_array_equal(found, [16, 13, 11, 14])


@pytest.mark.parametrize("seed", range(5))
def test_the_reference_of_a_window_matches_jax_for_any_attributes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    x = random(*(int(v) for v in rng.integers(2, 6, rank)), seed=seed)
    sizes, strides, base, dilations = (
        tuple(int(v) for v in rng.integers(1, high, rank)) for high in (4, 3, 3, 3)
    )
    padding = tuple((int(a), int(b)) for a, b in rng.integers(-1, 3, (rank, 2)))
    wanted = jax.lax.reduce_window(
        x, np.float32(0), jax.lax.add, sizes, strides, padding, base, dilations
    )

    def body(x: Any) -> Any:
        return ops.reduce_window(
            (x,), (np.float32(0),), lambda a, b: a + b, window_dimensions=sizes,
            window_strides=strides, base_dilations=base, window_dilations=dilations,
            padding=padding,
        )[0]  # fmt: skip

    for found in both(body, x):
        close(found, wanted)


@pytest.mark.parametrize("padding", ["SAME", "VALID", ((1, 0), (0, 2))])
def test_max_pools_match_jax_and_let_nan_through(padding: Any) -> None:
    x = random(2, 3, 6, 5)
    x[0, 0, 2, 2], x[0, 1, 0, 0], x[1, 0, :, :] = NAN, INF, -INF
    pads = padding if isinstance(padding, str) else ((0, 0), (0, 0), *padding)
    wanted = jax.lax.reduce_window(
        x, -np.float32(INF), jax.lax.max, (1, 1, 3, 2), (1, 1, 2, 1), pads
    )
    body = lambda x: ops.max_pool(x, window=(3, 2), window_strides=(2, 1), padding=padding)  # noqa: E731
    for found in both(body, x):
        np.testing.assert_array_equal(found, wanted)
    assert counts(body, f32[2, 3, 6, 5]) == {"constant": 1, "reduce_window": 1}


@pytest.mark.parametrize("include", [True, False])
def test_average_pools_count_the_padding_when_told_to(include: bool) -> None:
    x = random(1, 2, 5, 5)
    shape = ((1, 1, 3, 3), (1, 1, 2, 2), "SAME")
    sums = jax.lax.reduce_window(x, np.float32(0), jax.lax.add, *shape)
    inside = jax.lax.reduce_window(np.ones_like(x), np.float32(0), jax.lax.add, *shape)
    body = lambda x: ops.avg_pool(  # noqa: E731
        x, window=3, window_strides=2, padding="SAME", count_include_pad=include
    )
    for found in both(body, x):
        close(found, sums / (9 if include else inside))


def test_a_pool_over_another_layout_is_the_same_pool() -> None:
    x = random(2, 4, 6, 3)
    for op in (ops.max_pool, ops.avg_pool):
        last = lambda x, op=op: op(  # noqa: E731
            x, window=(2, 3), window_strides=1, dimension_numbers="NHWC"
        )
        first = lambda x, op=op: op(x, window=(2, 3), window_strides=1)  # noqa: E731
        wanted = both(first, np.ascontiguousarray(np.moveaxis(x, -1, 1)))[1]
        for found in both(last, x):
            close(np.moveaxis(found, -1, 1), wanted)


def test_narrow_average_pools_round_once() -> None:
    x = np.full((1, 1, 600), 1, ml_dtypes.bfloat16)
    for found in both(lambda x: ops.avg_pool(x, window=600, window_strides=1), x):
        assert float(found[0, 0, 0]) == 1
    for found in both(ops.global_avg_pool, x):
        assert float(found[0, 0]) == 1


def test_a_global_average_pool_is_the_mean_of_the_contract() -> None:
    found = counts(ops.global_avg_pool, f32[2, 3, 4, 5])
    assert found == {"constant": 2, "reduce": 1, "divide": 1}


def test_select_and_scatter_is_the_gradient_of_a_max_pool() -> None:
    x, g = random(1, 1, 6, 6), random(1, 1, 2, 2, seed=1)

    def pool(x: Any) -> Any:
        return jax.lax.reduce_window(
            x, -np.float32(INF), jax.lax.max, (1, 1, 3, 3), (1, 1, 3, 3), "VALID"
        )

    wanted = jax.vjp(pool, x)[1](g)[0]

    def body(x: Any, g: Any) -> Any:
        return ops.select_and_scatter(
            x, g, np.float32(0), lambda a, b: a >= b, lambda a, b: a + b,
            window_dimensions=(1, 1, 3, 3), window_strides=(1, 1, 3, 3),
        )  # fmt: skip

    for found in both(body, x, g):
        np.testing.assert_array_equal(found, wanted)


def test_overlapping_windows_scatter_into_one_place() -> None:
    x, g = np.array([1, 5, 2, 4, 3], np.float32), np.array([1, 10, 100], np.float32)

    def body(x: Any, g: Any) -> Any:
        return ops.select_and_scatter(
            x, g, np.float32(0), lambda a, b: a >= b, lambda a, b: a + b, window_dimensions=(3,)
        )

    for found in both(body, x, g):
        np.testing.assert_array_equal(found, [0, 11, 0, 100, 0])


@pytest.mark.parametrize("method", ["nearest", "bilinear"])
@pytest.mark.parametrize("size", [(7, 9), (2, 3)])
def test_resizing_matches_jax(method: str, size: tuple[int, int]) -> None:
    x = random(1, 2, 4, 5)
    wanted = jax.image.resize(x, (1, 2, *size), method, antialias=False)
    for found in both(lambda x: ops.resize2d(x, size=size, method=method), x):
        close(found, wanted)


def test_corners_stay_where_they_are_when_they_are_aligned() -> None:
    x = np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2)

    def body(x: Any) -> Any:
        return ops.resize2d(x, size=(3, 3), method="bilinear", coordinates="align_corners")

    for found in both(body, x):
        close(found[0, 0], [[0, 0.5, 1], [1, 1.5, 2], [2, 2.5, 3]])


def test_asymmetric_nearest_takes_the_element_before() -> None:
    x = np.arange(2, dtype=np.float32).reshape(1, 1, 1, 2)

    def body(x: Any) -> Any:
        return ops.resize2d(x, size=(1, 5), method="nearest", coordinates="asymmetric")

    for found in both(body, x):
        np.testing.assert_array_equal(found[0, 0, 0], [0, 0, 0, 1, 1])


def test_places_over_a_named_dimension_are_named_where_their_number_stays() -> None:
    x = TensorType(("n", 2, 8), f32)
    pooled = function_of(lambda x: ops.max_pool(x, window=2, window_strides=2), x)
    assert pooled.result_types == (TensorType(("n", 2, 4), f32),)
    long = TensorType((1, 2, "w"), f32)
    same = function_of(lambda x: ops.max_pool(x, window=3, window_strides=1, padding="SAME"), long)
    assert same.result_types == (long,)
    other = function_of(lambda x: ops.max_pool(x, window=3, window_strides=2), long)
    assert other.result_types == (TensorType((1, 2, "?"), f32),)


def _pool(**attrs: Any) -> Callable[..., Any]:
    return lambda x: ops.avg_pool(x, **{"window": (2, 2), "window_strides": (1, 1), **attrs})


def _scatter(select: Any, scatter: Any, source: Any) -> Callable[..., Any]:
    return lambda x: ops.select_and_scatter(
        x, source, np.float32(0), select, scatter, window_dimensions=(2,)
    )


THREE = np.zeros(3, np.float32)
MISTAKES: list[tuple[Callable[..., Any], TensorType, type[DxirError], str]] = [
    (_pool(), f32[3, 4], ShapeError, r"x has type f32\[3, 4\], but needs at least 3"),
    (_pool(), i32[1, 1, 4, 4], DTypeError, "it must be float"),
    (_pool(window=(2, 0)), f32[1, 1, 4, 4], AttributeValueError, r"window is \(2, 0\)"),
    (_pool(window=(2,) * 3), f32[1, 1, 4, 4], ShapeError, "window has 3 entries, but 2"),
    (_pool(dimension_numbers="NHW"), f32[1, 1, 4, 4], AttributeValueError, "is not a layout of 4"),
    (
        _pool(padding=((2, 0), (0, 0)), count_include_pad=False), f32[1, 1, 4, 4], ShapeError,
        "lies wholly in the padding",
    ),
    (
        lambda x: ops.max_pool(x, window=2, window_strides=2, padding="SAME"),
        TensorType((1, 1, "w"), f32), ShapeError, "padding SAME with stride 2 needs the size",
    ),
    (
        lambda x: ops.reduce_window(
            (x,), (np.float32(0),), lambda a, b: a + b, window_dimensions=(2, 2)
        ),
        f32[4], ShapeError, "window_dimensions has 2 entries, but 1",
    ),
    (
        _scatter(lambda a, b: a >= b, lambda a, b: a + b, np.zeros(2, np.float32)), f32[4],
        ShapeError, r"the window's places has shape \[3\], but source has shape \[2\]",
    ),
    (_scatter(lambda a, b: a, lambda a, b: a, THREE), f32[4], ShapeError, "select must return i1"),
    (
        lambda x: ops.resize2d(x, size=(2, 2), method="cubic"), f32[1, 1, 4, 4],
        AttributeValueError, "one of nearest, bilinear",
    ),
    (
        lambda x: ops.resize2d(x, size=(0, 2), method="nearest"), f32[1, 1, 4, 4],
        AttributeValueError, "both sizes must be at least 1",
    ),
    (
        lambda x: ops.resize2d(x, size=(2, 2), method="bilinear"), i32[1, 1, 4, 4], DTypeError,
        "it must be float",
    ),
]  # fmt: skip


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_a_mistake_is_named_with_the_line_it_is_on(mistake: int) -> None:
    body, type, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=message) as caught:
        function_of(body, type)
    assert __file__ in str(caught.value)


def test_a_window_of_named_size_is_refused_where_sizes_are_needed() -> None:
    x = TensorType((1, 1, "w"), f32)
    with pytest.raises(ShapeError, match="dynamic dimensions"):
        function_of(
            lambda x: ops.avg_pool(x, window=2, window_strides=1, count_include_pad=False), x
        )
    with pytest.raises(ShapeError, match="dynamic dimensions"):
        function_of(ops.global_avg_pool, x)


def test_jax_and_dxir_agree_on_global_means() -> None:
    x = random(2, 3, 4, 5)
    for found in both(ops.global_avg_pool, x):
        close(found, jnp.mean(x, axis=(2, 3)))
