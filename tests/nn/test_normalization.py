"""Norms, beside NumPy in f64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import nn

NUMBERS = np.random.default_rng(3)


def numbers(*shape: int) -> np.ndarray:
    return (NUMBERS.normal(size=shape) * 2 + 1).astype(np.float32)


def scaled(width: int, names: str = "scale offset") -> dict[str, np.ndarray]:
    return {name: numbers(width) for name in names.split()}


def normal(x: np.ndarray, axes: tuple[int, ...], epsilon: float = 1e-5) -> np.ndarray:
    wide = x.astype(np.float64)
    mean = wide.mean(axis=axes, keepdims=True)
    return (wide - mean) / np.sqrt(wide.var(axis=axes, keepdims=True) + epsilon)


def test_layer_norm_is_over_the_last_axis(run: Callable[..., Any]) -> None:
    params, x = scaled(6), numbers(2, 3, 6)
    wanted = normal(x, (-1,)) * params["scale"] + params["offset"]
    np.testing.assert_allclose(run(nn.layer_norm, params, x), wanted, rtol=1e-4, atol=1e-5)
    del params["offset"]
    np.testing.assert_allclose(
        run(nn.layer_norm, params, x), normal(x, (-1,)) * params["scale"], rtol=1e-4, atol=1e-5
    )


def test_rms_norm_keeps_the_mean(run: Callable[..., Any]) -> None:
    params, x = scaled(6, "scale"), numbers(2, 3, 6)
    wide = x.astype(np.float64)
    wanted = wide / np.sqrt((wide**2).mean(axis=-1, keepdims=True) + 1e-5) * params["scale"]
    np.testing.assert_allclose(run(nn.rms_norm, params, x), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("feature_axis", [1, -1])
def test_group_norm_is_over_groups_of_features(run: Callable[..., Any], feature_axis: int) -> None:
    params, x = scaled(6), numbers(2, 6, 4, 5)
    wanted = normal(x.reshape(2, 3, 2, 4, 5), (2, 3, 4)).reshape(x.shape)
    wanted = wanted * params["scale"][:, None, None] + params["offset"][:, None, None]
    given = np.moveaxis(x, 1, feature_axis)
    found = run(lambda p, x: nn.group_norm(p, x, 3, feature_axis=feature_axis), params, given)
    np.testing.assert_allclose(np.moveaxis(found, feature_axis, 1), wanted, rtol=1e-4, atol=1e-5)


def test_batch_norm_takes_the_batch_in_training_and_the_running_statistics_afterwards(
    run: Callable[..., Any],
) -> None:
    _, state = nn.init_batch_norm(3)
    params, x = scaled(3), numbers(8, 3, 5)

    def train(params: Any, x: Any, state: Any) -> Any:
        return nn.batch_norm(params, x, state, training=True, decay=0.75)

    y, moved = run(train, params, x, state)
    shaped = {k: v[:, None] for k, v in params.items()}
    wanted = normal(x, (0, 2)) * shaped["scale"] + shaped["offset"]
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(moved.mean, 0.25 * x.mean(axis=(0, 2)), rtol=1e-4)
    np.testing.assert_allclose(moved.variance, 0.75 + 0.25 * x.var(axis=(0, 2)), rtol=1e-4)
    _, next_state = train(params, x, state)

    def infer(params: Any, x: Any, state: Any) -> Any:
        return nn.batch_norm(params, x, state, training=False)

    y, kept = run(infer, params, x, next_state)
    root = np.sqrt(moved.variance + 1e-5)[:, None]
    wanted = (x - moved.mean[:, None]) / root * shaped["scale"] + shaped["offset"]
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)
    assert np.array_equal(kept.mean, moved.mean)


def test_batch_norm_does_not_cancel_where_the_mean_is_large() -> None:
    params, state = nn.init_batch_norm(2)
    x = (1e4 + NUMBERS.normal(size=(64, 2))).astype(np.float32)
    y, moved = dxir.jit(lambda p, x, s: nn.batch_norm(p, x, s, training=True))(params, x, state)
    np.testing.assert_allclose(y, normal(x, (0,)), atol=2e-2)
    np.testing.assert_allclose(moved.variance, 0.9 + 0.1 * x.astype(np.float64).var(0), rtol=1e-2)


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_narrow_floats_are_normalized_in_f32_and_stay_narrow(dtype: str) -> None:
    kind = dxir.DType.of(dtype)
    x = dxir.Array(numbers(3, 4, 8).astype(kind.numpy))
    wide = np.asarray(x).astype(np.float64)
    near = {"rtol": 2e-2, "atol": 2e-2}
    for params in (nn.init_layer_norm(8, dtype=dtype), nn.init_layer_norm(8)):
        y = nn.layer_norm(params, x)
        assert y.dtype == kind
        np.testing.assert_allclose(np.asarray(y).astype(np.float64), normal(wide, (-1,)), **near)
    assert nn.rms_norm(nn.init_rms_norm(8), x).dtype == kind
    assert nn.group_norm(nn.init_group_norm(4), x, 2).dtype == kind
    params, state = nn.init_batch_norm(4, dtype=dtype)
    y, moved = nn.batch_norm(params, x, state, training=True)
    assert (y.dtype, moved.mean.dtype) == (kind, dxir.f32)
    np.testing.assert_allclose(np.asarray(y).astype(np.float64), normal(wide, (0, 2)), **near)


def test_gradients_go_through_the_statistics(check_gradients: Callable[..., Any]) -> None:
    x, weights = numbers(4, 6).astype(np.float64), numbers(4, 6).astype(np.float64)

    def loss(given: Any) -> Any:
        y = nn.layer_norm(given["p"], given["x"])
        z, _ = nn.batch_norm(given["p"], given["x"], nn.init_batch_norm(6)[1], training=True)
        return dxir.ops.sum((y + nn.rms_norm({"scale": given["p"]["scale"]}, z)) * weights)

    check_gradients(loss, {"p": scaled(6), "x": x})


def test_norms_travel_as_composites() -> None:
    params, x = nn.init_layer_norm(6), numbers(2, 6)
    text = str(dxir.jit(nn.layer_norm).lower(params, x))
    assert '"dxir.layer_norm"' in text
    rms = {"scale": params["scale"]}
    assert '"dxir.rms_norm"' in str(dxir.jit(nn.rms_norm).lower(rms, x))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nn.layer_norm(scaled(5), numbers(2, 6)), "it must be 5"),
        (lambda: nn.rms_norm(scaled(6), numbers(2, 6)), "no parameter 'offset'"),
        (lambda: nn.group_norm(scaled(6), numbers(2, 6), 4), "groups"),
        (lambda: nn.group_norm(scaled(6), numbers(2, 5), 4), "it must be 6"),
        (lambda: nn.batch_norm(scaled(6), numbers(2, 6), None, training=True), "BatchNormState"),
        (
            lambda: nn.batch_norm(
                scaled(6), numbers(2, 6), nn.init_batch_norm(5)[1], training=True
            ),
            "the mean of the state of nn.batch_norm has type f32[5]",
        ),
        (
            lambda: nn.batch_norm(
                scaled(6), numbers(2, 6), nn.init_batch_norm(6)[1], training=True, decay=2
            ),
            "decay is 2",
        ),
        (lambda: nn.batch_norm(scaled(6), numbers(2, 6), nn.init_batch_norm(6)[1]), "training"),
        (lambda: nn.init_layer_norm(0), "width is 0"),
    ],
)
def test_wrong_norms_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_normalization.py" in str(caught.value.where)
