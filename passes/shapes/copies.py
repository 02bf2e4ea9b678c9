"""A copy of each dynamic function for each call, so that every call can have its own shapes.

MLIR's stablehlo-refine-shapes refuses a function that is called with two shapes, or with two known
integers, and a composite whose decomposition it would have to refine. So every call gets a function
of its own first, and composites are calls meanwhile; afterwards copies that came out equal are one
function again. What is called in a loop is put there instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dxir.call_graph import reached
from dxir.diagnostics import where_of
from dxir.editing import free_name, replace_with, replaced
from dxir.effects import CALLEE_KEYS, callees
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, inlined_call, ir
from dxir.reading import (
    attributes_of,
    function_name,
    functions,
    has_body,
    is_dynamic,
    is_public,
    ops_below,
    symbol,
)
from dxir.structure import MOST_OPS, refuse_recursion

_CALLEE = {"func.call": "callee", "stablehlo.composite": "decomposition"}
_REFERRING = frozenset({*CALLEE_KEYS, "stablehlo.custom_call"})
_IN_LOOPS = frozenset({*_CALLEE, "stablehlo.while"})


def reachable(module: ir.Module, roots: Sequence[str]) -> list[str]:
    """The functions that those named refer to, however far, and they themselves, in that order."""
    by_name = {function_name(f): f for f in functions(module)}

    def called(name: str) -> list[str]:
        return [c for c in _called(by_name[name]) if c in by_name]

    return reached(called, [r for r in roots if r in by_name])


def _called(function: IrOperation) -> list[str]:
    return [c for op in ops_below(function, _REFERRING) for c in callees(op)]


@dataclass(slots=True)
class Copies:
    """The copies made in a module, by the names of what they are copies of."""

    module: ir.Module
    originals: dict[str, str] = field(default_factory=dict)
    composites: dict[str, Mapping[str, IrAttribute]] = field(default_factory=dict)
    expanded: list[str] = field(default_factory=list)
    """Where a composite had to be expanded."""

    _by_name: dict[str, IrOperation] = field(default_factory=dict)
    _dynamic: dict[str, bool] = field(default_factory=dict)

    def separate(self, entry: str) -> None:
        """Give every call below the function `entry` a function of its own."""
        by_name = self._by_name = {function_name(f): f for f in functions(self.module)}
        refuse_recursion({n: _called(f) for n, f in by_name.items()}, by_name)
        others = [n for n, f in by_name.items() if is_public(f) and n != entry]
        taken = {entry, *others, *reachable(self.module, others)}
        pending = [entry]
        total = 0
        while pending:
            caller = by_name[pending.pop()]
            ops = self._calls(caller)
            total += self._size(caller) if caller is not by_name[entry] else 0
            if total > MOST_OPS:
                raise self._too_large(caller)
            for op in ops:
                callee = self._callee(op)
                if callee is None:
                    continue
                own = callee
                if callee in taken and (self._is_dynamic(callee) or _takes_sizes(by_name[callee])):
                    own = self._copy(by_name, callee)
                    key = _CALLEE[op.name]
                    op.attributes[key] = ir.FlatSymbolRefAttr.get(own, op.context)
                if own not in taken:
                    taken.add(own)
                    pending.append(own)
                if op.name == "stablehlo.composite" and self._is_dynamic(callee):
                    self._call(op, own)

    def _callee(self, op: IrOperation) -> str | None:
        """The function that a call or composite names; PassError when it is only declared."""
        key = _CALLEE.get(op.name)
        name = None if key is None else symbol(op, key)
        if name is not None and not has_body(self._by_name[name]):
            # stablehlo-refine-shapes ends the process over it (0.10.2, 0.12.0.1).
            raise PassError(
                f"the shapes of {op.name} are not known: @{name} has no body",
                where=where_of(op.location),
                hint="link the module that defines it",
            )
        return name

    def _is_dynamic(self, name: str) -> bool:
        original = self.originals.get(name, name)
        if original not in self._dynamic:
            self._dynamic[original] = _has_dynamic_types(self._by_name[original])
        return self._dynamic[original]

    def _calls(self, caller: IrOperation) -> list[IrOperation]:
        """The calls and composites in a function, none of dynamic functions in loops.

        Refinement reads such calls before the loop has its types, and then refuses the new ones: so
        what is called is put in the place of the call.
        """
        total = 0
        while True:
            ops = ops_below(caller, _IN_LOOPS)
            inside = self._dynamic_calls_in_loops(ops)
            if not inside:
                return [op for op in ops if op.name in _CALLEE]
            for op, callee in inside.items():
                total += self._size(self._by_name[callee])
                if total > MOST_OPS:
                    raise self._too_large(caller)
                if op.name == "stablehlo.composite":
                    self.expanded.append(where_of(op.location) or callee)
                with ir.InsertionPoint(op):
                    values = inlined_call(self._by_name[callee], list(op.operands), op.location)
                replace_with(op, values)

    def _dynamic_calls_in_loops(self, ops: Sequence[IrOperation]) -> dict[IrOperation, str]:
        found: dict[IrOperation, str] = {}
        loops = [op for op in ops if op.name == "stablehlo.while"]
        for op in (op for loop in loops for op in ops_below(loop, _CALLEE)):
            callee = self._callee(op)
            if callee is not None and self._is_dynamic(callee):
                found[op] = callee
        return found

    @staticmethod
    def _size(function: IrOperation) -> int:
        return len(ops_below(function))

    def _too_large(self, caller: IrOperation) -> PassError:
        return PassError(
            f"a copy of each function for each of its calls takes more than {MOST_OPS} ops",
            where=where_of(caller.location),
            hint="functions that call others twice, level after level, grow like this",
        )

    def _copy(self, by_name: dict[str, IrOperation], name: str) -> str:
        fresh = free_name(name, by_name)
        function = by_name[name]
        copy = function.clone(ir.InsertionPoint(self.module.body)).operation
        context = self.module.context
        copy.attributes["sym_name"] = ir.StringAttr.get(fresh, context)
        copy.attributes["sym_visibility"] = ir.StringAttr.get("private", context)
        by_name[fresh] = copy
        self.originals[fresh] = self.originals.get(name, name)
        return fresh

    def _call(self, op: IrOperation, name: str) -> None:
        """Put a call in the place of a composite, whose attributes are kept."""
        if any(len(region.blocks) for region in op.regions):
            return
        self.composites[name] = attributes_of(op)
        replaced(op, "func.call", {"callee": ir.FlatSymbolRefAttr.get(name, op.context)})

    def join(self) -> None:
        """Make composites of calls again, and equal copies one function."""
        for function in functions(self.module):
            for op in ops_below(function, ("func.call",)) if self.composites else ():
                name = symbol(op, "callee")
                said = None if name is None else self.composites.get(name)
                if said is not None and name is not None:
                    reference = ir.FlatSymbolRefAttr.get(name, op.context)
                    replaced(op, "stablehlo.composite", {**said, "decomposition": reference})
        self._merge()

    def _merge(self) -> None:
        while self.originals and self._merge_once():
            pass

    def _merge_once(self) -> bool:
        """Merge equal copies of one function; those that call them may have become equal, too."""
        by_name = {function_name(f): f for f in functions(self.module)}
        private = [o for o in self.originals.values() if o in by_name and not is_public(by_name[o])]
        merged = False
        kept: dict[tuple[str, str], str] = {}
        for name in dict.fromkeys((*private, *reversed(self.originals))):
            if name not in by_name:
                continue
            original = self.originals.get(name, name)
            same = kept.setdefault((original, _text(by_name[name])), name)
            if same != name:
                ir.SymbolTable.replace_all_symbol_uses(name, same, self.module.operation)
                by_name.pop(name).erase()
                merged = True
        return merged


def _takes_sizes(function: IrOperation) -> bool:
    """Whether a function takes an integer: refinement puts known ones into it."""
    return any(
        isinstance(a.type, ir.RankedTensorType)
        and a.type.rank == 0
        and isinstance(a.type.element_type, ir.IntegerType)
        for a in function.regions[0].blocks[0].arguments
    )


def _has_dynamic_types(function: IrOperation) -> bool:
    arguments = function.regions[0].blocks[0].arguments
    return any(is_dynamic(a.type) for a in arguments) or any(
        is_dynamic(r.type) for op in ops_below(function) for r in op.results
    )


def _text(function: IrOperation) -> str:
    """The function as text without its own name."""
    text = function.get_asm(binary=False)
    assert isinstance(text, str)
    return text.replace(f"@{function_name(function)}(", "@(", 1)
