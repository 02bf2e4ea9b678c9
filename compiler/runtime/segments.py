"""Memory that two processes share, and arrays in it.

A segment has no name: it is passed on by its descriptor, and is gone when the last process that has
it is, however that ended.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from dxir.errors import RuntimeFailure
from dxir.runtime.array import NumpyArray
from dxir.types import TensorType

ALIGNMENT = 64
"""What arrays in a segment are aligned to: XLA uses such memory as it is."""


class Segment:
    """A piece of memory with a descriptor, of a size that nobody can change any more.

    The descriptor is closed when the segment is no longer used; arrays in it stay valid.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor = descriptor
        self.size = size
        weakref.finalize(self, os.close, descriptor)

    @classmethod
    def make(cls, size: int) -> Segment:
        """A new segment for so many bytes; RuntimeFailure when there is no memory for it."""
        size = max(size, mmap.PAGESIZE)
        try:
            return cls(_unnamed(size), size)
        except OSError as error:
            raise _no_memory(size, error) from None

    @cached_property
    def readable(self) -> mmap.mmap:
        """The memory, for reading alone."""
        return self._mapped(mmap.ACCESS_READ)

    @cached_property
    def writable(self) -> mmap.mmap:
        """The memory, for writing too."""
        return self._mapped(mmap.ACCESS_WRITE)

    def _mapped(self, access: int) -> mmap.mmap:
        try:
            return mmap.mmap(self.descriptor, self.size, access=access)
        except OSError as error:
            raise _no_memory(self.size, error) from None

    def array(self, offset: int, type: TensorType) -> NumpyArray:
        """The array of that type (of known sizes) that lies there, read-only down to its owner."""
        dtype = type.dtype.numpy
        return np.ndarray(type.static_shape, dtype, buffer=self.readable, offset=offset)

    def put(self, offset: int, array: NumpyArray) -> None:
        """Copy an array in C order to there."""
        if array.size:
            place = np.frombuffer(self.writable, np.uint8, array.nbytes, offset)
            place[...] = array.reshape(-1).view(np.uint8)


def layout(types: Iterable[TensorType], start: int = 0) -> tuple[list[int], int]:
    """Where arrays of these types lie one behind another from `start` on, and where they end."""
    offsets: list[int] = []
    end = start
    for type in types:
        end += -end % ALIGNMENT
        offsets.append(end)
        end += type.size * type.dtype.numpy.itemsize
    return offsets, end


def _unnamed(size: int) -> int:
    if not hasattr(os, "memfd_create"):  # not on Linux
        with tempfile.TemporaryFile() as file:
            os.ftruncate(file.fileno(), size)
            return os.dup(file.fileno())
    import fcntl

    descriptor = os.memfd_create("dxir", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(descriptor, size)
        # Reading what the other side cut off would end this process.
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _no_memory(size: int, error: OSError) -> RuntimeFailure:
    return RuntimeFailure(
        f"{size} bytes of memory to share with another process cannot be had: "
        f"{error.strerror or error}",
        hint="large results of contained programs keep a file open each, as long as they live"
        if error.errno in (23, 24)
        else None,
    )
