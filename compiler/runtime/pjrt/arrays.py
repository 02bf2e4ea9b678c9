"""Arrays on devices: placed there, given by programs, and taken back."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxlib import _jax

from dxir.errors import ArgumentError, DTypeError, RuntimeFailure
from dxir.runtime.arguments import Parameter, host_array
from dxir.runtime.array import Array, NumpyArray
from dxir.runtime.pjrt.clients import Device, XlaError
from dxir.runtime.pjrt.placements import Placement, cpu, on_device
from dxir.types import TensorType, i8

_BYTE = TensorType((), i8)


class DeviceArray(Array):
    """An immutable array on one or more devices, perhaps still being computed.

    Give it to an executable and it is used in place. `placement` says which devices have which
    part of it.
    """

    __slots__ = ("buffer", "exported", "placement", "type")

    def __init__(self, buffer: Any, type: TensorType, placement: Placement) -> None:
        self.buffer: Any = buffer  # PJRT's; for the runtime only
        self.type = type
        self.placement = placement
        self.exported = False

    def numpy(self) -> NumpyArray:
        """The data, after waiting for it: a read-only view, or a copy.

        It is copied for sub-byte types, and where several devices have parts of it.
        """
        try:
            self.buffer.block_until_ready()  # taking what failed to be allocated ends the process
            return self.placement.take(self.buffer, self.type)
        except XlaError as error:
            raise self._failure(error) from None

    def shards(self) -> list[NumpyArray]:
        """What each device of the placement has, in their order."""
        try:
            self.buffer.block_until_ready()
            return self.placement.parts(self.buffer)
        except XlaError as error:
            raise self._failure(error) from None

    def wait(self) -> DeviceArray:
        """Wait until the array is computed; RuntimeFailure when that failed."""
        try:
            self.buffer.block_until_ready()
        except XlaError as error:
            raise self._failure(error) from None
        return self

    def ready(self) -> bool:
        """Whether the computation has ended, successfully or not."""
        return not self.is_deleted and bool(self.buffer.is_ready())

    @property
    def is_deleted(self) -> bool:
        """Whether the memory was given up, by `delete` or by a program that took it over."""
        return bool(self.buffer.is_deleted())

    def delete(self) -> None:
        """Give the memory up now; views of it stay valid. Using the array then is an error."""
        if self.exported or not self.placement.is_single:
            # jaxlib 0.12 ends the process over deleting what is exported, and hangs where another
            # thread reads what lies on several devices; it goes with its last user.
            self.buffer = _gone()
        else:
            self.buffer.delete()

    def to(self, placement: Placement | Device) -> DeviceArray:
        """The array placed elsewhere, by way of the host."""
        return to_device(self, placement)

    def __dlpack__(self, **options: Any) -> Any:
        """The data as a DLPack capsule, without a copy, for a library that does not change it."""
        if self.is_deleted:
            raise self._failure(RuntimeError())
        if options.get("copy") or not self.placement.is_single:
            return to_device(self.numpy(), copy=True).__dlpack__()
        self.exported = True
        try:
            return _jax.buffer_to_dlpack_managed_tensor(self.buffer, None)
        except XlaError:
            raise DTypeError(
                f"DLPack has no elements of the type {self.type.dtype.name}",
                hint="give numpy() of the array",
            ) from None

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's numbers of the kind of device, and of the device."""
        if self.placement.devices[0].platform == "cuda":
            return (2, self.placement.devices[0].id)
        return (1, 0)

    def _failure(self, error: BaseException) -> RuntimeFailure:
        if self.is_deleted:
            return RuntimeFailure(
                f"the data of {self!r} was deleted",
                hint="it was deleted, or donated to a program that it was an argument of",
            )
        return RuntimeFailure(f"computing {self!r} failed: {error}")


def _gone() -> Any:
    """A buffer that is deleted."""
    buffer = cpu().put(np.zeros((), np.int8), _BYTE, alias=False)
    buffer.delete()
    return buffer


def to_device(
    array: Any, device: Placement | Device | None = None, *, copy: bool | None = None
) -> DeviceArray:
    """Place an array of any element type on a device, once, for use in many calls.

    `device` is a device, or the `Placement` that divides the array among several; None is for the
    processors of this machine. Arrays of other libraries are taken by DLPack.

    With `copy` None the memory is shared only when it cannot change, being read-only down to its
    owner (a file mapped with `mmap_mode="r"`, say), and aligned to 64 bytes. False shares writable
    memory too, if aligned: do not change the array as long as the result or anything computed from
    it is in use. True always copies. Raises DTypeError for a dtype that is no element type.
    """
    if device is not None and not isinstance(device, Device | Placement):
        raise ArgumentError(
            f"{device!r} is no device, and no Placement",
            hint="dxir.devices(count=8) gives devices, executable.placements how arguments lie",
        )
    place = on_device(device) if isinstance(device, Device) else device or cpu()
    if isinstance(array, DeviceArray):
        if array.placement == place and copy is not True:
            return array
        array = array.numpy()
    data = _of_other_library(array) if _is_foreign(array) else np.asarray(array)
    type = place.same(TensorType.of_array(data))
    data = host_array(data, Parameter(0, None, type))
    alias = is_frozen(data) if copy is None else not copy
    try:
        return DeviceArray(place.put(data, type, alias=alias), type, place)
    except XlaError as error:
        raise RuntimeFailure(f"{type} cannot be placed on {place}: {error}") from None


def _is_foreign(array: Any) -> bool:
    return (
        not isinstance(array, np.ndarray | np.generic | Array)
        and hasattr(array, "__dlpack__")
        and hasattr(array, "__dlpack_device__")
    )


def _of_other_library(array: Any) -> NumpyArray:
    """The data of an array that speaks DLPack; NumPy's own way of it has no ml_dtypes."""
    if array.__dlpack_device__()[0] != 1:
        return np.asarray(array)
    try:
        return np.from_dlpack(array)
    except (BufferError, RuntimeError, TypeError):
        pass
    try:
        buffer = _jax.dlpack_managed_tensor_to_buffer(
            array.__dlpack__(), cpu().raw_devices[0], None
        )
    except (XlaError, BufferError, TypeError, RuntimeError):
        return np.asarray(array)
    return cpu().parts(buffer)[0]


def is_frozen(array: NumpyArray) -> bool:
    """Whether nobody can write to the memory of the array, not through its owner either."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return False
        if owner.base is None:
            return True
        owner = owner.base
    try:
        return memoryview(owner).readonly
    except TypeError:
        return False  # the owner is no buffer: memory lent by another library, which may change it
