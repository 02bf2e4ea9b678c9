"""A sharded program on the processors in other ways than XLA partitions it: whole, or as dxir does.

xla-cpu-single        on one device, without its shardings
xla-cpu-partitioned   the program for each device that `dxir-partition` makes, on all of them
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dxir.errors import TargetError
from dxir.mesh_layout import Slices, parts
from dxir.mlir import ir
from dxir.passes.partitioning.given import Meshes
from dxir.program import Program
from dxir.reading import function_name, functions, signature
from dxir.runtime.array import NumpyArray
from dxir.runtime.per_device import PerDevice, per_device
from dxir.runtime.undivided import tell_undivided
from dxir.runtime.unpartitioned import devices_of
from dxir.sharding import Mesh, Sharding
from dxir.targets.options import CompileOptions

SINGLE, PARTITIONED = "xla-cpu-single", "xla-cpu-partitioned"
_BASE = "xla-cpu"
_STRIP = "dxir-strip-sharding"
_PROPAGATE = "dxir-propagate"
_COLLECTIVES = "dxir-propagate,dxir-insert-collectives"
_LOCALIZE = "dxir-localize"

Arrays = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Way:
    """What is compiled, for which target, and what becomes of arguments and results."""

    program: Program
    target: str
    options: CompileOptions
    arguments: Callable[[Arrays], list[Any]] = list
    results: Callable[[Sequence[NumpyArray]], tuple[NumpyArray, ...]] = tuple


def variant_names() -> tuple[str, ...]:
    """The backends that are other ways of another one."""
    return (SINGLE, PARTITIONED)


def base_of(backend: str) -> str:
    """The target that a backend comes to, whose faults it has."""
    return _BASE if backend in variant_names() else backend


def way_of(program: Program, backend: str, options: CompileOptions) -> Way:
    """How a program is run on a backend; raises what partitioning does."""
    if backend == SINGLE:
        return Way(unsharded(program), _BASE, replace(options, devices=1, replicas=1))
    if backend == PARTITIONED:
        return _partitioned(program, options)
    return Way(program, backend, options)


def unsharded(program: Program) -> Program:
    """The program without its shardings, which do not change what it computes.

    Raises PassError where devices do different things in it.
    """
    return program if devices_of(program.module) is None else program.run_passes(_STRIP)


def _partitioned(program: Program, options: CompileOptions) -> Way:
    found = devices_of(program.module)
    if found is None:
        raise TargetError(
            "nothing in the program is sharded, so there is nothing to partition",
            hint="state a mesh of several devices, and shardings on it",
        )
    count, what, where = found
    if isinstance(options.devices, int) and options.devices != count:
        raise TargetError(
            f"the program is for {count} devices ({what}), not for {options.devices}",
            where=where,
            hint=f"give it {count} devices",
        )
    tell_undivided(program.module)
    whole = program.decompose().run_passes(_COLLECTIVES)
    if not Meshes(whole.module).named:
        raise TargetError(
            f"the program is for {count} devices ({what}), and has no mesh of Shardy's to "
            "partition it by",
            where=where,
            hint="XLA partitions by mhlo.sharding; for this backend state shardings on a mesh",
        )
    made = _made(whole, whole.run_passes(_LOCALIZE))
    given = replace(options, devices=options.devices or count)
    return Way(made.program, _BASE, given, made.arguments, made.results)


def _made(whole: Program, local: Program) -> PerDevice:
    """What runs the per-device program of one that still has shapes of the whole."""
    given = _boundary(whole, "arg_attrs")
    taken = _boundary(whole, "res_attrs")
    shapes = [ir.RankedTensorType(type).shape for type, _ in taken]
    mesh = _largest(Meshes(whole.module))
    for i, (_, sharding) in enumerate(taken):
        if sharding.unreduced:
            raise TargetError(
                f"result {i} is in terms, by a sharding with unreduced axes, {sharding}",
                hint="leave out unreduced=: arrays go in and come out whole, or in parts",
            )
    return per_device(local, mesh, [s for _, s in given], [s for _, s in taken], shapes)


def _boundary(program: Program, name: str) -> list[tuple[ir.Type, Sharding]]:
    """The types of the parameters (`arg_attrs`) or results of `main`, and how they lie."""
    meshes = Meshes(program.module)
    main = next(f for f in functions(program.module) if function_name(f) == "main")
    type = signature(main)
    types = list(type.inputs if name == "arg_attrs" else type.results)
    said = meshes.of_function(main, name, len(types))
    mesh = _largest(meshes)
    return [
        (one, sharding or Sharding(mesh, *[None] * _rank(one)))
        for one, sharding in zip(types, said, strict=True)
    ]


def _largest(meshes: Meshes) -> Mesh:
    return max(meshes.named.values(), key=lambda mesh: mesh.size)


def parts_of_results(program: Program) -> list[dict[int, Slices]]:
    """What each device holds of each result, by its id, as Shardy's propagation has them lie.

    Raises PassError where that fails.
    """
    return [
        parts(ir.RankedTensorType(type).shape, sharding)
        for type, sharding in _boundary(program.run_passes(_PROPAGATE), "res_attrs")
    ]


def _rank(type: ir.Type) -> int:
    return type.rank if isinstance(type, ir.RankedTensorType) else 0
