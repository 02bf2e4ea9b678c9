"""Specialize: a function of dynamic shapes becomes one of the static shapes it is given.

The arguments get their types, MLIR's stablehlo-refine-shapes takes them through the module, and
stablehlo-canonicalize-dynamism makes static ops of the dynamic ones. Added to that: functions may
be called with different shapes, composites may be dynamic, several functions may be public, bounds
fall away, and shapes may be computed in ways that MLIR does not fold. Shape assertions are checked.

`shapes=x=3x4;y=5` gives arguments shapes by name, by position (`1=5`), or in order (`3x4;5`, where
an empty entry passes over an argument); `scalar` is the shape of rank 0, `?` a dimension left open,
and `tensor<3x4xf32>` will do as well as `3x4`. Names of arguments are those in their locations, as
JAX writes them, not what stands behind a `%`. `dims=batch=8` gives sizes to dimensions by the names
in the attribute `dxir.dims` of an argument, a list of strings, or those that JAX exported the
function for. Other public functions stay as they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dxir.diagnostics import collecting, error_from, where_of
from dxir.editing import retype
from dxir.effects import erase_unreferenced
from dxir.errors import PassError
from dxir.mlir import IrOperation, IrType, bytecode_of, ir, passmanager, stablehlo
from dxir.passes.shapes.arguments import Arguments
from dxir.passes.shapes.aside import Aside
from dxir.passes.shapes.copies import Copies, reachable
from dxir.passes.shapes.custom_calls import wrapped
from dxir.passes.shapes.known import KnownValues, assertion_text, is_assertion, shape_operands
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    function_name,
    functions,
    has_body,
    is_dynamic,
    is_public,
    is_used,
    ops_below,
    renamed,
    target_of,
    walk,
)

_MAIN = "main"
_ASIDE = "main.aside"
_CONSTANT = "stablehlo.constant"
_ASSERTING = ("stablehlo.custom_call",)
_MOST_ROUNDS = 8

STAYED_DYNAMIC = "STAYED_DYNAMIC"
"""The code of the error for an op whose sizes are not known when those of all arguments are."""


class Specialize(Pass, name="dxir-specialize"):
    """Make dynamic dimensions static, given the shapes of a function's arguments."""

    native = ("stablehlo-refine-shapes", "stablehlo-canonicalize-dynamism")

    shapes: str = option("shapes of arguments: x=3x4;y=5, or 3x4;5 in order", default="")
    dims: tuple[str, ...] = option("sizes of named dimensions: batch=8,seq=128", default=())
    function: str = option("the function; @main, or the only public one, without it", default="")
    partial: bool = option("leave dynamic what is not given, and what depends on it", default=False)

    def run(self, module: ir.Module) -> bool:
        entry = self._entry(module)
        arguments = Arguments(module, entry)
        below = reachable(module, [function_name(entry)])
        if not _has_dynamic(module, below):
            if self.dims and not arguments.names:
                said = f"@{function_name(entry)} has no dynamic dimensions"
                self.warn(said, entry, code="NOTHING_TO_DO")
            return False
        arguments.give(self.shapes, self.dims)
        types = arguments.types(partial=self.partial)
        before = bytecode_of(module) if self.partial else b""
        _Specializing(self, module, function_name(entry)).run(arguments, types)
        return not self.partial or bytecode_of(module) != before

    def _entry(self, module: ir.Module) -> IrOperation:
        all_functions = {function_name(f): f for f in functions(module) if has_body(f)}
        public = [name for name, f in all_functions.items() if is_public(f)]
        name = self.function.removeprefix("@")
        if not name:
            name = _MAIN if _MAIN in all_functions or len(public) != 1 else public[0]
        found = all_functions.get(name)
        if found is None or len(found.regions[0].blocks) != 1:
            known = ", ".join(f"@{n}" for n in public) or "no public function"
            raise PassError(
                f"there is no function @{name} with a body of one block to specialize",
                where=None if found is None else where_of(found.location),
                hint=f"the module has {known}; name one with function=",
            )
        return found


def _has_dynamic(module: ir.Module, names: Sequence[str]) -> bool:
    """Whether there is anything to do in the functions named."""
    below = _named(module, names)
    arguments = (a for f in below for a in f.regions[0].blocks[0].arguments)
    return any(is_dynamic(a.type) for a in arguments) or any(
        _is_dynamic_within(f) or any(map(is_assertion, ops_below(f, _ASSERTING))) for f in below
    )


def _is_dynamic_within(function: IrOperation) -> bool:
    """Whether any op in a function has a result of dynamic type."""
    known: dict[IrType, bool] = {}

    def visit(op: IrOperation) -> ir.WalkResult:
        for result in op.results:
            type = result.type
            found = known.get(type)
            if found is None:
                found = known[type] = is_dynamic(type)
            if found:
                return ir.WalkResult.INTERRUPT
        return ir.WalkResult.ADVANCE

    walk(function, visit)
    return any(known.values())


def _named(module: ir.Module, names: Sequence[str]) -> list[IrOperation]:
    by_name = {function_name(f): f for f in functions(module)}
    return [by_name[n] for n in names if has_body(by_name[n])]


def _dynamic_ops(function: IrOperation) -> list[IrOperation]:
    """The ops in a function that have a result of dynamic type."""
    return [op for op in ops_below(function) if any(is_dynamic(r.type) for r in op.results)]


class _Specializing:
    """One function of a module on its way to static shapes."""

    def __init__(self, pass_: Specialize, module: ir.Module, entry: str) -> None:
        self.pass_, self.module, self.entry = pass_, module, entry
        self.names = [entry]

    def run(self, arguments: Arguments, types: Sequence[IrType]) -> None:
        copies = Copies(self.module)
        copies.separate(self.entry)
        self.names = reachable(self.module, [self.entry])
        for place in copies.expanded:
            self.pass_.warn(
                f"the composite at {place} is expanded: it is dynamic, and in a loop",
                code="COMPOSITE_EXPANDED",
            )
        below = self._below()
        if arguments.are_bounded and not self.pass_.partial:
            for function in below:
                _drop_bounds(function)
        aside = Aside()
        aside.put(below)
        self.pass_.count("arguments specialized", _retype(below[0], types))
        self._check_assertions()
        self._refine()
        aside.bring_back(self._below())
        copies.join()
        self._erase_unused()

    def _below(self) -> list[IrOperation]:
        """The function to specialize, and those it takes along."""
        return _named(self.module, self.names)

    def _assertions(self) -> list[IrOperation]:
        return [op for f in self._below() for op in ops_below(f, _ASSERTING) if is_assertion(op)]

    def _refine(self) -> None:
        dynamic: list[IrOperation] = []
        for _ in range(_MOST_ROUNDS):
            self._refine_shapes()
            dynamic = [op for f in self._below() for op in _dynamic_ops(f)]
            if not self._supply([*dynamic, *self._assertions()]):
                break
        if not self.pass_.partial:
            self._refuse_dynamic(dynamic)
        assertions = self._assertions()
        if assertions and all(map(self._is_decided, assertions)):
            for function in self._below():
                self._native("func.func(stablehlo-check-shape-assertions)", function)

    def _refine_shapes(self) -> None:
        """Run MLIR's refinement, which starts from @main alone."""
        aside = self.entry != _MAIN
        if aside:
            renamed(self.module, _MAIN, _ASIDE)
            renamed(self.module, self.entry, _MAIN)
        self._native("builtin.module(stablehlo-refine-shapes)", self.module.operation)
        if aside:
            renamed(self.module, _MAIN, self.entry)
            renamed(self.module, _ASIDE, _MAIN)
        for function in self._below():
            self._native("func.func(stablehlo-canonicalize-dynamism)", function)

    def _native(self, pipeline: str, op: IrOperation) -> None:
        context = self.module.context
        with collecting(context) as found:
            try:
                passmanager.PassManager.parse(pipeline, context).run(op)
            except ir.MLIRError:
                raise error_from(
                    PassError,
                    found,
                    f"{pipeline} failed without a reason",
                    hint="the shapes given do not go together with the module here",
                ) from None

    def _supply(self, dynamic: Sequence[IrOperation]) -> bool:
        """Give dynamic ops the constants that MLIR could not work out; whether there were any."""
        if not dynamic:
            return False
        if any(op.name.startswith("chlo.") for op in dynamic):
            for function in self._below():
                self._native(
                    "func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo)", function
                )
            return True
        known = KnownValues(self.module)
        supplied = 0
        for op in dynamic:
            if known.make_static(op):
                supplied += 1
            else:
                supplied += sum(known.put(op, i) for i in shape_operands(op))
        return supplied > 0

    def _check_assertions(self) -> None:
        """Refuse shapes for which an assertion fails, before anything else fails over them."""
        asserted = self._assertions()
        if not asserted:
            return
        known = KnownValues(self.module)
        for op in asserted:
            holds = known.array(op.operands[0])
            if holds is not None and not holds:
                raise PassError(
                    assertion_text(op, known),
                    where=where_of(op.location),
                    hint="the module asserts this of its shapes",
                )

    def _is_decided(self, op: IrOperation) -> bool:
        """Whether an assertion is of a constant; PassError unless it need not be."""
        owner = op.operands[0].owner
        if not isinstance(owner, ir.Block) and owner.operation.name == _CONSTANT:
            return True
        if self.pass_.partial:
            return False
        known = KnownValues(self.module)
        raise PassError(
            f"a shape assertion cannot be checked: it depends on {known.reason(op.operands[0])}: "
            f"{assertion_text(op, known)}",
            where=where_of(op.location),
            code=STAYED_DYNAMIC,
        )

    def _refuse_dynamic(self, dynamic: Sequence[IrOperation]) -> None:
        """Refuse ops that stayed dynamic, naming one without a dynamic operand if there is such.

        A call is dynamic because of what is in the function.
        """
        for op in dynamic:
            if op.name != "func.call" and not any(is_dynamic(v.type) for v in op.operands):
                raise self._stayed(op)
        for op in dynamic:
            raise self._stayed(op)
        for function in self._below():
            if any(is_dynamic(a.type) for a in function.regions[0].blocks[0].arguments):
                raise self._stayed(function)

    def _stayed(self, op: IrOperation) -> PassError:
        known = KnownValues(self.module)
        unknown = [
            op.operands[i] for i in shape_operands(op) if known.array(op.operands[i]) is None
        ]
        types = ", ".join(str(r.type) for r in op.results if is_dynamic(r.type))
        name = f"@{function_name(op)}" if op.name == "func.func" else op.name
        if target_of(op):
            name = f"custom_call @{target_of(op)}"
        if unknown:
            why = f"its shape depends on {known.reason(unknown[0])}"
            hint = "a shape that depends on data has no static form: pad to the largest one instead"
        elif op.name == "stablehlo.custom_call":
            why = "nothing says what shape it gives"
            hint = "name the operands that hold it in indices_of_shape_operands"
        else:
            why = "MLIR has no rule for its shape, though those of its operands are known"
            hint = "give the op its static result type where the module is made"
        if not types:
            types = "a dynamic argument"
        return PassError(
            f"{name} stayed dynamic ({types}): {why}",
            where=where_of(op.location),
            hint=hint,
            code=STAYED_DYNAMIC,
        )

    def _erase_unused(self) -> None:
        """Erase constants that only shapes were computed from, and functions that nothing calls."""
        self.names = reachable(self.module, [self.entry])
        for function in self._below():
            for op in ops_below(function, (_CONSTANT,)):
                if not is_used(op.results[0]):
                    op.erase()
        private = (f for f in functions(self.module) if not is_public(f) and has_body(f))
        erase_unreferenced(
            self.module,
            {
                function_name(f)
                for f in private
                if any(is_dynamic(a.type) for a in f.regions[0].blocks[0].arguments)
                or _dynamic_ops(f)
            },
        )


def _drop_bounds(function: IrOperation) -> None:
    """Make bounded dimensions plain dynamic ones: with static arguments bounds say nothing."""
    changed = False
    ops = (function, *ops_below(function))
    regions = (r for op in ops for r in op.regions)
    arguments = (a for r in regions for block in r.blocks for a in block.arguments)
    results = (r for op in ops for r in op.results)
    for value in itertools.chain(arguments, results):
        type = value.type
        if (
            isinstance(type, ir.RankedTensorType)
            and type.encoding is not None
            and stablehlo.TypeExtensions.isinstance(type.encoding)
        ):
            with type.context:
                plain = ir.RankedTensorType.get(
                    type.shape, type.element_type, loc=ir.Location.unknown()
                )
            value.set_type(plain)
            changed = True
    if changed:
        retype(function)


def _retype(function: IrOperation, types: Sequence[IrType]) -> int:
    """Give the arguments their types; returns how many changed.

    What uses them gets them through a call that keeps the old type until it can be refined, as
    stablehlo-refine-arguments does, whose option cannot hold every type.
    """
    block = function.regions[0].blocks[0]
    changed = 0
    with function.context:
        for argument, type in zip(block.arguments, types, strict=True):
            old = argument.type
            if type == old or not isinstance(type, ir.RankedTensorType):
                continue
            changed += 1
            argument.set_type(type)
            call = wrapped(argument, old, ir.InsertionPoint.at_block_begin(block))
            argument.replace_all_uses_with(call.results[0])
            call.operands[0] = argument
    if changed:
        retype(function)
    return changed
