"""Which ops make devices speak to each other, and which of these have one device in each group."""

from __future__ import annotations

import numpy as np

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute

OVER_AXES = frozenset(
    f"sdy.{name}"
    for name in (
        "all_gather", "all_reduce", "all_slice", "all_to_all", "collective_permute",
        "reduce_scatter",
    )
)  # fmt: skip
"""Shardy's collectives, whose groups lie along axes of a mesh."""

MOVES = OVER_AXES | {"sdy.replicated_to_unreduced", "sdy.sharded_to_unreduced"}
"""The ops of Shardy that make a value lie otherwise on the devices: `out_sharding` says how."""

_GROUPED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_reduce",
        "reduce_scatter",
    )
)  # fmt: skip
OVER_IDS = _GROUPED | {"stablehlo.collective_permute"}
"""StableHLO's collectives, whose groups are lists of ids."""

CROSS_DEVICE = OVER_IDS | {
    f"stablehlo.{name}" for name in ("partition_id", "recv", "replica_id", "send")
}
"""The ops whose result depends on which device it is or on what the others have."""


def is_alone(op: IrOperation) -> bool:
    """Whether a collective op takes values of one device only, and so gives them back."""
    if [v.type for v in op.operands] != [r.type for r in op.results]:
        return False
    if op.name in _GROUPED:
        groups = attribute(op, "replica_groups")
        return isinstance(groups, ir.DenseIntElementsAttr) and np.asarray(groups).shape[1] == 1
    if op.name == "stablehlo.collective_permute":
        pairs = attribute(op, "source_target_pairs")
        if isinstance(pairs, ir.DenseIntElementsAttr):
            array = np.asarray(pairs)
            return bool(0 in array and (array[:, 0] == array[:, 1]).all())
    return False


def speaks_to_others(op: IrOperation) -> bool:
    """Whether an op needs more than one device to mean what it says."""
    if op.name in ("stablehlo.partition_id", "stablehlo.replica_id"):
        return False
    return not is_alone(op)
