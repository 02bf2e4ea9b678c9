"""Types and places as JSON, both ways."""

from __future__ import annotations

import dataclasses

from dxir.json_checks import Json, Path, array, fail, guarded, integer, obj, text
from dxir.locations import Location
from dxir.types import (
    Dim,
    Dimension,
    DType,
    ElementType,
    FutureType,
    QuantizedType,
    TensorType,
    TokenType,
    TupleType,
    Type,
)


def type_json(type: Type) -> Json:
    """A type: `{"dtype": "f32", "shape": [2, "n"]}`, `"token"`, `{"tuple": [...]}`."""
    if isinstance(type, TokenType):
        return "token"
    if not isinstance(type, TensorType):
        return {
            "tuple" if isinstance(type, TupleType) else "future": [type_json(t) for t in type.types]
        }
    shape = [dim_json(d) for d in type.shape]
    found: dict[str, Json] = {"dtype": element_json(type.dtype), "shape": shape}
    if type.axis_names is not None:
        found["axis_names"] = list(type.axis_names)
    return found


def dim_json(dim: Dimension) -> Json:
    """A dimension: an integer, a name, or a name with its bound."""
    if isinstance(dim, int):
        return dim
    return dim.name if dim.bound is None else {"name": dim.name, "bound": dim.bound}


def element_json(dtype: ElementType) -> Json:
    """An element type by its dxir name, or a quantized one as an object."""
    if isinstance(dtype, DType):
        return dtype.name
    found = {f.name: getattr(dtype, f.name) for f in dataclasses.fields(dtype)}
    found |= {"storage": dtype.storage.name, "expressed": dtype.expressed.name}
    found |= {"scales": list(dtype.scales), "zero_points": list(dtype.zero_points)}
    return {k: v for k, v in found.items() if v is not None}


def read_type(value: Json, path: Path) -> Type:
    """The type that `type_json` wrote."""
    if value == "token":
        return TokenType()
    if isinstance(value, dict) and ("tuple" in value or "future" in value):
        (key, inner), *more = value.items()
        if more:
            fail((path, more[0][0]), f"{more[0][0]!r} is no key here")
        types = tuple(
            read_type(t, ((path, key), i)) for i, t in enumerate(array(inner, (path, key)))
        )
        return TupleType(types) if key == "tuple" else FutureType(types)
    given = obj(value, path, "dtype shape", "axis_names")
    shape = array(given["shape"], (path, "shape"))
    dims = [read_dim(d, ((path, "shape"), i)) for i, d in enumerate(shape)]
    names = given.get("axis_names")
    if names is not None:
        names = [
            text(n, ((path, "axis_names"), i))
            for i, n in enumerate(array(names, (path, "axis_names")))
        ]
    return guarded(
        path, lambda: TensorType(dims, read_element(given["dtype"], (path, "dtype")), names)
    )


def read_dim(value: Json, path: Path) -> Dimension:
    """The dimension that `dim_json` wrote."""
    if isinstance(value, str) and value:
        return Dim(value)
    if isinstance(value, dict):
        given = obj(value, path, "name bound")
        return Dim(text(given["name"], (path, "name")), integer(given["bound"], (path, "bound"), 0))
    return integer(value, path, 0)


def read_element(value: Json, path: Path) -> ElementType:
    """The element type that `element_json` wrote."""
    if not isinstance(value, dict):
        return guarded(path, lambda: DType.of(text(value, path)))
    given = obj(value, path, "storage expressed scales zero_points", "axis storage_min storage_max")
    scales = array(given["scales"], (path, "scales"))
    points = array(given["zero_points"], (path, "zero_points"))
    rest = {
        k: integer(given[k], (path, k))
        for k in ("axis", "storage_min", "storage_max")
        if k in given
    }
    return guarded(
        path,
        lambda: QuantizedType(
            DType.of(given["storage"]),
            DType.of(given["expressed"]),
            tuple(float(s) for s in scales),
            tuple(integer(p, ((path, "zero_points"), i)) for i, p in enumerate(points)),
            **rest,
        ),
    )


def location_json(location: Location) -> Json:
    """A place: `["model.py", 12]`, and the column where it is known."""
    found: list[Json] = [location.file, location.line]
    return [*found, location.column] if location.column else found


def read_location(value: Json, path: Path) -> Location:
    """The place that `location_json` wrote."""
    parts = array(value, path)
    if len(parts) not in (2, 3):
        fail(path, f"a location is [file, line] or [file, line, column], not {len(parts)} entries")
    numbers = [integer(n, (path, i), 0) for i, n in enumerate(parts[1:], 1)]
    return Location(text(parts[0], (path, 0)), *numbers)
