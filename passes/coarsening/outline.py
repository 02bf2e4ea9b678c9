"""Moving the ops of a group into a function, and a composite into their place."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.editing import free_name
from dxir.marks import MARKS, SHARED, marked
from dxir.mlir import IrAttribute, IrOperation, IrValue, ir, sdy
from dxir.passes.coarsening.copying import copied_ops
from dxir.passes.coarsening.equality import key_of
from dxir.passes.coarsening.group import Group, is_of, used_below
from dxir.reading import (
    SHARDING,
    attribute,
    function_name,
    in_block,
    is_used,
    maker_of,
)


class Outlining:
    """Groups outlined into functions at the end of a module; equal ones share one."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._context = module.context
        self._taken = {function_name(op.operation) for op in module.body.operations}
        self._known: dict[tuple[object, ...], str] = {}
        self._next_shared: int | None = None
        self._version = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, self._context), 1)

    def outline(self, group: Group) -> None:
        """Put a composite in the place of a group."""
        with self._context:
            inputs, originals = _inputs(group)
            results = _outputs(group)
            block = group.root.block
            composite = self._composite(group, inputs, results)
            _redirect(group, results, list(composite.results))
            self._number_shared(group, originals, block)
            key = key_of(group, inputs, originals, results)
            name = None if key is None else self._known.get(key)
            if name is None:
                name = free_name(group.name, self._taken)
                self._taken.add(name)
                self._move(group, inputs, originals, results, name)
                if key is not None:
                    self._known[key] = name
            else:
                for op in reversed(group.ops):
                    op.erase()
            for original in reversed(originals):
                if not is_used(original.results[0]) and original.block == block:
                    original.erase()
            composite.attributes["decomposition"] = ir.FlatSymbolRefAttr.get(name)

    def _composite(
        self, group: Group, inputs: Sequence[IrValue], results: Sequence[IrValue]
    ) -> IrOperation:
        attributes: dict[str, IrAttribute] = {
            "name": ir.StringAttr.get(group.name),
            "version": self._version,
            "decomposition": ir.FlatSymbolRefAttr.get(group.name),
        }
        if group.attributes is not None:
            attributes["composite_attributes"] = group.attributes
        sharding = _sharding(results)
        if sharding is not None:
            attributes[SHARDING] = sharding
        return ir.Operation.create(
            "stablehlo.composite",
            results=[r.type for r in results],
            operands=list(inputs),
            attributes=attributes,
            ip=ir.InsertionPoint(group.place),
            loc=group.root.location,
        )

    def _move(
        self,
        group: Group,
        inputs: Sequence[IrValue],
        originals: Sequence[IrOperation],
        results: Sequence[IrValue],
        name: str,
    ) -> None:
        """Move the ops of a group into a new function, with copies of the originals."""
        types = [v.type for v in inputs]
        location = group.root.location
        function = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(
                    ir.FunctionType.get(types, [r.type for r in results])
                ),
            },
            regions=1,
            ip=ir.InsertionPoint(self._module.body),
            loc=location,
        )
        block = function.regions[0].blocks.append(*types, arg_locs=[location] * len(types))
        end = ir.Operation.create(
            "func.return", operands=list(results), ip=ir.InsertionPoint(block), loc=location
        )
        new: dict[IrValue, IrValue] = {}
        for value, argument in zip(inputs, block.arguments, strict=True):
            new.setdefault(value, argument)
        for original in originals:
            copy = original.clone(ir.InsertionPoint(end)).operation
            _replace_operands(copy, new)
            new[original.results[0]] = copy.results[0]
        for op in group.ops:
            op.move_before(end)
            _replace_operands(op, new)
            for mark in MARKS:
                if mark in op.attributes:
                    del op.attributes[mark]

    def _number_shared(
        self, group: Group, originals: Sequence[IrOperation], block: ir.Block
    ) -> None:
        """Number the originals that stay, as others use them, for their copies to find back to.

        So do those that are not in the block.
        """
        inside: set[IrValue] = {op.results[0] for op in group.ops}
        leaving: set[IrValue] = set()
        for original in reversed(originals):
            value: IrValue = original.results[0]
            if original.block == block and all(
                is_of(user, inside) or is_of(user, leaving)
                for user in (in_block(u.owner.operation, block) for u in value.uses)
            ):
                leaving.add(value)
            elif SHARED not in original.attributes:
                original.attributes[SHARED] = self._new_number()

    def _new_number(self) -> IrAttribute:
        if self._next_shared is None:
            self._next_shared = max(marked(self._module, SHARED), default=-1) + 1
        self._next_shared += 1
        i64 = ir.IntegerType.get_signless(64, self._context)
        return ir.IntegerAttr.get(i64, self._next_shared - 1)


def _inputs(group: Group) -> tuple[list[IrValue], list[IrOperation]]:
    """The values a group takes from outside, and the ops that it gets copies of, in order."""
    inside: set[IrValue] = {op.results[0] for op in group.ops}
    inputs = dict.fromkeys(group.operands)
    originals: dict[IrValue, IrOperation] = {}
    for op in group.ops:
        for value in used_below(op):
            if value in inputs or value in originals:
                continue
            maker = maker_of(value)
            if maker is not None and is_of(maker, inside):
                continue
            copies = [] if maker is None else copied_ops(maker, group.operands)
            for one in copies:
                originals.setdefault(one.results[0], one)
            if not copies:
                inputs[value] = None
    more = list(inputs)[len(set(group.operands)) :]
    return [*group.operands, *more], list(originals.values())


def _outputs(group: Group) -> list[IrValue]:
    """The results of the last op, then those of others that are used outside."""
    inside: set[IrValue] = {op.results[0] for op in group.ops}
    block = group.root.block
    found = dict.fromkeys(group.root.results)
    for op in group.ops[:-1]:
        for result in op.results:
            if any(not is_of(in_block(u.owner.operation, block), inside) for u in result.uses):
                found[result] = None
    return list(found)


def _redirect(group: Group, results: Sequence[IrValue], new: Sequence[IrValue]) -> None:
    """Have the users outside take the composite's results."""
    inside: set[IrValue] = {op.results[0] for op in group.ops}
    block = group.root.block
    for result, value in zip(results, new, strict=True):
        for use in list(result.uses):
            user = use.owner.operation
            if not is_of(in_block(user, block), inside):
                user.operands[use.operand_number] = value


def _replace_operands(op: IrOperation, new: dict[IrValue, IrValue]) -> None:
    for i, value in enumerate(list(op.operands)):
        if value in new:
            op.operands[i] = new[value]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _replace_operands(inner.operation, new)


def _sharding(results: Sequence[IrValue]) -> IrAttribute | None:
    """What the ops say of how their results are sharded, if all of them do."""
    found: list[IrAttribute] = []
    for result in results:
        op = maker_of(result)
        given = None if op is None else attribute(op, SHARDING)
        if op is None or given is None or len(op.results) != 1:
            return None
        found += list(sdy.TensorShardingPerValueAttr(given).shardings)
    return sdy.TensorShardingPerValueAttr.get(found)
