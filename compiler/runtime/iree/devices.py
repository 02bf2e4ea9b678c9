"""IREE's runtime in this process: its instance, and the device that programs run on."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dxir.errors import RuntimeFailure, TargetError
from dxir.runtime.array import NumpyArray
from dxir.types import DType, TensorType

DRIVER = "local-task"

_lock = threading.Lock()
_forked = False
_opened: list[Device] = []

_ELEMENTS = {
    "i1": "BOOL_8", "bf16": "BFLOAT_16", "f16": "FLOAT_16", "f32": "FLOAT_32", "f64": "FLOAT_64",
    "i8": "SINT_8", "i16": "SINT_16", "i32": "SINT_32", "i64": "SINT_64",
    "ui8": "UINT_8", "ui16": "UINT_16", "ui32": "UINT_32", "ui64": "UINT_64",
    "c64": "COMPLEX_64", "c128": "COMPLEX_128",
    "f8e4m3fn": "FLOAT_8_E4M3_FN", "f8e4m3fnuz": "FLOAT_8_E4M3_FNUZ",
    "f8e5m2": "FLOAT_8_E5M2", "f8e5m2fnuz": "FLOAT_8_E5M2_FNUZ", "f8e8m0fnu": "FLOAT_8_E8M0_FNU",
}  # fmt: skip


def installed(part: str) -> bool:
    """Whether a part of IREE, `compiler` or `runtime`, is installed; it is not imported."""
    try:
        return importlib.util.find_spec(f"iree.{part}") is not None
    except ModuleNotFoundError:
        return False


def need(part: str, target: str) -> None:
    """Raise TargetError where a part of IREE is not installed."""
    if not installed(part):
        raise TargetError(
            f"{target} needs IREE's {part} (the package iree-base-{part}), which is not installed",
            hint="pip install 'dxir[iree]'",
        )


def carries(dtype: DType) -> bool:
    """Whether IREE's arrays can have these elements."""
    return dtype.name in _ELEMENTS


@cache
def runtime() -> Any:
    """The module `iree.runtime`."""
    return importlib.import_module("iree.runtime")


@dataclass(frozen=True)
class Device:
    """IREE's processors of this machine."""

    instance: Any
    raw: Any

    def put(self, array: NumpyArray, type: TensorType) -> Any:
        """A copy of an array in C order, as a view of a buffer of IREE's."""
        rt = runtime()
        buffer = self.raw.allocator.allocate_buffer_copy(
            memory_type=rt.MemoryType.DEVICE_LOCAL,
            allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
            device=self.raw,
            buffer=_bytes(array),
        )
        element = getattr(rt.HalElementType, _ELEMENTS[type.primitive.name])
        return rt.HalBufferView(buffer, list(type.static_shape), element)

    def get(self, view: Any, type: TensorType) -> NumpyArray:
        """The data of a view, which is not copied; RuntimeFailure for one of another type."""
        wanted = getattr(runtime().HalElementType, _ELEMENTS[type.primitive.name])
        count = type.size * type.dtype.numpy.itemsize
        if list(view.shape) != list(type.static_shape) or view.byte_length != count:
            raise RuntimeFailure(
                f"IREE gave an array of {view.byte_length} bytes and shape {list(view.shape)} "
                f"({view.element_type}) for {type} ({wanted})"
            )
        if not count:
            return np.empty(type.static_shape, type.dtype.numpy)
        flat: NumpyArray = view.map().asarray((count,), np.dtype(np.uint8))
        return flat.view(type.dtype.numpy).reshape(type.static_shape)


def _bytes(array: NumpyArray) -> NumpyArray:
    """The bytes of an array in C order."""
    return array.reshape(-1).view(np.uint8)


def device() -> Device:
    """The device of this process, made when it is first asked for.

    Raises RuntimeFailure in a process forked from one that had made it, where using it would hang.
    """
    if _forked:
        raise RuntimeFailure(
            "this process was forked from one that had already used iree-cpu, whose threads are "
            "missing here",
            hint="start processes by 'spawn': multiprocessing.get_context('spawn')",
        )
    with _lock:
        if not _opened:
            rt = runtime()
            raw = rt.get_driver(DRIVER).create_default_device()
            _opened.append(Device(rt.VmInstance(), raw))
        return _opened[0]


def _after_fork() -> None:
    global _lock, _forked
    _lock = threading.Lock()  # another thread may have held it
    _forked = bool(_opened)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
