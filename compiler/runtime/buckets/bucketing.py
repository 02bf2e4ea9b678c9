"""Programs whose dynamic dimensions are rounded up to a few sizes, and results cut back."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.bindings import Shape, as_size
from dxir.errors import ArgumentError, TargetError
from dxir.passes.shapes.known import is_assertion
from dxir.program import Program
from dxir.reading import ops_below
from dxir.runtime.arguments import Parameter, host_array
from dxir.runtime.array import Array, HostArray, NumpyArray
from dxir.runtime.buckets.spreading import padded_results
from dxir.runtime.specializing import SpecializingExecutable, shape_of
from dxir.targets.options import Buckets
from dxir.targets.record import Source, Target
from dxir.types import TensorType

POWERS_OF_TWO = "powers of two"
_MOST_ROUNDED = 4096


def rounded(size: int, buckets: Buckets, bound: int | None) -> int:
    """The bucket that a size goes into; itself beyond the largest one."""
    if isinstance(buckets, str):
        found = 1 << max(0, size - 1).bit_length()
    else:
        position = bisect.bisect_left(buckets, size)
        found = buckets[position] if position < len(buckets) else size
    return found if bound is None else min(found, bound)


def checked_buckets(given: Mapping[str, Buckets], names: Sequence[str]) -> dict[str, Buckets]:
    """Buckets in ascending order; ArgumentError for those of no dimension, and for no sizes."""
    found: dict[str, Buckets] = {}
    for name, sizes in given.items():
        if name not in names:
            raise ArgumentError(
                f"there are buckets for {name!r}, and no dimension is called that",
                hint=f"there are {', '.join(names)}" if names else "none of them has a name",
            )
        if isinstance(sizes, str):
            if sizes != POWERS_OF_TWO:
                raise ArgumentError(
                    f"{sizes!r} are no buckets for {name}",
                    hint=f"give sizes, or {POWERS_OF_TWO!r}",
                )
            found[name] = sizes
            continue
        known = [s for given in sizes if (s := as_size(given)) is not None]
        if len(known) < len(sizes) or not known:
            raise ArgumentError(
                f"{sizes!r} are no buckets for {name}", hint="give integers >= 0, at least one"
            )
        found[name] = tuple(sorted(set(known)))
    return found


@dataclass(frozen=True, slots=True)
class _Rounded:
    """A call: the shapes that its arguments are padded to, and the sizes that results are cut to.

    `exact` says that there is nothing to pad or cut.
    """

    shapes: tuple[Shape, ...]
    sizes: Mapping[str, int]
    exact: bool


class BucketingExecutable(SpecializingExecutable):
    """A program with dynamic dimensions, compiled for a few sizes that the true ones go into.

    Arguments are padded, which goes by way of the host, and results cut, which are arrays on the
    host then; where the sizes are those of a bucket already, both stay on the device. The elements
    that padding adds reach no result, whatever they are: programs in which they might are refused.
    """

    def __init__(
        self, source: Source, target: Target, results: tuple[TensorType, ...] | None = None
    ) -> None:
        super().__init__(source, target, results)
        self.buckets = checked_buckets(source.options.buckets, self.dims)
        for name, place in self._bindings.derived.items():
            if name in self.buckets:
                raise TargetError(
                    f"{name} cannot be rounded up to buckets: {place} follows from it",
                    hint="compile it without buckets: each size is then compiled for itself",
                )
        self._axes = self._bindings.axes(self.buckets)
        program = source.program()
        self._cuts = padded_results(program, self._axes)
        self._asserts = _has_assertions(program)
        self._rounded: dict[tuple[Any, ...], _Rounded] = {}
        self._allows: dict[tuple[Shape, ...], bool] = {}

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run the executable for the buckets that the sizes of the arguments go into."""
        found = None
        if len(arguments) == len(self.parameters):
            found = self._rounded.get(tuple([shape_of(arguments[i]) for i in self._dynamic]))
        if found is None:
            found = self._round(arguments)
        if found.exact:
            return super().run(arguments)
        padded = [
            _padded(a, p, shape) if axes else a
            for a, p, shape, axes in zip(
                arguments, self.parameters, found.shapes, self._axes, strict=True
            )
        ]
        given = super().run(padded)
        return tuple(_cut(r, axes, found.sizes) for r, axes in zip(given, self._cuts, strict=True))

    def _round(self, arguments: Sequence[Any]) -> _Rounded:
        shapes = self._checked(arguments)
        sizes: dict[str, int] = {}
        padded: list[Shape] = []
        for shape, axes in zip(shapes, self._axes, strict=True):
            sizes |= {name: shape[axis] for axis, name in axes.items()}
            padded.append(
                tuple([self._size(axes[i], d) if i in axes else d for i, d in enumerate(shape)])
            )
        if self._asserts:
            self._specialized(shapes)  # for what it says of the true sizes
            padded = self._allowed(padded, shapes)
        found = _Rounded(tuple(padded), sizes, padded == shapes)
        if len(self._rounded) >= _MOST_ROUNDED:
            self._rounded.clear()
        self._rounded[tuple([shapes[i] for i in self._dynamic])] = found
        return found

    def _allowed(self, padded: list[Shape], shapes: list[Shape]) -> list[Shape]:
        """The padded shapes if what the program asserts holds of them, too; the true ones else."""
        key = tuple(padded)
        if key not in self._allows:
            if len(self._allows) >= _MOST_ROUNDED:
                self._allows.clear()
            try:
                self._specialized(padded)
            except ArgumentError:
                self._allows[key] = False
            else:
                self._allows[key] = True
        return padded if self._allows[key] else shapes

    def _size(self, name: str, size: int) -> int:
        return rounded(size, self.buckets[name], self._bindings.bound(name))


def _has_assertions(program: Program) -> bool:
    return any(map(is_assertion, ops_below(program.module.operation, ("stablehlo.custom_call",))))


def filled(shape: Shape, dtype: np.dtype[Any]) -> NumpyArray:
    """A new array to put an argument into; what it holds beside does not matter."""
    return np.zeros(shape, dtype)


def _padded(argument: Any, parameter: Parameter, shape: Shape) -> NumpyArray:
    if isinstance(argument, Array) and argument.type.dtype == parameter.type.dtype:
        argument = argument.numpy()
    array = host_array(argument, parameter)
    if array.shape == shape:
        return array
    found = filled(shape, array.dtype)
    found[tuple([slice(n) for n in array.shape])] = array
    return found


def _cut(result: Array, axes: Mapping[int, str], sizes: Mapping[str, int]) -> Array:
    shape = tuple([sizes[axes[i]] if i in axes else n for i, n in enumerate(result.shape)])
    if shape == result.shape:
        return result
    return HostArray(
        result.numpy()[tuple([slice(n) for n in shape])], result.type.with_shape(shape)
    )
