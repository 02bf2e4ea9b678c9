"""Running the program of one device that `dxir-partition` leaves on all devices of its mesh.

What each parameter and result is a part of stands on it, so whole arrays go in and come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.compiling import compile_with
from dxir.diagnostics import collecting
from dxir.editing import with_main
from dxir.errors import ArgumentError, DxirError
from dxir.mesh_layout import local_shape
from dxir.mlir import IrOperation, decode_type, ir
from dxir.passes.localize import LIES, WHOLE
from dxir.program import Program
from dxir.reading import attribute, function_name, functions, signature
from dxir.runtime.array import NumpyArray
from dxir.runtime.per_device import per_device
from dxir.sharding import Mesh, Sharding
from dxir.sharding_codec import decode_sharding
from dxir.targets.options import CompileOptions
from dxir.types import TensorType

_COMBINE = {"SUM": np.add, "MAX": np.maximum, "MIN": np.minimum}


@dataclass(frozen=True, slots=True)
class Part:
    """What a parameter or result of a program of one device is a part of, and where that lies."""

    whole: TensorType
    sharding: Sharding
    local: TensorType


class PartitionedExecutable:
    """A program of one device on all devices of its mesh: whole arrays go in, and come out."""

    def __init__(self, program: Program, devices: int | Sequence[Any] | None = None) -> None:
        module = with_main(program.module)
        main = next(f for f in functions(module) if function_name(f) == "main")
        self.parameters = _parts(main, "arg_attrs", signature(main).inputs)
        self.results = _parts(main, "res_attrs", signature(main).results)
        self.mesh = _mesh([*self.parameters, *self.results])
        asked = self.mesh.size if devices is None else devices
        given = asked if isinstance(asked, int) else len(asked)
        if given != self.mesh.size:
            raise ArgumentError(
                f"the program is for the {self.mesh.size} devices of a mesh, and {given} are given"
            )
        self._made = per_device(
            Program(module),
            self.mesh,
            [part.sharding for part in self.parameters],
            [part.sharding for part in self.results],
            [part.whole.static_shape for part in self.results],
        )
        options = CompileOptions(devices=asked if isinstance(asked, int) else tuple(asked))
        self.executable = compile_with(self._made.program, "xla-cpu", options)

    def __call__(self, *arrays: Any) -> list[NumpyArray]:
        """The results, whole, of whole arguments."""
        if len(arrays) != len(self.parameters):
            raise ArgumentError(
                f"the program has {len(self.parameters)} parameters, and {len(arrays)} arrays are "
                "given"
            )
        given = [np.asarray(array) for array in arrays]
        for i, (part, array) in enumerate(zip(self.parameters, given, strict=True)):
            if array.shape != part.whole.static_shape or array.dtype != part.whole.dtype.numpy:
                raise ArgumentError(
                    f"parameter {i} is {part.whole} as a whole, not {array.dtype} of shape "
                    f"{array.shape}"
                )
        out = self.executable.run(self._made.arguments(given))
        stacked = [np.asarray(array.numpy()) for array in out]
        whole = [_combined(s, part.sharding) for s, part in zip(stacked, self.results, strict=True)]
        return list(self._made.results(whole))


def run_partitioned(
    program: Program, arrays: Sequence[Any], devices: int | Sequence[Any] | None = None
) -> list[NumpyArray]:
    """Run a program that `dxir-partition` made on the devices of its mesh, virtual ones here.

    Takes and gives whole arrays. Raises ArgumentError for a program that is of no mesh, and
    RuntimeFailure where devices that should have the same have not.
    """
    return PartitionedExecutable(program, devices)(*arrays)


def _combined(stacked: NumpyArray, sharding: Sharding) -> NumpyArray:
    """What each device has, with the terms that several have of a value put together."""
    mesh = sharding.mesh
    for axis in sharding.unreduced:
        names = [name for name, _ in mesh.axes]
        at, full = names.index(axis.name), mesh.axis_size(axis.name)
        pre, size = axis.sub or (1, full)
        sizes = [n for _, n in mesh.axes]
        split = [*sizes[:at], pre, size, full // (pre * size), *sizes[at + 1 :]]
        terms = stacked.reshape(*split, *stacked.shape[1:])
        total = _COMBINE[sharding.reduction].reduce(terms, axis=at + 1, keepdims=True)
        stacked = np.broadcast_to(total, terms.shape).reshape(stacked.shape)
    return stacked


def _mesh(found: Sequence[Part]) -> Mesh:
    for part in found:
        return part.sharding.mesh
    raise ArgumentError("the program has neither parameters nor results to tell its mesh by")


def _parts(function: IrOperation, key: str, types: Sequence[ir.Type]) -> list[Part]:
    given = attribute(function, key)
    entries = [ir.DictAttr(d) for d in given] if isinstance(given, ir.ArrayAttr) else []
    if not len(types):
        return []
    if len(entries) != len(types) or any(LIES not in e or WHOLE not in e for e in entries):
        raise ArgumentError(
            f"@{function_name(function)} does not say what its parameters and results are parts of",
            hint='give what program.run_passes("dxir-partition") made of a program with a mesh',
        )
    found: list[Part] = []
    for entry, local in zip(entries, types, strict=True):
        whole, lies = (str(ir.StringAttr(entry[name]).value) for name in (WHOLE, LIES))
        try:
            with collecting(function.context):
                type = decode_type(ir.Type.parse(whole, function.context))
                lying = ir.Attribute.parse(lies, function.context)
            sharding = decode_sharding(lying, _unnamed)
        except (ir.MLIRError, ValueError) as error:
            if isinstance(error, DxirError):
                raise
            raise ArgumentError(
                f"@{function_name(function)} has a part of {whole!r} that lies {lies!r}, which "
                "cannot be read",
                hint=f"{WHOLE} and {LIES} are what dxir-localize writes: partition it anew",
            ) from None
        part = decode_type(local)
        if not isinstance(type, TensorType) or not isinstance(part, TensorType):
            raise ArgumentError(f"{type} is no array, and cannot be divided among devices")
        if local_shape(type.shape, sharding) != part.shape:
            raise ArgumentError(f"{part} is no part of {type} that lies {sharding}")
        found.append(Part(type, sharding, part))
    return found


def _unnamed(name: str) -> Mesh:
    raise ArgumentError(f"the mesh @{name} of a part is not spelled out")
