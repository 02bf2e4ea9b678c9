"""Attributes, types and places as short texts: what is large is told by its size."""

from __future__ import annotations

import re

from dxir.diagnostics import node_name_of, where_of
from dxir.mlir import IrAttribute, IrLocation, IrOperation, ir, sdy
from dxir.reading import SHARDING, attribute, attribute_names, attribute_text

_ELEMENTS = 16
_CHARACTERS = 1200
_LOCATION_CHARACTERS = 2000
_XLA_SHARDING = "mhlo.sharding"
_FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?", re.I)


def cut(text: str, limit: int = _CHARACTERS) -> str:
    """The text, or its start and how long it is."""
    if len(text) <= limit:
        return text
    return f"{text[: limit // 2]}… ({len(text):,} characters)"


def value_text(value: IrAttribute | None) -> str:
    """An attribute; of a constant with many elements its type, of a long text its start."""
    if value is None:
        return "(a value that the bindings do not hand out)"
    if isinstance(value, ir.DenseElementsAttr) and not value.is_splat and len(value) > _ELEMENTS:
        return f"{len(value):,} elements : {value.type}"
    if isinstance(value, ir.StringAttr):
        data = value.value_bytes
        if len(data) > _CHARACTERS:
            start = data[: _CHARACTERS // 2].decode("utf-8", "replace")
            return f'"{start}"… ({len(data):,} bytes)'
    if isinstance(value, ir.DenseResourceElementsAttr):
        return cut(attribute_text(value), 300)
    return cut(attribute_text(value))


def attributes_text(op: IrOperation, without: frozenset[str]) -> list[tuple[str, str]]:
    """The attributes of an op by name."""
    return [
        (name, value_text(attribute(op, name)))
        for name in attribute_names(op)
        if name not in without
    ]


def constant_text(op: IrOperation) -> str:
    """The value of a constant, where it is short enough to stand in a box."""
    value = attribute(op, "value")
    if not isinstance(value, ir.DenseElementsAttr):
        return ""
    if not value.is_splat and len(value) > 4:
        return ""
    text = attribute_text(value)
    inner, _, _ = text.removeprefix("dense<").rpartition("> : ")
    if _FLOAT.fullmatch(inner):
        inner = f"{float(inner):g}"
    return inner if len(inner) <= 24 else ""


def type_text(type: ir.Type) -> str:
    """A type; a long tuple by its start."""
    return cut(str(type))


def shardings_of(op: IrOperation, count: int) -> list[str]:
    """How each of the results of an op is asked to lie; empty texts where nothing is said."""
    given = attribute(op, SHARDING)
    if given is not None and sdy.TensorShardingPerValueAttr.isinstance(given):
        found = [sharding_text(s) for s in sdy.TensorShardingPerValueAttr(given).shardings]
        return (found + [""] * count)[:count]
    if given is None:
        given = attribute(op, _XLA_SHARDING)
    return [sharding_text(given)] * count


def shardings_in(attributes: IrAttribute | None, count: int) -> list[str]:
    """How parameters or results of a function are asked to lie, from its `arg_attrs`."""
    found = [""] * count
    if not isinstance(attributes, ir.ArrayAttr):
        return found
    for i, each in enumerate(attributes):
        if i < count and isinstance(each, ir.DictAttr):
            for name in (_XLA_SHARDING, SHARDING):
                if name in each:
                    found[i] = sharding_text(each[name])
    return found


def sharding_text(sharding: IrAttribute | None) -> str:
    """A sharding without what every sharding starts with."""
    if sharding is None:
        return ""
    text = attribute_text(sharding)
    if text.startswith("#sdy.sharding<") and text.endswith(">"):
        text = text.removeprefix("#sdy.sharding<")[:-1]
    return cut(text, 400)


class Places:
    """Where ops are; many share a location, so each is read once."""

    def __init__(self) -> None:
        self._known: dict[IrAttribute, tuple[str, str, str]] = {}

    def of(self, location: IrLocation) -> tuple[str, str, str]:
        """The user's place, the name a front end gave it, and the location as it stands."""
        key = location.attr  # locations have no hash that equal ones share
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(location)
        return found

    @staticmethod
    def _read(location: IrLocation) -> tuple[str, str, str]:
        try:
            text = str(location)
        except (RuntimeError, UnicodeError):
            return "", "", "(a place that is not UTF-8)"
        if text == "loc(unknown)":
            return "", "", ""
        named = node_name_of(location) or ""
        return where_of(location) or "", cut(named, 300), cut(text, _LOCATION_CHARACTERS)
