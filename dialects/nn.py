"""Softmax, its logarithm, and gated feed-forward layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.reduction import narrow, widen
from dxir.dialects.spreading import broadcast_like
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite, expansion
from dxir.types import TensorType, bf16, f8e4m3fn, f16, f32, f64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def spread(reduced: Value, like: Value, axes: Sequence[int]) -> Value:
    """What was reduced from `like` over `axes`, repeated along those axes."""
    return broadcast_like(reduced, like, [i for i in range(like.rank) if i not in axes])


def linear_type(x: Value, w: Value, what: str) -> TensorType:
    """The type of `linear(x, w)`; raises unless `x` is `[..., d]` and `w` is `[d, f]`."""
    checks.kind(x, "float", "x")
    checks.has_zero(x, "x")
    checks.same_dtype((x, w))
    type = checks.rank_at_least(x, 1, "x")
    weight = checks.rank_is(w, 2, what)
    checks.shapes_equal(
        type.shape[-1:], weight.shape[:1], "the last axis of x", f"axis 0 of {what}"
    )
    return TensorType((*type.shape[:-1], weight.shape[1]), type.dtype)


def linear(x: Value, w: Value) -> Value:
    """`x @ w` for a weight of rank 2, with no copy of it for the leading axes of `x`."""
    return ops.dot_general(x, w, lhs_contracting=(x.rank - 1,), rhs_contracting=(0,))


def batched_linear(node: Composite, batch: Batch) -> Any:
    """The batch of a composite of `[..., d]` and weights: itself unless a weight is batched."""
    if not any(batch.batched[1:]):
        return batch.rebuild(batch.operands)
    ((result, _),) = batch.run(expansion(node), batch.operands, batch.batched)
    return result


class AlongAxis(Composite):
    """Base of the composites that normalize a float tensor along one axis."""

    x: Value
    axis: int = -1

    def prepare(self) -> None:
        self.update(axis=checks.axis(self.axis, self.x.tensor.rank))

    def infer(self) -> TensorType:
        checks.kind(self.x, "float")
        return self.x.tensor

    def _along_axis(self, total: Value, like: Value) -> Value:
        """The sum of `total` over the axis, repeated along it."""
        return spread(ops.sum(total, axes=(self.axis,)), like, (self.axis,))

    def batch(self, batch: Batch) -> Any:
        return batch.rebuild(batch.operands, axis=self.axis + 1)


_ALONG = (
    Example(x=f32[2, 3]),
    Example(x=f32[2, 3, 4], axis=1),
    Example(x=bf16[4, 5]),
    Example(x=f16[6], axis=0),
    Example(x=f64[3, 2]),
    Example(x=f32[0, 4]),
    Example(x=f32[2, 0]),
    Example(x=np.array([[-np.inf, -np.inf], [-np.inf, 0], [np.nan, 0]], np.float32)),
)


class Softmax(AlongAxis, name="softmax", rounding="sums"):
    """`exp(x)` divided by its sum along `axis`.

    Narrow floats are computed in f32 and rounded once. A slice of nothing but -inf gives NaN, or
    zeros (and derivatives of zero) with `masked`; `masked` changes nothing else.
    """

    masked: bool = False

    examples = (
        *_ALONG,
        Example(x=Sample(f8e4m3fn[3, 4], -4.0, 4.0)),
        Example(x=f32[2, 3], masked=True),
        Example(
            x=np.array([[-np.inf, -np.inf], [-np.inf, 2], [np.inf, 0]], np.float32), masked=True
        ),
        Example(x=bf16[2, 3], axis=0, masked=True),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(masked=bool(self.masked))

    def expand(self, x: Value) -> Value:
        axes, wide = (self.axis,), widen(x)
        top = ops.reduce_max(wide, axes=axes)
        dead = None
        if self.masked:
            dead = ops.compare(top, ops.full_like(top, value=-np.inf), direction="EQ")
            top = ops.select(dead, ops.full_like(top, value=0), top)
        powers = ops.exp(wide - spread(top, wide, axes))
        total = ops.sum(powers, axes=axes)
        if dead is not None:
            total = ops.select(dead, ops.full_like(total, value=1), total)
        return narrow(powers / spread(total, wide, axes), x.tensor.primitive)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (lambda: self._moved(g, y),)

    def jvp(self, tangents: Sequence[Value], y: Value) -> Value:
        return self._moved(tangents[0], y)

    def _moved(self, t: Value, y: Value) -> Value:
        """`y (t - sum(y t))`: the matrix of derivatives is symmetric."""
        wide, shares = widen(t), widen(y)
        moved = shares * (wide - self._along_axis(wide * shares, shares))
        return narrow(moved, self.x.tensor.primitive)

    def reference(self, x: Array) -> Array:
        wide = x.astype(np.float64)
        top = wide.max(axis=self.axis, keepdims=True, initial=-np.inf)
        powers = np.exp(wide - top)
        shares = powers / powers.sum(axis=self.axis, keepdims=True)
        if self.masked:
            shares = np.where((wide == -np.inf).all(axis=self.axis, keepdims=True), 0, shares)
        return np.asarray(shares).astype(x.dtype)


class LogSoftmax(AlongAxis, name="log_softmax", rounding="sums"):
    """The logarithm of the softmax along `axis`.

    It is `(x - m) - log1p(S)`, where m is the maximum and S the sum of `exp(x - m)` without one
    maximum, so that a slice with one dominant element keeps its digits. Elements equal to the
    maximum count as one each, exactly. Narrow floats are computed in f32 and rounded once.
    """

    examples = (
        *_ALONG,
        Example(x=np.array([[30, 0, 0], [5, 5, 5], [16, 16, 0]], np.float32)),
        Example(x=np.array([3.0, np.inf, 1.0], np.float32)),
    )

    def expand(self, x: Value) -> Value:
        axes, wide = (self.axis,), widen(x)
        below = wide - spread(ops.reduce_max(wide, axes=axes), wide, axes)
        zero = ops.full_like(below, value=0)
        is_top = ops.compare(below, zero, direction="EQ")
        others = ops.sum(ops.select(is_top, zero, ops.exp(below)), axes=axes)
        tops = ops.sum(ops.convert(is_top, dtype=wide.dtype), axes=axes)
        rest = others + (tops - 1.0)
        return narrow(below - spread(ops.log1p(rest), wide, axes), x.tensor.primitive)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            wide, shares = widen(g), ops.exp(widen(y))
            return narrow(wide - shares * self._along_axis(wide, shares), g.tensor.primitive)

        return (pulled,)

    def jvp(self, tangents: Sequence[Value], y: Value) -> Value:
        wide, shares = widen(tangents[0]), ops.exp(widen(y))
        return narrow(wide - self._along_axis(shares * wide, shares), y.tensor.primitive)

    def reference(self, x: Array) -> Array:
        return log_softmax_array(x, self.axis).astype(x.dtype)


def log_softmax_array(x: Array, axis: int) -> Array:
    """In f64: sorted, so that all but the last (one maximum) are summed, the small ones first."""
    wide = x.astype(np.float64)
    if wide.shape[axis] == 0:
        return wide
    last = np.sort(np.moveaxis(wide, axis, -1), axis=-1)
    top = np.where(np.isnan(last).any(axis=-1), np.nan, last[..., -1])[..., None]
    rest = np.exp(last[..., :-1] - top).sum(axis=-1, keepdims=True)
    rest = np.where(np.isinf(top), np.nan, rest)
    return np.asarray(wide - np.moveaxis(top, -1, axis) - np.moveaxis(np.log1p(rest), -1, axis))


class Mlp(Composite, name="mlp", rounding="sums"):
    """Gated feed-forward layer `swiglu(x, w_gate, w_up) @ w_down`.

    `x` is `[..., d]`, `w_gate` and `w_up` are `[d, f]`, `w_down` is `[f, e]`.
    """

    x: Value
    w_gate: Value
    w_up: Value
    w_down: Value

    examples = (
        Example(x=f32[2, 3], w_gate=f32[3, 5], w_up=f32[3, 5], w_down=f32[5, 3], hostile=False),
        Example(x=f32[2, 2, 3], w_gate=f32[3, 4], w_up=f32[3, 4], w_down=f32[4, 2], hostile=False),
        Example(x=f32[0, 3], w_gate=f32[3, 4], w_up=f32[3, 4], w_down=f32[4, 3]),
    )

    def infer(self) -> TensorType:
        gate = linear_type(self.x, self.w_gate, "w_gate")
        up = linear_type(self.x, self.w_up, "w_up")
        checks.shapes_equal(gate.shape, up.shape, "x @ w_gate", "x @ w_up")
        checks.same_dtype((self.x, self.w_down))
        down = checks.rank_is(self.w_down, 2, "w_down")
        checks.shapes_equal(gate.shape[-1:], down.shape[:1], "axis 1 of w_gate", "axis 0 of w_down")
        return TensorType((*gate.shape[:-1], down.shape[1]), gate.dtype)

    def expand(self, x: Value, w_gate: Value, w_up: Value, w_down: Value) -> Value:
        return linear(ops.swiglu(x, w_gate, w_up), w_down)

    def batch(self, batch: Batch) -> Any:
        return batched_linear(self, batch)

    def reference(self, x: Array, w_gate: Array, w_up: Array, w_down: Array) -> Array:
        wide, gates, ups, downs = (a.astype(np.float64) for a in (x, w_gate, w_up, w_down))
        gate = wide @ gates
        return np.asarray((gate / (1 + np.exp(-gate)) * (wide @ ups)) @ downs).astype(x.dtype)
