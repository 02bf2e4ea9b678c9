"""What IREE's compiler made of a program, and running it."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

from dxir.errors import RuntimeFailure, TargetError
from dxir.runtime.arguments import Parameter, check_count, host_array
from dxir.runtime.array import Array, HostArray
from dxir.runtime.executable import Executable
from dxir.runtime.iree.devices import device, need, runtime
from dxir.types import TensorType


class IreeExecutable(Executable):
    """A program that IREE compiled, on this machine's processors.

    `vmfb` is the module for IREE's virtual machine, as `iree-run-module` takes it. `archive` is the
    parameter archive with its large constants, mapped into memory: the file must not change while
    the executable is in use. Calls from several threads run one after the other; each uses all
    processors.
    """

    def __init__(
        self,
        target: str,
        vmfb: bytes,
        parameters: tuple[Parameter, ...],
        results: tuple[TensorType, ...],
        *,
        archive: str | os.PathLike[str] | None = None,
        scope: str = "",
    ) -> None:
        need("runtime", target)
        self.target, self.vmfb = target, vmfb
        self.parameters, self.results = parameters, results
        self.archive = None if archive is None else os.fspath(archive)
        self._device = device()
        self._lock = threading.Lock()
        rt = runtime()
        instance = self._device.instance
        modules = [rt.create_hal_module(instance, self._device.raw)]
        try:
            if self.archive is not None:
                modules.append(_parameters(instance, self.archive, scope))
            program = rt.VmModule.copy_buffer(instance, vmfb)
            self._context = rt.VmContext(instance, modules=[*modules, program])
            self._main = program.lookup_function("main")
        except (RuntimeError, ValueError, KeyError, IndexError, OSError) as error:
            raise RuntimeFailure(
                f"IREE's runtime does not load the program: {_first_line(error)}",
                where=self.archive,
            ) from None

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run on the arguments; every result in a tuple."""
        check_count(len(arguments), self.parameters)
        arrays = [host_array(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        rt, on = runtime(), device()
        given = rt.VmVariantList(len(arrays))
        found = rt.VmVariantList(len(self.results))
        try:
            for array, parameter in zip(arrays, self.parameters, strict=True):
                given.push_ref(on.put(array, parameter.type).ref)
            with self._lock:
                self._context.invoke(self._main, given, found)
            views = [found.get_as_object(i, rt.HalBufferView) for i in range(len(self.results))]
        except (RuntimeError, ValueError, IndexError, MemoryError) as error:
            raise RuntimeFailure(f"running the program on IREE failed: {_first_line(error)}") from (
                None
            )
        return tuple(
            HostArray(on.get(view, type), type)
            for view, type in zip(views, self.results, strict=True)
        )


class CompiledOnly(Executable):
    """A program compiled for a device that is not run here; `vmfb` is what its runtime takes."""

    def __init__(
        self,
        target: str,
        vmfb: bytes,
        parameters: tuple[Parameter, ...],
        results: tuple[TensorType, ...],
        *,
        archive: str | os.PathLike[str] | None = None,
    ) -> None:
        self.target, self.vmfb = target, vmfb
        self.parameters, self.results = parameters, results
        self.archive = None if archive is None else os.fspath(archive)

    def run(self, arguments: Sequence[Any]) -> NoReturn:
        """Raise TargetError: nothing here runs it."""
        raise TargetError(
            f"{self.target} compiles programs, and runs none",
            hint="write executable.vmfb to a file for iree-run-module, or compile for iree-cpu",
        )


def _parameters(instance: Any, archive: str, scope: str) -> Any:
    rt = runtime()
    index = rt.ParameterIndex()
    index.load(archive)
    return rt.create_io_parameters_module(instance, index.create_provider(scope=scope))


def _first_line(error: BaseException) -> str:
    """What the runtime says, without the frames of its virtual machine."""
    return " ".join(str(error).partition("; while invoking")[0].partition("\n")[0].split())
