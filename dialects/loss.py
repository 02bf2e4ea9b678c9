"""Losses of logits."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.embedding import is_index_in
from dxir.dialects.nn import log_softmax_array, spread
from dxir.dialects.reduction import narrow, restore_axes, widen
from dxir.dialects.spreading import element_count
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, f16, f32, i8, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class CrossEntropy(Composite, name="cross_entropy", rounding="sums"):
    """Minus the log softmax of `logits` at the `labels`, along `axis`.

    `labels` are integers, of the shape of `logits` without `axis`, or weights of the type and
    shape of `logits` with any sum: one-hot, smoothed, scaled. An integer outside `0..n-1` and a
    weight of 0 contribute 0, even where the logit is -inf. `reduction` is none (the shape of
    `logits` without `axis`), mean (over all of those) or sum. Computed in f32 for narrower floats.

    The derivative by the logits is `softmax sum(labels) - labels`, and 0 where all labels are 0 or
    the integer is outside. That by a weight is minus the log softmax, and 0 where this is -inf.
    """

    logits: Value
    labels: Value
    axis: int = -1
    reduction: str = "none"

    examples = (
        Example(logits=f32[4, 3], labels=Sample(i32[4], 0, 2)),
        Example(logits=f32[4, 3], labels=Sample(i32[4], -1, 3), reduction="sum", hostile=False),
        Example(logits=f32[2, 3, 4], labels=Sample(i8[2, 4], 0, 2), axis=1),
        Example(logits=bf16[4, 3], labels=Sample(ui8[4], 0, 2), reduction="mean", hostile=False),
        Example(logits=f32[4, 3], labels=Sample(f32[4, 3], 0.0, 2.0)),
        Example(logits=f16[4, 3], labels=Sample(f16[4, 3], 0.0, 1.0), reduction="mean",
                hostile=False),
        Example(logits=f32[300], labels=np.int8(-1), axis=0),
        Example(logits=f32[0, 3], labels=i32[0], reduction="sum"),
    )  # fmt: skip

    def prepare(self) -> None:
        checks.one_of(self.reduction, ("none", "mean", "sum"), "reduction")
        self.update(axis=checks.axis(self.axis, self.logits.tensor.rank))

    def infer(self) -> TensorType:
        checks.kind(self.logits, "float", "logits")
        checks.kind(self.labels, "int uint float", "labels")
        logits = self.logits.tensor
        kept = [d for i, d in enumerate(logits.shape) if i != self.axis]
        if self.labels.tensor.primitive.is_integer:
            if not isinstance(logits.shape[self.axis], int):
                raise ShapeError(
                    f"logits has type {logits}, and the size of axis {self.axis} must be known",
                    hint="it is the number of classes, which integer labels count",
                )
            what = f"logits without axis {self.axis}"
            checks.shapes_equal(kept, self.labels.shape, what, "labels (integers)")
        else:
            checks.same_dtype((self.logits, self.labels))
            checks.shapes_equal(logits.shape, self.labels.shape, "logits", "labels (weights)")
        return TensorType(kept if self.reduction == "none" else (), logits.dtype)

    def _hit(self) -> Value:
        return is_index_in(self.labels, self.logits, self.axis)

    def expand(self, logits: Value, labels: Value) -> Value:
        axes = (self.axis,)
        logs = ops.log_softmax(widen(logits), axis=self.axis)
        zero = ops.full_like(logs, value=0)
        if labels.tensor.primitive.is_integer:
            parts = ops.select(self._hit(), logs, zero)
        else:
            weights = widen(labels)
            unused = ops.compare(weights, zero, direction="EQ")
            parts = ops.select(unused, zero, weights * logs)
        loss = -ops.sum(parts, axes=axes)
        if self.reduction != "none":
            loss = ops.mean(loss) if self.reduction == "mean" else ops.sum(loss)
        return narrow(loss, logits.tensor.primitive)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        dtype = self.logits.tensor.primitive

        @cache
        def logs() -> Value:
            return ops.log_softmax(widen(self.logits), axis=self.axis)

        @cache
        def along() -> Value:
            return self._repeated(widen(g))

        def of_labels() -> Value:
            zero, lowest = (ops.full_like(logs(), value=v) for v in (0, -np.inf))
            hidden = ops.compare(logs(), lowest, direction="EQ")
            return narrow(ops.select(hidden, zero, -logs()) * along(), dtype)

        if self.labels.tensor.primitive.is_integer:
            return (lambda: narrow(self._from_integers(logs(), along()), dtype), None)
        return (lambda: narrow(self._from_weights(logs()) * along(), dtype), of_labels)

    def _from_integers(self, logs: Value, g: Value) -> Value:
        shares, hit = ops.exp(logs), self._hit()
        inside = ops.any(hit, axes=(self.axis,))
        moved = ops.select(hit, shares - 1.0, shares) * g
        return ops.select(spread(inside, logs, (self.axis,)), moved, ops.full_like(logs, value=0))

    def _from_weights(self, logs: Value) -> Value:
        weights = widen(self.labels)
        total = ops.sum(weights, axes=(self.axis,))
        unused = ops.compare(total, ops.full_like(total, value=0), direction="EQ")
        unused = spread(unused, logs, (self.axis,))
        shares = ops.select(unused, ops.full_like(logs, value=0), ops.exp(logs))
        return shares * spread(total, logs, (self.axis,)) - weights

    def _repeated(self, g: Value) -> Value:
        """A cotangent of the result, wide, in the shape of the logits."""
        like = self.logits
        if self.reduction == "none":
            return spread(g, like, (self.axis,))
        if self.reduction == "mean":
            axes = [i for i in range(like.rank) if i != self.axis]
            count = element_count(like, axes, g.tensor.primitive)
            g = g / (count if isinstance(count, Value) else max(count, 1.0))
        return spread(g, like, range(like.rank))

    def batch(self, batch: Batch) -> Value:
        logits, labels = batch.full_operands()
        axis, dtype = self.axis + 1, logits.tensor.primitive
        if self.reduction == "none":
            result: Value = batch.rebuild((logits, labels), axis=axis)
            return result
        if not labels.tensor.primitive.is_integer:
            labels = widen(labels)
        each = ops.cross_entropy(widen(logits), labels, axis=axis)
        axes = tuple(range(1, each.rank))
        reduce = ops.mean if self.reduction == "mean" else ops.sum
        return narrow(reduce(each, axes=axes), dtype)

    def reference(self, logits: Array, labels: Array) -> Array:
        logs = np.moveaxis(log_softmax_array(logits, self.axis), self.axis, -1)
        if self.labels.tensor.primitive.is_integer:
            loss: Array = np.zeros(labels.shape)
            for at in np.ndindex(*labels.shape):
                if 0 <= int(labels[at]) < logs.shape[-1]:
                    loss[at] = -logs[at][int(labels[at])]
        else:
            weights = np.moveaxis(labels.astype(np.float64), self.axis, -1)
            loss = -np.where(weights == 0, 0, weights * logs).sum(axis=-1)
        if self.reduction != "none":
            loss = np.asarray(np.mean(loss) if self.reduction == "mean" else np.sum(loss))
        return loss.astype(logits.dtype)


class SoftCrossEntropy(Composite, name="soft_cross_entropy", rounding="sums"):
    """Cross entropy of the softmax of `student` against the softmax of `teacher`, along `axis`.

    Both are logits of one type and shape; `axis` stays, with size 1. Where the teacher's share is
    0 and the student's logarithm -inf, the product is NaN. Computed in f32 for narrower floats.
    """

    student: Value
    teacher: Value
    axis: int = -1

    examples = (
        Example(student=f32[2, 3], teacher=f32[2, 3]),
        Example(student=f32[2, 3, 4], teacher=f32[2, 3, 4], axis=1, hostile=False),
        Example(student=bf16[4, 5], teacher=bf16[4, 5], hostile=False),
        Example(student=f32[0, 3], teacher=f32[0, 3]),
    )

    def prepare(self) -> None:
        self.update(axis=checks.axis(self.axis, self.student.tensor.rank))

    def infer(self) -> TensorType:
        checks.kind(self.student, "float", "student")
        checks.same_dtype((self.student, self.teacher))
        checks.shapes_equal(self.student.shape, self.teacher.shape, "student", "teacher")
        type = self.student.tensor
        return TensorType(
            [1 if i == self.axis else d for i, d in enumerate(type.static_shape)], type.dtype
        )

    def expand(self, student: Value, teacher: Value) -> Value:
        logs = ops.log_softmax(widen(student), axis=self.axis)
        shares = ops.exp(ops.log_softmax(widen(teacher), axis=self.axis))
        loss = -ops.sum(shares * logs, axes=(self.axis,))
        loss = narrow(loss, student.tensor.primitive)
        return restore_axes(loss, student.tensor, (self.axis,))

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        dtype, axes = self.student.tensor.primitive, (self.axis,)

        @cache
        def logs() -> Value:
            return ops.log_softmax(widen(self.student), axis=self.axis)

        @cache
        def shares() -> Value:
            return ops.exp(ops.log_softmax(widen(self.teacher), axis=self.axis))

        def stretched(value: Value) -> Value:
            return ops.broadcast_to(value, shape=self.student.tensor.static_shape)

        def of_teacher() -> Value:
            # The loss itself would do for its negative, had it not been rounded.
            mean = spread(ops.sum(shares() * logs(), axes=axes), logs(), axes)
            return narrow(shares() * (mean - logs()) * stretched(widen(g)), dtype)

        return (
            lambda: narrow((ops.exp(logs()) - shares()) * stretched(widen(g)), dtype),
            of_teacher,
        )

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.full_operands(), axis=self.axis + 1)
        return result

    def reference(self, student: Array, teacher: Array) -> Array:
        shares = np.exp(log_softmax_array(teacher, self.axis))
        parts = shares * log_softmax_array(student, self.axis)
        return np.asarray(-parts.sum(axis=self.axis, keepdims=True)).astype(student.dtype)
