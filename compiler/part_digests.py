"""Digests of what ops are made of: types, constants and other attributes."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, cast

import numpy as np

from dxir.mlir import IrAttribute, ir
from dxir.quoting import unquoted
from dxir.reading import attribute_text
from dxir.resources import RESOURCE, blobs_of


def digest_of(*parts: bytes) -> bytes:
    """The digest of some bytes in order."""
    return sha256(b"\0".join(parts)).digest()


class PartDigests:
    """Types and attributes of a module as bytes, each worked out once."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._types: dict[ir.Type, bytes] = {}
        self._attributes: dict[IrAttribute, bytes | str] = {}
        self._blobs: dict[str, bytes] | None = None

    def type(self, type: ir.Type) -> bytes:
        """A type as bytes."""
        found = self._types.get(type)
        if found is None:
            found = self._types[type] = str(type).encode()
        return found

    def attribute(self, value: IrAttribute) -> bytes | str:
        """The digest of a constant's data, or the text of any other attribute."""
        found = self._attributes.get(value)
        if found is None:
            found = self._attributes[value] = self._fresh(value)
        return found

    def _fresh(self, value: IrAttribute) -> bytes | str:
        # The text of a splat is that of its element.
        if isinstance(value, ir.DenseElementsAttr) and not value.is_splat:
            try:
                array = np.asarray(memoryview(cast(Any, value)))
            except (TypeError, ValueError, BufferError, RuntimeError):
                array = None  # bf16, f8, i4: no NumPy access, but the text is exact
            if array is not None and array.size > 64:
                data = np.ascontiguousarray(array)
                return digest_of(b"dense", self.type(value.type), data.tobytes())
        text = attribute_text(value)
        return self._with_blobs(text) if "dense_resource<" in text else text

    def _with_blobs(self, text: str) -> str:
        if self._blobs is None:
            self._blobs = blobs_of(self._module)
        blobs = self._blobs

        def one(match: re.Match[str]) -> str:
            data = blobs.get(unquoted(match[1]))
            return "no data" if data is None else sha256(data).hexdigest()

        return RESOURCE.sub(one, text)
