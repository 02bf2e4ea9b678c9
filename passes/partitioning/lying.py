"""How the values of a module lie: the sharding of each, wherever it is said."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mesh_layout import local_shape
from dxir.mlir import IrLocation, IrOperation, IrType, IrValue, ir, sdy
from dxir.passes.partitioning.given import Meshes
from dxir.reading import attribute, function_name, functions, has_body, signature, symbol, walk
from dxir.sharding import DimSharding, Mesh, Sharding

MANUAL = "sdy.manual_computation"
_LOOPS = frozenset({"stablehlo.while"})


class Lying:
    """The sharding of every value of a module that has one; of others, None: all devices have it.

    Inside of a manual computation shardings are over the free axes, of the parts that the manual
    ones leave.
    """

    def __init__(self, module: ir.Module) -> None:
        self.meshes = Meshes(module)
        self.functions = {function_name(f): f for f in functions(module)}
        self.known: dict[IrValue, Sharding] = {}
        for function in self.functions.values():
            if has_body(function):
                arguments = list(function.regions[0].blocks[0].arguments)
                self._note(arguments, self.parameters(function))
        walk(module, self._visit)

    def parameters(self, function: IrOperation) -> list[Sharding | None]:
        """How the parameters of a function lie."""
        return self.meshes.of_function(function, "arg_attrs", len(signature(function).inputs))

    def results(self, function: IrOperation) -> list[Sharding | None]:
        """How the results of a function lie."""
        return self.meshes.of_function(function, "res_attrs", len(signature(function).results))

    def of(self, value: IrValue) -> Sharding | None:
        """How a value lies; None where every device has all of it."""
        return self.known.get(value)

    def mesh(self) -> Mesh | None:
        """The mesh of the module; PassError where several differ."""
        found = [m for m in self.meshes.named.values() if m.size > 1 and not m.is_single_device]
        used = {s.mesh.name for s in self.known.values()}
        found = [m for m in found if m.name in used] or found[:1]
        for mesh in found[1:]:
            if (mesh.axes, mesh.device_ids) != (found[0].axes, found[0].device_ids):
                raise PassError(
                    f"the meshes @{found[0].name} and @{mesh.name} have other axes, or other "
                    "devices",
                    hint="a program is partitioned over one mesh: state all shardings on that",
                )
        return found[0] if found else None

    def _note(self, values: Sequence[IrValue], shardings: Sequence[Sharding | None]) -> None:
        for value, sharding in zip(values, shardings, strict=False):
            if sharding is not None:
                self.known[value] = sharding

    def _visit(self, op: IrOperation) -> None:
        if op.name == "func.func":
            return
        said: Sequence[Sharding | None] = self.meshes.of_results(op)
        if not said and op.name == "func.call":
            callee = self.functions.get(symbol(op, "callee") or "")
            said = [] if callee is None else self.results(callee)
        self._note(list(op.results), said)
        if op.name in _LOOPS:
            for region in op.regions:
                self._note(list(region.blocks[0].arguments), said)
        elif op.name == MANUAL:
            manual = manual_axes(op)
            shardings = self.meshes.per_value(attribute(op, "in_shardings"))
            self._note(
                list(op.regions[0].blocks[0].arguments), [free_part(s, manual) for s in shardings]
            )
        elif op.name == "sdy.named_computation":
            shardings = self.meshes.per_value(attribute(op, "in_shardings"))
            self._note(list(op.regions[0].blocks[0].arguments), shardings)


def alike(a: Sharding | None, b: Sharding | None) -> bool:
    """Whether values lie the same way under two shardings; None is for all on every device."""
    return _axes(a) == _axes(b)


def _axes(sharding: Sharding | None) -> tuple[object, ...]:
    """The axes that split each dimension, and those along which there are terms."""
    if sharding is None:
        return ()
    dims = [tuple(a for a in d.axes if a.size(sharding.mesh) > 1) for d in sharding.dims]
    if not any(dims) and not sharding.unreduced:
        return ()
    return (*dims, sharding.unreduced)


def manual_axes(op: IrOperation) -> tuple[str, ...]:
    """The axes of a manual computation that its body is written for one device of."""
    axes = sdy.ManualAxesAttr(op.attributes["manual_axes"])
    return tuple(str(axes[i]) for i in range(len(axes)))


def free_part(sharding: Sharding, manual: Sequence[str]) -> Sharding:
    """A sharding without its manual axes."""
    dims = [
        DimSharding(tuple(a for a in dim.axes if a.name not in manual)) for dim in sharding.dims
    ]
    return Sharding(sharding.mesh, *dims)


def local_type(type: IrType, sharding: Sharding | None, location: IrLocation) -> IrType:
    """The type of a device's part; where it does not divide, of the largest one."""
    if sharding is None or not isinstance(type, ir.RankedTensorType) or not sharding.dims:
        return type
    shape = [None if type.is_dynamic_dim(i) else type.shape[i] for i in range(type.rank)]
    for i, (size, dim) in enumerate(zip(shape, sharding.dims, strict=True)):
        if size is None and dim.size(sharding.mesh) > 1:
            raise PassError(
                f"dimension {i} of {type} has no known size, and is split over {dim}",
                where=where_of(location),
                hint="dxir-specialize makes sizes known",
            )
    sizes = local_shape([0 if s is None else s for s in shape], sharding)
    local = [
        ir.ShapedType.get_dynamic_size() if old is None else int(str(new))
        for old, new in zip(shape, sizes, strict=True)
    ]
    return with_shape(type, local, location)


def with_shape(type: IrType, shape: Sequence[int], location: IrLocation) -> ir.RankedTensorType:
    """The type with another shape."""
    tensor = ir.RankedTensorType(type)
    return ir.RankedTensorType.get(list(shape), tensor.element_type, tensor.encoding, loc=location)
