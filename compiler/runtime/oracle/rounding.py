"""How rounding may move what a program computes: the program evaluated again, rounded otherwise.

Every op rounds its result, and a backend may round it elsewhere: it keeps a wider intermediate,
adds in another order, or has another approximation of a function. Evaluating a program several
times, with each result moved by what its op may be off, up or down at random, shows how far each
element of its results is thereby moved, cancellation included (stochastic arithmetic: Parker,
Monte Carlo Arithmetic, 1997; Vignes, CESTAC, 1993).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dxir.arithmetic import finfo
from dxir.errors import DxirError
from dxir.evaluation import Array, Evaluator
from dxir.graph import Function, Value
from dxir.op import Derived, Op, expansion
from dxir.types import DType, TensorType

_PRODUCTS = frozenset(("dot_general", "legacy_dot", "convolution", "matmul", "einsum", "dot"))
_SUMS = _PRODUCTS | {"reduce", "reduce_window", "sum", "cumsum", "scatter", "select_and_scatter"}
_UNITS = {"erfc": 64.0, "erf_inv": 32.0}
"""Ops whose relative error is larger than their tolerance, which is absolute near 0, says."""

_ABSOLUTE = frozenset(("lgamma", "digamma", "polygamma"))
"""Ops whose results near 0 are differences, and may be off as 1 may."""

_EIGHT_BITS = 8


def is_exact(node: Op) -> bool:
    """Whether the results of an op depend on no rounding of its own."""
    if node.op in ("abs", "sign") and node.operands[0].tensor.dtype.kind == "complex":
        return False
    return node.rounding in ("moves", "exact")


def is_inexact_type(dtype: np.dtype[Any]) -> bool:
    """Whether the elements are floats, or complex."""
    kind = DType.of(dtype)
    return kind.is_float or kind.is_complex


def epsilon(dtype: np.dtype[Any]) -> float:
    """The distance from 1 to the next number of a float or complex type."""
    return float(finfo(DType.of(dtype).real).eps)


def smallest_normal(dtype: np.dtype[Any]) -> float:
    """The smallest number of a float or complex type that is not subnormal; 0 for narrow floats."""
    kind = DType.of(dtype).real
    return float(finfo(kind).tiny) if kind.bits > _EIGHT_BITS else 0.0


class Expanding(Evaluator):
    """Evaluates what is made of other ops by those."""

    def __init__(self) -> None:
        super().__init__()
        self._expansions: dict[int, tuple[Derived, Function]] = {}

    def computed(self, node: Op, operands: list[Any], values: dict[Any, Any]) -> Any:
        """What the op gives, or what it expands to."""
        if isinstance(node, Derived) and _is_made_of_ops(node):
            return self.call(self._expansion(node), operands)
        return super().computed(node, operands, values)

    def _expansion(self, node: Derived) -> Function:
        known = self._expansions.get(id(node))
        if known is None or known[0] is not node:
            known = self._expansions[id(node)] = (node, expansion(node))
        return known[1]


class Moved(Expanding):
    """Evaluates with every rounding moved, up or down at random: the same way for the same seed.

    What an op that rounds once gives exactly is not moved, nor are sums of whole numbers: they are
    the same in any type and order, and loops may count by them.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = np.random.default_rng(seed)

    def computed(self, node: Op, operands: list[Any], values: dict[Any, Any]) -> Any:
        """A sum is as sensitive as its terms are large, which shows when these are moved.

        What is made of other ops is computed by those, each of them moved.
        """
        if _is_made_of_ops(node):
            return super().computed(node, operands, values)
        if node.rounding == "sums" and not _counts(node, operands):
            # Added one after the other, terms are off by more the more there were before.
            units = 1.0 + _terms(node) ** 0.5 / 2
            operands = [self._moved(operand, units) for operand in operands]
        return super().computed(node, operands, values)

    def settled(self, node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        """The results moved by what the op may be off."""
        if is_exact(node) or _is_made_of_ops(node) or _counts(node, operands):
            return results
        if node.rounding != "once":
            units = _UNITS.get(node.op, max(1.0, node.tolerance / 2))
            least = 1.0 if node.op in _ABSOLUTE else 0.0
            return [self._moved(result, units, least) for result in results]
        moved = self._moved(results[0], 1.0)
        exact = _exactly(node, operands, results[0])
        return [moved if exact is None else np.where(exact, results[0], moved)]

    def _moved(self, value: Any, units: float, least: float = 0.0) -> Any:
        if not isinstance(value, np.ndarray | np.generic) or not is_inexact_type(value.dtype):
            return value
        array: Array = np.asarray(value)
        step = units * epsilon(array.dtype)
        if array.dtype.kind == "c":
            size = step * np.abs(array)
            amounts = self._signs(array.shape) + 1j * self._signs(array.shape)
            return np.asarray(array + (amounts * size).astype(array.dtype))
        wide = array.astype(np.float64 if array.dtype != np.float64 else np.longdouble)
        size = np.maximum(np.abs(wide), least) if least else np.abs(wide)
        moved = wide + step * self._signs(array.shape) * size
        return np.asarray(np.where(np.isfinite(wide), moved, wide).astype(array.dtype))

    def _signs(self, shape: tuple[int, ...]) -> Array:
        """Signs, each with a size from 1/2 to 1, so that sums of them are hardly ever nothing."""
        signs = self._random.integers(0, 2, shape) * 2.0 - 1.0
        return np.asarray(signs * self._random.uniform(0.5, 1.0, shape))


def _terms(node: Op) -> float:
    """About how many terms the elements of the first result are sums of."""
    sizes = [float(v.tensor.size) for v in node.operands if _is_static(v)]
    result = float(node.results[0].tensor.size) if _is_static(node.results[0]) else 0.0
    if not sizes or not result:
        return 1.0
    if node.op in _PRODUCTS and len(sizes) == 2:
        return float(max(1.0, math.sqrt(sizes[0] * sizes[1] / result)))
    if node.family == "cumulative":
        return float(max(node.results[0].tensor.static_shape, default=1))
    return max(1.0, max(sizes) / result)


def _is_static(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.is_static


def _is_made_of_ops(node: Op) -> bool:
    return isinstance(node, Derived) and not node.regions


def _exactly(node: Op, operands: list[Any], result: Any) -> Array | None:
    """Where the result of an op is what it is without rounding; None where that is not known."""
    if not isinstance(result, np.ndarray | np.generic) or not is_inexact_type(result.dtype):
        return None
    if node.op == "convert":
        (given,) = operands
        wide = np.complex128 if "c" in (given.dtype.kind, result.dtype.kind) else np.float64
        return np.asarray(np.asarray(given).astype(wide) == np.asarray(result).astype(wide))
    if result.dtype in (np.float64, np.complex128):
        whole = all(map(_is_whole, operands)) and node.op in ("add", "sub", "mul")
        return np.abs(result) < 2.0**53 if whole else None
    wide = np.complex128 if result.dtype.kind == "c" else np.float64
    try:
        found = node.reference(*[np.asarray(o).astype(wide) for o in operands])
    except (TypeError, ValueError, DxirError):
        return None
    return np.asarray(found == np.asarray(result).astype(wide))


def _counts(node: Op, operands: list[Any]) -> bool:
    """Whether an op adds up whole numbers, or products of them, that its type holds exactly."""
    if node.op not in _SUMS:
        return False
    bound = 1.0
    floats = [np.asarray(o) for o in operands if is_inexact_type(np.asarray(o).dtype)]
    for array in floats:
        if not _is_whole(array):
            return False
        total = float(np.abs(array).astype(np.float64).sum())
        bound = bound * max(total, 1.0) if node.op in _PRODUCTS else bound + total
    return bound * max(map(epsilon, (a.dtype for a in floats)), default=0.0) < 1.0


def _is_whole(value: Any) -> bool:
    array: Array = np.asarray(value)
    if not is_inexact_type(array.dtype):
        return True
    if array.dtype.kind == "c":
        return _is_whole(array.real) and _is_whole(array.imag)
    wide = array.astype(np.float64)
    return bool(np.all(np.isfinite(wide) & (np.rint(wide) == wide)))


class Flushed(Expanding):
    """Evaluates as hardware does that takes numbers that are not normal for zero.

    It does so where it computes; with `everywhere`, also where it compares or rounds to integers,
    which some backends do with numbers and others with bits.
    """

    def __init__(self, *, everywhere: bool) -> None:
        super().__init__()
        self._everywhere = everywhere

    def computed(self, node: Op, operands: list[Any], values: dict[Any, Any]) -> Any:
        """Operands are flushed where the op computes with them."""
        if self._computes(node):
            operands = [flush_subnormals(o) if isinstance(o, np.ndarray) else o for o in operands]
        return super().computed(node, operands, values)

    def settled(self, node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        """What is computed is flushed, too."""
        if not self._computes(node):
            return results
        return [flush_subnormals(r) if isinstance(r, np.ndarray) else r for r in results]

    def _computes(self, node: Op) -> bool:
        if _is_made_of_ops(node):
            return False
        if self._everywhere:
            return node.rounding != "moves"
        return not is_exact(node)


def flush_subnormals(array: Any) -> Any:
    """Subnormal elements replaced by zeros of their sign: what XLA's CPU code computes with."""
    array = np.asarray(array)
    kind = DType.of(array.dtype)
    if kind.is_complex:
        parts = flush_subnormals(array.real) + 1j * flush_subnormals(array.imag)
        return np.where(np.isfinite(array), parts, array).astype(array.dtype)
    if not kind.is_float or kind.bits <= _EIGHT_BITS:
        return array
    tiny = float(finfo(kind).tiny)
    wide = array.astype(np.float64)
    small = (np.abs(wide) < tiny) & (wide != 0)
    flushed = np.where(small, np.copysign(0.0, wide), wide)
    return flushed.astype(array.dtype) if small.any() else array
