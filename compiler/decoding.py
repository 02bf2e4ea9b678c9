"""MLIR types, attributes and locations as dxir's, for one module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dxir.attributes import DenseArray, MeshAxesGroups, RawAttribute, SymbolRef
from dxir.codecs import CODECS, encode_any
from dxir.diagnostics import where_of
from dxir.elements import elements_of, elements_of_bytes, elements_of_text
from dxir.errors import DxirError, RaisingError
from dxir.graph import Function
from dxir.locations import Location
from dxir.mlir import IrLocation, IrType, TypeCache, decode_element, decode_type, ir, stablehlo
from dxir.quoting import unquoted
from dxir.resources import RESOURCE
from dxir.sharding import Mesh
from dxir.sharding_codec import decode_group_axes, decode_sharding, decode_shardings
from dxir.types import DType, TensorType, Type

_UNCACHED = frozenset({"any", "elements", "function", "functions"})
_UNREADABLE = "Can't cast unknown element type"
_MAX_FRAMES = 1000

Blobs = Callable[[], dict[str, bytes]]


class AttributeText(str):
    """What MLIR prints for an attribute that the bindings have no class for (complex constants)."""


def entry(container: Any, key: Any) -> Any:
    """The attribute at `key`, or its text where the bindings cannot hand it out."""
    try:
        return container[key]
    except TypeError as error:
        text = str(error)
        if not text.startswith(_UNREADABLE) or "(Attribute(" not in text:
            raise
        return AttributeText(text[text.index("(Attribute(") + 11 : text.rindex("))")])


def keys(dictionary: Any) -> list[str]:
    """The names in a dictionary attribute, or of the attributes of an op."""
    return [entry if isinstance(entry, str) else entry.name for entry in dictionary]


class Decoder:
    """Reads what the ops of one module carry; equal types and attributes are decoded once.

    `meshes` and `functions` are those of the module by name, `blobs` gives its resources.
    """

    def __init__(self, context: ir.Context, blobs: Blobs) -> None:
        self._cache = TypeCache.of(context)
        self._blobs = blobs
        self._types: dict[IrType, Type] = {}
        self._attributes: dict[tuple[str, Any], Any] = {}
        self._locations: dict[Any, tuple[Location | None, str | None]] = {}
        self.meshes: dict[str, Mesh] = {}
        self.functions: dict[str, Function] = {}
        self.symbols: set[str] = set()

    def type(self, type: IrType) -> Type:
        """The dxir type."""
        found = self._types.get(type)
        if found is None:
            found = self._types[type] = decode_type(type)
        return found

    def mesh(self, name: str) -> Mesh:
        """The mesh of the module called `name`."""
        found = self.meshes.get(name)
        if found is None:
            raise RaisingError(f"there is no mesh @{name} in the module")
        return found

    def function(self, name: str) -> Function:
        """The function of the module called `name`."""
        found = self.functions.get(name)
        if found is None:
            raise RaisingError(f"there is no function @{name} in the module")
        return found

    def attribute(self, codec: str, attribute: Any) -> Any:
        """The value of an attribute that is written with `codec`."""
        if codec in _UNCACHED:
            return self._decode(codec, attribute)
        key = (codec, attribute)
        found = self._attributes.get(key)
        if found is None:
            found = self._attributes[key] = self._decode(codec, attribute)
        return found

    def _decode(self, codec: str, attribute: Any) -> Any:
        special = _SPECIAL.get(codec)
        if special is not None:
            return special(self, attribute)
        return CODECS[codec].decode(attribute)

    def groups_value(self, attribute: Any) -> Any:
        if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(attribute):
            return CODECS["i64_matrix"].decode(attribute)
        given = stablehlo.ReplicaGroupMeshAxesAttr(attribute)
        if not isinstance(given.mesh, ir.FlatSymbolRefAttr):
            raise RaisingError(
                f"{attribute} carries its mesh inline",
                hint="name the mesh with an sdy.mesh op, and refer to that",
            )
        mesh = self.mesh(ir.FlatSymbolRefAttr(given.mesh).value)
        return MeshAxesGroups(mesh, decode_group_axes(attribute))

    def function_value(self, attribute: Any) -> Function:
        return self.function(ir.FlatSymbolRefAttr(attribute).value)

    def function_values(self, attribute: Any) -> tuple[Function, ...]:
        return tuple(self.function_value(a) for a in ir.ArrayAttr(attribute))

    def elements(self, attribute: Any) -> np.ndarray[Any, Any]:
        """The array of a dense constant."""
        if isinstance(attribute, AttributeText):
            found = elements_of_text(attribute)
        else:
            found = elements_of(attribute)
        if found is None:
            found = self._resource(str(attribute))
        return found

    def _resource(self, text: str) -> np.ndarray[Any, Any]:
        found = RESOURCE.match(text)
        if found is None:
            raise RaisingError(f"the constant {text[:80]} has no counterpart in dxir")
        key = unquoted(found[1])
        type = decode_type(
            ir.Type.parse(text[found.end() :].removeprefix(" : "), self._cache.context)
        )
        data = self._blobs().get(key)
        if data is None:
            state = "elided" if key == "__elided__" else "missing"
            raise RaisingError(
                f"the constant of type {type} has no data: the resource {key!r} is {state}",
                hint="export the module again without element limits",
            )
        assert isinstance(type, TensorType)
        dtype = type.primitive
        if dtype.bits < 8 or len(data) != type.size * dtype.numpy.itemsize:
            raise RaisingError(
                f"the resource {key!r} has {len(data)} bytes, which do not make a {type}",
                hint="write the constant as a dense one",
            )
        return elements_of_bytes(data, dtype).reshape(type.static_shape)

    def any(self, attribute: Any) -> Any:
        """The Python value of any attribute; what dxir has no word for is a RawAttribute.

        The inverse of `encode_any`: writing the value gives the same attribute.
        """
        if isinstance(attribute, AttributeText):
            found = elements_of_text(attribute)
            return RawAttribute(str(attribute)) if found is None else found
        if isinstance(attribute, ir.DictAttr):
            return {name: self.any(entry(attribute, name)) for name in keys(attribute)}
        if isinstance(attribute, ir.ArrayAttr):
            return tuple([self.any(entry(attribute, i)) for i in range(len(attribute))])
        if isinstance(attribute, (ir.DenseIntElementsAttr, ir.DenseFPElementsAttr)):
            found = elements_of(attribute)
            return RawAttribute(str(attribute)) if found is None else found
        try:
            value = self._plain(attribute)
            if value is not _NOTHING and encode_any(value, self._cache) == attribute:
                return value
        except (DxirError, ValueError, TypeError, OverflowError, ir.MLIRError):
            pass
        return RawAttribute(str(attribute))

    def _plain(self, attribute: Any) -> Any:
        for kind, decode in _PLAIN:
            if isinstance(attribute, kind):
                return decode(self, attribute)
        text = str(attribute)
        for prefix, codec in _BY_PREFIX:
            if text.startswith(prefix):
                return self.attribute(codec, attribute)
        return _NOTHING

    def type_value(self, attribute: Any) -> Any:
        type = attribute.value
        if isinstance(type, ir.RankedTensorType) or str(type).startswith(("!stablehlo.", "tuple<")):
            return decode_type(type)
        return decode_element(type)

    def symbol_value(self, attribute: Any) -> SymbolRef:
        self.symbols.add(attribute.value)
        return SymbolRef(attribute.value)

    def integer_value(self, attribute: Any) -> Any:
        type = str(attribute.type)
        if type == "i64":
            return attribute.value
        dtype = DType.of(type)
        value = attribute.value
        return np.array(
            value if value >= 0 or not dtype.is_unsigned else value % 2**dtype.bits
        ).astype(dtype.numpy)[()]

    def float_value(self, attribute: Any) -> Any:
        dtype = decode_element(attribute.type)
        assert isinstance(dtype, DType)
        return attribute.value if dtype.name == "f64" else dtype.numpy.type(attribute.value)

    def location(self, location: IrLocation) -> tuple[Location | None, str | None]:
        """The user's place and the name that a location gives.

        The outermost name is taken; of a call stack the innermost frame with a file, of a fused
        location the first part that has one.
        """
        key = location.attr
        found = self._locations.get(key)
        if found is None:
            found = self._locations[key] = _place(location)
        return found

    def where(self, location: IrLocation) -> str | None:
        """The place for an error message."""
        return where_of(location)


def _place(location: Any) -> tuple[Location | None, str | None]:
    name: str | None = None
    pending = [location]
    for _ in range(_MAX_FRAMES):
        if not pending:
            break
        current = pending.pop()
        kind = type(current).__name__
        if kind == "FileLineColLoc":
            if current.filename or current.start_line:
                return Location(current.filename, current.start_line, current.start_col), name
        elif kind == "NameLoc":
            name = name or current.name_str
            pending.append(current.child_loc)
        elif kind == "CallSiteLoc":
            pending += [current.caller, current.callee]
        elif kind == "FusedLoc":
            pending += reversed(current.locations)
    return None, name


_NOTHING = object()

_SPECIAL: dict[str, Callable[[Decoder, Any], Any]] = {
    "any": lambda d, a: d.any(a),
    "elements": lambda d, a: d.elements(a),
    "function": Decoder.function_value,
    "functions": Decoder.function_values,
    "sharding": lambda d, a: decode_sharding(a, d.mesh),
    "shardings": lambda d, a: decode_shardings(a, d.mesh),
    "replica_groups": Decoder.groups_value,
}

_PLAIN: tuple[tuple[Any, Callable[[Decoder, Any], Any]], ...] = (
    (ir.UnitAttr, lambda d, a: None),
    (ir.BoolAttr, lambda d, a: a.value),
    (ir.IntegerAttr, Decoder.integer_value),
    (ir.FloatAttr, Decoder.float_value),
    (ir.StringAttr, lambda d, a: _string(a)),
    (ir.TypeAttr, Decoder.type_value),
    (ir.FlatSymbolRefAttr, Decoder.symbol_value),
    (ir.DenseBoolArrayAttr, lambda d, a: DenseArray("i1", tuple(a))),
    (ir.DenseI8ArrayAttr, lambda d, a: DenseArray("i8", tuple(a))),
    (ir.DenseI16ArrayAttr, lambda d, a: DenseArray("i16", tuple(a))),
    (ir.DenseI32ArrayAttr, lambda d, a: DenseArray("i32", tuple(a))),
    (ir.DenseI64ArrayAttr, lambda d, a: DenseArray("i64", tuple(a))),
    (ir.DenseF32ArrayAttr, lambda d, a: DenseArray("f32", tuple(a))),
    (ir.DenseF64ArrayAttr, lambda d, a: DenseArray("f64", tuple(a))),
)
_BY_PREFIX = (
    ("#stablehlo.channel_handle", "channel_handle"),
    ("#stablehlo.dot_algorithm", "dot_algorithm"),
    ("#stablehlo.result_accuracy", "result_accuracy"),
    ("#sdy.sharding<", "sharding"),
    ("#sdy.op_sharding_rule<", "sharding_rule"),
)


def _string(attribute: Any) -> Any:
    data: bytes = attribute.value_bytes
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data
