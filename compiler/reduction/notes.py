"""What programs say beside what they compute: attributes, shardings, meshes and locations."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.mlir import IrOperation, ir
from dxir.passes.strip_sharding import StripSharding
from dxir.reading import annotations_of, attribute, walk
from dxir.reduction.places import picked
from dxir.reduction.search import InChunks, Reduction, Search

_OPTIONAL = frozenset(
    {
        "algorithm", "backend_config", "composite_attributes", "fast_math", "fastmath",
        "has_side_effect", "indices_are_sorted", "is_stable", "operand_layouts",
        "output_operand_aliases", "precision_config", "res_attrs", "arg_attrs", "result_accuracy",
        "result_layouts", "unique_indices", "version",
    }
)  # fmt: skip
_ON_FUNCTIONS = frozenset({"sym_name", "function_type", "sym_visibility"})
_ENTRIES = ("arg_attrs", "res_attrs")


class DropAttributes(InChunks[tuple[int, str, int]]):
    """Attributes that an op can do without: notes of other tools, and those with a default.

    A site is an op, an attribute, and of parameters or results the number of one; -1 for all.
    """

    name = "attributes"

    def sites(self, module: ir.Module) -> list[tuple[int, str, int]]:
        found: list[tuple[int, str, int]] = []
        place = -1

        def visit(op: IrOperation) -> None:
            nonlocal place
            place += 1
            found.extend((place, name, number) for name, number in _droppable(op))

        walk(module, visit)
        return found

    def apply(self, module: ir.Module, sites: Sequence[tuple[int, str, int]]) -> bool:
        done = False
        for place, op in picked(module, {place for place, _, _ in sites}):
            for at, name, number in sites:
                if at == place and name in op.attributes:
                    _drop(op, name, number)
                    done = True
        return done


def _droppable(op: IrOperation) -> list[tuple[str, int]]:
    if not len(op.attributes) or op.name == "sdy.mesh":
        return []
    names = [name for name in annotations_of(op) if name not in _ON_FUNCTIONS]
    if op.name == "builtin.module" and "sym_name" in op.attributes:
        names.append("sym_name")
    names += [name for name in _OPTIONAL if name in op.attributes and name not in names]
    found = [(name, -1) for name in sorted(names)]
    for name in _ENTRIES:
        given = attribute(op, name)
        if isinstance(given, ir.ArrayAttr):
            found += [(name, i) for i, entry in enumerate(given) if len(ir.DictAttr(entry))]
    return found


def _drop(op: IrOperation, name: str, number: int) -> None:
    if number < 0:
        del op.attributes[name]
        return
    given = attribute(op, name)
    if isinstance(given, ir.ArrayAttr):
        entries = list(given)
        entries[number] = ir.DictAttr.get({}, op.context)
        op.attributes[name] = ir.ArrayAttr.get(entries, op.context)


class DropMeshes(InChunks[int]):
    """Meshes and other things at the top of the module that are no functions."""

    name = "meshes"

    def sites(self, module: ir.Module) -> list[int]:
        names = [view.operation.name for view in module.body.operations]
        return [number for number, name in enumerate(names) if name != "func.func"]

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        ops = [view.operation for view in module.body.operations]
        for number in sites:
            ops[number].erase()
        return True


class DropShardings(Reduction):
    """All that is said of shardings and devices, at once."""

    name = "shardings"

    def run(self, search: Search) -> None:
        search.first([lambda module: StripSharding().run(module)])


class DropLocations(Reduction):
    """The places in source files that ops come from."""

    name = "locations"

    def run(self, search: Search) -> None:
        search.first([_forget_locations])


def _forget_locations(module: ir.Module) -> bool:
    unknown = ir.Location.unknown(module.context)

    def visit(op: IrOperation) -> None:
        op.location = unknown
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.set_location(unknown)

    walk(module, visit)
    return True
