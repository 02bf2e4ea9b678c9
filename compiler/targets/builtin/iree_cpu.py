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
            # Of no processor in particular, IREE calls a C library even to round f64, in vain.
            "iree-llvmcpu-target-cpu": "host",
        },
    )
)
