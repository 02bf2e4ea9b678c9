"""Making MLIR operations: what the `lower` of an op uses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.codecs import CODECS, encode_any
from dxir.diagnostics import Diagnostic, collecting
from dxir.errors import LoweringError
from dxir.graph import Function, Node, Region, Value
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, TypeCache, dense_elements, ir
from dxir.op import Composite, Derived, Op, Primitive
from dxir.templates import Recorded, Template
from dxir.types import UNKNOWN, TensorType, Type, i32, same_shape

if TYPE_CHECKING:
    from dxir.dialects.elementwise import Elementwise

create_operation = ir.Operation.create


class Plan:
    """What lowering needs to know about an op class, worked out once.

    `lower(emitter, node, operands)` emits a node; `attributes` lists (MLIR name, codec, fields,
    whether one MLIR attribute packs several fields).
    """

    __slots__ = ("attributes", "broadcasts", "declared", "lower", "mlir")

    def __init__(self, cls: Any) -> None:
        self.mlir: str | None = cls.mlir
        self.broadcasts: bool = cls.broadcasts
        self.declared = issubclass(cls, Primitive) and cls.lower is Primitive.lower
        self.attributes: list[tuple[str, str, tuple[str, ...], bool]] = []
        self.lower: Callable[[Any, Any, list[IrValue]], Sequence[IrValue]]
        if issubclass(cls, Composite):
            self.lower = _lower_composite
        elif issubclass(cls, Derived):
            self.lower = _lower_derived
        else:
            self._describe(cls)
            if self.declared:
                self.lower = _declared_lowering(self)
            else:
                self.lower = _lower_broadcasting if cls.broadcasts else _lower_by_itself

    def _describe(self, cls: type[Primitive]) -> None:
        packed = {name for _, names in cls.packed.values() for name in names}
        for field in cls.fields:
            if field.kind == "attribute" and field.codec and field.name not in packed:
                row = (field.mlir or field.name, field.codec, (field.name,), False)
                self.attributes.append(row)
        for mlir, (codec, names) in cls.packed.items():
            self.attributes.append((mlir, codec, names, True))


def _declared_lowering(plan: Plan) -> Callable[[Any, Any, list[IrValue]], Sequence[IrValue]]:
    """The lowering of the ops that are one operation: most of any graph, so no call is wasted."""
    broadcasts, mlir = plan.broadcasts, plan.mlir
    has_attributes = bool(plan.attributes)
    assert mlir is not None, "an op declares no MLIR operation and no `lower`"

    def lower(e: Any, node: Any, operands: list[IrValue]) -> Sequence[IrValue]:
        results = node.results
        if e._careful or len(results) != 1 or node.regions:
            if broadcasts:
                e.broadcast_operands(node, operands)
            emitted: Sequence[IrValue] = e.emit_declared(node, operands)
            return emitted
        type = results[0].type
        if broadcasts:
            for value in node.operands:
                if value.type is not type:
                    e.broadcast_operands(node, operands)
                    break
        known = e._known_types.get(id(type))
        return (
            create_operation(
                mlir,
                (e.types.type(type) if known is None else known[1],),
                operands,
                e.declared_attributes(node) if has_attributes else None,
                None,
                0,
                e._location,
                e._insertion,
            ).result,
        )

    return lower


def _lower_by_itself(e: Any, node: Any, operands: list[IrValue]) -> Sequence[IrValue]:
    results = node.lower(e, *operands)
    return results if isinstance(results, (list, tuple)) else (results,)


def _lower_broadcasting(e: Any, node: Any, operands: list[IrValue]) -> Sequence[IrValue]:
    e.broadcast_operands(node, operands)
    return _lower_by_itself(e, node, operands)


def _lower_composite(e: Any, node: Any, operands: list[IrValue]) -> Sequence[IrValue]:
    results: Sequence[IrValue] = e.outline(node, operands)
    return results


def _lower_derived(e: Any, node: Any, operands: list[IrValue]) -> Sequence[IrValue]:
    results: Sequence[IrValue] = e.inline(node, operands)
    return results


PLANS: dict[type[Node], Plan] = {}


def plan_of(cls: type[Node]) -> Plan:
    """The plan of an op class, made once."""
    found = PLANS.get(cls)
    if found is None:
        found = PLANS[cls] = Plan(cls)
    return found


class Emitter:
    """Makes MLIR operations at the end of the block being filled.

    What an op's `lower` uses: `emit`, `emit_declared`, `constant`, `broadcast`, `attribute`,
    `type`. The location of the node being lowered goes on everything it emits.
    """

    def __init__(self, types: TypeCache, *, checked: bool = False) -> None:
        self.types = types
        self.context = types.context
        self._known_types = types.by_identity
        self._checked = checked
        self._careful = checked  # every operation goes through `emit`
        self._record: list[Recorded] | None = None
        self._recorded_at: Any = None
        self._values: dict[Value, IrValue] = {}
        self._attributes: dict[Any, IrAttribute] = {}
        self._shared: dict[Any, dict[str, IrAttribute]] = {}
        self._templates: dict[Any, Template] = {}
        self._composites: dict[Any, dict[str, IrAttribute]] = {}
        self._pending: deque[Function] = deque()
        self._symbols: set[str] = set()
        self._uses: dict[str, int] = {}
        self._renamed: dict[int, str] = {}
        self._insertion: Any = None
        self._location: Any = types.unknown
        self._fixed_location = False
        self._depth = 0
        self._last: IrOperation | None = None
        self._node: Node | None = None

    def type(self, type: Type) -> IrType:
        """The MLIR type of a dxir type."""
        return self.types.type(type)

    def attribute(self, codec: str, value: Any) -> IrAttribute:
        """The MLIR attribute of a value, by the codec's name."""
        try:
            key = (codec, repr(value) if value.__class__ is float else value)  # 0.0 is not -0.0
            found = self._attributes.get(key)
        except TypeError:
            return CODECS[codec].encode(value, self.types)
        if found is None:
            # 1, 1.0 and True are one key, so values inside dictionaries are never cached.
            found = CODECS[codec].encode(value, self.types)
            if codec != "any":
                self._attributes[key] = found
        return found

    @property
    def communicates(self) -> bool:
        """Whether any operation so far has a channel."""
        return any(key[0] == "channel_handle" for key in self._attributes)

    def emit(
        self,
        name: str,
        operands: Sequence[IrValue],
        types: Sequence[Type],
        attributes: dict[str, IrAttribute] | None = None,
        regions: Sequence[Region] = (),
        terminator: str = "stablehlo.return",
    ) -> list[IrValue]:
        """Make an operation; gives its results."""
        type = self.types.type
        ir_types = [type(t) for t in types]
        place = self._location, self._insertion
        op = create_operation(name, ir_types, operands, attributes, None, len(regions), *place)
        if regions:
            for region, block_region in zip(regions, op.regions, strict=True):
                self.emit_region(region, block_region, terminator)
        if self._checked:
            self._check(op)
        self._last = op
        results: list[IrValue] = list(op.results)
        if self._record is not None and self._insertion is self._recorded_at:
            kept = op if regions else None
            made = Recorded(name, ir_types, operands, attributes, results, kept)
            self._record.append(made)
        return results

    def _record_is(self, record: list[Recorded]) -> bool:
        """Whether everything since went into `record`: marking a node gives it up."""
        return self._record is record

    def emit_declared(self, node: Op, operands: Sequence[IrValue]) -> Sequence[IrValue]:
        """Make the operation that the node's class declares with `mlir=` and codecs."""
        plan = PLANS.get(node.__class__) or plan_of(node.__class__)
        assert plan.mlir is not None, f"{node.op} declares no MLIR operation and no `lower`"
        types = [r.type for r in node.results]
        declared = self.declared_attributes(node) if plan.attributes else None
        return self.emit(plan.mlir, operands, types, declared, node.regions, node.terminator)

    def declared_attributes(self, node: Node) -> dict[str, IrAttribute]:
        """The MLIR attributes of the node's declared fields; absent ones are left out."""
        attrs = node.attrs
        attributes: dict[str, IrAttribute] = {}
        for mlir, codec, names, packed in PLANS[node.__class__].attributes:
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
        rank = len(target.shape)
        key = ("aligned", rank - len(source.shape), rank)
        attributes = self._shared.get(key)
        if attributes is None:
            dims = self.attribute("i64_array", tuple(range(key[1], rank)))
            attributes = self._shared[key] = {"broadcast_dimensions": dims}
        return self.emit("stablehlo.broadcast_in_dim", (value,), (target,), attributes)[0]

    def shape_of(self, sizes: Sequence[int | tuple[IrValue, int]]) -> IrValue:
        """A shape as an `i32[rank]` value; a size is a number, or an axis of a value."""
        parts: list[IrValue] = []
        for size in sizes:
            if isinstance(size, int):
                parts.append(self.constant(np.array([size], np.int32), i32[1]))
                continue
            value, axis = size
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

    def broadcast_operands(self, node: Elementwise, operands: list[IrValue]) -> None:
        """Stretch the operands of an elementwise node to the shape of its result."""
        target: Any = node.results[0].type
        shape = target.shape
        static = _is_static(shape)
        given = operands if static else tuple(operands)
        for i, value in enumerate(node.operands):
            source: Any = value.type
            if source is target or source.shape == shape:
                continue
            if not source.shape and i in node.scalars:
                continue
            same = source.dtype is target.dtype
            stretched = target if same else TensorType(shape, source.dtype)
            if static and _is_static(source.shape):
                operands[i] = self.broadcast(operands[i], source, stretched)
            elif _fits(source.shape, shape):
                continue
            elif static:
                operands[i] = self.broadcast(operands[i], source, stretched)
            else:
                operands[i] = self._dynamic_broadcast(node, given, i, stretched)

    def _dynamic_broadcast(
        self, node: Node, operands: Sequence[IrValue], position: int, target: TensorType
    ) -> IrValue:
        sizes: list[int | tuple[IrValue, int]] = []
        for axis, size in enumerate(target.shape):
            found: int | tuple[IrValue, int] | None = size if isinstance(size, int) else None
            for value, operand in zip(node.operands, operands, strict=True):
                place = axis - target.rank + value.tensor.rank
                if place < 0 or isinstance(value.tensor.shape[place], int):
                    continue
                if found is None or value.tensor.shape[place] == size != UNKNOWN:
                    found = (operand, place)
            assert found is not None, "a dynamic size of the result is one of an operand"
            sizes.append(found)
        shape = self.shape_of(sizes)
        offset = target.rank - node.operands[position].tensor.rank
        dims = self.attribute("i64_array", tuple(range(offset, target.rank)))
        return self.emit(
            "stablehlo.dynamic_broadcast_in_dim",
            (operands[position], shape),
            (target,),
            {"broadcast_dimensions": dims},
        )[0]

    def composite_attributes(
        self, name: str, attributes: Mapping[str, Any], symbol: str, version: int
    ) -> dict[str, IrAttribute]:
        """The attributes of a `stablehlo.composite` decomposed by the function `symbol`."""
        values = {
            "name": self.attribute("string", name),
            "decomposition": ir.FlatSymbolRefAttr.get(symbol, self.context),
            "version": self.attribute("i32", version),
        }
        if attributes:
            values["composite_attributes"] = encode_any(attributes, self.types)
        return values

    def symbol_of(self, function: Function) -> str:
        """The symbol of a function: one of the module, or one that only an expansion calls."""
        symbol = self._renamed.get(id(function))
        if symbol is None:
            symbol = self._renamed[id(function)] = self.unique_symbol(function.name)
            self._pending.append(function)
        return symbol

    def unique_symbol(self, wanted: str) -> str:
        """A symbol nobody has yet."""
        name, count = wanted, self._uses.get(wanted, 0)
        while name in self._symbols:
            count += 1
            name = f"{wanted}_{count}"
        self._uses[wanted] = count
        self._symbols.add(name)
        return name

    def inline_function(
        self, node: Node, function: Function, operands: Sequence[IrValue]
    ) -> list[IrValue]:
        """Emit what `function` does in place of `node`; defined by the lowering of whole graphs."""
        raise LoweringError("functions need the lowering of a graph")

    def emit_region(self, region: Region, target: Any, terminator: str) -> None:
        """Fill an operation's region; defined by the lowering of whole graphs."""
        raise LoweringError("regions need the lowering of a graph")

    def _check(self, op: IrOperation) -> None:
        node = self._node
        found = rejection(op, self.context)
        if found is not None:
            what = node.op if node is not None else op.name
            raise LoweringError(
                f"{what}: MLIR's verifier rejects {op.name}: {found.message}",
                where=None if node is None else node.location,
                hint="dxir's own checks let this through; the operand types are "
                + ", ".join(str(o.type) for o in op.operands),
            )


def _is_static(shape: Sequence[Any]) -> bool:
    return {*map(type, shape)} <= {int}


def _fits(source: Sequence[Any], target: Sequence[Any]) -> bool:
    """Whether shapes that differ in `?` only are meant: nothing stretches but size 1."""
    return same_shape(source, target) and all(
        s == t or s != 1 for s, t in zip(source, target, strict=True)
    )


def rejection(op: Any, context: ir.Context) -> Diagnostic | None:
    """The first error of MLIR's verifier about an operation; None when there is none."""
    with collecting(context) as found:
        try:
            op.verify()
        except ir.MLIRError as error:
            return next(
                (d for d in found if d.severity == "error"), Diagnostic("error", str(error))
            )
    return None
