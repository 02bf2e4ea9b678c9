"""Recurrent layers beside loops of NumPy, feed-forward layers, and dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

import dxir
from dxir import nn, random

KEYS = random.split(random.key(6), 8)
NUMBERS = np.random.default_rng(6)
HIDDEN = 4


def numbers(*shape: int) -> np.ndarray:
    return NUMBERS.normal(size=shape).astype(np.float32)


X = numbers(2, 5, 3)


def wide(params: Any) -> dict[str, np.ndarray]:
    return {k: np.asarray(v, np.float64) for k, v in params.items()}


def gru_loop(params: Any, x: np.ndarray, h: np.ndarray) -> np.ndarray:
    p, found = wide(params), []
    for row in np.moveaxis(x.astype(np.float64), -2, 0):
        a = np.split(row @ p["input"] + p["bias"], 3, axis=-1)
        b = np.split(h @ p["state"], 3, axis=-1)
        r, z = special.expit(a[0] + b[0]), special.expit(a[1] + b[1])
        h = (1 - z) * np.tanh(a[2] + r * (b[2] + p["state_bias"])) + z * h
        found.append(h)
    return np.stack(found, -2)


def lstm_loop(params: Any, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> Any:
    p, found = wide(params), []
    for row in np.moveaxis(x.astype(np.float64), -2, 0):
        i, f, g, o = np.split(row @ p["input"] + p["bias"] + h @ p["state"], 4, axis=-1)
        c = special.expit(f) * c + special.expit(i) * np.tanh(g)
        h = special.expit(o) * np.tanh(c)
        found.append(h)
    return np.stack(found, -2), h, c


def moved(params: Any) -> Any:
    """Parameters none of which are zeros."""
    return dxir.tree.map(lambda p: p + 0.1, params)


def test_gru_is_a_loop_of_its_cell(run: Callable[..., Any]) -> None:
    params = moved(nn.init_gru(KEYS[0], 3, HIDDEN))
    states, last = run(nn.gru, params, X)
    wanted = gru_loop(params, X, np.zeros((2, HIDDEN)))
    np.testing.assert_allclose(states, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(last, states[:, -1])
    start = numbers(2, HIDDEN)
    states, _ = run(nn.gru, params, X, start)
    np.testing.assert_allclose(states, gru_loop(params, X, start), rtol=1e-4, atol=1e-5)
    cell = nn.gru_cell(params, X[:, 0], start)
    np.testing.assert_allclose(cell, states[:, 0], rtol=1e-5, atol=1e-6)


def test_lstm_is_a_loop_of_its_cell(run: Callable[..., Any]) -> None:
    params = moved(nn.init_lstm(KEYS[1], 3, HIDDEN))
    h, c = numbers(2, HIDDEN), numbers(2, HIDDEN)
    outputs, last = run(nn.lstm, params, X, nn.LstmState(h, c))
    wanted, hidden, cell = lstm_loop(params, X, h, c)
    np.testing.assert_allclose(outputs, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(last.hidden, hidden, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(last.cell, cell, rtol=1e-4, atol=1e-5)
    one = nn.lstm_cell(params, X[:, 0], nn.LstmState(h, c))
    np.testing.assert_allclose(one.hidden, outputs[:, 0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("layer", ["gru", "lstm"])
def test_in_reverse_the_last_step_is_the_first_of_the_sequence(
    run: Callable[..., Any], layer: str
) -> None:
    call: Any = getattr(nn, layer)
    params = getattr(nn, f"init_{layer}")(KEYS[0], 3, HIDDEN)
    back, _ = run(lambda p, x: call(p, x, reverse=True), params, X)
    turned, _ = run(call, params, X[:, ::-1].copy())
    np.testing.assert_allclose(back, turned[:, ::-1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("layer", ["gru", "lstm"])
def test_sequences_have_any_leading_axes(layer: str) -> None:
    call: Any = getattr(nn, layer)
    params = getattr(nn, f"init_{layer}")(KEYS[0], 3, HIDDEN)
    whole = np.asarray(call(params, X)[0])
    np.testing.assert_allclose(call(params, X[0])[0], whole[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(call(params, X[None])[0], whole[None], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("layer", ["gru", "lstm"])
def test_gradients_go_through_the_loop(check_gradients: Callable[..., Any], layer: str) -> None:
    call: Any = getattr(nn, layer)
    params = moved(getattr(nn, f"init_{layer}")(KEYS[0], 3, HIDDEN))
    x = X.astype(np.float64)

    def loss(p: Any) -> Any:
        y = call(p, x)[0]
        return dxir.ops.sum(y * y)

    check_gradients(loss, params)
    leaves = zip(
        dxir.tree.leaves(dxir.grad(loss)(params)),
        dxir.tree.leaves(dxir.jit(dxir.grad(loss))(params)),
        strict=True,
    )
    for a, b in leaves:
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_states_keep_their_type() -> None:
    params = nn.init_lstm(KEYS[0], 3, HIDDEN, dtype="bf16")
    x = dxir.Array(X.astype(dxir.bf16.numpy))
    outputs, last = dxir.jit(nn.lstm)(params, x)
    assert {outputs.dtype, last.hidden.dtype, last.cell.dtype} == {dxir.bf16}
    bias = np.asarray(nn.init_lstm(KEYS[0], 3, HIDDEN)["bias"])
    assert bias.tolist() == [0] * HIDDEN + [1] * HIDDEN + [0] * 2 * HIDDEN


def test_mlp_and_swiglu_are_their_formulas(run: Callable[..., Any]) -> None:
    params = moved(nn.init_mlp(KEYS[2], 3, 8, 2))
    up, down = (wide(params[n]) for n in ("up", "down"))
    wanted = np.tanh(X @ up["kernel"] + up["bias"]) @ down["kernel"] + down["bias"]
    found = run(lambda p, x: nn.mlp(p, x, activation=nn.tanh), params, X)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    gated = nn.init_swiglu(KEYS[2], 3, 8)
    gate, up, down = (np.asarray(gated[n]["kernel"]) for n in ("gate", "up", "down"))
    wanted = ((X @ gate) * special.expit(X @ gate) * (X @ up)) @ down
    np.testing.assert_allclose(run(nn.swiglu, gated, X), wanted, rtol=1e-4, atol=1e-5)
    assert '"dxir.mlp"' in str(dxir.jit(nn.swiglu).lower(gated, X))


def test_dropout_drops_as_many_as_asked_and_keeps_the_mean(run: Callable[..., Any]) -> None:
    x = np.ones((200, 200), np.float32)
    found = run(lambda k, x: nn.dropout(k, x, 0.25), KEYS[3], x)
    assert set(np.unique(found)) == {0.0, np.float64(np.float32(1 / 0.75))}
    assert abs((found == 0).mean() - 0.25) < 0.01
    assert abs(found.mean() - 1) < 0.01
    other = np.asarray(nn.dropout(KEYS[4], x, 0.25))
    assert not np.array_equal(found, other)


def test_dropout_drops_nothing_where_it_is_deterministic() -> None:
    assert np.array_equal(nn.dropout(None, X, 0.5, deterministic=True), X)
    assert np.array_equal(nn.dropout(None, X, 0), X)
    slopes = dxir.grad(lambda x: dxir.ops.sum(nn.dropout(KEYS[3], x, 0.5)))(dxir.Array(X))
    assert np.array_equal(slopes, (np.asarray(nn.dropout(KEYS[3], X * 0 + 1, 0.5))))


def test_dropping_what_is_not_finite_gives_zeros() -> None:
    x = np.full((100,), np.nan, np.float32)
    found = np.asarray(nn.dropout(KEYS[3], x, 0.5))
    assert 20 < (found == 0).sum() < 80


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nn.dropout(KEYS[0], X, 1.0), "the rate of nn.dropout is 1.0"),
        (lambda: nn.dropout(KEYS[0], X, -0.1), "from 0 up to 1"),
        (lambda: nn.dropout(KEYS[0], X, True), "the rate of nn.dropout is True"),
        (lambda: nn.dropout(None, X, 0.5), "needs a key"),
        (lambda: nn.dropout(0, X, 0.5), "a key is needed"),
        (lambda: nn.gru(nn.init_lstm(KEYS[0], 3, 3), X), "misses 'state_bias'"),
        (lambda: nn.lstm(nn.init_gru(KEYS[0], 3, 4), X), "no parameter 'state_bias'"),
        (
            lambda: nn.lstm(
                {k: v for k, v in nn.init_gru(KEYS[0], 3, 4).items() if k != "state_bias"}, X
            ),
            "its shape must be [hidden, 4 * hidden]",
        ),
        (lambda: nn.gru(nn.init_gru(KEYS[0], 3, 4), numbers(2, 5, 2)), "it must be 3"),
        (lambda: nn.gru(nn.init_gru(KEYS[0], 3, 4), numbers(3)), "[..., time, inputs]"),
        (lambda: nn.gru(nn.init_gru(KEYS[0], 3, 4), X, numbers(2, 5)), "it must be 4"),
        (lambda: nn.lstm(nn.init_lstm(KEYS[0], 3, 4), X, X[:, 0]), "an LstmState, not ndarray"),
        (lambda: nn.mlp(nn.init_swiglu(KEYS[0], 3, 4), X), "no parameter 'gate'"),
        (lambda: nn.swiglu(nn.init_swiglu(KEYS[0], 4, 4), X), "it must be 4"),
        (lambda: nn.swiglu(nn.init_mlp(KEYS[0], 3, 4), X), "misses 'gate'"),
    ],
)
def test_wrong_layers_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_recurrent.py" in str(caught.value.where)
