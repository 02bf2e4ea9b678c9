"""Shardings for two partitioners in one module."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class MixedPartitioners(Rule, id="distribution-mixed-partitioners", severity="error"):
    """Some shardings are in Shardy's words, others in HLO's alone, or in no words XLA reads.

    XLA has two partitioners. Shardy reads `sdy.sharding`, the older one `mhlo.sharding`; each
    leaves the other's out, or ends the process over them. (A value that has both kinds is fine: the
    second is there for older readers.) Text that is no sharding is ignored without a word.
    """

    remedy = "state all shardings in one way: #sdy.sharding<@mesh, [...]>"
    faulty = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not subject.may_say("mhlo.sharding"):
            return
        from dxir.runtime.hlo_shardings import Said

        said = Said(subject.module)
        if said.hlo is not None and said.shardy is not None:
            yield self.found(
                f"{said.hlo.name} has a sharding in HLO's words (mhlo.sharding), and "
                f"{said.shardy.name} one of Shardy's: no partitioner reads both",
                said.hlo,
                subject,
                related=[("a sharding of Shardy's", said.shardy)],
            )
        for op, text in said.unreadable:
            yield self.found(
                f"the sharding {text!r} of {op.name} is not written as HLO writes shardings",
                op,
                subject,
                hint='write it as "{devices=[2,1]<=[2]}", "{replicated}" or "{manual}"',
            )
