"""Graphs as JSON: how front ends in other languages hand them over. docs/json.md is the schema."""

from __future__ import annotations

import json
from typing import Any

from dxir.errors import SchemaError
from dxir.graph import Function, Module, Region, Value
from dxir.json_checks import Json
from dxir.json_reading import read_document
from dxir.json_types import location_json, type_json
from dxir.json_values import Values
from dxir.locations import caller_location

VERSION = 1


def to_json(graph: Module | Function, *, indent: int | None = None) -> str:
    """The JSON text of a module, or of a function and those it calls.

    The same graph gives the same bytes: keys are sorted, values numbered in order. Raises
    SchemaError for an attribute of a kind that JSON has no form for.
    """
    module = graph if isinstance(graph, Module) else Module([graph])
    document = _Writer(module).document()
    separators = (",", ":") if indent is None else None
    return json.dumps(
        document, sort_keys=True, separators=separators, indent=indent, allow_nan=False
    )


def from_json(text: str | bytes) -> Module:
    """The module of a JSON text.

    Every node is made and checked as a call of `dxir.ops` would. Raises SchemaError, with the
    place in the document, for whatever is not a graph; nothing in a document is ever executed.
    """
    if not isinstance(text, (str, bytes)):
        raise SchemaError(
            f"a JSON text is needed, not {type(text).__name__}",
            where=caller_location(),
            hint="json.dumps makes the text of a document",
        )
    return read_document(text, VERSION)


class _Writer:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._values = Values({m.name: m for m in module.meshes}, {})
        self._ids: dict[Value, str] = {}

    def document(self) -> Json:
        module = self._module
        found: dict[str, Json] = {
            "dxir": VERSION,
            "functions": [self._function(f) for f in module.functions],
        }
        if module.name is not None:
            found["name"] = module.name
        if module.meshes:
            found["meshes"] = [self._values.mesh_json(m) for m in module.meshes]
        self._add_annotations(found, module.annotations)
        return found

    def _add_annotations(self, found: dict[str, Json], annotations: Any) -> None:
        if annotations:
            found["annotations"] = {k: self._values.write(v) for k, v in annotations.items()}

    def _id(self, value: Value) -> str:
        found = self._ids[value] = str(len(self._ids))
        return found

    def _function(self, function: Function) -> Json:
        self._ids = {}
        found: dict[str, Json] = {"name": function.name, "public": function.public}
        if function.location is not None:
            found["location"] = location_json(function.location)
        self._add_annotations(found, function.annotations)
        params: list[Json] = []
        for i, value in enumerate(function.params):
            row = self._param(value)
            place = function.param_locations[i]
            if place is not None:
                row["location"] = location_json(place)
            self._add_side(row, function.param_shardings[i], function.param_annotations[i])
            params.append(row)
        found["params"] = params
        results: list[Json] = []
        if function.is_declaration:
            found["declaration"] = True
            results = [{"type": type_json(t)} for t in function.result_types]
        else:
            found["nodes"] = [self._node(n) for n in function.nodes]
            results = [{"value": self._ids[r]} for r in function.results]
        for i, row in enumerate(results):
            self._add_side(row, function.result_shardings[i], function.result_annotations[i])
        found["results"] = results
        return found

    def _add_side(self, row: dict[str, Json], sharding: Any, annotations: Any) -> None:
        if sharding is not None:
            row["sharding"] = self._values.sharding_json(sharding)
        self._add_annotations(row, annotations)

    def _param(self, value: Value) -> dict[str, Json]:
        row: dict[str, Json] = {"id": self._id(value), "type": type_json(value.type)}
        if value.name:
            row["name"] = value.name
        return row

    def _node(self, node: Any) -> Json:
        found: dict[str, Json] = {"op": node.op}
        operands = self._operands(node)
        if operands:
            found["operands"] = operands
        attrs = {
            f.name: self._values.write(node.attrs[f.name])
            for f in node.fields
            if f.kind == "attribute"
            and (f.required or node.attrs[f.name] is not None or f.default is not None)
        }
        if attrs:
            found["attributes"] = attrs
        if node.regions:
            found["regions"] = self._regions(node)
        found["results"] = [{"id": self._id(r), "type": type_json(r.type)} for r in node.results]
        if node.name:
            found["name"] = node.name
        if node.location is not None:
            found["location"] = location_json(node.location)
        if node.sharding is not None:
            found["shardings"] = [
                None if s is None else self._values.sharding_json(s) for s in node.sharding
            ]
        self._add_annotations(found, node.annotations)
        return found

    def _operands(self, node: Any) -> Json:
        found: dict[str, Json] = {}
        for field in node.fields:
            if field.kind == "operand":
                found[field.name] = self._ids[getattr(node, field.name)]
            elif field.kind == "variadic":
                found[field.name] = [self._ids[v] for v in getattr(node, field.name)]
            elif field.kind == "optional":
                given = getattr(node, field.name)
                if given is not None:
                    found[field.name] = self._ids[given]
        return found

    def _regions(self, node: Any) -> Json:
        found: dict[str, Json] = {}
        for field in node.fields:
            if field.kind == "region":
                found[field.name] = self._region(getattr(node, field.name))
            elif field.kind == "regions":
                found[field.name] = [self._region(r) for r in getattr(node, field.name)]
        return found

    def _region(self, region: Region) -> Json:
        return {
            "params": [self._param(p) for p in region.params],
            "nodes": [self._node(n) for n in region.nodes],
            "results": [self._ids[r] for r in region.results],
        }
