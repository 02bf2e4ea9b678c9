"""Layers put together: trained, batched, differentiated, exported, and in graphs by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import nn, random

KEYS = random.split(random.key(7), 6)
NUMBERS = np.random.default_rng(7)


def numbers(*shape: int) -> np.ndarray:
    return NUMBERS.normal(size=shape).astype(np.float32)


def model(params: Any, x: Any) -> Any:
    return nn.linear(params["out"], nn.relu(nn.linear(params["hidden"], x)))


def init(key: Any) -> Any:
    first, second = random.split(key)
    return {"hidden": nn.init_linear(first, 2, 16), "out": nn.init_linear(second, 16, 2)}


def test_a_small_network_learns() -> None:
    x = numbers(128, 2)
    labels = (x[:, 0] * x[:, 1] > 0).astype(np.int32)

    @dxir.jit
    def step(params: Any, state: Any) -> Any:
        def loss(params: Any) -> Any:
            return nn.cross_entropy(model(params, x), labels)

        value, gradients = dxir.value_and_grad(loss)(params)
        params, state = nn.adam(params, gradients, state, learning_rate=2e-2)
        return params, state, value

    params = init(KEYS[0])
    state = nn.init_adam(params)
    for _ in range(150):
        params, state, _ = step(params, state)
    assert float(nn.accuracy(model(params, x), labels)) > 0.95
    assert step.traces == 1


def test_models_with_parameters_of_their_own_are_batched() -> None:
    keys, x = random.split(KEYS[1], 3), numbers(5, 2)
    stacked = dxir.vmap(init)(keys)
    found = np.asarray(dxir.vmap(model, in_axes=(0, None))(stacked, x))
    for i, key in enumerate(keys):
        np.testing.assert_allclose(found[i], model(init(key), x), rtol=1e-4, atol=1e-5)


def test_gradients_of_each_sample_add_up_to_those_of_the_batch() -> None:
    params, x = init(KEYS[0]), numbers(4, 2)
    labels = np.asarray([0, 1, 1, 0], np.int32)

    def loss(params: Any, x: Any, label: Any) -> Any:
        return nn.cross_entropy(model(params, x), label, reduction="sum")

    each = dxir.vmap(dxir.grad(loss), in_axes=(None, 0, 0))(params, x, labels)
    whole = dxir.grad(loss)(params, x, labels)
    for a, b in zip(dxir.tree.leaves(each), dxir.tree.leaves(whole), strict=True):
        np.testing.assert_allclose(np.asarray(a).sum(axis=0), b, rtol=1e-4, atol=1e-5)


def test_a_block_that_is_made_again_has_the_same_gradients() -> None:
    params = nn.init_transformer_block(KEYS[2], 8, 2)
    x = numbers(2, 4, 8)

    def loss(block: Callable[..., Any]) -> Any:
        def total(params: Any) -> Any:
            y = block(params, x)
            return dxir.ops.mean(y * y)

        return dxir.jit(dxir.grad(total))(params)

    again = loss(dxir.checkpoint(nn.transformer_block))
    for a, b in zip(
        dxir.tree.leaves(again), dxir.tree.leaves(loss(nn.transformer_block)), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_a_model_travels_to_old_readers() -> None:
    params, x = init(KEYS[0]), numbers(3, 2)
    program = dxir.jit(model).lower(params, x)
    old = dxir.load(program.serialize("1.0.0"))
    leaves = [np.asarray(leaf) for leaf in dxir.tree.leaves((params, x))]
    np.testing.assert_allclose(dxir.compile(old)(*leaves), model(params, x), rtol=1e-5, atol=1e-6)


def test_layers_take_values_of_a_graph_that_is_built_by_hand() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[3, 2], name="x")
    kernel = b.param(dxir.f32[2, 4], name="kernel")
    y = nn.layer_norm(nn.init_layer_norm(4), nn.linear({"kernel": kernel}, x))
    f = b.build(y)
    assert [node.op for node in f.nodes if "norm" in node.op] == ["layer_norm"]
    given = numbers(3, 2), numbers(2, 4)
    wanted = nn.layer_norm(nn.init_layer_norm(4), given[0] @ given[1])
    np.testing.assert_allclose(dxir.evaluate(f, *given), wanted, rtol=1e-4, atol=1e-5)


def test_a_generation_step_is_one_program_for_all_positions() -> None:
    params = nn.init_transformer_block(KEYS[3], 8, 2, kv_heads=1, feed_forward="swiglu")
    x, cache = numbers(1, 5, 8), nn.init_kv_cache(params["attention"], 1, 5)

    @dxir.jit
    def step(params: Any, x: Any, cache: Any, position: Any) -> Any:
        return nn.transformer_block(params, x, cache=cache, position=position)

    found = []
    for i in range(5):
        y, cache = step(params, x[:, i : i + 1], cache, i)
        found.append(np.asarray(y))
    whole = nn.transformer_block(params, x, causal=True)
    np.testing.assert_allclose(np.concatenate(found, 1), whole, rtol=1e-4, atol=1e-5)
    assert step.traces == 1


def test_batches_of_any_size_are_one_program() -> None:
    params, x = init(KEYS[0]), numbers(3, 2)
    normed, state = nn.init_batch_norm(2)
    block = nn.init_transformer_block(KEYS[3], 8, 2)
    for call, size, given in (
        (lambda x: model(params, x), dxir.f32["n", 2], x),
        (lambda x: nn.batch_norm(normed, x, state, training=False)[0], dxir.f32["n", 2], x),
        (lambda x: nn.transformer_block(block, x), dxir.f32["n", 4, 8], numbers(2, 4, 8)),
    ):
        program = dxir.jit(call).lower(size)
        found = dxir.compile(program)(given)
        np.testing.assert_allclose(found, call(given), rtol=1e-4, atol=1e-5)
    recurrent = dxir.jit(nn.gru)
    with pytest.raises(dxir.DxirError, match="loops over sizes that are known"):
        recurrent.lower(nn.init_gru(KEYS[3], 2, 3), dxir.f32["n", 4, 2])


def test_values_that_are_not_finite_stay_where_they_are() -> None:
    x = numbers(4, 2)
    x[1, 0], x[2, 1] = np.nan, np.inf
    found = np.asarray(nn.linear(init(KEYS[0])["hidden"], x))
    assert np.isfinite(found[[0, 3]]).all()
    assert np.isnan(found[1]).all()
    rows = np.asarray(nn.layer_norm(nn.init_layer_norm(2), x))
    assert np.isfinite(rows[[0, 3]]).all()
    probabilities = np.asarray(nn.softmax(x))
    assert np.isnan(probabilities[1]).all()
