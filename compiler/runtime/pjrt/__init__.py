"""PJRT, the runtime inside jaxlib, imported in this package only; JAX is not needed.

PJRT compares only the byte sizes of arguments, reads big-endian data as native, hands out
references to host memory that may change, and ends the process when it is used after a fork, so
everything that reaches it goes through here.
"""

from dxir.runtime.pjrt.analysis import MemoryUse, profile, result_types
from dxir.runtime.pjrt.arrays import DeviceArray, Shard, from_shards, placement_for, to_device
from dxir.runtime.pjrt.assignments import Assignment, options_of, serialize
from dxir.runtime.pjrt.calls import is_registered, register_call, registered_calls
from dxir.runtime.pjrt.clients import (
    CPU,
    Client,
    Device,
    XlaError,
    cpu_client,
    has_clients,
    plugin_client,
    release,
)
from dxir.runtime.pjrt.coordination import Member, Service
from dxir.runtime.pjrt.executables import PjrtExecutable
from dxir.runtime.pjrt.meshes import check_divides, placed
from dxir.runtime.pjrt.placements import (
    Placement,
    carries,
    cpu,
    fault_of,
    is_hlo_sharding,
    on_device,
)
from dxir.runtime.pjrt.surroundings import standing_options, topology_of, writes_dumps
from dxir.runtime.pjrt.told import calls_in, donated_in

__all__ = [
    "CPU",
    "Assignment",
    "Client",
    "Device",
    "DeviceArray",
    "Member",
    "MemoryUse",
    "PjrtExecutable",
    "Placement",
    "Service",
    "Shard",
    "XlaError",
    "calls_in",
    "carries",
    "check_divides",
    "cpu",
    "cpu_client",
    "donated_in",
    "fault_of",
    "from_shards",
    "has_clients",
    "is_hlo_sharding",
    "is_registered",
    "on_device",
    "options_of",
    "placed",
    "placement_for",
    "plugin_client",
    "profile",
    "register_call",
    "registered_calls",
    "release",
    "result_types",
    "serialize",
    "standing_options",
    "to_device",
    "topology_of",
    "version",
    "writes_dumps",
]


def version() -> tuple[int, ...]:
    """The jaxlib version as numbers."""
    from jaxlib.version import __version_info__

    return __version_info__
