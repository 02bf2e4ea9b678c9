"""Distributions: their moments, their bits beside JAX's, and the same numbers when compiled."""

from __future__ import annotations

from collections.abc import Callable

import jax
import ml_dtypes
import numpy as np
import pytest
from scipy import stats

import dxir
from dxir import random

KEY, JAX_KEY = random.key(11), jax.random.PRNGKey(11)
COUNT = 4000
FLOATS = ("f32", "f64", "f16", "bf16")

Draw = Callable[..., dxir.Array]


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        (random.uniform, stats.uniform()),
        (lambda k, s: random.uniform(k, s, low=-3, high=5), stats.uniform(-3, 8)),
        (random.normal, stats.norm()),
        (random.truncated_normal, stats.truncnorm(-2, 2)),
        (lambda k, s: random.truncated_normal(k, s, low=1.0, high=9.0), stats.truncnorm(1, 9)),
        (random.gumbel, stats.gumbel_r()),
        (random.exponential, stats.expon()),
        (random.laplace, stats.laplace()),
    ],
)
def test_floats_follow_their_law(draw: Draw, law: object) -> None:
    found = np.asarray(draw(KEY, (COUNT,)), np.float64)
    assert stats.kstest(found, law.cdf).pvalue > 0.01
    assert np.array_equal(found, np.asarray(draw(KEY, (COUNT,)), np.float64))
    other = np.asarray(draw(random.key(12), (COUNT,)), np.float64)
    assert abs(np.corrcoef(found, other)[0, 1]) < 0.05


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (random.uniform, jax.random.uniform),
        (random.normal, jax.random.normal),
        (random.gumbel, jax.random.gumbel),
        (random.exponential, jax.random.exponential),
        (random.laplace, jax.random.laplace),
        (random.truncated_normal, lambda k, s: jax.random.truncated_normal(k, -2, 2, s)),
        (random.rademacher, lambda k, s: jax.random.rademacher(k, s, "float32")),
        (
            lambda k, s: random.uniform(k, s, low=-3, high=5),
            lambda k, s: jax.random.uniform(k, s, minval=-3, maxval=5),
        ),
    ],
)
def test_floats_are_those_of_jax_up_to_the_rounding_of_functions(ours: Draw, theirs: Draw) -> None:
    found, wanted = np.asarray(ours(KEY, (50, 40))), np.asarray(theirs(JAX_KEY, (50, 40)))
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_uniform_and_bernoulli_are_those_of_jax_exactly() -> None:
    for dtype in ("float32", "float16", "bfloat16"):
        wanted = jax.random.uniform(JAX_KEY, (99,), dtype)
        assert np.array_equal(random.uniform(KEY, (99,), dtype), wanted)
    assert np.array_equal(
        random.bernoulli(KEY, (99,), 0.3), jax.random.bernoulli(JAX_KEY, 0.3, (99,))
    )


@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (0, 10, "int32"),
        (-7, 8, "int32"),
        (3, 4, "int32"),
        (0, 1000003, "uint32"),
        (-(2**31), 2**31 - 1, "int32"),
    ],
)
def test_integers_are_those_of_jax(low: int, high: int, dtype: str) -> None:
    wanted = jax.random.randint(JAX_KEY, (99,), low, high, dtype)
    assert np.array_equal(random.randint(KEY, (99,), low, high, dtype), wanted)


@pytest.mark.parametrize("dtype", ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"])
def test_integers_of_all_types_fill_their_range(dtype: str) -> None:
    found = random.randint(KEY, (COUNT,), 0, 6, dtype)
    assert found.dtype == dxir.DType.of(dtype)
    _, counts = np.unique(np.asarray(found), return_counts=True)
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 0.01
    limits = np.iinfo(found.dtype.numpy)
    whole = random.randint(KEY, (COUNT,), int(limits.min), int(limits.max) + 1, dtype).numpy()
    middle = (int(limits.min) + int(limits.max)) / 2
    assert 0.45 < np.mean(whole.astype(object) > middle) < 0.55


def test_bernoulli_and_rademacher_are_as_likely_as_asked() -> None:
    share = np.asarray([0.0, 0.1, 0.5, 1.0], np.float32)
    found = np.asarray(random.bernoulli(KEY, (COUNT, 4), share)).mean(axis=0)
    np.testing.assert_allclose(found, share, atol=0.03)
    assert found[0] == 0
    assert found[3] == 1
    assert random.bernoulli(KEY, p=share).shape == (4,)
    signs = np.asarray(random.rademacher(KEY, (COUNT,), "i8"))
    assert set(signs.tolist()) == {-1, 1}
    assert abs(signs.mean()) < 0.05


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "draw",
    [
        random.uniform,
        random.normal,
        random.truncated_normal,
        random.gumbel,
        random.exponential,
        random.laplace,
    ],
)
def test_compiled_numbers_are_the_eager_ones(draw: Draw, dtype: str) -> None:
    eager = draw(KEY, (64,), dtype)
    compiled = dxir.jit(lambda k: draw(k, (64,), dtype))(KEY)
    assert compiled.dtype == eager.dtype == dxir.DType.of(dtype)
    near = {"f32": 3e-6, "f64": 1e-12, "f16": 2e-3, "bf16": 2e-2}[dtype]
    a, b = (np.asarray(x).astype(np.float64) for x in (eager, compiled))
    assert np.isfinite(a).all()
    np.testing.assert_allclose(a, b, rtol=near, atol=near)


def test_ends_may_be_arrays_that_broadcast() -> None:
    low = np.asarray([0.0, 10.0, -4.0], np.float32)
    found = np.asarray(random.uniform(KEY, (COUNT, 3), low=low, high=low + 2))
    assert (found >= low).all()
    assert (found <= low + 2).all()
    np.testing.assert_allclose(found.mean(axis=0), low + 1, atol=0.05)
    traced = dxir.jit(lambda k, v: random.uniform(k, (5, 3), low=v, high=v + 2))(KEY, low)
    np.testing.assert_allclose(
        traced, random.uniform(KEY, (5, 3), low=low, high=low + 2), rtol=1e-6
    )


def test_truncated_numbers_never_reach_the_ends() -> None:
    for dtype in FLOATS[:2]:
        found = np.asarray(random.truncated_normal(KEY, (COUNT,), dtype, -0.25, 0.5))
        assert (found > -0.25).all()
        assert (found < 0.5).all()


def test_narrow_floats_are_rounded_once_from_f32() -> None:
    wide = np.asarray(random.gumbel(KEY, (300,)))
    narrow = np.asarray(random.gumbel(KEY, (300,), "bf16"))
    assert np.array_equal(narrow, wide.astype(ml_dtypes.bfloat16))


def test_scalars_and_empty_arrays_are_drawn() -> None:
    for draw in (random.normal, random.gumbel, random.randint, random.rademacher):
        assert draw(KEY).shape == ()
        assert draw(KEY, (0, 3)).shape == (0, 3)
        assert draw(KEY, 5).shape == (5,)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: random.uniform(KEY, (2,), low=1, high=1), "nothing to draw from"),
        (lambda: random.uniform(KEY, (2,), "i32"), "no random numbers of type i32"),
        (lambda: random.uniform(KEY, (2,), low=np.zeros(3, np.float32)), "does not broadcast"),
        (lambda: random.uniform(KEY, (-2,)), "-2"),
        (lambda: random.uniform(KEY, "ab"), "shape"),
        (lambda: random.uniform(KEY, maxval=2), "maxval"),
        (lambda: random.truncated_normal(KEY, low=2, high=1), "nothing to draw from"),
        (lambda: random.truncated_normal(KEY, low=20, high=30), "does not tell"),
        (lambda: random.truncated_normal(KEY, low=float("nan")), "nothing to draw from"),
        (lambda: random.truncated_normal(KEY, dtype="f8e4m3fn"), "no random numbers of type f8"),
        (lambda: random.randint(KEY, (2,), 3, 3), "no i32 from 3 up to 3"),
        (lambda: random.randint(KEY, (2,), 0, 300, "i8"), "no i8 from 0 up to 300"),
        (lambda: random.randint(KEY, (2,), 0.0, 3), "Python integers"),
        (lambda: random.randint(KEY, (2,), 0, 3, "f32"), "integers of 8 to 64 bits"),
        (lambda: random.bernoulli(KEY, (3,), np.zeros(2, np.float32)), "p has type f32[2]"),
        (lambda: random.rademacher(KEY, (3,), "ui8"), "has no -1"),
        (lambda: random.gumbel(KEY, (3,), "i32"), "no random numbers of type i32"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_distributions.py" in str(caught.value.where)
