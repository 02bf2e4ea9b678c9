"""From a graph to MLIR operations in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dxir.codecs import CODECS, encode_any
from dxir.errors import DxirError, LoweringError
from dxir.graph import Function, Module, Node, Region, Value
from dxir.mlir import (
    IrAttribute,
    IrOperation,
    IrType,
    IrValue,
    TypeCache,
    dense_elements,
    ir,
    shared_context,
)
from dxir.op import Composite, Derived, Op, Primitive, expansion
from dxir.sharding import DimSharding, Sharding
from dxir.sharding_codec import encode_mesh, encode_sharding, encode_shardings
from dxir.types import Dim, TensorType, Type, i32

__all__ = ["Emitter", "IrValue", "lower_module"]

_MAX_EXPANSION_DEPTH = 64
_create = ir.Operation.create


class _Plan:
    """What lowering needs to know about an op class, looked up once."""

    __slots__ = ("attributes", "broadcasts", "declared", "kind", "mlir")

    def __init__(self, cls: type[Node]) -> None:
        self.mlir: str | None = getattr(cls, "mlir", None)
        self.broadcasts: bool = getattr(cls, "broadcasts", False)
        self.kind = "primitive"
        if issubclass(cls, Composite):
            self.kind = "composite"
        elif issubclass(cls, Derived):
            self.kind = "derived"
        self.declared = issubclass(cls, Primitive) and cls.lower is Primitive.lower
        self.attributes: list[tuple[str, str, tuple[str, ...], bool]] = []
        if issubclass(cls, Primitive):
            self._describe(cls)

    def _describe(self, cls: type[Primitive]) -> None:
        packed = {name for _, names in cls.packed.values() for name in names}
        for field in cls.fields:
            if field.kind == "attribute" and field.codec and field.name not in packed:
                self.attributes.append((field.mlir or field.name, field.codec, (field.name,), False))
        for mlir, (codec, names) in cls.packed.items():
            self.attributes.append((mlir, codec, names, True))


_plans: dict[type[Node], _Plan] = {}


class Emitter:
    """Makes MLIR operations at the end of the block being filled.

    What an op's `lower` uses: `emit`, `emit_declared`, `constant`, `broadcast`, `attribute`,
    `type`. The location of the node being lowered goes on everything it emits.
    """

    def __init__(self, types: TypeCache, *, checked: bool = False) -> None:
        self.types = types
        self.context = types.context
        self._checked = checked
        self._values: dict[Value, IrValue] = {}
        self._attributes: dict[Any, IrAttribute] = {}
        self._expansions: dict[Any, Function] = {}
        self._decompositions: dict[Any, str] = {}
        self._pending: list[Function] = []
        self._symbols: set[str] = set()
        self._renamed: dict[int, str] = {}
        self._insertion: Any = None
        self._location: Any = types.unknown
        self._fixed_location = False
        self._depth = 0
        self._node: Node | None = None

    def type(self, type: Type) -> IrType:
        """The MLIR type of a dxir type."""
        return self.types.type(type)

    def attribute(self, codec: str, value: Any) -> IrAttribute:
        """The MLIR attribute of a value, by the codec's name."""
        try:
            key = (codec, value)
            found = self._attributes.get(key)
        except TypeError:
            return CODECS[codec].encode(value, self.types)
        if found is None:
            # 1, 1.0 and True are one key, so values inside dictionaries are never cached.
            found = CODECS[codec].encode(value, self.types)
            if codec != "any":
                self._attributes[key] = found
        return found

    def emit(
        self,
        name: str,
        operands: Sequence[IrValue],
        types: Sequence[Type],
        attributes: Mapping[str, IrAttribute] | None = None,
        regions: Sequence[Region] = (),
        terminator: str = "stablehlo.return",
    ) -> list[IrValue]:
        """Make an operation; gives its results."""
        cache = self.types
        op = _create(
            name,
            results=[cache.type(t) for t in types],
            operands=operands,
            attributes=attributes,
            regions=len(regions),
            ip=self._insertion,
            loc=self._location,
        )
        if regions:
            for region, block_region in zip(regions, op.regions, strict=True):
                self._emit_region(region, block_region, terminator)
        if self._checked:
            self._check(op)
        return list(op.results)

    def emit_declared(self, node: Op, operands: Sequence[IrValue]) -> list[IrValue]:
        """Make the operation that the node's class declares with `mlir=` and codecs."""
        plan = _plans[node.__class__]
        assert plan.mlir is not None, f"{node.op} declares no MLIR operation and no `lower`"
        attributes = self.declared_attributes(node)
        types = [r.type for r in node.results]
        return self.emit(plan.mlir, operands, types, attributes, node.regions)

    def declared_attributes(self, node: Node) -> dict[str, IrAttribute]:
        """The MLIR attributes of the node's declared fields; absent ones are left out."""
        attrs = node.attrs
        attributes: dict[str, IrAttribute] = {}
        for mlir, codec, names, packed in _plans[node.__class__].attributes:
            value = tuple([attrs[n] for n in names]) if packed else attrs[names[0]]
            if value is not None:
                attributes[mlir] = self.attribute(codec, value)
        return attributes

    def constant(self, array: Any, type: TensorType) -> IrValue:
        """A `stablehlo.constant` of the array (all strides 0: a splat)."""
        if type.size and not any(array.strides):
            key = ("elements", type, array.reshape(-1)[:1].tobytes())
            attribute = self._attributes.get(key)
            if attribute is None:
                attribute = self._attributes[key] = dense_elements(array, type, self.types)
        else:
            attribute = dense_elements(array, type, self.types)
        return self.emit("stablehlo.constant", (), (type,), {"value": attribute})[0]

    def broadcast(self, value: IrValue, source: TensorType, target: TensorType) -> IrValue:
        """`value` stretched to the target's static shape, aligned on the right."""
        offset = target.rank - source.rank
        dims = self.attribute("i64_array", tuple(range(offset, target.rank)))
        return self.emit(
            "stablehlo.broadcast_in_dim", (value,), (target,), {"broadcast_dimensions": dims}
        )[0]

    def shape_of(self, shape: Sequence[Any], sources: Mapping[Dim, tuple[IrValue, int]]) -> IrValue:
        """A shape as an `i32[rank]` value; `sources` says whose dimension each dynamic one is."""
        import numpy as np

        parts: list[IrValue] = []
        for size in shape:
            if isinstance(size, int):
                parts.append(self.constant(np.array([size], np.int32), i32[1]))
                continue
            value, axis = sources[size]
            scalar = self.emit(
                "stablehlo.get_dimension_size",
                (value,),
                (i32[()],),
                {"dimension": self.attribute("i64", axis)},
            )
            parts += self.emit("stablehlo.reshape", scalar, (i32[1],))
        return self.emit(
            "stablehlo.concatenate",
            parts,
            (i32[len(parts)],),
            {"dimension": self.attribute("i64", 0)},
        )[0]

    def _broadcast_operands(self, node: Node, operands: list[IrValue]) -> None:
        target = node.results[0].tensor
        shape = target.shape
        for i, value in enumerate(node.operands):
            source = value.tensor
            if source.shape is shape or source.shape == shape:
                continue
            stretched = TensorType(shape, source.dtype)
            if stretched.is_static:
                operands[i] = self.broadcast(operands[i], source, stretched)
            else:
                operands[i] = self._dynamic_broadcast(node, operands, i, stretched)

    def _dynamic_broadcast(
        self, node: Node, operands: list[IrValue], position: int, target: TensorType
    ) -> IrValue:
        sources: dict[Dim, tuple[IrValue, int]] = {}
        for value, operand in zip(node.operands, operands, strict=True):
            for axis, dim in enumerate(value.tensor.shape):
                if isinstance(dim, Dim):
                    sources.setdefault(dim, (operand, axis))
        shape = self.shape_of(target.shape, sources)
        offset = target.rank - node.operands[position].tensor.rank
        dims = self.attribute("i64_array", tuple(range(offset, target.rank)))
        return self.emit(
            "stablehlo.dynamic_broadcast_in_dim",
            (operands[position], shape),
            (target,),
            {"broadcast_dimensions": dims},
        )[0]

    def lower_nodes(self, region: Region) -> None:
        """Emit every node of the region, in order."""
        values = self._values
        for node in region.nodes:
            cls = node.__class__
            plan = _plans.get(cls)
            if plan is None:
                plan = _plans[cls] = _Plan(cls)
            self._node = node
            if not self._fixed_location:
                self._location = self.types.location(node.location, node.name)
            operands = [values[v] for v in node.operands]
            if plan.kind == "primitive":
                if plan.broadcasts:
                    self._broadcast_operands(node, operands)
                if plan.declared:
                    results: Any = self.emit_declared(node, operands)  # type: ignore[arg-type]
                else:
                    results = node.lower(self, *operands)  # type: ignore[attr-defined]
                    if not isinstance(results, (list, tuple)):
                        results = (results,)
            elif plan.kind == "composite":
                results = self._composite(node, operands)  # type: ignore[arg-type]
            else:
                results = self._inline(node, operands)  # type: ignore[arg-type]
            if node.sharding is not None or node.annotations:
                self._mark(node, results)
            for value, result in zip(node.results, results, strict=True):
                values[value] = result

    def _mark(self, node: Node, results: Sequence[IrValue]) -> None:
        owners = {id(r.owner): r.owner for r in results}
        if len(owners) != 1:
            return
        op: Any = results[0].owner
        for name, value in (node.annotations or {}).items():
            op.attributes[name] = encode_any(value, self.types)
        if node.sharding is not None:
            mesh = next(s.mesh for s in node.sharding if s is not None)
            filled = [
                s or Sharding(mesh, *[DimSharding(open=True)] * r.rank)
                for s, r in zip(node.sharding, node.results, strict=True)
            ]
            op.attributes["sdy.sharding"] = encode_shardings(filled, self.types)

    def _emit_region(self, region: Region, target: Any, terminator: str) -> None:
        types = [self.types.type(t) for t in region.param_types]
        block = target.blocks.append(*types, arg_locs=[self._location] * len(types))
        saved = self._insertion, self._location, self._node
        self._insertion = ir.InsertionPoint(block)
        for param, argument in zip(region.params, block.arguments, strict=True):
            self._values[param] = argument
        self.lower_nodes(region)
        self._location = saved[1]
        results = [self._values[r] for r in region.results]
        _create(terminator, operands=results, ip=self._insertion, loc=self._location)
        self._insertion, self._location, self._node = saved

    def _expansion(self, node: Derived, key: Any) -> Function:
        found = self._expansions.get(key)
        if found is None:
            found = expansion(node)
            self._expansions[key] = found
        return found

    def _inline(self, node: Derived, operands: Sequence[IrValue]) -> list[IrValue]:
        function = self._expansion(node, _key(node)) if not node.regions else expansion(node)
        if self._depth >= _MAX_EXPANSION_DEPTH:
            raise LoweringError(f"{node.op} expands into itself", where=node.location)
        for param, operand in zip(function.params, operands, strict=True):
            self._values[param] = operand
        saved = self._fixed_location, self._node
        self._fixed_location = True
        self._depth += 1
        self.lower_nodes(function)
        self._depth -= 1
        self._fixed_location, self._node = saved
        return [self._values[r] for r in function.results]

    def _composite(self, node: Composite, operands: Sequence[IrValue]) -> list[IrValue]:
        if node.regions:
            raise LoweringError(f"{node.op}: a composite cannot hold regions", where=node.location)
        key = _key(node)
        symbol = self._decompositions.get(key)
        if symbol is None:
            function = self._expansion(node, key)
            symbol = self.unique_symbol(f"dxir.{node.op}")
            self._renamed[id(function)] = symbol
            self._decompositions[key] = symbol
            self._pending.append(function)
        return self.emit_composite(
            f"dxir.{node.op}",
            operands,
            [r.type for r in node.results],
            {k: v for k, v in node.attrs.items() if v is not None},
            symbol,
            node.version,
        )

    def emit_composite(
        self,
        name: str,
        operands: Sequence[IrValue],
        types: Sequence[Type],
        attributes: Mapping[str, Any],
        symbol: str,
        version: int,
    ) -> list[IrValue]:
        """Make a `stablehlo.composite` whose decomposition is the function `symbol`."""
        values = {
            "name": self.attribute("string", name),
            "decomposition": ir.FlatSymbolRefAttr.get(symbol, self.context),
            "version": self.attribute("i32", version),
        }
        if attributes:
            values["composite_attributes"] = encode_any(attributes, self.types)
        return self.emit("stablehlo.composite", operands, types, values)

    def symbol_of(self, function: Function) -> str:
        """The symbol of a function of the module."""
        return self._renamed.get(id(function), function.name)

    def unique_symbol(self, wanted: str) -> str:
        """A symbol nobody has yet."""
        name, count = wanted, 0
        while name in self._symbols:
            count += 1
            name = f"{wanted}_{count}"
        self._symbols.add(name)
        return name

    def _check(self, op: IrOperation) -> None:
        node = self._node
        try:
            op.verify()
        except ir.MLIRError as error:
            what = node.op if node is not None else op.name
            raise LoweringError(
                f"{what}: MLIR's verifier rejects {op.name}: {_first_message(error)}",
                where=None if node is None else node.location,
                hint="dxir's own checks let this through; the operand types are "
                + ", ".join(str(o.type) for o in op.operands),
            ) from None

    def lower_module(self, module: Module, entry: Function | None) -> ir.Module:
        """Emit meshes, functions and the decompositions they need."""
        with self.context, self.types.unknown:
            result = ir.Module.create()
            body = ir.InsertionPoint(result.body)
            if module.name:
                result.operation.attributes["sym_name"] = ir.StringAttr.get(module.name)
            for name, value in module.annotations.items():
                result.operation.attributes[name] = encode_any(value, self.types)
            self._name_functions(module, entry)
            for mesh in module.meshes:
                attributes = {
                    "sym_name": ir.StringAttr.get(mesh.name),
                    "mesh": encode_mesh(mesh, self.types),
                }
                _create("sdy.mesh", attributes=attributes, ip=body)
            for function in module.functions:
                public = function.public or function is entry
                self._emit_function(function, self.symbol_of(function), public, body)
            while self._pending:
                function = self._pending.pop(0)
                self._emit_function(function, self.symbol_of(function), False, body)
        return result

    def _name_functions(self, module: Module, entry: Function | None) -> None:
        self._symbols |= {f.name for f in module.functions} | {m.name for m in module.meshes}
        if entry is None or entry.name == "main":
            return
        if "main" in self._symbols:
            raise LoweringError(
                f"{entry.name!r} cannot become the entry @main: that name is taken",
                where=entry.location,
            )
        self._symbols.add("main")
        self._renamed[id(entry)] = "main"

    def _emit_function(self, function: Function, symbol: str, public: bool, body: Any) -> None:
        inputs = [self.types.type(t) for t in function.param_types]
        outputs = [self.types.type(t) for t in function.result_types]
        attributes: dict[str, IrAttribute] = {
            "sym_name": ir.StringAttr.get(symbol),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs)),
            "sym_visibility": ir.StringAttr.get("public" if public else "private"),
        }
        params = self._side_attributes(function.param_shardings, function.param_annotations)
        results = self._side_attributes(function.result_shardings, function.result_annotations)
        if params is not None:
            attributes["arg_attrs"] = params
        if results is not None:
            attributes["res_attrs"] = results
        for name, value in function.annotations.items():
            attributes[name] = encode_any(value, self.types)
        location = self.types.location(function.location)
        op = _create("func.func", attributes=attributes, regions=1, ip=body, loc=location)
        if function.is_declaration:
            return
        locations = [
            self.types.location(w, p.name)
            for p, w in zip(function.params, function.param_locations, strict=True)
        ]
        block = op.regions[0].blocks.append(*inputs, arg_locs=locations)
        for param, argument in zip(function.params, block.arguments, strict=True):
            self._values[param] = argument
        self._insertion = ir.InsertionPoint(block)
        self.lower_nodes(function)
        returned = [self._values[r] for r in function.results]
        _create("func.return", operands=returned, ip=self._insertion, loc=location)

    def _side_attributes(
        self, shardings: Sequence[Sharding | None], annotations: Sequence[Mapping[str, Any]]
    ) -> IrAttribute | None:
        if not any(shardings) and not any(annotations):
            return None
        rows: list[IrAttribute] = []
        for sharding, extra in zip(shardings, annotations, strict=True):
            row = {k: encode_any(v, self.types) for k, v in extra.items()}
            if sharding is not None:
                row["sdy.sharding"] = encode_sharding(sharding, self.types)
            rows.append(ir.DictAttr.get(row))
        return ir.ArrayAttr.get(rows)


def _key(node: Derived) -> Any:
    types = tuple([v.type for v in node.operands])
    return (
        node.__class__,
        types,
        node.segments,
        tuple([(k, v, v.__class__) for k, v in node.attrs.items()]),
    )


def _first_message(error: Any) -> str:
    diagnostics = error.error_diagnostics
    return str(diagnostics[0].message) if diagnostics else str(error)


def lower_module(
    module: Module, *, entry: Function | None = None, verify: bool = True
) -> ir.Module:
    """The MLIR module of a graph, in this thread's shared context, verified.

    `entry` becomes the public `@main`. Raises LoweringError at the user's line when MLIR's
    verifier rejects what a node became.
    """
    types = TypeCache.of(shared_context())
    result = Emitter(types).lower_module(module, entry)
    if verify:
        try:
            result.operation.verify()
        except ir.MLIRError as error:
            _blame(module, entry, types, error)
    return result


def _blame(module: Module, entry: Function | None, types: TypeCache, error: Any) -> None:
    """Lower once more, verifying each operation, to find the node behind a verifier error."""
    Emitter(types, checked=True).lower_module(module, entry)
    raise LoweringError(
        f"MLIR's verifier rejects the module: {_first_message(error)}",
        where=next((str(d.location) for d in error.error_diagnostics), None),
    ) from None
