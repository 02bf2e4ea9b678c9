"""What the checks of a program compare, on arrays, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.check_dialect import PREFIX
from dxir.diagnostics import Diagnostic
from dxir.runtime.check_calls import Check
from dxir.types import DType, f8e8m0fnu

Array = np.ndarray[Any, Any]

FARTHEST = 2**64 - 1
"""The distance in units in the last place between a number and what is none."""

_SHOWN = 3
_KEPT = 10
_FARTHEST = np.uint64(FARTHEST)


@dataclass(frozen=True, slots=True)
class Difference:
    """An element that a check does not accept; both values as text that tells them apart."""

    index: tuple[int, ...]
    actual: str
    expected: str
    ulp: int | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one execution of a check.

    `off` of `elements` are not accepted; `examples` shows the first of them. `max_abs` is the
    largest difference of any element, accepted or not, and `max_ulp` of floats the one in units in
    the last place: both 0 for equal elements, infinities of one sign and two NaNs, infinite and
    `FARTHEST` for what cannot be measured. `fault` says what is wrong; None when the check holds.
    `execution` counts from 1 to `executions`, for a check that is come to several times.
    """

    label: str
    where: str | None
    elements: int
    off: int
    max_abs: float
    max_ulp: int | None
    examples: tuple[Difference, ...] = ()
    fault: str | None = None
    entry: str = "main"
    execution: int = 1
    executions: int = 1

    @property
    def holds(self) -> bool:
        """Whether all elements are accepted."""
        return self.fault is None

    def diagnostic(self) -> Diagnostic:
        """The report of a check that does not hold."""
        nth = f" in execution {self.execution} of {self.executions}" if self.executions > 1 else ""
        message = f"'{PREFIX}{self.label}' op: the check fails{nth}: {self.fault}"
        return Diagnostic("error", message, self.where)


def judged(check: Check, actual: Array, expected: Array) -> CheckResult:
    """What a check says of two values."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        types = f"{_type_text(actual)} (actual) vs {_type_text(expected)} (expected)"
        return faulty(check, actual.size, types)
    ulps = ulp_distance(actual, expected) if _is_inexact(actual.dtype) else None
    good = _accepted(check, actual, expected, ulps)
    bad = np.argwhere(~good)
    examples = tuple(
        _difference(tuple(int(i) for i in at), actual, expected, ulps) for at in bad[:_KEPT]
    )
    return CheckResult(
        check.label,
        check.where,
        actual.size,
        len(bad),
        _largest_difference(actual, expected),
        None if ulps is None else int(ulps.max(initial=0)),
        examples,
        _told(examples, len(bad), actual.size, check.label) if len(bad) else None,
    )


def faulty(check: Check, elements: int, fault: str) -> CheckResult:
    """A check that there is nothing to compare for, element by element."""
    return CheckResult(
        check.label, check.where, elements, elements, float("inf"), None, fault=fault
    )


def _accepted(check: Check, actual: Array, expected: Array, ulps: Array | None) -> Array:
    label, options, bare = check.label, check.options, check.bare
    if ulps is None:  # there is no near for integers
        return equal(actual, expected)
    if label == "expect_close":
        most = np.uint64(options.get("max_ulp_difference", 3 if bare else 1))
        return np.asarray(
            (ulps <= most) & (ulps >= np.uint64(options.get("min_ulp_difference", 0)))
        )
    if "almost" in label or (label == "eq" and bare):
        default = 1e-3 if bare and label != "eq" else 1e-4
        return almost_equal(actual, expected, float(options.get("tolerance", default)))
    return equal(actual, expected)


def _is_inexact(dtype: np.dtype[Any]) -> bool:
    kind = DType.of(dtype)
    return kind.is_float or kind.is_complex


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

    It is 0 for NaNs and for what is equal, `FARTHEST` between a finite number and one that is not.
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


def _largest_difference(actual: Array, expected: Array) -> float:
    """The largest absolute difference: of complex numbers, of their parts; exact for integers."""
    if actual.dtype.kind == "c":
        return max(
            _largest_difference(actual.real, expected.real),
            _largest_difference(actual.imag, expected.imag),
        )
    if not actual.size:
        return 0.0
    if not _is_inexact(actual.dtype):
        kind = np.uint64 if DType.of(actual.dtype).is_unsigned else np.int64
        a, b = actual.astype(kind), expected.astype(kind)
        with np.errstate(over="ignore"):  # what does not fit i64 is right again as ui64
            return int((np.maximum(a, b) - np.minimum(a, b)).view(np.uint64).max())
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        distance = np.where(same, 0.0, np.abs(a - b))
    return float(np.where(np.isnan(distance), np.inf, distance).max())


def _type_text(array: Array) -> str:
    return f"tensor<{'x'.join([*map(str, array.shape), DType.of(array.dtype).mlir])}>"


def _difference(
    at: tuple[int, ...], actual: Array, expected: Array, ulps: Array | None
) -> Difference:
    ulp = None if ulps is None or ulps[at] == _FARTHEST else int(ulps[at])
    return Difference(at, _shown(actual[at]), _shown(expected[at]), ulp)


def _told(examples: tuple[Difference, ...], off: int, elements: int, label: str) -> str:
    """Which elements are not accepted, with both values and how far apart they are."""
    lines: list[str] = []
    for one in examples[:_SHOWN]:
        where = f" at [{', '.join(map(str, one.index))}]" if one.index else ""
        apart = f", {one.ulp} ULP apart" if label == "expect_close" and one.ulp is not None else ""
        lines.append(f"{one.actual} (actual) vs {one.expected} (expected){where}{apart}")
    if off > _SHOWN:
        lines.append(f"and {off - _SHOWN} more")
    count = f"{off} of {elements} elements do not match: " if elements > 1 else ""
    return count + "; ".join(lines)


def _shown(value: Any) -> str:
    dtype = np.asarray(value).dtype
    if dtype.kind in "biu" or dtype.name.startswith(("int", "uint")):
        return str(value).lower() if dtype.kind == "b" else str(int(value))
    if dtype.kind == "c":
        return f"({_shown(value.real)}, {_shown(value.imag)})"
    digits = 17 if dtype.itemsize == 8 else 9
    return f"{float(value):.{digits}g}"
