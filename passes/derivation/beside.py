"""Functions made of a function of a module, and put beside it.

A function and what it calls are raised, transformed as a graph and lowered; nothing else of the
module is touched. Composites that are named as ops of dxir, with attributes of these, are taken for
them, so that those which coarsening made have the derivatives and batched forms of the ops. The new
function has an attribute that says what it was made by:

    func.func public @main_vjp(...)
        attributes {dxir.made_by = {by = "dxir-differentiate{wrt=0}", type = "(...) -> ..."}}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from dxir.call_graph import order, reached
from dxir.collecting import collection_paused
from dxir.diagnostics import Diagnostic, collecting, error_from, where_of
from dxir.editing import free_name
from dxir.effects import Known, callees_below, mentioned_below
from dxir.errors import DxirError, PassError
from dxir.graph import Function, Module
from dxir.locations import NOWHERE, at
from dxir.lowering import Lowering
from dxir.mlir import IrOperation, TypeCache, ir, passmanager
from dxir.passes.decomposition.kernel_calls import composites_again
from dxir.pipeline.base import Pass
from dxir.quoting import QUOTED
from dxir.raising import Raising
from dxir.reading import (
    attribute,
    function_name,
    functions,
    has_body,
    is_dynamic,
    is_public,
    renamed,
    signature,
    target_of,
)
from dxir.symbols import called_functions
from dxir.transforms.doubts import doubts_to
from dxir.transforms.rules import Mode, is_registered

MADE_BY = "dxir.made_by"
"""The attribute of a function with the pass that made it of another one."""

_MAIN = "main"
_SYMBOL = re.compile(rf"@(?:{QUOTED}|[\w.$-]+)\(")


class Beside:
    """A function of a module, and the one that a pass makes of it.

    `mark` is what the new one says it was made by: the same for passes that make the same.
    """

    def __init__(
        self, by: Pass, module: ir.Module, function: str, rename_to: str, mark: str
    ) -> None:
        self._by = by
        self._mark = mark
        self._module = module
        self._known = {function_name(op.operation): op.operation for op in module.body.operations
                       if op.operation.name in ("func.func", "sdy.mesh")}  # fmt: skip
        self._functions = {function_name(f): f for f in functions(module)}
        self._source = self._entry(function.removeprefix("@"))
        self._type = str(signature(self._source))
        self._rename_to = rename_to.removeprefix("@")

    @property
    def name(self) -> str:
        """The name of the function."""
        return function_name(self._source)

    @property
    def where(self) -> str | None:
        """The place of the function."""
        return where_of(self._source.location)

    def add(
        self,
        suffix: str,
        make: Callable[[Function, str], Function],
        mode: Mode,
    ) -> bool:
        """Put what `make` gives for the function and a name into the module; whether it is new.

        Kernels that have a rule of the `mode` are left as they are.
        """
        name = self._rename_to or f"{self.name}_{suffix}"
        there = self._functions.get(name)
        if there is not None and self._is_mine(there):
            self._by.remark(
                f"@{name} is already what this pass makes: nothing is done; to have it done to "
                f"@{name} again, give function={name} and rename-to",
                there,
            )
            return False
        if name in self._known and not (self._rename_to and there and is_public(there)):
            raise PassError(
                f"the module has another @{name}",
                where=None if there is None else where_of(there.location),
                hint="choose another name by rename-to",
            )
        made = self._made(name, make, mode)
        if there is not None:
            self._put_aside(there)
        self._insert(made, name)
        return True

    @property
    def _hint(self) -> str | None:
        """What to do about sizes that are not known."""
        type = signature(self._source)
        if any(map(is_dynamic, (*type.inputs, *type.results))):
            return "give it static shapes before: dxir-specialize"
        return None

    def _entry(self, name: str) -> IrOperation:
        bodies = {n: f for n, f in self._functions.items() if has_body(f)}
        public = [n for n, f in bodies.items() if is_public(f)]
        if not name:
            name = _MAIN if _MAIN in bodies or len(public) != 1 else public[0]
        if name not in bodies:
            known = ", ".join(f"@{n}" for n in public) or "no public function"
            first = next(iter(self._functions.values()), self._module.operation)
            raise PassError(
                f"there is no function @{name} with a body",
                where=where_of(first.location),
                hint=f"the module has {known}; name one with function=",
            )
        return bodies[name]

    def _is_mine(self, function: IrOperation) -> bool:
        """Whether a function was made by a pass of the same options, of what is there now."""
        found = attribute(function, MADE_BY)
        if not isinstance(found, ir.DictAttr):
            return False
        by, type = ir.StringAttr(found["by"]).value, ir.StringAttr(found["type"]).value
        return by == self._mark and (function == self._source or type == self._type)

    def _made(
        self,
        name: str,
        make: Callable[[Function, str], Function],
        mode: Mode,
    ) -> ir.Module:
        try:
            with collection_paused():
                source = Raising(self._alone(mode), trusted=True).module()[self.name]
                place = source.location or NOWHERE  # and not whoever runs the pass
                with at(place), doubts_to(self._doubt):
                    made = make(source, name)
        except PassError:
            raise
        except DxirError as error:
            where = self.where if error.where is None else _shown(error.where)
            raise PassError(error.message, where=where, hint=error.hint or self._hint) from error
        except RecursionError:
            raise PassError(f"@{self.name} is nested too deeply", where=self.where) from None
        made.public = True
        made.annotations[MADE_BY] = {"by": self._mark, "type": self._type}
        _name_apart(made)
        lowered = self._lowered(made)
        self._by.count("functions made")
        return lowered

    def _doubt(self, message: str, where: str | None) -> None:
        self._by.sink(Diagnostic("warning", message, where, pass_name=self._by.name))

    def _alone(self, mode: Mode) -> ir.Module:
        """The function and all that it names, in a module with nothing else but meshes."""
        known: Known = {}

        def named(name: str) -> list[str]:
            op = self._functions[name]
            found = callees_below(op) | mentioned_below(op, known)
            return [n for n in self._functions if n in found]

        wanted = set(reached(named, [self.name]))
        module = ir.Module.create(self._module.operation.location)
        at = ir.InsertionPoint(module.body)
        for view in self._module.body.operations:
            op = view.operation
            if op.name == "sdy.mesh" or (op.name == "func.func" and function_name(op) in wanted):
                op.clone(at)
        composites_again(module, Counter(), unless=lambda op: is_registered(target_of(op), mode))
        return module

    def _lowered(self, made: Function) -> ir.Module:
        context = self._module.context
        lowering = Lowering(TypeCache.of(context))
        with collecting(context) as found, context, ir.Location.unknown(), collection_paused():
            try:
                lowered = lowering.lower_module(Module([made]), None)
                lowered.operation.verify()
            except DxirError as error:
                where = error.where or lowering.where
                raise PassError(error.message, where=where, hint=error.hint) from error
            except ir.MLIRError:
                problem = f"what was made of @{self.name} is not valid"
                raise error_from(PassError, found, problem) from None
        return lowered

    def _put_aside(self, function: IrOperation) -> None:
        """Give a function another name, and make it private."""
        name = function_name(function)
        renamed(self._module, name, free_name(f"{name}_primal", self._known))
        with self._module.context:
            function.attributes["sym_visibility"] = ir.StringAttr.get("private")

    def _insert(self, lowered: ir.Module, name: str) -> None:
        """Copy all functions of a module into this one; of private ones that are there, none."""
        taken = {function_name(v.operation) for v in self._module.body.operations}
        there = {_text(f): n for n, f in self._functions.items() if not is_public(f)}
        made = {function_name(f): f for f in functions(lowered)}
        aside: dict[str, str] = {}  # while names of one module become names of the other
        for own in order({n: callees_below(f) & made.keys() for n, f in made.items()}).names:
            if own != name:
                aside[own] = f"{own}.aside"
                renamed(lowered, own, aside[own])
        for own, other in aside.items():
            known = there.get(_text(made[own]))
            final = known or free_name(own, taken)
            taken.add(final)
            renamed(lowered, other, final)
            if known is not None:
                made.pop(own).erase()
        _merge_equal(made.values())
        body = self._module.body
        for view in lowered.body.operations:
            if view.operation.name == "sdy.mesh" and function_name(view.operation) not in taken:
                view.operation.clone(ir.InsertionPoint.at_block_begin(body))
        made.pop(name).clone(self._place_behind())
        for op in made.values():
            op.clone(ir.InsertionPoint(body))

    def _place_behind(self) -> ir.InsertionPoint:
        """The place right after the function."""
        found = False
        for view in self._module.body.operations:
            if found:
                return ir.InsertionPoint(view.operation)
            found = view.operation == self._source
        return ir.InsertionPoint(self._module.body)


def _shown(where: str) -> str:
    """A place in a graph as passes have it: of text from no file, MLIR names the file `-`."""
    return f"<text>{where[1:]}" if where.startswith("-:") else where


def _merge_equal(made: Iterable[IrOperation]) -> None:
    """Make equal ops of functions one, constants above all."""
    for op in made:
        passmanager.PassManager.parse("func.func(cse)", op.context).run(op)


def _text(function: IrOperation) -> str:
    """A function as text, but for its name."""
    data = function.get_asm(binary=True)
    assert isinstance(data, bytes)
    return _SYMBOL.sub("@(", data.decode("utf-8", "replace"), count=1)


def _name_apart(made: Function) -> None:
    """Give the functions that a new one calls names that are all different."""
    names = {made.name: made}
    pending = [made]
    seen = {id(made)}
    while pending:
        for callee in called_functions(pending.pop()):
            if id(callee) in seen:
                continue
            seen.add(id(callee))
            pending.append(callee)
            callee.name = free_name(callee.name, names)
            names[callee.name] = callee
