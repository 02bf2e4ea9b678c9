"""What kernels take, and how near their results are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import TargetError
from dxir.types import DType, TensorType, Type


@dataclass(frozen=True, slots=True)
class Takes:
    """The tensors that a kernel takes as an operand; what is left out may be anything.

    `dtypes` are element types or their names, `ranks` the possible numbers of axes. Sizes must be
    known unless `dynamic`.
    """

    dtypes: tuple[DType, ...] | None = None
    ranks: tuple[int, ...] | None = None
    dynamic: bool = False

    def __init__(
        self,
        *dtypes: object,
        ranks: int | Sequence[int] | None = None,
        dynamic: bool = False,
    ) -> None:
        found = tuple([DType.of(d) for d in dtypes])
        object.__setattr__(self, "dtypes", found or None)
        ranks = (ranks,) if isinstance(ranks, int) else ranks
        object.__setattr__(self, "ranks", None if ranks is None else tuple(ranks))
        object.__setattr__(self, "dynamic", dynamic)

    def refusal(self, type: Type) -> str | None:
        """What is wrong with an operand of that type, after "operand 0 "; None when it is taken."""
        if not isinstance(type, TensorType):
            return f"is a {type}; the kernel takes tensors"
        if self.dtypes is not None and type.dtype not in self.dtypes:
            wanted = _either([d.name for d in self.dtypes])
            return f"is {type.dtype.name}; the kernel takes {wanted}"
        if self.ranks is not None and type.rank not in self.ranks:
            return f"has rank {type.rank}; the kernel takes rank {_either(self.ranks)}"
        if not self.dynamic and not type.is_static:
            return f"is {type}; the kernel takes known sizes"
        return None


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far the results of a kernel may be from those of the decomposition."""

    relative: float = 0.0
    absolute: float = 0.0

    def __post_init__(self) -> None:
        for name, number in (("relative", self.relative), ("absolute", self.absolute)):
            if not 0 <= number < math.inf:
                raise TargetError(
                    f"the {name} tolerance of a kernel is {number}",
                    hint="it is a finite number, 0 or more",
                )

    def allows(self, expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any]) -> bool:
        """Whether every element is close enough, NaN where NaN is expected."""
        if expected.shape != found.shape or expected.dtype != found.dtype:
            return False
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        return np.allclose(
            found.astype(wide),
            expected.astype(wide),
            rtol=self.relative,
            atol=self.absolute,
            equal_nan=True,
        )


EXACT = Tolerance()
"""The results of a kernel are those of the decomposition."""


def _either(values: Sequence[object]) -> str:
    words = [str(v) for v in values]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
