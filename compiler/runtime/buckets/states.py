"""What is known of a value when some dimensions of parameters are longer than they should be.

What is asked is whether it matters. A value is as it would be but for the elements beyond the true
size along its padded axes, of which nothing is known; or it is a small array of integers, some of
which are padded sizes, good for nothing but shapes.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from dxir.diagnostics import where_of
from dxir.errors import TargetError
from dxir.mlir import IrOperation


class Part(enum.Enum):
    """An integer: as it would be without padding, or one that depends on a padded size."""

    RIGHT = enum.auto()
    WRONG = enum.auto()


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a padded dimension, by its name."""

    name: str


Known = int | Size | Part
"""What is known of one integer."""


@dataclass(frozen=True, slots=True)
class State:
    """A value: the padded dimension along each padded axis, and its integers, if looked at."""

    axes: Mapping[int, str] = field(default_factory=dict[int, str])
    parts: tuple[Known, ...] | None = None

    @property
    def is_size(self) -> bool:
        """Whether the value itself depends on a padded size."""
        return any(isinstance(p, Size) or p is Part.WRONG for p in self.parts or ())

    @property
    def is_same(self) -> bool:
        """Whether the value is what it would be without padding."""
        return not self.axes and not self.is_size


SAME = State()
"""A value that padding does not change."""


class Mixed(Exception):
    """An op whose result depends on elements, or a size, that padding added; says how."""


def refusal(op: IrOperation, why: str, names: str) -> TargetError:
    """The error for a program that gives other results when these dimensions are padded."""
    return TargetError(
        f"{names} cannot be rounded up to buckets: {op.name} {why}",
        where=where_of(op.location),
        hint="compile it without buckets: each size is then compiled for itself",
    )
