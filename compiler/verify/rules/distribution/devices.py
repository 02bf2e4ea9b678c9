"""Modules that are for another number of devices than they say, or than there are."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.group_faults import NAMES, Grid, GroupCheck, collective_strategy
from dxir.mlir import IrOperation, ir
from dxir.pipeline.base import option
from dxir.process_grid import what_ids_are
from dxir.reading import attribute, ops_below
from dxir.sharding_codec import decode_mesh
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_PARTITIONS, _REPLICAS = "mhlo.num_partitions", "mhlo.num_replicas"


class Devices(Rule, id="distribution-devices", severity="error"):
    """The meshes of a module, its groups and what it says of partitions are for different devices.

    A program is partitioned over all devices of one mesh: meshes of several sizes in one module, or
    a number of partitions that is another than the mesh's, cannot run. (One partition is a note:
    front ends write it where devices are not known yet.) With the option `devices`, the module must
    be for that many, too.
    """

    remedy = "make the module for one number of devices"
    faulty = """\
module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
}
"""
    fixed = faulty.replace("num_partitions = 4", "num_partitions = 8")

    devices: int | None = option(
        "how many devices the module is for; without it, as many as it says", default=None
    )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        meshes = [(op, size) for op in _meshes(subject) if (size := _size(op)) > 1]
        stated = {
            name: _number(subject.module.operation, name) for name in (_PARTITIONS, _REPLICAS)
        }
        yield from self._meshes_apart(subject, meshes)
        partitions = stated[_PARTITIONS]
        if meshes and partitions is not None and partitions not in {size for _, size in meshes}:
            op, size = meshes[0]
            yield self.found(
                f"the module says {_PARTITIONS} = {partitions}, and its mesh "
                f"@{_name(op)} has {size} devices",
                op,
                subject,
                hint=f"set {_PARTITIONS} to {size}, or leave it out",
                severity="note" if partitions == 1 else "error",
                numbers={"partitions": partitions, "devices": size},
            )
        if self.devices is not None:
            yield from self._not_as_many(subject, self.devices, meshes, stated)

    def _meshes_apart(
        self, subject: Subject, meshes: list[tuple[IrOperation, int]]
    ) -> Iterator[Finding]:
        for op, size in meshes[1:]:
            first, other = meshes[0]
            if size != other:
                yield self.found(
                    f"the mesh @{_name(op)} has {size} devices, and @{_name(first)} has {other}",
                    op,
                    subject,
                    related=[("the first mesh", first)],
                    hint="use one mesh, or parts of its axes",
                    severity="warning",
                    numbers={"devices": size, "first": other},
                )

    def _not_as_many(
        self,
        subject: Subject,
        devices: int,
        meshes: list[tuple[IrOperation, int]],
        stated: dict[str, int | None],
    ) -> Iterator[Finding]:
        hint = f"make it for {devices} device{'s' * (devices != 1)}"
        for op, size in meshes:
            if size != devices:
                text = f"the mesh @{_name(op)} has {size} devices, not {devices}"
                yield self.found(text, op, subject, hint=hint, numbers={"devices": size})
        known = [number for number in stated.values() if number is not None]
        count = 1
        for number in known:
            count *= number
        if not meshes and count > 1 and count != devices:
            text = " times ".join(f"{name} = {n}" for name, n in stated.items() if n is not None)
            yield self.found(f"the module says {text}, not {devices}", None, subject, hint=hint)
        if not meshes and not known and not NAMES.isdisjoint(subject.op_counts):
            yield from self._groups(subject, devices, hint)

    def _groups(self, subject: Subject, devices: int, hint: str) -> Iterator[Finding]:
        """Groups that do not fit so many devices, of a module that does not say how many."""
        among = {
            "replica": GroupCheck(subject.module, Grid(devices, None)),
            "partition": GroupCheck(subject.module, Grid(None, devices)),
        }
        among["device"] = among["partition"]
        for op in ops_below(subject.module.operation, NAMES):
            for fault in among[what_ids_are(collective_strategy(op))].faults(op):
                if fault.severity == "error":
                    text = f"{op.name} {fault.message}"
                    yield self.found(text, op, subject, hint=f"{hint}: {fault.hint}")


def _meshes(subject: Subject) -> list[IrOperation]:
    found = [op.operation for op in subject.module.body.operations]
    return [op for op in found if op.name == "sdy.mesh"]


def _name(op: IrOperation) -> str:
    return str(ir.StringAttr(op.attributes["sym_name"]).value)


def _size(op: IrOperation) -> int:
    return decode_mesh(_name(op), op.attributes["mesh"]).size


def _number(op: IrOperation, name: str) -> int | None:
    found = attribute(op, name)
    return int(found.value) if isinstance(found, ir.IntegerAttr) else None
