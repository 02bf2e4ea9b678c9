"""The target `xla-tpu`: XLA on Google's TPUs."""

from dxir.targets.builtin import xla
from dxir.targets.record import Target
from dxir.targets.registry import register_target

XLA_TPU = register_target(
    Target(
        "xla-tpu",
        "XLA on TPUs",
        needs="libtpu and a TPU; write the artifact, and compile it there",
        accepts=xla.ACCEPTS,
        program_passes=xla.PROGRAM_PASSES,
    )
)
