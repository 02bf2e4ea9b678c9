"""Graphs as readable SSA text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from dxir.graph import Function, Module, Node, Region, Value
from dxir.sharding import Sharding
from dxir.types import TensorType, Type

_SHOWN = 8  # elements of a constant that are worth reading


class _Names:
    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: dict[str, int] = {}
        self._next = 0

    def give(self, value: Value) -> str:
        if value.name:
            count = self._taken.get(value.name, 0)
            self._taken[value.name] = count + 1
            text = value.name if not count else f"{value.name}.{count}"
        else:
            text, self._next = str(self._next), self._next + 1
        self._names[value] = f"%{text}"
        return self._names[value]

    def __getitem__(self, value: Value) -> str:
        return self._names.get(value, "%<outside>")


def function_text(function: Function) -> str:
    """`func @main(%x: f32[2]) -> f32[2] { ... }`, one node a line."""
    names = _Names()
    params = ", ".join(
        f"{names.give(p)}: {_placed(p.type, s)}"
        for p, s in zip(function.params, function.param_shardings, strict=False)
    )
    kind = "func" if function.public else "func private"
    results = _types(function.result_types, function.result_shardings)
    head = f"{kind} @{function.name}({params}) -> ({results})"
    if not function.sealed and not function.nodes:
        return head
    lines = [head + " {", *_body(function, names, 1), "}"]
    return "\n".join(lines)


def module_text(module: Module) -> str:
    """The meshes and functions of a module."""
    meshes = [
        f"mesh @{m.name} = <{', '.join(f'{n}={s}' for n, s in m.axes)}>" for m in module.meshes
    ]
    return "\n\n".join(["\n".join(meshes)] * bool(meshes) + [str(f) for f in module.functions])


def _placed(type: Type, sharding: Sharding | None) -> str:
    return str(type) if sharding is None else f"{type} {sharding}"


def _types(types: Iterable[Type], shardings: Iterable[Sharding | None]) -> str:
    return ", ".join(_placed(t, s) for t, s in zip_longest(types, shardings))


def _body(region: Region, names: _Names, depth: int) -> list[str]:
    lines: list[str] = []
    indent = "  " * depth
    for node in region.nodes:
        lines += _node(node, names, depth)
    word = "return" if isinstance(region, Function) else "yield"
    lines.append(f"{indent}{word} {', '.join(names[r] for r in region.results)}".rstrip())
    return lines


def _node(node: Node, names: _Names, depth: int) -> list[str]:
    indent = "  " * depth
    operands = ", ".join(names[v] for v in node.operands)
    attrs = attributes_text(node.attrs)
    left = ", ".join(names.give(r) for r in node.results)
    types = _types([r.type for r in node.results], node.sharding or ())
    text = f"{indent}{left + ' = ' if left else ''}{node.op}({operands})"
    text += f" {{{attrs}}}" if attrs else ""
    text += f" : {types}" if types else ""
    if not node.regions:
        return [text]
    lines: list[str] = []
    for region in node.regions:
        params = ", ".join(f"{names.give(p)}: {p.type}" for p in region.params)
        lines.append(f"{text} ({params}) {{" if not lines else f"{indent}}} ({params}) {{")
        lines += _body(region, names, depth + 1)
    return [*lines, f"{indent}}}"]


def attributes_text(attrs: Mapping[str, Any]) -> str:
    """`axis=1, dtype=f32`; absent optional attributes are left out."""
    return ", ".join(f"{k}={_value(v)}" for k, v in attrs.items() if v is not None)


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.size and not any(value.strides):
            return f"splat {value.reshape(-1)[0]}"
        if value.size <= _SHOWN:
            return str(value.tolist())
        return f"array {TensorType.of_array(value)}"
    if isinstance(value, Function):
        return f"@{value.name}"
    return repr(value) if isinstance(value, str) else str(value)
