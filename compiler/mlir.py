"""The bindings: contexts, types and locations of `jaxlib.mlir`, imported nowhere else.

Everything that differs between jaxlib lines, or that ends the process when done otherwise, is
settled here: passes are registered before any pipeline is parsed, every dialect is registered and
loaded, diagnostics go to handlers (a message that is not UTF-8 aborts otherwise), and threads are
off so that Python handlers cannot deadlock.
"""

from __future__ import annotations

import io
import mmap
import re
import threading
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from jaxlib._jax import mlir as _artifacts
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mosaic_gpu_ext
from jaxlib.mlir._mlir_libs._mlir import rewrite
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo
from jaxlib.version import __version__ as jaxlib_version

from dxir.errors import DTypeError, DxirError, RaisingError
from dxir.locations import Location
from dxir.types import (
    Dim,
    DType,
    ElementType,
    FutureType,
    QuantizedType,
    TensorType,
    TokenType,
    TupleType,
    Type,
)

__all__ = [
    "DIALECTS", "IrAttribute", "IrLocation", "IrOperation", "IrType", "IrValue", "TypeCache",
    "bytecode_of", "chlo", "clone_module", "decode_type", "dense_elements", "diagnostics_of",
    "export_artifact", "inlined_call", "ir", "jaxlib_version", "known_dialects", "library_path",
    "make_context", "passmanager", "registry_key", "rewrite", "sdy", "shared_context", "stablehlo",
    "words_in_library",
]  # fmt: skip

IrValue = ir.Value
IrType = ir.Type
IrAttribute = ir.Attribute
IrOperation = ir.Operation
IrLocation = ir.Location

stablehlo.register_stablehlo_passes()

_REMEMBERED = 1 << 16

_DYNAMIC: int = ir.ShapedType.get_dynamic_size()

# `quant` has no registration function of its own, but this pass depends on it, so running it once
# on an empty module loads it. (jaxlib 0.10 and 0.12.)
_LOADS_QUANT = "builtin.module(vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg)"


DIALECTS = ("sdy", "mpmd", "interpreter")
"""The dialects that not every tool knows; all others are in every context."""


def make_context(
    *, allow_unregistered: bool = False, dialects: Collection[str] = ("sdy",)
) -> ir.Context:
    """A fresh context with every dialect that programs use, and of DIALECTS those named."""
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    for dialect in (stablehlo, chlo):
        dialect.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    for name in dialects:
        _REGISTER[name](context)
    _mosaic_gpu_ext.register_inliner_extensions(context)  # without it `inline` inlines no call
    context.load_all_available_dialects()
    context.enable_multithreading(False)
    context.emit_error_diagnostics = True
    context.allow_unregistered_dialects = allow_unregistered
    with context:
        empty = ir.Module.create(ir.Location.unknown())
        passmanager.PassManager.parse(_LOADS_QUANT).run(empty.operation)
    return context


def _register_mpmd(context: ir.Context) -> None:
    from jaxlib.mlir.dialects import mpmd

    mpmd.register_dialect(context)


_REGISTER: dict[str, Callable[[ir.Context], object]] = {
    "sdy": sdy.register_dialect,
    "mpmd": _register_mpmd,
    "interpreter": stablehlo.register_interpreter_dialect,
}

_local = threading.local()


def shared_context() -> ir.Context:
    """This thread's context for programs that dxir makes; types and attributes are shared."""
    context: ir.Context | None = getattr(_local, "context", None)
    if context is None:
        context = _local.context = make_context()
    return context


@contextmanager
def diagnostics_of(context: ir.Context) -> Generator[list[tuple[str, str, str]]]:
    """Collect (severity, location, message) of every diagnostic in `context`, notes included."""
    found: list[tuple[str, str, str]] = []

    def take(diagnostic: Any) -> bool:
        found.append(
            (diagnostic.severity.name.lower(), str(diagnostic.location), diagnostic.message)
        )
        for note in diagnostic.notes:
            found.append(("note", str(note.location), note.message))
        return True

    handler = context.attach_diagnostic_handler(take)
    try:
        yield found
    finally:
        handler.detach()


class TypeCache:
    """MLIR types of dxir types and MLIR locations of dxir locations, each made once a context."""

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self._types: dict[Type, ir.Type] = {}
        self.by_identity: dict[int, tuple[Type, ir.Type]] = {}
        self._elements: dict[ElementType, ir.Type] = {}
        self.locations: dict[Location | None, ir.Location] = {}
        with context:
            self.unknown = ir.Location.unknown()
        self.locations[None] = self.unknown

    @classmethod
    def of(cls, context: ir.Context) -> TypeCache:
        """The cache of `context`; the shared context keeps its own."""
        if context is not getattr(_local, "context", None):
            return cls(context)
        cache: TypeCache | None = getattr(_local, "types", None)
        if cache is None or cache.context is not context:
            cache = _local.types = cls(context)
        return cache

    def type(self, type: Type) -> ir.Type:
        """The MLIR type."""
        # Most types are the same object as before; hashing one costs as much as the rest of this.
        known = self.by_identity.get(id(type))
        if known is not None:
            return known[1]
        found = self._types.get(type)
        if found is None:
            with self.context:
                found = self._types[type] = self._make(type)
        if len(self.by_identity) > _REMEMBERED:
            self.by_identity.clear()
        self.by_identity[id(type)] = (type, found)  # holding the type keeps its id its own
        return found

    def element(self, dtype: ElementType) -> ir.Type:
        """The MLIR element type."""
        found = self._elements.get(dtype)
        if found is None:
            text = dtype.mlir if isinstance(dtype, DType) else _quantized_text(dtype)
            try:
                found = self._elements[dtype] = ir.Type.parse(text, self.context)
            except ir.MLIRError as error:
                raise DTypeError(
                    f"MLIR does not accept the element type {dtype.name}: {error}"
                ) from None
        return found

    def location(self, location: Location | None, name: str | None = None) -> ir.Location:
        """The MLIR location; a node's name is wrapped around its file and line."""
        found = self.locations.get(location)
        if found is None:
            assert location is not None
            found = self.locations[location] = ir.Location.file(
                location.file, location.line, location.column, self.context
            )
        return found if name is None else ir.Location.name(name, found, self.context)

    def _make(self, type: Type) -> ir.Type:
        if isinstance(type, TensorType):
            sizes = [d if isinstance(d, int) else _DYNAMIC for d in type.shape]
            bounds = [d.bound if isinstance(d, Dim) else None for d in type.shape]
            encoding = None
            if any(b is not None for b in bounds):
                encoding = stablehlo.TypeExtensions.get(
                    [_DYNAMIC if b is None else b for b in bounds]
                )
            return ir.RankedTensorType.get(
                sizes, self.element(type.dtype), encoding, loc=self.unknown
            )
        if isinstance(type, TokenType):
            return stablehlo.TokenType.get(self.context)
        inner = [self.type(t) for t in type.types]
        if isinstance(type, TupleType):
            return ir.TupleType.get_tuple(inner, self.context)
        return stablehlo.FutureType.get(inner, self.context)


def _quantized_text(dtype: QuantizedType) -> str:
    storage = dtype.storage.mlir.replace("ui", "u")
    low, high = dtype.storage_min, dtype.storage_max
    limits = "" if low is None and high is None else f"<{low}:{high}>"
    axis = "" if dtype.axis is None else f":{dtype.axis}"
    pairs = [f"{s:.17e}:{z}" for s, z in zip(dtype.scales, dtype.zero_points, strict=True)]
    inner = "{" + ",".join(pairs) + "}" if dtype.axis is not None else pairs[0]
    return f"!quant.uniform<{storage}{limits}:{dtype.expressed.mlir}{axis}, {inner}>"


def decode_type(type: ir.Type) -> Type:
    """The dxir type of an MLIR type; RaisingError for one dxir has no word for."""
    if isinstance(type, ir.RankedTensorType):
        return _decode_tensor(type)
    if isinstance(type, ir.TupleType):
        return TupleType(tuple(decode_type(type.get_type(i)) for i in range(type.num_types)))
    text = str(type)
    if text == "!stablehlo.token":
        return TokenType()
    if stablehlo.FutureType.isinstance(type):
        return FutureType(tuple(decode_type(t) for t in stablehlo.FutureType(type).types))
    raise RaisingError(
        f"type {text} has no counterpart in dxir",
        hint="tensors, tokens, tuples and futures of StableHLO are supported",
    )


def _decode_tensor(type: ir.RankedTensorType) -> TensorType:
    bounds: list[int | None] = [None] * type.rank
    if type.encoding is not None and stablehlo.TypeExtensions.isinstance(type.encoding):
        raw = stablehlo.TypeExtensions(type.encoding).bounds
        bounds = [None if b == _DYNAMIC else b for b in raw]
    elif type.encoding is not None:
        raise RaisingError(f"the encoding of {type} has no counterpart in dxir")
    shape = [
        Dim("?", bounds[i]) if type.is_dynamic_dim(i) else type.get_dim_size(i)
        for i in range(type.rank)
    ]
    return TensorType(shape, decode_element(type.element_type))


def decode_element(type: ir.Type) -> ElementType:
    """The dxir element type of an MLIR element type."""
    text = str(type)
    if text.startswith("!quant.uniform"):
        return _decode_quantized(text)
    try:
        return DType.of(text)
    except DxirError:
        raise RaisingError(f"element type {text} has no counterpart in dxir") from None


def _decode_quantized(text: str) -> QuantizedType:
    body = text[text.index("<") + 1 : text.rindex(">")]
    head, _, tail = body.partition(",")
    storage, *rest = (
        head.replace(">:", "|").replace("<", "|").split("|") if "<" in head else head.split(":", 1)
    )
    low = high = None
    if len(rest) == 2:
        low, high = (int(v) for v in rest[0].split(":"))
    expressed, _, axis = rest[-1].partition(":")
    pairs = [p.strip() for p in tail.strip().strip("{}").split(",")]
    split = [p.partition(":") for p in pairs]
    return QuantizedType(
        DType.of(storage.replace("u", "ui") if storage.startswith("u") else storage),
        DType.of(expressed),
        tuple(float(s) for s, _, _ in split),
        tuple(int(z or 0) for _, _, z in split),
        int(axis) if axis else None,
        low,
        high,
    )


def dense_elements(array: Any, type: TensorType, types: TypeCache) -> ir.Attribute:
    """A dense constant holding the array's bytes once; a splat when all strides are 0.

    One of a quantized type holds what is stored.
    """
    import numpy as np

    dtype = type.dtype.storage if isinstance(type.dtype, QuantizedType) else type.dtype

    splat = type.size > 0 and (type.size == 1 or not any(array.strides))
    data = np.ascontiguousarray(array.reshape(-1)[:1] if splat else array)
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    if data.dtype.kind == "V" or data.dtype.name in ("bfloat16",) or data.dtype.kind == "c":
        data = data.view(np.uint8 if data.dtype.itemsize == 1 else np.uint16)
    return ir.DenseElementsAttr.get(
        data, shape=list(type.static_shape), type=types.element(dtype), context=types.context
    )


def inlined_call(callee: ir.Operation, operands: list[Any], location: ir.Location) -> list[Any]:
    """The callee's body copied to the insertion point; gives the values of its results.

    MLIR's `inline` pass does nothing for `func.call` in jaxlib (its extension is not registered).
    """
    with location:  # given as the argument alone, it ends the process (0.10.2 and 0.12.0.1)
        return list(_jax_mlir_ext.inlined_func_call(callee, operands, location))


def clone_module(module: ir.Module) -> ir.Module:
    """A copy of the module in the same context."""
    copy = ir.Module.create(module.operation.location)
    try:
        attributes = list(module.operation.attributes.items())
    except TypeError:  # the bindings give no attribute that is a location
        return ir.Module.parse(bytecode_of(module), module.context)
    for name, attribute in attributes:
        copy.operation.attributes[name] = attribute
    at = ir.InsertionPoint(copy.body)
    for op in module.body.operations:
        op.operation.clone(at)
    return copy


def bytecode_of(module: ir.Module) -> bytes:
    """The module as MLIR bytecode, which only readers of the same jaxlib are sure to understand."""
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def export_artifact(bytecode: bytes, version: str, *, mixed: bool) -> bytes:
    """A portable artifact of bytecode with its Shardy ops and attributes as XLA takes them.

    Drops ops without effect whose results nobody uses. Never call it with a diagnostic handler
    attached: it reports errors without holding the interpreter's lock, which ends the process.
    """
    return _artifacts.serialize_portable_artifact(bytecode, version, mixed)


_AVAILABLE = re.compile(r"Available dialects: ([^;]*)")


def known_dialects(context: ir.Context) -> list[str]:
    """The names of the dialects that a context knows, sorted."""
    # The bindings list none; the parser does, when it meets an op of another.
    with diagnostics_of(context) as found, suppress(ir.MLIRError):
        ir.Module.parse("no_such_dialect.op", context)
    for _, _, message in found:
        listed = _AVAILABLE.search(message)
        if listed is not None:
            return sorted(name.split()[0] for name in listed[1].split(","))
    return []


def library_path() -> Path:
    """The shared library that holds MLIR and all its passes: the largest file of the bindings."""
    assert _jax_mlir_ext.__file__ is not None
    root = Path(_jax_mlir_ext.__file__).parents[2]  # above mlir/_mlir_libs
    files = (f for f in root.iterdir() if f.is_file())
    return max(files, key=lambda f: f.stat().st_size)


def registry_key() -> str:
    """A word that changes when the library may have other passes."""
    library = library_path().stat()
    return f"{jaxlib_version}-{library.st_size}-{int(library.st_mtime)}"


_WORD = re.compile(rb"\0([a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,9})(?=\0)")


def words_in_library(library: Path) -> set[str]:
    """What in the library is spelt like the name of a pass."""
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return {word.decode("ascii") for word in _WORD.findall(data)}
