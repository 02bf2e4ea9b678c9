"""Arrays on devices: placed there, given by programs, and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxlib import _jax

from dxir.errors import ArgumentError, DTypeError, RuntimeFailure
from dxir.partition_spec import P, resolved
from dxir.runtime.arguments import Parameter, host_array
from dxir.runtime.array import Array, NumpyArray
from dxir.runtime.pjrt.clients import Device, XlaError
from dxir.runtime.pjrt.meshes import check_divides, placed
from dxir.runtime.pjrt.placements import Placement, Slices, cpu, on_device
from dxir.sharding import Sharding
from dxir.types import TensorType, i8

_BYTE = TensorType((), i8)


@dataclass(frozen=True, slots=True)
class Shard:
    """What one device has of an array."""

    device: Device
    index: Slices
    """Which part of the array it is."""
    data: NumpyArray


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
        """What each device of the placement has, in their order.

        Raises ArgumentError where other processes have some of them; see `local_shards`.
        """
        if not self.placement.is_local:
            raise ArgumentError(
                f"other processes have some of the shards of {self!r}",
                hint="array.local_shards() gives those that are here",
            )
        return [shard.data for shard in self.local_shards()]

    def local_shards(self) -> list[Shard]:
        """What each device of this process has, in their order, and which part it is."""
        try:
            self.buffer.block_until_ready()
            parts = self.placement.parts(self.buffer)
        except XlaError as error:
            raise self._failure(error) from None
        slices = self.placement.slices(self.type)
        return [
            Shard(self.placement.devices[i], slices[i], part)
            for i, part in zip(self.placement.local, parts, strict=True)
        ]

    def gather(self) -> NumpyArray:
        """The whole array, of the parts that all processes have; all of them must call this.

        As `numpy()` where this process has all that there is.
        """
        if self.placement.is_local:
            return self.numpy()
        from dxir.runtime.pjrt.gathering import gathered

        return gathered(self)

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

    def to(self, placement: Placement | Sharding | P | Device) -> DeviceArray:
        """The array placed elsewhere, by way of the host.

        Where other processes have parts of it, all of them must call this.
        """
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
                f"the numbers of an array of type {self.type} are gone: it was deleted, or donated",
                hint="go on with the result of the call that it was given to, or leave it out of "
                "donate=",
            )
        if not self.placement.is_local:
            self.placement.devices[0].client.await_cause()
        return RuntimeFailure(f"computing {self!r} failed: {error}")


def _gone() -> Any:
    """A buffer that is deleted."""
    buffer = cpu().put(np.zeros((), np.int8), _BYTE, alias=False)
    buffer.delete()
    return buffer


def to_device(
    array: Any,
    device: Placement | Sharding | P | Device | None = None,
    *,
    copy: bool | None = None,
) -> DeviceArray:
    """Place an array of any element type on a device, once, for use in many calls.

    `device` is a device, or the `Placement` that divides the array among several, or the `Sharding`
    that does, over the first devices that there are, or the `P` in a `with mesh:`; None is for the
    processors of this machine.
    Arrays of other libraries are taken by DLPack. With several processes each gives the whole
    array, and places what its own devices are to have of it.

    With `copy` None the memory is shared only when it cannot change, being read-only down to its
    owner (a file mapped with `mmap_mode="r"`, say), and aligned to 64 bytes. False shares writable
    memory too, if aligned: do not change the array as long as the result or anything computed from
    it is in use. True always copies. Raises DTypeError for a dtype that is no element type.
    """
    where: Placement | Sharding | Device | None = resolved(device, rank=np.ndim(array))
    place = placement_for(where)
    if isinstance(array, DeviceArray):
        if array.placement == place and copy is not True:
            return array
        array = array.numpy() if array.placement.has_whole() else array.gather()
    data = _native(array)
    type = place.same(TensorType.of_array(data))
    if isinstance(where, Sharding):
        check_divides(where, type)
    alias = is_frozen(data) if copy is None else not copy
    try:
        return DeviceArray(place.put(data, type, alias=alias), type, place)
    except XlaError as error:
        raise RuntimeFailure(f"{type} cannot be placed on {place}: {error}") from None


def from_shards(shards: Sequence[Any], device: Placement | Sharding | P | Device) -> DeviceArray:
    """The array that is divided so, of what each device of this process has of it.

    One array for each of these devices, in the order of the placement, all of one shape and dtype;
    with several processes each gives its own. Where several devices have the same part, it is for
    the caller to see that it is the same.
    """
    pieces = [_native(shard) for shard in shards]
    where: Placement | Sharding | Device = resolved(
        device, rank=np.ndim(pieces[0] if pieces else 0)
    )
    place = placement_for(where)
    if len(pieces) != len(place.local):
        raise ArgumentError(
            f"{len(place.local)} devices of {place} are of this process, and there are "
            f"{len(pieces)} shards",
            hint="give one array for each of them, in their order",
        )
    part = TensorType.of_array(pieces[0]) if pieces else None
    for number, piece in enumerate(pieces):
        if TensorType.of_array(piece) != part:
            raise ArgumentError(
                f"shard 0 is {part}, and shard {number} is {TensorType.of_array(piece)}",
                hint="the parts of an array are of one shape and dtype",
            )
    if part is None or (place.tiles is not None and part.rank != len(place.tiles)):
        raise ArgumentError(f"{part} is no part of an array on {place}", hint="it has another rank")
    sizes = zip(part.static_shape, place.tiles or (1,) * part.rank, strict=True)
    type = place.same(TensorType(tuple([size * n for size, n in sizes]), part.dtype))
    try:
        return DeviceArray(place.put_parts(pieces, type, alias=False), type, place)
    except XlaError as error:
        raise RuntimeFailure(f"{type} cannot be placed on {place}: {error}") from None


def placement_for(device: Placement | Sharding | Device | None) -> Placement:
    """Where arrays lie that are placed so."""
    if device is None:
        return cpu()
    if isinstance(device, Device):
        return on_device(device)
    if isinstance(device, Sharding):
        return placed(device)
    if isinstance(device, Placement):
        return device
    raise ArgumentError(
        f"{device!r} is no device, no Placement and no Sharding",
        hint="dxir.devices(count=8) gives devices, executable.placements how arguments lie",
    )


def _native(array: Any) -> NumpyArray:
    """The array as NumPy's, in C order and native byte order; DTypeError where it cannot be."""
    data = _of_other_library(array) if _is_foreign(array) else np.asarray(array)
    return host_array(data, Parameter(0, None, TensorType.of_array(data)))


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
