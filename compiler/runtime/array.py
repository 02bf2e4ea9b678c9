"""Arrays that executables give, wherever their data lies."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir.types import TensorType

NumpyArray = np.ndarray[Any, Any]


class Array(ABC):
    """An immutable array of an element type of StableHLO.

    `numpy()` and `np.asarray` give its data with the dtype of the element type, `ml_dtypes` ones
    included, on every version of the runtime. `dtype` is that NumPy dtype, `type` the tensor type.
    """

    __slots__ = ()

    type: TensorType

    @abstractmethod
    def numpy(self) -> NumpyArray:
        """The data as a read-only NumPy array, after waiting for it to be computed.

        A view without a copy wherever the host has the data in NumPy's layout; it stays valid when
        the array is gone. Raises RuntimeFailure when the computation failed.
        """

    def wait(self) -> Array:
        """Wait until the data is computed; RuntimeFailure when that failed."""
        return self

    def ready(self) -> bool:
        """Whether the computation has ended, successfully or not."""
        return True

    def gather(self) -> NumpyArray:
        """The data, where other processes have parts of it too; all of them must call this."""
        return self.numpy()

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return self.type.static_shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of an element."""
        return self.type.dtype.numpy

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.type.rank

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.type.size

    @property
    def nbytes(self) -> int:
        """The bytes of the host array; sub-byte elements take a byte each there."""
        return self.type.size * self.dtype.itemsize

    def item(self) -> Any:
        """The only element, as a Python (or `ml_dtypes`) scalar."""
        return self.numpy().item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumpyArray:
        data = self.numpy()
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError(
                    f"{self.type} cannot be viewed as {np.dtype(dtype)} without a copy"
                )
            return data.astype(dtype)
        return data.copy() if copy else data

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError("an array of rank 0 has no length")
        return self.shape[0]

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def tolist(self) -> Any:
        """The data as Python numbers, in lists by dimension."""
        return self.numpy().tolist()

    def __str__(self) -> str:
        """The values, as NumPy prints them; waits for them."""
        return str(self.numpy())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type}>"


ALIGNMENT = 64
"""What the address of an array must be a multiple of, for a device to share its memory."""


def empty_aligned(shape: Sequence[int], dtype: Any) -> NumpyArray:
    """A new NumPy array of any values, so aligned that `to_device(..., copy=False)` shares it.

    NumPy itself aligns to 16 bytes.
    """
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    memory = np.empty(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    found: NumpyArray = memory[start : start + size].view(kind).reshape(tuple(shape))
    return found


class HostArray(Array):
    """An array whose data is a NumPy array."""

    __slots__ = ("_data", "type")

    def __init__(self, data: NumpyArray, type: TensorType) -> None:
        self._data = data.view()
        self._data.flags.writeable = False
        self.type = type

    def numpy(self) -> NumpyArray:
        """The data, read-only."""
        return self._data
