"""The target `iree-vulkan`: IREE on GPUs, through Vulkan."""

from dataclasses import replace

from dxir.targets.acceptance import Refusal
from dxir.targets.builtin import iree
from dxir.targets.record import Target
from dxir.targets.registry import register_target

IREE_VULKAN = register_target(
    Target(
        "iree-vulkan",
        "IREE on GPUs, through Vulkan",
        iree.compiled_by("compile_vulkan"),
        needs=iree.NEEDS,
        accepts=replace(
            iree.ACCEPTS,
            refused_ops={
                **iree.ACCEPTS.refused_ops,
                "stablehlo.fft": Refusal("IREE 3.13 has no lowering of its indices for Vulkan"),
            },
        ),
        constants=iree.CONSTANTS,
        program_passes=iree.PROGRAM_PASSES,
        flags={**iree.FLAGS, "iree-hal-target-device": "vulkan"},
    )
)
