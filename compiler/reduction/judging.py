"""Whether backends give different results for a program, on arguments made up from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.arithmetic import finfo
from dxir.elements import Array
from dxir.errors import DxirError, ReductionError
from dxir.mlir import decode_type
from dxir.program import Program
from dxir.reading import signature
from dxir.reduction.places import named
from dxir.runtime.backends import runner
from dxir.types import DType, TensorType

_UNKNOWN_SIZE = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What backends make of a program: whether they differ, and in what, or why they cannot."""

    differs: bool
    told: str


def compare(program: Program, backends: Sequence[str], seed: int, tolerance: float) -> Verdict:
    """Run a program on backends, and hold the results of each against those of the last.

    `tolerance` is relative to the largest finite element of a result, in square roots of its
    element type's precision; integers and booleans are to be equal. What a backend refuses is no
    difference.
    """
    try:
        arguments = arguments_for(program, seed)
        *others, judge = [(name, runner(program, name)(arguments)) for name in backends]
    except DxirError as error:
        return Verdict(False, str(error))
    for name, results in others:
        for index, (given, wanted) in enumerate(zip(results, judge[1], strict=True)):
            told = difference(given, wanted, tolerance)
            if told:
                return Verdict(True, f"result {index} of {name} and of {judge[0]} differ: {told}")
    return Verdict(False, "all give the same")


def difference(given: Array, wanted: Array, tolerance: float) -> str:
    """How two results differ; empty when they do not."""
    if given.shape != wanted.shape or given.dtype != wanted.dtype:
        return f"{given.dtype}{list(given.shape)} and {wanted.dtype}{list(wanted.shape)}"
    dtype = DType.of(given.dtype)
    if dtype.is_bool or dtype.is_integer:
        off = int((given != wanted).sum())
        return f"{off} of {given.size} elements" if off else ""
    wide = np.complex128 if dtype.is_complex else np.float64
    a, b = given.astype(wide), wanted.astype(wide)
    with np.errstate(invalid="ignore", over="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        finite = np.isfinite(a) & np.isfinite(b)
        odd = int((~same & ~finite).sum())
        if odd:
            return f"{odd} of {given.size} elements that are not finite"
        largest = float(np.abs(b[finite]).max(initial=0.0))
        farthest = float(np.abs(a - b)[finite].max(initial=0.0))
    allowed = tolerance * float(finfo(dtype.real).eps) ** 0.5 * largest
    return f"by {farthest:.3g}, where {allowed:.3g} is allowed" if farthest > allowed else ""


def arguments_for(program: Program, seed: int) -> list[Array]:
    """Arguments for the `main` of a program: small numbers of both signs, the same each time.

    Raises ReductionError for a parameter that is no tensor.
    """
    types = signature(named(program.module, program.main)).inputs
    return [_argument(decode_type(type), seed, index) for index, type in enumerate(types)]


def _argument(type: Any, seed: int, index: int) -> Array:
    if not isinstance(type, TensorType) or not isinstance(type.dtype, DType):
        raise ReductionError(f"there are no arguments for parameter {index} of type {type}")
    rng = np.random.default_rng((seed, index))
    shape = [size if isinstance(size, int) else _UNKNOWN_SIZE for size in type.shape]
    dtype = type.dtype
    if dtype.is_bool:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype.is_integer:
        low, high = (0, 1) if dtype.bits == 1 else (0, 3) if dtype.is_unsigned else (-2, 1)
        if dtype.bits >= 8:
            low, high = (0, 9) if dtype.is_unsigned else (-5, 5)
        return np.asarray(rng.integers(low, high, shape, endpoint=True)).astype(dtype.numpy)
    data: Array = rng.standard_normal(shape) * 2
    if dtype.is_complex:
        data = data + 1j * rng.standard_normal(shape)
    return np.asarray(data).astype(dtype.numpy)
