"""Narrow types and constants in place of those of f32."""

from __future__ import annotations

import numpy as np

from dxir.diagnostics import where_of
from dxir.elements import elements_of
from dxir.errors import PassError
from dxir.mlir import (
    IrAttribute,
    IrOperation,
    IrType,
    TypeCache,
    decode_type,
    dense_elements,
    ir,
)
from dxir.types import DType, TensorType


class Types:
    """The narrow types of f32 types, and the narrow forms of f32 constants, each found once."""

    def __init__(self, dtype: DType, context: ir.Context) -> None:
        self.dtype = dtype
        self._types = TypeCache.of(context)
        self.element = self._types.element(dtype)
        self._wide = self._types.element(DType.of("f32"))
        self._narrow: dict[IrType, IrType | None] = {}
        self._widened: dict[IrType, IrType] = {}
        self._constants: dict[IrAttribute, IrAttribute | None] = {}

    def narrow(self, type: IrType, at: IrOperation) -> IrType | None:
        """The type with narrow elements of an f32 tensor's; None for all others.

        PassError for a quantized one.
        """
        try:
            return self._narrow[type]
        except KeyError:
            pass
        found: IrType | None = None
        if "!quant.uniform" in str(type):
            raise PassError(
                f"'{at.name}' has the quantized type {type}: its precision is chosen already",
                where=where_of(at.location),
                hint="run the pass before quantizing, or lower the quantized ops first "
                "(stablehlo-legalize-quant-to-math)",
            )
        if isinstance(type, ir.RankedTensorType) and type.element_type == self._wide:
            found = self._with_element(type, self.element)
        self._narrow[type] = found
        return found

    def widened(self, type: IrType) -> IrType:
        """The type with f32 elements of a narrow tensor's."""
        found = self._widened.get(type)
        if found is None:
            assert isinstance(type, ir.RankedTensorType)
            found = self._widened[type] = self._with_element(type, self._wide)
        return found

    def _with_element(self, type: ir.RankedTensorType, element: IrType) -> IrType:
        return ir.RankedTensorType.get(type.shape, element, type.encoding, loc=self._types.unknown)

    def constant(self, value: IrAttribute) -> IrAttribute | None:
        """The constant with narrow elements.

        None where a finite element would become infinite, or the only one zero.
        """
        if value not in self._constants:
            self._constants[value] = self._round(value)
        return self._constants[value]

    def _round(self, value: IrAttribute) -> IrAttribute | None:
        array = elements_of(value)
        assert array is not None
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            rounded = np.asarray(array).astype(self.dtype.numpy)
            back = rounded.astype(np.float32)
        lost = np.isfinite(array) & ~np.isfinite(back)
        if array.size and not any(array.strides):
            lost |= (array != 0) & (back == 0)
            rounded = np.broadcast_to(rounded.reshape(-1)[:1].reshape(()), array.shape)
        if lost.any():
            return None
        type = decode_type(value.type)
        assert isinstance(type, TensorType)
        return dense_elements(rounded, type.with_dtype(self.dtype), self._types)
