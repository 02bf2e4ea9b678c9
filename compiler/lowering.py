"""From a graph to MLIR operations in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dxir.channels import separate_channels
from dxir.codecs import encode_any
from dxir.collecting import collection_paused
from dxir.diagnostics import Diagnostic, collecting
from dxir.emitter import PLANS, Emitter, create_operation, plan_of, rejection
from dxir.errors import DxirError, LoweringError
from dxir.expansions import expansion_key, kept_expansion
from dxir.graph import Function, Module, Node, Region, Value
from dxir.mlir import IrAttribute, IrValue, TypeCache, ir, make_context, shared_context
from dxir.op import Composite, Derived, composite_name, expansion
from dxir.reading import SHARDING, SHARDING_RULE
from dxir.sharding import DimSharding, Mesh, Sharding
from dxir.sharding_codec import encode_mesh, encode_sharding, encode_shardings
from dxir.sharding_rules import rule_on
from dxir.symbols import collect_meshes
from dxir.templates import Recorded, Template
from dxir.types import Dim, TensorType, Type

__all__ = ["Emitter", "IrValue", "lower_module"]

_MAX_EXPANSION_DEPTH = 64


class Lowering(Emitter):
    """The lowering of one module: nodes in order, expansions, composites, functions."""

    def __init__(self, types: TypeCache, *, checked: bool = False) -> None:
        super().__init__(types, checked=checked)
        self._meshes: dict[str, Mesh] = {}
        self._late_meshes: list[Mesh] = []
        self._held: list[Node] = []  # whose ids are keys: they must stay theirs

    def lower_nodes(self, region: Region) -> None:
        """Emit every node of the region, in order."""
        values = self._values
        known = self.types.locations
        for node in region.nodes:
            self._node = node
            if not self._fixed_location:
                found = known.get(node.location) if node.name is None else None
                self._location = found or self.types.location(node.location, node.name)
            operands = [values[v] for v in node.operands]
            plan = PLANS.get(node.__class__) or plan_of(node.__class__)
            results = plan.lower(self, node, operands)
            if node.sharding is not None or node.annotations:
                results = self._mark(node, operands, results)
            if len(results) == 1:
                values[node.results[0]] = results[0]
            else:
                values.update(zip(node.results, results, strict=True))

    def _mark(
        self, node: Node, operands: Sequence[IrValue], results: Sequence[IrValue]
    ) -> list[IrValue]:
        """Put the node's annotations and shardings on what it became; gives its results.

        A sharding goes on the operation whose results these are; where they come from several, or
        are the operands themselves, each gets a constraint of its own.
        """
        self._record = None  # what is added here is not in a record
        op = self._made(operands, results)
        if node.annotations and op is None:
            raise LoweringError(
                f"{node.op}: the annotations {sorted(node.annotations)} have no operation to go on",
                hint="the op is no single operation here; annotate an op that is one",
            )
        if op is not None:
            for name, value in (node.annotations or {}).items():
                op.attributes[name] = encode_any(value, self.types)
        if node.sharding is None:
            return list(results)
        if op is not None:
            op.attributes[SHARDING] = encode_shardings(_filled(node), self.types)
            return list(results)
        return [
            value if sharding is None else self._constrained(value, result.type, sharding)
            for value, result, sharding in zip(results, node.results, node.sharding, strict=True)
        ]

    def _made(self, operands: Sequence[IrValue], results: Sequence[IrValue]) -> Any:
        """The new operation whose results these are, all of them; None when there is none."""
        op: Any = results[0].owner if results else self._last
        if op is None or isinstance(op, ir.Block) or any(r.owner != op for r in results):
            return None
        return None if len(op.results) != len(results) or set(operands) & set(results) else op

    def _constrained(self, value: IrValue, type: Type, sharding: Sharding) -> IrValue:
        attributes = {"sharding": encode_sharding(sharding, self.types)}
        return self.emit("sdy.sharding_constraint", (value,), (type,), attributes)[0]

    def emit_region(self, region: Region, target: Any, terminator: str) -> None:
        types = [self.types.type(t) for t in region.param_types]
        block = target.blocks.append(*types, arg_locs=[self._location] * len(types))
        saved = self._insertion, self._location, self._node
        self._insertion = ir.InsertionPoint(block)
        for param, argument in zip(region.params, block.arguments, strict=True):
            self._values[param] = argument
        self.lower_nodes(region)
        self._location = saved[1]
        results = [self._values[r] for r in region.results]
        create_operation(terminator, operands=results, ip=self._insertion, loc=self._location)
        self._insertion, self._location, self._node = saved

    def inline(self, node: Derived, operands: Sequence[IrValue]) -> Sequence[IrValue]:
        """Emit what a derived node expands to, in its place."""
        if node.regions:
            return self.inline_function(node, expansion(node), operands)
        if self._careful:
            key = expansion_key(node)
        else:
            # A template is found by what the node holds, before it is compared by what that means.
            types = [id(v.type) for v in node.operands]
            held = (node.__class__, node.segments, *map(id, node.attrs.values()), *types)
            known = self._templates.get(held)
            if known is not None:
                return known.repeat(operands, self._location, self._insertion)
            key = expansion_key(node)
            known = self._templates.get(key)
            if known is not None:
                self._templates[held] = known
                self._held.append(node)
                return known.repeat(operands, self._location, self._insertion)
        function = self._expanded(node, key)
        if self._careful:
            return self.inline_function(node, function, operands)
        record: list[Recorded] = []
        self._record, self._recorded_at, self._careful = record, self._insertion, True
        try:
            results = self.inline_function(node, function, operands)
            complete = self._record_is(record)
        finally:
            self._record, self._careful = None, False
        template = Template.of(operands, record, results, self._location) if complete else None
        if template is not None:
            self._templates[key] = template
        return results

    def inline_function(
        self, node: Node, function: Function, operands: Sequence[IrValue]
    ) -> list[IrValue]:
        """Emit what `function` does, in place of `node`."""
        if self._depth >= _MAX_EXPANSION_DEPTH:
            raise LoweringError(
                f"{node.op}: ops that stand for others are nested more than "
                f"{_MAX_EXPANSION_DEPTH} deep",
                where=node.location,
                hint="nest fewer loops in each other; an op whose `expand` uses it never ends",
            )
        for param, operand in zip(function.params, operands, strict=True):
            self._values[param] = operand
        saved = self._fixed_location, self._node
        self._fixed_location = True
        self._depth += 1
        self.lower_nodes(function)
        self._depth -= 1
        self._fixed_location, self._node = saved
        return [self._values[r] for r in function.results]

    def outline(self, node: Composite, operands: Sequence[IrValue]) -> Sequence[IrValue]:
        if node.regions:
            raise LoweringError(f"{node.op}: a composite cannot hold regions", where=node.location)
        key = expansion_key(node)
        attributes = self._composites.get(key)
        if attributes is None:
            attributes = self._composites[key] = self._outlined(node, key)
        if self._careful or len(node.results) != 1:
            types = [r.type for r in node.results]
            return self.emit("stablehlo.composite", operands, types, attributes)
        type = (self.types.type(node.results[0].type),)
        rest = (attributes, None, 0, self._location, self._insertion)
        return (create_operation("stablehlo.composite", type, operands, *rest).result,)

    def _outlined(self, node: Composite, key: Any) -> dict[str, IrAttribute]:
        function = self._expanded(node, key)
        symbol = self.unique_symbol(composite_name(node.op))
        self._renamed[id(function)] = symbol
        self._pending.append(function)
        attributes = {k: v for k, v in node.attrs.items() if v is not None}
        if node.segments is not None:  # says which optional operands are there
            attributes["operand_segments"] = node.segments
        found = self.composite_attributes(composite_name(node.op), attributes, symbol, node.version)
        rule = node.sharding_rule()
        if rule is not None:
            known = rule_on(rule, function.param_types, function.result_types)
            found[SHARDING_RULE] = self.attribute("sharding_rule", known)
        return found

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
                self._emit_mesh(mesh, body)
            for function in module.functions:
                public = function.public or function is entry
                self._emit_function(function, self.symbol_of(function), public, body)
            while self._pending:
                function = self._pending.popleft()
                self._emit_function(function, self.symbol_of(function), False, body)
            if self._late_meshes:
                first = ir.InsertionPoint.at_block_begin(result.body)
                for mesh in self._late_meshes:
                    self._emit_mesh(mesh, first)
            if self.communicates:
                separate_channels(result)
        return result

    def _emit_mesh(self, mesh: Mesh, place: Any) -> None:
        attributes = {
            "sym_name": ir.StringAttr.get(mesh.name),
            "mesh": encode_mesh(mesh, self.types),
        }
        create_operation("sdy.mesh", attributes=attributes, ip=place)

    def _expanded(self, node: Derived, key: Any) -> Function:
        """The expansion of a node; meshes that only it uses come into the module with it."""
        function = kept_expansion(node, key)
        for mesh in collect_meshes([function], self._meshes.values()):
            if mesh.name not in self._meshes:
                self._meshes[mesh.name] = mesh
                self._late_meshes.append(mesh)
        return function

    @property
    def where(self) -> str | None:
        """The user's place of the node being lowered."""
        location = None if self._node is None else self._node.location
        return None if location is None else str(location)

    def failure(self, error: Exception, reported: Sequence[Diagnostic]) -> LoweringError:
        """The error for an exception of the bindings while the current node was lowered."""
        node = self._node
        text = next((d.message for d in reported if d.severity == "error"), str(error))
        return LoweringError(
            f"{'the module' if node is None else node.op}: cannot be lowered: {text}",
            where=None if node is None else node.location,
        )

    def _name_functions(self, module: Module, entry: Function | None) -> None:
        self._symbols |= {f.name for f in module.functions} | {m.name for m in module.meshes}
        self._renamed = {id(f): f.name for f in module.functions}
        self._meshes = {m.name: m for m in module.meshes}
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
        said = function.param_annotations
        said = list(map(_with_dims, function.params, said)) if public else said
        params = self._side_attributes(function.param_shardings, said)
        results = self._side_attributes(function.result_shardings, function.result_annotations)
        if params is not None:
            attributes["arg_attrs"] = params
        if results is not None:
            attributes["res_attrs"] = results
        for name, value in function.annotations.items():
            attributes[name] = encode_any(value, self.types)
        location = self.types.location(function.location)
        op = create_operation("func.func", attributes=attributes, regions=1, ip=body, loc=location)
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
        create_operation("func.return", operands=returned, ip=self._insertion, loc=location)

    def _side_attributes(
        self, shardings: Sequence[Sharding | None], annotations: Sequence[Mapping[str, Any]]
    ) -> IrAttribute | None:
        if not any(shardings) and not any(annotations):
            return None
        rows: list[IrAttribute] = []
        for sharding, extra in zip(shardings, annotations, strict=True):
            row = {k: encode_any(v, self.types) for k, v in extra.items()}
            if sharding is not None:
                row[SHARDING] = encode_sharding(sharding, self.types)
            rows.append(ir.DictAttr.get(row))
        return ir.ArrayAttr.get(rows)


def _with_dims(param: Value, said: dict[str, Any]) -> dict[str, Any]:
    """A parameter's annotations with the names of its dimensions: MLIR's types do not keep them."""
    shape = param.type.shape if isinstance(param.type, TensorType) else ()
    names = tuple([d.name if isinstance(d, Dim) and d.name != "?" else "" for d in shape])
    return {"dxir.dims": names, **said} if any(names) else said


def _filled(node: Node) -> list[Sharding]:
    """A sharding for each result: open everywhere where the node says nothing."""
    given = node.sharding or ()
    mesh = next(s.mesh for s in given if s is not None)
    found: list[Sharding] = []
    for sharding, result in zip(given, node.results, strict=True):
        rank = len(result.type.shape) if isinstance(result.type, TensorType) else 0
        found.append(sharding or Sharding(mesh, *[DimSharding(open=True)] * rank))
    return found


_MOST_SHARED_BYTES = 1 << 20


def _constant_bytes(module: Module) -> int:
    """The size of the constants of function bodies, splats aside."""
    arrays = [n.attrs["value"] for f in module.functions for n in f.nodes if n.op == "constant"]
    return sum([a.nbytes for a in arrays if any(a.strides)])


def lower_module(
    module: Module, *, entry: Function | None = None, verify: bool = True
) -> ir.Module:
    """The MLIR module of a graph, verified, in this thread's shared context.

    With large constants it gets a context of its own: a context keeps every attribute it ever
    held. `entry` becomes the public `@main`. Raises LoweringError at the user's line when MLIR's
    verifier rejects what a node became.
    """
    context = make_context() if _constant_bytes(module) > _MOST_SHARED_BYTES else shared_context()
    types = TypeCache.of(context)
    lowering = Lowering(types)
    reported: list[Diagnostic] = []
    try:
        with collecting(types.context) as reported, collection_paused():
            result = lowering.lower_module(module, entry)
    except DxirError as error:
        error.where = error.where or lowering.where
        raise
    except (ir.MLIRError, TypeError, ValueError, RuntimeError, LookupError) as error:
        raise lowering.failure(error, reported) from error
    if verify:
        found = rejection(result.operation, types.context)
        if found is not None:
            # Once more, verifying each operation, to find the node behind the error.
            Lowering(types, checked=True).lower_module(module, entry)
            raise LoweringError(
                f"MLIR's verifier rejects the module: {found.message}", where=found.where
            )
    return result
