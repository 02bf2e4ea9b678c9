"""What training makes small, and what it is judged by.

Each is a mean over all samples, or one number a sample with `reduction="none"`; `sum` adds up.
Narrow floats are computed in f32.
"""

from __future__ import annotations

from typing import Any

from dxir import checks, ops
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type, promoted
from dxir.tracing.arrays import Array
from dxir.types import f32, i1


def _reduced(x: Array, reduction: str) -> Array:
    checks.one_of(reduction, ("none", "mean", "sum"), "reduction")
    if reduction == "none":
        return x
    return ops.mean(x) if reduction == "mean" else ops.sum(x)


@public
def cross_entropy(
    logits: Any,
    labels: Any,
    *,
    axis: int = -1,
    label_smoothing: float = 0.0,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Array:
    """Minus the log softmax of `logits` at the `labels`.

    `labels` are integers, of the shape of the logits without `axis`, or probabilities of the
    shape of the logits. `label_smoothing` takes a share of each label and gives it to all classes
    alike. Labels that are `ignore_index` count for nothing, in a mean neither; others that are no
    class have a loss of 0, and count.
    """
    scores, wanted = array_of(logits), array_of(labels)
    if not 0 <= label_smoothing < 1:
        raise AttributeValueError(
            f"label_smoothing is {label_smoothing}, but must be from 0 up to 1",
            where=caller_location(),
        )
    if not scores.dtype.is_float:
        raise DTypeError(
            f"logits are floats, not {scores.type}",
            where=caller_location(),
            hint="logits go first, labels second",
        )
    scores = as_type(scores, scores.dtype.accumulator)
    place = checks.axis(axis, len(scores.shape))
    whole = wanted.dtype.is_integer
    shape = tuple([n for i, n in enumerate(scores.shape) if not whole or i != place])
    if wanted.shape != shape or wanted.dtype.is_bool:
        raise ShapeError(
            f"labels have type {wanted.type}, for logits of type {scores.type} along axis {axis}",
            where=caller_location(),
            hint="they are integers of the shape of the logits without the axis, or "
            "probabilities of their shape",
        )
    if not whole:
        wanted = as_type(wanted, scores.dtype)
    loss = ops.cross_entropy(scores, wanted, axis=place)
    if label_smoothing:
        spread = ops.neg(ops.mean(ops.log_softmax(scores, axis=place), axes=(place,)))
        loss = loss * (1 - label_smoothing) + spread * label_smoothing
    if ignore_index is None:
        return _reduced(loss, reduction)
    if not whole:
        raise DTypeError(
            f"ignore_index is for integer labels, not {wanted.type}", where=caller_location()
        )
    return _unignored(loss, ops.compare(wanted, ignore_index, direction="NE"), reduction)


def _unignored(loss: Array, counts: Array, reduction: str) -> Array:
    loss = ops.select(counts, loss, _zeros(loss))
    if reduction != "mean":
        return _reduced(loss, reduction)
    number = ops.sum(as_type(counts, loss.dtype))
    return ops.div(ops.sum(loss), ops.max(number, 1.0))


def _zeros(x: Array) -> Array:
    return ops.full_like(x, value=0)


def _difference(predictions: Any, targets: Any, loss: str) -> Array:
    a, b = promoted(predictions, targets)
    if a.shape != b.shape:
        raise ShapeError(
            f"nn.{loss} compares predictions of type {a.type} with targets of type {b.type}",
            where=caller_location(),
            hint="both must have one shape; reshape one of them",
        )
    if not a.dtype.is_float:
        a, b = as_type(a, f32), as_type(b, f32)
    wide = a.dtype.accumulator
    return ops.sub(as_type(a, wide), as_type(b, wide))


@public
def mse(predictions: Any, targets: Any, *, reduction: str = "mean") -> Array:
    """The squares of the differences."""
    error = _difference(predictions, targets, "mse")
    return _reduced(ops.mul(error, error), reduction)


@public
def mae(predictions: Any, targets: Any, *, reduction: str = "mean") -> Array:
    """The sizes of the differences."""
    return _reduced(ops.abs(_difference(predictions, targets, "mae")), reduction)


@public
def huber(predictions: Any, targets: Any, *, delta: float = 1.0, reduction: str = "mean") -> Array:
    """Half the square of differences up to `delta`, and a straight line beyond (Huber, 1964)."""
    if not delta > 0:
        raise AttributeValueError(f"delta is {delta}, but must be above 0", where=caller_location())
    size = ops.abs(_difference(predictions, targets, "huber"))
    near = ops.min(size, float(delta))
    return _reduced(near * near * 0.5 + (size - near) * float(delta), reduction)


@public
def bce_with_logits(logits: Any, targets: Any, *, reduction: str = "mean") -> Array:
    """Cross entropy of the logistic of each logit against a probability, which may be a boolean."""
    scores, wanted = array_of(logits), array_of(targets)
    if wanted.dtype == i1 or wanted.dtype.is_integer:
        wanted = as_type(wanted, scores.dtype)
    scores, wanted = promoted(scores, wanted)
    if scores.shape != wanted.shape or not scores.dtype.is_float:
        raise ShapeError(
            f"nn.bce_with_logits compares logits of type {scores.type} with targets of type "
            f"{wanted.type}",
            where=caller_location(),
            hint="both must have one shape, and logits are floats",
        )
    wide = scores.dtype.accumulator
    scores, wanted = as_type(scores, wide), as_type(wanted, wide)
    tail = ops.log1p(ops.exp(ops.neg(ops.abs(scores))))
    positive = ops.max(scores, 0.0)
    return _reduced(positive - scores * wanted + tail, reduction)


@public
def kl_divergence(
    log_predictions: Any, targets: Any, *, axis: int = -1, reduction: str = "mean"
) -> Array:
    """The divergence of predicted from true probabilities, summed along `axis`.

    The predictions are logarithms (`log_softmax`), the targets probabilities; where one is 0, it
    adds 0.
    """
    logs, shares = promoted(log_predictions, targets)
    if logs.shape != shares.shape or not logs.dtype.is_float:
        raise ShapeError(
            f"nn.kl_divergence compares {logs.type} with {shares.type}",
            where=caller_location(),
            hint="both must be floats of one shape",
        )
    wide = logs.dtype.accumulator
    logs, shares = as_type(logs, wide), as_type(shares, wide)
    none = ops.compare(shares, _zeros(shares), direction="EQ")
    safe = ops.select(none, ops.full_like(shares, value=1), shares)
    parts = ops.select(none, _zeros(shares), safe * (ops.log(safe) - logs))
    return _reduced(ops.sum(parts, axes=(checks.axis(axis, len(logs.shape)),)), reduction)


@public
def accuracy(logits: Any, labels: Any, *, axis: int = -1) -> Array:
    """The share of samples whose largest logit is at the label, in f32."""
    scores, wanted = array_of(logits), array_of(labels)
    best = ops.argmax(scores, axis=checks.axis(axis, len(scores.shape)))
    if not wanted.dtype.is_integer or best.shape != wanted.shape:
        raise ShapeError(
            f"labels have type {wanted.type}, for logits of type {scores.type}",
            where=caller_location(),
            hint="they are integers of the shape of the logits without the axis",
        )
    right = ops.compare(*promoted(best, wanted), direction="EQ")
    return ops.mean(ops.convert(right, dtype=f32))
