"""The target `xla-tpu`: XLA on Google's TPUs."""

from dxir.targets.builtin import xla
from dxir.targets.later import later
from dxir.targets.record import Target
from dxir.targets.registry import register_target

XLA_TPU = register_target(
    Target(
        "xla-tpu",
        "XLA on TPUs",
        later("dxir.runtime.plugins", "compile_tpu"),
        needs="a PJRT plugin for TPUs (the package libtpu), and a TPU",
        available=later("dxir.runtime.plugins", "has_tpu"),
        accepts=xla.ACCEPTS,
        program_passes=xla.PROGRAM_PASSES,
    )
)
