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
from dxir.mlir import ir
from dxir.program import Program
from dxir.reading import function_name, functions, signature
from dxir.runtime.array import NumpyArray
from dxir.sharding import AxisRef, Mesh, Sharding

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
    text = _Wrapper(mesh, _tensors(type.inputs), _tensors(type.results), list(given)).text()
    module = ir.Module.parse(text, context)
    next(f for f in functions(module) if function_name(f) == _LOCAL).erase()
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
    """The text of a `main` on whole arrays around a per-device function."""

    def __init__(
        self,
        mesh: Mesh,
        parameters: list[ir.RankedTensorType],
        results: list[ir.RankedTensorType],
        given: list[Sharding],
    ) -> None:
        # XLA ends the process over names of axes that are not ASCII. (0.10.2, 0.12.0.1)
        self.names = {name: f"a{i}" for i, (name, _) in enumerate(mesh.axes)}
        axes = [(self.names[name], size) for name, size in mesh.axes]
        self.mesh = Mesh("mesh", axes, mesh.device_ids)
        self.parameters, self.results, self.given = parameters, results, given

    def text(self) -> str:
        """A module with the mesh, `main`, and the declaration of the function."""
        axes = ", ".join(f'"{name}"={size}' for name, size in self.mesh.axes)
        ids = f", device_ids={list(self.mesh.device_ids)}" if self.mesh.device_ids else ""
        locals_, gives = self.parameters, self.results
        wholes = [self._whole(t, s) for t, s in zip(locals_, self.given, strict=True)]
        stacks = [f"tensor<{self._stacked(t)}>" for t in gives]
        shardings = [repr(s) for s in self._renamed()]
        out = [self._out(t.rank) for t in gives]
        params = ", ".join(
            f"%a{i}: {t} {{sdy.sharding = #sdy.sharding{s}}}"
            for i, (t, s) in enumerate(zip(wholes, shardings, strict=True))
        )
        given = ", ".join(
            f"{t} {{sdy.sharding = #sdy.sharding{s}}}" for t, s in zip(stacks, out, strict=True)
        )
        arguments = ", ".join(f"%a{i}" for i in range(len(wholes)))
        inside = ", ".join(f"%b{i}: {t}" for i, t in enumerate(locals_))
        passed = ", ".join(f"%b{i}" for i in range(len(wholes)))
        types = f"({_listed(locals_)}) -> ({_listed(gives)})"
        manual = ", ".join(f'"{name}"' for name, _ in self.mesh.axes)
        count = len(gives)
        whole, part = (f"{n}:{count} = " if count else "" for n in ("%r", "%p"))
        lines = [
            f"sdy.mesh @mesh = <[{axes}]{ids}>",
            f"func.func private @{_LOCAL}{types}",
            f"func.func @main({params}) -> ({given}) {{",
            f"{whole}sdy.manual_computation({arguments}) in_shardings=[{', '.join(shardings)}]"
            f" out_shardings=[{', '.join(out)}] manual_axes={{{manual}}} ({inside}) {{",
            f"{part}func.call @{_LOCAL}({passed}) : {types}",
            *(
                f"%s{i} = stablehlo.reshape {_numbered('%p', i, count)} : ({t}) -> {_one(t)}"
                for i, t in enumerate(gives)
            ),
            _returned("sdy.return", [f"%s{i}" for i in range(count)], map(_one, gives)),
            f"}} : ({', '.join(wholes)}) -> ({', '.join(stacks)})",
            _returned("return", [_numbered("%r", i, count) for i in range(count)], stacks),
            "}",
        ]
        return "\n".join(lines)

    def _renamed(self) -> list[Sharding]:
        """The shardings, on the one mesh that the text has, with nothing left to propagation."""
        return [
            Sharding(self.mesh, *[[self._axis(a) for a in d.axes] for d in s.dims])
            for s in self.given
        ]

    def _axis(self, axis: AxisRef) -> AxisRef:
        return AxisRef(self.names[axis.name], axis.sub)

    def _whole(self, local: ir.RankedTensorType, sharding: Sharding) -> str:
        sizes = [
            size * dim.size(sharding.mesh)
            for size, dim in zip(local.shape, sharding.dims, strict=True)
        ]
        return f"tensor<{''.join(f'{n}x' for n in sizes)}{local.element_type}>"

    def _stacked(self, local: ir.RankedTensorType) -> str:
        sizes = [self.mesh.size, *local.shape]
        return f"{''.join(f'{n}x' for n in sizes)}{local.element_type}"

    def _out(self, rank: int) -> str:
        axes = ", ".join(f'"{name}"' for name, _ in self.mesh.axes)
        return f"<@mesh, [{', '.join([f'{{{axes}}}', *['{}'] * rank])}]>"


def _listed(types: Sequence[ir.Type]) -> str:
    return ", ".join(map(str, types))


def _one(type: ir.RankedTensorType) -> str:
    return f"tensor<{''.join(f'{n}x' for n in (1, *type.shape))}{type.element_type}>"


def _numbered(name: str, index: int, count: int) -> str:
    return f"{name}#{index}" if count > 1 else name


def _returned(op: str, values: Sequence[str], types: Any) -> str:
    return f"{op} {', '.join(values)} : {', '.join(types)}" if values else op


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
