"""What a jitted function keeps for one signature of its arguments."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir.errors import ArgumentError, TracingError
from dxir.functions.leaves import Leaf
from dxir.functions.plans import Plan, builder
from dxir.functions.traces import Traced
from dxir.numpy.promotion import DEFAULTS
from dxir.sharding import Mesh
from dxir.tracing.arrays import Array
from dxir.types import Dim, TensorType

_SCALARS: dict[Any, type] = {
    DEFAULTS["bool"]: bool, DEFAULTS["int"]: int, DEFAULTS["float"]: float,
    DEFAULTS["complex"]: complex,
}  # fmt: skip


class Entry:
    """A program for one signature; without `executable` until that is compiled."""

    __slots__ = (
        "_args", "_build", "_kwargs", "_leaves", "_quick", "_weak", "executable", "lock", "mesh",
        "traced",
    )  # fmt: skip

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.traced: Traced | None = None
        self.executable: Any = None

    def fill(
        self, traced: Traced, executable: Any, mesh: Mesh | None, donated: Sequence[int]
    ) -> None:
        """Make it ready for calls."""
        args, kwargs = traced.in_tree.children
        self._args, self._kwargs = Plan(args), Plan(kwargs)
        self._quick = self._args.is_quick and self._kwargs.is_quick
        places = getattr(executable, "placements", None) or [None] * len(traced.leaves)
        self._leaves = [
            _Expected(leaf, None if i in donated else place)
            for i, (leaf, place) in enumerate(zip(traced.leaves, places, strict=True))
        ]
        self._build = builder(traced.result.tree)
        self._weak = traced.result.weak
        self.mesh = mesh
        self.traced = traced
        self.executable = executable

    def take(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any] | None:
        """The arguments as the executable takes them; None where they may be of another signature.

        That they are of this one is told quickly, for what most calls are made with.
        """
        given: list[Any] = []
        try:
            if not self._quick or not self._args.take(args, given):
                return None
            if not self._kwargs.take(kwargs, given):
                return None
        except TracingError:  # of static values, which are named where they are told apart
            return None
        found: list[Any] = []
        for value, expected in zip(given, self._leaves):  # noqa: B905  the plans count them
            if value.__class__ is Array:
                held = value._numbers  # pyright: ignore[reportPrivateUsage]  # quicker than `held`
                if value.weak is not expected.weak:
                    return None
            elif value.__class__ is expected.scalar:
                held = expected.number(value)
            elif not expected.weak:
                if isinstance(value, np.generic):
                    if isinstance(value, (float, complex)):  # a Python number, and so weak
                        return None
                    value = np.asarray(value)
                held = value
            else:
                return None
            if held.__class__ is np.ndarray:
                if held.dtype != expected.numpy or not expected.has_shape(held.shape):
                    return None
            elif not expected.is_type(getattr(held, "type", None)):
                return None
            found.append(held)
        return found

    def run(self, arguments: Sequence[Any]) -> Any:
        """The results on arguments as the executable takes them, in their containers."""
        try:
            results = self.executable.run(arguments)
        except ArgumentError:
            moved = _moved(self.executable, arguments)
            if moved is None:
                raise
            results = self.executable.run(moved)
        made = Array.of_held
        return self._build([
            made(v if hasattr(v, "placement") else v.numpy(), w)
            for v, w in zip(results, self._weak)  # noqa: B905  of one trace
        ])  # fmt: skip


def _moved(executable: Any, arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments with those on other devices brought to where they belong; None if none are."""
    if hasattr(executable, "for_arguments"):
        executable = executable.for_arguments(arguments)
    places = getattr(executable, "placements", ())
    if len(places) != len(arguments):
        return None
    found = [
        given.to(place) if getattr(given, "placement", place) != place else given
        for given, place in zip(arguments, places, strict=True)
    ]
    return found if any(a is not b for a, b in zip(found, arguments, strict=True)) else None


class _Expected:
    """What is known of one leaf of the arguments."""

    __slots__ = ("_dynamic", "_last", "_place", "numpy", "scalar", "type", "weak")

    def __init__(self, leaf: Leaf, place: Any) -> None:
        self._place = place
        self._last: tuple[Any, Any] | None = None
        self.type = leaf.type
        self.weak = leaf.weak
        self.numpy = leaf.type.dtype.numpy
        self.scalar = _SCALARS.get(leaf.type.dtype) if leaf.weak else None
        self._dynamic = not leaf.type.is_static

    def number(self, value: Any) -> Any:
        """A Python number as an array; the one before again if it was the same, on the device.

        None for one that the type does not hold.
        """
        last = self._last
        if last is not None and last[0] == value and value and value.__class__ is not complex:
            return last[1]  # 0.0 and -0.0 are equal, also as parts of complex numbers
        try:
            made = np.asarray(value, self.numpy)
        except OverflowError:
            return None
        if self._place is None:
            return made
        from dxir.runtime.pjrt import to_device

        held = to_device(made, self._place)
        self._last = value, held
        return held

    def is_type(self, type: Any) -> bool:
        """Whether a leaf of the type is one of the signature."""
        wanted = self.type
        return (
            type is wanted
            or type == wanted
            or (
                self._dynamic
                and type.__class__ is TensorType
                and type.dtype == wanted.dtype
                and self.has_shape(type.shape)
            )
        )

    def has_shape(self, shape: tuple[Any, ...]) -> bool:
        """Whether a leaf of the shape is one of the signature."""
        wanted = self.type.shape
        return shape == wanted or (
            self._dynamic
            and len(shape) == len(wanted)
            and all(d == n or isinstance(d, Dim) for d, n in zip(wanted, shape))  # noqa: B905
        )
