"""CHLO's own constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.attributes import RawAttribute
from dxir.derivatives import Zero
from dxir.dialects.constants import constant_array
from dxir.errors import AttributeValueError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import DType, TensorType, bf16, c64, f32, f64, i1, i8, i64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
_COMPLEX = re.compile(r"#complex\.number<:f\d+ ([^,]+), ([^>]+)>")


class ChloConstant(Primitive, name="chlo_constant", mlir="chlo.constant", rounding="moves"):
    """A tensor known when the graph is built, as CHLO's operation; `constant` is StableHLO's."""

    value: Array = attribute("elements", positional=True)

    examples = (
        Example(value=np.arange(6, dtype=np.float32).reshape(2, 3)),
        Example(value=[True, False]),
        Example(value=np.zeros((0, 3), np.int8)),
    )

    def prepare(self) -> None:
        self.update(value=constant_array(self.value, None))

    def infer(self) -> TensorType:
        return TensorType.of_array(self.value)

    def reference(self) -> Array:
        return self.value


class ConstantLike(Primitive, name="constant_like", mlir="chlo.constant_like", rounding="moves"):
    """One number everywhere, in the type and shape of `x`, which may be dynamic."""

    x: Value
    value: Any = attribute("any")

    examples = (
        Example(x=f32[2, 3], value=1.5),
        Example(x=bf16[0, 3], value=-1),
        Example(x=i8[4], value=-128),
        Example(x=i64[()], value=2**40),
        Example(x=f64[2], value=float("-inf")),
        Example(x=i1[3], value=True),
        Example(x=c64[3], value=1.5 - 2j),
    )

    def prepare(self) -> None:
        dtype = self.x.tensor.primitive
        given: Any = self.value
        if not isinstance(given, RawAttribute):
            self.update(value=_element(given, dtype))

    def infer(self) -> TensorType:
        return self.x.tensor

    derivative = Zero("it does not depend on the elements of x")

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.operands)
        return result

    def reference(self, x: Array) -> Array:
        value: Any = self.value
        if isinstance(value, RawAttribute):
            match = _COMPLEX.match(value.text)
            if match is None:
                raise AttributeValueError(f"the value {value.text} is not a number")
            value = complex(float(match[1]), float(match[2]))
        return np.full(x.shape, value, x.dtype)


def _element(given: Any, dtype: DType) -> Any:
    """A number as the attribute of its type: what `any` writes and reads."""
    number = given.item() if isinstance(given, np.generic) and given.dtype != dtype.numpy else given
    if not isinstance(number, np.generic):
        checks.represents(dtype, number)
    if dtype.is_complex:
        value = complex(number)
        if not np.isfinite(value):
            raise AttributeValueError(
                f"value is {value}", hint="MLIR's text form keeps only finite complex numbers"
            )
        parts = f"{value.real:.17e}, {value.imag:.17e}"
        return RawAttribute(f"#complex.number<:{dtype.real.mlir} {parts}> : {dtype.mlir}")
    plain = {"i1": bool, "i64": int, "f64": float}.get(dtype.name)
    return np.array(number).astype(dtype.numpy)[()] if plain is None else plain(number)
