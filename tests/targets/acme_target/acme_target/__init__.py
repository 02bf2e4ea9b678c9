"""A target of another package: a policy, a kernel and a pass of its own."""

import dxir
from acme_target.passes import CancelNegations
from dxir.runtime.executable import Executable
from dxir.targets import Accepts, KernelDescriptor, Refusal, Source, Target, keep_where


def run_elsewhere(source: Source) -> Executable:
    """Run a program on the processors, in place of a device that nobody has."""
    return dxir.compile(source.program().decompose(), "xla-cpu")


ACME_NPU = Target(
    "acme-npu",
    "the neural processor of Acme",
    run_elsewhere,
    accepts=Accepts(
        element_types=frozenset(("bf16", "f32", "i1", "i32")),
        refused_ops={"stablehlo.sort": Refusal("the device has no sorter", "sort on the host")},
        other_calls=Refusal("the device has no such routine"),
    ),
    granularity=keep_where(
        lambda use: use.name == "acme.gate" and len(use.operand_types) == 2, "acme.gate has a scale"
    ),
    kernels=(KernelDescriptor(composite="acme.square", call_target="acme_square", min_bytes=64),),
    program_passes=(CancelNegations, "cse"),
    flags={"acme-tiles": 4},
)
