"""Dimensions and shapes: sizes that are known, and named ones known only at run time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from dxir.errors import ShapeError
from dxir.locations import caller_location


@dataclass(frozen=True, slots=True)
class Dim:
    """A dimension known only at run time.

    Two dynamic dimensions are the same size when they have the same name; `?` is a dimension about
    which nothing is known. `bound` is the largest size, where the producer promised one.
    """

    name: str
    bound: int | None = None

    def __repr__(self) -> str:
        return self.name if self.bound is None else f"{self.name}<={self.bound}"

    def _refuse(self, _other: object = None) -> NoReturn:
        raise ShapeError(
            f"the size {self} is used as a number, and is known only when the program runs",
            where=caller_location(),
            hint="dxir.numpy.reshape takes -1, mean divides by it; as an array it is "
            "dxir.ops.get_dimension_size(x, axis=0)",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __pow__ = __rpow__ = __neg__ = __lt__ = __le__ = __gt__ = __ge__ = __int__ = _refuse


UNKNOWN = Dim("?")
Dimension = int | Dim


def dimension(given: object) -> Dimension:
    """A dimension from an integer, a name or a Dim."""
    if isinstance(given, str) and given:
        return Dim(given)
    if isinstance(given, Dim):
        return given
    if isinstance(given, (int, np.integer)) and type(given) is not bool and 0 <= given < 1 << 63:
        return int(given)
    raise ShapeError(
        f"{given!r} is not a dimension",
        where=caller_location(),
        hint="a dimension is an integer from 0 on, of less than 64 bits, or the name of a dynamic "
        "dimension",
    )


def same_dimension(a: Dimension, b: Dimension) -> bool:
    """Whether two dimensions may be the same size; `?` may be any, a named one only itself."""
    return a == b or _may_be(a, b) or _may_be(b, a)


def _may_be(d: Dimension, other: Dimension) -> bool:
    if not isinstance(d, Dim) or d.name != "?":
        return False
    return d.bound is None or not isinstance(other, int) or other <= d.bound


def same_shape(a: Sequence[Dimension], b: Sequence[Dimension]) -> bool:
    """Whether two shapes may be the same."""
    return len(a) == len(b) and all(same_dimension(x, y) for x, y in zip(a, b, strict=True))


def broadcast_shapes(a: tuple[Dimension, ...], b: tuple[Dimension, ...]) -> tuple[Dimension, ...]:
    """The shape that `a` and `b` broadcast to, aligned on the right; size 1 stretches.

    Raises ShapeError naming both shapes and the axis that does not fit.
    """
    if a == b:
        return a
    rank = max(len(a), len(b))
    left = (1,) * (rank - len(a)) + a
    right = (1,) * (rank - len(b)) + b
    out: list[Dimension] = []
    for axis, (x, y) in enumerate(zip(left, right, strict=True)):
        if x == y or y == 1:
            out.append(x)
        elif x == 1:
            out.append(y)
        elif same_dimension(x, y):
            out.append(x if isinstance(x, int) or not isinstance(y, int) else y)
        else:
            raise ShapeError(
                f"shapes {shape_text(a)} and {shape_text(b)} do not broadcast: "
                f"axis {axis - rank} is {x} in one and {y} in the other",
                hint="equal sizes are needed there, or size 1 in one of them",
            )
    return tuple(out)


def shape_text(shape: Iterable[object]) -> str:
    """A shape as `[2, 3]`."""
    return "[" + ", ".join(map(str, shape)) + "]"
