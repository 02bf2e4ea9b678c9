"""Optimizers step by step beside their formulas in f64, and what is done with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import dxir
from dxir import nn, random
from dxir.nn import schedules

NUMBERS = np.random.default_rng(9)
SHAPES = {"kernel": (3, 2), "bias": (2,)}
PARAMS = {k: NUMBERS.normal(size=s) for k, s in SHAPES.items()}
GRADIENTS = [{k: NUMBERS.normal(size=s) for k, s in SHAPES.items()} for _ in range(5)]
RATE = 0.1


def adam(p: Any, g: Any, s: dict[str, Any], t: int, decay: float = 0.0) -> Any:
    s["m"] = 0.8 * s.get("m", 0) + 0.2 * g
    s["v"] = 0.95 * s.get("v", 0) + 0.05 * g**2
    move = (s["m"] / (1 - 0.8**t)) / (np.sqrt(s["v"] / (1 - 0.95**t)) + 1e-6)
    return p - RATE * (move + decay * p)


def momentum(p: Any, g: Any, s: dict[str, Any], t: int, nesterov: bool = False) -> Any:
    s["v"] = 0.7 * s.get("v", 0) + g
    return p - RATE * (0.7 * s["v"] + g if nesterov else s["v"])


def lion(p: Any, g: Any, s: dict[str, Any], t: int) -> Any:
    moved = p - RATE * (np.sign(0.9 * s.get("m", 0) + 0.1 * g) + 0.3 * p)
    s["m"] = 0.99 * s.get("m", 0) + 0.01 * g
    return moved


def rmsprop(p: Any, g: Any, s: dict[str, Any], t: int) -> Any:
    s["v"] = 0.7 * s.get("v", 0) + 0.3 * g**2
    return p - RATE * g / (np.sqrt(s["v"]) + 1e-6)


BETAS = {"b1": 0.8, "b2": 0.95, "epsilon": 1e-6}
CASES: list[tuple[str, dict[str, Any], Callable[..., Any]]] = [
    ("sgd", {}, lambda p, g, s, t: p - RATE * g),
    ("momentum", {"decay": 0.7}, momentum),
    ("momentum", {"decay": 0.7, "nesterov": True}, lambda *a: momentum(*a, nesterov=True)),
    ("adam", BETAS, adam),
    ("adamw", {**BETAS, "weight_decay": 0.3}, lambda *a: adam(*a, decay=0.3)),
    ("lion", {"weight_decay": 0.3}, lion),
    ("rmsprop", {"decay": 0.7, "epsilon": 1e-6}, rmsprop),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("name", "options", "formula"), CASES)
def test_steps_are_those_of_the_formula(
    name: str, options: dict[str, Any], formula: Callable[..., Any], dtype: Any
) -> None:
    init, step = getattr(nn, f"init_{name}"), getattr(nn, name)
    compiled = dxir.jit(lambda p, g, s: step(p, g, s, learning_rate=RATE, **options))
    params = dxir.tree.map(lambda p: dxir.Array(p.astype(dtype)), PARAMS)
    both = [(params, init(params)), (params, init(params))]
    wanted, kept = dict(PARAMS), {k: {} for k in PARAMS}
    for t, gradients in enumerate(GRADIENTS, 1):
        wanted = {k: formula(wanted[k], gradients[k], kept[k], t) for k in wanted}
        given = dxir.tree.map(lambda g: dxir.Array(g.astype(dtype)), gradients)
        for i, call in enumerate((compiled.eager, compiled)):
            params, state = call(both[i][0], given, both[i][1])
            both[i] = (params, state)
            near = 1e-12 if dtype is np.float64 else 3e-5
            for k, p in wanted.items():
                assert params[k].dtype == dxir.DType.of(dtype)
                np.testing.assert_allclose(params[k], p, rtol=near, atol=near, err_msg=k)
            assert int(state.step) == t


class Layer(NamedTuple):
    """Parameters of which not all are trained."""

    kernel: Any
    count: Any
    missing: Any
    label: Any


@pytest.mark.parametrize("name", ["sgd", "momentum", "adam", "adamw", "lion", "rmsprop"])
def test_what_is_not_trained_passes_through(name: str) -> None:
    init, step = getattr(nn, f"init_{name}"), getattr(nn, name)
    x = dxir.Array(np.ones(3, np.float32))
    layer = Layer(x, dxir.Array(np.asarray([1, 2], np.int32)), None, "name")
    params = {"a": layer, "frozen": x, "list": [x, 3]}
    gradients = {"a": Layer(x, None, None, None), "frozen": None, "list": [x, None]}
    found, state = step(params, gradients, init(params))
    assert np.array_equal(found["a"].count, [1, 2])
    assert (found["a"].missing, found["a"].label, found["list"][1]) == (None, "name", 3)
    assert np.array_equal(found["frozen"], x)
    assert not np.array_equal(found["a"].kernel, x)
    assert not np.array_equal(found["list"][0], x)
    step(found, gradients, state)


def test_narrow_parameters_are_kept_narrow_and_their_state_wide() -> None:
    params = {"w": dxir.Array(np.ones(4, dxir.bf16.numpy))}
    state = nn.init_adam(params)
    assert state.mean["w"].dtype == dxir.f32
    gradients = {"w": dxir.Array(np.full(4, 1e-3, dxir.bf16.numpy))}
    params, state = dxir.jit(nn.adam)(params, gradients, state)
    assert (params["w"].dtype, state.square["w"].dtype) == (dxir.bf16, dxir.f32)


def test_the_mask_of_adamw_says_what_is_made_smaller() -> None:
    params = dxir.tree.map(lambda p: dxir.Array(p.astype(np.float32)), PARAMS)
    zeros = dxir.tree.map(lambda p: p * 0, params)
    for mask in (lambda p: len(p.shape) > 1, {"kernel": True, "bias": False}):
        found, _ = nn.adamw(
            params, zeros, nn.init_adamw(params), learning_rate=0.1, weight_decay=0.5, mask=mask
        )
        assert np.array_equal(found["bias"], params["bias"])
        np.testing.assert_allclose(found["kernel"], PARAMS["kernel"] * 0.95, rtol=1e-5)


def test_learning_rates_may_be_schedules_and_arrays() -> None:
    params, gradients = {"w": dxir.Array(np.float32(1))}, {"w": dxir.Array(np.float32(1))}
    step = dxir.jit(
        lambda p, s: nn.sgd(p, gradients, s, learning_rate=schedules.linear(0.5, 0.1, 2))
    )
    state, found = nn.init_sgd(params), []
    for _ in range(4):
        params, state = step(params, state)
        found.append(float(params["w"]))
    np.testing.assert_allclose(found, np.cumsum([-0.5, -0.3, -0.1, -0.1]) + 1, atol=1e-6)
    rate = np.float32(0.25)
    moved, _ = nn.sgd(params, gradients, state, learning_rate=rate)
    np.testing.assert_allclose(float(moved["w"]), found[-1] - 0.25, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda p, s: nn.adam(p, p, nn.init_sgd(p)), "nn.adam takes its AdamState"),
        (lambda p, s: nn.adam(p, {"kernel": p["kernel"]}, s), "gradients of nn.adam"),
        (
            lambda p, s: nn.adam(p, {**p, "bias": p["kernel"]}, s),
            "the gradient of params['bias'] has type f64[3, 2], but the parameter f64[2]",
        ),
        (lambda p, s: nn.adam({"w": p["bias"]}, {"w": p["bias"]}, s), "the state of nn.adam"),
        (
            lambda p, s: nn.adam({**p, "bias": p["kernel"]}, {**p, "bias": p["kernel"]}, s),
            "the state of nn.adam does not fit params['bias']",
        ),
        (lambda p, s: nn.adam(p, p, s, b1=1.0), "b1 is 1.0"),
        (lambda p, s: nn.adam(p, p, s, learning_rate=p["bias"]), "not one float"),
        (lambda p, s: nn.adam(p, p, s, rate=0.1), "learning_rate"),
        (lambda p, s: nn.adamw(p, p, s, mask={"kernel": 1, "bias": 0}), "the mask of nn.adamw"),
        (lambda p, s: nn.init_adam({"w": np.ones(2, np.complex64)}), "is complex"),
    ],
)
def test_wrong_steps_are_refused(call: Callable[..., object], said: str) -> None:
    params = dxir.tree.map(dxir.Array, PARAMS)
    with pytest.raises(dxir.DxirError) as caught:
        call(params, nn.init_adam(params))
    assert said in str(caught.value)
    assert "test_optimizers.py" in str(caught.value.where)


STEPS = np.arange(0, 14)


@pytest.mark.parametrize(
    ("schedule", "formula"),
    [
        (schedules.constant(0.3), lambda s: 0.3),
        (schedules.linear(0.5, 0.1, 10), lambda s: 0.5 - 0.4 * min(s / 10, 1)),
        (
            schedules.cosine(0.5, 10, end=0.1),
            lambda s: 0.1 + 0.2 * (1 + np.cos(np.pi * min(s / 10, 1))),
        ),
        (
            schedules.warmup_cosine(0.5, 4, 10, start=0.1, end=0.02),
            lambda s: (
                0.1 + 0.4 * s / 4
                if s < 4
                else 0.02 + 0.24 * (1 + np.cos(np.pi * min((s - 4) / 6, 1)))
            ),
        ),
        (
            schedules.warmup_cosine(0.5, 0, 10),
            lambda s: 0.25 * (1 + np.cos(np.pi * min(s / 10, 1))),
        ),
        (schedules.exponential(0.5, 0.9, 4), lambda s: 0.5 * 0.9 ** (s / 4)),
        (schedules.exponential(0.5, 0.9, 4, staircase=True), lambda s: 0.5 * 0.9 ** (s // 4)),
        (
            schedules.piecewise(0.5, {8: 0.1, 3: 0.5}),
            lambda s: 0.5 * (0.5 if s >= 3 else 1) * (0.1 if s >= 8 else 1),
        ),
    ],
)
def test_schedules_are_functions_of_the_step(
    schedule: Callable[[Any], Any], formula: Callable[[int], float]
) -> None:
    compiled = dxir.jit(schedule)
    for step in STEPS.tolist():
        for found in (schedule(step), compiled(np.int32(step))):
            assert found.type == dxir.f32[()]
            np.testing.assert_allclose(float(found), formula(step), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: schedules.cosine(0.1, 0), "steps is 0"),
        (lambda: schedules.linear(0.1, 0.2, 1.5), "steps is 1.5"),
        (lambda: schedules.warmup_cosine(0.1, 10, 10), "less than all 10 steps"),
        (lambda: schedules.exponential(0.1, 0, 10), "decay is 0"),
        (lambda: schedules.piecewise(0.1, {-1: 0.1}), "a step is -1"),
    ],
)
def test_wrong_schedules_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError, match=said):
        call()


def test_gradients_are_clipped_by_their_global_norm() -> None:
    given = {"a": np.asarray([3.0, 0.0], np.float32), "b": [np.float32(4), None], "n": 3}
    assert float(nn.global_norm(given)) == 5
    found = nn.clip_by_global_norm(given, 1.0)
    np.testing.assert_allclose(found["a"], [0.6, 0], rtol=1e-6)
    np.testing.assert_allclose(found["b"][0], 0.8, rtol=1e-6)
    assert (found["b"][1], found["n"]) == (None, 3)
    same = dxir.jit(lambda g: nn.clip_by_global_norm(g, 10.0))(given["a"])
    assert np.array_equal(same, given["a"])
    assert float(nn.global_norm({})) == 0
    assert float(nn.global_norm(np.zeros(3, np.float32))) == 0
    zeros = nn.clip_by_global_norm(np.zeros(3, np.float32), 1.0)
    assert np.array_equal(zeros, np.zeros(3))
    narrow = nn.clip_by_global_norm(dxir.Array(np.full(400, 1, dxir.bf16.numpy)), 1.0)
    np.testing.assert_allclose(np.asarray(narrow).astype(np.float32), 0.05, rtol=1e-2)
    with pytest.raises(dxir.DxirError, match="the limit is 0"):
        nn.clip_by_global_norm(given, 0)


def test_gradients_are_clipped_by_value() -> None:
    given = np.asarray([-3, -0.5, np.inf, np.nan, 0.5], np.float32)
    found = np.asarray(nn.clip_by_value(given, 1.0))
    assert np.array_equal(found, [-1, -0.5, 1, np.nan, 0.5], equal_nan=True)


def test_running_means_of_parameters_decay() -> None:
    old, new = {"w": np.float32(1), "n": 1}, {"w": np.float32(2), "n": 2}
    found = nn.ema(old, new, 0.75)
    assert (float(found["w"]), found["n"]) == (1.25, 2)
    with pytest.raises(dxir.DxirError, match="decay is 2"):
        nn.ema(old, new, 2)


def test_gradients_in_parts_are_those_of_the_whole_batch() -> None:
    keys = random.split(random.key(0), 3)
    params = nn.init_linear(keys[0], 4, 3)
    x, y = random.normal(keys[1], (12, 4)), random.randint(keys[2], (12,), 0, 3)

    def loss(params: Any, x: Any, y: Any) -> Any:
        return nn.cross_entropy(nn.linear(params, x), y)

    def parts(params: Any, x: Any, y: Any) -> Any:
        return nn.accumulated_gradients(loss, params, x, y, parts=3)

    value, gradients = dxir.value_and_grad(loss)(params, x, y)
    for call in (parts, dxir.jit(parts)):
        found, summed = call(params, x, y)
        np.testing.assert_allclose(found, value, rtol=1e-5)
        for k in params:
            np.testing.assert_allclose(summed[k], gradients[k], rtol=1e-4, atol=1e-6)
    with pytest.raises(dxir.DxirError, match="does not fall into 5 parts"):
        nn.accumulated_gradients(loss, params, x, y, parts=5)
