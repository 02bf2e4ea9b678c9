"""Which ops NumPy computes exactly as StableHLO says, bit for bit, and what computing them takes.

Exact are ops on integers, comparisons, data movement, conversions, and of floats what IEEE 754
rounds correctly: add, subtract, multiply, divide, sqrt, and the ops that do not round at all. Sums
of floats depend on their order, and transcendental functions differ between libraries in the last
places: these are rounded. What StableHLO leaves to the implementation (dividing an integer by zero,
a float out of the range of an integer) is not defined, however exactly one could compute it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np

from dxir.arithmetic import integer_limits, widened
from dxir.graph import Region, Value
from dxir.op import Op
from dxir.types import DType, TensorType

Array = np.ndarray[Any, Any]


class Exactness(Enum):
    """How far a value that NumPy computes can be taken for the op's."""

    EXACT = "exact"
    ROUNDED = "rounded"
    UNKNOWN = "unknown"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MOVES = _words("""
    broadcast broadcast_in_dim concatenate dynamic_broadcast_in_dim dynamic_gather dynamic_iota
    dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice gather iota pad
    real_dynamic_slice reshape reverse select slice transpose""")
_PLAIN = _words("""
    add and bitcast_convert ceil clamp compare complex conj convert count_leading_zeros floor
    imag is_finite is_inf is_neg_inf is_pos_inf negate next_after not or popcnt real
    reduce_precision round_nearest_afz round_nearest_even shift_left shift_right_arithmetic
    shift_right_logical subtract xor""")
_OF_REALS = _words("abs divide maximum minimum multiply remainder sign sqrt square top_k")
_OF_INTEGERS = _words("power convolution dot dot_general dynamic_conv mulhi")
_ROUNDED = _words("""
    acos acosh asin asinh atan atan2 atanh batch_norm_inference bessel_i1e cbrt cholesky cosh
    cosine digamma erf erf_inv erfc exponential exponential_minus_one fft lgamma log log_plus_one
    logistic polygamma rsqrt sine sinh tan tanh triangular_solve zeta""")
_FOLDS = _words("reduce reduce_window")
_WITH_BODY = _FOLDS | {"scatter", "sort"}

_CHLO_BROADCAST = "chlo.broadcast_"
_ASSOCIATIVE = _words("add and maximum minimum multiply or xor")
_NEUTRAL = {"stablehlo.add": 0, "stablehlo.multiply": 1, "stablehlo.xor": 0}
_INTEGRAL_ORDER = ("SIGNED", "UNSIGNED", "TOTALORDER")

# What a step in Python costs against one inside NumPy.
_STEP = 256


def _short(name: str) -> str:
    """The name of an op without its dialect, `chlo.broadcast_add` like `stablehlo.add`."""
    return name.removeprefix(_CHLO_BROADCAST).partition(".")[2] or name.removeprefix(
        _CHLO_BROADCAST
    )


def is_candidate(name: str) -> bool:
    """Whether ops of the MLIR name can be exact, or rounded, for some operands."""
    dialect, _, _ = name.partition(".")
    short = _short(name)
    return dialect in ("stablehlo", "chlo") and any(
        short in names for names in (_MOVES, _PLAIN, _OF_REALS, _OF_INTEGERS, _ROUNDED, _WITH_BODY)
    )


def _types(values: Sequence[Value]) -> list[DType]:
    found = (v.type for v in values)
    return [t.primitive for t in found if isinstance(t, TensorType)]


def exactness(node: Op) -> Exactness:
    """What the op's reference gives, as far as its name, types and regions tell."""
    short = _short(node.mlir or "")
    if short in _WITH_BODY:
        return _of_body(node, short)
    if short in _MOVES or short in _PLAIN:
        return Exactness.EXACT
    types = _types((*node.operands, *node.results))
    if short in _OF_REALS and not any(t.is_complex for t in types):
        return Exactness.EXACT
    if short in _OF_INTEGERS and all(t.is_integer for t in types):
        return Exactness.EXACT
    known = short in _OF_REALS or short in _OF_INTEGERS or short in _ROUNDED
    return Exactness.ROUNDED if known and not any(t.is_bool for t in types) else Exactness.UNKNOWN


def _only_op(body: Region) -> Op | None:
    """The op that is all of a body: it takes the two parameters, and its result is given back."""
    if len(body.nodes) != 1 or len(body.params) != 2 or body.results != body.nodes[0].results:
        return None
    node = body.nodes[0]
    fits = len(node.operands) == 2 and set(node.operands) == set(body.params)
    return node if fits and isinstance(node, Op) else None


def _of_body(node: Op, short: str) -> Exactness:
    if short == "sort":
        return Exactness.EXACT if _is_ordered(node) else Exactness.UNKNOWN
    (body,) = node.regions
    if short == "scatter" and body.results == body.params[1:] and len(body.params) == 2:
        replaces = bool(node.attrs.get("unique_indices"))
        return Exactness.EXACT if replaces else Exactness.UNKNOWN
    only = _only_op(body)
    if only is None or _short(only.mlir or "") not in _ASSOCIATIVE:
        return Exactness.UNKNOWN
    (type,) = _types(body.results)
    if type.is_integer or type.is_bool or (_is_choice(only) and not type.is_complex):
        return Exactness.EXACT
    return Exactness.ROUNDED


def _is_choice(node: Op) -> bool:
    return node.mlir in ("stablehlo.maximum", "stablehlo.minimum")


def _is_ordered(node: Op) -> bool:
    """Whether a sort compares one of its inputs, in an order that NaN is part of."""
    (body,) = node.regions
    if len(body.nodes) != 1 or body.results != body.nodes[0].results:
        return False
    only = body.nodes[0]
    if not isinstance(only, Op) or only.mlir != "stablehlo.compare":
        return False
    places = [body.params.index(v) for v in only.operands if v in body.params]
    if len(places) != 2 or min(places) % 2 or max(places) - min(places) != 1:
        return False
    type = only.operands[0].tensor.primitive
    total = only.attrs.get("compare_type") in _INTEGRAL_ORDER or type.is_integer
    stable = bool(node.attrs.get("is_stable")) or len(node.operands) == 1
    return only.attrs.get("direction") in ("LT", "GT") and total and stable


def is_defined(node: Op, arrays: Sequence[Array]) -> bool:
    """Whether StableHLO says what the op gives for these operands."""
    short = _short(node.mlir or "")
    if short in ("divide", "remainder"):
        return not node.operands[0].tensor.primitive.is_integer or _divides(*arrays)
    if short == "power" and node.operands[0].tensor.primitive.is_integer:
        return not np.any(widened(arrays[1]) < 0)
    if short == "convert":
        return _converts(arrays[0], node.results[0].tensor.primitive)
    if short == "top_k":
        return not np.any(np.isnan(widened(arrays[0])))
    if short in _FOLDS:
        return _folds(node, arrays)
    if short == "scatter":
        only = _only_op(node.regions[0])
        return only is None or not _is_choice(only) or not _has_both_zeros(arrays[0], arrays[2])
    return True


def _divides(x: Array, y: Array) -> bool:
    dtype = DType.of(y.dtype)
    if np.any(y == 0):
        return False
    if dtype.is_unsigned:
        return True
    low, _ = integer_limits(dtype)
    return not np.any((widened(x) == low) & (widened(y) == -1))


def _converts(x: Array, target: DType) -> bool:
    source = DType.of(x.dtype)
    if source.is_complex:
        x, source = x.real, source.real
    if target.is_integer and source.is_float:
        wide = widened(x)
        low, high = integer_limits(target)
        return bool(np.all((wide > low - 1.0) & (wide < high + 1.0)))
    if target.is_float and target.bits < 32 and source.bits > 16:
        # Rounded to f32 on the way: the same only where that loses nothing.
        single = x.astype(np.float32)
        exact = (single.astype(np.float64) == x) & (np.abs(widened(x)) < 2.0**63)
        return bool(np.all(exact | np.isnan(single)))
    return True


def _folds(node: Op, arrays: Sequence[Array]) -> bool:
    """Whether the order of a reduction, and how often its init is used, make no difference."""
    only = _only_op(node.regions[0])
    assert only is not None
    neutral = _NEUTRAL.get(only.mlir or "")
    if neutral is not None and not np.all(arrays[1] == arrays[1].dtype.type(neutral)):
        return False
    return not _is_choice(only) or not _has_both_zeros(*arrays)


def _has_both_zeros(*arrays: Array) -> bool:
    if not DType.of(arrays[0].dtype).is_float:
        return False
    negative = [bool(s) for a in arrays for s in np.unique(np.signbit(a[a == 0]))]
    return len(set(negative)) > 1


def is_settled(node: Op, results: Sequence[Array]) -> bool:
    """Whether the results are free of overflow that element types treat in ways of their own."""
    if _short(node.mlir or "") in _MOVES | _WITH_BODY | {"bitcast_convert"}:
        return True
    small = (r for r in results if DType.of(r.dtype).is_float and DType.of(r.dtype).bits <= 8)
    return all(np.all(np.isfinite(widened(r))) for r in small)


def work(node: Op) -> int:
    """About how many elements NumPy computes on the way, those of operands and results included."""
    short = _short(node.mlir or "")
    result = node.results[0].tensor.size
    total = sum(v.tensor.size for v in (*node.operands, *node.results))
    if short in ("dot_general", "dot"):
        lhs = node.operands[0].tensor.static_shape
        axes = node.attrs.get("lhs_contracting", (-1,)) if lhs else ()
        total += result * math.prod(lhs[a] for a in axes)
    elif short in ("convolution", "dynamic_conv"):
        total += result * node.operands[1].tensor.size
    elif short == "reduce_window":
        total *= math.prod(node.attrs["window_dimensions"])
    elif short == "sort":
        total *= _STEP * max(1, total.bit_length())
    elif short in ("scatter", "gather", "dynamic_gather"):
        total += _STEP // 4 * node.operands[1].tensor.size
    if short == "scatter" or (short in _FOLDS and _only_name(node) == "stablehlo.xor"):
        total *= _STEP
    return total


def _only_name(node: Op) -> str | None:
    only = _only_op(node.regions[0])
    return None if only is None else only.mlir
