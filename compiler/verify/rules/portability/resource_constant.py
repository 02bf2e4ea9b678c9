"""Constants whose data is kept beside the module."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.errors import ArtifactError
from dxir.mlir import TypeCache
from dxir.resources import inline, resource_of, resources_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ResourceConstant(Rule, id="portability-resource-constant", severity="warning"):
    """The data of a constant is a resource, beside the ops.

    XLA and portable artifacts hold dense constants only, and StableHLO's interpreter reads memory
    that is not the constant's. dxir inlines resources whenever it writes or runs a program.
    """

    remedy = "write the constant as a dense one; dxir.load(...).serialize() does"
    faulty = """\
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense_resource<weights> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000100000002000000"
    }
  }
#-}
"""
    fixed = """\
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        found = resources_of(subject.module)
        blobs = subject.blobs if found else {}
        for resource in found:
            if resource.key in blobs:
                size = len(blobs[resource.key])
                yield self.found(
                    f"the constant's data is the resource {resource.key!r} of {size} bytes",
                    resource.op,
                    subject,
                    numbers={"bytes": size},
                )

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        resource = None if finding.at is None else resource_of(finding.at)
        if resource is None or resource.key not in subject.blobs:
            return False
        try:
            inline(resource, subject.blobs[resource.key], TypeCache.of(subject.module.context))
        except ArtifactError:
            return False
        return True
