"""Programs on devices: which ones, what is divided among them, and what is donated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from dxir.diagnostics import where_of
from dxir.errors import ArgumentError, RuntimeFailure, TargetError
from dxir.mlir import ir, sdy
from dxir.reading import SHARDING, attribute, function_name, functions, signature
from dxir.runtime import pjrt
from dxir.runtime.arguments import parameters_of
from dxir.runtime.donation import donate
from dxir.runtime.entry import Entry
from dxir.runtime.grouping import refuse_groups, with_usual_reductions
from dxir.runtime.op_shardings import constrain_results, has_op_shardings
from dxir.runtime.pjrt import Assignment, Client, Device, Placement
from dxir.runtime.undivided import tell_undivided
from dxir.runtime.unpartitioned import meshes_of, tell_unpartitioned
from dxir.targets.options import CompileOptions
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.program import Program

_SHARDINGS = ("sdy.sharding", "mhlo.sharding")


def assigned(options: CompileOptions, target: str, client: Callable[[int], Client]) -> Assignment:
    """The devices that the options ask for; `client` gives one with at least so many.

    Raises ArgumentError for devices that make no sense, TargetError for more than there are.
    """
    asked, replicas = options.devices, options.replicas
    if isinstance(asked, tuple):
        devices = _given(asked, target)
    else:
        count = replicas if asked is None else asked
        if count < 1:
            raise ArgumentError(f"a program is compiled for 1 device or more, not {count}")
        found = client(count)
        devices = (found.local_devices if asked is None else found.devices)[:count]
        if len(devices) < count:
            raise TargetError(
                f"{target} has {len(devices)} device{'s' * (len(devices) != 1)} here, not {count}",
                hint=f"dxir.devices({target!r}) lists them",
            )
    if replicas < 1 or len(devices) % replicas:
        raise ArgumentError(
            f"{len(devices)} devices cannot be divided among {replicas} replicas",
            hint="devices= is the number of all of them, a multiple of replicas=",
        )
    _check_processes(devices, replicas, counted=isinstance(asked, int))
    if 1 < replicas < len(devices):  # jaxlib ends the process over it
        raise TargetError(
            f"{len(devices)} devices for {replicas} replicas: this runtime has no copies that are "
            "partitioned, too",
            hint="give the mesh one axis more, for the copies, and leave replicas= out",
        )
    return Assignment(devices, replicas, dict(options.flags))


def _check_processes(devices: tuple[Device, ...], replicas: int, *, counted: bool) -> None:
    """Refuse devices of other processes, unless all processes have some of them.

    A number of devices is for all processes: what it is for one, it would not be for another.
    """
    having = {device.process for device in devices}
    client = devices[0].client
    if having == {client.process} and not (counted and client.is_shared):
        return
    everybody = {device.process for device in client.devices}
    if having != everybody:
        without = sorted(everybody - having)
        raise TargetError(
            f"devices= has devices of process{'es' * (len(having) != 1)} "
            f"{', '.join(map(str, sorted(having)))} and none of {', '.join(map(str, without))}",
            hint=f"a program is for one process's own devices, or for all processes: "
            f"devices={len(client.devices)}",
        )
    if replicas > 1:
        raise TargetError(
            f"{replicas} replicas cannot be on the devices of several processes",
            hint="leave replicas= out, and give the mesh an axis for the copies",
        )


def _given(asked: tuple[Any, ...], target: str) -> tuple[Device, ...]:
    for device in asked:
        if not isinstance(device, Device):
            raise ArgumentError(
                f"devices= has {device!r}, which is no device",
                hint=f"give their number, devices=8, or some of dxir.devices({target!r})",
            )
    if not asked or len(set(asked)) < len(asked):
        raise ArgumentError("devices= must name devices, each once")
    if len({id(device.client) for device in asked}) > 1:
        raise ArgumentError(
            "devices= has devices of several clients",
            hint="take all of them from one call of dxir.devices",
        )
    return asked


def marked(
    program: Program,
    options: CompileOptions,
    assignment: Assignment,
    entry: Entry,
) -> Program:
    """The program with what the options say of it; a copy where they say anything."""
    if len(assignment.devices) > 1:
        refuse_groups(program.module, assignment.replicas, assignment.partitions)
    program = with_usual_reductions(program, assignment.replicas, assignment.partitions)
    _check_names(program.module)
    if assignment.partitions == 1:
        tell_unpartitioned(program.module, options)
    else:
        _check_meshes(program.module, assignment.partitions)
        tell_undivided(program.module)
        _check_shardings(program.module, assignment.partitions, entry)
    constrained = assignment.partitions > 1 and has_op_shardings(program.module)
    if not options.donate and not constrained:
        return program
    program = program.clone()
    if constrained:
        constrain_results(program.module)
    if not options.donate:
        return program
    partitioned = assignment.partitions > 1
    donate(program.module, options.donate, entry.parameters, entry.results, partitioned=partitioned)
    return program


def _check_names(module: ir.Module) -> None:
    """Refuse names that XLA ends the process over, on one device, too. (0.10.2, 0.12.0.1)"""
    for mesh, where in meshes_of(module):
        odd = [f"the mesh {mesh.name!r}"] if not mesh.name.isascii() else []
        odd += [f"the axis {name!r}" for name, _ in mesh.axes if not name.isascii()]
        if odd:
            raise TargetError(
                f"XLA reads names of meshes and axes in ASCII only: {', '.join(odd)}",
                where=where,
                hint="name it in ASCII; dxir-strip-sharding makes it a program for one device",
            )


def _check_meshes(module: ir.Module, partitions: int) -> None:
    for mesh, where in meshes_of(module):
        size = prod(n for _, n in mesh.axes)
        if mesh.axes and size != partitions:
            raise TargetError(
                f"the mesh @{mesh.name} has {size} devices, and the program is partitioned over "
                f"{partitions}",
                where=where,
                hint=f"compile it with devices={size}",
            )


def _check_shardings(module: ir.Module, partitions: int, entry: Entry) -> None:
    """Refuse shardings of parameters and results that XLA cannot follow, or nobody can give."""
    main = next(f for f in functions(module) if function_name(f) == "main")
    for what, attributes, types in (
        ("parameter", "arg_attrs", entry.parameters),
        ("result", "res_attrs", entry.results),
    ):
        given = attribute(main, attributes)
        for i, (marks, type) in enumerate(
            zip(given if isinstance(given, ir.ArrayAttr) else (), types, strict=False)
        ):
            if _is_in_terms(marks):
                raise TargetError(
                    f"{what} {i} of main is in terms, by a sharding with unreduced axes",
                    where=where_of(main.location),
                    hint="leave out unreduced=: arrays go in and come out whole, or in parts",
                )
            text = _sharding_text(marks)
            fault = None if text is None else pjrt.fault_of(text, type, partitions)
            if fault is not None:
                raise TargetError(
                    f"the sharding {text!r} of {what} {i} of main {fault}",
                    where=where_of(main.location),
                    hint="correct mhlo.sharding, or leave it out: the partitioner chooses then",
                )


def _is_in_terms(marks: Any) -> bool:
    """Whether devices are to hold terms of the array, whose sum it is."""
    if not isinstance(marks, ir.DictAttr) or SHARDING not in marks:
        return False
    given = marks[SHARDING]
    return sdy.TensorShardingAttr.isinstance(given) and bool(
        sdy.TensorShardingAttr(given).unreduced_axes
    )


def _sharding_text(marks: Any) -> str | None:
    if not isinstance(marks, ir.DictAttr) or "mhlo.sharding" not in marks:
        return None
    text = marks["mhlo.sharding"]
    return str(text.value) if isinstance(text, ir.StringAttr) else None


def free(module: ir.Module) -> tuple[list[bool], list[bool]]:
    """Which parameters and results of `main` no sharding is given for."""
    main = next(f for f in functions(module) if function_name(f) == "main")
    type = signature(main)
    counts = (len(type.inputs), len(type.results))
    found: list[list[bool]] = []
    for name, count in zip(("arg_attrs", "res_attrs"), counts, strict=True):
        given = attribute(main, name)
        entries = list(given) if isinstance(given, ir.ArrayAttr) else [None] * count
        found.append([not _has_sharding(entry) for entry in entries])
    return found[0], found[1]


def _has_sharding(entry: Any) -> bool:
    return entry is not None and any(name in ir.DictAttr(entry) for name in _SHARDINGS)


def finished(
    target: str,
    loaded: Any,
    assignment: Assignment,
    entry: Entry,
    names: tuple[str | None, ...] = (),
    *,
    checked: bool = False,
) -> pjrt.PjrtExecutable:
    """What is called, of what PJRT compiled; `names` are the parameters' where `entry` has none.

    `checked` says that its results are known to be those of `entry`.

    Raises RuntimeFailure when it has other results than the program, which would be misread, or
    divides an array into parts of several sizes.
    """
    padded = names + (None,) * (len(entry.parameters) - len(names))
    known = tuple(a or b for a, b in zip(padded, entry.names, strict=False))
    parameters, results = parameters_of(entry.parameters, known), entry.results
    made = pjrt.PjrtExecutable(target, loaded, assignment, parameters, results)
    for what, types, places in (
        ("parameter", [p.type for p in parameters], made.placements),
        ("result", results, made.result_placements),
    ):
        for i, (type, place) in enumerate(zip(types, places, strict=True)):
            if not place.divides(type):
                raise RuntimeFailure(
                    f"XLA divides {what} {i} of main, {type}, into parts of several sizes",
                    hint="give it a sharding whose sizes divide the dimensions",
                )
    if not checked:
        local = [_local(t, p) for t, p in zip(results, made.result_placements, strict=True)]
        _refuse_other_results(pjrt.result_types(loaded), results, local)
    return made


def _local(type: TensorType, place: Placement) -> TensorType:
    if place.tiles is None:
        return type
    sizes = zip(type.static_shape, place.tiles, strict=True)
    return TensorType(tuple(size // n for size, n in sizes), type.dtype)


def _refuse_other_results(
    given: Sequence[str] | None, results: Sequence[TensorType], local: Sequence[TensorType]
) -> None:
    """Refuse an executable with other results than the program's, which would be misread."""
    wanted = [_hlo_text(t) for t in local]
    if given is None or list(given) == wanted:
        return
    for i, (mine, theirs) in enumerate(zip(wanted, given, strict=False)):
        if mine != theirs:
            raise RuntimeFailure(
                f"XLA compiled result {i} of main, {results[i]}, to {theirs}",
                hint="an op that takes one element type and gives another was taken to keep it "
                "(reduce_scatter and select_and_scatter do); convert its operand before",
            )
    raise RuntimeFailure(f"XLA compiled main to {len(given)} results instead of {len(wanted)}")


def _hlo_text(type: TensorType) -> str:
    """The type as HLO writes it."""
    name = type.primitive.name
    if type.primitive.is_bool:
        name = "pred"
    elif type.primitive.is_integer:
        name = name.replace("ui", "u").replace("i", "s")
    return f"{name}[{','.join(map(str, type.static_shape))}]"
