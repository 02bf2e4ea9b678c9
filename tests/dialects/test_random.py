"""Random bits against published vectors and JAX, and the distributions made of them."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import scipy.special

import dxir
from dxir import DType, Function, Module, TensorType, evaluate, ops
from dxir.dialects.random import erf_inverse
from dxir.errors import AttributeValueError, DTypeError, EvaluationError, GraphError, ShapeError
from dxir.lowering import lower_module
from dxir.types import bf16, f8e5m2, f16, f32, f64, i32, i64, ui8, ui16, ui32, ui64

KEY = np.array([0x12345678, 0x9ABCDEF0], np.uint32)
FULL = 0xFFFFFFFF


def build(body: Any, *arguments: Any) -> Function:
    types = [TensorType.of_array(np.asarray(a)) for a in arguments]
    return dxir.build_function(body, *types, name="main")


def both(body: Any, *arguments: Any) -> Any:
    """The compiled results, after checking that the reference gives the same bits."""
    function = build(body, *arguments)
    results = dxir.compile(function)(*arguments)
    wanted = evaluate(function, *arguments)
    if not isinstance(results, tuple):
        np.testing.assert_array_equal(np.asarray(results), wanted)
        return np.asarray(results)
    for a, b in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(a), b)
    return tuple(np.asarray(r) for r in results)


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((FULL, FULL), (FULL, FULL), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_threefry_gives_the_known_answers_of_random123(
    key: Any, counter: Any, expected: Any
) -> None:
    arguments = [np.array(key, np.uint32), *(np.array(c, np.uint32) for c in counter)]
    assert both(ops.threefry_2x32, *arguments) == expected


@pytest.mark.parametrize("dtype", [ui8, ui16, ui32, ui64])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (0, 2)])
def test_bits_are_those_of_jax(dtype: DType, shape: tuple[int, ...]) -> None:
    found = both(lambda k: ops.rng_bits(k, shape=shape, dtype=dtype), KEY)
    with jax.enable_x64(True):
        key = jax.random.wrap_key_data(KEY, impl="threefry2x32")
        wanted = np.asarray(jax.random.bits(key, shape, dtype.numpy))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [bf16, f16, f32, f64])
def test_uniform_numbers_are_those_of_jax(dtype: DType) -> None:
    found = both(lambda k: ops.rng_uniform(k, shape=(5, 9), dtype=dtype), KEY)
    with jax.enable_x64(True):
        key = jax.random.wrap_key_data(KEY, impl="threefry2x32")
        wanted = np.asarray(jax.random.uniform(key, (5, 9), dtype.numpy))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [f32, f64])
def test_normal_numbers_are_those_of_jax_up_to_rounding(dtype: DType) -> None:
    function = build(lambda k: ops.rng_normal(k, shape=(500,), dtype=dtype), KEY)
    with jax.enable_x64(True):
        key = jax.random.wrap_key_data(KEY, impl="threefry2x32")
        wanted = np.asarray(jax.random.normal(key, (500,), dtype.numpy))
    np.testing.assert_allclose(evaluate(function, KEY), wanted, rtol=2e-6)
    np.testing.assert_allclose(np.asarray(dxir.compile(function)(KEY)), wanted, rtol=2e-6)


def test_split_keys_are_those_of_jax() -> None:
    found = both(lambda k: ops.rng_split(k, count=5), KEY)
    key = jax.random.wrap_key_data(KEY, impl="threefry2x32")
    np.testing.assert_array_equal(found, jax.random.key_data(jax.random.split(key, 5)))


def test_distributions_have_their_moments() -> None:
    function = build(
        lambda k: (
            ops.rng_uniform(k, shape=(20000,), low=-1.0, high=3.0),
            ops.rng_normal(k, shape=(20000,)),
        ),
        KEY,
    )
    uniform, normal = (np.asarray(r) for r in dxir.compile(function)(KEY))
    assert uniform.min() >= -1
    assert uniform.max() <= 3
    assert abs(uniform.mean() - 1) < 0.03
    assert abs(uniform.var() - 16 / 12) < 0.03
    assert abs(normal.mean()) < 0.03
    assert abs(normal.var() - 1) < 0.03
    assert abs((np.abs(normal) < 1).mean() - 0.6827) < 0.01


def test_the_inverse_error_function_is_exact_in_the_tails() -> None:
    u = np.concatenate([np.linspace(-0.999, 0.999, 201), [1 - 2.0**-24, -1 + 2.0**-52, 1e-300, 0]])
    np.testing.assert_allclose(erf_inverse(u), scipy.special.erfinv(u), rtol=1e-14)


def test_random_ops_emit_no_generator_of_the_target() -> None:
    text = str(lower_module(Module([build(lambda k: ops.rng_normal(k, shape=(4,)), KEY)])))
    assert "stablehlo.rng" not in text
    assert text.count("stablehlo.shift_left") == 20


def test_the_targets_threefry_gives_the_reported_bits() -> None:
    state = np.array([1, 2], np.uint64)
    after, bits = both(lambda s: ops.rng_bit_generator(s, algorithm="THREE_FRY", shape=(3,)), state)
    assert after.tolist() == [1, 4]
    assert bits.tolist() == [43444564, 2150618427, 3979645651]


@pytest.mark.parametrize("shape", [(4,), (2, 3), (5, 3), (3, 5), (3, 4, 2), (3, 0), (1, 1)])
@pytest.mark.parametrize("dtype", [ui32, ui64])
def test_the_reference_lays_the_targets_bits_out_as_xla_does(shape: Any, dtype: DType) -> None:
    for algorithm, state in (
        ("THREE_FRY", np.array([1 << 40 | 7, FULL], np.uint64)),
        ("PHILOX", np.array([1 << 40 | 7, 2**64 - 1, 3], np.uint64)),
    ):
        both(
            lambda s, a=algorithm: ops.rng_bit_generator(s, algorithm=a, shape=shape, dtype=dtype),
            state,
        )


def test_what_the_target_keeps_to_itself_cannot_be_evaluated() -> None:
    state = np.array([1, 2], np.uint64)
    function = build(lambda s: ops.rng_bit_generator(s, shape=(3,)), state)
    with pytest.raises(EvaluationError, match="the bits of DEFAULT"):
        evaluate(function, state)
    with dxir.Builder("main") as b:
        low, high = b.param(f32[()]), b.param(f32[()])
        drawn = ops.stateful_rng(low, high, np.array([2, 3]), distribution="UNIFORM")
        assert drawn.type == f32[2, 3]
        assert drawn.producer is not None
        assert drawn.producer.has_side_effect
        function = b.build(drawn)
    assert np.asarray(dxir.compile(function)(np.float32(1), np.float32(2))).min() >= 1
    with pytest.raises(EvaluationError, match="hidden state"):
        evaluate(function, np.float32(1), np.float32(2))


def test_a_stateful_draw_belongs_to_a_function() -> None:
    one = np.float32(1)
    with pytest.raises(GraphError, match="nothing says which function") as caught:
        ops.stateful_rng(one, one, np.array([2]), distribution="NORMAL")
    assert "test_random.py:" in str(caught.value)
    assert "with Builder" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "given", "error", "text"),
    [
        (lambda k: ops.rng_bits(k, shape=(2,)), i64[2], DTypeError, "the key has type i64[2]"),
        (lambda k: ops.rng_bits(k, shape=(2,), dtype=i32), ui32[2], DTypeError, "of type i32"),
        (lambda k: ops.rng_uniform(k, shape=(2,), dtype=f8e5m2), ui32[2], DTypeError, "f8e5m2"),
        (
            lambda k: ops.rng_uniform(k, shape=(2,), low=1.0, high=1.0), ui32[2],
            AttributeValueError, "nothing to draw from between 1.0 and 1.0",
        ),
        (lambda k: ops.rng_split(k, count=-1), ui32[2], AttributeValueError, "count is -1"),
        (lambda k: ops.rng_bits(k, shape=(-2,)), ui32[2], ShapeError, "-2 is not a dimension"),
        (lambda s: ops.rng_bit_generator(s, shape=()), ui32[2], DTypeError, "must be of ui64"),
        (
            lambda s: ops.rng_bit_generator(s, shape=(), algorithm="THREE_FRY"), ui64[3],
            ShapeError, "THREE_FRY has (2,) words of state, not ui64[3]",
        ),
        (
            lambda s: ops.rng_bit_generator(s, shape=(), algorithm="XORSHIFT"), ui64[2],
            AttributeValueError, "algorithm is 'XORSHIFT'",
        ),
        (
            lambda s: ops.rng_bit_generator(s, shape=(), dtype=f32), ui64[2],
            DTypeError, "random bits are ui8, ui16, ui32 or ui64, not f32",
        ),
    ],
)  # fmt: skip
def test_random_ops_say_what_is_wrong(body: Any, given: Any, error: Any, text: str) -> None:
    with pytest.raises(error) as caught:
        dxir.build_function(body, given, name="main")
    assert text in str(caught.value)
    assert "test_random.py:" in str(caught.value)
