"""What the ops of the check dialect compare, on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dxir.runtime.interpreter.probes import Reading
from dxir.types import DType, f8e8m0fnu

Array = np.ndarray[Any, Any]

_SHOWN = 3
_FARTHEST = np.uint64(2**64 - 1)


def equal(actual: Array, expected: Array) -> Array:
    """Where the elements are equal: a NaN never is, the two zeros are."""
    with np.errstate(invalid="ignore"):
        return np.asarray(actual == expected)


def almost_equal(actual: Array, expected: Array, tolerance: float) -> Array:
    """Where floats, or both parts of complex numbers, differ by no more than `tolerance`.

    NaNs are almost equal, infinities only to themselves, and numbers of different signs never,
    not even those near 0.
    """
    if actual.dtype.kind == "c":
        return almost_equal(actual.real, expected.real, tolerance) & almost_equal(
            actual.imag, expected.imag, tolerance
        )
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = (np.abs(a - b) <= tolerance) & (np.signbit(a) == np.signbit(b))
        finite = np.isfinite(a) & np.isfinite(b)
        return np.asarray((a == b) | (near & finite) | (np.isnan(a) & np.isnan(b)))


def ulp_distance(actual: Array, expected: Array) -> Array:
    """How many representable numbers lie between the elements; of complex ones, the larger part's.

    It is 0 for NaNs and for what is equal, 2**64 - 1 between a finite number and one that is not.
    """
    if actual.dtype.kind == "c":
        return np.maximum(
            ulp_distance(actual.real, expected.real), ulp_distance(actual.imag, expected.imag)
        )
    a, b = _steps(actual), _steps(expected)
    same_sign = _is_negative(actual) == _is_negative(expected)
    distance = np.where(same_sign, np.where(a > b, a - b, b - a), a + b)
    wide_a, wide_b = actual.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(wide_a) & np.isfinite(wide_b)
    same = (wide_a == wide_b) | (np.isnan(wide_a) & np.isnan(wide_b))
    return np.asarray(np.where(same, np.uint64(0), np.where(finite, distance, _FARTHEST)))


def _bits(array: Array) -> Array:
    return np.asarray(array, order="C").view(f"u{array.dtype.itemsize}").astype(np.uint64)


def _sign_bit(dtype: np.dtype[Any]) -> np.uint64:
    kind = DType.of(dtype)
    return np.uint64(0 if kind is f8e8m0fnu else 1 << (kind.bits - 1))


def _is_negative(array: Array) -> Array:
    return np.asarray((_bits(array) & _sign_bit(array.dtype)) != 0)


def _steps(array: Array) -> Array:
    """How many representable numbers lie between 0 and the absolute value of each element."""
    return np.asarray(_bits(array) & ~_sign_bit(array.dtype))


def fault(reading: Reading, earlier: Sequence[Reading]) -> str | None:
    """What is wrong with the values that a check saw, or None; `earlier` is what came before it."""
    label, options = reading.spot.label, reading.spot.options or {}
    if label == "expect_serialized_eq":
        return _serialized_fault(reading.arrays[0], options, earlier)
    actual, expected = reading.arrays
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{_type_text(actual)} (actual) vs {_type_text(expected)} (expected)"
    bare = "bare" in options  # a plain custom call says nothing; stablehlo-translate has its own
    ulps = None
    if label == "expect_close":
        ulps = ulp_distance(actual, expected)
        most = np.uint64(options.get("max_ulp_difference", 3 if bare else 1))
        good = (ulps <= most) & (ulps >= np.uint64(options.get("min_ulp_difference", 0)))
    elif "almost" in label or (label == "eq" and bare and DType.of(actual.dtype).is_float):
        default = 1e-3 if bare and label != "eq" else 1e-4
        good = almost_equal(actual, expected, float(options.get("tolerance", default)))
    else:
        good = equal(actual, expected)
    return None if good.all() else differences(np.asarray(good), actual, expected, ulps)


def _serialized_fault(
    expected: Array, options: Mapping[str, float | int | str], earlier: Sequence[Reading]
) -> str | None:
    name, nth = options["probe_id"], int(options.get("iteration", 0))
    found = [r for r in earlier if r.spot.kind == "probe" and r.spot.label == name]
    if nth >= len(found):
        return f"the probe {name!r} was written {len(found)} times, not {nth + 1}"
    actual = found[nth].arrays[0]
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{_type_text(actual)} (actual) vs {_type_text(expected)} (expected)"
    good = equal(actual, expected)
    return None if good.all() else differences(good, actual, expected)


def _type_text(array: Array) -> str:
    return f"tensor<{'x'.join([*map(str, array.shape), DType.of(array.dtype).mlir])}>"


def differences(good: Array, actual: Array, expected: Array, ulps: Array | None = None) -> str:
    """Which elements are not `good`, with both values and how far apart they are."""
    bad = np.argwhere(~good)
    lines: list[str] = []
    for index in bad[:_SHOWN]:
        at = tuple(int(i) for i in index)
        where = f" at [{', '.join(map(str, at))}]" if at else ""
        values = f"{_shown(actual[at])} (actual) vs {_shown(expected[at])} (expected)"
        more = f", {int(ulps[at])} ULP apart" if ulps is not None and ulps[at] != _FARTHEST else ""
        lines.append(f"{values}{where}{more}")
    if len(bad) > _SHOWN:
        lines.append(f"and {len(bad) - _SHOWN} more")
    count = f"{len(bad)} of {good.size} elements do not match: " if good.size > 1 else ""
    return count + "; ".join(lines)


def _shown(value: Any) -> str:
    dtype = np.asarray(value).dtype
    if dtype.kind in "biu" or dtype.name.startswith(("int", "uint")):
        return str(value).lower() if dtype.kind == "b" else str(int(value))
    if dtype.kind == "c":
        return f"({_shown(value.real)}, {_shown(value.imag)})"
    digits = 17 if dtype.itemsize == 8 else 9
    return f"{float(value):.{digits}g}"
