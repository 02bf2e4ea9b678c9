"""PJRT, the runtime inside jaxlib, imported nowhere else; JAX is not needed.

PJRT compares only the byte sizes of arguments, reads big-endian data as native, hands out
references to host memory that may change, and ends the process when it is used after a fork, so
everything that reaches it goes through here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import jaxlib.xla_client as xc
import numpy as np
from jaxlib import _hlo, _jax

from dxir.errors import ArgumentError, RuntimeFailure, TargetError
from dxir.runtime.arguments import Parameter, check_count, host_array
from dxir.runtime.array import Array, NumpyArray
from dxir.runtime.executable import Executable
from dxir.types import DType, TensorType

XlaError: type[RuntimeError] = xc.XlaRuntimeError

# jaxlib 0.10 checks results in a way that needs JAX unless told not to; 0.12 lost the parameter.
_HANDLER_OPTIONS = (
    {"_skip_checks": True}
    if "_skip_checks" in str(_jax.array_result_handler.__nb_signature__)
    else {}
)
# The second is the only way of 0.10; it imports JAX where that is installed, and does without where
# it is not. It must never see an array on several devices: it gives the first shard.
_TO_NUMPY = (
    "_to_np_array_did_copy"
    if hasattr(xc.ArrayImpl, "_to_np_array_did_copy")
    else "_single_device_array_to_np_array_did_copy"
)

_RESULT = re.compile(r"\b[a-z]\w*\[[^\]]*\]")

_ALIAS = xc.HostBufferSemantics.ZERO_COPY
_COPY = xc.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL

_FLAGS_PROBE = "from jaxlib import xla_client; xla_client.make_cpu_client()"
_lock = threading.Lock()
_forked = False


def _after_fork() -> None:
    global _forked, _lock
    _lock = threading.Lock()  # another thread may have held it
    _forked = _cpu.cache_info().currsize > 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class _Aval:
    """What jaxlib wants to know of an array."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, type: TensorType) -> None:
        self.shape = type.static_shape
        self.dtype = type.dtype.numpy
        self.weak_type = False


class Device:
    """One device, and what placing arrays on it takes."""

    def __init__(self, client: Any, device: Any) -> None:
        self.client = client
        self.devices = xc.DeviceList((device,))
        sharding: Any = xc.HloSharding.replicate()
        # A sharding of its own, although there is one device: SingleDeviceSharding needs JAX.
        self.sharding = xc.GSPMDSharding(self.devices, sharding)
        self._list = [device]
        self._avals: dict[TensorType, _Aval] = {}
        self._types: dict[TensorType, TensorType] = {}

    def aval(self, type: TensorType) -> _Aval:
        """jaxlib's description of the type; the same object each time."""
        found = self._avals.get(type)
        if found is None:
            found = self._avals.setdefault(type, _Aval(type))
        return found

    def same(self, type: TensorType) -> TensorType:
        """The one object that stands for the type here, so that equal types are identical."""
        return self._types.setdefault(type, type)

    @cache  # noqa: B019  devices live as long as the process
    def carries(self, dtype: DType) -> bool:
        """Whether arrays of this element type can be placed here."""
        try:
            self.put(np.zeros(0, dtype.numpy), TensorType((0,), dtype), alias=False)
        except XlaError:
            return False
        return True

    def put(self, array: NumpyArray, type: TensorType, *, alias: bool) -> Any:
        """A buffer with the data of `array`, which has exactly this type, in C order.

        With `alias` the buffer is the array's memory where that is aligned to 64 bytes.
        """
        return xc.batched_device_put(
            self.aval(type),
            self.sharding,
            [array],
            self._list,
            enable_x64=True,
            host_buffer_semantics=_ALIAS if alias else _COPY,
        )


@cache
def _cpu() -> Device:
    if os.environ.get("XLA_FLAGS"):
        _check_flags()
    client = xc.make_cpu_client()
    return Device(client, client.devices()[0])


def _check_flags() -> None:
    """Refuse flags that XLA would end the process over."""
    if not sys.executable:
        return
    command = [sys.executable, "-P", "-c", _FLAGS_PROBE]
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode:
        lines = run.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise TargetError(
            f"XLA does not start with XLA_FLAGS={os.environ['XLA_FLAGS']!r}: "
            f"{lines[-1].rpartition('] ')[2]}",
            hint="correct the environment variable or unset it",
        )


def cpu() -> Device:
    """The processors of this machine, as one device; the client is made once a process.

    Raises RuntimeFailure in a process forked from one that had made it, where using it would hang,
    and TargetError for XLA_FLAGS that XLA refuses.
    """
    _refuse_fork()
    with _lock:
        return _cpu()


def _refuse_fork() -> None:
    if _forked:
        raise RuntimeFailure(
            "this process was forked from one that had already used xla-cpu, whose threads are "
            "missing here",
            hint="start processes by 'spawn': multiprocessing.get_context('spawn')",
        )


class DeviceArray(Array):
    """An immutable array on a device, perhaps still being computed.

    Give it to an executable and it is used in place.
    """

    __slots__ = ("buffer", "type")

    def __init__(self, buffer: Any, type: TensorType) -> None:
        self.buffer: Any = buffer  # PJRT's; for the runtime only
        self.type = type

    def numpy(self) -> NumpyArray:
        """The data, after waiting for it: a read-only view, or a copy for sub-byte types."""
        try:
            data: NumpyArray = getattr(self.buffer, _TO_NUMPY)()[0]
        except XlaError as error:
            raise self._failure(error) from None
        return data

    def block_until_ready(self) -> DeviceArray:
        """Wait until the array is computed; RuntimeFailure when that failed."""
        try:
            self.buffer.block_until_ready()
        except XlaError as error:
            raise self._failure(error) from None
        return self

    @property
    def is_ready(self) -> bool:
        """Whether the computation has ended, successfully or not."""
        return not self.is_deleted and bool(self.buffer.is_ready())

    @property
    def is_deleted(self) -> bool:
        """Whether the memory was given up, by `delete` or by a program that took it over."""
        return bool(self.buffer.is_deleted())

    def delete(self) -> None:
        """Give the memory up now; views of it stay valid. Using the array then is an error."""
        self.buffer.delete()

    def _failure(self, error: BaseException) -> RuntimeFailure:
        if self.is_deleted:
            return RuntimeFailure(
                f"the data of {self!r} was deleted",
                hint="it was deleted, or donated to a program that it was an argument of",
            )
        return RuntimeFailure(f"computing {self!r} failed: {error}")


def to_device(array: Any, *, copy: bool | None = None) -> DeviceArray:
    """Place an array of any element type on the device, once, for use in many calls.

    With `copy` None the memory is shared only when it cannot change, being read-only down to its
    owner (a file mapped with `mmap_mode="r"`, say), and aligned to 64 bytes. False shares writable
    memory too, if aligned: do not change the array as long as the result or anything computed from
    it is in use. True always copies. Raises DTypeError for a dtype that is no element type.
    """
    if isinstance(array, DeviceArray):
        return array
    data = np.asarray(array)
    type = cpu().same(TensorType.of_array(data))
    data = host_array(data, Parameter(0, None, type))
    alias = _is_frozen(data) if copy is None else not copy
    try:
        return DeviceArray(cpu().put(data, type, alias=alias), type)
    except XlaError as error:
        raise RuntimeFailure(f"{type} cannot be placed on the device: {error}") from None


def _is_frozen(array: NumpyArray) -> bool:
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


class PjrtExecutable(Executable):
    """A program that PJRT has compiled."""

    def __init__(
        self,
        target: str,
        loaded: Any,
        device: Device,
        parameters: tuple[Parameter, ...],
        results: tuple[TensorType, ...],
    ) -> None:
        self.target = target
        self.parameters = parameters
        self.results = tuple(map(device.same, results))
        self._types = [device.same(p.type) for p in parameters]
        self._execute = loaded.execute_sharded
        self._device = device
        self._handlers = [
            _jax.array_result_handler(device.aval(t), device.sharding, True, **_HANDLER_OPTIONS)
            for t in results
        ]

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Start the program and give its results, which may still be being computed."""
        types = self._types
        if _forked:
            _refuse_fork()
        if len(arguments) != len(types):
            check_count(len(arguments), self.parameters)
        buffers: list[Any] = []
        for argument, type in zip(arguments, types):  # noqa: B905  counted above; each us counts
            if argument.__class__ is DeviceArray and (
                argument.type is type or argument.type == type
            ):
                buffers.append(argument.buffer)
            else:
                buffers = self._place(arguments)
                break
        try:
            found = self._execute(buffers).consume_with_handlers(self._handlers)
        except XlaError as error:
            raise self._failure(arguments, error) from None
        return tuple([DeviceArray(b, t) for b, t in zip(found, self.results)])  # noqa: B905

    def _place(self, arguments: Sequence[Any]) -> list[Any]:
        """The buffers of arguments that are not all on the device; all are checked before."""
        sources = [
            argument
            if isinstance(argument, DeviceArray) and argument.type == parameter.type
            else host_array(argument, parameter)
            for argument, parameter in zip(arguments, self.parameters, strict=True)
        ]
        buffers: list[Any] = []
        for source, parameter in zip(sources, self.parameters, strict=True):
            if isinstance(source, DeviceArray):
                buffers.append(source.buffer)
                continue
            try:
                buffers.append(self._device.put(source, parameter.type, alias=_is_frozen(source)))
            except XlaError as error:
                raise RuntimeFailure(
                    f"{parameter} cannot be placed on the device: {error}"
                ) from None
        return buffers

    def _failure(self, arguments: Sequence[Any], error: BaseException) -> Exception:
        for argument, parameter in zip(arguments, self.parameters, strict=True):
            if isinstance(argument, DeviceArray) and argument.is_deleted:
                return ArgumentError(
                    f"the array given for {parameter} was deleted",
                    hint="it was deleted, or donated to an earlier call",
                )
        return RuntimeFailure(f"running the program failed: {error}")


def load(artifact: bytes, *, without: Sequence[str] = ()) -> Any:
    """Compile an artifact for the CPU, `without` some of XLA's passes; XlaError as it comes."""
    device = cpu()
    options = xc.CompileOptions()
    if without:
        options.env_option_overrides = [("xla_disable_hlo_passes", ",".join(without))]
    return device.client.compile_and_load(artifact, device.devices, options)


def serialize(loaded: Any) -> bytes:
    """A compiled program as bytes, for the same jaxlib on the same machine."""
    return bytes(loaded.serialize())


def deserialize(data: bytes) -> Any:
    """The compiled program of `serialize`d bytes; they must come from this very machine."""
    device = cpu()
    return device.client.deserialize_executable(data, device.devices, xc.CompileOptions())


def result_types(loaded: Any) -> list[str] | None:
    """The types of an executable's results as HLO writes them, such as `f32[2,3]`, in order.

    None when they are not told.
    """
    options = _hlo.HloPrintOptions.short_parsable()
    options.print_large_constants = False
    options.print_metadata = False
    head, _, _ = loaded.hlo_modules()[0].to_string(options).partition("\n")
    _, _, layout = head.partition("entry_computation_layout={")
    _, arrow, results = layout.partition(")->")
    if not arrow:
        return None
    depth = 1
    for i, c in enumerate(results):
        depth += (c == "{") - (c == "}")
        if not depth:
            return _RESULT.findall(results[:i])
    return None


_untyped: set[str] = set()  # jaxlib lists the others only


def register_call(name: str, capsule: object, *, typed: bool) -> None:
    """Give a custom call, which has no implementation yet, one; XlaError as it comes."""
    cpu()
    xc.register_custom_call_target(name, capsule, platform="cpu", api_version=int(typed))
    if not typed:
        _untyped.add(name)


def registered_calls() -> frozenset[str]:
    """The custom calls that implementations were registered for in this process."""
    cpu()  # before that, jaxlib only takes note of what it is given
    return frozenset([*_untyped, *_jax.custom_call_targets("Host")])


def is_registered(target: str) -> bool:
    """Whether an implementation of the custom call was registered in this process."""
    return target in registered_calls()


def version() -> tuple[int, ...]:
    """The jaxlib version as numbers."""
    from jaxlib.version import __version_info__

    return __version_info__
