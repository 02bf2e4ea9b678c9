"""Targets: where programs go, what each takes and wants, and how they are compiled for it."""

from dxir.targets.acceptance import Accepts, Limit, Refusal
from dxir.targets.kernel_bounds import Takes, Tolerance
from dxir.targets.kernels import CompositeUse, KernelDescriptor, register_kernel
from dxir.targets.options import CompileOptions
from dxir.targets.policies import (
    INLINE,
    KEEP_ALL,
    KEEP_NOTHING,
    Constants,
    Granularity,
    keep_all_but,
    keep_only,
    keep_where,
)
from dxir.targets.record import Fate, Source, Target
from dxir.targets.registry import all_targets, find_target, register_target, target_names
from dxir.targets.report import Report

__all__ = [
    "INLINE",
    "KEEP_ALL",
    "KEEP_NOTHING",
    "Accepts",
    "CompileOptions",
    "CompositeUse",
    "Constants",
    "Fate",
    "Granularity",
    "KernelDescriptor",
    "Limit",
    "Refusal",
    "Report",
    "Source",
    "Takes",
    "Target",
    "Tolerance",
    "all_targets",
    "find_target",
    "keep_all_but",
    "keep_only",
    "keep_where",
    "register_kernel",
    "register_target",
    "target_names",
]
