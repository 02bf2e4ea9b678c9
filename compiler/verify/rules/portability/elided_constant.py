"""Constants without data."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.errors import VerificationError
from dxir.resources import missing_error, missing_resources
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ElidedConstant(Rule, id="portability-elided-constant", severity="error"):
    """The data of a constant is not in the module.

    Printed with element limits, a module keeps `dense_resource<__elided__>` in the place of what is
    large. It parses and verifies, and StableHLO's interpreter runs it on memory that was never
    written; compilers refuse it.
    """

    remedy = "export the module again without element limits, or as bytecode"
    messages = (r"the text was printed with element limits",)
    faulty = """\
func.func @main() -> tensor<40xi32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<40xi32>
  return %0 : tensor<40xi32>
}
"""
    fixed = """\
func.func @main() -> tensor<40xi32> {
  %0 = stablehlo.constant dense<1> : tensor<40xi32>
  return %0 : tensor<40xi32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        for resource in missing_resources(subject.module):
            message = missing_error(resource, VerificationError, "run the program").message
            yield self.found(message.partition(": ")[2], resource.op, subject)
