"""Ops that work element by element: arithmetic, comparison, special functions."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.errors import DTypeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import DType, TensorType, broadcast_shapes, bf16, c64, f32, i1, i8, i32, ui8

Array = np.ndarray[Any, Any]
_REAL = (Example(x=f32[2, 3]), Example(x=bf16[0, 4]), Example(x=f32[()]))


class Elementwise(Primitive):
    """Base of the elementwise ops: operands broadcast, their element types agree.

    `accepts` lists the kinds of element types; Python scalars take the type of the other operand.
    """

    broadcasts: ClassVar[bool] = True
    accepts: ClassVar[str] = "int uint float complex"

    def infer(self) -> TensorType:
        operands = self.operands
        first = operands[0].tensor
        shape = first.shape
        names = first.axis_names
        for value in operands[1:]:
            other = value.tensor
            if other.dtype is not first.dtype and other.dtype != first.dtype:
                checks.same_dtype(operands)
            if other.shape is not shape:
                shape = broadcast_shapes(shape, other.shape)
                if names is None or len(names) != len(shape):
                    names = other.axis_names
        if first.dtype.kind not in self.accepts and first.dtype.kind != "quantized":
            checks.kind(operands[0], self.accepts)
        if shape is first.shape and names is first.axis_names:
            return self.result(first)
        if names is not None and len(names) != len(shape):
            names = None
        return self.result(TensorType(shape, first.dtype, names))

    def result(self, operands: TensorType) -> TensorType:
        """The result type, given the operands' common type."""
        return operands

    def coerce(self, position: int, given: Any) -> Value:
        """Python scalars become constants of the type of the first operand that has one."""
        if not isinstance(given, (bool, int, float, complex)):
            return super().coerce(position, given)
        like = next((v for v in self.operands if isinstance(v, Value)), None)
        if like is None:
            return super().coerce(position, given)
        dtype = like.tensor.primitive
        if not _represents(dtype, given):
            raise DTypeError(
                f"{given!r} is not a value of type {dtype}",
                hint="convert the tensor first, or give a number of its type",
            )
        return ops.full_like(like, value=given)


def _represents(dtype: DType, number: complex) -> bool:
    if isinstance(number, bool):
        return dtype.is_bool
    if isinstance(number, int):
        if dtype.is_integer:
            low = 0 if dtype.is_unsigned else -(2 ** (dtype.bits - 1))
            high = 2 ** (dtype.bits - (0 if dtype.is_unsigned else 1)) - 1
            return low <= number <= high
        return dtype.is_float or dtype.is_complex
    if isinstance(number, float):
        return dtype.is_float or dtype.is_complex
    return dtype.is_complex


class Add(Elementwise, name="add", mlir="stablehlo.add"):
    """Sum; logical or for i1."""

    x: Value
    y: Value

    examples = (
        Example(x=f32[2, 3], y=f32[2, 3]),
        Example(x=f32[1, 4], y=f32[3, 1]),
        Example(x=i8[5], y=i8[()]),
        Example(x=i1[4], y=i1[4]),
        Example(x=bf16[0, 2], y=bf16[2]),
        Example(x=c64[3], y=c64[3]),
    )
    accepts = "bool int uint float complex"

    def reference(self, x: Array, y: Array) -> Array:
        return x + y
