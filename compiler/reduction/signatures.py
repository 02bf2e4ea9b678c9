"""Parameters of functions that nobody calls: those that nothing needs, and those alike."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.mlir import IrType, ir
from dxir.parameters import drop_parameters
from dxir.reading import is_used
from dxir.reduction.places import entries, named
from dxir.reduction.search import InChunks


class DropParameters(InChunks[tuple[str, int]]):
    """Parameters that nothing uses."""

    name = "unused parameters"

    def sites(self, module: ir.Module) -> list[tuple[str, int]]:
        return [
            (name, index)
            for name in entries(module)
            for index, argument in enumerate(named(module, name).regions[0].blocks[0].arguments)
            if not is_used(argument)
        ]

    def apply(self, module: ir.Module, sites: Sequence[tuple[str, int]]) -> bool:
        for name in dict.fromkeys(name for name, _ in sites):
            drop_parameters(named(module, name), [i for other, i in sites if other == name])
        return True


class MergeParameters(InChunks[tuple[str, int]]):
    """One parameter for all of a type."""

    name = "parameters of one type"

    def sites(self, module: ir.Module) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for name in entries(module):
            seen: set[IrType] = set()
            for index, argument in enumerate(named(module, name).regions[0].blocks[0].arguments):
                if argument.type in seen:
                    found.append((name, index))
                seen.add(argument.type)
        return found

    def apply(self, module: ir.Module, sites: Sequence[tuple[str, int]]) -> bool:
        for name in dict.fromkeys(name for name, _ in sites):
            function = named(module, name)
            arguments = list(function.regions[0].blocks[0].arguments)
            lost = [index for other, index in sites if other == name]
            for index in lost:
                first = next(a for a in arguments if a.type == arguments[index].type)
                arguments[index].replace_all_uses_with(first)
            drop_parameters(function, lost)
        return True
