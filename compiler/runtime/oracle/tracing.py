"""Programs cut out of a program, so that a backend tells the values in between."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from dxir.graph import Function, Module, Node, Value
from dxir.lowering import lower_module
from dxir.op import Op
from dxir.program import Program
from dxir.types import TensorType

MOST_BYTES = 1 << 30
"""How many bytes of values in between a program is made to give."""

_SAME_FOR_ALL = ("constant", "iota", "chlo_constant")


def told_values(function: Function) -> list[Value]:
    """The values in between that a program can give: tensors of known size, no constants."""
    return [
        value
        for node in function.nodes
        if node.op not in _SAME_FOR_ALL
        for value in node.results
        if isinstance(value.type, TensorType)
        and value.type.is_static
        and value.type.dtype.kind != "quantized"
    ]


def size_of(values: Sequence[Value]) -> int:
    """The bytes of all these values."""
    return sum(v.tensor.size * v.tensor.primitive.numpy.itemsize for v in values)


def giving(function: Function, results: Sequence[Value]) -> Program:
    """The program of a function that gives these of its values."""
    changed = copy.copy(function)
    changed.name, changed.public = "main", True
    changed.results = tuple(results)
    changed.result_annotations = [{} for _ in results]
    changed.result_shardings = [None] * len(results)
    changed._declared = tuple(v.type for v in results)  # pyright: ignore[reportPrivateUsage]  # a copy of our own
    return _lowered(changed)


def up_to(function: Function, value: Value) -> Program:
    """The program of a function that gives one of its values, without the ops behind it."""
    changed = copy.copy(function)
    last = function.nodes.index(value.producer) if value.producer is not None else -1
    changed.nodes = function.nodes[: last + 1]
    return giving(changed, [value])


def alone(node: Node) -> Program | None:
    """The program of one op, whose operands are its parameters; None for one that captures."""
    if _captures(node) or not all(isinstance(v.type, TensorType) for v in node.operands):
        return None
    function = Function("main", [v.type for v in node.operands])
    made: Any = copy.copy(node)
    made.operands = function.params
    made.results = tuple(Value(v.type, made, i, function) for i, v in enumerate(node.results))
    made.sharding = None
    function.nodes.append(made)
    function.seal(made.results)
    return _lowered(function)


def _captures(node: Node) -> bool:
    inner: set[Value] = set()
    pending = list(node.regions)
    used: list[Value] = []
    while pending:
        region = pending.pop()
        inner.update(region.params)
        used += region.results
        for nested in region.nodes:
            inner.update(nested.results)
            used += nested.operands
            pending += nested.regions
    return any(v not in inner for v in used)


def _lowered(function: Function) -> Program:
    return Program(lower_module(Module([function]), entry=function))


def callee_of(node: Op) -> Function | None:
    """The function whose nodes a call, or a composite, stands for."""
    if node.op not in ("call", "composite"):
        return None
    found = [v for v in node.attrs.values() if isinstance(v, Function)]
    return found[0] if len(found) == 1 and not found[0].is_declaration else None
