"""Attribute values and shardings as JSON, both ways.

What JSON has no word for is an object with one key that says its kind: `{"dtype": "f32"}`,
`{"array": {...}}`, `{"function": "name"}`. docs/json.md lists them all.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dxir import attributes
from dxir.errors import SchemaError
from dxir.graph import Function
from dxir.json_checks import (
    Json,
    Path,
    array,
    fail,
    flag,
    guarded,
    integer,
    kind_of,
    near,
    obj,
    text,
)
from dxir.json_types import dim_json, element_json, read_dim, read_element, read_type, type_json
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.types import Dim, DType, QuantizedType, Type

_EXACT = 2**53  # integers from here on are written as text: many languages read numbers as doubles
_RECORDS: dict[str, Any] = {
    name: kind
    for name, kind in vars(attributes).items()
    if dataclasses.is_dataclass(kind) and getattr(kind, "__module__", "") == attributes.__name__
}


class Values:
    """Attribute values of one document: `meshes` and `functions` by name."""

    def __init__(self, meshes: Mapping[str, Mesh], functions: Mapping[str, Function]) -> None:
        self.meshes = meshes
        self.functions = functions

    def write(self, value: Any) -> Json:
        """The JSON of any attribute value; SchemaError for one that has none."""
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, np.bool_):
            return bool(value)
        if isinstance(value, (np.ndarray, np.generic)):
            return {"array" if isinstance(value, np.ndarray) else "scalar": _array_json(value)}
        if isinstance(value, int):
            return value if -_EXACT < value < _EXACT else {"int": str(value)}
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": repr(value)}
        if isinstance(value, (tuple, list)):
            return [self.write(v) for v in value]
        if isinstance(value, Mapping):
            return {"dict": {str(k): self.write(v) for k, v in value.items()}}
        return self._write_tagged(value)

    def _write_tagged(self, value: Any) -> Json:
        if isinstance(value, (DType, QuantizedType)):
            return {"dtype": element_json(value)}
        if isinstance(value, Type):
            return {"type": type_json(value)}
        if isinstance(value, bytes):
            return {"bytes": base64.b64encode(value).decode()}
        if isinstance(value, Function):
            return {"function": value.name}
        if isinstance(value, Sharding):
            return {"sharding": self.sharding_json(value)}
        if isinstance(value, Mesh):
            return {"mesh": self._mesh(value)}
        if isinstance(value, AxisRef):
            return {"axis": _axis_json(value)}
        if isinstance(value, Dim):
            return {"dim": dim_json(value)}
        name = value.__class__.__name__
        if _RECORDS.get(name) is value.__class__:
            fields = dataclasses.fields(value)
            return {name: {f.name: self.write(getattr(value, f.name)) for f in fields}}
        raise SchemaError(f"a {name} ({value!r}) has no form in JSON")

    def read(self, value: Json, path: Path) -> Any:
        """The attribute value that `write` wrote."""
        if isinstance(value, list):
            return tuple([self.read(v, (path, i)) for i, v in enumerate(value)])
        if not isinstance(value, dict):
            return value
        if len(value) != 1:
            fail(path, f"an object here has one key, which says its kind, not {len(value)} keys")
        ((tag, inner),) = value.items()
        at = (path, tag)
        reader = _READERS.get(tag)
        if reader is not None:
            return reader(self, inner, at)
        if tag not in _RECORDS:
            fail(at, f"{tag!r} is no kind of value", near(tag, [*_READERS, *_RECORDS]))
        return self._record(_RECORDS[tag], inner, at)

    def _record(self, kind: Any, value: Json, path: Path) -> Any:
        fields = dataclasses.fields(kind)
        needed = [f.name for f in fields if f.default is dataclasses.MISSING]
        given = obj(value, path, " ".join(needed), " ".join(f.name for f in fields))
        arguments = {k: self.read(v, (path, k)) for k, v in given.items()}
        return guarded(path, lambda: kind(**arguments))

    def dictionary(self, value: Json, path: Path) -> dict[str, Any]:
        """The values of an object, by key."""
        if not isinstance(value, dict):
            fail(path, f"an object is needed, not {kind_of(value)}")
        return {k: self.read(v, (path, k)) for k, v in value.items()}

    def function(self, value: Json, path: Path) -> Function:
        """The function of the document with a name."""
        name = text(value, path)
        if name not in self.functions:
            fail(path, f"there is no function {name!r}", near(name, self.functions))
        return self.functions[name]

    def mesh_json(self, mesh: Mesh) -> Json:
        """A mesh with its axes."""
        found: dict[str, Json] = {"name": mesh.name, "axes": [list(a) for a in mesh.axes]}
        if mesh.device_ids:
            found["device_ids"] = list(mesh.device_ids)
        return found

    def _mesh(self, mesh: Mesh) -> Json:
        return mesh.name if self.meshes.get(mesh.name) == mesh else self.mesh_json(mesh)

    def read_mesh(self, value: Json, path: Path) -> Mesh:
        """A mesh: the name of one of the document's, or an object with its axes."""
        if isinstance(value, str):
            if value not in self.meshes:
                fail(path, f"there is no mesh {value!r}", near(value, self.meshes))
            return self.meshes[value]
        given = obj(value, path, "name axes", "device_ids")
        pairs: list[tuple[str, int]] = []
        for i, item in enumerate(array(given["axes"], (path, "axes"))):
            at = ((path, "axes"), i)
            pair = array(item, at, 2)
            pairs.append((text(pair[0], (at, 0)), integer(pair[1], (at, 1), 1)))
        ids = array(given.get("device_ids", []), (path, "device_ids"))
        numbers = [integer(n, ((path, "device_ids"), i), 0) for i, n in enumerate(ids)]
        return guarded(path, lambda: Mesh(text(given["name"], (path, "name")), pairs, numbers))

    def sharding_json(self, sharding: Sharding) -> Json:
        """A sharding, its mesh by name."""
        dims: list[Json] = []
        for dim in sharding.dims:
            row: dict[str, Json] = {"axes": [_axis_json(a) for a in dim.axes]}
            if dim.open:
                row["open"] = True
            if dim.priority is not None:
                row["priority"] = dim.priority
            dims.append(row)
        found: dict[str, Json] = {"mesh": self._mesh(sharding.mesh), "dims": dims}
        for key in ("replicated", "unreduced"):
            if axes := getattr(sharding, key):
                found[key] = [_axis_json(a) for a in axes]
        if sharding.reduction != "SUM":
            found["reduction"] = sharding.reduction
        return found

    def read_sharding(self, value: Json, path: Path) -> Sharding:
        """The sharding that `sharding_json` wrote."""
        given = obj(value, path, "mesh dims", "replicated unreduced reduction")
        mesh = self.read_mesh(given["mesh"], (path, "mesh"))
        dims: list[DimSharding] = []
        for i, item in enumerate(array(given["dims"], (path, "dims"))):
            at = ((path, "dims"), i)
            row = obj(item, at, "axes", "open priority")
            priority = row.get("priority")
            dims.append(
                DimSharding(
                    _read_axes(row["axes"], (at, "axes")),
                    flag(row.get("open", False), (at, "open")),
                    None if priority is None else integer(priority, (at, "priority"), 0),
                )
            )
        replicated = _read_axes(given.get("replicated", []), (path, "replicated"))
        unreduced = _read_axes(given.get("unreduced", []), (path, "unreduced"))
        reduction = text(given.get("reduction", "SUM"), (path, "reduction"))
        return guarded(
            path,
            lambda: Sharding(
                mesh, *dims, replicated=replicated, unreduced=unreduced, reduction=reduction
            ),
        )


def _axis_json(axis: AxisRef) -> Json:
    return axis.name if axis.sub is None else {"name": axis.name, "sub": list(axis.sub)}


def _read_axis(value: Json, path: Path) -> AxisRef:
    if not isinstance(value, dict):
        return AxisRef(text(value, path))
    given = obj(value, path, "name sub")
    sub = array(given["sub"], (path, "sub"), 2)
    pre, size = (integer(n, ((path, "sub"), i), 1) for i, n in enumerate(sub))
    return AxisRef(text(given["name"], (path, "name")), (pre, size))


def _read_axes(value: Json, path: Path) -> tuple[AxisRef, ...]:
    return tuple(_read_axis(a, (path, i)) for i, a in enumerate(array(value, path)))


def _array_json(value: Any) -> Json:
    data = np.asarray(value)
    data = data.astype(data.dtype.newbyteorder("<"), copy=False)
    found: dict[str, Json] = {"dtype": DType.of(value.dtype).name}
    if isinstance(value, np.ndarray):
        found["shape"] = list(value.shape)
        if value.size > 1 and not any(value.strides):
            found["splat"] = True
            data = data.reshape(-1)[:1]
    found["data"] = base64.b64encode(np.ascontiguousarray(data).tobytes()).decode()
    return found


def _read_array(value: Json, path: Path) -> Any:
    given = obj(value, path, "dtype shape data", "splat")
    dims = array(given["shape"], (path, "shape"))
    shape = tuple(integer(d, ((path, "shape"), i), 0) for i, d in enumerate(dims))
    splat = flag(given.get("splat", False), (path, "splat"))
    flat = _elements(given, path, 1 if splat else math.prod(shape))
    found = guarded(
        path, lambda: np.broadcast_to(flat.reshape(()), shape) if splat else flat.reshape(shape)
    )
    if found.flags.writeable:
        found.flags.writeable = False
    return found


def _elements(given: dict[str, Any], path: Path, count: int) -> Any:
    dtype = read_element(given["dtype"], (path, "dtype"))
    if not isinstance(dtype, DType):
        fail((path, "dtype"), "an array has a plain element type; name the one it is stored in")
    data = _base64(given["data"], (path, "data"))
    expected = count * dtype.numpy.itemsize
    if len(data) != expected:
        fail(
            (path, "data"),
            f"{len(data)} bytes are given where {count} elements of {dtype} take {expected}",
            "elements lie in row-major order, little-endian, those below 8 bits in one byte each",
        )
    if dtype.is_bool and data.strip(b"\0\1"):
        fail((path, "data"), "a byte of an i1 array is neither 0 nor 1")
    return np.frombuffer(data, dtype.numpy.newbyteorder("<")).astype(dtype.numpy, copy=False)


def _base64(value: Json, path: Path) -> bytes:
    try:
        return base64.b64decode(text(value, path), validate=True)
    except (binascii.Error, ValueError) as error:
        fail(path, f"this is not base64: {error}")


def _read_float(value: Json, path: Path) -> float:
    if value not in ("nan", "inf", "-inf"):
        fail(path, f"{kind_of(value)} is none of nan, inf and -inf", "write finite ones as numbers")
    return float(value)


def _read_int(value: Json, path: Path) -> int:
    digits = text(value, path)
    if not digits.removeprefix("-").isdecimal() or len(digits) > 100:
        fail(path, f"{kind_of(value)} is no integer")
    return int(digits)


_READERS: dict[str, Callable[[Values, Json, Path], Any]] = {
    "array": lambda v, x, p: _read_array(x, p),
    "axis": lambda v, x, p: _read_axis(x, p),
    "bytes": lambda v, x, p: _base64(x, p),
    "dict": Values.dictionary,
    "dim": lambda v, x, p: read_dim(x, p),
    "dtype": lambda v, x, p: read_element(x, p),
    "float": lambda v, x, p: _read_float(x, p),
    "function": Values.function,
    "int": lambda v, x, p: _read_int(x, p),
    "mesh": Values.read_mesh,
    "scalar": lambda v, x, p: _elements(obj(x, p, "dtype data"), p, 1)[0],
    "sharding": Values.read_sharding,
    "type": lambda v, x, p: read_type(x, p),
}
