"""Where arrays lie: the devices, and which part of an array each has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any

import jaxlib.xla_client as xc
import numpy as np

from dxir.errors import ArgumentError
from dxir.runtime.array import NumpyArray
from dxir.runtime.pjrt.clients import Device, XlaError, cpu_client
from dxir.runtime.pjrt.sharding_text import is_safe
from dxir.types import DType, TensorType, shape_text

# The second is the only way of 0.10; it imports JAX where that is installed, and does without where
# it is not. It must never see an array on several devices: it gives the first shard.
_TO_NUMPY = (
    "_to_np_array_did_copy"
    if hasattr(xc.ArrayImpl, "_to_np_array_did_copy")
    else "_single_device_array_to_np_array_did_copy"
)

_ALIAS = xc.HostBufferSemantics.ZERO_COPY
_COPY = xc.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL

Slices = tuple[slice, ...]


class _Aval:
    """What jaxlib wants to know of an array."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, type: TensorType) -> None:
        self.shape = type.static_shape
        self.dtype = type.dtype.numpy
        self.weak_type = False


class Placement:
    """Devices, and how the dimensions of an array are divided among them.

    `tiles` says into how many parts each dimension is divided, and `order` which device has which
    part: the numbers of the devices, in the shape of `tiles`, with a dimension more where several
    devices have the same part. Without `tiles` every device has the whole array.
    """

    def __init__(
        self,
        devices: Sequence[Device],
        tiles: Sequence[int] | None = None,
        order: NumpyArray | None = None,
    ) -> None:
        self.devices = tuple(devices)
        _check(self.devices, tiles, order)
        self.tiles = None if tiles is None or all(t == 1 for t in tiles) else tuple(tiles)
        self.order = None
        if self.tiles is not None:
            given = np.arange(len(devices)) if order is None else np.asarray(order)
            # Which of those with the same part is first means nothing, and placements are compared.
            self.order = np.sort(given.reshape(*self.tiles, -1), axis=-1)
        self.raw_devices = [d.raw for d in self.devices]
        self.local = tuple([i for i, d in enumerate(self.devices) if d.is_local])
        # A sharding of its own, even for one device: SingleDeviceSharding needs JAX.
        self.sharding = xc.GSPMDSharding(xc.DeviceList(tuple(self.raw_devices)), _hlo_of(self))
        self._avals: dict[TensorType, _Aval] = {}
        self._types: dict[TensorType, TensorType] = {}

    @property
    def is_single(self) -> bool:
        """Whether there is one device, which has everything."""
        return len(self.devices) == 1

    @property
    def is_local(self) -> bool:
        """Whether this process has all of the devices."""
        return len(self.local) == len(self.devices)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        order = None if self.order is None else self.order.tobytes()
        return (tuple(map(id, self.raw_devices)), self.tiles, order)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Placement) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        names = ", ".join(f"{d.platform}:{d.id}" for d in self.devices[:8])
        more = ", ..." if len(self.devices) > 8 else ""
        divided = "" if self.tiles is None else f", divided {'x'.join(map(str, self.tiles))}"
        return f"<Placement {names}{more}{divided}>"

    @property
    def text(self) -> str:
        """How HLO writes it."""
        return str(_hlo_of(self))

    def aval(self, type: TensorType) -> _Aval:
        """jaxlib's description of the type; the same object each time."""
        found = self._avals.get(type)
        if found is None:
            found = self._avals.setdefault(type, _Aval(type))
        return found

    def same(self, type: TensorType) -> TensorType:
        """The one object that stands for the type here, so that equal types are identical."""
        return self._types.setdefault(type, type)

    def divides(self, type: TensorType) -> bool:
        """Whether every device gets a part of the same size."""
        return self.tiles is None or (
            len(self.tiles) == type.rank
            and all(size % n == 0 for size, n in zip(type.static_shape, self.tiles, strict=True))
        )

    def slices(self, type: TensorType) -> list[Slices]:
        """What each device has of an array of this type."""
        if self.tiles is None:
            return [tuple(slice(0, size) for size in type.static_shape)] * len(self.devices)
        assert self.order is not None
        steps = [size // n for size, n in zip(type.static_shape, self.tiles, strict=True)]
        found: list[Slices] = [()] * len(self.devices)
        for at in product(*map(range, self.tiles)):
            part = tuple(slice(i * s, (i + 1) * s) for i, s in zip(at, steps, strict=True))
            for device in np.ravel(self.order[at]):
                found[int(device)] = part
        return found

    def put(self, array: NumpyArray, type: TensorType, *, alias: bool) -> Any:
        """A buffer with the data of `array`, which has exactly this type, in C order.

        With `alias` the buffer is the array's memory where that is aligned to 64 bytes.
        """
        semantics = _ALIAS if alias else _COPY
        if len(self.devices) == 1 and self.is_local:
            return xc.batched_device_put(
                self.aval(type),
                self.sharding,
                [array],
                self.raw_devices,
                enable_x64=True,
                host_buffer_semantics=semantics,
            )
        if not self.divides(type):
            assert self.tiles is not None
            raise ArgumentError(
                f"{type} cannot be divided {'x'.join(map(str, self.tiles))}",
                hint=f"the sizes {shape_text(type.static_shape)} must be multiples of these",
            )
        slices = self.slices(type)
        return self.put_parts([array[slices[i]] for i in self.local], type, alias=alias)

    def put_parts(self, pieces: Sequence[NumpyArray], type: TensorType, *, alias: bool) -> Any:
        """A buffer of this type out of what each device of this process is to have of it."""
        if not self.local:
            raise ArgumentError(
                f"this process has no device of {self}",
                hint="placements name a device or more of each process that calls this",
            )
        parts: list[Any] = []
        for i, given in zip(self.local, pieces, strict=True):
            piece = np.ascontiguousarray(given).reshape(given.shape)
            there = on_device(self.devices[i])
            parts.append(there.put(piece, type_of(piece, type), alias=alias))
        return self.assembled(parts, type)

    def assembled(self, parts: Sequence[Any], type: TensorType) -> Any:
        """One buffer of this type out of what each device of this process has."""
        return xc.ArrayImpl(self.aval(type), self.sharding, list(parts), True, _skip_checks=True)

    def take(self, buffer: Any, type: TensorType) -> NumpyArray:
        """The data of a buffer, after waiting for it: a view where there is one device."""
        if len(self.devices) == 1 and self.is_local:
            data: NumpyArray = getattr(buffer, _TO_NUMPY)()[0]
            return data
        if not self.is_local and not self.has_whole():
            raise ArgumentError(
                f"this process has only some parts of the array {type} on {self}",
                hint="array.gather() fetches the others, in all processes at once; "
                "array.local_shards() gives those that are here",
            )
        parts = self.parts(buffer)
        if self.tiles is None:
            return parts[0]
        whole = np.empty(type.static_shape, type.dtype.numpy)
        slices = self.slices(type)
        for i, piece in zip(self.local, parts, strict=True):
            whole[slices[i]] = piece
        whole.flags.writeable = False
        return whole

    def has_whole(self) -> bool:
        """Whether the devices of this process have every part of an array."""
        if self.is_local or self.tiles is None:
            return bool(self.local)
        assert self.order is not None
        here = np.isin(self.order, self.local)
        return bool(here.any(axis=-1).all())

    def parts(self, buffer: Any) -> list[NumpyArray]:
        """What each device of this process has of a buffer, in the order of the devices."""
        if len(self.devices) == 1 and self.is_local:
            return [getattr(buffer, _TO_NUMPY)()[0]]
        arrays = buffer._arrays
        if arrays is None:  # it was donated meanwhile
            raise XlaError("the array was deleted")
        return [getattr(part, _TO_NUMPY)()[0] for part in arrays]


def _check(devices: tuple[Any, ...], tiles: Sequence[Any] | None, order: NumpyArray | None) -> None:
    """Refuse what XLA would end the process over."""
    if not devices or not all(isinstance(d, Device) for d in devices):
        raise ArgumentError("a Placement has one device or more", hint="dxir.devices(count=8)")
    if len(set(devices)) < len(devices) or len({id(d.client) for d in devices}) > 1:
        raise ArgumentError(
            "the devices of a Placement are of one client, each named once",
            hint="take all of them from one call of dxir.devices",
        )
    parts = 1
    for tile in tiles or ():
        if not isinstance(tile, int) or tile < 1:
            raise ArgumentError(f"{tile!r} is no number of parts", hint="tiles are numbers from 1")
        parts *= tile
    if len(devices) % parts:
        raise ArgumentError(
            f"{len(devices)} devices cannot have {parts} parts",
            hint="the product of the tiles divides the number of devices",
        )
    if order is not None and sorted(np.ravel(order).tolist()) != list(range(len(devices))):
        raise ArgumentError(f"the order of {len(devices)} devices names each of them once, from 0")


def type_of(array: NumpyArray, type: TensorType) -> TensorType:
    """The type of a part of an array of that type."""
    return TensorType(array.shape, type.dtype)


def _hlo_of(placement: Placement) -> Any:
    if placement.tiles is None:
        whole: Any = xc.HloSharding.replicate()
        return whole
    assert placement.order is not None
    proto = xc.OpSharding()
    proto.type = xc.OpSharding.Type.OTHER
    copies = placement.order.size // int(np.prod(placement.tiles))
    proto.replicate_on_last_tile_dim = copies > 1
    dimensions = [*placement.tiles, copies] if copies > 1 else list(placement.tiles)
    proto.tile_assignment_dimensions = dimensions
    proto.tile_assignment_devices = [int(d) for d in np.ravel(placement.order)]
    return xc.HloSharding.from_proto(proto)


def placement_of(proto: Any, devices: Sequence[Device], rank: int) -> Placement:
    """The placement that PJRT describes so; None is for the whole array on each device."""
    found = None if proto is None else xc.HloSharding.from_proto(proto)
    if found is None or found.is_replicated() or found.is_manual() or found.is_unknown():
        return Placement(devices)
    dimensions = list(found.tile_assignment_dimensions())
    order = np.array(list(found.tile_assignment_devices())).reshape(dimensions)
    return Placement(devices, dimensions[:rank], order.reshape(*dimensions[:rank], -1))


def is_hlo_sharding(text: str) -> bool:
    """Whether XLA can read this; on ops it ignores what it cannot."""
    if not is_safe(text):
        return False
    try:
        xc.HloSharding.from_string(text)
    except XlaError:
        return False
    return True


def fault_of(text: str, type: TensorType, devices: int) -> str | None:
    """What is wrong with a sharding in HLO's text for an array of a type over so many devices.

    None when nothing is. XLA ignores what it cannot read, and ends the process over some others.
    """
    if not is_hlo_sharding(text):
        return "is not written as HLO writes shardings"
    found = xc.HloSharding.from_string(text)
    if found.is_replicated() or found.is_manual() or found.is_unknown():
        return None
    if not found.is_tiled():
        return "puts the whole array on one device"
    if found.num_devices() != devices:
        return (
            f"is for {found.num_devices()} devices, and the program is partitioned over {devices}"
        )
    tiles = list(found.tile_assignment_dimensions())[: type.rank]
    if len(tiles) < type.rank or any(s % n for s, n in zip(type.static_shape, tiles, strict=True)):
        return f"does not divide {type} into equal parts"
    return None


_placements: dict[Device, Placement] = {}
_carried: dict[tuple[str, DType], bool] = {}


def on_device(device: Device) -> Placement:
    """The placement of whole arrays on one device; the same object each time."""
    found = _placements.get(device)
    if found is None:
        found = _placements.setdefault(device, Placement((device,)))
    return found


def cpu() -> Placement:
    """The processors of this machine as one device; see `cpu_client` for what it raises."""
    return on_device(cpu_client().local_devices[0])


def carries(placement: Placement, dtype: DType) -> bool:
    """Whether arrays of this element type can be placed on these devices."""
    device = placement.devices[placement.local[0] if placement.local else 0]
    key = (device.platform, dtype)
    if key not in _carried:
        try:
            empty = np.zeros(0, dtype.numpy)
            on_device(device).put(empty, TensorType((0,), dtype), alias=False)
            _carried[key] = True
        except XlaError:
            _carried[key] = False
    return _carried[key]
