"""How the values of a module lie on the mesh: their shardings, a device's part, its bytes."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.costs.sizes import bytes_of
from dxir.errors import DxirError
from dxir.mesh_layout import local_shape
from dxir.mlir import IrAttribute, IrOperation, IrType, decode_type, ir, sdy
from dxir.passes.device_groups import MOVES
from dxir.passes.partitioning.lying import manual_axes
from dxir.reading import SHARDING, attribute
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.sharding_codec import decode_mesh, decode_sharding
from dxir.types import TensorType, Type

_OWN = {
    "sdy.sharding_constraint": "sharding",
    "sdy.reshard": "sharding",
    **dict.fromkeys(MOVES, "out_sharding"),
    "sdy.data_flow_edge": "sharding",
}
_ENCLOSED = ("sdy.manual_computation", "sdy.named_computation")


class Layouts:
    """The shardings of a module's values."""

    def __init__(self, module: ir.Module) -> None:
        self._meshes: dict[str, Mesh] = {}
        for op in module.body.operations:
            if op.operation.name == "sdy.mesh":
                name = ir.StringAttr(op.attributes["sym_name"]).value
                self._meshes[name] = decode_mesh(name, op.attributes["mesh"])
        self._read: dict[IrAttribute, Sharding] = {}
        self._lists: dict[IrAttribute, tuple[Sharding, ...]] = {}
        self._locals: dict[tuple[IrType, Sharding | None], tuple[str, int | None]] = {}

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The meshes of the module, in order."""
        return tuple(self._meshes.values())

    def read(self, attribute: IrAttribute) -> Sharding:
        """The sharding that an attribute says."""
        found = self._read.get(attribute)
        if found is None:
            found = self._read[attribute] = decode_sharding(attribute, self._meshes.__getitem__)
        return found

    def read_all(self, attribute: IrAttribute | None) -> tuple[Sharding, ...]:
        """The shardings that an attribute of an op lists, for each result."""
        if attribute is None:
            return ()
        found = self._lists.get(attribute)
        if found is None:
            if sdy.TensorShardingAttr.isinstance(attribute):
                found = (self.read(attribute),)
            else:
                given = sdy.TensorShardingPerValueAttr(attribute)
                found = tuple([self.read(s) for s in given.shardings])
            self._lists[attribute] = found
        return found

    def of_results(self, op: IrOperation) -> Sequence[Sharding | None]:
        """The sharding of each result of an op, as it says; None without one."""
        name = op.name
        key = _OWN.get(name, "out_shardings" if name in _ENCLOSED else SHARDING)
        found = self.read_all(attribute(op, key))
        count = len(op.results)
        return found if len(found) == count else (None,) * count

    def of_parameters(self, function: IrOperation, which: str) -> Sequence[Sharding | None]:
        """The shardings of a function's parameters (`arg_attrs`) or results (`res_attrs`)."""
        type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        count = len(type.inputs if which == "arg_attrs" else type.results)
        attrs = attribute(function, which)
        if attrs is None:
            return (None,) * count
        found: list[Sharding | None] = []
        for each in ir.ArrayAttr(attrs):
            given = ir.DictAttr(each)
            found.append(self.read(given[SHARDING]) if SHARDING in given else None)
        return found

    def of_region(self, op: IrOperation, block: ir.Block) -> Sequence[Sharding | None]:
        """The shardings of a block's arguments, of an op that is no function."""
        count = len(block.arguments)
        if op.name == "stablehlo.while":
            found = self.of_results(op)
        elif op.name == "sdy.named_computation":
            found = self.read_all(attribute(op, "in_shardings"))
        elif op.name == "sdy.manual_computation":
            manual = manual_axes(op)
            given = self.read_all(attribute(op, "in_shardings"))
            found = [_without(s, manual) for s in given]
        else:
            found = ()
        return found if len(found) == count else (None,) * count

    def local(self, type: IrType, sharding: Sharding | None) -> tuple[str, int | None]:
        """A device's part of a type, as text, and its bytes; None where they are not known."""
        key = (type, sharding)
        found = self._locals.get(key)
        if found is None:
            found = self._locals[key] = _local(type, sharding)
        return found

    def bytes(self, type: IrType, sharding: Sharding | None) -> int | None:
        """The bytes of a device's part of a type."""
        return self.local(type, sharding)[1]


def _without(sharding: Sharding, manual: Sequence[str]) -> Sharding:
    """A sharding as the body of a manual computation sees it: without the manual axes."""

    def free(axes: Sequence[AxisRef]) -> tuple[AxisRef, ...]:
        return tuple([a for a in axes if a.name not in manual])

    dims = [DimSharding(free(d.axes), d.open) for d in sharding.dims]
    return Sharding(
        sharding.mesh,
        *dims,
        replicated=free(sharding.replicated),
        unreduced=free(sharding.unreduced),
        reduction=sharding.reduction,
    )


def _local(type: IrType, sharding: Sharding | None) -> tuple[str, int | None]:
    try:
        found: Type = decode_type(type)
    except DxirError:
        return str(type), None
    if sharding is not None and isinstance(found, TensorType):
        found = found.with_shape(local_shape(found.shape, sharding))
    return repr(found), bytes_of(found)


def entries(given: IrAttribute) -> dict[str, IrAttribute]:
    """The entries of a dictionary."""
    found = ir.DictAttr(given)
    return {each.name: each.attr for each in (found[i] for i in range(len(found)))}
