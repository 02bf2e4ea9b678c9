"""Reductions over axes, cumulative reductions, and reduction by a traced function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import Derived, Primitive, attribute
from dxir.types import TensorType, Type, bf16, f32, i32

Array = np.ndarray[Any, Any]


class Reduce(Primitive, name="reduce", mlir="stablehlo.reduce"):
    """Fold `inputs` along `axes` with a traced `body(*accumulated, *elements)`, from `inits`.

    The body must be associative and `inits` its identity: backends use both in any order, and the
    init more than once.
    """

    inputs: tuple[Value, ...]
    inits: tuple[Value, ...]
    body: Region
    axes: tuple[int, ...] = attribute("i64_array", mlir="dimensions")

    examples = (
        Example(inputs=(f32[2, 3],), inits=(np.float32(0),), body=lambda a, b: a + b, axes=(1,)),
        Example(
            inputs=(f32[4], i32[4]),
            inits=(np.float32(0), np.int32(0)),
            body=lambda a, i, b, j: (a + b, i + j),
            axes=(0,),
            hostile=False,
        ),
    )

    def prepare(self) -> None:
        self.update(axes=checks.axes(self.axes, self.inputs[0].tensor.rank))

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [v.tensor.with_shape(()) for v in self.inits]
        return [(*scalars, *scalars)]

    def infer(self) -> Sequence[TensorType]:
        first = self.inputs[0].tensor
        checks.length(self.inits, len(self.inputs), "inits")
        for value, init in zip(self.inputs, self.inits, strict=True):
            checks.shapes_equal(first.shape, value.tensor.shape, "the first input", "another input")
            checks.same_dtype((value, init))
            checks.rank_is(init, 0, "an init")
        scalars = tuple(v.tensor.with_shape(()) for v in self.inits)
        if self.body.result_types != scalars:
            raise ShapeError(f"the body must return {scalars}, not {self.body.result_types}")
        kept = [d for i, d in enumerate(first.shape) if i not in self.axes]
        return tuple(v.tensor.with_shape(kept) for v in self.inputs)

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        inputs, inits = operands[: len(self.inputs)], operands[len(self.inputs) :]
        axes = tuple(self.axes)
        kept = [i for i in range(inputs[0].ndim) if i not in axes]
        shape = [inputs[0].shape[i] for i in kept]
        rows = [x.transpose(*kept, *axes).reshape(*shape, -1) for x in inputs]
        outs = [np.empty(shape, x.dtype) for x in inputs]
        for at in np.ndindex(*shape):
            state: tuple[Any, ...] = tuple(inits)
            for k in range(rows[0].shape[-1]):
                state = body(*state, *(np.asarray(r[at][k]) for r in rows))
            for out, value in zip(outs, state, strict=True):
                out[at] = value
        return tuple(outs)


class Reduction(Derived):
    """Base of the reductions over axes (all axes when None), with or without keeping them."""

    x: Value
    axes: tuple[int, ...] | None = None
    keepdims: bool = False

    def prepare(self) -> None:
        self.update(axes=checks.axes(self.axes, self.x.tensor.rank), keepdims=bool(self.keepdims))

    def reduced(self, dtype: object = None) -> TensorType:
        """The result type."""
        type = self.x.tensor
        axes = self.axes or ()
        if self.keepdims:
            shape = [1 if i in axes else d for i, d in enumerate(type.shape)]
        else:
            shape = [d for i, d in enumerate(type.shape) if i not in axes]
        return TensorType(shape, dtype or type.dtype)

    def keep(self, value: Value) -> Value:
        """The reduced value, its axes of size 1 restored when `keepdims` asks for them."""
        if not self.keepdims:
            return value
        kept = [i for i in range(self.x.tensor.rank) if i not in (self.axes or ())]
        shape = [1 if i in (self.axes or ()) else d for i, d in enumerate(self.x.tensor.shape)]
        return ops.broadcast_in_dim(value, shape=shape, dims=kept)

    def infer(self) -> TensorType:
        checks.kind(self.x, "int uint float complex")
        return self.reduced()


class Sum(Reduction, name="sum"):
    """Sum over axes; narrow floats accumulate in f32 and round once."""

    examples = (
        Example(x=f32[2, 3], axes=(1,), keepdims=True),
        Example(x=bf16[4, 5]),
        Example(x=i32[0, 3], axes=(0,)),
    )

    def expand(self, x: Value) -> Value:
        dtype = x.tensor.primitive
        wide = dtype.accumulator
        y = x if wide is dtype else ops.convert(x, dtype=wide)
        zero = ops.constant(np.zeros((), wide.numpy))
        (total,) = ops.reduce((y,), (zero,), lambda a, b: ops.add(a, b), axes=self.axes)
        return self.keep(total if wide is dtype else ops.convert(total, dtype=dtype))

    def reference(self, x: Array) -> Array:
        wide = x.astype(self.x.tensor.primitive.accumulator.numpy)
        total = wide.sum(axis=self.axes, keepdims=self.keepdims, dtype=wide.dtype)
        return np.asarray(total).astype(x.dtype)
