"""Programs cut out of a program, so that a backend tells the values in between."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from dxir.derivatives import captured, taken
from dxir.graph import Function, Module, Node, Region, Value
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
    """The program of a function that gives these of its values.

    Those that are its results lie as it says of these.
    """
    said = dict(zip(function.results, function.result_shardings, strict=False))
    changed = copy.copy(function)
    changed.name, changed.public = "main", True
    changed.results = tuple(results)
    changed.result_annotations = [{} for _ in results]
    changed.result_shardings = [said.get(v) for v in results]
    changed._declared = tuple(v.type for v in results)  # pyright: ignore[reportPrivateUsage]  # a copy of our own
    return _lowered(changed)


def up_to(function: Function, value: Value) -> Program:
    """The program of a function that gives one of its values, without the ops behind it."""
    changed = copy.copy(function)
    last = function.nodes.index(value.producer) if value.producer is not None else -1
    changed.nodes = function.nodes[: last + 1]
    return giving(changed, [value])


def alone(node: Node) -> tuple[Program, tuple[Value, ...]] | None:
    """The program of one op, and the values that its parameters are; None where one is no tensor.

    Constants that it takes are in the program, as backends treat them in a way of their own.
    """
    used = tuple(dict.fromkeys(taken(node)))
    makers = [v.producer for v in used if _is_constant(v)]
    params = tuple(v for v in used if not _is_constant(v))
    if not all(isinstance(v.type, TensorType) for v in params):
        return None
    constants = [maker for maker in dict.fromkeys(makers) if maker is not None]
    return _lowered(function_of(params, [*constants, node], node.results)), params


def function_of(
    params: Sequence[Value], nodes: Sequence[Node], results: Sequence[Value]
) -> Function:
    """A function of values that are there already; they stay those of where they come from."""
    function = Function("main", [v.type for v in params])
    function.params = tuple(params)
    function.nodes += nodes
    function.results, function.sealed = tuple(results), True
    function.result_annotations = [{} for _ in results]
    function.result_shardings = [None] * len(results)
    return function


def region_function(region: Region) -> Function:
    """A region as a function, whose last parameters are the values that it captures."""
    outside = captured([region])
    makers = [v.producer for v in outside if _is_constant(v)]
    constants = [maker for maker in dict.fromkeys(makers) if maker is not None]
    params = (*region.params, *[v for v in outside if not _is_constant(v)])
    return function_of(params, [*constants, *region.nodes], region.results)


def _is_constant(value: Value) -> bool:
    return value.producer is not None and value.producer.op in _SAME_FOR_ALL


def _lowered(function: Function) -> Program:
    return Program(lower_module(Module([function]), entry=function))


def callee_of(node: Op) -> Function | None:
    """The function whose nodes a call, or a composite, stands for."""
    if node.op not in ("call", "composite"):
        return None
    found = [v for v in node.attrs.values() if isinstance(v, Function)]
    return found[0] if len(found) == 1 and not found[0].is_declaration else None


def branch_of(node: Op, operands: Sequence[Any]) -> Region | None:
    """The region that a conditional runs for its operands; None for other ops."""
    if node.op == "cond" and operands[0] is not None:
        return node.regions[0 if bool(operands[0]) else 1]
    if node.op == "switch" and operands[0] is not None:
        number = int(operands[0])
        return node.regions[number if 0 <= number < len(node.regions) else -1]
    return None
