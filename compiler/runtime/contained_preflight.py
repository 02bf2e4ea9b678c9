"""What is refused of a program before a process is started for it, whatever the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from dxir.diagnostics import where_of
from dxir.errors import ArgumentError, TargetError
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, function_name, functions
from dxir.runtime.donation import check_donations, donate
from dxir.runtime.reaching import reached_only
from dxir.runtime.unknown_sizes import parameters_in
from dxir.targets.acceptance import Accepts, Limit, Problem, Refusal, problems
from dxir.targets.options import CompileOptions
from dxir.types import DType, TensorType

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.record import Source, Target


def examined(source: Source, target: Target, imports: Sequence[str]) -> Program:
    """The verified program of a source, if the target takes it as far as can be told here.

    With `imports`, which modules the child imports first, what custom calls it knows is not known
    here. Raises VerificationError for what no compiler takes, ArgumentError for options and
    donations that cannot be, TargetError for what this target does not take.
    """
    options = source.options
    _refuse_options(options)
    program = source.program().verify()
    reached = reached_only(program)
    if target.accepts.whole or "main" not in program.public_names:
        reached.preflight()
    _check_donations(reached, target, options, source.parameter_names())
    devices = 1 if options.devices is None else int(cast(int, options.devices))
    _check_ops(reached, target, devices, calls=not imports)
    if target.examine is not None and devices == 1 and not imports:
        target.examine(reached.module)
    return program


def main_of(module: ir.Module) -> IrOperation:
    """The function `main`, which the module has."""
    return next(f for f in functions(module) if function_name(f) == "main")


def _refuse_options(options: CompileOptions) -> None:
    if isinstance(options.devices, tuple):
        raise ArgumentError(
            "the devices of this process are not those of the one that a contained program runs in",
            hint="devices= takes their number",
        )
    for name, value in options.flags.items():
        if not isinstance(value, str | int | float):
            raise ArgumentError(
                f"the flag {name} is a {type(value).__name__}",
                hint="flags of contained programs are text, numbers or booleans",
            )
    if options.replicas != 1:
        raise ArgumentError(
            "one copy of a contained program runs at a time", hint="leave out replicas="
        )


def _check_donations(
    program: Program, target: Target, options: CompileOptions, names: tuple[str | None, ...]
) -> None:
    main = main_of(program.module)
    parameters, results = parameters_in(program.module, target.name, names)
    types = [p.type for p in parameters]
    if not all(_has_size(type) for type in (*types, *results)):
        return
    where = where_of(main.location)
    arguments: list[Any] = list(cast(Any, main).regions[0].blocks[0].arguments)
    places = [where_of(a.location) or where for a in arguments]
    check_donations(attribute(main, "arg_attrs"), types, results, places)
    if options.donate:
        donate(program.clone().module, options.donate, types, results, partitioned=False)


def _has_size(type: TensorType) -> bool:
    return type.is_static and isinstance(type.dtype, DType)


def _check_ops(program: Program, target: Target, devices: int, *, calls: bool) -> None:
    """Refuse ops, types and custom calls that the target does not take, nor its pipeline mends."""
    accepts = target.accepts if devices == 1 else _for_several(target.accepts)
    known = target.call_refusal if calls else _no_refusal
    found = [p for p in problems(program.module, target.name, accepts, known) if not p.doubtful]
    if not found:
        return
    left = [d.message for d in target.check(program).refusals]
    for problem in found:
        if any(message.startswith(problem.message) for message in left):
            raise _error(problem)


def _error(problem: Problem) -> TargetError:
    return TargetError(problem.message, where=problem.where, hint=problem.hint)


def _no_refusal(_: str) -> None:
    return None


def _for_several(accepts: Accepts) -> Accepts:
    """What a target takes of programs for several devices."""

    def without(limit: Limit) -> Limit:
        def limited(op: IrOperation) -> Refusal | None:
            found = limit(op)
            return None if found is None or found.on_one_device else found

        return limited

    return replace(accepts, limits={name: without(limit) for name, limit in accepts.limits.items()})
