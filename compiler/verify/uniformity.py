"""Which devices have the same values, and which collectives only some of those they need come to.

Of each value it is known which devices surely have it alike: a label for each device, the same for
those. What a program computes of such values it computes alike; a collective makes its groups
alike; a device's own number, and its part of an array, tell devices apart. A collective under a
condition waits forever where two devices of a group decide otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dxir.errors import AttributeValueError, DxirError
from dxir.group_faults import NAMES, collective_strategy, groups_of
from dxir.mesh_layout import coordinates, device_ids
from dxir.mlir import IrOperation, IrValue, ir, sdy
from dxir.process_grid import process_pairs
from dxir.reading import attribute, has_body, symbol, target_of, terminator
from dxir.sharding import Mesh
from dxir.sharding_codec import decode_shardings

Labels = tuple[int, ...]
"""For each device a number: devices with the same one have a value alike."""

Groups = Sequence[Sequence[int]]

MOST_DEVICES = 1024
"""Of programs for more devices nothing is said."""

_BRANCHES = frozenset({"stablehlo.if", "stablehlo.case"})
_OWN = frozenset(
    {"stablehlo.rng", "stablehlo.rng_bit_generator", "stablehlo.infeed", "stablehlo.recv"}
)
_ORDERED = frozenset({"stablehlo.all_gather"})
_PLACED = frozenset({"stablehlo.reduce_scatter", "stablehlo.all_to_all"})
_TO_PART, _TO_WHOLE = "SPMDFullToShardShape", "SPMDShardToFullShape"
_MOST_OPS = 200_000
_MOST_DEPTH = 100


class Unfinished(Exception):
    """A program is too large, or too deep, to be followed."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A collective that not all devices of a group may come to, for what `branch` decides."""

    op: IrOperation
    branch: IrOperation
    devices: tuple[int, int]


class Uniformity:
    """Follows the values of a module for `replicas` times `partitions` devices; one of them is 1.

    `apart` are the collectives that are found.
    """

    def __init__(
        self,
        functions: dict[str, IrOperation],
        meshes: dict[str, Mesh],
        replicas: int,
        partitions: int,
    ) -> None:
        self._functions, self._meshes = functions, meshes
        self._replicas, self._partitions = replicas, partitions
        self._count = replicas * partitions
        self._same: Labels = (0,) * self._count
        self._each: Labels = tuple(range(self._count))
        self._known: dict[IrValue, Labels] = {}
        self._control: list[tuple[IrOperation, Labels]] = []
        self._left, self._depth = _MOST_OPS, 0
        self.apart: dict[IrOperation, Apart] = {}

    def follow(self, main: IrOperation) -> None:
        """Follow all that a function does, from parameters that devices have each of their own.

        Those of a program that is partitioned are whole, and alike. Raises Unfinished.
        """
        if has_body(main):
            block = main.regions[0].blocks[0]
            start = self._each if self._replicas > 1 else self._same
            self._block(block, [start] * len(block.arguments))

    def _block(self, block: ir.Block, arguments: Sequence[Labels]) -> list[Labels]:
        """What the terminator of a block gives, for these arguments."""
        self._depth += 1
        for value, labels in zip(block.arguments, arguments, strict=True):
            self._known[value] = labels
        for op in block.operations:
            self._left -= 1
            if self._left < 0 or self._depth > _MOST_DEPTH:
                raise Unfinished
            self._op(op.operation)
        self._depth -= 1
        return [self._of(v) for v in terminator(block).operands]

    def _of(self, value: IrValue) -> Labels:
        return self._known.get(value, self._same)

    def _all_of(self, values: Iterable[IrValue]) -> Labels:
        found = self._same
        for value in values:
            found = self._joined(found, self._of(value))
        return found

    def _joined(self, a: Labels, b: Labels) -> Labels:
        if a is b or b is self._same or a is self._each:
            return a
        if a is self._same or b is self._each:
            return b
        return self._numbered(zip(a, b, strict=True))

    def _numbered(self, labels: Iterable[Hashable]) -> Labels:
        numbers: dict[Hashable, int] = {}
        found = tuple([numbers.setdefault(label, len(numbers)) for label in labels])
        if len(numbers) == 1:
            return self._same
        return self._each if len(numbers) == self._count else found

    def _op(self, op: IrOperation) -> None:
        name: str = op.name
        if name in NAMES:
            self._collective(op)
            return
        handler = self._handlers.get(name)
        given = None if handler is None else handler(self, op)
        if given is None:
            given = [self._plain(op)] * len(op.results)
        for value, labels in zip(op.results, given, strict=True):
            self._known[value] = labels

    def _plain(self, op: IrOperation) -> Labels:
        """What an op gives that computes its results from its operands, on each device."""
        name, target = op.name, target_of(op)
        if name in _OWN or target == _TO_PART:
            return self._each
        if target == _TO_WHOLE:
            return self._same
        if name == "stablehlo.partition_id":
            return self._each if self._partitions > 1 else self._same
        if name == "stablehlo.replica_id":
            return self._each if self._replicas > 1 else self._same
        return self._all_of(op.operands)

    def _collective(self, op: IrOperation) -> None:
        operand = self._all_of(op.operands)
        groups = self._groups(op)
        if groups is None:
            labels = self._each
        else:
            self._look(op, groups)
            labels = self._moved(op, operand, groups)
        for value in op.results:
            self._known[value] = labels

    def _look(self, op: IrOperation, groups: Groups) -> None:
        """Whether all devices of each group come to the op, or none."""
        for branch, control in reversed(self._control):
            for group in groups:
                other = next((i for i in group if control[i] != control[group[0]]), None)
                if other is not None:
                    self.apart.setdefault(op, Apart(op, branch, (group[0], other)))
                    return

    def _moved(self, op: IrOperation, operand: Labels, groups: Groups) -> Labels:
        """What a collective gives each device, where its operand is so."""
        found: list[Hashable] = [("none",)] * self._count
        if op.name == "stablehlo.collective_permute":
            for source, target in self._pairs(op) or ():
                found[target] = (operand[source],)
            return self._numbered(found)
        for group in groups:
            members = [operand[i] for i in group]
            label = tuple(members if op.name in _ORDERED | _PLACED else sorted(members))
            for place, device in enumerate(group):
                found[device] = (label, place) if op.name in _PLACED else label
        return self._numbered(found)

    def _groups(self, op: IrOperation) -> Groups | None:
        """The devices that wait for each other in an op; None where that cannot be told."""
        if op.name == "stablehlo.collective_permute":
            pairs = self._pairs(op)
            return None if pairs is None else _together(pairs)
        try:
            found = groups_of(op, self._replicas, self._partitions)
        except (AttributeValueError, DxirError):
            return None
        return [[self._device(id) for id in group] for group in found]

    def _pairs(self, op: IrOperation) -> list[tuple[int, int]] | None:
        given = attribute(op, "source_target_pairs")
        if not isinstance(given, ir.DenseIntElementsAttr):
            return None
        try:
            found = process_pairs(
                collective_strategy(op),
                np.asarray(given, np.int64).tolist(),
                replicas=self._replicas,
                partitions=self._partitions,
            )
        except AttributeValueError:
            return None
        return [(self._device(a), self._device(b)) for a, b in found]

    def _device(self, id: tuple[int, int]) -> int:
        return id[0] * self._partitions + id[1]

    def _branch(self, op: IrOperation) -> list[Labels]:
        decided = self._of(op.operands[0])
        self._control.append((op, decided))
        found = [decided] * len(op.results)
        for region in op.regions:
            given = self._block(region.blocks[0], ())
            found = [self._joined(a, b) for a, b in zip(found, given, strict=True)]
        self._control.pop()
        return found

    def _loop(self, op: IrOperation) -> list[Labels]:
        carried = [self._of(v) for v in op.operands]
        condition, body = (region.blocks[0] for region in op.regions)
        while True:
            (decided,) = self._block(condition, carried)
            self._control.append((op, decided))
            self._block(condition, carried)
            given = self._block(body, carried)
            self._control.pop()
            after = [self._joined(a, b) for a, b in zip(carried, given, strict=True)]
            if after == carried:
                return [self._joined(labels, decided) for labels in carried]
            carried = after

    def _barrier(self, op: IrOperation) -> list[Labels]:
        return [self._of(v) for v in op.operands]

    def _call(self, op: IrOperation) -> list[Labels] | None:
        callee = self._functions.get(symbol(op, "callee") or symbol(op, "decomposition") or "")
        if callee is None or not has_body(callee):
            return None
        found = self._block(callee.regions[0].blocks[0], [self._of(v) for v in op.operands])
        return found if len(found) == len(op.results) else None

    def _manual(self, op: IrOperation) -> list[Labels]:
        """Code for one device: it has a part of each operand along the manual axes."""
        axes = sdy.ManualAxesAttr(op.attributes["manual_axes"])
        manual = {str(axes[i]) for i in range(len(axes))}
        shardings = decode_shardings(op.attributes["in_shardings"], self._meshes.__getitem__)
        arguments: list[Labels] = []
        for value, sharding in zip(op.operands, shardings, strict=True):
            split = {a.name for dim in sharding.dims for a in dim.axes} & manual
            split |= {a.name for a in sharding.unreduced} & manual
            arguments.append(self._joined(self._of(value), self._along(sharding.mesh, split)))
        self._block(op.regions[0].blocks[0], arguments)
        return [self._all_of(op.operands)] * len(op.results)

    def _along(self, mesh: Mesh, axes: set[str]) -> Labels:
        """Which devices have the same place along some axes of a mesh."""
        if not axes or mesh.size != self._count:
            return self._each if axes else self._same
        found: list[Hashable] = [()] * self._count
        for id, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
            found[id] = tuple(at[name] for name in sorted(axes))
        return self._numbered(found)

    _handlers: ClassVar[dict[str, Callable[[Uniformity, IrOperation], list[Labels] | None]]] = {
        **dict.fromkeys(_BRANCHES, _branch),
        "stablehlo.while": _loop,
        "stablehlo.optimization_barrier": _barrier,
        "func.call": _call,
        "stablehlo.composite": _call,
        "sdy.manual_computation": _manual,
    }


def _together(pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The devices that pairs connect."""
    groups: dict[int, set[int]] = {}
    for a, b in pairs:
        both = groups.get(a, {a}) | groups.get(b, {b})
        for each in both:
            groups[each] = both
    return [sorted(group) for group in {id(g): g for g in groups.values()}.values()]
