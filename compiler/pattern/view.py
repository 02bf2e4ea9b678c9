"""What matching reads of a module, remembered: who makes a value, from what, and who uses it."""

from __future__ import annotations

from collections.abc import Container, Hashable
from typing import NamedTuple, cast

from dxir.effects import effectful_functions
from dxir.mlir import IrOperation, IrValue, ir
from dxir.pattern.access import (
    DYNAMIC,
    Access,
    through_broadcast,
    through_reshape,
    through_transpose,
)
from dxir.reading import attribute, function_name, functions, has_body, maker_of, symbol, terminator

BROADCAST = "stablehlo.broadcast_in_dim"
RESHAPE = "stablehlo.reshape"
TRANSPOSE = "stablehlo.transpose"
CONVERT = "stablehlo.convert"
LAYOUT = frozenset((BROADCAST, RESHAPE, TRANSPOSE, CONVERT))
"""The ops that a pattern looks through; conversions only from floats to floats."""

CALLS = frozenset(("stablehlo.composite", "func.call"))
MOST_SCOPES = 16
_MOST_STEPS = 32  # of layout and calls that are looked through, one after the other

NUMBER = "number"
"""The kind of a value that is one number everywhere."""


class Maker:
    """An op whose results a match may take part in."""

    __slots__ = ("_operands", "_users", "key", "memory", "name", "op")

    def __init__(self, op: IrOperation, name: str, key: IrValue) -> None:
        self.op, self.name, self.key = op, name, key
        self._operands: list[IrValue] | None = None
        self._users: list[IrOperation] | None = None
        self.memory: dict[str, object] = {}

    @property
    def operands(self) -> list[IrValue]:
        """The operands, in order."""
        if self._operands is None:
            self._operands = list(self.op.operands)
        return self._operands

    def users(self) -> list[IrOperation]:
        """The ops that use a result, once for each use."""
        if self._users is None:
            self._users = [u.owner.operation for r in self.op.results for u in r.uses]
        return self._users

    def numbers(self, name: str) -> list[int]:
        """An attribute that is a list of integers."""
        found = self.memory.get(name)
        if found is None:
            given = attribute(self.op, name)
            found = list(given) if isinstance(given, ir.DenseI64ArrayAttr) else []
            self.memory[name] = found
        assert isinstance(found, list)
        return found


class Scope(NamedTuple):
    """The inside of a call or composite that a match looks into."""

    call: Maker
    parent: Scope | None

    @property
    def outermost(self) -> Maker:
        """The call that stands in the function being searched."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope.call


class Seen(NamedTuple):
    """A value as it is read in a match: its access, and the calls it is inside of."""

    value: IrValue
    access: Access
    scope: Scope | None = None
    dropped: tuple[tuple[int, int, int], ...] = ()
    """The digits, outermost first, by which the value is spread over what is around it."""


class Step(NamedTuple):
    """One step down through an op that a pattern does not see; no op for a parameter's value."""

    seen: Seen
    through: Maker | None


class View:
    """The ops of a module, read once each; of no use after the module changed."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.functions = {function_name(f): f for f in functions(module)}
        self._effectful: Container[str] | None = None
        self._makers: dict[IrValue, Maker | None] = {}
        self._shapes: dict[IrValue, list[int] | None] = {}
        self._bodies: dict[str, tuple[ir.Block, list[IrValue]] | None] = {}
        self._kinds: dict[tuple[IrValue, Scope | None], frozenset[str]] = {}
        self._levels: dict[tuple[IrValue, Scope | None], list[tuple[Maker, Scope | None]]] = {}
        self.numbers: dict[tuple[IrValue, Scope | None], object] = {}
        """What `number_of` found."""
        self.holds: dict[tuple[IrValue, Scope | None], bool] = {}
        """What `holds_number` found."""
        self.plausible: dict[Hashable, bool] = {}
        """What `Pattern.plausible` found."""
        self._steps: dict[tuple[IrValue, Access, Scope | None], list[Step]] = {}

    def maker(self, value: IrValue) -> Maker | None:
        """The op that makes a value; None for an argument of a block."""
        try:
            return self._makers[value]
        except KeyError:
            pass
        op = maker_of(value)
        found = self._makers[value] = None if op is None else self.of(op)
        return found

    def of_value(self, value: IrValue) -> Maker:
        """The op that makes a value which is known to be made by one."""
        found = self.maker(value)
        assert found is not None
        return found

    def of(self, op: IrOperation) -> Maker:
        """What is known of an op with results."""
        key: IrValue = op.results[0]
        found = self._makers.get(key)
        if found is None:
            found = self._makers[key] = Maker(op, op.name, key)
        return found

    def users(self, maker: Maker) -> list[Maker]:
        """The ops with results, in the block of an op, that use its results."""
        found = maker.memory.get("users")
        if found is None:
            block = maker.op.block
            found = maker.memory["users"] = [
                self.of(user) for user in maker.users() if len(user.results) and user.block == block
            ]
        return cast("list[Maker]", found)

    def shape(self, value: IrValue) -> list[int] | None:
        """The sizes of a tensor, DYNAMIC where not known; None for others and for empty ones."""
        try:
            return self._shapes[value]
        except KeyError:
            pass
        type, found = value.type, None
        if isinstance(type, ir.RankedTensorType):
            found = type.shape
            if not type.has_static_shape:
                found = [DYNAMIC if type.is_dynamic_dim(i) else s for i, s in enumerate(found)]
            if 0 in found:
                found = None
        self._shapes[value] = found
        return found

    def chain(self, seen: Seen) -> list[Step]:
        """The value and those it is a layout of, one step after the other, down to the last."""
        key = (seen.value, seen.access, seen.scope)
        found = self._steps.get(key)
        if found is None:
            found = [Step(seen._replace(dropped=()), None)]
            while len(found) <= _MOST_STEPS and (step := self._below(found[-1].seen)) is not None:
                found.append(step)
            self._steps[key] = found
        if not seen.dropped:
            return found
        return [Step(s._replace(dropped=seen.dropped + s.dropped), through) for s, through in found]

    def kinds(self, value: IrValue, scope: Scope | None) -> frozenset[str]:
        """The ops that make a value, through layout and calls; NUMBER for one number everywhere."""
        key = (value, scope)
        found = self._kinds.get(key)
        if found is None:
            from dxir.pattern.numbers import number_of

            names = {maker.name for maker, _ in self.levels(value, scope)}
            if number_of(self, Seen(value, (), scope)) is not None:
                names.add(NUMBER)
            found = self._kinds[key] = frozenset(names)
        return found

    def levels(self, value: IrValue, scope: Scope | None) -> list[tuple[Maker, Scope | None]]:
        """The ops that make a value, through layout and calls, with the scopes they are in."""
        key = (value, scope)
        found = self._levels.get(key)
        if found is None:
            found = self._levels[key] = []
            for _ in range(_MOST_STEPS):
                maker = self.maker(value)
                below: tuple[IrValue, Scope | None] | None
                if maker is None:
                    below = self.given(value, scope)
                else:
                    found.append((maker, scope))
                    if maker.name in LAYOUT:
                        below = maker.operands[0], scope
                    else:
                        below = self.returned(maker, value, scope) if maker.name in CALLS else None
                if below is None:
                    break
                value, scope = below
        return found

    def callee(self, name: str) -> tuple[ir.Block, list[IrValue]] | None:
        """The block and the results of a function that can be looked into: pure, of one block."""
        if name not in self._bodies:
            self._bodies[name] = self._look_into(name)
        return self._bodies[name]

    def called(self, maker: Maker) -> str:
        """The name of the function that a call or composite is of."""
        found = maker.memory.get("callee")
        if found is None:
            name = "callee" if maker.name == "func.call" else "decomposition"
            found = maker.memory["callee"] = symbol(maker.op, name) or ""
        assert isinstance(found, str)
        return found

    def _look_into(self, name: str) -> tuple[ir.Block, list[IrValue]] | None:
        function = self.functions.get(name)
        if function is None or not has_body(function) or len(function.regions[0].blocks) != 1:
            return None
        if self._effectful is None:
            self._effectful = effectful_functions(self.module)
        if name in self._effectful:
            return None
        block = function.regions[0].blocks[0]
        return block, list(terminator(block).operands)

    def _below(self, seen: Seen) -> Step | None:
        value = seen.value
        maker = self.maker(value)
        if maker is None:
            return self._outside(seen)
        if maker.name in CALLS:
            return self._inside(seen, maker)
        if maker.name not in LAYOUT:
            return None
        operand = maker.operands[0]
        shape, result = self.shape(operand), self.shape(value)
        if shape is None or result is None:
            return None
        access: Access | None = seen.access
        if maker.name == BROADCAST:
            dims = maker.numbers("broadcast_dimensions")
            access = through_broadcast(seen.access, dims, shape, result)
        elif maker.name == RESHAPE:
            access = through_reshape(seen.access, shape)
        elif maker.name == TRANSPOSE:
            access = through_transpose(seen.access, maker.numbers("permutation"))
        elif not (_is_float(operand) and _is_float(value)):
            return None
        if access is None:
            return None
        spread = seen.dropped
        if maker.name == BROADCAST:
            read = {digit for part in access for digit in part}
            spread += tuple(
                [d for part in seen.access for d in part if d not in read and d not in spread]
            )
        return Step(Seen(operand, access, seen.scope, spread), maker)

    def _outside(self, seen: Seen) -> Step | None:
        found = self.given(seen.value, seen.scope)
        if found is None:
            return None
        return Step(seen._replace(value=found[0], scope=found[1]), None)

    def _inside(self, seen: Seen, maker: Maker) -> Step | None:
        found = self.returned(maker, seen.value, seen.scope)
        if found is None:
            return None
        return Step(seen._replace(value=found[0], scope=found[1]), maker)

    def given(self, value: IrValue, scope: Scope | None) -> tuple[IrValue, Scope | None] | None:
        """What is given for a parameter of the function that a match looks into."""
        if scope is None or not isinstance(value, ir.BlockArgument):
            return None
        body = self.callee(self.called(scope.call))
        if body is None or value.owner != body[0]:
            return None
        return scope.call.operands[value.arg_number], scope.parent

    def returned(
        self, maker: Maker, value: IrValue, scope: Scope | None
    ) -> tuple[IrValue, Scope] | None:
        """What the function returns that a call's result is."""
        body = self.callee(self.called(maker))
        if body is None or self._depth(scope) >= MOST_SCOPES:
            return None
        assert isinstance(value, ir.OpResult)
        found = body[1][value.result_number]
        return (found, Scope(maker, scope)) if found.type == value.type else None

    def _depth(self, scope: Scope | None) -> int:
        depth = 0
        while scope is not None:
            scope, depth = scope.parent, depth + 1
        return depth


def _is_float(value: IrValue) -> bool:
    type = value.type
    return isinstance(type, ir.RankedTensorType) and isinstance(type.element_type, ir.FloatType)
