"""What the namespace can do, as programs ask for it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dxir.errors import AttributeValueError
from dxir.locations import caller_location
from dxir.numpy.arguments import check_device
from dxir.numpy.data_types import isdtype
from dxir.types import DType, c64, f32, i32

VERSION = "2024.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", VERSION)

STANDARD = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8",
    "uint16": "ui16", "uint32": "ui32", "uint64": "ui64", "float32": "f32", "float64": "f64",
    "complex64": "c64", "complex128": "c128",
}  # fmt: skip
"""The element types of the standard, by its names."""


def namespace(api_version: str | None = None) -> ModuleType:
    """`dxir.numpy`; AttributeValueError for a version of the standard that it does not follow."""
    import dxir.numpy

    if api_version is not None and api_version not in _VERSIONS:
        raise AttributeValueError(
            f"version {api_version!r} of the array API standard is not known here",
            where=caller_location(),
            hint=f"it is one of {', '.join(_VERSIONS)}",
        )
    return dxir.numpy


class Info:
    """Capabilities, devices and element types: what `__array_namespace_info__` gives."""

    def capabilities(self) -> dict[str, Any]:
        """What is there. What depends on elements works on known numbers, not while tracing."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": None,
        }

    def default_device(self) -> str:
        """Where arrays are made."""
        return "cpu"

    def devices(self) -> list[str]:
        """Where arrays can be made."""
        return ["cpu"]

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The element types of arrays that are made without one."""
        check_device(device)
        return {
            "real floating": f32,
            "complex floating": c64,
            "integral": i32,
            "indexing": i32,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """The element types of the standard, or those of a kind."""
        check_device(device)
        found = {name: DType.of(own) for name, own in STANDARD.items()}
        if kind is None:
            return found
        return {name: dtype for name, dtype in found.items() if isdtype(dtype, kind)}


def __array_namespace_info__() -> Info:  # noqa: N807  # the name is that of the standard
    """What the namespace can do."""
    return Info()
