"""Into quantized types and out of them.

Arithmetic on quantized types is the ops' own: `add`, `dot_general` and the others take them, and
mean the arithmetic of the numbers that the stored integers stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.quantization import dequantize, quantize, storage_range
from dxir.transforms.batching import with_batch
from dxir.types import QuantizedType, TensorType, Type, bf16, f32, i4, i8, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_PER_TENSOR = QuantizedType(i8, f32, (0.5,), (3,))
_PER_AXIS = QuantizedType(ui8, f32, (0.5, 0.25, 2.0), (128, 0, 7), axis=1)
_NARROW = QuantizedType(i8, f32, (0.1,), (0,), storage_min=-127, storage_max=127)


def check_quantized(dtype: QuantizedType, type: TensorType) -> None:
    """Raise unless the quantized type makes sense, and its scales fit the tensor's axis."""
    low, high = storage_range(dtype)
    if not all(np.isfinite(s) and s > 0 for s in dtype.scales):
        raise DTypeError(f"{dtype} has a scale that is not positive", hint="scales are > 0")
    if not all(low <= z <= high for z in dtype.zero_points):
        raise DTypeError(
            f"{dtype} has a zero point outside {low}..{high}, which its storage can hold"
        )
    if dtype.axis is None:
        return
    axis = checks.axis(dtype.axis, type.rank, "the axis of the quantized type")
    size = type.shape[axis]
    if isinstance(size, int) and size != len(dtype.scales):
        raise ShapeError(
            f"{dtype} has {len(dtype.scales)} scales along axis {axis}, "
            f"but the tensor is {list(type.shape)}",
            hint="give one scale for each index along the axis",
        )


class UniformQuantize(Primitive, name="uniform_quantize", mlir="stablehlo.uniform_quantize"):
    """The stored integers of `dtype` nearest to `x / scale + zero_point`, ties to even.

    `x` is of the type that `dtype` expresses, or quantized in another way. Values beyond the
    storage saturate. XLA on CPU does not run it.
    """

    x: Value
    dtype: QuantizedType = attribute(positional=True)

    stored_integers: ClassVar[bool] = True
    examples = (
        Example(x=f32[2, 3], dtype=_PER_TENSOR, runs=False),
        Example(x=f32[2, 3], dtype=_PER_AXIS, runs=False),
        Example(x=f32[0, 3], dtype=_NARROW, runs=False),
        Example(x=bf16[()], dtype=QuantizedType(i4, bf16, (1.0,), (-8,)), runs=False),
        Example(x=_PER_TENSOR[4], dtype=_NARROW, runs=False),
        Example(x=QuantizedType(i32, f32, (0.01,), (0,))[4], dtype=_PER_TENSOR, runs=False),
    )

    def infer(self) -> TensorType:
        type, dtype = self.x.tensor, self.dtype
        if not isinstance(dtype, QuantizedType):
            raise AttributeValueError(
                f"dtype is {dtype!r}", hint="give a QuantizedType, which has scales and zero points"
            )
        given = type.dtype.expressed if isinstance(type.dtype, QuantizedType) else type.dtype
        if given != dtype.expressed:
            raise DTypeError(
                f"{type} does not quantize to {dtype}, which stands for {dtype.expressed}",
                hint=f"convert it to {dtype.expressed} first",
            )
        check_quantized(dtype, type)
        return TensorType(type.shape, dtype)

    def reference(self, x: Array) -> Array:
        given = self.x.dtype
        return quantize(dequantize(x, given) if isinstance(given, QuantizedType) else x, self.dtype)

    def batch(self, batch: Batch) -> Value:
        wanted = with_batch(self.results[0].tensor, batch.size)
        result: Value = batch.rebuild(batch.operands, dtype=wanted.dtype)
        return result

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        result = result_types[0]
        return {"dtype": result.dtype if isinstance(result, TensorType) else None}


class UniformDequantize(Primitive, name="uniform_dequantize", mlir="stablehlo.uniform_dequantize"):
    """The numbers that stored integers stand for: `(x - zero_point) * scale`.

    XLA on CPU does not run it.
    """

    x: Value

    stored_integers: ClassVar[bool] = True
    examples = (
        Example(x=_PER_TENSOR[2, 3], runs=False),
        Example(x=_PER_AXIS[2, 3], runs=False),
        Example(x=QuantizedType(i4, bf16, (1.0,), (-8,))[0], runs=False),
        Example(x=_NARROW[()], runs=False),
    )

    def infer(self) -> TensorType:
        type = self.x.tensor
        if not isinstance(type.dtype, QuantizedType):
            raise DTypeError(f"{type} is not quantized", hint="its element type holds the scale")
        check_quantized(type.dtype, type)
        return TensorType(type.shape, type.dtype.expressed)

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.operands)
        return result

    def reference(self, x: Array) -> Array:
        dtype = self.x.dtype
        assert isinstance(dtype, QuantizedType)
        return dequantize(x, dtype)
