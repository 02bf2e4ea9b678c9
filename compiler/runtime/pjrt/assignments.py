"""What compiling for devices takes: which devices, in which roles, and XLA's flags."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jaxlib.xla_client as xc
import numpy as np

from dxir.errors import TargetError
from dxir.runtime.pjrt.clients import Client, Device, XlaError
from dxir.targets.options import Flag

_UNKNOWN_FLAG = re.compile(r"No such compile option: '?([\w.]+)'?")


@dataclass(frozen=True, slots=True)
class Assignment:
    """The devices of a program: `replicas` copies of it, each partitioned over as many devices."""

    devices: tuple[Device, ...]
    replicas: int = 1
    flags: Mapping[str, Flag] = field(default_factory=dict[str, Flag])

    @property
    def partitions(self) -> int:
        """How many devices a copy of the program is partitioned over."""
        return len(self.devices) // self.replicas

    @property
    def client(self) -> Client:
        """The client of the devices."""
        return self.devices[0].client

    @property
    def is_shared(self) -> bool:
        """Whether other processes have some of the devices."""
        return not all(device.is_local for device in self.devices)

    def of_replica(self, number: int) -> tuple[Device, ...]:
        """The devices of one copy."""
        return self.devices[number * self.partitions : (number + 1) * self.partitions]

    def options(
        self,
        *,
        without: Sequence[str] = (),
        free_parameters: Sequence[bool] = (),
        free_results: Sequence[bool] = (),
        shardy: bool = True,
    ) -> Any:
        """XLA's options, `without` some of its passes.

        The placements of `free` parameters and results are for the partitioner to choose: Shardy,
        or the older one, which reads shardings in HLO's words.
        """
        options = xc.CompileOptions()
        flags: dict[str, Any] = dict(self.flags)
        if without:
            left = [flags["xla_disable_hlo_passes"]] if "xla_disable_hlo_passes" in flags else []
            flags["xla_disable_hlo_passes"] = ",".join([*left, *without])
        given = list(flags.items())
        if given:
            options.env_option_overrides = given
        if self.devices == self.client.devices[:1]:
            return options
        build = options.executable_build_options
        options.num_replicas = build.num_replicas = self.replicas
        options.num_partitions = build.num_partitions = self.partitions
        ids = [d.id for d in self.devices]
        grid = np.array(ids, np.int32).reshape(self.replicas, self.partitions)
        options.device_assignment = xc.DeviceAssignment.create(grid)
        if self.partitions > 1:
            build.use_spmd_partitioning = True
            build.use_shardy_partitioner = shardy
            build.allow_spmd_sharding_propagation_to_parameters = list(free_parameters) or [False]
            build.allow_spmd_sharding_propagation_to_output = list(free_results) or [False]
        return options

    def device_list(self) -> Any:
        """The devices as PJRT wants them."""
        return xc.DeviceList(tuple(d.raw for d in self.devices))

    def load(self, artifact: bytes, options: Any) -> Any:
        """Compile an artifact; XlaError as it comes, TargetError for a flag that XLA has not."""
        try:
            return self.client.raw.compile_and_load(artifact, self.device_list(), options)
        except XlaError as error:
            if found := self.wrong_flag(str(error)):
                raise found from None
            raise
        except (ValueError, MemoryError, OverflowError, RuntimeError) as error:
            raise XlaError(f"INTERNAL: {error}") from None

    def deserialize(self, data: bytes) -> Any:
        """The compiled program of `serialize`d bytes; they must come from this very machine."""
        raw = self.client.raw.deserialize_executable(data, self.device_list(), self.options())
        return _Restored(raw, data)

    def wrong_flag(self, message: str) -> TargetError | None:
        """The error for a flag that is the reason for what XLA says; None when none is."""
        unknown = _UNKNOWN_FLAG.search(message)
        if unknown and unknown[1] in self.flags:
            near = difflib.get_close_matches(unknown[1], flag_names(), n=3)
            return TargetError(
                f"XLA has no flag {unknown[1]!r}",
                hint=f"did you mean {' or '.join(near)}?"
                if near
                else "XLA's documentation lists them (DebugOptions in xla.proto)",
            )
        for name, value in self.flags.items():
            if name in message:
                return TargetError(
                    f"XLA does not take the flag {name}={value!r}: "
                    f"{message.splitlines()[0].removeprefix('INVALID_ARGUMENT: ')}"
                )
        return None


class _Restored:
    """A compiled program that was made of bytes, and keeps them.

    PJRT writes such a program without its code: what is made of that fails when it is run. (0.10,
    0.12)
    """

    def __init__(self, raw: Any, data: bytes) -> None:
        self.raw = raw
        self._data = data

    def serialize(self) -> bytes:
        """The bytes it was made of."""
        return self._data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.raw, name)


def serialize(loaded: Any) -> bytes:
    """A compiled program as bytes, for the same jaxlib on the same machine."""
    return bytes(loaded.serialize())


def options_of(data: bytes) -> Any:
    """XLA's options of bytes that another process made of them."""
    return xc.CompileOptions.ParseFromString(data)


def flag_names() -> list[str]:
    """The flags of XLA that the bindings name: not all that there are."""
    options = xc.CompileOptions().executable_build_options.debug_options
    return [name for name in dir(options) if name.startswith("xla_")]
