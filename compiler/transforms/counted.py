"""Putting down the scan that a `while_loop` with a known number of steps says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir import ops
from dxir.derivatives import captured, live_nodes, moveaxis, taken
from dxir.graph import Node, Region, Value, building, current_region, place
from dxir.making import copied
from dxir.transforms.trips import (
    Array,
    Known,
    counters,
    flattened,
    known_array,
    series,
    trip_count,
    uses,
)

__all__ = ["as_scan", "has_known_trips"]


def has_known_trips(cond: Region, body: Region, init: Sequence[Value]) -> bool:
    """Whether the number of steps of a loop can be told from its constants."""
    around = [v.region for v in (*init, *captured([cond, body])) if v.region is not None]
    with building(Region((), max(around, key=lambda r: r.depth, default=None))):
        flat_cond, flat_body = flattened(cond), flattened(body)
    return trip_count(flat_cond, counters(flat_body, init)) is not None


def as_scan(cond: Region, body: Region, init: Sequence[Value]) -> Region | None:
    """A region that gives the last state with a scan; None if the number of steps is not known."""
    region = Region((), current_region())
    with building(region):
        flat_cond, flat_body = flattened(cond), flattened(body)
        found = counters(flat_body, init)
        count = trip_count(flat_cond, found)
        if count is None:
            return None
        region.seal(_Counted(flat_body, tuple(init), found, count).place() if count else init)
    return region


@dataclass(frozen=True, slots=True)
class _Rows:
    """A node that reads or writes one index of an axis in each step: which ones, in order."""

    node: Node
    axis: int
    rows: Array

    @property
    def direction(self) -> int:
        """1 for one row after the other, -1 for that backwards, 0 for neither."""
        steps = np.diff(self.rows)
        return next((d for d in (1, -1) if len(steps) and (steps == d).all()), 0)


class _Counted:
    def __init__(
        self,
        body: Region,
        init: tuple[Value, ...],
        found: Mapping[int, tuple[Array, Array]],
        count: int,
    ) -> None:
        self.body, self.init, self.count, self.counters = body, init, count, found
        self.known: Known = {body.params[i]: series(a, b, count) for i, (a, b) in found.items()}
        same = {i for i in range(len(init)) if body.results[i] is body.params[i]}
        self.fixed: dict[Value, Value] = {body.params[i]: init[i] for i in same}
        self.counting = [i for i in found if i not in same]
        self.writes = self._writes()
        special = {*same, *self.counting, *self.writes}
        self.carry = [i for i in range(len(init)) if i not in special]
        self.wanted = [body.results[i] for i in self.carry]
        self.wanted += [rows.node.operands[1] for rows in self.writes.values()]
        self.reads = self._reads()
        self.live = live_nodes([n for n in body.nodes if n not in self.reads], self.wanted)
        steps = [r.direction for r in (*self.reads.values(), *self.writes.values())]
        self.reverse = -1 in steps and 1 not in steps

    def _index(self, node: Node, sizes: Sequence[int], starts: Sequence[Value]) -> _Rows | None:
        """The rows of a node that takes or writes slices of `sizes`; None if it is no such node."""
        shape = node.operands[0].tensor.static_shape
        axes = [i for i, (size, n) in enumerate(zip(sizes, shape, strict=True)) if size != n]
        if len(axes) != 1 or sizes[axes[0]] != 1:
            return None
        rows = known_array(starts[axes[0]], self.known)
        if rows is None or not rows.ndim:
            return None
        return _Rows(node, axes[0], np.clip(rows.astype(np.int64), 0, shape[axes[0]] - 1))

    def _writes(self) -> dict[int, _Rows]:
        """The places in the state of tensors that steps write rows of and do not read."""
        found: dict[int, _Rows] = {}
        used = uses(self.body)
        for i, (param, result) in enumerate(zip(self.body.params, self.body.results, strict=True)):
            node: Any = result.producer
            if node is None or node.op != "dynamic_update_slice" or node.operands[0] is not param:
                continue
            if used[param] != 1 or used[result] != 1:
                continue
            update, starts = node.operands[1], node.operands[2:]
            rows = self._index(node, update.tensor.static_shape, starts)
            if rows is not None and (rows.direction or self.count == 1):
                found[i] = rows
        return found

    def _reads(self) -> dict[Node, _Rows]:
        """The slices of what stays the same."""
        found: dict[Node, _Rows] = {}
        inner = {r for n in self.body.nodes for r in n.results}
        moving = {p for p in self.body.params if p not in self.fixed}
        live = live_nodes(self.body.nodes, self.wanted)
        for node in self.body.nodes:
            if node in live and node.op == "dynamic_slice":
                source = node.operands[0]
                if source in inner or source in moving:
                    continue
                rows = self._index(node, node.results[0].tensor.static_shape, node.operands[1:])
                if rows is not None:
                    found[node] = rows
        return found

    def place(self) -> list[Value]:
        """The scan, put down here: the last state."""
        used = {*self.wanted, *[v for node in self.live for v in taken(node)]}
        counted = [i for i in self.counting if self.body.params[i] in used]
        xs = [self._counter(*self.counters[i]) for i in counted]
        xs += [self._rows(r) for r in self.reads.values()]
        params = [*[self.body.params[i] for i in (*self.carry, *counted)]]

        def step(*given: Value) -> list[Value]:
            values = dict(self.fixed)
            values.update(zip(params, given, strict=False))
            slices = dict(zip(self.reads, given[len(params) :], strict=True))
            for node in self.body.nodes:
                if node in slices:
                    shape = node.results[0].tensor.static_shape
                    values[node.results[0]] = ops.reshape(slices[node], shape=shape)
                elif node in self.live:
                    place(copied(node, values))
            results = [self.body.results[i] for i in self.carry]
            last = [values.get(r, r) for r in results]
            return [*last, *[self._written(r, values) for r in self.writes.values()]]

        init = tuple([self.init[i] for i in self.carry])
        found: Any = ops.scan(step, init, tuple(xs), length=self.count, reverse=self.reverse)
        return self._state(found)

    def _state(self, found: Sequence[Value]) -> list[Value]:
        state = dict(zip(self.carry, found, strict=False))
        stacks = found[len(self.carry) :]
        for (i, rows), stack in zip(self.writes.items(), stacks, strict=True):
            state[i] = self._stacked(rows, stack, self.init[i])
        for i in self.counting:
            start, step = self.counters[i]
            state[i] = ops.constant(series(start, step, self.count + 1)[-1])
        return [state.get(i, v) for i, v in enumerate(self.init)]

    def _counter(self, start: Array, step: Array) -> Value:
        """The values of a counter, in the order of the rows."""
        values = series(start, step, self.count)
        return _affine(values[::-1] if self.reverse else values)

    def _rows(self, found: _Rows) -> Value:
        """The rows that steps read, stacked in the order of the scan, which may be reversed."""
        source = found.node.operands[0]
        value = moveaxis(self.fixed.get(source, source), found.axis, 0)
        rows = found.rows[::-1] if self.reverse else found.rows
        steps = set(np.diff(rows).tolist()) or {1}
        size, (first, last) = value.shape[0], (int(rows[0]), int(rows[-1]))
        step = steps.pop()
        if steps or not step:
            taken_rows: Value = ops.take(value, ops.constant(rows.astype(np.int32)), axis=0)
            return taken_rows
        if step < 0:
            value, first, last = ops.reverse(value, axes=(0,)), size - 1 - first, size - 1 - last
        return _sliced(value, first, last + 1, abs(step))

    def _written(self, found: _Rows, values: Mapping[Value, Value]) -> Value:
        update = values.get(found.node.operands[1], found.node.operands[1])
        shape = update.tensor.static_shape
        row: Value = ops.reshape(update, shape=shape[: found.axis] + shape[found.axis + 1 :])
        return row

    def _stacked(self, found: _Rows, stack: Value, before: Value) -> Value:
        """What the tensor is in the end that rows were written into."""
        if self.count > 1 and (found.direction < 0) != self.reverse:
            stack = ops.reverse(stack, axes=(0,))
        stack = moveaxis(stack, 0, found.axis)
        if before.shape == stack.shape:
            return stack
        zero = ops.constant(np.int32(0))
        starts = [zero] * before.rank
        starts[found.axis] = ops.constant(np.int32(found.rows.min()))
        result: Value = ops.dynamic_update_slice(before, stack, starts)
        return result


def _affine(values: Array) -> Value:
    """A series of numbers with one step, counted and not written out."""
    counted: Value = ops.iota(shape=(len(values),), axis=0, dtype=values.dtype)
    step = int(values[1]) - int(values[0]) if len(values) > 1 else 1
    if step != 1:
        counted = ops.mul(counted, np.asarray(step).astype(values.dtype))
    if values[0]:
        counted = ops.add(counted, values[0])
    return counted


def _sliced(value: Value, start: int, stop: int, step: int) -> Value:
    shape = value.tensor.static_shape
    if (start, stop, step) == (0, shape[0], 1):
        return value
    result: Value = ops.slice(
        value,
        starts=(start, *[0] * (len(shape) - 1)),
        limits=(stop, *shape[1:]),
        strides=(step, *[1] * (len(shape) - 1)),
    )
    return result
