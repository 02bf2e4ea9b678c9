"""Functions that are called, transformed: once, however many calls there are.

What is made of a function is kept with it, by what it was made for, so that all calls that ask for
the same share one private function, in one module and in several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.graph import Function, Value, building
from dxir.making import several
from dxir.transforms.batching import Batch, Batching, Unbatched, spread, with_batch
from dxir.transforms.forward import Forward
from dxir.transforms.joint import (
    Flags,
    Joint,
    chosen,
    forward_joint,
    reverse_joint,
    some_or_zeros,
)
from dxir.transforms.likeness import function_like, results_like
from dxir.transforms.options import LoopOptions
from dxir.transforms.registry import registered
from dxir.transforms.reverse import Pull, Reverse
from dxir.transforms.splitting import Saveable, Split, part, split

__all__ = [
    "Calling", "Halves", "batched_call", "batched_function", "called", "halves_of",
    "linear_halves_of", "pulled_call", "pushed_call", "tangent_joint",
]  # fmt: skip

_T = TypeVar("_T")
Call = Callable[[Function, Sequence[Value]], Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Halves:
    """A joint function in two private ones, as `splitting.Split` says."""

    joint: Joint
    split: Split

    @property
    def forward(self) -> Function:
        """What gives the results and what is kept."""
        return self.split.forward

    @property
    def late(self) -> Function:
        """What takes what is kept, then what comes later."""
        return self.split.backward

    def kept(self, inputs: Sequence[Value], results: Sequence[Value]) -> list[Value]:
        """What the second function takes first, given the inputs and all results of the first."""
        return self.split.kept(inputs, results)


def called(function: Function, inputs: Sequence[Value]) -> tuple[Value, ...]:
    """The results of a call, as many as there are."""
    return several(ops.call(function, tuple(inputs)))


def remembered(function: Function, key: Any, make: Callable[[], _T]) -> _T:
    """What `make` gives, made once for a function and a key."""
    full = (key, registered(), len(function.nodes), function.results)
    known = function.transformed
    if full not in known:
        known[full] = make()
    found: _T = known[full]
    return found


def _name(function: Function, suffix: str) -> str:
    """A name for what is made of a function: that of the first of its kind has no number."""
    counts = function.transformed
    number = counts.get(suffix, 0)
    counts[suffix] = number + 1
    return f"{function.name}_{suffix}" + (f"_{number}" if number else "")


def halves_of(
    function: Function,
    varied: Flags,
    reached: Flags,
    options: LoopOptions,
    saveable: tuple[object, Saveable | None] = (None, None),
) -> Halves:
    """A function cut into its way along and its way back; `saveable` comes with a key for it."""
    key = ("reverse", tuple(varied), tuple(reached), options, saveable[0])

    def make() -> Halves:
        joint = reverse_joint(function, varied, reached, options)
        return _halves(function, joint, ("fwd", "bwd"), saveable[1])

    return remembered(function, key, make)


def linear_halves_of(
    function: Function, varied: Flags, saveable: tuple[object, Saveable | None] = (None, None)
) -> Halves:
    """A function, and the linear function of tangents that belongs to it."""
    key = ("linear", tuple(varied), saveable[0])

    def make() -> Halves:
        joint = forward_joint(function, varied, separate=True)
        return _halves(function, joint, ("fwd", "lin"), saveable[1])

    return remembered(function, key, make)


def _halves(
    function: Function, joint: Joint, suffixes: tuple[str, str], saveable: Saveable | None
) -> Halves:
    first, second = [_name(function, s) for s in suffixes]
    names = (first, second)
    found = split(
        joint.function, joint.known, joint.outputs, names=names, saveable=saveable,
        along=joint.along,
    )  # fmt: skip
    _carry_shardings(function, joint, found, back=suffixes[1] == "bwd")
    return Halves(joint, found)


def _carry_shardings(function: Function, joint: Joint, halves: Split, *, back: bool) -> None:
    """Give what is sent through a function the shardings of what it belongs to."""
    forward, late, known = halves.forward, halves.backward, len(halves.inputs)
    forward.param_shardings[:] = function.param_shardings
    forward.result_shardings[: joint.outputs] = function.result_shardings
    given, found = function.result_shardings, function.param_shardings
    if not back:
        given, found = found, given
    late.param_shardings[:known] = [function.param_shardings[i] for i in halves.inputs]
    late.param_shardings[known + len(halves.computed) :] = [given[i] for i in joint.given]
    late.result_shardings[:] = [found[i] for i in joint.found]


class Calling:
    """How what is made of a function is called: as it was itself."""

    saveable: tuple[object, Saveable | None] = (None, None)

    def held(self, values: Sequence[Value]) -> Sequence[Value]:
        """What the second half takes of these values."""
        return values

    def together(self, function: Function, inputs: Sequence[Value]) -> tuple[Value, ...]:
        """The results of a function that gives what is early and what is late."""
        return called(function, inputs)


_CALLING = Calling()


def pulled_call(
    function: Function, inputs: Sequence[Value], sweep: Reverse, calling: Calling = _CALLING
) -> tuple[tuple[Value, ...], Pull]:
    """Both sweeps of a call: calls of the two halves of the function."""
    varied = [v in sweep.varied for v in inputs]
    halves = halves_of(function, varied, sweep.reached, sweep.options, calling.saveable)
    found = called(halves.forward, inputs)
    results = found[: halves.joint.outputs]

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        given = halves.joint.given
        if not halves.joint.found:
            return []
        seeds = some_or_zeros([gs[i] for i in given], chosen(results, given))
        back = called(halves.late, calling.held([*halves.kept(inputs, found), *seeds]))
        return list(zip(chosen(inputs, halves.joint.found), back, strict=True))

    return results, pull


def pushed_call(
    function: Function, inputs: Sequence[Value], sweep: Forward, calling: Calling = _CALLING
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """A call with tangents: one of a function that gives the tangents too."""
    varied = [v in sweep.tangents for v in inputs]
    tangents = [sweep.tangents[v] for v in inputs if v in sweep.tangents]
    if sweep.separate:
        halves = linear_halves_of(function, varied, calling.saveable)
        joint, found = halves.joint, called(halves.forward, inputs)
        late: Sequence[Value] = ()
        if joint.found:
            late = called(halves.late, calling.held([*halves.kept(inputs, found), *tangents]))
    else:
        joint = tangent_joint(function, varied)
        found = calling.together(joint.function, [*inputs, *tangents])
        late = found[joint.outputs :]
    moved = dict(zip(joint.found, late, strict=True))
    return found[: joint.outputs], [moved.get(i) for i in range(joint.outputs)]


def tangent_joint(function: Function, varied: Flags) -> Joint:
    """A function with the tangents of its results beside them, given those of `varied` inputs."""

    def make() -> Joint:
        joint = forward_joint(function, varied)
        made = joint.function
        name = _name(function, "tangent")
        slim = part(name, made.params, made.nodes, made.results)
        return Joint(slim, joint.known, joint.outputs, joint.given, joint.found)

    return remembered(function, ("forward", tuple(varied)), make)


def batched_call(function: Function, batch: Batch) -> list[Value | Unbatched]:
    """A call on a batch: one of the batched function."""
    made, flags = batched_function(function, batch.batched, batch.size)
    found = called(made, batch.operands)
    return [v if flag else Unbatched(v) for v, flag in zip(found, flags, strict=True)]


def batched_function(
    function: Function, batched: Flags, size: int, full: Flags | None = None
) -> tuple[Function, list[bool]]:
    """A function on a batch, and which of its results are batched; those of `full` must be."""
    key = ("batch", size, tuple(batched), None if full is None else tuple(full))

    def make() -> tuple[Function, list[bool]]:
        types = [
            with_batch(p.tensor, size) if flag else p.type
            for p, flag in zip(function.params, batched, strict=True)
        ]
        axes = [0 if flag else None for flag in batched]
        name = _name(function, "batched")
        made = function_like(function, name, types, public=False, axes=axes)
        with building(made):
            found = Batching(size).run(function, made.params, batched)
            flags = [f or (full is not None and full[i]) for i, (_, f) in enumerate(found)]
            made.seal(
                [spread(v, size) if flag and not f else v
                 for (v, f), flag in zip(found, flags, strict=True)]
            )  # fmt: skip
        results_like(function, made, [0 if flag else None for flag in flags])
        return made, flags

    return remembered(function, key, make)
