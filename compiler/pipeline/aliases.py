"""Pipelines with names: of the original tools, which this MLIR lacks, and dxir's own.

`stablehlo-opt` has the first two; those of `sdy-opt` are native here.
"""

from __future__ import annotations

from dxir.pipeline.steps import register_alias
from dxir.versions import current_version

register_alias(
    "stablehlo-deserialize",
    "Read the ops of a portable artifact: VHLO of any version into StableHLO.",
    lambda: f"vhlo-to-version{{target={current_version()}}},vhlo-legalize-to-stablehlo",
)
# Upstream also reconciles unrealized casts; that pass is not registered, and none are left over.
register_alias(
    "chlo-pre-serialization-pipeline",
    "Turn CHLO and shape ops into StableHLO, as far as possible.",
    "chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo",
)
register_alias(
    "dxir-composites",
    "Make a composite of each softmax, norm, attention and the like (`dxir patterns`).",
    "dxir-recognize,dxir-coarsen",
)
