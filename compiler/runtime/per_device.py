"""A per-device program run on whole arrays: every device's own results, and whether they agree.

The program goes into an `sdy.manual_computation` over all axes of the mesh, which XLA runs on the
devices as it is. What each device gives is stacked, so that nothing is taken from one device for
all: copies that differ are seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import RuntimeFailure, TargetError
from dxir.mesh_layout import device_ids, local_shape, parts
from dxir.mlir import TypeCache, ir, sdy
from dxir.program import Program
from dxir.reading import SHARDING, function_name, functions, signature
from dxir.runtime.array import NumpyArray
from dxir.sharding import AxisRef, Mesh, Sharding
from dxir.sharding_codec import encode_mesh, encode_sharding, encode_shardings

COPIES_DIFFER = "COPIES_DIFFER"
_LOCAL = "dxir.local"
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class PerDevice:
    """A per-device program that takes whole arrays; `results` makes whole ones of what it gives."""

    program: Program
    mesh: Mesh
    given: tuple[Sharding, ...]
    taken: tuple[Sharding, ...]
    shapes: tuple[tuple[int, ...], ...]

    def arguments(self, arrays: Sequence[Any]) -> list[NumpyArray]:
        """The arrays, padded at the ends where parameters do not divide."""
        return [_padded(np.asarray(a), s) for a, s in zip(arrays, self.given, strict=True)]

    def results(self, stacked: Sequence[NumpyArray]) -> tuple[NumpyArray, ...]:
        """Whole results; RuntimeFailure where devices that hold copies have different ones."""
        return tuple(
            self._assembled(i, one, sharding, shape)
            for i, (one, sharding, shape) in enumerate(
                zip(stacked, self.taken, self.shapes, strict=True)
            )
        )

    def _assembled(
        self, number: int, stacked: NumpyArray, sharding: Sharding, shape: tuple[int, ...]
    ) -> NumpyArray:
        whole = np.empty(shape, stacked.dtype)
        places = {id: place for place, id in enumerate(device_ids(self.mesh))}
        holders: dict[tuple[tuple[int, int], ...], int] = {}
        for id, slices in parts(shape, sharding).items():
            extent = tuple(s.stop - s.start for s in slices)
            part = stacked[places[id]][tuple(slice(0, n) for n in extent)]
            first = holders.setdefault(tuple((s.start, s.stop) for s in slices), id)
            if first == id:
                whole[slices] = part
            elif not _same(whole[slices], part):
                raise _differs(number, first, id, whole[slices], part)
        return whole


def per_device(
    local: Program,
    mesh: Mesh,
    given: Sequence[Sharding],
    taken: Sequence[Sharding],
    shapes: Sequence[Sequence[int]],
) -> PerDevice:
    """What runs a per-device program: `given` and `taken` are how its arguments and results lie.

    `shapes` are those of the whole results.
    """
    for i, sharding in enumerate(given):
        if sharding.unreduced:  # which every device would have as a whole, several times
            raise TargetError(
                f"parameter {i} is in terms, by a sharding with unreduced axes, {sharding}",
                hint="leave out unreduced=: arrays go in and come out whole, or in parts",
            )
    context = local.context
    main = next(f for f in functions(local.module) if function_name(f) == "main")
    type = signature(main)
    parameters, results = _tensors(type.inputs), _tensors(type.results)
    module = _Wrapper(context, mesh, parameters, results, list(given)).module()
    for op in local.module.body.operations:
        copy = op.operation.clone(ip=ir.InsertionPoint(module.body))
        if op.operation.name == "func.func" and function_name(op.operation) == "main":
            copy.attributes["sym_name"] = ir.StringAttr.get(_LOCAL, context)
            copy.attributes["sym_visibility"] = ir.StringAttr.get("private", context)
    sizes = tuple(tuple(s) for s in shapes)
    return PerDevice(Program(module).verify(), mesh, tuple(given), tuple(taken), sizes)


def _tensors(types: Iterable[ir.Type]) -> list[ir.RankedTensorType]:
    found: list[ir.RankedTensorType] = []
    for type in types:
        if not isinstance(type, ir.RankedTensorType):
            raise TargetError(f"a partitioned program takes and gives tensors, not {type}")
        found.append(type)
    return found


class _Wrapper:
    """A `main` on whole arrays around a per-device function."""

    def __init__(
        self,
        context: ir.Context,
        mesh: Mesh,
        parameters: list[ir.RankedTensorType],
        results: list[ir.RankedTensorType],
        given: list[Sharding],
    ) -> None:
        # XLA ends the process over names of axes that are not ASCII. (0.10.2, 0.12.0.1)
        self.names = {name: f"a{i}" for i, (name, _) in enumerate(mesh.axes)}
        axes = [(self.names[name], size) for name, size in mesh.axes]
        self.mesh = Mesh("mesh", axes, mesh.device_ids)
        self.parameters, self.results = parameters, results
        # Nothing is left to propagation.
        self.given = [
            Sharding(self.mesh, *[[self._axis(a) for a in d.axes] for d in s.dims]) for s in given
        ]
        self.taken = [
            Sharding(self.mesh, tuple(self.names.values()), *[None] * t.rank) for t in results
        ]
        self.types = TypeCache(context)

    def _axis(self, axis: AxisRef) -> AxisRef:
        return AxisRef(self.names[axis.name], axis.sub)

    def module(self) -> ir.Module:
        """A module with the mesh and `main`; the function that it calls is still to be added."""
        context = self.types.context
        with ir.Location.unknown(context):
            wholes = [self._whole(t, s) for t, s in zip(self.parameters, self.given, strict=True)]
            stacks = [_sized(t, (self.mesh.size, *t.shape)) for t in self.results]
            module = ir.Module.create()
            with ir.InsertionPoint(module.body):
                name = {"sym_name": ir.StringAttr.get(self.mesh.name)}
                mesh = {**name, "mesh": encode_mesh(self.mesh, self.types)}
                ir.Operation.create("sdy.mesh", attributes=mesh)
                attributes = {
                    "sym_name": ir.StringAttr.get("main"),
                    "function_type": ir.TypeAttr.get(ir.FunctionType.get(wholes, stacks)),
                    "arg_attrs": self._stated(self.given),
                    "res_attrs": self._stated(self.taken),
                }
                main = ir.Operation.create("func.func", attributes=attributes, regions=1)
            block = main.regions[0].blocks.append(*wholes)
            with ir.InsertionPoint(block):
                found = self._manual(list(block.arguments), stacks)
                ir.Operation.create("func.return", operands=found)
        return module

    def _manual(self, arguments: list[Any], stacks: list[ir.RankedTensorType]) -> list[Any]:
        """What the function gives on every device, one above the other."""
        attributes = {
            "in_shardings": encode_shardings(self.given, self.types),
            "out_shardings": encode_shardings(self.taken, self.types),
            "manual_axes": sdy.ManualAxesAttr.get(
                [ir.StringAttr.get(name) for name in self.names.values()], self.types.context
            ),
        }
        op = ir.Operation.create(
            "sdy.manual_computation",
            results=stacks,
            operands=arguments,
            attributes=attributes,
            regions=1,
        )
        block = op.regions[0].blocks.append(*self.parameters)
        with ir.InsertionPoint(block):
            callee = {"callee": ir.FlatSymbolRefAttr.get(_LOCAL)}
            inside = list(block.arguments)
            called = ir.Operation.create(
                "func.call", results=self.results, operands=inside, attributes=callee
            )
            parts = [
                ir.Operation.create(
                    "stablehlo.reshape", results=[_sized(t, (1, *t.shape))], operands=[value]
                ).result
                for t, value in zip(self.results, called.results, strict=True)
            ]
            ir.Operation.create("sdy.return", operands=parts)
        return list(op.results)

    def _stated(self, shardings: list[Sharding]) -> ir.ArrayAttr:
        return ir.ArrayAttr.get(
            [ir.DictAttr.get({SHARDING: encode_sharding(s, self.types)}) for s in shardings]
        )

    def _whole(self, local: ir.RankedTensorType, sharding: Sharding) -> ir.RankedTensorType:
        dims = zip(local.shape, sharding.dims, strict=True)
        return _sized(local, [size * dim.size(sharding.mesh) for size, dim in dims])


def _sized(type: ir.RankedTensorType, shape: Sequence[int]) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(shape), type.element_type)


def _padded(array: NumpyArray, sharding: Sharding) -> NumpyArray:
    local = local_shape(array.shape, sharding)
    sizes = [
        n * d.size(sharding.mesh)
        for n, d in zip(local, sharding.dims, strict=True)
        if isinstance(n, int)
    ]
    if list(array.shape) == sizes:
        return array
    return np.pad(array, [(0, n - m) for n, m in zip(sizes, array.shape, strict=True)])


def _same(a: NumpyArray, b: NumpyArray) -> bool:
    equal = a == b
    return bool(np.all(equal | ((a != a) & (b != b))))


def _differs(number: int, first: int, other: int, a: NumpyArray, b: NumpyArray) -> RuntimeFailure:
    apart = np.argwhere(~((a == b) | ((a != a) & (b != b))))
    at = tuple(int(i) for i in apart[0])
    return RuntimeFailure(
        f"devices {first} and {other} hold the same part of result {number}, and {len(apart)} of "
        f"its {a.size} elements differ: {a[at]} and {b[at]} at [{', '.join(map(str, at))}] of it",
        code=COPIES_DIFFER,
    )
