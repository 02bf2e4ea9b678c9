"""Fetching an array whole whose parts several processes have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dxir.errors import RuntimeFailure
from dxir.runtime.array import NumpyArray
from dxir.runtime.pjrt.arrays import DeviceArray
from dxir.runtime.pjrt.assignments import Assignment
from dxir.runtime.pjrt.clients import XlaError
from dxir.runtime.pjrt.placements import Placement
from dxir.types import TensorType, ui8

_PROGRAM = """
func.func @main(%x: {type} {{mhlo.sharding = "{given}"}})
    -> ({type} {{mhlo.sharding = "{{replicated}}"}}) {{
  return %x : {type}
}}
"""


def gathered(array: DeviceArray) -> NumpyArray:
    """The whole array on every process that has a part of it; each must call this."""
    place, type = array.placement, array.type
    if type.size == 0:
        return np.empty(type.static_shape, type.dtype.numpy)
    if place.has_whole():
        return array.numpy()
    # As bytes: gloo has not all element types, and a byte is never converted.
    size = type.dtype.numpy.itemsize
    assert place.tiles is not None
    assert place.order is not None
    bytes_place = Placement(place.devices, (*place.tiles, 1), place.order[..., None, :])
    bytes_type = TensorType((*type.static_shape, size), ui8)
    pieces = [
        np.ascontiguousarray(shard.data).reshape(-1).view(np.uint8).reshape(*shard.data.shape, size)
        for shard in array.local_shards()
    ]
    try:
        buffer = bytes_place.put_parts(pieces, bytes_type, alias=False)
        found = _program(bytes_place, bytes_type).execute_sharded([buffer])
        whole = found.disassemble_into_single_device_arrays()[0][0]
        data = Placement((place.devices[place.local[0]],)).take(whole, bytes_type)
    except XlaError as error:
        place.devices[0].client.await_cause()
        raise RuntimeFailure(f"gathering {array!r} failed: {error}") from None
    whole_data: NumpyArray = data.reshape(-1).view(type.dtype.numpy).reshape(type.static_shape)
    return whole_data


@lru_cache(maxsize=64)
def _program(place: Placement, type: TensorType) -> Any:
    sizes = "x".join(map(str, type.static_shape))
    text = _PROGRAM.format(type=f"tensor<{sizes}xui8>", given=place.text)
    assignment = Assignment(place.devices)
    return assignment.load(text.encode(), assignment.options())
