"""The target `xla-cpu`: a program examined, serialized, compiled by XLA, and its failures told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from dxir.call_graph import reached
from dxir.diagnostics import where_of
from dxir.effects import callees_below
from dxir.errors import DxirError, RuntimeFailure, TargetError
from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import function_name, functions, ops_below, target_of, walk
from dxir.runtime import pjrt
from dxir.runtime.arguments import parameters_of
from dxir.runtime.calls import missing
from dxir.runtime.deep import call_deep
from dxir.runtime.executable import Executable
from dxir.runtime.isolated import CompilerError, compile_in_child
from dxir.runtime.preflight import NAME, Examined, Limits, Risk, examine
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.record import Source

# What XLA's compiler was seen to survive, with a margin. On 0.10 it works on threads with stacks
# of 2 MiB whatever the caller does; 400 fused slices and concatenates end it.
_LIMITS_0_10 = Limits(fused=200, chain=2_500, calls=60, nesting=60)
_LIMITS = Limits(fused=1_000, chain=10_000, calls=150, nesting=60)

_UNKNOWN_CALL = re.compile(
    r"No registered implementation for untyped custom call to (\S+) for|"
    r"No FFI handler registered for (\S+) on a platform"
)
_UNKNOWN_OP = re.compile(
    r"HLO opcode `([\w-]+)` is not supported|'stablehlo\.(\w+)' op can't be tran"
)
_CUSTOM_CALLS = ("stablehlo.custom_call", "mhlo.custom_call")
_PLACE = re.compile(r"^(.*?:\d+(?::\d+)?): error: (.*)$", re.MULTILINE)


def compile_source(source: Source) -> Executable:
    """Compile what `dxir.compile` was given; see `compile_program`."""
    return compile_program(source.program(), source.parameter_names())


def examine_module(module: ir.Module) -> None:
    """Refuse a verified module as compiling it would before XLA sees it."""
    from dxir.program import Program

    _examined(_reached(Program(module)).module)


def _examined(module: ir.Module) -> Examined:
    found = examine(module, _LIMITS_0_10 if pjrt.version() < (0, 11) else _LIMITS)
    _refuse_types(found)
    return found


def compile_program(program: Program, names: tuple[str | None, ...] = ()) -> Executable:
    """Compile a program for the CPU; `names` are its parameters' where the program has none.

    Raises TargetError for what the target cannot run and RuntimeFailure when XLA fails.
    """
    program = _reached(program.verify())
    found = _examined(program.module)
    given = names + (None,) * (len(found.parameters) - len(names))
    known = tuple(a or b for a, b in zip(given, found.names, strict=False))
    artifact = program.serialize("current")
    try:
        loaded = _load(artifact, found.risk)
    except (pjrt.XlaError, CompilerError) as error:
        raise _explained(str(error), program.module, found.risk) from None
    _refuse_other_results(pjrt.result_types(loaded), found.results)
    return pjrt.PjrtExecutable(
        NAME, loaded, pjrt.cpu(), parameters_of(found.parameters, known), found.results
    )


def _reached(program: Program) -> Program:
    """The program without the functions that `main` does not come to.

    XLA takes them in all the same, ends the process over those without a body, and must not mind
    what is in those that a kernel stands for.
    """
    known = {function_name(f): f for f in functions(program.module)}
    if len(known) == 1 or "main" not in known:
        return program
    runs = set(reached(lambda name: callees_below(known[name]) if name in known else (), ["main"]))
    if runs >= set(known):
        return program
    program = program.clone()
    for function in list(functions(program.module)):
        if function_name(function) not in runs:
            function.erase()
    return program


def _refuse_types(found: Examined) -> None:
    device = pjrt.cpu()
    for kind, types in (("parameter", found.parameters), ("result", found.results)):
        for i, type in enumerate(types):
            if not device.carries(type.primitive):
                raise TargetError(
                    f"{kind} {i} of main has type {type}, which {NAME} does not have in this "
                    "version of jaxlib",
                    hint="convert it, or upgrade jaxlib (0.12 has the 6-bit floats)",
                )


def _refuse_other_results(given: Sequence[str] | None, results: tuple[TensorType, ...]) -> None:
    """Refuse an executable with other results than the program's, which would be misread."""
    wanted = [_hlo_text(t) for t in results]
    if given is None or list(given) == wanted:
        return
    for i, (mine, theirs) in enumerate(zip(wanted, given, strict=False)):
        if mine != theirs:
            raise RuntimeFailure(
                f"XLA compiled result {i} of main, {results[i]}, to {theirs}",
                hint="an op that takes one element type and gives another was taken to keep it "
                "(reduce_scatter and select_and_scatter do); convert its operand before",
            )
    raise RuntimeFailure(f"XLA compiled main to {len(given)} results instead of {len(wanted)}")


def _hlo_text(type: TensorType) -> str:
    """The type as HLO writes it."""
    name = type.primitive.name
    if type.primitive.is_bool:
        name = "pred"
    elif type.primitive.is_integer:
        name = name.replace("ui", "u").replace("i", "s")
    return f"{name}[{','.join(map(str, type.static_shape))}]"


def _load(artifact: bytes, risk: Risk | None) -> Any:
    if risk is None:
        # jaxlib 0.12 compiles on the calling thread, 0.10 on threads of its own.
        return call_deep(lambda: pjrt.load(artifact))
    return pjrt.deserialize(compile_in_child(artifact, risk))


def _explained(message: str, module: ir.Module, risk: Risk | None) -> DxirError:
    """The error for what XLA's compiler said, with the place in the user's source if it has one."""
    if call := _UNKNOWN_CALL.search(message):
        return _unknown_call(call[1] or call[2], module, risk)
    op = _UNKNOWN_OP.search(message)
    if op and (op[2] or "").startswith(("dynamic_", "real_dynamic_")):
        return _unknown_size(module)
    if op:
        name = op[2] or op[1].replace("-", "_")
        return TargetError(
            f"{NAME} cannot run stablehlo.{name}",
            where=_first(module, lambda o: o.name == f"stablehlo.{name}"),
            hint=_HINTS.get(name),
        )
    if "Unbounded dynamism is disabled" in message:
        return _unknown_size(module)
    if "RESOURCE_EXHAUSTED" in message:
        return RuntimeFailure(f"XLA ran out of memory while compiling: {_head(message)}")
    if place := _PLACE.search(message):
        where = None if place[1].startswith("-:") else place[1]
        return RuntimeFailure(f"XLA cannot compile the program: {place[2]}", where=where)
    if "LLVM" in message and (where := _first(module, _is_six_bit)):
        return TargetError(
            f"{NAME} moves 6-bit floats, but does not compute with or convert them", where=where
        )
    return RuntimeFailure(f"XLA cannot compile the program: {_head(message)}")


_HINTS = {
    "uniform_quantize": "run stablehlo-legalize-quant-to-math on the program before",
    "uniform_dequantize": "run stablehlo-legalize-quant-to-math on the program before",
}


def _unknown_size(module: ir.Module) -> TargetError:
    return TargetError(
        f"{NAME} cannot run a program with a value of unknown size",
        where=_first(module, _is_dynamic),
        hint="build it with the sizes it is to run with; dxir.evaluate takes any size",
    )


def _unknown_call(name: str, module: ir.Module, risk: Risk | None) -> TargetError:
    if name.startswith("xla.sdy."):
        return TargetError(
            f"the program needs several devices (XLA's {name}); {NAME} runs it on one",
            where=_first(module, lambda o: o.name.startswith("sdy.") and o.name != "sdy.mesh"),
        )
    calls = [o for o in ops_below(module.operation, _CUSTOM_CALLS) if target_of(o) == name]
    if risk is not None and pjrt.is_registered(name):
        return TargetError(
            f"the custom call @{name} has its implementation in this process; the program has "
            f"{risk}, and is compiled in another",
            where=where_of(calls[0].location) if calls else None,
            hint=risk.hint,
        )
    return missing(name, calls[0] if calls else None)


def _first(module: ir.Module, wanted: Callable[[IrOperation], bool]) -> str | None:
    found: list[str | None] = []

    def visit(op: IrOperation) -> None:
        if not found and wanted(op):
            found.append(where_of(op.location))

    walk(module, visit)
    return found[0] if found else None


def _result_types(op: IrOperation) -> list[IrType]:
    return [value.type for value in cast(Any, op).results]


def _is_dynamic(op: IrOperation) -> bool:
    return any(
        isinstance(t, ir.RankedTensorType) and not t.has_static_shape and t.encoding is None
        for t in _result_types(op)
    )


def _is_six_bit(op: IrOperation) -> bool:
    return any("xf6E" in str(t) or "<f6E" in str(t) for t in _result_types(op))


def _head(message: str) -> str:
    return message.strip().splitlines()[0] if message.strip() else "no reason is given"
