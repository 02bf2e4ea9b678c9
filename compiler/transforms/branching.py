"""Conditionals: branches differentiated apart, what they keep in slots that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dxir import ops
from dxir.derivatives import Cotangent, captured, has_tangent, zeros
from dxir.graph import Region, Value
from dxir.making import inline, several
from dxir.transforms.batching import Batch, Unbatched, spread
from dxir.transforms.flagging import RegionFlags
from dxir.transforms.forward import Forward
from dxir.transforms.functions import closed
from dxir.transforms.joint import (
    Joint,
    chosen,
    forward_joint,
    reverse_joint,
    some_or_zeros,
)
from dxir.transforms.predicated import refuse_effects
from dxir.transforms.reverse import Pull, Reverse
from dxir.transforms.splitting import Split, split
from dxir.types import Type

Branches = Sequence[Callable[[], Any]]
Choose = Callable[[Branches], Any]
"""Puts down the conditional with other branches, which capture what they need."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """One branch: its halves, what it captures, and where its residuals are.

    `slots` has the position of each residual among the results of the conditional.
    """

    outside: tuple[Value, ...]
    joint: Joint
    split: Split
    slots: tuple[int, ...]

    def forward(self, types: Sequence[Type]) -> tuple[Value, ...]:
        """The results, then every slot: zeros in those of other branches."""
        count = self.joint.outputs
        found = inline(self.split.forward, self.outside)
        kept = {s - count: found[p] for s, p in zip(self.slots, self.split.places, strict=True)}
        filled = [kept[i] if i in kept else zeros(t) for i, t in enumerate(types)]
        return (*found[:count], *filled)

    def late(self, results: Sequence[Value], given: Sequence[Value]) -> dict[int, Value]:
        """What comes out later, by position, of the residuals and of what is given."""
        inputs = chosen(self.outside, self.split.inputs)
        found = inline(self.split.backward, [*inputs, *chosen(results, self.slots), *given])
        return dict(zip(self.joint.found, found, strict=True))


def _share_slots(splits: Sequence[Split], count: int) -> tuple[list[Type], list[tuple[int, ...]]]:
    """The types of slots behind the `count` results, and where what each branch keeps is."""
    types: list[Type] = []
    places: list[tuple[int, ...]] = []
    for found in splits:
        free = list(range(len(types)))
        mine: list[int] = []
        for value, at in zip(found.computed, found.places, strict=True):
            if at < count:
                mine.append(at)
                continue
            place = next((i for i in free if types[i] == value.type), None)
            if place is None:
                types.append(value.type)
                place = len(types) - 1
            else:
                free.remove(place)
            mine.append(count + place)
        places.append(tuple(mine))
    return types, places


def _branches(
    parts: Sequence[tuple[tuple[Value, ...], Joint]],
) -> tuple[list[_Branch], list[Type]]:
    splits = [split(j.function, j.known, j.outputs, along=j.along) for _, j in parts]
    types, places = _share_slots(splits, parts[0][1].outputs)
    found = [
        _Branch(outside, joint, halves, mine)
        for (outside, joint), halves, mine in zip(parts, splits, places, strict=True)
    ]
    return found, types


def _run(choose: Choose, branches: Branches) -> tuple[Value, ...]:
    return several(choose(branches))


def pulled_branches(
    regions: Sequence[Region], choose: Choose, sweep: Reverse
) -> tuple[tuple[Value, ...], Pull]:
    """Both sweeps of a conditional: a conditional each, with the same predicate."""
    reached, count = sweep.reached, len(sweep.reached)
    parts: list[tuple[tuple[Value, ...], Joint]] = []
    for region in regions:
        function, outside = closed(region)
        varied = [v in sweep.varied for v in outside]
        parts.append((outside, reverse_joint(function, varied, reached, sweep.options)))
    branches, types = _branches(parts)
    found = _run(choose, [partial(b.forward, types) for b in branches])
    results = found[:count]
    wanted = list(dict.fromkeys(v for b in branches for v in chosen(b.outside, b.joint.found)))

    def back(branch: _Branch, seeds: Sequence[Value]) -> list[Value]:
        late = branch.late(found, seeds)
        mine = {branch.outside[i]: g for i, g in late.items()}
        return [mine[v] if v in mine else zeros(v) for v in wanted]

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        if not wanted:
            return []
        given = [i for i, r in enumerate(reached) if r]
        seeds = some_or_zeros([gs[i] for i in given], chosen(results, given))
        made = _run(choose, [partial(back, b, seeds) for b in branches])
        return list(zip(wanted, made, strict=True))

    return results, pull


def pushed_branches(
    regions: Sequence[Region], choose: Choose, sweep: Forward
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """A conditional with tangents: its branches give them too."""
    parts: list[tuple[tuple[Value, ...], Joint]] = []
    for region in regions:
        function, outside = closed(region)
        varied = [v in sweep.tangents for v in outside]
        joint = forward_joint(function, varied, separate=sweep.separate)
        parts.append((outside, joint))
    count = len(regions[0].results)
    moving = sorted({i for _, joint in parts for i in joint.found})
    types = [regions[0].results[i].type for i in moving]

    def filled(found: dict[int, Value]) -> list[Value]:
        return [found[i] if i in found else zeros(t) for i, t in zip(moving, types, strict=True)]

    def tangents_of(outside: Sequence[Value]) -> list[Value]:
        return [sweep.tangents[v] for v in outside if v in sweep.tangents]

    if not sweep.separate:

        def both(outside: Sequence[Value], joint: Joint) -> list[Value]:
            found = inline(joint.function, [*outside, *tangents_of(outside)])
            late = dict(zip(joint.found, found[count:], strict=True))
            return [*found[:count], *filled(late)]

        made = _run(choose, [partial(both, *p) for p in parts])
        late = made[count:]
    else:
        branches, slot_types = _branches(parts)

        def apart(branch: _Branch) -> list[Value]:
            return filled(branch.late(made, tangents_of(branch.outside)))

        made = _run(choose, [partial(b.forward, slot_types) for b in branches])
        late = ()
        if moving:
            late = _run(choose, [partial(apart, b) for b in branches])
    moved = dict(zip(moving, late, strict=True))
    return made[:count], [moved.get(i) for i in range(count)]


def batched_branches(
    regions: Sequence[Region], choose: Choose, batch: Batch
) -> list[Value | Unbatched]:
    """A conditional whose predicate is the same for the whole batch: its branches are batched."""
    flags = branch_flags(regions, batch.flags)

    def run(region: Region) -> list[Value]:
        found = batch.run(region, (), ())
        return [
            batch.spread(v) if flag and not f else v
            for (v, f), flag in zip(found, flags, strict=True)
        ]

    made = _run(choose, [partial(run, r) for r in regions])
    return [v if flag else Unbatched(v) for v, flag in zip(made, flags, strict=True)]


def branch_flags(regions: Sequence[Region], flags: RegionFlags) -> list[bool]:
    """Which results of a conditional with one predicate for the whole batch are batched."""
    return [any(many) for many in zip(*[flags(r, ()) for r in regions], strict=True)]


def selected_branches(
    regions: Sequence[Region],
    masks: Sequence[Value],
    which: Callable[[Sequence[Value]], Value],
    batch: Batch,
) -> list[Value | Unbatched]:
    """A conditional with a predicate for each element: all branches run, and one is selected.

    `masks` say where each branch is the chosen one. Elements of the others send no cotangents
    into a branch, whatever their derivatives are there.
    """
    refuse_effects(batch.node)
    rows: list[list[Value]] = []
    for region, mask in zip(regions, masks, strict=True):
        with batch.replaced(guarded(captured([region]), mask, batch)):
            found = batch.run(region, (), ())
        rows.append([v if flag else batch.spread(v) for v, flag in found])
    return [which(column) for column in zip(*rows, strict=True)]


def guarded(outside: Sequence[Value], mask: Value, batch: Batch) -> dict[Value, tuple[Value, bool]]:
    """Values whose cotangents come from where `mask` is true only.

    Of unbatched ones the small: what many elements share cannot be masked without a copy for each.
    """
    found: dict[Value, tuple[Value, bool]] = {}
    for value in outside:
        new, flag = batch.environment([value])[0]
        if not has_tangent(value.type):
            continue
        if not flag and (value.producer is not None and value.producer.op == "constant"):
            continue
        if flag or value.rank <= 1:
            full = new if flag else spread(new, batch.size)
            found[value] = (ops.mask_gradient(full, mask), True)
    return found
