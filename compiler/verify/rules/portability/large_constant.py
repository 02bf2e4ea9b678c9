"""Constants that are large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dxir.constants import stored_as
from dxir.pipeline.base import option
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.weights import data_size, large_constants
from dxir.wording import size_text


class LargeConstant(Rule, id="portability-large-constant", severity="warning"):
    """A constant is large, and part of the program.

    It is parsed, copied and folded with the program wherever that goes, and a file of more than two
    gigabytes cannot be read by many tools. Weights are better parameters, kept in a file of arrays.
    Constants of one repeated element do not count.
    """

    remedy = (
        "make it a parameter: dxir-opt --dxir-externalize-constants moves constants to a file, and "
        "program.call_arguments reads them from there"
    )
    bytes: int = option("how many bytes a constant may have", default=1 << 24)
    example_options: ClassVar[Mapping[str, Any]] = {"bytes": 16}
    faulty = """\
func.func @main() -> tensor<5xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  return %0 : tensor<5xf32>
}
"""
    fixed = """\
func.func @main(%weights: tensor<5xf32>) -> tensor<5xf32> {
  return %weights : tensor<5xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        for op, type in large_constants(subject.module.operation, self.bytes + 1):
            size = data_size(stored_as(type), type.static_shape)
            yield self.found(
                f"a constant of type {type} has {size_text(size)}; the limit is "
                f"{size_text(self.bytes)}",
                op,
                subject,
                numbers={"bytes": size},
            )
