"""Keys of random numbers, and the bits of them, beside those of JAX."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import dxir
from dxir import random

SEEDS = (0, 7, 2**31 - 1, 2**32 - 1)


def plain(key: object) -> np.ndarray:
    return np.asarray(key)


@pytest.mark.parametrize("seed", SEEDS)
def test_keys_of_a_seed_are_those_of_jax(seed: int) -> None:
    key = jax.random.PRNGKey(np.uint32(seed))
    assert np.array_equal(random.key(seed), key)
    assert np.array_equal(random.split(random.key(seed), 5), jax.random.split(key, 5))
    assert np.array_equal(random.fold_in(random.key(seed), 9), jax.random.fold_in(key, 9))


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
def test_bits_are_those_of_jax(dtype: str) -> None:
    wanted = jax.random.bits(jax.random.PRNGKey(7), (3, 5), dtype)
    assert np.array_equal(random.bits(random.key(7), (3, 5), dtype), wanted)


@pytest.mark.parametrize("seed", [*SEEDS, -1, -(2**63), 2**63, 2**64 - 1])
def test_a_seed_gives_one_key_as_a_number_and_as_an_array_eager_and_compiled(seed: int) -> None:
    array = np.asarray(seed, np.int64 if seed < 2**63 else np.uint64)
    key = random.key(seed)
    assert key.type == dxir.ui32[2]
    assert np.array_equal(random.key(dxir.Array(array)), key)
    assert np.array_equal(dxir.jit(random.key)(array), key)


def test_narrow_seeds_keep_their_sign() -> None:
    assert np.array_equal(random.key(np.asarray(-3, np.int8)), random.key(-3))
    assert np.array_equal(random.key(np.asarray(200, np.uint8)), random.key(200))


def test_folding_in_a_number_is_one_of_the_keys_of_splitting() -> None:
    key = random.key(3)
    keys = random.split(key, 6)
    folded = [random.fold_in(key, i) for i in range(6)]
    assert np.array_equal(keys, np.stack([plain(k) for k in folded]))
    assert np.array_equal(dxir.jit(random.fold_in)(key, np.int32(4)), folded[4])


def test_keys_are_computed_the_same_way_while_tracing() -> None:
    def drawn(key: dxir.Array) -> object:
        first, second = random.split(key)
        return random.bits(first, (4,)), random.fold_in(second, 2)

    eager, compiled = drawn(random.key(1)), dxir.jit(drawn)(random.key(1))
    for a, b in zip(eager, compiled, strict=True):
        assert np.array_equal(a, b)


def test_keys_of_a_batch_are_drawn_from_by_vmap() -> None:
    keys = random.split(random.key(5), 3)
    rows = dxir.vmap(lambda k: random.uniform(k, (4,)))(keys)
    assert np.array_equal(rows, np.stack([plain(random.uniform(k, (4,))) for k in keys]))


def test_no_bits_and_no_keys_can_be_asked_for() -> None:
    assert random.split(random.key(0), 0).shape == (0, 2)
    assert random.bits(random.key(0), (0, 3)).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: random.key(1.5), "a seed is a whole number, not float"),
        (lambda: random.key(True), "a seed is a whole number, not bool"),
        (lambda: random.key(2**64), "does not fit into 64 bits"),
        (lambda: random.key(np.zeros(2, np.int32)), "a seed is one whole number"),
        (lambda: random.split(7), "a key is needed, not the number 7"),
        (lambda: random.uniform(np.zeros(2, np.float32)), "not f32[2]"),
        (lambda: random.uniform(random.split(random.key(0))), "take one of them"),
        (lambda: random.fold_in(random.key(0), -1), "does not fit into 32 bits"),
        (lambda: random.fold_in(random.key(0), np.float32(1)), "one whole number is folded in"),
        (lambda: random.bits(random.key(0), (2,), "i32"), "no random numbers of type i32"),
        (lambda: random.split(random.key(0), -1), "must not be negative"),
    ],
)
def test_what_is_no_key_or_seed_is_refused_where_it_was_given(call: object, said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert caught.value.where is not None
    assert "test_keys.py" in caught.value.where
