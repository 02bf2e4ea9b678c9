"""Running programs of one device, as `dxir-partition` leaves them, on all devices of their mesh.

What each parameter and result is a part of stands on them, so whole arrays go in and come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.compiling import compile_with
from dxir.editing import with_main
from dxir.errors import ArgumentError
from dxir.mesh_layout import Slices, coordinates, device_ids, index_along, local_shape, parts
from dxir.mlir import IrOperation, clone_module, decode_type, ir
from dxir.program import Program
from dxir.reading import attribute, function_name, functions, ops_below, signature
from dxir.runtime.array import NumpyArray
from dxir.runtime.pjrt import DeviceArray, Placement
from dxir.sharding import Mesh, Sharding
from dxir.sharding_codec import decode_sharding
from dxir.targets.options import CompileOptions
from dxir.types import TensorType

WHOLE = "dxir.whole"
LIES = "dxir.lies"
_SHARDING = "mhlo.sharding"
_COMBINE = {"SUM": np.add, "MAX": np.maximum, "MIN": np.minimum}


@dataclass(frozen=True, slots=True)
class Part:
    """What a parameter or result of a program of one device is a part of, and where that lies."""

    whole: TensorType
    sharding: Sharding
    local: TensorType

    @property
    def padded(self) -> tuple[int, ...]:
        """The shape of all parts together, which a mesh that does not divide makes larger."""
        dims = zip(self.local.static_shape, self.sharding.dims, strict=True)
        return tuple([size * dim.size(self.sharding.mesh) for size, dim in dims])

    def slices(self) -> list[Slices]:
        """What each device has of the padded array, by the number of the device."""
        found = parts(self.padded, self.sharding)
        return [found[i] for i in range(len(found))]

    def cut(self, array: NumpyArray) -> list[NumpyArray]:
        """The part of each device of a whole array; what is beyond its end is 0."""
        if self.padded != array.shape:
            padded = np.zeros(self.padded, array.dtype)
            padded[tuple(slice(0, size) for size in array.shape)] = array
            array = padded
        return [array[slices] for slices in self.slices()]

    def join(self, pieces: Sequence[NumpyArray]) -> NumpyArray:
        """The whole array out of the part of each device."""
        combine = _COMBINE[self.sharding.reduction]
        out = np.zeros(self.padded, pieces[0].dtype)
        seen: dict[tuple[tuple[int, ...], int], None] = {}
        begun: set[tuple[int, ...]] = set()
        for slices, term, piece in zip(self.slices(), self._terms(), pieces, strict=True):
            at = tuple(s.start for s in slices)
            if (at, term) in seen:
                continue
            seen[at, term] = None
            out[slices] = combine(out[slices], piece) if at in begun else piece
            begun.add(at)
        return out[tuple(slice(0, size) for size in self.whole.static_shape)]

    def _terms(self) -> list[int]:
        """Which of the terms of a sum each device has, by the number of the device."""
        mesh, found = self.sharding.mesh, [0] * self.sharding.mesh.size
        for id, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
            for axis in self.sharding.unreduced:
                found[id] = found[id] * axis.size(mesh) + index_along(mesh, axis, at[axis.name])
        return found


class PartitionedExecutable:
    """A program of one device on all devices of its mesh: whole arrays go in, and come out."""

    def __init__(self, program: Program, devices: int | Sequence[Any] | None = None) -> None:
        module = with_main(program.module)
        main = next(f for f in functions(module) if function_name(f) == "main")
        self.parameters = _parts(main, "arg_attrs", signature(main).inputs)
        self.results = _parts(main, "res_attrs", signature(main).results)
        self.mesh = _mesh([*self.parameters, *self.results])
        count = self.mesh.size
        asked = count if devices is None else devices
        given = asked if isinstance(asked, int) else len(asked)
        if given != count:
            raise ArgumentError(
                f"the program is for the {count} devices of a mesh, and {given} are given"
            )
        options = CompileOptions(devices=asked if isinstance(asked, int) else tuple(asked))
        self.executable: Any = compile_with(_manual(Program(module)), "xla-cpu", options)

    def __call__(self, *arrays: Any) -> list[NumpyArray]:
        """The results, whole, of whole arguments."""
        if len(arrays) != len(self.parameters):
            raise ArgumentError(
                f"the program has {len(self.parameters)} parameters, and {len(arrays)} arrays are "
                "given"
            )
        given = [
            self._placed(i, part, np.asarray(array))
            for i, (part, array) in enumerate(zip(self.parameters, arrays, strict=True))
        ]
        out = self.executable.run(given)
        return [part.join(array.shards()) for part, array in zip(self.results, out, strict=True)]

    def _placed(self, index: int, part: Part, array: NumpyArray) -> DeviceArray:
        if array.shape != part.whole.static_shape or array.dtype != part.whole.dtype.numpy:
            raise ArgumentError(
                f"parameter {index} is {part.whole} as a whole, not {array.dtype} of shape "
                f"{array.shape}"
            )
        placement: Placement = self.executable.placements[index]
        pieces = part.cut(array)
        buffer = placement.put_parts([pieces[i] for i in placement.local], part.local, alias=False)
        return DeviceArray(buffer, part.local, placement)


def run_partitioned(
    program: Program, arrays: Sequence[Any], devices: int | Sequence[Any] | None = None
) -> list[NumpyArray]:
    """Run a program that `dxir-partition` made on the devices of its mesh, virtual ones here.

    Takes and gives whole arrays. Raises ArgumentError for a program that is of no mesh.
    """
    return PartitionedExecutable(program, devices)(*arrays)


def _mesh(found: Sequence[Part]) -> Mesh:
    for part in found:
        return part.sharding.mesh
    raise ArgumentError("the program has neither parameters nor results to tell its mesh by")


def _parts(function: IrOperation, key: str, types: Sequence[ir.Type]) -> list[Part]:
    given = attribute(function, key)
    entries = [ir.DictAttr(d) for d in given] if isinstance(given, ir.ArrayAttr) else []
    if len(entries) != len(types) or any(LIES not in e or WHOLE not in e for e in entries):
        if not len(types):
            return []
        raise ArgumentError(
            f"@{function_name(function)} does not say what its parameters and results are parts of",
            hint='give what program.run_passes("dxir-partition") made of a program with a mesh',
        )
    found = []
    for entry, local in zip(entries, types, strict=True):
        whole, lies = (str(ir.StringAttr(entry[name]).value) for name in (WHOLE, LIES))
        context = function.context
        type = decode_type(ir.Type.parse(whole, context))
        part = decode_type(local)
        if not isinstance(type, TensorType) or not isinstance(part, TensorType):
            raise ArgumentError(f"{type} is no array, and cannot be divided among devices")
        sharding = decode_sharding(ir.Attribute.parse(lies, context), _unnamed)
        if local_shape(type.shape, sharding) != part.shape:
            raise ArgumentError(f"{part} is no part of {type} that lies {sharding}")
        found.append(Part(type, sharding, part))
    return found


def _unnamed(name: str) -> Mesh:
    raise ArgumentError(f"the mesh @{name} of a part is not spelled out")


def _manual(program: Program) -> Program:
    """The program, told to XLA as one that is partitioned already."""
    module = clone_module(program.module)
    manual = ir.StringAttr.get("{manual}", module.context)
    for op in ops_below(module.operation, ("stablehlo.partition_id",)):
        op.attributes[_SHARDING] = manual
    for function in functions(module):
        if function_name(function) != "main":
            continue
        type = signature(function)
        for key, count in (("arg_attrs", len(type.inputs)), ("res_attrs", len(type.results))):
            given = attribute(function, key)
            known = [ir.DictAttr(d) for d in given] if isinstance(given, ir.ArrayAttr) else []
            made = []
            for i in range(count):
                old = known[i] if known else []
                entry = {old[j].name: old[j].attr for j in range(len(old))}
                entry[_SHARDING] = manual
                made.append(ir.DictAttr.get(entry, module.context))
            function.attributes[key] = ir.ArrayAttr.get(made, module.context)
    return Program(module)
