"""Communication from one process to others, and the number of the process itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks
from dxir.attributes import ChannelHandle, MeshAxesGroups
from dxir.dialects.process_groups import (
    Collective,
    DeviceCollective,
    as_channel,
    changed_dtype,
    check_reducer,
    reducer_dtype,
)
from dxir.errors import AttributeValueError, EvaluationError, LoweringError, OperandError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import Primitive, attribute
from dxir.sharding import Mesh
from dxir.types import DType, TensorType, Type, bf16, f32, i1, i32, ui32

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue

Array = np.ndarray[Any, Any]

_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("devices", {"x": 2, "y": 4})


def _check_support(e: Emitter, op: str) -> None:
    if not e.context.is_registered_operation("stablehlo.collective_reduce"):
        raise LoweringError(
            f"{op} is not in the StableHLO of this jaxlib", hint="it needs jaxlib 0.12 or later"
        )


def _data(op: Any) -> tuple[Value, ...]:
    """The inputs without the roots, which must be one `i32` for each input."""
    if not op.has_dynamic_root:
        checks.not_empty(op.inputs, "inputs")
        return tuple(op.inputs)
    if len(op.inputs) < 2:
        raise OperandError("has_dynamic_root needs one input and, as the last one, its root")
    *data, roots = op.inputs
    if roots.type != i32[len(data)]:
        raise OperandError(
            f"the last input has type {roots.type}, but the roots of {len(data)} inputs "
            f"are {i32[len(data)]}"
        )
    return tuple(data)


class CollectivePermute(Primitive, name="collective_permute", mlir="stablehlo.collective_permute"):
    """Send `x` from each source to its target; a process that is no target gets zeros.

    `source_target_pairs` holds pairs of ids; no id is twice a source, or twice a target.
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
        for side, what in enumerate(("source", "target")):
            ids = [p[side] for p in pairs]
            repeated = [i for i in ids if ids.count(i) > 1]
            if repeated:
                raise AttributeValueError(
                    f"source_target_pairs {pairs} have {repeated[0]} twice as a {what}"
                )
        self.update(source_target_pairs=pairs, channel=as_channel(self.channel))

    def infer(self) -> TensorType:
        return self.x.tensor

    def reference(self, x: Array) -> Array:
        if any(p != (0, 0) for p in self.source_target_pairs):
            raise EvaluationError(
                f"{self.op}: an evaluation has one participant, "
                f"but it sends along {self.source_target_pairs}"
            )
        return x if self.source_target_pairs else np.zeros_like(x)


class CollectiveBroadcast(
    Collective, name="collective_broadcast", mlir="stablehlo.collective_broadcast"
):
    """Send each input from one process of a group to all of it; outside all groups it is zeros.

    The sender is the first of the group or, with `has_dynamic_root`, the one whose place in the
    group the last input gives: an `i32[k]` for k inputs. That, and more than one input, needs
    jaxlib 0.12 or later.
    """

    inputs: tuple[Value, ...]
    has_dynamic_root: bool | None = attribute("unit", default=None)

    contiguous: ClassVar[bool] = False
    examples = (
        Example(inputs=(f32[4],), replica_groups=((0,),), runs=False),
        Example(inputs=(i1[0, 3],), replica_groups=((4, 1), (2, 3)), channel=1, runs=False),
        Example(inputs=(bf16[2],), replica_groups=MeshAxesGroups(_MESH, ("x",)), runs=False),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(has_dynamic_root=True if self.has_dynamic_root else None)

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        return tuple(v.tensor for v in _data(self))

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        if len(operands) != 1:
            _check_support(e, "collective_broadcast of several inputs or with a dynamic root")
        return e.emit_declared(self, operands)

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        self.check_alone()
        return inputs[: len(self.results)]


class CollectiveReduce(
    DeviceCollective, name="collective_reduce", mlir="stablehlo.collective_reduce"
):
    """Combine each input over the processes of a group with `body(a, b)`, for one of them.

    That one is the first of the group or, with `has_dynamic_root`, the one whose place in the
    group the last input gives: an `i32[k]` for k inputs. What the others get is not defined.
    Needs jaxlib 0.12 or later.
    """

    inputs: tuple[Value, ...]
    body: Region
    has_dynamic_root: bool | None = attribute("unit", default=None)
    dtype: DType | None = None

    ragged: ClassVar[bool] = True
    examples = (
        Example(inputs=(f32[4],), body=lambda a, b: a + b, replica_groups=_PAIRS, runs=False),
        Example(
            inputs=(f32[4], f32[2, 3], i32[2]),
            body=lambda a, b: a + b,
            replica_groups=((0, 1), (2,)),
            has_dynamic_root=True,
            runs=False,
        ),
        Example(
            inputs=(bf16[0],),
            body=lambda a, b: a + b,
            replica_groups=_PAIRS,
            channel=1,
            use_global_device_ids=True,
            dtype=f32,
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(
            has_dynamic_root=True if self.has_dynamic_root else None,
            dtype=None if self.dtype is None else reducer_dtype(_data(self), self.dtype),
        )

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalar = reducer_dtype(_data(self), self.dtype)[()]
        return [(scalar, scalar)]

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        data = _data(self)
        dtype = reducer_dtype(data, self.dtype)
        check_reducer(self.body, dtype)
        return tuple(v.tensor.with_dtype(dtype) for v in data)

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        _check_support(e, self.op)
        return e.emit_declared(self, operands)

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        self.check_alone()
        data = inputs[: len(self.results)]
        return tuple(x.astype(r.dtype.numpy) for x, r in zip(data, self.results, strict=True))

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"dtype": changed_dtype(operand_types[0], result_types[0])}


class PartitionId(Primitive, name="partition_id", mlir="stablehlo.partition_id"):
    """The number of the partition that runs this, `ui32`; 0 where there is one."""

    examples = (Example(runs=False),)

    def infer(self) -> TensorType:
        return ui32[()]

    def reference(self) -> Array:
        return np.zeros((), np.uint32)


class ReplicaId(Primitive, name="replica_id", mlir="stablehlo.replica_id"):
    """The number of the replica that runs this, `ui32`; 0 where there is one."""

    examples = (Example(),)

    def infer(self) -> TensorType:
        return ui32[()]

    def reference(self) -> Array:
        return np.zeros((), np.uint32)
