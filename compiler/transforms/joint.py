"""Functions of inputs and what is sent through them, to be split, and what they are split for.

A joint function takes what is known at first, the inputs, and what comes later: cotangents of
results on the way back, tangents of inputs on the way along. It gives the results, and then what
comes out later. A structured op splits the joint functions of its regions, see `splitting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dxir import ops
from dxir.derivatives import zeros
from dxir.graph import Function, Region, Value, building
from dxir.transforms.activity import reached_values, varied_values
from dxir.transforms.forward import Forward
from dxir.transforms.options import LoopOptions
from dxir.transforms.reverse import Reverse

__all__ = [
    "Flags", "Joint", "chosen", "forward_joint", "reached_params", "reverse_joint", "some_or_zeros",
    "varied_results", "where",
]  # fmt: skip

Flags = Sequence[bool]


@dataclass(frozen=True, slots=True)
class Joint:
    """A function of `known` inputs and what comes later, that gives `outputs` results first.

    `given` are the positions of what its later parameters belong to, `found` those of what its
    later results do: of results and inputs on the way back, and the other way along. Effects of
    its first `along` nodes, None for all, are those of the function itself.
    """

    function: Function
    known: int
    outputs: int
    given: tuple[int, ...]
    found: tuple[int, ...]
    along: int | None = None


def reverse_joint(
    region: Region, varied: Flags, reached: Flags, options: LoopOptions, full: Flags | None = None
) -> Joint:
    """A region that captures nothing, with the way back from `reached` results to `varied` inputs.

    Cotangents of inputs that are always zero are left out, unless `full` says otherwise.
    """
    count = len(region.params)
    given = tuple([i for i, r in enumerate(reached) if r])
    types = [*region.param_types, *[region.results[i].type for i in given]]
    function = Function("joint", types, public=False)
    with building(function):
        sweep = Reverse(options)
        inputs = function.params[:count]
        results = sweep.run(region, inputs, varied, given)
        along = len(function.nodes)
        seeds = function.params[count:]
        sweep.backward([(results[i], g) for i, g in zip(given, seeds, strict=True)])
        found: dict[int, Value] = {}
        for i, value in enumerate(inputs):
            if not varied[i]:
                continue
            cotangent = sweep.cotangent(value)
            if cotangent is None and full is not None and full[i]:
                cotangent = zeros(value)
            if cotangent is not None:
                found[i] = cotangent
        function.seal([*results, *found.values()])
    return Joint(function, count, len(results), given, tuple(found), along)


def forward_joint(
    region: Region,
    varied: Flags,
    *,
    separate: bool = False,
    full: Flags | None = None,
    wanted: Iterable[int] | None = None,
) -> Joint:
    """A region that captures nothing, with the tangents of its results beside them.

    Tangents that are always zero are left out, unless `full` says otherwise. With `separate` the
    results can be had without the tangents. `wanted` is what it is to a Forward sweep.
    """
    count = len(region.params)
    given = tuple([i for i, v in enumerate(varied) if v])
    types = [*region.param_types, *[region.params[i].type for i in given]]
    function = Function("joint", types, public=False)
    with building(function):
        sweep = Forward(separate=separate)
        seeds = dict(zip(given, function.params[count:], strict=True))
        inputs = function.params[:count]
        moved = [seeds.get(i) for i in range(count)]
        results, tangents = sweep.run(region, inputs, moved, wanted)
        found: dict[int, Value] = {}
        for i, (value, tangent) in enumerate(zip(results, tangents, strict=True)):
            made = tangent
            if made is None and full is not None and full[i]:
                made = zeros(value)
            if made is not None:
                found[i] = made
        function.seal([*results, *found.values()])
    return Joint(function, count, len(results), given, tuple(found))


def varied_results(region: Region, varied: Flags) -> list[bool]:
    """Which results of a region have tangents, given which of its parameters do."""
    start = [p for p, v in zip(region.params, varied, strict=True) if v]
    found = varied_values(region, start)
    return [r in found for r in region.results]


def reached_params(region: Region, reached: Flags) -> list[bool]:
    """Which parameters of a region cotangents come to, given which of its results they come to."""
    ends = [r for r, flag in zip(region.results, reached, strict=True) if flag]
    found = reached_values(region.nodes, ends)
    return [p in found for p in region.params]


def chosen(values: Sequence[Value], positions: Sequence[int]) -> list[Value]:
    """The values at some positions."""
    return [values[i] for i in positions]


def some_or_zeros(gs: Sequence[Value | None], like: Sequence[Value]) -> list[Value]:
    """The values given, zeros of the type of `like` where there is none."""
    return [zeros(v) if g is None else g for g, v in zip(gs, like, strict=True)]


def where(mask: Value, chosen: Value, other: Value) -> Value:
    """A choice by a mask that has the leading axes of the values."""
    shape = chosen.tensor.static_shape
    if mask.shape != shape:
        mask = ops.broadcast_in_dim(mask, shape=shape, dims=tuple(range(mask.rank)))
    result: Value = ops.select(mask, chosen, other)
    return result
