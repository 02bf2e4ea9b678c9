"""The target `xla-cuda`: XLA on NVIDIA's GPUs."""

from dxir.targets.builtin import xla
from dxir.targets.later import later
from dxir.targets.record import Target
from dxir.targets.registry import register_target

XLA_CUDA = register_target(
    Target(
        "xla-cuda",
        "XLA on NVIDIA GPUs",
        later("dxir.runtime.plugins", "compile_cuda"),
        needs="a PJRT plugin for CUDA (the package jax-cuda13-plugin or jax-cuda12-plugin), a GPU",
        available=later("dxir.runtime.plugins", "has_cuda"),
        accepts=xla.ACCEPTS,
        program_passes=xla.PROGRAM_PASSES,
    )
)
