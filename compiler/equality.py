"""Whether two pieces of a graph are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from dxir.attributes import frozen
from dxir.graph import Function, Node, Region, Value


def same_attrs(a: Any, b: Any) -> bool:
    """Whether two attribute values are the same, to the bit and to the type."""
    if a.__class__ is not b.__class__ and not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        return False
    if isinstance(a, Function) and isinstance(b, Function):
        return same_structure(a, b)
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(same_attrs(v, b[k]) for k, v in a.items())
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same_attrs(x, y) for x, y in zip(a, b, strict=True))
    return bool(frozen(a) == frozen(b))


def same_structure(a: Function, b: Function) -> bool:
    """Whether two functions hold the same nodes in the same order; names and places aside."""
    return a is b or _same_region(a, b, {})


def digest(function: Function) -> str:
    """A short word for the structure of a function, the same in every process."""
    found = sha256()
    for part in _parts(function, {}):
        found.update(part if isinstance(part, bytes) else f"{part};".encode())
    return found.hexdigest()[:10]


def _parts(region: Region, numbers: dict[Value, int]) -> Iterator[str | bytes]:
    """What a region consists of, values by their numbers."""
    for value in region.params:
        numbers[value] = len(numbers)
        yield str(value.type)
    for node in region.nodes:
        yield f"{node.op} {[numbers.get(v, -1) for v in node.operands]} {node.segments}"
        yield from _parts_of_attribute(node.attrs)
        for nested in node.regions:
            yield from _parts(nested, numbers)
        for value in node.results:
            numbers[value] = len(numbers)
            yield str(value.type)
    yield str([numbers.get(v, -1) for v in region.results])


def _parts_of_attribute(value: Any) -> Iterator[str | bytes]:
    if isinstance(value, Function):
        yield from _parts(value, {})
    elif isinstance(value, Mapping):
        for name in sorted(value):
            yield str(name)
            yield from _parts_of_attribute(value[name])
    elif isinstance(value, (tuple, list)):
        yield f"{len(value)}"
        for entry in value:
            yield from _parts_of_attribute(entry)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape}"
        yield value.tobytes()
    else:
        yield f"{type(value).__name__} {value}"


def _same_region(a: Region, b: Region, values: dict[Value, Value]) -> bool:
    if a.param_types != b.param_types or len(a.nodes) != len(b.nodes):
        return False
    values.update(zip(a.params, b.params, strict=True))
    for x, y in zip(a.nodes, b.nodes, strict=True):
        if not _same_node(x, y, values):
            return False
        values.update(zip(x.results, y.results, strict=True))
    return len(a.results) == len(b.results) and all(
        values.get(x) is y for x, y in zip(a.results, b.results, strict=True)
    )


def _same_node(a: Node, b: Node, values: dict[Value, Value]) -> bool:
    return (
        a.__class__ is b.__class__
        and a.segments == b.segments
        and [r.type for r in a.results] == [r.type for r in b.results]
        and len(a.operands) == len(b.operands)
        and all(values.get(x) is y for x, y in zip(a.operands, b.operands, strict=True))
        and same_attrs(a.attrs, b.attrs)
        and a.sharding == b.sharding
        and same_attrs(a.annotations or {}, b.annotations or {})
        and len(a.regions) == len(b.regions)
        and all(_same_region(x, y, values) for x, y in zip(a.regions, b.regions, strict=True))
    )
