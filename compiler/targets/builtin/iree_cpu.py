"""The target `iree-cpu`: IREE on processors, through LLVM."""

from dxir.targets.builtin import iree
from dxir.targets.record import Target
from dxir.targets.registry import register_target

IREE_CPU = register_target(
    Target(
        "iree-cpu",
        "IREE on processors, through LLVM",
        iree.compiled_by("compile_cpu"),
        needs=iree.NEEDS,
        accepts=iree.ACCEPTS,
        constants=iree.CONSTANTS,
        program_passes=iree.PROGRAM_PASSES,
        flags={
            **iree.FLAGS,
            "iree-hal-target-device": "local",
            "iree-hal-local-target-device-backends": "llvm-cpu",
            "iree-llvmcpu-target-cpu": "host",  # without it f64 is not even rounded: no libm is linked
        },
    )
)
