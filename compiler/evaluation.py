"""Graphs on NumPy arrays, by each op's reference: slow, independent of MLIR, the judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import quantization
from dxir.bindings import Bindings, named_types
from dxir.errors import ArgumentError, DxirError, EvaluationError
from dxir.graph import Function, Module, Node, Region, Value
from dxir.locations import caller_location
from dxir.op import Op
from dxir.symbols import entry_of
from dxir.types import Dim, TensorType, Type, same_shape

Array = np.ndarray[Any, Any]

_AT_ONCE = ("manual_computation",)
"""Ops whose bodies run several times at once, each with values of its own."""


def evaluate(graph: Function | Module, *arguments: Any) -> Any:
    """The results of a function (of `main`, for a module) on NumPy arrays.

    One result is given as it is, several as a tuple. A dynamic dimension takes any size, the same
    wherever its name stands. Arrays of the small element types have the
    `ml_dtypes` dtypes. Raises ArgumentError for arguments of other types than the parameters',
    GraphError for a module without an entry, EvaluationError where an op has no meaning without a
    device.
    """
    function, values = readied(graph, arguments)
    results = results_of(function, values)
    return results[0] if len(results) == 1 else results


def readied(graph: Function | Module, arguments: Sequence[Any]) -> tuple[Function, list[Any]]:
    """The function to evaluate, and the arguments as arrays of its parameters' types."""
    if not isinstance(graph, Function | Module):
        raise ArgumentError(
            f"evaluate takes a Function or a Module, not {type(graph).__name__}",
            where=caller_location(),
            hint="program.raise_() gives the graph of a Program; or compile that with "
            'target="reference"',
        )
    function = graph if isinstance(graph, Function) else entry_of(graph)
    if len(arguments) != len(function.params):
        raise ArgumentError(
            f"{function.name} takes {len(function.params)} arguments, not {len(arguments)}",
            where=caller_location(),
        )
    values = [_argument(a, p) for a, p in zip(arguments, function.params, strict=True)]
    _check_sizes(function, values)
    return function, values


def results_of(function: Function, values: Sequence[Any]) -> tuple[Any, ...]:
    """The results of a function on arrays of its parameters' types."""
    with np.errstate(all="ignore"):
        try:
            found: tuple[Any, ...] = Evaluator().call(function, values)
        except RecursionError:
            raise EvaluationError(
                "calls are nested deeper than Python's stack",
                where=function.location,
                hint="compile the function, or raise Python's recursion limit",
            ) from None
    return found


def _check_sizes(function: Function, values: list[Any]) -> None:
    """Refuse arguments in which a named dimension has two sizes."""
    params = function.params
    if not any(isinstance(p.type, TensorType) and not p.type.is_static for p in params):
        return
    labels = [f"parameter {p.index}" + (f" ({p.name})" if p.name else "") for p in params]
    bindings = Bindings(list(zip(labels, named_types(function), strict=True)))
    try:
        bindings.check([np.shape(v) for v in values])
    except ArgumentError as error:
        where = caller_location()
        error.where = None if where is None else str(where)
        raise


def _argument(given: Any, param: Value) -> Any:
    type = param.type
    if not isinstance(type, TensorType):
        return given
    array = np.asarray(given)
    found = TensorType.of_array(array)
    if found.dtype != type.dtype and type.dtype.kind == "quantized":
        found = found.with_dtype(type.dtype)
    if found.dtype != type.dtype or not same_shape_runtime(array.shape, type):
        raise ArgumentError(
            f"parameter {param.name or param.index} has type {type}, but the argument is {found}",
            where=caller_location(),
            hint=f"convert it: array.astype({type.dtype.numpy.name!r})"
            if found.dtype != type.dtype and type.dtype.kind != "quantized"
            else "give an array of that shape",
        )
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def same_shape_runtime(shape: tuple[int, ...], type: TensorType) -> bool:
    """Whether a concrete shape fits the type; dynamic dimensions take any size."""
    wanted = [n if isinstance(d, Dim) else d for d, n in zip(type.shape, shape, strict=False)]
    return len(shape) == len(type.shape) and same_shape(shape, wanted)


class Evaluator:
    """Runs regions node by node. A subclass may look at what each node gives, or change it."""

    def __init__(self) -> None:
        self._ends: dict[Region, list[list[Value]]] = {}

    def settled(self, node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        """What is taken for the results of a node: here, what its reference gave."""
        return results

    def computed(self, node: Op, operands: list[Any], values: dict[Value, Any]) -> Any:
        """What a node gives for its operands, one result or several; `values` are those around."""
        if not node.stored_integers and any(map(_quantized, (*node.operands, *node.results))):
            return quantization.reference(node, operands)
        return node.reference(*operands, **self._callables(node, values))

    def call(self, region: Region, arguments: Any, outer: dict[Value, Any] | None = None) -> Any:
        """The results of a region; `outer` are the values around it, which its own are put in."""
        values: dict[Value, Any] = {} if outer is None else outer
        if isinstance(region, Function) and region.is_declaration:
            raise EvaluationError(f"function {region.name!r} has no body", where=region.location)
        values.update(zip(region.params, arguments, strict=True))
        ends = self._ends.get(region)
        if ends is None:
            ends = self._ends[region] = _ends(region)
        for node, ended in zip(region.nodes, ends, strict=True):
            self.run(node, values)
            for value in ended:
                del values[value]
        return tuple([values[r] for r in region.results])

    def run(self, node: Node, values: dict[Value, Any]) -> None:
        """Put the results of a node into `values`, which has its operands and what it captures."""
        assert isinstance(node, Op)
        operands = [values[v] for v in node.operands]
        try:
            results = self.computed(node, operands, values)
        except DxirError as error:
            error.where = error.where or (str(node.location) if node.location else None)
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError) as error:
            given = ", ".join(str(v.type) for v in node.operands)
            raise EvaluationError(
                f"{node.op}: its reference cannot take ({given}): {type(error).__name__}: {error}",
                where=node.location,
            ) from error
        if not isinstance(results, (tuple, list)):
            results = (results,)
        found = [self._conform(r, v.type, node) for v, r in zip(node.results, results, strict=True)]
        values.update(zip(node.results, self.settled(node, operands, found), strict=True))

    def _callables(self, node: Op, values: dict[Value, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in node.fields:
            if field.kind == "region":
                found[field.name] = self._bind(getattr(node, field.name), values, node)
            elif field.kind == "regions":
                found[field.name] = [self._bind(r, values, node) for r in getattr(node, field.name)]
            elif isinstance(node.attrs.get(field.name), Function):
                found[field.name] = self._bind(node.attrs[field.name], None, node)
        return found

    def _bind(
        self, region: Region, outer: dict[Value, Any] | None, node: Node
    ) -> Callable[..., Any]:
        if node.op in _AT_ONCE:
            return lambda *arguments: self.call(region, arguments, dict(outer or {}))
        return lambda *arguments: self.call(region, arguments, outer)

    def _conform(self, result: Any, type: Type, node: Node) -> Any:
        if not isinstance(type, TensorType):
            return result
        array = np.asarray(result)
        if array.dtype != type.dtype.numpy or not same_shape_runtime(array.shape, type):
            raise EvaluationError(
                f"{node.op}: its reference gives {array.dtype}{list(array.shape)}, "
                f"but its type is {type}",
                where=node.location,
            )
        return array


def _ends(region: Region) -> list[list[Value]]:
    """For each node the region's values that nothing uses after it, in nested regions neither."""
    last: dict[Value, int] = dict.fromkeys(region.params, 0)
    for i, node in enumerate(region.nodes):
        last.update(dict.fromkeys(node.results, i))
        used = [*node.operands]
        pending = list(node.regions)
        while pending:
            inner = pending.pop()
            used += inner.results
            for nested in inner.nodes:
                used += nested.operands
                pending += nested.regions
        last.update((v, i) for v in used if v in last)
    for result in region.results:
        last.pop(result, None)
    ends: list[list[Value]] = [[] for _ in region.nodes]
    if ends:
        for value, i in last.items():
            ends[i].append(value)
    return ends


def _quantized(value: Value) -> bool:
    return quantization.is_quantized(value.type)
