"""From MLIR operations back to a graph: modules of any producer become Dxir."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from dxir import ops
from dxir.collecting import collection_paused
from dxir.composites import Candidate, recompose
from dxir.decoding import AttributeText, Decoder, entry, keys
from dxir.emitter import plan_of
from dxir.errors import DxirError, RaisingError
from dxir.graph import Function, Module, Node, Region, Value
from dxir.mlir import IrOperation, IrValue, ir
from dxir.op import REGISTRY, Op, Primitive, make
from dxir.reading import SHARDING, function_name, is_public, signature
from dxir.resources import blobs_of
from dxir.sharding import Sharding
from dxir.sharding_codec import decode_mesh

_MAX_DEPTH = 200
_TERMINATORS = frozenset({"func.return", "stablehlo.return", "sdy.return"})
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
_OF_FUNCTION = frozenset({"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"})
_HINTS = {
    "shape": "run func.func(shape-legalize-to-stablehlo) first",
    "vhlo": "run vhlo-to-version{target=current},vhlo-legalize-to-stablehlo first",
    "mhlo": "run hlo-legalize-to-stablehlo first",
}
_LEGALIZE = "legalize it with the tool that made it; dxir raises stablehlo, chlo, sdy and func"


class HasModule(Protocol):
    """A program: what holds an MLIR module."""

    @property
    def module(self) -> ir.Module:
        """The module."""
        ...


class Kind:
    """How the operations of one MLIR name become nodes of one class, worked out once."""

    __slots__ = (
        "attributes",
        "cls",
        "defaults",
        "from_types",
        "has_regions",
        "operands",
        "required",
    )

    def __init__(self, cls: type[Primitive]) -> None:
        self.cls = cls
        self.attributes = {
            mlir: (codec, fields, packed) for mlir, codec, fields, packed in plan_of(cls).attributes
        }
        self.operands = [
            f.kind for f in cls.fields if f.kind in ("operand", "optional", "variadic")
        ]
        if all(kind == "operand" for kind in self.operands):
            self.operands = []
        self.has_regions = any(f.kind in ("region", "regions") for f in cls.fields)
        attrs = [f for f in cls.fields if f.kind == "attribute"]
        self.defaults: dict[str, Any] = {f.name: None if f.required else f.default for f in attrs}
        # Absent, a flag of StableHLO's is false, whatever calls of the class have without it.
        self.defaults |= {f.name: False for f in attrs if f.default is True}
        self.required = [f.name for f in attrs if f.required]
        self.from_types: Callable[..., Mapping[str, Any]] | None = getattr(
            cls, "attributes_from_types", None
        )

    def segments(self, count: int, given: Sequence[int] | None) -> tuple[int, ...] | None:
        """How many operands each field takes; None when there is one for each."""
        if not self.operands:
            return None
        if given is not None:
            return tuple(given)
        loose = sum(kind != "operand" for kind in self.operands)
        rest = count - (len(self.operands) - loose)
        if loose and rest % loose:
            raise RaisingError(f"{count} operands do not fill the fields of {self.cls.op}")
        share = rest // loose if loose else 0
        return tuple(1 if kind == "operand" else share for kind in self.operands)


def kinds() -> dict[str, Kind]:
    """The class for each MLIR operation name that dxir can raise."""
    ops.names()
    return _kinds_of(len(REGISTRY))


@lru_cache(maxsize=1)
def _kinds_of(count: int) -> dict[str, Kind]:
    """The table while the registry has `count` classes: ops declared later are in it too."""
    found: dict[str, Kind] = {}
    for cls in tuple(REGISTRY.values())[:count]:
        if not issubclass(cls, Primitive) or cls.mlir is None or not cls.raises:
            continue
        other = found.get(cls.mlir)
        if other is None or other.cls.lower is not Primitive.lower:
            found[cls.mlir] = Kind(cls)
    return found


def raise_module(source: ir.Module | HasModule) -> Module:
    """The graph of a verified module: every function, op, attribute, sharding, name and location.

    Composites that dxir's own ops lower to become those ops again; any other composite is kept
    with its decomposition. Left out are only the locations of region parameters, and discardable
    attributes of meshes and terminators. Raises RaisingError, with the op and its place, for ops
    and types outside StableHLO, CHLO, Shardy and func, and for constants without data.
    """
    module = source if isinstance(source, ir.Module) else source.module
    raising = Raising(module)
    try:
        with collection_paused():
            return raising.module()
    except RecursionError:
        raise RaisingError("the module is nested too deeply to be raised") from None


class Raising:
    """The raising of one module.

    `trusted` takes every composite that names an op of dxir for what that op lowers to.
    """

    def __init__(self, module: ir.Module, *, trusted: bool = False) -> None:
        self._module = module
        self._trusted = trusted
        self._blobs: dict[str, bytes] | None = None
        self._decoder = Decoder(module.context, self._resources)
        self._kinds = kinds()
        self._values: dict[IrValue, Value] = {}
        self._depth = 0
        self._candidates: list[Candidate] = []

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions made so far, by symbol."""
        return self._decoder.functions

    def _resources(self) -> dict[str, bytes]:
        if self._blobs is None:
            self._blobs = blobs_of(self._module)
        return self._blobs

    def module(self) -> Module:
        """Raise everything."""
        bodies: list[tuple[IrOperation, Function]] = []
        top = [view.operation for view in self._module.body.operations]
        for op in top:
            if op.name == "sdy.mesh":
                name = function_name(op)
                self._decoder.meshes[name] = decode_mesh(name, op.attributes["mesh"])
            elif op.name != "func.func":
                raise self._unknown(op)
        for op in top:
            if op.name == "func.func":
                bodies.append((op, self._signature(op)))
        for op, function in bodies:
            self._body(op, function)
        replaced = recompose(self._candidates, trusted=self._trusted)
        return self._collect([f for _, f in bodies], replaced)

    def function_of(self, op: IrOperation, values: Sequence[IrValue]) -> Function:
        """The op on its own, as a function of the `values` that it and its regions use.

        Its sharding and annotations are left out. Raises RaisingError.
        """
        kind = self._kinds.get(op.name)
        if kind is None:
            raise self._unknown(op)
        with self._context(op):
            types = [self._decoder.type(v.type) for v in values]
        function = Function(op.name, types, public=False)
        self._values = dict(zip(values, function.params, strict=True))
        node = self._node(op, kind, function, bare=True)
        function.nodes.append(node)
        for result in node.results:
            result.region = function
        function.seal(node.results)
        return function

    def _collect(self, functions: list[Function], replaced: set[int]) -> Module:
        kept = [
            f
            for f in functions
            if f.public or id(f) not in replaced or f.name in self._decoder.symbols
        ]
        root = self._module.operation
        attributes = self._annotations(root.attributes)
        name = attributes.pop("sym_name", None)
        module = Module(kept, self._decoder.meshes.values(), name=name)
        module.annotations.update(attributes)
        return module

    def _annotations(self, attributes: Any, known: frozenset[str] = frozenset()) -> dict[str, Any]:
        names = [name for name in keys(attributes) if name not in known]
        return {name: self._decoder.any(entry(attributes, name)) for name in names}

    def _signature(self, op: IrOperation) -> Function:
        attributes: Any = op.attributes
        type = signature(op)
        decode = self._decoder.type
        location, _ = self._decoder.location(op.location)
        with self._context(op):
            function = Function(
                function_name(op),
                [decode(t) for t in type.inputs],
                public=is_public(op),
                location=location,
            )
            results = [decode(t) for t in type.results]
            function.annotations.update(self._annotations(attributes, _OF_FUNCTION))
            function.declare(results)
            self._sides(op, "arg_attrs", function.param_shardings, function.param_annotations)
            self._sides(op, "res_attrs", function.result_shardings, function.result_annotations)
        self._decoder.functions[function.name] = function
        return function

    def _sides(
        self,
        op: IrOperation,
        name: str,
        shardings: list[Sharding | None],
        annotations: list[dict[str, Any]],
    ) -> None:
        if name not in op.attributes:
            return
        rows = ir.ArrayAttr(op.attributes[name])
        for position in range(len(rows)):
            row = ir.DictAttr(rows[position])
            if SHARDING in row:
                given = row[SHARDING]
                shardings[position] = self._decoder.attribute("sharding", given)
            annotations[position] = self._annotations(row, frozenset((SHARDING,)))

    def _body(self, op: IrOperation, function: Function) -> None:
        blocks = op.regions[0].blocks
        if not len(blocks):
            return
        if len(blocks) > 1:
            raise self.error(op, f"function @{function.name} has branches between blocks")
        self._values = {}
        block = blocks[0]
        for position, argument in enumerate(block.arguments):
            param = function.params[position]
            location, param.name = self._decoder.location(argument.location)
            function.param_locations[position] = location
            self._values[argument] = param
        self._nodes(block, function)

    def _nodes(self, block: Any, region: Region) -> None:
        known = self._kinds
        nodes = region.nodes
        for view in block.operations:
            op = view.operation
            name = op.name
            kind = known.get(name)
            if kind is not None:
                node = self._node(op, kind, region)
                nodes.append(node)
                for result in node.results:
                    result.region = region
            elif name in _TERMINATORS:
                region.results = tuple([self._values[v] for v in op.operands])
                region.sealed = True
            else:
                raise self._unknown(op)

    def _node(self, op: IrOperation, kind: Kind, region: Region, *, bare: bool = False) -> Op:
        values = self._values
        decoder = self._decoder
        operands = [values[v] for v in op.operands]
        results = list(op.results)
        location, name = decoder.location(op.location)
        try:
            types = [decoder.type(r.type) for r in results]
            names = keys(op.attributes)
            attrs, rest, given = (
                self._attributes(op, kind, names) if names else (dict(kind.defaults), None, None)
            )
            if kind.from_types is not None:
                attrs.update(kind.from_types([v.type for v in operands], types))
            segments = kind.segments(len(operands), given)
        except DxirError as error:
            raise self.error(op, error.message, error.hint) from error
        regions = [self._region(op, r, region) for r in op.regions] if kind.has_regions else ()
        node = make(
            kind.cls, operands, attrs, types, regions=regions, segments=segments,
            location=location, name=name,
        )  # fmt: skip
        for made, result in zip(node.results, results, strict=True):
            values[result] = made
        if rest and not bare:
            self._discardable(op, node, rest)
        if op.name == "stablehlo.composite":
            self._candidates.append(Candidate(node, region, len(region.nodes)))
        return node

    def _attributes(
        self, op: IrOperation, kind: Kind, names: Sequence[str]
    ) -> tuple[dict[str, Any], dict[str, Any] | None, Sequence[int] | None]:
        attrs = dict(kind.defaults)
        rest: dict[str, Any] | None = None
        segments: Sequence[int] | None = None
        attributes = op.attributes
        for name in names:
            attribute = entry(attributes, name)
            declared = kind.attributes.get(name)
            if declared is not None:
                codec, fields, packed = declared
                value = self._decoder.attribute(codec, attribute)
                if packed:
                    attrs.update(zip(fields, value, strict=True))
                else:
                    attrs[fields[0]] = value
            elif name in _SEGMENTS:
                if name == _SEGMENTS[0]:
                    segments = list(attribute)
            else:
                rest = rest or {}
                rest[name] = attribute
        return attrs, rest, segments

    def _discardable(self, op: IrOperation, node: Node, rest: dict[str, Any]) -> None:
        annotations: dict[str, Any] = {}
        for name, attribute in rest.items():
            if name == SHARDING and not isinstance(attribute, AttributeText):
                with self._context(op):
                    shardings = self._decoder.attribute("shardings", attribute)
                if len(shardings) == len(node.results):
                    node.sharding = shardings
                    continue
            annotations[name] = self._decoder.any(attribute)
        node.annotations = annotations or None

    def _region(self, op: IrOperation, region: Any, parent: Region) -> Region:
        blocks = region.blocks
        if len(blocks) != 1:
            raise self.error(op, f"{op.name} has a region with {len(blocks)} blocks, not one")
        if self._depth >= _MAX_DEPTH:
            raise self.error(op, f"regions are nested more than {_MAX_DEPTH} deep")
        block = blocks[0]
        arguments = list(block.arguments)
        found = Region([self._decoder.type(a.type) for a in arguments], parent)
        for param, argument in zip(found.params, arguments, strict=True):
            param.name = self._decoder.location(argument.location)[1]
            self._values[argument] = param
        self._depth += 1
        self._nodes(block, found)
        self._depth -= 1
        return found

    def _context(self, op: IrOperation) -> _Where:
        return _Where(self, op)

    def error(self, op: IrOperation, message: str, hint: str | None = None) -> RaisingError:
        if not message.startswith(op.name):
            message = f"{op.name}: {message}"
        return RaisingError(message, where=self._decoder.where(op.location), hint=hint)

    def _unknown(self, op: IrOperation) -> RaisingError:
        dialect, _, _ = op.name.partition(".")
        hint = _HINTS.get(dialect)
        if hint is None:
            near = difflib.get_close_matches(op.name, self._kinds, n=3)
            hint = f"similar ops that dxir has: {', '.join(near)}" if near else _LEGALIZE
        return self.error(op, f"{op.name} has no counterpart in dxir", hint)


class _Where:
    """Adds the op and its place to errors raised inside."""

    __slots__ = ("_op", "_raising")

    def __init__(self, raising: Raising, op: IrOperation) -> None:
        self._raising = raising
        self._op = op

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, DxirError) and error.where is None:
            raise self._raising.error(self._op, error.message, error.hint) from error
