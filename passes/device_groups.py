"""Which ops make devices speak to each other, and which of these have one device in each group."""

from __future__ import annotations

import numpy as np

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute

_GROUPED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_reduce",
        "reduce_scatter",
    )
)  # fmt: skip
CROSS_DEVICE = _GROUPED | {
    f"stablehlo.{name}"
    for name in ("collective_permute", "partition_id", "recv", "replica_id", "send")
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
