"""What custom calls cost, where that is declared.

A call that partitioning understands costs nothing; any other is not known until
`register_call_cost`, or a kernel of a target with a `cost`, says what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dxir.costs.cost import Cost
from dxir.costs.sizes import UnknownSize
from dxir.decoding import Decoder, entry, keys
from dxir.diagnostics import where_of
from dxir.errors import ArgumentError, DxirError
from dxir.locations import caller_location
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, target_of
from dxir.types import Type

_FREE = frozenset(
    (
        "LayoutConstraint", "SPMDFullToShardShape", "SPMDShardToFullShape", "Sharding",
        "annotate_device_placement", "shape_assertion", "xla.sdy.FuncResultSharding",
        "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "xla.sdy.PropagationBarrier",
        "xla.sdy.ShardingGroup",
    )
)  # fmt: skip
"""Calls that say how values lie, or what sizes are, and become nothing."""


@dataclass(frozen=True, slots=True)
class CallUse:
    """A custom call as a formula of its cost sees it: free of MLIR.

    `attributes` are those of its backend config, where that is a dictionary.
    """

    target: str
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    where: str | None = None


CallCost = Callable[[CallUse], Cost]

_declared: dict[str, CallCost] = {}
_of_kernels: dict[str, list[CallCost]] = {}


def register_call_cost(target: str, cost: CallCost) -> None:
    """Tell what custom calls of a name cost; what was told of it before is replaced.

    `cost` gets a CallUse and gives `Cost.of(flops=..., read=...)`.
    """
    if not callable(cost):
        raise ArgumentError(
            f"the cost of {target!r} is {cost!r}",
            where=caller_location(),
            hint="give a function of a CallUse, that returns a Cost",
        )
    _declared[target] = cost


def unregister_call_cost(target: str) -> None:
    """Forget what custom calls of a name cost."""
    _declared.pop(target, None)


def enter_kernel_cost(target: str, cost: CallCost) -> None:
    """Tell what the calls of a kernel cost; what was registered goes first, then the first told."""
    _of_kernels.setdefault(target, []).append(cost)


def forget_kernel_cost(target: str, cost: CallCost) -> None:
    """Take back what `enter_kernel_cost` was told."""
    known = _of_kernels.get(target, [])
    if cost in known:
        known.remove(cost)


def cost_of_call(op: IrOperation) -> Cost:
    """The cost of a custom call; UnknownSize, with the reason, where nothing declares it."""
    target = target_of(op)
    if target in _FREE:
        return Cost()
    formula = _declared.get(target) or next(iter(_of_kernels.get(target, ())), None)
    if formula is None:
        raise UnknownSize(f"nothing declares what a custom call of @{target} costs")
    use = _use_of(op, target)
    try:
        found: object = formula(use)
    except DxirError:
        raise
    except Exception as error:
        raise ArgumentError(
            f"the cost of @{target} raised {type(error).__name__}: {error}",
            where=use.where,
            hint="correct the function that register_call_cost, or the kernel, was given",
        ) from error
    if not isinstance(found, Cost):
        raise ArgumentError(
            f"the cost of @{target} is {found!r}, no Cost",
            where=use.where,
            hint="return Cost.of(flops=..., read=..., written=...)",
        )
    return found


def _use_of(op: IrOperation, target: str) -> CallUse:
    decoder = Decoder(op.context, dict)
    config = attribute(op, "backend_config")
    try:
        return CallUse(
            target,
            tuple([decoder.type(value.type) for value in op.operands]),
            tuple([decoder.type(value.type) for value in op.results]),
            {
                key: decoder.attribute("any", entry(config, key))
                for key in (keys(config) if isinstance(config, ir.DictAttr) else ())
            },
            where_of(op.location),
        )
    except DxirError as error:
        raise UnknownSize(f"a custom call of @{target}: {error.message}") from None
