"""Communication from one process to others, and the number of the process itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.attributes import ChannelHandle
from dxir.derivatives import Cotangent, rebuild
from dxir.dialects.process_groups import (
    as_channel,
)
from dxir.errors import AttributeValueError, EvaluationError
from dxir.examples import Example
from dxir.graph import Value
from dxir.lockstep import Process, current_process
from dxir.op import Primitive, attribute
from dxir.process_grid import fault_of_pairs, process_pairs, strategy_of
from dxir.types import TensorType, bf16, f32, i32, ui32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class CollectivePermute(
    Primitive, name="collective_permute", mlir="stablehlo.collective_permute", rounding="moves"
):
    """Send `x` from each source to its target; a process that is no target gets zeros.

    `source_target_pairs` holds pairs of ids, of replicas, or with a channel of partitions; no id is
    twice a source, or twice a target. `dxir.process_pairs` lists who sends to whom.
    """

    x: Value
    source_target_pairs: tuple[tuple[int, int], ...] = attribute("pairs")
    channel: ChannelHandle | None = attribute("channel_handle", default=None, mlir="channel_handle")

    examples = (
        Example(x=f32[4], source_target_pairs=((0, 0),)),
        Example(x=i32[2, 3], source_target_pairs=((0, 1), (1, 0)), channel=3, runs=False),
        Example(x=bf16[0], source_target_pairs=(), runs=False),
    )

    def prepare(self) -> None:
        given: Any = self.source_target_pairs
        pairs = tuple(checks.integers(p, "source_target_pairs entry") for p in given)
        for pair in pairs:
            if len(pair) != 2 or min(pair) < 0:
                raise AttributeValueError(
                    f"source_target_pairs holds {pair}", hint="give pairs of ids, (source, target)"
                )
        fault = fault_of_pairs(pairs, None, "id")
        if fault is not None:
            raise AttributeValueError(f"source_target_pairs {pairs} {fault}")
        self.update(source_target_pairs=pairs, channel=as_channel(self.channel))

    def infer(self) -> TensorType:
        return self.x.tensor

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        """What was received goes back to who sent it."""
        back = tuple([(target, source) for source, target in self.source_target_pairs])
        return (lambda: rebuild(self, (g,), source_target_pairs=back),)

    linear = ("x",)

    def batch(self, batch: Batch) -> Value:
        """The op, which takes any shape."""
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, x: Array) -> Array:
        here = current_process()
        if here is not None:
            return self._received(here, x)
        if any(p != (0, 0) for p in self.source_target_pairs):
            raise EvaluationError(
                f"{self.op}: an evaluation has one participant, "
                f"but it sends along {self.source_target_pairs}",
                hint="dxir.evaluate_processes evaluates as many as there are",
            )
        return x if self.source_target_pairs else np.zeros_like(x)

    def _received(self, here: Process, x: Array) -> Array:
        """What arrives here, once all that send or receive along with this process are there."""
        strategy = strategy_of(self.op, self.channel)
        replicas, partitions = here.crew.replicas, here.crew.partitions
        try:
            pairs = process_pairs(
                strategy, self.source_target_pairs, replicas=replicas, partitions=partitions
            )
        except AttributeValueError as error:
            raise EvaluationError(f"{self.op}: {error.message}", where=self.location) from None
        fixed = 1 if strategy == "cross_replica" else 0
        pairs = tuple([pair for pair in pairs if pair[0][fixed] == here.id[fixed]])
        group = tuple(sorted({id for pair in pairs for id in pair}))
        if here.id not in group:
            return np.zeros_like(x)
        sources = {target: source for source, target in pairs}

        def compute(given: Sequence[Array]) -> list[Array]:
            sent = dict(zip(group, given, strict=True))
            return [sent[sources[id]] if id in sources else np.zeros_like(sent[id]) for id in group]

        found: Array = here.meet(self, group, x, compute)
        return found


class PartitionId(Primitive, name="partition_id", mlir="stablehlo.partition_id", rounding="moves"):
    """The number of the partition that runs this, `ui32`; 0 where there is one."""

    examples = (Example(runs=False),)

    def infer(self) -> TensorType:
        return ui32[()]

    def reference(self) -> Array:
        here = current_process()
        return np.asarray(0 if here is None else here.partition, np.uint32)


class ReplicaId(Primitive, name="replica_id", mlir="stablehlo.replica_id", rounding="moves"):
    """The number of the replica that runs this, `ui32`; 0 where there is one."""

    examples = (Example(),)

    def infer(self) -> TensorType:
        return ui32[()]

    def reference(self) -> Array:
        here = current_process()
        return np.asarray(0 if here is None else here.replica, np.uint32)
