"""The target `iree-cpu`: IREE on processors, through LLVM."""

from dxir.targets.builtin import iree
from dxir.targets.record import Target
from dxir.targets.registry import register_target

IREE_CPU = register_target(
    Target(
        "iree-cpu",
        "IREE on processors, through LLVM",
        needs=iree.NEEDS,
        accepts=iree.ACCEPTS,
        constants=iree.CONSTANTS,
        program_passes=iree.PROGRAM_PASSES,
        flags={
            **iree.FLAGS,
            "iree-hal-target-device": "local",
            "iree-hal-local-target-device-backends": "llvm-cpu",
        },
    )
)
