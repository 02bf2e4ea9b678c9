"""Custom calls that few readers know."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from dxir.mlir import IrOperation, ir
from dxir.pipeline.base import option
from dxir.reading import attribute, target_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

STABLE = (
    # What partitioners read, and what dynamic shapes check.
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.*", "shape_assertion",
    "annotate_device_placement",
    # Ops that StableHLO is to have, and those CHLO's are written as.
    "stablehlo.*", "mhlo.*", "ApproxTopK", "TopK",
    # Linear algebra: LAPACK on CPUs, the libraries of GPUs, and TPUs.
    "lapack_*_ffi", "cusolver_*_ffi", "hipsolver_*_ffi", "cusparse_*_ffi", "hipsparse_*_ffi",
    "cu_lu_pivots_to_permutation", "hip_lu_pivots_to_permutation",
    "Eigh", "Qr", "LuDecomposition", "ProductOfElementaryHouseholderReflectors",
    # Random numbers, memory, and kernels that carry their own version.
    "cu_threefry2x32_ffi", "hip_threefry2x32_ffi", "AllocateBuffer", "tpu_custom_call",
    "mosaic_gpu_v2", "tf.call_tf_function",
)  # fmt: skip
"""The targets that XLA and JAX promise to keep, with `*` as in names of files."""

_CALLBACKS = ("xla_*python*callback", "xla_python_*")


class CustomCall(Rule, id="portability-custom-call", severity="warning"):
    """The target of a custom call is not among those that readers are known to have.

    A custom call is a name, and what it does is up to the reader. XLA and JAX promise to keep some,
    such as those of linear algebra; others work with one version of one compiler, or in the process
    that registered them.
    """

    remedy = (
        "write it as a stablehlo.composite, whose decomposition any reader runs; or, if all your "
        "readers have it, add its target to `allow` of [tool.dxir.verify.rules."
        "portability-custom-call], or --option=portability-custom-call.allow=TARGET"
    )
    allow: tuple[str, ...] = option("targets that are let through, beside the known", default=())
    stable: tuple[str, ...] = option("targets that readers are known to have", default=STABLE)
    ops = ("stablehlo.custom_call",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @acme_gelu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.gelu" %x {decomposition = @gelu} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        target = target_of(op)
        if not target:
            yield self.found("a custom call names no target", op, subject, hint="name its target")
            return
        version = attribute(op, "api_version")
        if isinstance(version, ir.IntegerAttr) and version.value == 0:
            yield self.found(
                f"the custom call of {target} has api_version 0, which is none",
                op,
                subject,
                hint="leave api_version out, or say which it is; 4 is that of typed FFI calls",
            )
        if any(fnmatchcase(target, known) for known in (*self.stable, *self.allow)):
            return
        if any(fnmatchcase(target, callback) for callback in _CALLBACKS):
            yield self.found(
                f"{target} calls back into Python of the process that made the program",
                op,
                subject,
                hint="take the callback out, such as jax.debug.print or jax.pure_callback",
            )
            return
        yield self.found(f"few readers know the custom call of {target}", op, subject)
