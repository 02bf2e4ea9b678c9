"""Constants whose data is kept beside the module (`dense_resource`), or nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dxir.diagnostics import where_of
from dxir.errors import ArtifactError, DxirError
from dxir.mlir import IrOperation, TypeCache, decode_type, dense_elements, ir
from dxir.quoting import QUOTED, unquoted
from dxir.reading import attribute, walk
from dxir.types import TensorType

ELIDED = "__elided__"

RESOURCE = re.compile(rf"dense_resource<({QUOTED}|[^>]*)>")
"""How the text of an attribute refers to a resource; the group is its key."""

_SECTION_ENTRY = re.compile(rf'^\s*({QUOTED}|[\w$.-]+): "0x([0-9A-Fa-f]*)"', re.MULTILINE)
_ALIGNMENT_BYTES = 4  # a blob starts with its alignment


@dataclass(frozen=True, slots=True)
class Resource:
    """A constant op whose value is the resource `key`."""

    op: IrOperation
    key: str

    @property
    def is_elided(self) -> bool:
        return self.key == ELIDED


def is_resource(op: IrOperation) -> bool:
    """Whether a constant op's value is a resource."""
    value = attribute(op, "value")
    # The bindings have a class for every other kind of constant.
    return value is not None and type(value) is ir.Attribute


def resource_of(op: IrOperation) -> Resource | None:
    """The resource that an op is a constant of, if it is."""
    if not op.name.endswith(".constant") or not is_resource(op):
        return None
    match = RESOURCE.match(str(attribute(op, "value")))
    return Resource(op, unquoted(match[1])) if match else None


def resources_of(module: ir.Module) -> list[Resource]:
    """Every constant that refers to a resource, in order."""
    found: list[Resource] = []

    def visit(op: IrOperation) -> None:
        resource = resource_of(op)
        if resource is not None:
            found.append(resource)

    walk(module, visit)
    return found


def blobs_of(module: ir.Module) -> dict[str, bytes]:
    """The data of every resource the module carries."""
    # Printed with everything else elided: the bindings give no other way to the data.
    text = module.operation.get_asm(large_elements_limit=0, assume_verified=True)
    assert isinstance(text, str)
    start = text.rfind("\n{-#")
    if start < 0:
        return {}
    found = _SECTION_ENTRY.findall(text, start)
    return {unquoted(key): bytes.fromhex(data)[_ALIGNMENT_BYTES:] for key, data in found}


def missing_resources(module: ir.Module) -> Iterator[Resource]:
    """The constants whose data is not in the module."""
    found = resources_of(module)
    if found:
        blobs = blobs_of(module)
        yield from (r for r in found if r.key not in blobs)


def missing_error(resource: Resource, kind: type[DxirError], doing: str) -> DxirError:
    """The error of a constant without data, found while `doing` something with the module."""
    type = resource.op.results[0].type
    state = "elided" if resource.is_elided else "missing"
    return kind(
        f"cannot {doing}: the constant of type {type} has no data, "
        f"the resource {resource.key!r} is {state}",
        where=where_of(resource.op.location),
        hint="export the module again without element limits; such text is for reading only",
    )


def inline_resources(module: ir.Module, doing: str) -> None:
    """Turn every resource constant into a dense one; ArtifactError when its data is not there."""
    found = resources_of(module)
    if not found:
        return
    blobs = blobs_of(module)
    types = TypeCache.of(module.context)
    for resource in found:
        data = blobs.get(resource.key)
        if data is None:
            raise missing_error(resource, ArtifactError, doing)
        inline(resource, data, types)


def inline(resource: Resource, data: bytes, types: TypeCache) -> None:
    """Turn a resource constant into a dense one, given its data; ArtifactError if it cannot be."""
    type = decode_type(resource.op.results[0].type)
    assert isinstance(type, TensorType)
    dtype = type.primitive
    if dtype.bits < 8:
        raise ArtifactError(
            f"the resource {resource.key!r} has the element type {dtype}, whose layout in memory "
            "is not defined",
            where=where_of(resource.op.location),
            hint="write the constant as a dense one",
        )
    expected = type.size * dtype.numpy.itemsize
    if len(data) != expected:
        raise ArtifactError(
            f"the resource {resource.key!r} has {len(data)} bytes where {type} needs {expected}",
            where=where_of(resource.op.location),
        )
    array = np.frombuffer(data, dtype.numpy).reshape(type.static_shape)
    resource.op.attributes["value"] = dense_elements(array, type, types)
