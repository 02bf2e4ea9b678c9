"""Values of single MLIR ops on constants, by the references of the Dxir ops they raise to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import DxirError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.mlir import IrOperation, IrValue, ir
from dxir.op import Op
from dxir.passes.values.exactness import Exactness, exactness, is_defined, is_settled, work
from dxir.raising import Raising
from dxir.types import TensorType

Array = np.ndarray[Any, Any]

_WORK_PER_ELEMENT = 64


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The results of an op; one whose elements are all the same has all strides 0."""

    arrays: tuple[Array, ...]
    types: tuple[TensorType, ...]
    is_exact: bool


class Evaluator:
    """Evaluates ops of one module, as long as that takes about `limit` elements each."""

    def __init__(self, module: ir.Module, limit: int, *, inexact: bool) -> None:
        self._raising = Raising(module)
        self._most_work = limit * _WORK_PER_ELEMENT
        self._inexact = inexact

    def constant(self, op: IrOperation) -> tuple[Array, ...] | None:
        """The value of a constant op; None when its data is not there."""
        try:
            function = self._raising.function_of(op, ())
            return (np.asarray(evaluate(function)),)
        except DxirError:
            return None

    def op(
        self, op: IrOperation, values: Sequence[IrValue], arrays: Sequence[Array]
    ) -> Evaluated | None:
        """The results of an op, given the values it uses.

        None when the op has no counterpart in Dxir, when it would take too long, when StableHLO
        does not define its results, and when they are not exact unless that is wanted.
        """
        try:
            function = self._raising.function_of(op, values)
            node = function.nodes[0]
            assert isinstance(node, Op)
            exact = exactness(node)
            if exact is Exactness.UNKNOWN or (exact is Exactness.ROUNDED and not self._inexact):
                return None
            results = self._results(function, node, arrays)
        except DxirError:  # what dxir cannot raise or evaluate stays as it is
            return None
        if results is None:
            return None
        types = tuple([r.tensor for r in node.results])
        return Evaluated(results, types, exact is Exactness.EXACT)

    def _results(
        self, function: Function, node: Op, arrays: Sequence[Array]
    ) -> tuple[Array, ...] | None:
        by_param = dict(zip(function.params, arrays, strict=True))
        operands = [by_param[v] for v in node.operands]
        if work(node) > self._most_work:
            return None
        with np.errstate(all="ignore"):
            if not is_defined(node, operands):
                return None
        found = evaluate(function, *arrays)
        results = tuple([_compact(a) for a in (found if isinstance(found, tuple) else (found,))])
        return results if is_settled(node, results) else None


def _compact(array: Any) -> Array:
    """The array; one whose elements have all the same bits as a splat with all strides 0."""
    found = np.asarray(array)
    if found.size < 2 or not any(found.strides):
        return found
    raw = np.ascontiguousarray(found).reshape(-1).view(np.uint8).reshape(found.size, -1)
    if not np.array_equal(raw[1:], raw[:-1]):
        return found
    return np.broadcast_to(found.reshape(-1)[:1].copy().reshape(()), found.shape)
