"""Gamma, beta and Dirichlet distributions: their laws, at small parameters and wrong ones too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import dxir
from dxir import random

KEY = random.key(31)
COUNT = 4000


def law(found: Any, distribution: Any) -> float:
    return float(stats.kstest(np.asarray(found, np.float64), distribution.cdf).pvalue)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("a", [0.05, 0.5, 1.0, 1.5, 7.0, 1000.0])
def test_gamma_follows_its_law(a: float, dtype: str) -> None:
    found = random.gamma(KEY, a, (COUNT,), dtype)
    assert found.dtype == dxir.DType.of(dtype)
    assert law(found, stats.gamma(a)) > 0.01


def test_each_element_has_its_parameter() -> None:
    a = np.asarray([0.3, 2.0, 30.0], np.float32)
    found = np.asarray(random.gamma(KEY, a, (COUNT, 3)))
    for i, one in enumerate(a.tolist()):
        assert law(found[:, i], stats.gamma(one)) > 0.01
    assert random.gamma(KEY, a).shape == (3,)
    assert random.gamma(KEY, a, (0, 3)).shape == (0, 3)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2.0, 5.0), (0.1, 3.0), (40.0, 40.0)])
def test_beta_follows_its_law(a: float, b: float) -> None:
    assert law(random.beta(KEY, a, b, (COUNT,)), stats.beta(a, b)) > 0.01


def test_dirichlet_gives_shares_each_of_which_is_beta() -> None:
    a = np.asarray([0.5, 2.0, 3.5], np.float32)
    found = np.asarray(random.dirichlet(KEY, a, (COUNT,)))
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-5)
    for i, one in enumerate(a.tolist()):
        assert law(found[:, i], stats.beta(one, a.sum() - one)) > 0.01


def test_parameters_that_give_numbers_below_the_type_still_give_shares() -> None:
    found = np.asarray(random.dirichlet(KEY, np.full(4, 1e-4, np.float32), (500,)))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-5)
    np.testing.assert_allclose(found.mean(axis=0), 0.25, atol=0.08)
    halves = np.asarray(random.beta(KEY, 1e-4, 1e-4, (500,)))
    assert abs(halves.mean() - 0.5) < 0.08


def test_compiled_numbers_are_the_eager_ones() -> None:
    a = np.asarray([0.2, 1.0, 5.0], np.float32)

    def drawn(key: Any, a: Any) -> Any:
        return random.gamma(key, a), random.beta(key, a, a), random.dirichlet(key, a, (2,))

    for one, other in zip(drawn(KEY, a), dxir.jit(drawn)(KEY, a), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
    keys = random.split(KEY, 3)
    rows = np.asarray(dxir.vmap(random.gamma)(keys, a))
    for i, key in enumerate(keys):
        np.testing.assert_allclose(rows[i], random.gamma(key, a[i]), rtol=1e-4)


def test_narrow_floats_are_drawn_in_f32() -> None:
    wide = np.asarray(random.gamma(KEY, 2.0, (50,)))
    narrow = random.gamma(KEY, 2.0, (50,), "bf16")
    assert np.array_equal(narrow, wide.astype(dxir.bf16.numpy))


def test_what_is_no_parameter_gives_nan_and_ends() -> None:
    a = np.asarray([0.0, -1.0, np.nan, np.inf, 2.0], np.float32)
    found = np.asarray(random.gamma(KEY, a))
    assert np.isnan(found[:3]).all()
    assert found[3] == np.inf
    assert np.isfinite(found[4])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: random.gamma(KEY, np.ones(3, np.float32), (2,)), "a has type f32[3]"),
        (lambda: random.gamma(KEY, 1.0, (2,), "i32"), "no random numbers of type i32"),
        (lambda: random.beta(KEY, np.ones(3), np.ones(2)), "do not broadcast to one shape"),
        (lambda: random.dirichlet(KEY, 1.0), "a parameter for each share"),
        (lambda: random.gamma(1, 1.0), "a key is needed"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_rejecting.py" in str(caught.value.where)
