"""Reading graphs from JSON: everything is checked, and made as a call of the op would make it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dxir import ops
from dxir.collecting import collection_paused
from dxir.errors import DxirError, SchemaError
from dxir.graph import Function, Module, Node, Region, Value, building
from dxir.json_checks import (
    Json,
    Path,
    array,
    called,
    entries,
    fail,
    flag,
    guarded,
    kind_of,
    near,
    obj,
    path_of,
    path_text,
    placed,
    text,
)
from dxir.json_types import read_location, read_type
from dxir.json_values import Values
from dxir.locations import NOWHERE, Location, at
from dxir.op import REGISTRY, Op
from dxir.sharding import Mesh
from dxir.types import QuantizedType, TensorType, Type, same_shape

_MAX_DEPTH = 200
_NODE_KEYS = "operands attributes regions results name location shardings annotations"
_FUNCTION_KEYS = "public location annotations declaration nodes"


def read_document(source: str | bytes, version: int) -> Module:
    """The module of a document of this version of the schema."""
    try:
        with collection_paused():
            return _Reader(_parsed(source), version).module()
    except RecursionError:
        raise SchemaError("the document is nested too deeply", where="$") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SchemaError(f"this is not JSON: {error}", where="$") from None
    except ValueError as error:
        if isinstance(error, DxirError):
            raise
        raise SchemaError(f"this is not JSON: {error}", where="$") from None


def _parsed(source: str | bytes) -> Json:
    twice: list[tuple[Json, str]] = []

    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [k for k, _ in pairs]
            twice.append((found, next(k for k in keys if keys.count(k) > 1)))
        return found

    document = json.loads(source, object_pairs_hook=unique, parse_constant=_no_constant)
    if twice:
        within, key = twice[-1]  # the outermost: no key given twice hides it
        fail(path_of(document, within), f"the key {key!r} is given twice in one object")
    return document


def _no_constant(word: str) -> Json:
    raise SchemaError(
        f"{word} is not JSON", where="$", hint='write {"float": "nan"}, "inf" or "-inf"'
    )


class _Reader:
    def __init__(self, document: Json, version: int) -> None:
        if not isinstance(document, dict) or "dxir" not in document:
            fail((), "this is not a dxir graph", 'an object with "dxir": 1 is needed')
        found = document["dxir"]
        if found != version or isinstance(found, (bool, float)):
            fail(((), "dxir"), f"version {kind_of(found)} is unknown", f"this dxir reads {version}")
        self._document = obj(document, (), "dxir functions", "name meshes annotations")
        self._meshes: dict[str, Mesh] = {}
        self._functions: dict[str, Function] = {}
        self._values = Values(self._meshes, self._functions)
        self._ids: dict[str, Value] = {}
        ops.names()

    def module(self) -> Module:
        document = self._document
        rows = array(document.get("meshes", []), ((), "meshes"))
        for i, row in enumerate(rows):
            at_mesh = (((), "meshes"), i)
            mesh = self._values.read_mesh(row, at_mesh)
            if not isinstance(row, dict) or mesh.name in self._meshes:
                fail(at_mesh, f"there are two meshes {mesh.name!r}")
            self._meshes[mesh.name] = mesh
        names = self._index()
        for position in self._order(names):
            self._function(position)
        name = document.get("name")
        if name is not None:
            name = text(name, ((), "name"))
        ordered = [self._functions[n] for n in names]
        module = guarded((), lambda: Module(ordered, self._meshes.values(), name=name))
        module.annotations.update(self._annotations(document, ()))
        return module

    def _index(self) -> dict[str, int]:
        names: dict[str, int] = {}
        for i, row in enumerate(array(self._document["functions"], ((), "functions"))):
            path = (((), "functions"), i)
            name = text(
                obj(row, path, "name params results", _FUNCTION_KEYS)["name"], (path, "name")
            )
            if not name or name in names:
                fail((path, "name"), f"there are two functions {name!r}" if name else "it is empty")
            names[name] = i
        return names

    def _order(self, names: Mapping[str, int]) -> list[int]:
        """The functions, each after those that it calls."""
        rows = self._document["functions"]
        order: list[int] = []
        state: dict[int, int] = {}
        for root in range(len(rows)):
            pending = [(root, False)]
            while pending:
                position, leaving = pending.pop()
                if leaving:
                    state[position] = 2
                    order.append(position)
                elif state.get(position) == 1:
                    name = rows[position]["name"]
                    fail((((), "functions"), position), f"function {name!r} calls itself")
                elif position not in state:
                    state[position] = 1
                    pending.append((position, True))
                    callees = (names[n] for n in called(rows[position]) if n in names)
                    pending += [(p, False) for p in callees if state.get(p) != 2]
        return order

    def _annotations(self, row: dict[str, Json], path: Path) -> dict[str, Any]:
        given = row.get("annotations")
        return {} if given is None else self._values.dictionary(given, (path, "annotations"))

    def _function(self, position: int) -> None:
        path: Path = (((), "functions"), position)
        row = self._document["functions"][position]
        self._ids = {}
        params = array(row["params"], (path, "params"))
        at_params = (path, "params")
        rows = [
            obj(p, (at_params, i), "id type", "name location sharding annotations")
            for i, p in enumerate(params)
        ]
        function = Function(
            row["name"],
            [read_type(p["type"], ((at_params, i), "type")) for i, p in enumerate(rows)],
            public=flag(row.get("public", True), (path, "public")),
            location=self._location(row, path),
        )
        function.annotations.update(self._annotations(row, path))
        self._functions[function.name] = function
        for i, param in enumerate(function.params):
            at_param = (at_params, i)
            self._define(rows[i]["id"], param, (at_param, "id"))
            param.name = self._name(rows[i], at_param)
            function.param_locations[i] = self._location(rows[i], at_param)
            function.param_annotations[i] = self._annotations(rows[i], at_param)
            if "sharding" in rows[i]:
                function.param_shardings[i] = self._sharding(rows[i], param.type, at_param)
        if flag(row.get("declaration", False), (path, "declaration")):
            self._declare(function, row, path)
        else:
            self._body(function, row, path)

    def _declare(self, function: Function, row: dict[str, Json], path: Path) -> None:
        if row.get("nodes"):
            fail((path, "nodes"), "a declaration has no nodes")
        at_results = (path, "results")
        rows = [
            obj(r, (at_results, i), "type", "sharding annotations")
            for i, r in enumerate(array(row["results"], at_results))
        ]
        function.declare(
            [read_type(r["type"], ((at_results, i), "type")) for i, r in enumerate(rows)]
        )
        self._result_sides(function, rows, at_results)

    def _body(self, function: Function, row: dict[str, Json], path: Path) -> None:
        at_results = (path, "results")
        with building(function), at(NOWHERE):
            self._nodes(row.get("nodes", []), function, (path, "nodes"), 0)
            rows = [
                obj(r, (at_results, i), "value", "sharding annotations")
                for i, r in enumerate(array(row["results"], at_results))
            ]
            values = [
                self._value(r["value"], ((at_results, i), "value")) for i, r in enumerate(rows)
            ]
            guarded(at_results, lambda: function.seal(values))
        self._result_sides(function, rows, at_results)

    def _result_sides(self, function: Function, rows: list[dict[str, Json]], path: Path) -> None:
        for i, (row, type) in enumerate(zip(rows, function.result_types, strict=True)):
            function.result_annotations[i] = self._annotations(row, (path, i))
            if "sharding" in row:
                function.result_shardings[i] = self._sharding(row, type, (path, i))

    def _sharding(self, row: dict[str, Json], type: Type, path: Path) -> Any:
        sharding = self._values.read_sharding(row["sharding"], (path, "sharding"))
        guarded((path, "sharding"), lambda: sharding.check(type))
        return sharding

    def _location(self, row: dict[str, Json], path: Path) -> Location | None:
        given = row.get("location")
        return None if given is None else read_location(given, (path, "location"))

    def _name(self, row: dict[str, Json], path: Path) -> str | None:
        given = row.get("name")
        return None if given is None else text(given, (path, "name"))

    def _define(self, id: Json, value: Value, path: Path) -> None:
        name = text(id, path)
        if name in self._ids:
            fail(path, f"two values have the id {name!r}")
        self._ids[name] = value

    def _value(self, id: Json, path: Path) -> Value:
        found = self._ids.get(text(id, path))
        if found is None:
            fail(path, f"no value before this has the id {id!r}", near(id, self._ids))
        return found

    def _nodes(self, rows: Json, region: Region, path: Path, depth: int) -> None:
        for i, row in enumerate(array(rows, path)):
            self._node(obj(row, (path, i), "op", _NODE_KEYS), region, (path, i), depth)

    def _node(self, row: dict[str, Json], region: Region, path: Path, depth: int) -> None:
        location = self._location(row, path)
        with placed(location):
            self._make(row, region, path, depth, location)

    def _make(
        self, row: dict[str, Json], region: Region, path: Path, depth: int, location: Any
    ) -> None:
        name = text(row["op"], (path, "op"))
        cls = REGISTRY.get(name)
        if cls is None:
            other = "an op of another package is known once the module that declares it is imported"
            fail((path, "op"), f"there is no op {name!r}", near(name, REGISTRY) or other)
        arguments = self._arguments(cls, row, path)
        self._add_regions(cls, row, region, path, depth, arguments)
        arguments |= {"name": self._name(row, path), "location": location or NOWHERE}
        self._add_shardings(row, path, arguments)
        count = len(region.nodes)
        try:
            guarded(path, lambda: cls.build(**arguments))
        except (AssertionError, NotImplementedError) as error:
            raise SchemaError(f"{name}: cannot be made: {error}", where=path_text(path)) from error
        if len(region.nodes) <= count or not isinstance(region.nodes[-1], cls):
            fail(path, f"{name} made no node of its own here")
        node = region.nodes[-1]
        node.location = location
        node.annotations = self._annotations(row, path) or None
        self._results(node, row, path)

    def _arguments(self, cls: type[Op], row: dict[str, Json], path: Path) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        at_attributes, at_operands = (path, "attributes"), (path, "operands")
        attributes = entries(row, "attributes", path)
        operands = entries(row, "operands", path)
        kinds = {"attributes": ("attribute",), "operands": ("operand", "optional", "variadic")}
        for key, given in (("attributes", attributes), ("operands", operands)):
            known = [f.name for f in cls.fields if f.kind in kinds[key]]
            unknown = [n for n in given if n not in known]
            if unknown:
                fail(((path, key), unknown[0]),
                     f"{cls.op} has no {' and no '.join(map(repr, unknown))} among its {key}",
                     near(unknown[0], known) or f"it has {', '.join(known) or 'none'}")  # fmt: skip
        for field in cls.fields:
            if field.kind == "attribute":
                if field.name in attributes:
                    value = self._values.read(attributes[field.name], (at_attributes, field.name))
                    if field.annotation in ("float", "float | None") and type(value) is int:
                        value = float(value)
                    arguments[field.name] = value
                elif field.required:
                    fail(at_attributes, f"{cls.op} needs the attribute {field.name!r}")
            elif field.name in operands:
                given, place = operands[field.name], (at_operands, field.name)
                if field.kind == "variadic":
                    items = array(given, place)
                    arguments[field.name] = tuple(
                        [self._value(v, (place, i)) for i, v in enumerate(items)]
                    )
                elif given is not None or field.kind == "operand":
                    arguments[field.name] = self._value(given, place)
            elif field.kind == "operand" or (field.kind == "variadic" and field.required):
                fail(at_operands, f"{cls.op} needs the operand {field.name!r}")
        return arguments

    def _add_regions(
        self, cls: type[Op], row: Any, parent: Region, path: Path, depth: int, arguments: Any
    ) -> None:
        given = entries(row, "regions", path)
        fields = {f.name: f for f in cls.fields if f.kind in ("region", "regions")}
        for name in given.keys() - fields.keys():
            fail(((path, "regions"), name), f"{cls.op} has no region {name!r}")
        for name, field in fields.items():
            place = ((path, "regions"), name)
            if name not in given:
                if field.required:
                    fail((path, "regions"), f"{cls.op} needs the region {name!r}")
            elif field.kind == "region":
                arguments[name] = self._region(given[name], parent, place, depth + 1)
            else:
                rows = array(given[name], place)
                arguments[name] = tuple(
                    [self._region(r, parent, (place, i), depth + 1) for i, r in enumerate(rows)]
                )

    def _region(self, value: Json, parent: Region, path: Path, depth: int) -> Region:
        if depth > _MAX_DEPTH:
            fail(path, f"regions are nested more than {_MAX_DEPTH} deep")
        row = obj(value, path, "params results", "nodes")
        at_params, at_results = (path, "params"), (path, "results")
        rows = [
            obj(p, (at_params, i), "id type", "name")
            for i, p in enumerate(array(row["params"], at_params))
        ]
        types = [read_type(p["type"], ((at_params, i), "type")) for i, p in enumerate(rows)]
        region = Region(types, parent)
        for i, param in enumerate(region.params):
            self._define(rows[i]["id"], param, ((at_params, i), "id"))
            param.name = self._name(rows[i], (at_params, i))
        with building(region):
            self._nodes(row.get("nodes", []), region, (path, "nodes"), depth)
            ids = array(row["results"], at_results)
            values = [self._value(r, (at_results, i)) for i, r in enumerate(ids)]
            guarded(at_results, lambda: region.seal(values))
        return region

    def _add_shardings(self, row: dict[str, Json], path: Path, arguments: dict[str, Any]) -> None:
        if row.get("shardings") is None:
            return
        place = (path, "shardings")
        arguments["sharding"] = tuple(
            None if s is None else self._values.read_sharding(s, (place, i))
            for i, s in enumerate(array(row["shardings"], place))
        )

    def _results(self, node: Node, row: dict[str, Json], path: Path) -> None:
        place = (path, "results")
        rows = array(row.get("results", []), place, len(node.results))
        for i, (value, item) in enumerate(zip(node.results, rows, strict=True)):
            given = obj(item, (place, i), "id", "type")
            self._define(given["id"], value, ((place, i), "id"))
            if given.get("type") is not None:
                type = read_type(given["type"], ((place, i), "type"))
                if type != value.type:
                    _agree(value, type, node, ((place, i), "type"))
                value.type = type


def _fits(type: Type, inferred: Type) -> bool:
    """Whether a node may have a type other than the inferred one.

    That is one that says more or less about unknown sizes, or how stored numbers are quantized.
    """
    if not isinstance(type, TensorType) or not isinstance(inferred, TensorType):
        return False
    if not same_shape(type.shape, inferred.shape):
        return False
    if isinstance(type.dtype, QuantizedType) and type.dtype.storage == inferred.dtype:
        return True
    return type.dtype == inferred.dtype and not (type.is_static and inferred.is_static)


def _agree(value: Value, type: Type, node: Node, path: Path) -> None:
    inferred = value.type
    if not _fits(type, inferred):
        fail(
            path, f"the type is {type}, but {node.op} gives {inferred}", "leave it out, or mend it"
        )
