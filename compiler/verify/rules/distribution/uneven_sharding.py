"""Shardings whose axes do not divide a dimension."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.errors import ShardingError
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class UnevenSharding(Rule, id="distribution-uneven-sharding", severity="warning"):
    """A sharding splits a dimension into parts that are not equal.

    Shardy takes axes that do not divide it off a parameter or a result, without a word, and the
    array lies whole on devices that were to share it. Within a function the parts are padded
    instead, which is right and costs memory and time: a note. Manual axes must divide: an error.
    """

    remedy = "pad the dimension to a multiple, or split another one"
    messages = (r"is not divisible by the manual axes size",)
    faulty = """\
sdy.mesh @mesh = <["x"=3, "y"=4]>
func.func @main(%y: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<5x4xf32> {
  return %y : tensor<5x4xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=3, "y"=4]>
func.func @main(%y: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<6x4xf32> {
  return %y : tensor<6x4xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not subject.may_say("sdy"):
            return
        from dxir.runtime.undivided import undivided_shardings

        try:
            undivided = undivided_shardings(subject.module)
        except ShardingError:
            return  # a module inside of this one has meshes of its own
        for each in undivided:
            yield self.found(
                str(each),
                each.location,
                subject,
                severity="warning" if each.is_dropped else "note",
                numbers={"size": each.size, "parts": each.parts},
            )
