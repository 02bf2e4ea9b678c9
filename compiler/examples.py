"""Examples of ops: what documents them, and what their tests run."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.sharding import Sharding
from dxir.types import DType, TensorType


@dataclass(frozen=True, slots=True)
class Sample:
    """An operand whose values matter: drawn from `low..high` (inclusive for integers)."""

    type: TensorType
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sharded:
    """An operand that has a sharding, for ops that need one."""

    type: TensorType
    sharding: Sharding


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a backend may be from the reference, in an element type.

    An element agrees when `|a - b| <= absolute + relative * |b|`, or when both are the same NaN
    or infinity. The default for a float type is a few units in the last place.
    """

    relative: float
    absolute: float

    @classmethod
    def of(cls, dtype: DType, units: float = 8) -> Tolerance:
        """`units` in the last place of `dtype`; exact for everything but floats."""
        if not (dtype.is_float or dtype.is_complex):
            return cls(0.0, 0.0)
        digits = {"f64": 52, "f32": 23, "bf16": 7, "f16": 10}
        bits = digits.get(dtype.real.name)
        if bits is None:
            return cls(0.26, 0.26)  # one step of a float with two bits of fraction
        return cls(units * 2.0**-bits, units * 2.0**-bits)


def _shown(value: Any) -> str:
    """A value as it would be written, functions by what they take."""
    if isinstance(value, (tuple, list)):
        parts = ", ".join(map(_shown, value)) + ("," if len(value) == 1 else "")
        return f"({parts})" if isinstance(value, tuple) else f"[{parts.rstrip(',')}]"
    if not inspect.isfunction(value):
        return repr(value)
    if value.__name__ != "<lambda>":
        return value.__name__
    return f"lambda {', '.join(inspect.signature(value).parameters)}".rstrip() + ": ..."


class Example:
    """One way to call an op: operand types (or arrays, or Samples) and attributes, by field name.

    `hostile=False` says that NaN, infinities and extreme values are outside what the op promises;
    `runs=False` that no single CPU device can run it (collectives, quantized types, host I/O).
    """

    __slots__ = ("arguments", "hostile", "runs")

    def __init__(self, *, hostile: bool = True, runs: bool = True, **arguments: Any) -> None:
        self.arguments = arguments
        self.hostile = hostile
        self.runs = runs

    def __repr__(self) -> str:
        parts = []
        for name, value in self.arguments.items():
            if isinstance(value, np.ndarray):
                text = str(TensorType.of_array(value))
            elif isinstance(value, (Sample, Sharded)):
                text = str(value.type)
            else:
                text = _shown(value)
            parts.append(f"{name}={text}")
        return f"({', '.join(parts)})"
