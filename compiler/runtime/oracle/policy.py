"""What is accepted of a result that another backend gave otherwise, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dxir.errors import ArgumentError, DxirError
from dxir.evaluation import Array, Evaluator
from dxir.runtime.comparing import Difference, ulp_distance
from dxir.runtime.oracle.rounding import Flushed, Moved, epsilon, is_inexact_type, smallest_normal

EQUAL, CLOSE, SUBNORMAL, UNSTABLE, OFF = "equal", "close", "subnormal", "unstable", "off"
VERDICTS = (EQUAL, CLOSE, SUBNORMAL, UNSTABLE, OFF)
"""From the best to the worst."""

_SHOWN = 5
_FARTHEST = 2**64 - 1
_FLUSHED = 1.0  # times the smallest normal number: how far flushing inside of an op may be felt


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How far a result may be from the judge's.

    By default a float may be off by `units` in the last place, and by `factor` times what
    `samples` evaluations with other roundings move it. `rtol` and `atol`, relative to the judge's
    value and absolute, take the place of that where one is given. With `signed_zeros`, -0 is not 0;
    without `subnormals`, flushed numbers are not accepted.
    """

    rtol: float | None = None
    atol: float | None = None
    units: float = 1.0
    factor: float = 2.0
    samples: int = 8
    signed_zeros: bool = False
    subnormals: bool = True

    def __post_init__(self) -> None:
        for name in ("rtol", "atol", "units", "factor"):
            given = getattr(self, name)
            if given is not None and not given >= 0:
                raise ArgumentError(f"{name} is {given}", hint="it is a number, 0 or more")
        if self.samples < 1:
            raise ArgumentError(f"samples is {self.samples}", hint="it is 1 or more")


Evaluation = Callable[[Evaluator], tuple[Any, ...]]
"""Gives results as an evaluator makes them."""


class Expectation:
    """What the judge gives, and how far rounding may move it.

    `again` evaluates what gave `results` in another way, and is asked only where a result is not
    equal; None where that cannot be. Where the results are `stored`, the program at hand may give
    others itself, and roundings are measured from these.
    """

    def __init__(
        self,
        results: Sequence[Array],
        again: Evaluation | None,
        policy: Policy,
        *,
        stored: bool = False,
    ) -> None:
        self.results = tuple(results)
        self.policy = policy
        self._again = again
        self._stored = stored

    @cached_property
    def _own(self) -> tuple[Array, ...]:
        """What the program gives itself."""
        if not self._stored or self._again is None:
            return self.results
        try:
            with np.errstate(all="ignore"):
                return tuple(map(np.asarray, self._again(Evaluator())))
        except DxirError:
            return self.results

    @cached_property
    def moved(self) -> list[tuple[Any, ...]]:
        """The results under other roundings; empty where that is not known."""
        if self._again is None:
            return []
        found: list[tuple[Any, ...]] = []
        with np.errstate(all="ignore"):
            for seed in range(self.policy.samples):
                try:
                    found.append(self._again(Moved(seed)))
                except DxirError:
                    return found
        return found

    @cached_property
    def flushed(self) -> list[tuple[Any, ...]]:
        """The results when numbers that are not normal are zero, in two ways; none if unknown."""
        if self._again is None:
            return []
        try:
            with np.errstate(all="ignore"):
                return [self._again(Flushed(everywhere=everywhere)) for everywhere in (False, True)]
        except DxirError:
            return []

    def judged(self, index: int, actual: Array) -> Judged:
        """What is to be said of the result of that number as another backend gave it."""
        expected = self.results[index]
        if actual.shape != expected.shape or actual.dtype != expected.dtype:
            return Judged.other_type(actual, expected)
        with np.errstate(all="ignore"):
            ranks = self._ranks(index, actual, expected)
            return Judged.of(ranks, actual, expected)

    def _ranks(self, index: int, actual: Array, expected: Array) -> Array:
        """For each element the number of its verdict."""
        ranks = np.full(expected.shape, VERDICTS.index(OFF))
        open_ = ~_same(actual, expected, self.policy.signed_zeros)
        ranks[~open_] = VERDICTS.index(EQUAL)
        if not open_.any():
            return ranks
        for verdict, accepts in (
            (CLOSE, self._close),
            (SUBNORMAL, self._flushed_to),
            (UNSTABLE, self._unstable),
        ):
            good = open_ & accepts(index, actual, expected)
            if verdict != CLOSE and good.any():
                good &= self._is_own(index, expected)
            ranks[good] = VERDICTS.index(verdict)
            open_ = open_ & ~good
            if not open_.any():
                break
        return ranks

    def _close(self, index: int, actual: Array, expected: Array) -> Array:
        if not is_inexact_type(expected.dtype):
            return np.zeros(expected.shape, bool)
        distance = _distance(actual, expected)
        return np.asarray(distance <= self._allowed(index, expected))

    def _allowed(self, index: int, expected: Array) -> Array:
        """How far each element may be off."""
        policy, size = self.policy, np.abs(_wide(expected)).astype(np.float64)
        if policy.rtol is not None or policy.atol is not None:
            return np.asarray((policy.atol or 0.0) + (policy.rtol or 0.0) * size)
        allowed = policy.units * epsilon(expected.dtype) * size
        unmoved = self._own[index] if self._stored else expected
        moves = [_distance(m[index], unmoved) for m in self.moved]
        if moves:
            most = np.max([np.where(np.isfinite(m), m, 0.0) for m in moves], axis=0)
            allowed = allowed + policy.factor * most
        return np.asarray(np.where(np.isfinite(allowed), allowed, 0.0))

    def _flushed_to(self, index: int, actual: Array, expected: Array) -> Array:
        found = np.zeros(expected.shape, bool)
        if not self.policy.subnormals:
            return found
        if is_inexact_type(expected.dtype):  # something on the way to the element was flushed
            found = _distance(actual, expected) <= _FLUSHED * smallest_normal(expected.dtype)
        for results in self.flushed:
            zero = np.asarray(results[index])
            differs = ~_same(zero, self._own[index], False)
            if zero.dtype != expected.dtype or not differs.any():
                continue
            near = _same(actual, zero, False)
            if is_inexact_type(expected.dtype):
                least = _FLUSHED * smallest_normal(expected.dtype)
                near = near | (_distance(actual, zero) <= self._allowed(index, zero) + least)
            found = found | (differs & near)
        return found

    def _is_own(self, index: int, expected: Array) -> Array:
        """Where what is expected is what the program gives itself, but for roundings."""
        own = self._own[index]
        if own is expected:
            return np.ones(expected.shape, bool)
        if own.shape != expected.shape or own.dtype != expected.dtype:
            return np.zeros(expected.shape, bool)
        return np.asarray(
            _same(expected, own, self.policy.signed_zeros)
            | self._close(index, expected, own)
            | self._unstable(index, expected, own)
        )

    def _unstable(self, index: int, actual: Array, expected: Array) -> Array:
        """Where roundings decide the value, or whether it is a number at all."""
        found = np.zeros(expected.shape, bool)
        if self.policy.rtol is not None or self.policy.atol is not None:
            return found
        others = [np.asarray(moved[index]) for moved in self.moved]
        if is_inexact_type(expected.dtype):
            for other in others:
                found = found | (np.isfinite(other) != np.isfinite(self._own[index]))
            return found
        if not others:
            return found
        wide = [a.astype(object) for a in (self._own[index], *others)]
        low, high, given = np.min(wide, axis=0), np.max(wide, axis=0), actual.astype(object)
        return np.asarray((low <= given) & (given <= high), bool)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of one result: the worst verdict of its elements, and how many are off.

    `where` tells of each element whether it is off; None where the types differ.
    """

    verdict: str
    elements: int
    off: int
    max_abs: float
    max_ulp: int | None
    examples: tuple[Difference, ...]
    note: str | None = None
    where: Array | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, ranks: Array, actual: Array, expected: Array) -> Judged:
        """The summary of the elements' verdicts, as numbers in VERDICTS."""
        worst = int(ranks.max(initial=0))
        ulps = ulp_distance(actual, expected) if is_inexact_type(expected.dtype) else None
        distance = _distance(actual, expected)
        off = np.argwhere(ranks == VERDICTS.index(OFF))
        shown = off if len(off) else np.argwhere(ranks == worst) if worst else off
        examples = tuple(
            _difference(tuple(int(i) for i in at), actual, expected, ulps) for at in shown[:_SHOWN]
        )
        counts = [
            f"{int((ranks == i).sum())} {verdict}"
            for i, verdict in enumerate(VERDICTS)
            if verdict in (SUBNORMAL, UNSTABLE) and (ranks == i).any()
        ]
        return cls(
            VERDICTS[worst],
            int(expected.size),
            len(off),
            float(np.max(distance, initial=0.0)),
            None if ulps is None else int(ulps.max(initial=0)),
            examples,
            ", ".join(counts) or None,
            ranks == VERDICTS.index(OFF),
        )

    @classmethod
    def other_type(cls, actual: Array, expected: Array) -> Judged:
        """A result that cannot be compared."""
        note = (
            f"{actual.dtype}{list(actual.shape)} instead of {expected.dtype}{list(expected.shape)}"
        )
        size = int(expected.size)
        return cls(OFF, size, size, float("inf"), None, (), note)


def _difference(
    at: tuple[int, ...], actual: Array, expected: Array, ulps: Array | None
) -> Difference:
    ulp = None if ulps is None or int(ulps[at]) == _FARTHEST else int(ulps[at])
    return Difference(at, text(actual[at]), text(expected[at]), ulp)


def text(value: Any) -> str:
    """An element, with the digits that tell it from its neighbours."""
    kind = np.asarray(value).dtype
    if kind.kind == "c":
        return f"({text(value.real)}, {text(value.imag)})"
    if kind.kind == "b":
        return str(bool(value)).lower()
    if not is_inexact_type(kind):
        return str(int(value))
    return f"{float(value):.{17 if kind.itemsize == 8 else 9}g}"


def _wide(array: Array) -> Array:
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64)


def _same(actual: Array, expected: Array, signed_zeros: bool) -> Array:
    """Where two elements are the same, NaN and NaN too."""
    same = np.asarray(actual == expected)
    if not is_inexact_type(expected.dtype):
        return same
    if expected.dtype.kind == "c":
        return _same(actual.real, expected.real, signed_zeros) & _same(
            actual.imag, expected.imag, signed_zeros
        )
    if signed_zeros:
        same = same & (np.signbit(_wide(actual)) == np.signbit(_wide(expected)))
    return np.asarray(same | ((actual != actual) & (expected != expected)))


def _distance(actual: Any, expected: Array) -> Array:
    """How far apart the elements are: 0 for the same ones, infinite for a number and none."""
    given = np.asarray(actual)
    if expected.dtype.kind == "b":
        return np.asarray(given != expected, np.float64)
    if not is_inexact_type(expected.dtype):
        apart = given.astype(object) - expected.astype(object)
        return np.asarray(np.abs(apart), np.float64)
    same = _same(given, expected, False)
    unlike = ~np.isfinite(_wide(given)) | ~np.isfinite(_wide(expected))
    if expected.dtype.kind == "c":  # what a function is where a part is none is not agreed upon
        same = same | (~np.isfinite(_wide(given)) & ~np.isfinite(_wide(expected)))
    far = np.where(unlike, np.inf, np.abs(_wide(given) - _wide(expected)))
    return np.asarray(np.where(same, 0.0, far))
