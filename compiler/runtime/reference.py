"""The target `reference`: a graph run by each op's NumPy reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.bindings import named_types
from dxir.errors import TargetError
from dxir.evaluation import evaluate
from dxir.graph import Function, Module, Value
from dxir.runtime.arguments import check_count, host_array, parameters_of
from dxir.runtime.array import Array, HostArray
from dxir.runtime.executable import Executable
from dxir.symbols import entry_of
from dxir.types import TensorType, Type

if TYPE_CHECKING:
    from dxir.mlir import ir
    from dxir.targets.record import Source


def compile_source(source: Source) -> ReferenceExecutable:
    """What runs what `dxir.compile` was given."""
    return ReferenceExecutable(source.graph())


def examine_module(module: ir.Module) -> None:
    """Refuse a verified module that has no graph, or one whose `main` takes more than tensors."""
    from dxir.raising import raise_module

    ReferenceExecutable(raise_module(module))


class ReferenceExecutable(Executable):
    """A graph that NumPy runs, on the host and at once."""

    target = "reference"

    def __init__(self, graph: Function | Module) -> None:
        self._function = graph if isinstance(graph, Function) else entry_of(graph)
        params = self._function.params
        types = tuple(
            _tensor(v, t, f"parameter {v.name or v.index}")
            for v, t in zip(params, named_types(self._function), strict=True)
        )
        self.parameters = parameters_of(types, tuple(v.name for v in params))
        self.results = tuple(
            _tensor(v, v.type, f"result {i}") for i, v in enumerate(self._function.results)
        )

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Evaluate the graph; every result in a tuple."""
        check_count(len(arguments), self.parameters)
        arrays = [host_array(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        found = evaluate(self._function, *arrays)
        results = (found,) if len(self.results) == 1 else found
        return tuple(
            HostArray(np.asarray(r), t if t.is_static else t.with_shape(np.shape(r)))
            for r, t in zip(results, self.results, strict=True)
        )


def _tensor(value: Value, type: Type, what: str) -> TensorType:
    if not isinstance(type, TensorType):
        raise TargetError(
            f"{what} has type {type}; an executable takes and gives tensors",
            where=value.location,
            hint="use dxir.evaluate, which takes tokens",
        )
    return type
