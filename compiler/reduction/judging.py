"""Whether backends give different results for a program, on arguments made up from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.elements import Array
from dxir.errors import DxirError, ReductionError
from dxir.mlir import decode_type
from dxir.program import Program
from dxir.reading import signature
from dxir.reduction.places import named
from dxir.runtime.oracle import Policy, compare
from dxir.runtime.oracle.policy import OFF
from dxir.types import DType, TensorType

_UNKNOWN_SIZE = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What backends make of a program: whether they differ, and in what, or why they cannot."""

    differs: bool
    told: str
    refused: bool = False


def judged(
    program: Program, backends: Sequence[str], seed: int, tolerance: float | None
) -> Verdict:
    """Run a program on backends, and hold the results of each against the judge's.

    What is accepted is what `dxir.runtime.oracle` accepts; with a `tolerance`, floats that are
    off by no more than that, relative to the judge's. Results that are off by a known fault of a
    backend are off, too. What a backend refuses is no difference.
    """
    try:
        found = compare(
            program,
            arguments_for(program, seed),
            backends,
            policy=Policy(rtol=tolerance),
            bisect=False,
            contained=False,
        )
    except DxirError as error:
        return Verdict(False, error.message, True)
    for row in found.rows:
        if row.verdict == OFF:
            return Verdict(
                True,
                f"result {row.result} of {row.backend} is not that of {found.judge}: "
                f"{row.off} of {row.elements} elements are off, by up to {row.max_abs:.3g}",
            )
    for row in found.rows:
        if row.error is not None:
            return Verdict(False, f"{row.backend} does not run it: {row.error.message}", True)
    return Verdict(False, "all give the same")


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
