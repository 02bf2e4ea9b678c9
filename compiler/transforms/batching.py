"""Batching: the nodes of a region with a new leading axis on what depends on batched values."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from dxir import ops
from dxir.derivatives import captured, live_nodes, moveaxis, rebuild
from dxir.errors import TransformError
from dxir.graph import Function, Node, Region, Value, place
from dxir.locations import at, caller_location
from dxir.making import copied, several
from dxir.op import expansion
from dxir.sharding import DimSharding, Sharding
from dxir.transforms.flagging import Flagging
from dxir.transforms.rule_errors import STATIC, failed, miscounted, mistyped, no_value
from dxir.transforms.rules import By, Mode, Resolution, refused, resolve
from dxir.types import QuantizedType, TensorType


class Unbatched:
    """What a batch rule gives for a result that is the same for the whole batch."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class Batch:
    """What a batch rule is given.

    `operands` are the new ones: those that are batched have the batch as their axis 0, of `size`
    elements; `batched` says which are. At least one is, or a value that a region captures.
    """

    __slots__ = ("_sweep", "batched", "node", "operands", "size")

    def __init__(
        self, sweep: Batching, node: Any, operands: tuple[Value, ...], batched: tuple[bool, ...]
    ) -> None:
        self._sweep = sweep
        self.node = node
        self.size = sweep.size
        self.operands = operands
        self.batched = batched

    def full(self, position: int) -> Value:
        """An operand with the batch axis, broadcast along it if it has none."""
        value = self.operands[position]
        return value if self.batched[position] else self.spread(value)

    def full_operands(self) -> tuple[Value, ...]:
        """All operands with the batch axis."""
        return tuple([self.full(i) for i in range(len(self.operands))])

    def spread(self, value: Value) -> Value:
        """A value with a leading axis of the batch's size, along which it is the same."""
        return spread(value, self.size)

    def rebuild(self, operands: Sequence[Value], **changes: Any) -> Any:
        """The op on other operands, with its attributes except for `changes`.

        What its regions capture must be the same for the whole batch.
        """
        around = captured(self.node.regions) if self.node.regions else ()
        moved = {v: self._sweep.of(v)[0] for v in around}
        if any(self._sweep.of(v)[1] for v in around):
            raise TransformError(
                f"{self.node.op}: a region uses a value from outside that differs in the batch",
                where=self.node.location,
                hint="pass it in as another operand",
            )
        return rebuild(self.node, operands, moved, **changes)

    @property
    def captures(self) -> bool:
        """Whether a region of the op uses a value from outside that is no constant."""
        around = captured(self.node.regions)
        return any(v.producer is None or v.producer.op != "constant" for v in around)

    def one_by_one(self) -> tuple[Value, ...]:
        """The op on each member of the batch, one after the other."""
        node = self.node
        around = tuple(dict.fromkeys((*node.operands, *captured(node.regions))))
        now = dict(zip(around, self.environment(around), strict=True))
        batched = [v for v in around if now[v][1]]

        def member(*values: Value) -> tuple[Value, ...]:
            inner = {v: new for v, (new, _) in now.items()}
            copy = copied(node, inner | dict(zip(batched, values, strict=True)))
            place(copy)
            return tuple(copy.results)

        found: tuple[Value, ...] = ops.map(member, [now[v][0] for v in batched])
        return found

    def environment(self, values: Sequence[Value]) -> list[tuple[Value, bool]]:
        """What values of outside that a region captures have become, and whether with the batch."""
        return [self._sweep.of(v) for v in values]

    def replaced(self, values: Mapping[Value, tuple[Value, bool]]) -> AbstractContextManager[None]:
        """Let values of outside be others (and whether with the batch) in what is run inside."""
        return self._sweep.replaced(values)

    def flags(self, region: Region, params: Sequence[bool]) -> list[bool]:
        """Which results of a region are batched, given which of its parameters are."""
        return self._sweep.flags(region, params)

    def run(
        self, region: Region, arguments: Sequence[Value], batched: Sequence[bool]
    ) -> list[tuple[Value, bool]]:
        """The nodes of a region put down on new arguments; its results and which are batched."""
        return self._sweep.run(region, arguments, batched)


def spread(value: Value, size: int) -> Value:
    """A value with a leading axis of `size`, along which it is the same."""
    if not value.tensor.is_static:
        raise TransformError(
            f"a value of type {value.type} is to be the same along a batch of {size}, and has "
            "dynamic dimensions",
            where=caller_location(),
            hint=STATIC,
        )
    shape = value.tensor.static_shape
    dims = tuple(range(1, len(shape) + 1))
    result: Value = ops.broadcast_in_dim(value, shape=(size, *shape), dims=dims)
    return result


def with_batch(type: TensorType, size: int, axis: int = 0) -> TensorType:
    """A type with an axis of `size` put in at `axis`; the axis of a quantized one moves along."""
    dtype, shape = type.dtype, type.shape
    if isinstance(dtype, QuantizedType) and dtype.axis is not None and dtype.axis >= axis:
        dtype = replace(dtype, axis=dtype.axis + 1)
    return TensorType((*shape[:axis], size, *shape[axis:]), dtype)


def batched_sharding(sharding: Sharding | None, axis: int | None) -> Sharding | None:
    """The sharding of a value that has the batch at an axis, which is not split."""
    if sharding is None or axis is None or sharding.mesh.is_single_device:
        return sharding
    dims = list(sharding.dims)
    dims.insert(axis, DimSharding())
    return Sharding(
        sharding.mesh,
        *dims,
        replicated=sharding.replicated,
        unreduced=sharding.unreduced,
        reduction=sharding.reduction,
    )


def to_front(value: Value, axis: int | None) -> Value:
    """A value whose axis is its first; None for one that stays as it is."""
    return value if axis is None else moveaxis(value, axis, 0)


def from_front(
    function: str, number: int, value: Value, batched: bool, axis: int | None, size: int
) -> Value:
    """Result `number` of a batched function with the batch at an axis, or without it for None."""
    if axis is None:
        if batched:
            raise TransformError(
                f"result {number} of {function} depends on the batch, but out_axes is None for it",
                where=caller_location(),
                hint="give the axis where the batch is to be in it",
            )
        return value
    return moveaxis(value if batched else spread(value, size), 0, axis)


class Batching:
    """One walk; nodes are made in the region that is being built."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: dict[Value, tuple[Value, bool]] = {}
        self._expansions: dict[Any, Function] = {}

    def of(self, value: Value) -> tuple[Value, bool]:
        """What a value has become; what was never seen stays as it is."""
        return self._values.get(value, (value, False))

    @contextmanager
    def replaced(self, values: Mapping[Value, tuple[Value, bool]]) -> Generator[None]:
        """Let values be others inside."""
        before = {v: self._values[v] for v in values if v in self._values}
        self._values.update(values)
        try:
            yield
        finally:
            for value in values:
                del self._values[value]
            self._values.update(before)

    def run(
        self, region: Region, arguments: Sequence[Value], batched: Sequence[bool]
    ) -> list[tuple[Value, bool]]:
        """The results of a region on `arguments`, and which of them are batched."""
        for param, argument, flag in zip(region.params, arguments, batched, strict=True):
            self._values[param] = (argument, flag)
        live: set[Node] | None = None
        for node in region.nodes:
            if live is not None and node not in live:
                continue
            if not self._is_batched(node):
                self._same(node)
                continue
            way = resolve(node, Mode.BATCHING)
            if way.is_refused:
                live = live_nodes(region.nodes, region.results)
                if node in live:
                    raise refused(node, Mode.BATCHING)
                continue
            self._node(node, way)
        return [self.of(r) for r in region.results]

    def flags(self, region: Region, params: Sequence[bool]) -> list[bool]:
        """Which results of a region are batched, given which of its parameters are."""
        return Flagging(lambda value: self.of(value)[1], self.expansion).region(region, params)

    def expansion(self, node: Any) -> Function:
        """What a Derived op expands to, made once."""
        found = self._expansions.get(node)
        if found is None:
            found = self._expansions[node] = expansion(node)
        return found

    def _is_batched(self, node: Node) -> bool:
        for value in node.operands:
            if self.of(value)[1]:
                return True
        return bool(node.regions) and any(self.of(v)[1] for v in captured(node.regions))

    def _node(self, node: Any, way: Resolution) -> None:
        found = [self.of(v) for v in node.operands]
        operands = tuple([v for v, _ in found])
        batch = Batch(self, node, operands, tuple([f for _, f in found]))
        results: Sequence[Any] | None = None
        try:
            with at(node.location):
                results = self._batched(node, batch, way)
            for old, new in zip(node.results, results, strict=True):
                if isinstance(new, Unbatched):
                    self._values[old] = (new.value, False)
                else:
                    if isinstance(old.type, TensorType):
                        self._check(node, old, new)
                    self._values[old] = (new, True)
        except (TransformError, RecursionError):
            raise
        except Exception as error:
            raise self._failure(node, results, error) from error

    def _same(self, node: Node) -> None:
        around = {v: self.of(v)[0] for v in (*node.operands, *captured(node.regions))}
        copy = copied(node, around)
        place(copy)
        for old, new in zip(node.results, copy.results, strict=True):
            self._values[old] = (new, False)

    def _batched(self, node: Any, batch: Batch, way: Resolution) -> Sequence[Any]:
        if way.by is By.EXPANSION:
            body = self.expansion(node)
            return [
                new if flag else Unbatched(new)
                for new, flag in self.run(body, batch.operands, batch.batched)
            ]
        return several(way.on(node)(batch))

    def _check(self, node: Node, old: Value, new: Value) -> None:
        wanted = with_batch(old.tensor, self.size)
        if new.shape != wanted.shape or new.dtype != wanted.dtype:
            raise mistyped(
                node,
                "batch",
                new,
                "a result",
                wanted,
                f"that is {old.type} with the batch of {self.size} in front",
            )

    @staticmethod
    def _failure(node: Node, results: Sequence[Any] | None, error: Exception) -> TransformError:
        """What went wrong with a batch rule that gave `results`; None if it raised."""
        if results is None:
            return failed(node, "batch", error)
        if len(results) != len(node.results):
            return miscounted(node, "batch", results, node.results, "a value")
        for old, new in zip(node.results, results, strict=False):
            if not isinstance(new, (Value, Unbatched)):
                return no_value(node, "batch", new, "the batched form", old)
        return failed(node, "batch", error)
