"""Smaller dimensions: one size, wherever it stands in the module, replaced by a smaller one.

Which dimensions are the same one is not looked into. All that have the size are taken to be, in
types, in the data of constants, and in the attributes that hold sizes; where that was wrong, the
module is not valid, and not tried. Sizes that come of others (by a reshape, say) shrink with them
when all multiples of a size are scaled down together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from dxir.constants import bytes_of, constant_type, stored_as
from dxir.editing import replaced, set_signature
from dxir.errors import DxirError
from dxir.mlir import (
    IrAttribute,
    IrOperation,
    IrType,
    IrValue,
    TypeCache,
    decode_type,
    dense_elements,
    ir,
)
from dxir.reading import attribute, signature, walk
from dxir.reduction.literals import CONSTANT
from dxir.reduction.search import Edit, Reduction, Search
from dxir.types import TensorType

_SIZES = frozenset(
    {"fft_length", "limit_indices", "slice_sizes", "window_dimensions", "base_dilations"}
)
"""The attributes that hold sizes of dimensions."""

_FEW = (1, 2, 3, 4)

Resize = Callable[[int | None], int | None]
"""The new size of a dimension; None is one that is not known."""


class ShrinkSizes(Reduction):
    """Sizes of dimensions, large ones first."""

    name = "sizes of dimensions"

    def run(self, search: Search) -> None:
        while search.first(_edits(search.current)) is not None:
            pass


def _edits(module: ir.Module) -> Iterator[Edit]:
    sizes = sizes_in(module)
    for few in _FEW[:2]:
        yield partial(resized, resize=partial(_at_most, most=few))
    for few in _FEW[::-1]:
        yield partial(resized, resize=partial(_known, size=few))
    for size in sorted((s for s in sizes if s > 1), reverse=True):
        for new in dict.fromkeys((1, 2, size // 2, size - 1)):
            if new < size:
                yield partial(resized, resize=partial(_one, size=size, new=new))
                yield partial(resized, resize=partial(_multiples, size=size, new=new))


def _at_most(size: int | None, most: int) -> int | None:
    return size if size is None else min(size, most)


def _known(given: int | None, size: int) -> int | None:
    return size if given is None else given


def _one(given: int | None, size: int, new: int) -> int | None:
    return new if given == size else given


def _multiples(given: int | None, size: int, new: int) -> int | None:
    return given if given is None or given % size else given // size * new


def sizes_in(module: ir.Module) -> set[int]:
    """The sizes of the dimensions of all values in a module, those that are known."""
    types: set[IrType] = set()

    def visit(op: IrOperation) -> None:
        types.update(value.type for value in _values(op))

    walk(module, visit)
    return {
        type.get_dim_size(d)
        for type in types
        if isinstance(type, ir.RankedTensorType)
        for d in range(type.rank)
        if not type.is_dynamic_dim(d)
    }


def _values(op: IrOperation) -> Iterator[IrValue]:
    """The values that an op defines: its results, and what its regions are given."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def resized(module: ir.Module, resize: Resize) -> bool:
    """Give all dimensions in a module other sizes, in place; False when none changes."""
    return _Resizing(module, resize).run()


class _Resizing:
    def __init__(self, module: ir.Module, resize: Resize) -> None:
        self.module, self.resize = module, resize
        self.types: dict[IrType, IrType] = {}
        self.constants: list[IrOperation] = []
        self.changed = False

    def run(self) -> bool:
        walk(self.module, self._visit)
        return all(map(self._constant, self.constants)) and self.changed

    def _visit(self, op: IrOperation) -> None:
        if op.name == CONSTANT:
            self.constants.append(op)
            return
        for value in _values(op):
            type = self._type(value.type)
            if type != value.type:
                value.set_type(type)
                self.changed = True
        if op.name == "func.func":
            given = signature(op)
            set_signature(
                op, [self._type(t) for t in given.inputs], [self._type(t) for t in given.results]
            )
        elif len(op.attributes):
            for name in _SIZES:
                self._attribute(op, name)

    def _attribute(self, op: IrOperation, name: str) -> None:
        given = attribute(op, name)
        if isinstance(given, ir.DenseI64ArrayAttr):
            sizes = [self.resize(size) or 0 for size in given]
            op.attributes[name] = ir.DenseI64ArrayAttr.get(sizes, op.context)

    def _type(self, type: IrType) -> IrType:
        found = self.types.get(type)
        if found is None:
            found = self.types[type] = self._new_type(type)
        return found

    def _new_type(self, type: IrType) -> IrType:
        if not isinstance(type, ir.RankedTensorType):
            return type
        dynamic = ir.ShapedType.get_dynamic_size()
        old = [None if type.is_dynamic_dim(d) else type.get_dim_size(d) for d in range(type.rank)]
        new = [self.resize(size) for size in old]
        if new == old:
            return type
        # Bounds say something of sizes that are not known only.
        encoding = type.encoding if None in new else None
        sizes = [dynamic if size is None else size for size in new]
        return ir.RankedTensorType.get(
            sizes, type.element_type, encoding, loc=ir.Location.unknown(type.context)
        )

    def _constant(self, op: IrOperation) -> bool:
        """Cut the data of a constant to its new size; whether that can be done."""
        type, new = op.results[0].type, self._type(op.results[0].type)
        if type == new:
            return True
        value = _cut(op, decode_type(new))
        if value is None:
            return False
        replaced(op, CONSTANT, {"value": value}, types=[new])
        self.changed = True
        return True


def _cut(op: IrOperation, new: object) -> IrAttribute | None:
    type = constant_type(op)
    if type is None or not isinstance(new, TensorType):
        return None
    dtype = stored_as(type).numpy
    try:
        array = np.frombuffer(bytes_of(op, type).tobytes(), dtype).reshape(type.static_shape)
    except DxirError:  # there is no data
        return None
    cut = array[tuple(slice(0, size) for size in new.static_shape)]
    if cut.shape != tuple(new.static_shape):
        return None
    if cut.size and (cut == cut.reshape(-1)[0]).all():
        cut = np.broadcast_to(cut.reshape(-1)[0], cut.shape)
    return dense_elements(cut, new, TypeCache.of(op.context))
