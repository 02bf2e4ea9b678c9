"""Shardings that are not of the shape of what they are for."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, ops_below, signature
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_HLO = "mhlo.sharding"


class ShardingMismatch(Rule, id="distribution-sharding-mismatch", severity="error"):
    """A sharding does not fit the value it is for: another rank, or another number of values.

    A sharding has an entry for each dimension, and an op one for each result; the parts that a
    manual computation sees have the sizes that its shardings leave; a part of an axis divides it.
    Every tool rejects the module. In HLO's words (`mhlo.sharding`) MLIR does not look at them, and
    XLA rejects the module later: for another rank, or another number of devices.
    """

    remedy = "give the value a sharding with an entry for each of its dimensions, or none"
    messages = (
        r"sharding doesn't match tensor rank",
        r"shardings don't match number of values",
        r"sharding attribute of type TensorSharding",
        r"shape, corresponding sharding, and region",
        r"sub-axis (?:next )?(?:pre-)?size",
        r"[Aa]djacent axes in|axes can be merged",
        r"axes are not ordered w\.r\.t\. mesh",
        r"is empty and closed but has a priority",
        r"collective on operand without sharding",
    )
    faulty = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> tensor<f32> {
  return %x : tensor<f32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> tensor<f32> {
  return %x : tensor<f32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not subject.may_say(_HLO):
            return
        from dxir.runtime.pjrt.sharding_text import tiles_of

        stated = attribute(subject.module.operation, "mhlo.num_partitions")
        devices = int(stated.value) if isinstance(stated, ir.IntegerAttr) else 1
        known: dict[str, tuple[tuple[int, ...], int] | None] = {}
        for op, what, type, text in _said(subject):
            if text not in known:
                known[text] = tiles_of(text)
            tiling = known[text]
            if tiling is None or not isinstance(type, ir.RankedTensorType):
                continue
            tiles, count = tiling
            fault = ""
            if len(tiles) != type.rank:
                fault = f"is of rank {len(tiles)}, and that is {type}"
            elif devices > 1 and count != devices:
                fault = f"is for {count} devices, and the module for {devices}"
            if fault:
                yield self.found(f"the sharding {text!r} of {what} {fault}", op, subject)


def _said(subject: Subject) -> Iterator[tuple[IrOperation, str, ir.Type, str]]:
    """What has a sharding in HLO's words: the op, what it is, its type, and the words."""
    for name, function in subject.functions.items():
        type = signature(function)
        for what, marks, types in (
            ("parameter", "arg_attrs", type.inputs),
            ("result", "res_attrs", type.results),
        ):
            given = attribute(function, marks)
            for i, entry in enumerate(given if isinstance(given, ir.ArrayAttr) else ()):
                entries = ir.DictAttr(entry)
                text = entries[_HLO] if _HLO in entries else None  # noqa: SIM401  it has no get
                if isinstance(text, ir.StringAttr):
                    yield function, f"{what} {i} of @{name}", types[i], str(text.value)
    for op in ops_below(subject.module.operation):
        text = attribute(op, _HLO)
        if isinstance(text, ir.StringAttr) and len(op.results) == 1:
            yield op, op.name, op.results[0].type, str(text.value)
