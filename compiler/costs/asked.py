"""An op as its formula sees it: sizes of operands and results, meshes, what its regions cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dxir.costs.cost import NO_COST, WORK, Cost
from dxir.costs.sizes import Sizes, UnknownSize
from dxir.mlir import IrAttribute, IrOperation, IrType, ir
from dxir.reading import attribute
from dxir.sharding import Mesh


class Work(NamedTuple):
    """Operations, and transcendental ones."""

    flops: int = 0
    transcendentals: int = 0


class Traffic(NamedTuple):
    """Bytes read and written."""

    read: int = 0
    written: int = 0


class Asked:
    """An op, with the cost of a run of each of its regions.

    What asks for a size that is not known raises UnknownSize.
    """

    __slots__ = ("inside", "meshes", "op", "operands", "results", "sizes")

    def __init__(
        self, op: IrOperation, sizes: Sizes, meshes: Mapping[str, Mesh], inside: Mapping[int, Cost]
    ) -> None:
        self.op = op
        self.sizes = sizes
        self.meshes = meshes
        self.inside = inside
        self.operands: list[IrType] = [value.type for value in op.operands]
        self.results: list[IrType] = [value.type for value in op.results]

    def attribute(self, name: str) -> IrAttribute | None:
        """An attribute of the op."""
        return attribute(self.op, name)

    def needed(self, name: str) -> IrAttribute:
        """An attribute that the op has, in a form that the bindings have a class for."""
        found = self.attribute(name)
        if found is None:
            raise UnknownSize(f"its {name} cannot be read")
        return found

    def integers(self, name: str) -> list[int] | None:
        """The entries of an attribute that is a list of integers; None without it."""
        found = self.attribute(name)
        if found is None:
            return None
        if isinstance(found, ir.DenseI64ArrayAttr):
            return [found[i] for i in range(len(found))]
        if isinstance(found, ir.DenseIntElementsAttr):
            return [int(found[i]) for i in range(len(found))]
        raise UnknownSize(f"its {name} cannot be read")

    def integer(self, name: str, default: int) -> int:
        """An attribute that is an integer."""
        found = self.attribute(name)
        return int(found.value) if isinstance(found, ir.IntegerAttr) else default

    def shape(self, type: IrType) -> list[int]:
        """The sizes of a tensor."""
        if not isinstance(type, ir.RankedTensorType) or not type.has_static_shape:
            raise UnknownSize(f"the size of {type} is not known")
        return list(type.shape)

    @property
    def elements(self) -> int:
        """The elements of the first result; 0 without one."""
        return self.sizes.elements(self.results[0]) if self.results else 0

    def operand_elements(self, i: int) -> int:
        """The elements of an operand."""
        return self.sizes.elements(self.operands[i])

    def operand_bytes(self, i: int) -> int:
        """The bytes of an operand."""
        return self.sizes.bytes(self.operands[i])

    @property
    def read(self) -> int:
        """The bytes of all operands."""
        return sum([self.sizes.bytes(type) for type in self.operands])

    @property
    def written(self) -> int:
        """The bytes of all results."""
        return sum([self.sizes.bytes(type) for type in self.results])

    @property
    def is_complex(self) -> bool:
        """Whether the first operand, or the result without one, has complex numbers."""
        types = self.operands or self.results
        return bool(types) and self.sizes.is_complex(types[0])

    def region(self, number: int, times: int) -> Work:
        """The work of so many runs of a region."""
        found = self.inside.get(number, NO_COST)
        if found.unknown & WORK and times:
            raise UnknownSize("an op in its region has no known cost")
        return Work(found.least.flops * times, found.least.transcendentals * times)
