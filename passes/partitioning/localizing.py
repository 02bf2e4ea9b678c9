"""A module in terms of whole values made one in terms of a device's parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dxir.diagnostics import where_of
from dxir.editing import set_signature
from dxir.errors import PassError
from dxir.mesh_layout import undivided
from dxir.mlir import IrOperation, IrType, IrValue, decode_type, ir, stablehlo
from dxir.passes.device_groups import CROSS_DEVICE, MOVES, speaks_to_others
from dxir.passes.partitioning.communication import Communication, Move
from dxir.passes.partitioning.local_ops import LOCAL_OPS, Piece
from dxir.passes.partitioning.lying import MANUAL, Lying, alike, local_type, manual_axes
from dxir.passes.partitioning.padding import Padding
from dxir.passes.partitioning.whole import FLOWS, LOCAL
from dxir.reading import (
    attribute,
    function_name,
    functions,
    has_body,
    signature,
    terminator,
    walk,
)
from dxir.types import TensorType

_SAME = frozenset({"sdy.reshard", "sdy.sharding_constraint", "sdy.propagation_barrier"})
# Their operands have the shape of their results by chance only.
_SHAPED = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast_in_dim", "dot", "dot_general", "reshape", "transpose")
)
_RANDOM = "stablehlo.rng"
_MOST_SHOWN = 3


class Localizing:
    """One module on its way."""

    def __init__(self, module: ir.Module, *, pad: bool = False) -> None:
        self.module, self.pad = module, pad
        self.lying = Lying(module)
        self.talk = Communication(_last_channel(module))
        self.padding = Padding(self.talk)
        self.gone: list[IrOperation] = []

    def run(self) -> None:
        """Do it in place. Raises PassError before anything is changed, where it cannot be done."""
        if not self.pad:
            check_divided(self.lying)
        for function in functions(self.module):
            if has_body(function):
                self._function(function)
        for op in reversed(self.gone):
            op.erase()

    def _function(self, function: IrOperation) -> None:
        for block in function.regions[0].blocks:
            for argument in block.arguments:
                self._make_local(argument, function)
            self._block(block, ())
        type = signature(function)
        lying = self.lying.results(function)
        results = [
            local_type(t, s, function.location) for t, s in zip(type.results, lying, strict=True)
        ]
        arguments = [a.type for a in function.regions[0].blocks[0].arguments]
        set_signature(function, arguments, results)

    def _block(self, block: ir.Block, manual: tuple[str, ...]) -> None:
        for view in list(block.operations):
            self._op(view.operation, manual)

    def _op(self, op: IrOperation, manual: tuple[str, ...]) -> None:
        if op.name in MOVES:
            after = self.lying.of(op.results[0])
            if after is None:
                raise PassError(
                    f"'{op.name}' does not say what it gives", where=where_of(op.location)
                )
            move = Move(op, self.lying.of(op.operands[0]), after, manual)
            way = self.padding.moved(move) if self.pad else None
            self._put(op, self.talk.local(move) if way is None else way)
            return
        if op.name in _SAME:
            self._check_pairs(op, [(op.operands[0], op.results[0])])
            self._put(op, op.operands[0])
            return
        if op.name in CROSS_DEVICE and not manual:
            _refuse_speaking(op)
        if op.name == MANUAL:
            self._manual(op)
            return
        self._check_alike(op)
        whole = [result.type for result in op.results]
        for result in op.results:
            self._make_local(result, op)
        if self.pad:
            self.padding.mask(op, self.lying.known)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    self._make_local(argument, op)
                self._block(block, manual)
        make = LOCAL_OPS.get(op.name)
        if make is None:
            return
        made = make(Piece(op, whole[0], self.lying.of(op.results[0]), self.padding))
        if made is not None:
            self._put(op, made.results[0])

    def _check_alike(self, op: IrOperation) -> None:
        """Refuse parts of different places that are of one shape, which nothing else would tell."""
        results = list(op.results)
        if op.name == "stablehlo.while":
            pairs = list(zip(op.operands, results, strict=True))
            pairs += zip(terminator(op.regions[1].blocks[0]).operands, results, strict=True)
        elif op.name in FLOWS and len(op.regions):
            ends = [terminator(region.blocks[0]) for region in op.regions]
            pairs = [pair for end in ends for pair in zip(end.operands, results, strict=True)]
        elif op.name in LOCAL and op.name not in _SHAPED and len(results) == 1:
            whole = self.padding.whole
            type = results[0].type
            pairs = [
                (v, results[0])
                for v in op.operands
                if _shape(whole.get(v, v.type)) == _shape(type) != []
            ]
        else:
            return
        self._check_pairs(op, pairs)

    def _check_pairs(self, op: IrOperation, pairs: Iterable[tuple[IrValue, IrValue]]) -> None:
        """Refuse a value that does not lie as the result that it is to be."""
        for value, result in pairs:
            if not alike(self.lying.of(value), self.lying.of(result)):
                raise PassError(
                    f"'{op.name}' takes a value that lies {self.lying.of(value)} for a result that "
                    f"lies {self.lying.of(result)}",
                    where=where_of(op.location),
                    hint="dxir-insert-collectives puts collectives between; run it before",
                )

    def _make_local(self, value: IrValue, op: IrOperation) -> None:
        """Give a value the type of a device's part."""
        self.padding.note(value, value.type)
        value.set_type(local_type(value.type, self.lying.of(value), op.location))

    def _put(self, op: IrOperation, value: IrValue) -> None:
        """Put a value in the place of an op's only result."""
        sharding = self.lying.of(op.results[0])
        if sharding is not None:
            self.lying.known[value] = sharding
        self.padding.note(value, self.padding.whole.get(op.results[0], op.results[0].type))
        op.results[0].replace_all_uses_with(value)
        self.gone.append(op)

    def _manual(self, op: IrOperation) -> None:
        """Put the body of a manual computation in its place: it is written for one device."""
        block = op.regions[0].blocks[0]
        axes = manual_axes(op)
        for argument, operand in zip(block.arguments, op.operands, strict=True):
            self.padding.note(argument, argument.type)
            argument.set_type(operand.type)
        self._block(block, axes)
        end = terminator(block)
        for view in list(block.operations):
            if view.operation != end:
                view.operation.move_before(op)
        for argument, operand in zip(block.arguments, op.operands, strict=True):
            argument.replace_all_uses_with(operand)
        outside = set(op.operands)
        for result, value in zip(op.results, list(end.operands), strict=True):
            if value in outside:  # which lies otherwise where it is from
                value = _copied(op, value)
            result.replace_all_uses_with(value)
            sharding = self.lying.of(result)
            if sharding is not None:
                self.lying.known[value] = sharding
            self.padding.note(value, result.type)
        self.gone.append(op)


def _copied(op: IrOperation, value: IrValue) -> IrValue:
    """The value as one of its own."""
    return ir.Operation.create(
        "stablehlo.reshape",
        results=[value.type],
        operands=[value],
        ip=ir.InsertionPoint(op),
        loc=op.location,
    ).results[0]


def _refuse_speaking(op: IrOperation) -> None:
    """Refuse what is about single devices where there are whole values."""
    if op.name == "stablehlo.partition_id" or speaks_to_others(op):
        raise PassError(
            f"'{op.name}' is about single devices, and stands where values are those of all",
            where=where_of(op.location),
            hint="put it into a manual_computation, which is written for one device",
        )


def check_divided(lying: Lying) -> None:
    """Raise PassError that names the values whose dimensions their axes do not divide."""
    found: list[tuple[str | None, str]] = []
    for value, sharding in lying.known.items():
        type = decode_type(value.type)
        if not isinstance(type, TensorType):
            continue
        for each in undivided(type, sharding):
            owner = value.owner
            place = value.location if isinstance(owner, ir.Block) else owner.operation.location
            axes = ", ".join(f'"{a.name}"={a.size(sharding.mesh)}' for a in each.sharding.axes)
            found.append(
                (
                    where_of(place),
                    f"dimension {each.dimension} ({each.size}) of {_named(value)} of type {type} "
                    f"is not divisible by its axes, {axes}",
                )
            )
    if not found:
        return
    lines = [found[0][1]]
    lines += [f"  {where}: {text}" for where, text in found[1:_MOST_SHOWN]]
    if len(found) > _MOST_SHOWN:
        lines.append(f"  and {len(found) - _MOST_SHOWN} more")
    raise PassError(
        "\n".join(lines),
        where=found[0][0],
        hint="partition with pad=true, or give it another sharding",
    )


def _shape(type: IrType) -> list[int]:
    return list(type.shape) if isinstance(type, ir.RankedTensorType) else []


def _named(value: IrValue) -> str:
    owner = value.owner
    if isinstance(owner, ir.Block):
        parent = owner.owner.operation
        if parent.name == "func.func":
            return f"parameter {ir.BlockArgument(value).arg_number} of @{function_name(parent)}"
        return f"an argument of '{parent.name}'"
    return f"the result of '{owner.operation.name}'"


def _last_channel(module: ir.Module) -> int:
    """The largest number of a channel that the module uses."""
    last = 0

    def visit(op: IrOperation) -> None:
        nonlocal last
        handle = attribute(op, "channel_handle")
        if handle is not None:
            last = max(last, _number(handle))

    walk(module, visit)
    return last


def _number(handle: ir.Attribute) -> int:
    return int(stablehlo.ChannelHandle(handle).handle)


def random_ops(module: ir.Module) -> Iterator[IrOperation]:
    """The ops that give other numbers on every device."""
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if op.name == _RANDOM:
            found.append(op)

    walk(module, visit)
    yield from found
