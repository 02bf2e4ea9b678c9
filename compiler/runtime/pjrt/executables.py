"""Programs that PJRT has compiled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from jaxlib import _jax

from dxir.errors import ArgumentError, RuntimeFailure
from dxir.runtime.arguments import Parameter, check_count, host_array
from dxir.runtime.array import Array
from dxir.runtime.executable import Executable
from dxir.runtime.pjrt import clients
from dxir.runtime.pjrt.analysis import MemoryUse, cost_of, memory_of, text_of
from dxir.runtime.pjrt.arrays import DeviceArray, is_frozen
from dxir.runtime.pjrt.assignments import Assignment
from dxir.runtime.pjrt.clients import Device, XlaError
from dxir.runtime.pjrt.placements import Placement, on_device, placement_of
from dxir.types import TensorType

# jaxlib 0.10 checks results in a way that needs JAX unless told not to; 0.12 lost the parameter.
_HANDLER_OPTIONS = (
    {"_skip_checks": True}
    if "_skip_checks" in str(_jax.array_result_handler.__nb_signature__)
    else {}
)


_GIVEN_TWICE = ("donated in the same call", "donate the same buffer twice")


class PjrtExecutable(Executable):
    """A program that PJRT has compiled.

    `placements` tells where each argument goes, `result_placements` where the results lie; of the
    first copy, where there are several.
    """

    def __init__(
        self,
        target: str,
        loaded: Any,
        assignment: Assignment,
        parameters: tuple[Parameter, ...],
        results: tuple[TensorType, ...],
    ) -> None:
        self.target = target
        self.parameters = parameters
        self.assignment = assignment
        self.loaded = loaded
        self._copies = [
            _Copy(loaded, assignment.of_replica(n), n, parameters, results)
            for n in range(assignment.replicas)
        ]
        first = self._copies[0]
        self.placements, self.result_placements = first.takes, first.gives
        self.results = tuple(
            place.same(type) for place, type in zip(first.gives, results, strict=True)
        )
        self._types = [place.same(p.type) for place, p in zip(first.takes, parameters, strict=True)]
        self._execute = loaded.execute_sharded
        # With several copies, what a program gives is one buffer over all of their devices.
        whole = Placement(assignment.devices) if assignment.replicas > 1 else None
        self._whole = whole
        self._several = len(assignment.devices) > 1
        self._handlers = [
            _jax.array_result_handler(
                (whole or place).aval(t), (whole or place).sharding, True, **_HANDLER_OPTIONS
            )
            for place, t in zip(first.gives, results, strict=True)
        ]

    @property
    def replicas(self) -> int:
        """How many copies of the program run at a time."""
        return self.assignment.replicas

    def cost(self) -> dict[str, float]:
        """What a run is estimated to cost, by name: `flops`, `bytes accessed`, `transcendentals`.

        Raises TargetError where the runtime does not tell.
        """
        return cost_of(self.loaded)

    def memory(self) -> MemoryUse:
        """The bytes that a run takes on each device; TargetError where it is not told."""
        return memory_of(self.loaded)

    def optimized_text(self) -> str:
        """The program as XLA's compiler left it, as HLO text."""
        return text_of(self.loaded)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that `dxir.load_executable` reads; see `Executable.save`."""
        from dxir.runtime.saved import save_executable

        save_executable(self, path)

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Start the program and give its results, which may still be being computed."""
        types = self._types
        if clients.forked:
            clients.refuse_fork()
        if len(arguments) != len(types):
            check_count(len(arguments), self.parameters)
        buffers: list[Any] = []
        for argument, type, place in zip(arguments, types, self.placements):  # noqa: B905  counted above; each us counts
            if (
                argument.__class__ is DeviceArray
                and (argument.type is type or argument.type == type)
                and (argument.placement is place or argument.placement == place)
            ):
                buffers.append(argument.buffer)
            else:
                buffers = self._copies[0].place(arguments)
                break
        if self._several:  # jaxlib 0.10 ends the process over what was donated before
            for argument, parameter in zip(arguments, self.parameters, strict=True):
                if isinstance(argument, DeviceArray) and argument.is_deleted:
                    raise _deleted(parameter)
        if self._whole is not None:
            raise ArgumentError(
                f"{self.replicas} copies of the program run at a time",
                hint="run_replicas takes the arguments of each",
            )
        try:
            found = self._execute(buffers).consume_with_handlers(self._handlers)
        except XlaError as error:
            raise self._failure(arguments, error) from None
        return tuple(
            [DeviceArray(b, t, p) for b, t, p in zip(found, self.results, self.result_placements)]  # noqa: B905
        )

    def run_replicas(self, arguments: Sequence[Sequence[Any]]) -> list[tuple[Array, ...]]:
        """Start all copies of the program, each on its own arguments; the results of each."""
        if clients.forked:
            clients.refuse_fork()
        if len(arguments) != self.replicas:
            raise ArgumentError(
                f"{self.replicas} copies of the program run at a time, and there are arguments for "
                f"{len(arguments)}",
                hint="give a list with one tuple of arguments for each copy",
            )
        if self._whole is None:
            return [self.run(arguments[0])]
        placed = [copy.place(given) for copy, given in zip(self._copies, arguments, strict=True)]
        buffers = [
            self._whole.assembled(_parts(each, self.assignment.partitions), type)
            for each, type in zip(zip(*placed, strict=True), self._types, strict=True)
        ]
        try:
            found = self._execute(buffers).consume_with_handlers(self._handlers)
        except XlaError as error:
            flat = [a for given in arguments for a in given]
            raise self._failure(flat, error, self.parameters * self.replicas) from None
        given = [list(buffer._arrays) for buffer in found]
        return [copy.results(given) for copy in self._copies]

    def _failure(
        self,
        arguments: Sequence[Any],
        error: BaseException,
        parameters: tuple[Parameter, ...] | None = None,
    ) -> Exception:
        for argument, parameter in zip(arguments, parameters or self.parameters, strict=True):
            if isinstance(argument, DeviceArray) and argument.is_deleted:
                return _deleted(parameter)
        if self.assignment.is_shared:
            self.assignment.client.await_cause()
        if any(text in str(error) for text in _GIVEN_TWICE):
            buffers = [a.buffer if isinstance(a, DeviceArray) else a for a in arguments]
            for i, parameter in enumerate(parameters or self.parameters):
                if any(buffers[i] is other for other in buffers[i + 1 :]):
                    return ArgumentError(
                        f"the array given for {parameter} is donated, and given twice",
                        hint="give a copy for the other: dxir.to_device(array, copy=True)",
                    )
        return RuntimeFailure(f"running the program failed: {error}")


def _deleted(parameter: Parameter) -> ArgumentError:
    return ArgumentError(
        f"the array given for {parameter} was deleted, or donated to an earlier call",
        hint="go on with the result of that call, or leave the argument out of donate=",
    )


def _parts(buffers: Sequence[Any], partitions: int) -> list[Any]:
    if partitions == 1:
        return list(buffers)
    return [part for buffer in buffers for part in buffer._arrays]


class _Copy:
    """One copy of a program, on its own devices."""

    def __init__(
        self,
        loaded: Any,
        devices: Sequence[Device],
        number: int,
        parameters: tuple[Parameter, ...],
        results: tuple[TensorType, ...],
    ) -> None:
        self.number = number
        self.partitions = len(devices)
        self.parameters = parameters
        self.types = results
        if self.partitions == 1:
            place = on_device(devices[0])
            self.takes = (place,) * len(parameters)
            self.gives = (place,) * len(results)
            return
        takes = loaded.get_parameter_shardings() or [None] * len(parameters)
        # An empty tuple of results has a sharding, too.
        gives = loaded.get_output_shardings() if results else []
        gives = gives or [None] * len(results)
        self.takes = tuple(
            placement_of(given, devices, p.type.rank)
            for given, p in zip(takes, parameters, strict=True)
        )
        self.gives = tuple(
            placement_of(given, devices, type.rank)
            for given, type in zip(gives, results, strict=True)
        )

    def place(self, arguments: Sequence[Any]) -> list[Any]:
        """The buffers of arguments that are not all in place; all are checked before."""
        parameters = self.parameters
        check_count(len(arguments), parameters)
        sources = [
            _source(argument, parameter, place)
            for argument, parameter, place in zip(arguments, parameters, self.takes, strict=True)
        ]
        buffers: list[Any] = []
        for source, parameter, place in zip(sources, parameters, self.takes, strict=True):
            if isinstance(source, DeviceArray):
                buffers.append(source.buffer)
                continue
            try:
                buffers.append(place.put(source, parameter.type, alias=is_frozen(source)))
            except XlaError as error:
                raise RuntimeFailure(
                    f"{parameter} cannot be placed on the device: {error}"
                ) from None
        return buffers

    def results(self, given: Sequence[Sequence[Any]]) -> tuple[Array, ...]:
        """The results of this copy, of what all devices gave."""
        found: list[Array] = []
        for parts, type, place in zip(given, self.types, self.gives, strict=True):
            mine = parts[self.number * self.partitions : (self.number + 1) * self.partitions]
            buffer = mine[0] if self.partitions == 1 else place.assembled(mine, type)
            found.append(DeviceArray(buffer, type, place))
        return tuple(found)


def _source(argument: Any, parameter: Parameter, place: Placement) -> Any:
    if isinstance(argument, DeviceArray) and argument.type == parameter.type:
        if argument.is_deleted:
            raise _deleted(parameter)
        if argument.placement != place:
            raise ArgumentError(
                f"the array given for {parameter} lies on {argument.placement}, not on {place}",
                hint=f"move it: array.to(executable.placements[{parameter.index}])",
            )
        return argument
    return host_array(argument, parameter)
