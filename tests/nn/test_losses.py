"""Losses and metrics beside SciPy's functions in f64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

import dxir
from dxir import nn

NUMBERS = np.random.default_rng(8)
LOGITS = (NUMBERS.normal(size=(6, 4)) * 3).astype(np.float32)
LABELS = NUMBERS.integers(0, 4, 6).astype(np.int32)
A, B = (NUMBERS.normal(size=(5, 3)).astype(np.float32) * 2 for _ in range(2))


def entropy(logits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return -(weights * special.log_softmax(logits.astype(np.float64), axis=-1)).sum(axis=-1)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_of_integers_and_of_probabilities(
    run: Callable[..., Any], smoothing: float, reduction: str
) -> None:
    def loss(logits: Any, labels: Any) -> Any:
        return nn.cross_entropy(logits, labels, label_smoothing=smoothing, reduction=reduction)

    hot = np.eye(4)[LABELS]
    wanted = entropy(LOGITS, hot * (1 - smoothing) + smoothing / 4)
    wanted = wanted if reduction == "none" else getattr(np, reduction)(wanted)
    np.testing.assert_allclose(run(loss, LOGITS, LABELS), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        run(loss, LOGITS, hot.astype(np.float32)), wanted, rtol=1e-5, atol=1e-6
    )


def test_classes_may_lie_along_any_axis() -> None:
    images = NUMBERS.normal(size=(2, 4, 3, 5)).astype(np.float32)
    labels = NUMBERS.integers(0, 4, (2, 3, 5))
    wanted = entropy(np.moveaxis(images, 1, -1), np.eye(4)[labels]).mean()
    np.testing.assert_allclose(nn.cross_entropy(images, labels, axis=1), wanted, rtol=1e-5)
    assert 0 <= float(nn.accuracy(images, labels, axis=1)) <= 1


def test_ignored_labels_count_for_nothing(run: Callable[..., Any]) -> None:
    labels = LABELS.copy()
    labels[[1, 4]] = -100
    kept = labels != -100

    def loss(logits: Any, labels: Any) -> Any:
        return nn.cross_entropy(logits, labels, ignore_index=-100, label_smoothing=0.2)

    wanted = nn.cross_entropy(LOGITS[kept], LABELS[kept], label_smoothing=0.2)
    np.testing.assert_allclose(run(loss, LOGITS, labels), wanted, rtol=1e-5)
    slopes = np.asarray(dxir.grad(loss)(dxir.Array(LOGITS), labels))
    assert (slopes[~kept] == 0).all()
    assert (slopes[kept] != 0).any()
    nothing = np.full(6, -100, np.int32)
    assert float(loss(LOGITS, nothing)) == 0


def test_gradients_of_losses_hold(check_gradients: Callable[..., Any]) -> None:
    def loss(p: Any) -> Any:
        found = nn.cross_entropy(p["logits"], LABELS, label_smoothing=0.1)
        found = found + nn.bce_with_logits(p["a"], np.abs(np.tanh(B)).astype(np.float64))
        found = found + nn.mse(p["a"], B.astype(np.float64))
        found = found + nn.huber(p["a"], B.astype(np.float64), delta=0.7)
        shares = nn.softmax(p["a"])
        return found + nn.kl_divergence(nn.log_softmax(B.astype(np.float64)), shares)

    check_gradients(loss, {"logits": LOGITS, "a": A})


def test_losses_of_regression(run: Callable[..., Any]) -> None:
    error = A.astype(np.float64) - B
    np.testing.assert_allclose(run(nn.mse, A, B), (error**2).mean(), rtol=1e-5)
    np.testing.assert_allclose(run(nn.mae, A, B), np.abs(error).mean(), rtol=1e-5)
    wanted = special.huber(0.7, error)
    found = run(lambda a, b: nn.huber(a, b, delta=0.7, reduction="none"), A, B)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(nn.mse(np.asarray([3, 5]), np.asarray([1, 5])), 2.0)


def test_losses_of_probabilities(run: Callable[..., Any]) -> None:
    targets = (B > 0).astype(np.float32)
    a = A.astype(np.float64)
    wanted = -(targets * special.log_expit(a) + (1 - targets) * special.log_expit(-a)).mean()
    np.testing.assert_allclose(run(nn.bce_with_logits, A, targets), wanted, rtol=1e-5)
    np.testing.assert_allclose(run(nn.bce_with_logits, A, B > 0), wanted, rtol=1e-5)
    shares = special.softmax(B.astype(np.float64), axis=-1)
    shares[0] = [1, 0, 0]
    logs = special.log_softmax(a, axis=-1)
    found = run(nn.kl_divergence, logs.astype(np.float32), shares.astype(np.float32))
    wanted = special.rel_entr(shares, np.exp(logs)).sum(axis=-1).mean()
    np.testing.assert_allclose(found, wanted, rtol=1e-4)


def test_huge_logits_give_finite_losses() -> None:
    logits = np.asarray([[1e30, -1e30], [-1e30, 1e30]], np.float32)
    labels = np.asarray([0, 1], np.int32)
    assert float(nn.cross_entropy(logits, labels)) == 0
    hot = np.asarray([1.0, 0.0], np.float32)
    assert float(nn.bce_with_logits(logits[0], hot)) == 0
    assert float(nn.bce_with_logits(np.float32(1e4), np.float32(0))) == 1e4
    hidden = np.asarray([[0, -np.inf, 0]], np.float32)
    np.testing.assert_allclose(
        nn.cross_entropy(hidden, np.asarray([0], np.int32)), np.log(2), rtol=1e-6
    )


def test_narrow_floats_are_summed_in_f32() -> None:
    ones = dxir.Array(np.ones(4000, dxir.bf16.numpy))
    found = nn.mse(ones, ones * 0, reduction="sum")
    assert found.dtype == dxir.f32
    assert float(found) == 4000
    assert nn.cross_entropy(dxir.Array(LOGITS.astype(dxir.bf16.numpy)), LABELS).dtype == dxir.f32


def test_accuracy_is_the_share_of_right_answers(run: Callable[..., Any]) -> None:
    labels = LOGITS.argmax(axis=-1)
    assert run(nn.accuracy, LOGITS, labels) == 1
    labels[:2] = (labels[:2] + 1) % 4
    assert np.isclose(run(nn.accuracy, LOGITS, labels), 4 / 6)
    beyond = LOGITS.argmax(axis=-1).astype(np.int64) + 2**32
    assert float(nn.accuracy(LOGITS, beyond)) == 0
    many = np.eye(300, dtype=np.float32)
    assert float(nn.accuracy(many, np.arange(300).astype(np.uint8))) == np.float32(256 / 300)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nn.cross_entropy(LOGITS, LABELS[:5]), "labels have type i32[5]"),
        (lambda: nn.cross_entropy(LOGITS, LABELS[:, None]), "integers of the shape"),
        (lambda: nn.cross_entropy(LABELS, LABELS), "logits are floats"),
        (lambda: nn.cross_entropy(LOGITS, LABELS, label_smoothing=1), "from 0 up to 1"),
        (lambda: nn.cross_entropy(LOGITS, LABELS, reduction="max"), "reduction"),
        (lambda: nn.cross_entropy(LOGITS, LABELS, axis=2), "axis"),
        (lambda: nn.cross_entropy(LOGITS, LOGITS, ignore_index=1), "for integer labels"),
        (lambda: nn.cross_entropy(LOGITS, LABELS, smoothing=0.1), "label_smoothing"),
        (lambda: nn.mse(A, B[:, :1]), "nn.mse compares predictions"),
        (lambda: nn.mae(A, 1.0), "must have one shape"),
        (lambda: nn.huber(A, B, delta=0), "delta is 0"),
        (lambda: nn.bce_with_logits(A, B[0]), "nn.bce_with_logits compares"),
        (lambda: nn.kl_divergence(A, B[0]), "nn.kl_divergence compares"),
        (lambda: nn.accuracy(LOGITS, LOGITS), "labels have type"),
    ],
)
def test_wrong_losses_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_losses.py" in str(caught.value.where)
