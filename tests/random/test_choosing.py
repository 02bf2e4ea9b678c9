"""Random choices: their shares, what they never take, and the same ones as JAX."""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np
import pytest
from scipy import stats

import dxir
from dxir import random

KEY, JAX_KEY = random.key(21), jax.random.PRNGKey(21)
TABLE = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
SHARES = np.random.default_rng(1).uniform(size=30).astype(np.float32)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            lambda: random.categorical(KEY, TABLE),
            lambda: jax.random.categorical(JAX_KEY, TABLE),
        ),
        (
            lambda: random.categorical(KEY, TABLE, 0, (3, 7)),
            lambda: jax.random.categorical(JAX_KEY, TABLE, 0, (3, 7)),
        ),
        (lambda: random.permutation(KEY, 50), lambda: jax.random.permutation(JAX_KEY, 50)),
        (lambda: random.permutation(KEY, TABLE), lambda: jax.random.permutation(JAX_KEY, TABLE)),
        (
            lambda: random.permutation(KEY, TABLE, axis=1),
            lambda: jax.random.permutation(JAX_KEY, TABLE, axis=1),
        ),
        (lambda: random.choice(KEY, 9, (4, 2)), lambda: jax.random.choice(JAX_KEY, 9, (4, 2))),
        (
            lambda: random.choice(KEY, TABLE, (3,), axis=1),
            lambda: jax.random.choice(JAX_KEY, TABLE, (3,), axis=1),
        ),
        (
            lambda: random.choice(KEY, 30, (9,), replace=False),
            lambda: jax.random.choice(JAX_KEY, 30, (9,), replace=False),
        ),
        (
            lambda: random.choice(KEY, 30, (9,), p=SHARES),
            lambda: jax.random.choice(JAX_KEY, 30, (9,), p=SHARES),
        ),
        (
            lambda: random.choice(KEY, 30, (9,), p=SHARES, replace=False),
            lambda: jax.random.choice(JAX_KEY, 30, (9,), p=SHARES, replace=False),
        ),
    ],
)
def test_choices_are_those_of_jax(ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    assert np.array_equal(ours(), theirs())


def test_choices_are_the_same_when_compiled() -> None:
    def chosen(key: dxir.Array) -> object:
        return (
            random.categorical(key, TABLE),
            random.permutation(key, 40),
            random.permutation(key, TABLE),
            random.choice(key, 30, (5,), p=SHARES, replace=False),
            random.choice(key, 30, (5,), p=SHARES),
        )

    for a, b in zip(chosen(KEY), dxir.jit(chosen)(KEY), strict=True):
        assert np.array_equal(a, b)


def test_categories_come_as_often_as_their_softmax_says() -> None:
    logits = np.log(np.asarray([0.1, 0.2, 0.0, 0.7]) + 1e-300).astype(np.float32)
    logits[2] = -np.inf
    found = np.bincount(np.asarray(random.categorical(KEY, logits, shape=(3000,))), minlength=4)
    assert found[2] == 0
    assert stats.chisquare(found[[0, 1, 3]], np.asarray([0.1, 0.2, 0.7]) * 3000).pvalue > 0.01


def test_categories_of_bf16_logits_are_drawn_in_f32() -> None:
    wide = random.categorical(KEY, np.zeros((400, 3), np.float32))
    narrow = random.categorical(KEY, dxir.Array(np.zeros((400, 3), dxir.bf16.numpy)))
    assert np.array_equal(wide, narrow)


def test_a_permutation_has_each_element_once() -> None:
    for n in (0, 1, 2, 1000):
        assert sorted(np.asarray(random.permutation(KEY, n)).tolist()) == list(range(n))
    places = [np.asarray(random.permutation(k, 4))[0] for k in random.split(KEY, 400)]
    assert stats.chisquare(np.bincount(places, minlength=4)).pvalue > 0.01


def test_choices_without_replacement_have_nothing_twice() -> None:
    for p in (None, SHARES):
        found = np.asarray(random.choice(KEY, 30, (30,), p=p, replace=False))
        assert sorted(found.tolist()) == list(range(30))


def test_what_has_no_probability_is_not_chosen() -> None:
    shares = np.asarray([0, 1, 0, 3, 0], np.float32)
    found = np.asarray(random.choice(KEY, 5, (2000,), p=shares))
    assert set(found.tolist()) == {1, 3}
    assert 0.2 < (found == 1).mean() < 0.3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: random.categorical(KEY, np.zeros(3, np.int32)), "logits are floats"),
        (lambda: random.categorical(KEY, TABLE, 2), "axis"),
        (lambda: random.categorical(KEY, TABLE, shape=(4,)), "does not end in"),
        (lambda: random.permutation(KEY, np.float32(1)), "no axis to permute"),
        (lambda: random.permutation(KEY, -1), "no -1 numbers"),
        (lambda: random.choice(KEY, 3, (4,), replace=False), "4 of 3 are asked for"),
        (lambda: random.choice(KEY, 0, (4,)), "nothing to choose from"),
        (lambda: random.choice(KEY, 4, (4,), p=SHARES), "a probability for each of 4"),
        (lambda: random.choice(KEY, np.float32(4)), "no axis to choose from"),
    ],
)
def test_what_cannot_be_chosen_is_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_choosing.py" in str(caught.value.where)
