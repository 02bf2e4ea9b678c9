"""Implementations of custom calls, as XLA knows them."""

from __future__ import annotations

import jaxlib.xla_client as xc
from jaxlib import _jax

from dxir.runtime.pjrt.clients import cpu_client

_untyped: set[str] = set()  # jaxlib lists the others only


def register_call(name: str, capsule: object, *, typed: bool) -> None:
    """Give a custom call, which has no implementation yet, one; XlaError as it comes."""
    cpu_client()
    xc.register_custom_call_target(name, capsule, platform="cpu", api_version=int(typed))
    if not typed:
        _untyped.add(name)


def registered_calls() -> frozenset[str]:
    """The custom calls that implementations were registered for in this process."""
    cpu_client()  # before that, jaxlib only takes note of what it is given
    return frozenset([*_untyped, *_jax.custom_call_targets("Host")])


def is_registered(target: str) -> bool:
    """Whether an implementation of the custom call was registered in this process."""
    return target in registered_calls()
