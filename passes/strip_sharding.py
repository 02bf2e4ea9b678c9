"""Remove every trace of sharding, so that the program says nothing of devices.

    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]>        %0 in place of %1
    %1 = stablehlo.add %0, %0 {sdy.sharding = ...}              %1 = stablehlo.add %0, %0
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding}    %1 in place of %2

Meshes, shardings, groups, barriers and edges go, in Shardy's ops and attributes and in the older
`mhlo.sharding`, `mhlo.frontend_attributes` and custom calls. Shardy's collectives only move a value
between devices, so they are the value; so is a collective whose groups have one member each. A
manual computation sees one device's part of its operands: it is inlined where that part is the
whole and devices do not speak to each other in it, or where its manual axes have size 1. Any other
is refused, and so are the older calls that go into and out of one device's part. Nothing here calls
the native passes: those that erase shardings leave some of these forms, and some end the process on
modules without `main`.
"""

from __future__ import annotations

from dxir.constants import complex_constant
from dxir.decoding import AttributeText, entry
from dxir.diagnostics import where_of
from dxir.editing import replace_with, replaced
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, ir, sdy
from dxir.passes.device_groups import CROSS_DEVICE, MOVES, is_alone, speaks_to_others
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    attribute_names,
    attribute_text,
    is_used,
    ops_below,
    target_of,
    terminator,
    walk,
)

_FRONTEND = "mhlo.frontend_attributes"
_PREFIXES = ("sdy.", "mhlo.spmd_", "mhlo.use_auto_spmd_partitioning")
_EXACT = frozenset({"mhlo.sharding", "mhlo.num_partitions"})
_CALLS = frozenset({"stablehlo.custom_call", "mhlo.custom_call"})

# Ops whose only result is their operand, seen as the value it is on all devices together.
_IDENTITIES = MOVES | {
    f"sdy.{name}"
    for name in (
        "data_flow_edge", "func_data_flow_edge", "propagation_barrier", "reshard",
        "sharding_constraint",
    )
}  # fmt: skip
_LOCAL_TARGETS = frozenset(
    {
        "SPMDFullToShardShape",
        "SPMDShardToFullShape",
        "xla.sdy.GlobalToLocalShape",
        "xla.sdy.LocalToGlobalShape",
    }
)
_IDENTITY_TARGETS = _LOCAL_TARGETS | {
    "Sharding",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
}
_GROUP_TARGET = "xla.sdy.ShardingGroup"


class StripSharding(Pass, name="dxir-strip-sharding"):
    """Remove every trace of sharding; the values of one device stay the same."""

    jax: bool = option("remove attributes of JAX (`jax.*`) from functions, too", default=False)

    def run(self, module: ir.Module) -> bool:
        stripper = _Stripper(self, module)
        stripper.run()
        return bool(self.statistics)


class _Stripper:
    def __init__(self, pass_: StripSharding, module: ir.Module) -> None:
        self.pass_, self.module = pass_, module
        self.prefixes = (*_PREFIXES, "jax.") if pass_.jax else _PREFIXES
        self.texts: dict[IrAttribute, bool] = {}
        self.dictionaries: dict[ir.DictAttr, ir.DictAttr] = {}
        self.ops: list[tuple[IrOperation, str]] = []  # to remove, outer before inner
        self.devices: list[IrOperation] = []  # ops in which devices speak to each other
        self.meshes: dict[str, IrOperation] = {}
        self.localized = ""  # the target of a call into or out of parts

    def run(self) -> None:
        walk(self.module, self._visit)
        self._inline_lonely()
        for op, name in reversed(self.ops):
            self._remove(op, name)
        self._refuse_mesh_users()
        for mesh in self.meshes.values():
            mesh.erase()
            self.pass_.count("meshes")
        self._look_at_devices()
        self._check()

    def _inline_lonely(self) -> None:
        """Replace collectives whose groups have one member each by their operands."""
        left: list[IrOperation] = []
        for op in self.devices:
            if is_alone(op):
                replace_with(op, list(op.operands))
                self.pass_.count("ops")
            else:
                left.append(op)
        self.devices = left

    def _visit(self, op: IrOperation) -> None:
        name = op.name
        attributes = op.attributes
        if len(attributes):
            self._attributes(op, name)
        if name.startswith("sdy."):
            if name == "sdy.mesh":
                self.meshes[str(ir.StringAttr(attributes["sym_name"]).value)] = op
            elif name != "sdy.return":
                self.ops.append((op, name))
        elif name in _CALLS:
            target = target_of(op)
            if target in _IDENTITY_TARGETS or target.startswith("xla.sdy."):
                self.ops.append((op, name))
        elif name in CROSS_DEVICE:
            self.devices.append(op)

    def _attributes(self, op: IrOperation, name: str) -> None:
        for key in attribute_names(op):
            if key in _EXACT or key.startswith(self.prefixes):
                del op.attributes[key]
                self.pass_.count("attributes")
            elif key == _FRONTEND:
                self._frontend(op)
            elif key in ("arg_attrs", "res_attrs"):
                self._dictionaries(op, key)
            elif not name.startswith("sdy.") and self._is_shardys(attribute(op, key)):
                del op.attributes[key]
                self.pass_.count("attributes")

    def _is_shardys(self, value: IrAttribute | None) -> bool:
        if type(value) is not ir.Attribute:  # one of a dialect has no class of its own
            return False
        found = self.texts.get(value)
        if found is None:
            found = self.texts[value] = attribute_text(value).startswith("#sdy.")
        return found

    def _frontend(self, op: IrOperation) -> None:
        given = attribute(op, _FRONTEND)
        if isinstance(given, ir.DictAttr):
            left = self._cleared(given)
            if left != given:
                self.pass_.count("attributes")
                if len(left):
                    op.attributes[_FRONTEND] = left
                else:
                    del op.attributes[_FRONTEND]

    def _dictionaries(self, op: IrOperation, key: str) -> None:
        """Clear the attributes of a function's parameters or results."""
        given = attribute(op, key)
        if not isinstance(given, ir.ArrayAttr):
            return
        before = [ir.DictAttr(one) for one in given]
        left = [self._cleared(one) for one in before]
        if left != before:
            self.pass_.count("attributes")
            if any(len(one) for one in left):
                op.attributes[key] = ir.ArrayAttr.get(left, given.context)
            else:
                del op.attributes[key]

    def _cleared(self, given: ir.DictAttr) -> ir.DictAttr:
        """A dictionary without what is about sharding."""
        found = self.dictionaries.get(given)
        if found is None:
            found = self.dictionaries[given] = self._clear(given)
        return found

    def _clear(self, given: ir.DictAttr) -> ir.DictAttr:
        left: dict[str, IrAttribute] = {}
        for index in range(len(given)):
            entry = given[index]
            key, value = str(entry.name), entry.attr
            if key == _FRONTEND and isinstance(value, ir.DictAttr):
                inner = self._cleared(value)
                if len(inner) or not len(value):
                    left[key] = inner
            elif not (
                key in _EXACT
                or key.startswith((*self.prefixes, "xla.sdy."))
                or self._is_shardys(value)
            ):
                left[key] = value
        return ir.DictAttr.get(left, given.context)

    def _remove(self, op: IrOperation, name: str) -> None:
        if name in _IDENTITIES:
            self._identity(op, name)
        elif name in _CALLS:
            self._call(op)
        elif name == "sdy.manual_computation":
            self._manual(op)
        elif name == "sdy.named_computation":
            _inline(op)
        elif name == "sdy.sharding_group":
            op.erase()
        elif name == "sdy.constant":
            value = entry(op.attributes, "value")
            if isinstance(value, AttributeText):
                replace_with(op, complex_constant(op, value).results)
            else:
                replaced(op, "stablehlo.constant", {"value": value})
        else:
            raise _refused(op, "is an op of Shardy that this pass does not know")
        self.pass_.count("ops")

    def _identity(self, op: IrOperation, what: str) -> None:
        operands, results = list(op.operands), list(op.results)
        if [v.type for v in operands] != [r.type for r in results]:
            raise _refused(op, f"of {what} gives another type than it takes, that of a part")
        replace_with(op, operands)

    def _call(self, op: IrOperation) -> None:
        target = target_of(op)
        if target == _GROUP_TARGET and not any(map(is_used, op.results)):
            op.erase()
        elif target not in _IDENTITY_TARGETS:
            raise _refused(op, f"@{target} is a call of Shardy that this pass does not know")
        else:
            if target in _LOCAL_TARGETS:
                self.localized = target
            self._identity(op, f"@{target}")

    def _manual(self, op: IrOperation) -> None:
        block = op.regions[0].blocks[0]
        inside = [a.type for a in block.arguments] + [v.type for v in terminator(block).operands]
        outside = [v.type for v in op.operands] + [r.type for r in op.results]
        if inside != outside:
            raise _refused(op, "computes on one device's part of its operands")
        single = all(size == 1 for size in self._manual_sizes(op))
        for inner in ops_below(op, CROSS_DEVICE):
            if not single or speaks_to_others(inner):
                raise _refused(inner, "runs among the devices of a manual computation")
        _inline(op)

    def _manual_sizes(self, op: IrOperation) -> list[int]:
        """The sizes of the manual axes, as the mesh of the shardings has them."""
        sizes: dict[str, int] = {}
        for key in ("in_shardings", "out_shardings"):
            for sharding in sdy.TensorShardingPerValueAttr(op.attributes[key]).shardings:
                mesh = sdy.TensorShardingAttr(sharding).mesh_or_ref
                if isinstance(mesh, ir.FlatSymbolRefAttr):
                    mesh = self.meshes[str(mesh.value)].attributes["mesh"]
                for axis in sdy.MeshAttr(mesh).axes:
                    found = sdy.MeshAxisAttr(axis)
                    sizes[found.name] = found.size
        axes = sdy.ManualAxesAttr(op.attributes["manual_axes"])
        names = [str(axes[i]) for i in range(len(axes))]
        return [sizes.get(name, 0) for name in names]

    def _refuse_mesh_users(self) -> None:
        for op in self.devices:
            groups = attribute(op, "replica_groups")
            if groups is not None and not isinstance(groups, ir.DenseElementsAttr):
                text = attribute_text(groups)
                raise _refused(op, f"names its devices by the axes of a mesh, {text}")

    def _look_at_devices(self) -> None:
        if not self.pass_.statistics:
            return
        for op in self.devices:
            if not speaks_to_others(op):
                continue
            if self.localized:
                raise _refused(
                    op, f"runs among devices, and @{self.localized} leads to their parts"
                )
            self.pass_.warn(
                f"'{op.name}' still needs several devices; it is no sharding, and stays",
                op,
                code="NEEDS_DEVICES",
            )

    def _check(self) -> None:
        """Refuse to call anything stripped that is not."""

        def visit(op: IrOperation) -> None:
            if op.name.startswith("sdy."):
                raise _refused(op, "is still there")

        if self.pass_.statistics:
            walk(self.module, visit)


def _refused(op: IrOperation, reason: str) -> PassError:
    return PassError(
        f"'{op.name}' {reason}: without devices it means something else",
        where=where_of(op.location),
        hint="only programs that say what is computed, not how devices share it, can do without "
        "their sharding: strip it before partitioning",
    )


def _inline(op: IrOperation) -> None:
    """Put the ops of an op's only block in its place."""
    block = op.regions[0].blocks[0]
    *body, last = [view.operation for view in block.operations]
    for argument, operand in zip(block.arguments, op.operands, strict=True):
        argument.replace_all_uses_with(operand)
    for inner in body:
        inner.move_before(op)
    replace_with(op, list(last.operands))
