"""What of a sharded program XLA's partitioner is known to compute wrongly."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from dxir.errors import DxirError
from dxir.mlir import IrOperation, ir, stablehlo
from dxir.passes.partitioning.lying import Lying
from dxir.program import Program
from dxir.reading import attribute, ops_below
from dxir.sharding import Sharding

WINDOWS = "xla-cpu-partitioner-split-windows"
PARTS_OF_AXES = "xla-cpu-partitioner-parts-of-axes"
UPDATES = "xla-cpu-partitioner-update-out-of-range"
_UPDATE = "stablehlo.dynamic_update_slice"
_DOT, _CONVOLUTION = "stablehlo.dot_general", "stablehlo.convolution"


def faults_met(program: Program) -> frozenset[str]:
    """The ids of the known faults of the partitioner whose conditions a program fulfils."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spread = program.decompose().run_passes("dxir-propagate")
    except DxirError:
        return frozenset()
    return frozenset(_found(spread.module))


def _found(module: ir.Module) -> Iterator[str]:
    lying = Lying(module)
    for op in ops_below(module.operation, (_DOT, _CONVOLUTION, _UPDATE)):
        operands = [lying.of(v) for v in op.operands]
        if op.name == _UPDATE:
            spread = (operands[0], lying.of(op.results[0]))
            if any(dim.axes for s in spread if s is not None for dim in s.dims):
                yield UPDATES
            continue
        if op.name == _CONVOLUTION:
            if _splits_windows(op, operands):
                yield WINDOWS
        elif any(s and _has_parts(s) for s in (*operands, lying.of(op.results[0]))):
            yield PARTS_OF_AXES


def _splits_windows(op: IrOperation, operands: list[Sharding | None]) -> bool:
    """Whether a convolution has a spatial dimension of input or kernel split, on a larger mesh."""
    numbers = attribute(op, "dimension_numbers")
    if not isinstance(numbers, ir.Attribute):
        return False
    given = stablehlo.ConvDimensionNumbers(numbers)
    dims = (given.input_spatial_dimensions, given.kernel_spatial_dimensions)
    for sharding, spatial in zip(operands, dims, strict=True):
        if sharding is not None and any(sharding.dims[d].axes for d in spatial):
            parts = max(sharding.dims[d].size(sharding.mesh) for d in spatial)
            if sharding.mesh.size > parts:
                return True
    return False


def _has_parts(sharding: Sharding) -> bool:
    return any(axis.sub is not None for dim in sharding.dims for axis in dim.axes)
