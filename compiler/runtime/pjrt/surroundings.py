"""What XLA compiles with beside what it is told: its own defaults and the variable XLA_FLAGS."""

from __future__ import annotations

from functools import cache
from typing import Any

import jaxlib.xla_client as xc
from jaxlib import _jax

from dxir.runtime.pjrt.clients import Device


@cache
def standing_options() -> bytes:
    """XLA's options when nothing is asked for, XLA_FLAGS among them, as XLA read it.

    XLA reads the variable once in a process, and ends the process over what it does not know: only
    after a client was made.
    """
    options = xc.CompileOptions()
    _ = options.executable_build_options.debug_options  # makes them part of what is written
    return bytes(options.SerializeAsString())


@cache
def writes_dumps() -> bool:
    """Whether XLA_FLAGS asks that programs be written to files while they are compiled."""
    options = xc.CompileOptions()
    build = options.executable_build_options  # what is inside lives as long as what is around it
    found: Any = build.debug_options
    return bool(getattr(found, "xla_dump_to", ""))


def topology_of(device: Device) -> str:
    """What the runtime says of the kind of the devices, and how many there are."""
    found = _jax.get_topology_for_devices(device.client.raw.local_devices())
    return str(found.fingerprint())
