"""The batch normalization operations of StableHLO, and what they stand for in primitives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.builder import build_function
from dxir.derivatives import Cotangent, moveaxis
from dxir.dialects.convolution_rules import merged_axis
from dxir.dialects.nn import spread
from dxir.dialects.normalization import epsilon_value
from dxir.dialects.reduction import narrow, total, widen
from dxir.dialects.spreading import spread_over
from dxir.dialects.substitutes import pull_through, push_through, substitute
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Function, Value, place
from dxir.making import several
from dxir.op import Primitive, attribute
from dxir.types import TensorType, bf16, f16, f32, f64

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class BatchNorm(Primitive):
    """Base of the batch norms: features along `feature_index`, all of one element type.

    With `expand`, the op becomes primitives, computed in f32 for narrower floats and rounded
    once, where the operation leaves that to the backend.
    """

    epsilon: float = attribute("f32", default=1e-5)
    feature_index: int = attribute("i64", default=1)
    expand: bool = attribute(default=False)

    def prepare(self) -> None:
        type = checks.rank_at_least(self.operands[0], 1, "operand")
        self.update(
            epsilon=float(np.float32(epsilon_value(self.epsilon))),
            feature_index=checks.axis(self.feature_index, type.rank, "feature_index"),
            expand=bool(self.expand),
        )

    def check_features(self, *names: str) -> TensorType:
        """The type of one value for each feature; raises unless the named operands have it."""
        type = self.operands[0].tensor
        checks.kind(self.operands[0], "float", "operand")
        checks.same_dtype(self.operands)
        if self.expand:
            checks.static(self.operands[0], f"{self.op} without expand")
        wanted = TensorType((type.shape[self.feature_index],), type.dtype)
        for name in names:
            value: Value = getattr(self, name)
            if value.tensor != wanted:
                raise ShapeError(
                    f"{name} has type {value.type}, but the operand has type {type}",
                    hint=f"for features along axis {self.feature_index}, it must be {wanted}",
                )
        return wanted

    @property
    def axes(self) -> tuple[int, ...]:
        """Every axis of the operand but that of the features."""
        return tuple(i for i in range(self.operands[0].rank) if i != self.feature_index)

    @property
    def count(self) -> int:
        """How many elements of the operand belong to each feature."""
        type = self.operands[0].tensor
        return type.with_shape([type.shape[i] for i in self.axes]).size

    def primitives(self, *operands: Value) -> Sequence[Value]:
        """The results in terms of other ops, from operands wide enough to sum in."""
        raise NotImplementedError

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        if not self.expand:
            return e.emit_declared(self, operands)
        function = build_function(self._rounded, *self.tensor_types, name=self.op, public=False)
        return e.inline_function(self, function, operands)

    def _rounded(self, *given: Value) -> list[Value]:
        dtype = self.operands[0].tensor.primitive
        return [narrow(v, dtype) for v in self.primitives(*[widen(g) for g in given])]

    def substitute(self) -> Function:
        """The function that computes the results in primitives."""
        return substitute(self, self._rounded)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return push_through(sweep, self, self.substitute())

    def batch(self, batch: Batch) -> Any:
        """The batch joins the features, of which each member has its own."""
        axis, full = self.feature_index, batch.full_operands()
        rank = self.operands[0].rank
        merged = [
            merged_axis(v, 0, axis if old.rank == rank and rank > 1 else 0)
            for v, old in zip(full, self.operands, strict=True)
        ]
        return [self._parted(v, batch.size) for v in several(batch.rebuild(merged))]

    def _parted(self, value: Value, size: int) -> Value:
        """A result with the batch taken out of its features again."""
        axis = self.feature_index if value.rank > 1 else 0
        shape = value.tensor.static_shape
        count = shape[axis] // size if size else 0
        parts = (*shape[:axis], size, count, *shape[axis + 1 :])
        return moveaxis(ops.reshape(value, shape=parts), axis, 0)

    def wide(self, *arrays: Array) -> list[Array]:
        """The arrays in f64, with values for each feature shaped to broadcast."""
        rank = self.operands[0].rank
        shape = [-1 if i == self.feature_index else 1 for i in range(rank)]
        return [
            a.astype(np.float64) if a.ndim == rank > 1 else a.astype(np.float64).reshape(shape)
            for a in arrays
        ]


class BatchNormInference(
    BatchNorm, name="batch_norm_inference", mlir="stablehlo.batch_norm_inference", rounding="sums"
):
    """`(operand - mean) / sqrt(variance + epsilon) * scale + offset`, statistics given.

    All but the operand hold one value for each index along `feature_index`. `expand` makes it
    primitives.
    """

    operand: Value
    scale: Value
    offset: Value
    mean: Value
    variance: Value

    examples = (
        Example(operand=f32[2, 3, 4], scale=f32[3], offset=f32[3], mean=f32[3],
                variance=Sample(f32[3], 0.1, 4.0), hostile=False),
        Example(operand=f32[2, 3], scale=f32[2], offset=f32[2], mean=f32[2],
                variance=Sample(f32[2], 0.1, 4.0), feature_index=0, epsilon=1e-3, hostile=False),
        Example(operand=bf16[4, 3], scale=bf16[3], offset=bf16[3], mean=bf16[3],
                variance=Sample(bf16[3], 0.5, 4.0), feature_index=-1, hostile=False),
        Example(operand=f32[4, 3], scale=f32[3], offset=f32[3], mean=f32[3],
                variance=Sample(f32[3], 0.1, 4.0), expand=True, hostile=False),
        Example(operand=f16[4, 3], scale=f16[3], offset=f16[3], mean=f16[3],
                variance=Sample(f16[3], 0.1, 4.0), expand=True, hostile=False),
        Example(operand=f32[0, 3], scale=f32[3], offset=f32[3], mean=f32[3], variance=f32[3]),
    )  # fmt: skip

    def infer(self) -> TensorType:
        self.check_features("scale", "offset", "mean", "variance")
        return self.operand.tensor

    def primitives(self, *operands: Value) -> Sequence[Value]:
        x, scale, offset, mean, variance = operands
        factor = ops.rsqrt(variance + self.epsilon)
        each = [spread(v, x, self.axes) for v in (mean, factor, scale, offset)]
        return [(x - each[0]) * each[1] * each[2] + each[3]]

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        if not self.operand.tensor.size:
            place(self)
            return self.results, lambda _: ()
        return pull_through(sweep, self, self.substitute())

    def batch(self, batch: Batch) -> Any:
        if any(batch.batched[1:]):
            return super().batch(batch)
        return batch.rebuild(batch.operands, feature_index=self.feature_index + 1)

    def reference(
        self, operand: Array, scale: Array, offset: Array, mean: Array, variance: Array
    ) -> Array:
        x, a, b, m, v = self.wide(operand, scale, offset, mean, variance)
        return np.asarray((x - m) / np.sqrt(v + self.epsilon) * a + b).astype(operand.dtype)


class BatchNormTraining(
    BatchNorm, name="batch_norm_training", mlir="stablehlo.batch_norm_training", rounding="sums"
):
    """The batch-normalized operand, and the mean and (biased) variance of each feature.

    Scale and offset hold one value for each index along `feature_index`. `expand` makes it
    primitives with a two-pass variance. The operation leaves the formula to the backend, and XLA
    (CPU, jaxlib 0.10 and 0.12) takes `E[x^2] - E[x]^2`, which cancels where the mean is large.
    """

    operand: Value
    scale: Value
    offset: Value

    examples = (
        Example(operand=f32[2, 3, 4], scale=f32[3], offset=f32[3], hostile=False),
        Example(operand=f32[3, 5], scale=f32[3], offset=f32[3], feature_index=0, hostile=False),
        Example(operand=f64[5, 3], scale=f64[3], offset=f64[3], epsilon=1e-3, hostile=False),
        Example(operand=bf16[8, 3], scale=bf16[3], offset=bf16[3], hostile=False),
        Example(operand=f32[5, 3], scale=f32[3], offset=f32[3], expand=True, hostile=False),
        Example(operand=bf16[8, 3], scale=bf16[3], offset=bf16[3], expand=True, hostile=False),
    )

    def infer(self) -> Sequence[TensorType]:
        feature = self.check_features("scale", "offset")
        return (self.operand.tensor, feature, feature)

    def primitives(self, *operands: Value) -> Sequence[Value]:
        x, scale, offset = operands
        mean = ops.mean(x, axes=self.axes)
        centred = x - spread(mean, x, self.axes)
        variance = ops.mean(centred * centred, axes=self.axes)
        factor = spread(ops.rsqrt(variance + self.epsilon), x, self.axes)
        y = centred * factor * spread(scale, x, self.axes) + spread(offset, x, self.axes)
        return [y, mean, variance]

    def vjp(self, g: tuple[Value | None, ...], y: tuple[Value, ...]) -> tuple[Cotangent, ...]:
        of_y, of_mean, of_variance = g
        _, mean, variance = y
        scale = offset = None
        parts: list[Value] = []
        if of_y is not None:
            found, scale, offset = ops.batch_norm_grad(
                self.operand, self.scale, mean, variance, of_y, epsilon=self.epsilon,
                feature_index=self.feature_index, expand=self.expand,
            )  # fmt: skip
            parts.append(found)
        type = self.operand.tensor
        if of_mean is not None:
            parts.append(spread_over(self._share(of_mean, 1), self.operand, self.axes))
        if of_variance is not None:
            centred = widen(self.operand) - widen(spread_over(mean, self.operand, self.axes))
            share = spread_over(widen(self._share(of_variance, 2)), self.operand, self.axes)
            parts.append(narrow(centred * share, type.primitive))
        total_of = parts[0]
        for part in parts[1:]:
            total_of = ops.add(total_of, part)
        return (total_of, scale, offset)

    def _share(self, g: Value, factor: float) -> Value:
        """`g` times the factor, for each of the elements that a statistic is the mean of."""
        wide = widen(g)
        quotient = ops.div(wide, ops.full_like(wide, value=self.count / factor))
        return narrow(quotient, g.tensor.primitive)

    def reference(self, operand: Array, scale: Array, offset: Array) -> tuple[Array, ...]:
        x, a, b = self.wide(operand, scale, offset)
        mean = x.mean(axis=self.axes, keepdims=True)
        variance = x.var(axis=self.axes, keepdims=True)
        y = (x - mean) / np.sqrt(variance + self.epsilon) * a + b
        results = (y, mean.reshape(scale.shape), variance.reshape(scale.shape))
        return tuple(r.astype(operand.dtype) for r in results)


class BatchNormGrad(
    BatchNorm, name="batch_norm_grad", mlir="stablehlo.batch_norm_grad", rounding="sums"
):
    """The gradients of `batch_norm_training` to operand, scale and offset.

    `mean` and `variance` are those of the operand's batch and `grad_output` the gradient of the
    normalized operand. `expand` makes it primitives.
    """

    operand: Value
    scale: Value
    mean: Value
    variance: Value
    grad_output: Value

    examples = (
        Example(operand=f32[2, 3, 4], scale=f32[3], mean=f32[3],
                variance=Sample(f32[3], 0.5, 4.0), grad_output=f32[2, 3, 4], hostile=False),
        Example(operand=f32[3, 5], scale=f32[3], mean=f32[3], variance=Sample(f32[3], 0.5, 4.0),
                grad_output=f32[3, 5], feature_index=0, epsilon=1e-3, hostile=False),
        Example(operand=f32[5, 3], scale=f32[3], mean=f32[3], variance=Sample(f32[3], 0.5, 4.0),
                grad_output=f32[5, 3], expand=True, hostile=False),
        Example(operand=bf16[5, 3], scale=bf16[3], mean=bf16[3],
                variance=Sample(bf16[3], 0.5, 4.0), grad_output=bf16[5, 3], expand=True,
                hostile=False),
    )  # fmt: skip

    def infer(self) -> Sequence[TensorType]:
        feature = self.check_features("scale", "mean", "variance")
        type = self.operand.tensor
        checks.shapes_equal(type.shape, self.grad_output.shape, "operand", "grad_output")
        return (type, feature, feature)

    def primitives(self, *operands: Value) -> Sequence[Value]:
        x, scale, mean, variance, gradient = operands
        centred = x - spread(mean, x, self.axes)
        shifted = variance + self.epsilon
        factor = ops.rsqrt(shifted)
        along = total(gradient * centred, self.axes)
        offset = total(gradient, self.axes)
        count = ops.full_like(offset, value=float(self.count))
        bent = centred * spread(along / count / shifted, x, self.axes)
        inner = gradient - spread(offset / count, x, self.axes) - bent
        return [inner * spread(scale * factor, x, self.axes), along * factor, offset]

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return pull_through(sweep, self, self.substitute())

    def reference(
        self, operand: Array, scale: Array, mean: Array, variance: Array, grad_output: Array
    ) -> tuple[Array, ...]:
        x, a, m, v, g = self.wide(operand, scale, mean, variance, grad_output)
        deviation = np.sqrt(v + self.epsilon)
        normal = (x - m) / deviation
        offset = g.sum(axis=self.axes, keepdims=True)
        slope = (g * normal).sum(axis=self.axes, keepdims=True)
        inner = a / deviation * (g - (offset + normal * slope) / self.count)
        results = (inner, slope.reshape(scale.shape), offset.reshape(scale.shape))
        return tuple(r.astype(operand.dtype) for r in results)
