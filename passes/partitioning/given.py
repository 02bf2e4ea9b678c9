"""Which shardings a module says, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dxir.errors import ShardingError
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrValue, ir, sdy
from dxir.reading import (
    SHARDING,
    attribute,
    function_name,
    functions,
    has_body,
    is_public,
    walk,
)
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.sharding_codec import decode_mesh, decode_sharding

MARK = "dxir.given_sharding"
_CONSTRAINTS = frozenset({"sdy.sharding_constraint", "sdy.reshard"})
_MANUAL = "sdy.manual_computation"


class Meshes:
    """The meshes of a module by name, and its shardings decoded once each."""

    def __init__(self, module: ir.Module) -> None:
        self.named: dict[str, Mesh] = {}
        self._decoded: dict[IrAttribute, Sharding] = {}
        for op in module.body.operations:
            if op.operation.name == "sdy.mesh":
                name = function_name(op.operation)
                self.named[name] = decode_mesh(name, op.operation.attributes["mesh"])

    def decode(self, given: IrAttribute) -> Sharding:
        found = self._decoded.get(given)
        if found is None:
            found = self._decoded[given] = decode_sharding(given, self._mesh)
        return found

    def _mesh(self, name: str) -> Mesh:
        if name not in self.named:
            raise ShardingError(f"there is no mesh @{name} in the module")
        return self.named[name]

    def per_value(self, given: IrAttribute | None) -> list[Sharding]:
        """The shardings of a list of values; empty where nothing is said."""
        if given is None or not sdy.TensorShardingPerValueAttr.isinstance(given):
            return []
        shardings = sdy.TensorShardingPerValueAttr(given).shardings
        return [self.decode(s) for s in shardings]

    def one(self, given: IrAttribute | None) -> Sharding | None:
        if given is None or not sdy.TensorShardingAttr.isinstance(given):
            return None
        return self.decode(given)

    def of_function(self, function: IrOperation, key: str, count: int) -> list[Sharding | None]:
        """The shardings of a function's parameters (`arg_attrs`) or results (`res_attrs`)."""
        given = attribute(function, key)
        if not isinstance(given, ir.ArrayAttr):
            return [None] * count
        entries = [ir.DictAttr(one) for one in given]
        return [self.one(_entry(e, SHARDING)) for e in entries]

    def of_results(self, op: IrOperation) -> list[Sharding]:
        """The shardings that an op says its results have; empty where it says nothing."""
        if op.name in _CONSTRAINTS:
            one = self.one(attribute(op, "sharding"))
            return [] if one is None else [one]
        if op.name == _MANUAL:
            return self.per_value(attribute(op, "out_shardings"))
        if op.name.startswith("sdy."):
            one = self.one(attribute(op, "out_sharding"))
            if one is not None:
                return [one]
        return self.per_value(attribute(op, SHARDING))


def _entry(given: ir.DictAttr, name: str) -> IrAttribute | None:
    return given[name] if name in given else None  # noqa: SIM401  it has no get


@dataclass(frozen=True, slots=True)
class Key:
    """A value of a module: a function's parameter or result, or what a marked op gives or takes."""

    kind: str  # "parameter", "result", "value", "input"
    owner: str  # the function's name, or the number of the mark
    index: int


@dataclass(frozen=True, slots=True)
class Given:
    """What the module says of one value, how to call that, and where it is said."""

    sharding: Sharding
    what: str
    shape: tuple[int | None, ...]
    location: IrLocation
    op: str


def given_shardings(module: ir.Module, *, mark: bool = True) -> dict[Key, Given]:
    """Every sharding that the module says; with `mark`, the ops that say one are marked."""
    meshes = Meshes(module)
    found: dict[Key, Given] = {}
    for function in functions(module):
        for kind, index, value, type, sharding in _boundary(function, meshes):
            key = Key(kind, function_name(function), index)
            what = f"{kind} {index} of @{function_name(function)}"
            place = function.location if value is None else value.location
            found[key] = Given(sharding, what, _shape(type), place, function.name)
    integer = ir.IntegerType.get_signless(64, module.context)

    def visit(op: IrOperation) -> None:
        if op.name == "func.func":
            return
        said = list(_said(op, meshes))
        if not said:
            return
        number = len(found)
        if mark:
            op.attributes[MARK] = ir.IntegerAttr.get(integer, number)
        for kind, index, what, value, sharding in said:
            key = Key(kind, str(number), index)
            found[key] = Given(sharding, what, _shape(value.type), op.location, op.name)

    walk(module, visit)
    return found


def says_sharding(module: ir.Module) -> bool:
    """Whether the module says any sharding; of use where meshes are spelled out in each."""
    found = bool(given_shardings(module))
    unmark(module)
    return found


def _said(op: IrOperation, meshes: Meshes) -> Iterator[tuple[str, int, str, IrValue, Sharding]]:
    """What an op says of the values it gives, and of those it takes."""
    results: list[IrValue] = list(op.results)
    operands: list[IrValue] = list(op.operands)
    for i, (value, sharding) in enumerate(zip(results, meshes.of_results(op), strict=False)):
        number = f" {i}" if len(results) > 1 else ""
        yield "value", i, f"result{number} of '{op.name}'", value, sharding
    if op.name == _MANUAL:
        shardings = meshes.per_value(attribute(op, "in_shardings"))
        for i, (value, sharding) in enumerate(zip(operands, shardings, strict=False)):
            yield "input", i, f"input {i} of '{op.name}'", value, sharding


def _boundary(
    function: IrOperation, meshes: Meshes
) -> Iterator[tuple[str, int, IrValue | None, ir.Type, Sharding]]:
    """What is said of a function's parameters, and of its results where others may read them."""
    type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    inputs, results = list(type.inputs), list(type.results)
    arguments = list(function.regions[0].blocks[0].arguments) if has_body(function) else []
    for i, sharding in enumerate(meshes.of_function(function, "arg_attrs", len(inputs))):
        if sharding is not None and arguments:
            yield "parameter", i, arguments[i], inputs[i], sharding
    if not is_public(function):  # a caller moves them to where they are said to be
        return
    for i, sharding in enumerate(meshes.of_function(function, "res_attrs", len(results))):
        if sharding is not None:
            yield "result", i, None, results[i], sharding


def _shape(type: ir.Type) -> tuple[int | None, ...]:
    if not isinstance(type, ir.RankedTensorType):
        return ()
    return tuple(None if type.is_dynamic_dim(i) else type.shape[i] for i in range(type.rank))


def boundary_shardings(module: ir.Module) -> dict[Key, Sharding]:
    """The shardings of parameters and results, as the module says them now."""
    meshes = Meshes(module)
    return {
        Key(kind, function_name(f), index): sharding
        for f in functions(module)
        for kind, index, _, _, sharding in _boundary(f, meshes)
    }


def marked_shardings(module: ir.Module) -> dict[Key, list[list[Sharding]]]:
    """Of every marked op, for each value: the shardings of its copies, with what follows on each.

    A copy's are its own and those that a reshard right behind it gives.
    """
    meshes = Meshes(module)
    found: dict[Key, list[list[Sharding]]] = {}

    def visit(op: IrOperation) -> None:
        mark = attribute(op, MARK)
        if not isinstance(mark, ir.IntegerAttr):
            return
        shardings = meshes.of_results(op)
        for index, result in enumerate(op.results):
            own = shardings[index : index + 1] or [_replicated(result)]
            for use in result.uses:
                if use.owner.operation.name == "sdy.reshard":
                    own += meshes.of_results(use.owner.operation)
            found.setdefault(Key("value", str(mark.value), index), []).append(own)
        if op.name == _MANUAL:
            for index, sharding in enumerate(meshes.per_value(attribute(op, "in_shardings"))):
                found.setdefault(Key("input", str(mark.value), index), []).append([sharding])

    walk(module, visit)
    return found


def _replicated(value: IrValue) -> Sharding:
    rank = value.type.rank if isinstance(value.type, ir.RankedTensorType) else 0
    return Sharding(Mesh("", ()), *([None] * rank))


def unmark(module: ir.Module) -> None:
    """Take the marks off."""

    def visit(op: IrOperation) -> None:
        if MARK in op.attributes:
            del op.attributes[MARK]

    walk(module, visit)


def unmet(given: Sharding, final: Sharding) -> list[tuple[int, DimSharding, DimSharding]]:
    """The dimensions that do not lie as they were given: number, as given, as they are."""
    found: list[tuple[int, DimSharding, DimSharding]] = []
    if given.mesh.is_single_device or final.mesh.is_single_device:
        return found
    if len(given.dims) != len(final.dims):
        return found
    for i, (asked, have) in enumerate(zip(given.dims, final.dims, strict=True)):
        a, b = _split(asked, given.mesh), _split(have, final.mesh)
        if b[: len(a)] != a or (len(b) > len(a) and not asked.open):
            found.append((i, DimSharding(a), DimSharding(b)))
    return found


def _end(sub: tuple[int, int]) -> int:
    return sub[0] * sub[1]


def _split(dim: DimSharding, mesh: Mesh) -> tuple[AxisRef, ...]:
    """The axes of a dimension that split it, pieces of one axis that follow each other as one."""
    joined: list[AxisRef] = []
    for axis in dim.axes:
        if axis.size(mesh) == 1:
            continue
        last = joined[-1] if joined else axis
        if last.name == axis.name and last.sub and axis.sub and _end(last.sub) == axis.sub[0]:
            joined[-1] = AxisRef(axis.name, (last.sub[0], last.sub[1] * axis.sub[1]))
            continue
        joined.append(axis)
    return tuple(joined)
