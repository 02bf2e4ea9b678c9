"""The target `xla-cuda`: XLA on NVIDIA's GPUs."""

from dxir.targets.builtin import xla
from dxir.targets.record import Target
from dxir.targets.registry import register_target

XLA_CUDA = register_target(
    Target(
        "xla-cuda",
        "XLA on NVIDIA GPUs",
        needs="a PJRT plugin for CUDA and a GPU; write the artifact, and compile it there",
        accepts=xla.ACCEPTS,
        program_passes=xla.PROGRAM_PASSES,
    )
)
