"""Which ops, loop variables, results, parameters and functions of a module count for anything.

Everything is dead until something that counts needs it. What counts of itself: effects, the public
functions and what only their callers know, and whatever refers to a function in a way that is not a
plain call. A loop variable that only computes its own next value is dead, and so is a parameter
that only goes round in calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from dxir.effects import callees, has_effect, kind_of, with_effects
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import (
    SHARDING,
    annotations_of,
    attribute,
    attribute_names,
    function_name,
    functions,
    has_body,
    is_public,
    signature,
    symbol,
    walk,
)


@dataclass(frozen=True, slots=True)
class Slots:
    """An op whose i-th result goes with its i-th operands, block arguments and yielded values.

    There are `groups` runs of operands with one for each result. `single` is where an operand that
    all results need stands, after so many runs; `control` is the region whose values they all need.
    """

    groups: int
    single: int | None = None
    control: int | None = None
    interleaved: bool = False

    def operands(self, slot: int, count: int) -> list[int]:
        """The operands of a slot, of `count` slots."""
        shift = [self.single is not None and group >= self.single for group in range(self.groups)]
        return [group * count + slot + shift[group] for group in range(self.groups)]

    def shared(self, count: int) -> int | None:
        """The operand that all slots need."""
        return None if self.single is None else self.single * count

    def of_argument(self, number: int, count: int) -> int:
        """The slot of a block argument."""
        return number // 2 if self.interleaved else number % count


SLOTS = {
    "stablehlo.while": Slots(groups=1, control=0),
    "stablehlo.if": Slots(groups=0, single=0),
    "stablehlo.case": Slots(groups=0, single=0),
    "stablehlo.reduce": Slots(groups=2),
    "stablehlo.reduce_window": Slots(groups=2),
    "stablehlo.scatter": Slots(groups=2, single=1),
    "stablehlo.sort": Slots(groups=1, control=0, interleaved=True),
}


def key_of(op: IrOperation) -> int | None:
    """What tells a living op from others; None for one that has no results and no regions."""
    # The hash of an op is that of the Python object; a value's and a block's is of what it is.
    results = op.results
    if len(results):
        return hash(results[0])
    return next((hash(block) for region in op.regions for block in region.blocks), None)


class Liveness:
    """What of a verified module is alive.

    Ops are told apart by `key_of` them: to hold them all would slow every walk down.
    """

    def __init__(self, module: ir.Module, *, fixed: bool = False) -> None:
        self.functions = {function_name(f): f for f in functions(module)}
        self.reached: set[str] = set()
        self.fixed: set[str] = set()
        """The functions whose parameters and results all stay."""
        self.ops: set[int] = set()
        self.slots: dict[int, set[int]] = {}
        self._ends: dict[int, IrOperation] = {}  # by the hash of the block they end
        self._ended: set[str] = set()  # the names of the ops that have such blocks
        self.sites: dict[str, list[IrOperation]] = {}
        self.parameters: dict[str, set[int]] = {name: set() for name in self.functions}
        self.results: dict[str, set[int]] = {name: set() for name in self.functions}
        self._roots: dict[str, list[IrOperation]] = {name: [] for name in self.functions}
        self._values: list[IrValue] = []
        self._seen: set[int] = set()
        self._waiting: list[str] = []  # functions to look into; recursion would be as deep as calls
        self.fitted = False
        """Whether a signature stays for the sake of functions that are left over."""
        calls = {name: self._read(name, function) for name, function in self.functions.items()}
        self._add_calls(calls)
        for name, function in self.functions.items():
            if is_public(function):
                self._fix(name)
        for op in module.body.operations:
            if op.operation.name != "func.func":
                for name in _all_callees(op.operation):
                    self._fix(name)
        if fixed:
            self.fixed.update(self.functions)
        self._settle()
        self._fit_the_rest()

    def _fit_the_rest(self) -> None:
        """Have the calls in functions that are not reached fit: those may stay all the same.

        What refers to them may be an attribute that nothing here knows of.
        """
        rest = {n: _all_callees(f) for n, f in self.functions.items() if n not in self.reached}
        while True:
            called = {c for n, cs in rest.items() if n not in self.reached for c in cs}
            called = (called & self.reached) - self.fixed
            if not called:
                return
            self.fitted = True
            for name in sorted(called):
                self._fix(name)
            self._settle()

    def _read(self, name: str, function: IrOperation) -> list[IrOperation]:
        """Note the effects of a function and what ends its blocks; the calls in it."""
        roots, ends, ended = self._roots[name], self._ends, self._ended
        calls: list[IrOperation] = []

        def visit(op: IrOperation) -> None:
            kind = kind_of(op.name)
            if kind == "pure":
                pass
            elif kind == "end":
                block = op.block
                ends[hash(block)] = op
                ended.add(block.owner.operation.name)
            elif kind == "effect":
                roots.append(op)
            else:
                calls.append(op)

        walk(function, visit)
        return calls

    def _add_calls(self, calls: dict[str, list[IrOperation]]) -> None:
        """Note the calls that have effects."""
        own: dict[str, bool] = {}
        called: dict[str, set[str]] = {}
        for name, ops in calls.items():
            effect = any(has_effect(op, ()) for op in ops)
            own[name] = effect or bool(self._roots[name]) or not has_body(self.functions[name])
            called[name] = {callee for op in ops for callee in callees(op)}
        effectful = with_effects(own, called)
        for name, ops in calls.items():
            self._roots[name] += [op for op in ops if has_effect(op, effectful)]

    def ends(self, op: IrOperation) -> list[IrOperation]:
        """The ops that end the blocks of an op, in order."""
        blocks = [block for region in op.regions for block in region.blocks]
        return [self._ends[key] for block in blocks if (key := hash(block)) in self._ends]

    def forget(self) -> None:
        """Let go of the ops held, before any is erased."""
        self._ends.clear()
        self._roots.clear()
        self.sites.clear()

    def _settle(self) -> None:
        values, seen = self._values, self._seen
        while values or self._waiting:
            if not values:
                self._enter(self._waiting.pop())
                continue
            value = values.pop()
            key = hash(value)
            if key in seen:
                continue
            seen.add(key)
            if isinstance(value, ir.OpResult):
                number = value.result_number
                self._result(value.owner.operation, number, None if number else key)
            elif isinstance(value, ir.BlockArgument):
                self._argument(value)

    def _result(self, op: IrOperation, number: int, key: int | None) -> None:
        name = op.name
        if name in SLOTS:
            self._slot(op, number)
            return
        self._op(op, key)
        if name == "func.call":
            callee = symbol(op, "callee") or ""
            known = self.results.get(callee)
            if known is not None and number not in known:
                known.add(number)
                for end in self.ends(self.functions[callee]):
                    self._values.append(end.operands[number])

    def _argument(self, value: ir.BlockArgument) -> None:
        block = value.owner
        owner = block.owner.operation
        name = owner.name
        slots = SLOTS.get(name)
        if slots is not None:
            self._slot(owner, slots.of_argument(value.arg_number, len(owner.results)))
        elif name == "func.func" and owner.regions[0].blocks[0] == block:
            self._parameter(function_name(owner), value.arg_number)

    def _parameter(self, name: str, number: int) -> None:
        known = self.parameters[name]
        if number not in known:
            known.add(number)
            self._values += [site.operands[number] for site in self.sites.get(name, ())]

    def _slot(self, op: IrOperation, slot: int) -> None:
        self._op(op)
        known = self.slots[key_of(op) or 0]
        if slot in known:
            return
        known.add(slot)
        shape = SLOTS[op.name]
        if shape.groups:
            operands = op.operands
            self._values += [operands[i] for i in shape.operands(slot, len(op.results))]
        for index, end in enumerate(self.ends(op)):
            if index != shape.control:
                self._values.append(end.operands[slot])

    def _op(self, op: IrOperation, key: int | None = None) -> None:
        if key is None:
            key = key_of(op)
        if key in self.ops:
            return
        if key is not None:
            self.ops.add(key)
        name = op.name
        shape = SLOTS.get(name)
        if shape is not None:
            assert key is not None
            self._with_slots(op, key, shape)
            return
        if name == "func.call":
            self._call(op)
            return
        self._values += op.operands
        if name in self._ended:
            for end in self.ends(op):
                self._op(end)
        if kind_of(name) != "pure" or name == "func.constant":
            for callee in callees(op):
                self._fix(callee)

    def _with_slots(self, op: IrOperation, key: int, shape: Slots) -> None:
        self.slots[key] = set()
        count = len(op.results)
        shared = shape.shared(count)
        if shared is not None:
            self._values.append(op.operands[shared])
        if shape.control is not None:
            self._op(self.ends(op)[shape.control])
        if not _may_shrink(op):
            for slot in range(count):
                self._slot(op, slot)

    def _call(self, op: IrOperation) -> None:
        callee = symbol(op, "callee") or ""
        if callee not in self.functions or not _may_shrink(op):
            self._fix(callee)
        self._reach(callee)
        self.sites.setdefault(callee, []).append(op)
        needed = self.parameters.get(callee)
        operands = op.operands
        self._values += operands if needed is None else [operands[i] for i in needed]

    def _fix(self, name: str) -> None:
        """Keep all parameters and results of a function: somebody counts on them."""
        if name in self.functions and name not in self.fixed:
            self.fixed.add(name)
            self._waiting.append(name)

    def _reach(self, name: str) -> None:
        if name in self.functions and name not in self.reached:
            self._waiting.append(name)

    def _enter(self, name: str) -> None:
        """Take what counts in a function, and all of its signature where that is fixed."""
        function = self.functions[name]
        if name not in self.reached:
            self.reached.add(name)
            if not _may_change(function):
                self.fixed.add(name)
            for root in self._roots[name]:
                op = root
                while op.name != "func.func":
                    self._op(op)
                    if op.name in SLOTS and SLOTS[op.name].groups and len(op.results):
                        self._slot(op, 0)  # a loop for its effects still has a variable
                    parent = op.parent
                    assert parent is not None
                    op = parent.operation
        if name in self.fixed:
            for end in self.ends(function):
                self._op(end)
            type = signature(function)
            self.results[name].update(range(len(type.results)))
            for number in range(len(type.inputs)):
                self._parameter(name, number)


def _may_shrink(op: IrOperation) -> bool:
    """Whether nothing said of the op is said of a result by its place, shardings aside."""
    if op.name == "func.call":
        return set(attribute_names(op)) <= {"callee", "no_inline", SHARDING}
    return not op.attributes or annotations_of(op).keys() <= {SHARDING}


_PLAIN = frozenset(
    {"function_type", "sym_name", "sym_visibility", "arg_attrs", "res_attrs", "no_inline"}
)


def _may_change(function: IrOperation) -> bool:
    """Whether the parameters and results of a private function could be others."""
    if not has_body(function) or len(function.regions[0].blocks) != 1:
        return False
    if not set(attribute_names(function)) <= _PLAIN:
        return False
    given = attribute(function, "arg_attrs")
    return given is None or "tf.aliasing_output" not in str(given)


def _all_callees(top: IrOperation) -> set[str]:
    found: set[str] = set()
    walk(top, lambda op: found.update(callees(op)))
    return found
