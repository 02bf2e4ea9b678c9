"""What must be known of a program before XLA's compiler for the CPU sees it.

The compiler, and programs made by it, end the process, never end, or give wrong numbers on some
valid programs; those are refused here with the reason. Programs so deep that its recursion may run
out of stack are marked, to be compiled in a process of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dxir.diagnostics import node_name_of, where_of
from dxir.elements import elements_of
from dxir.errors import DxirError, TargetError, VerificationError
from dxir.mlir import IrAttribute, IrOperation, decode_type, ir
from dxir.reading import attribute, function_name, functions, signature, target_of
from dxir.runtime import pjrt
from dxir.runtime.calls import refusal_of
from dxir.runtime.depth import Depth, Limits, measure
from dxir.runtime.sizes import MOST_BYTES, MOST_MEMORY, Sizes, bytes_of
from dxir.structure import MOST_OPS
from dxir.structure import preflight as refuse_malformed
from dxir.targets.acceptance import Limit, Refusal
from dxir.targets.builtin.xla_cpu import SAFE_CALLS, XLA_CPU
from dxir.types import DType, TensorType

__all__ = ["NAME", "Examined", "Limits", "Risk", "examine"]

NAME = XLA_CPU.name


@dataclass(frozen=True, slots=True)
class Risk:
    """What about a program may be too much for the compiler, and where.

    `hint` says what to do should it be; `deep` whether the compiler's stack is what may run out.
    """

    text: str
    where: str | None = None
    hint: str = (
        "make it less deep: put a repeated part into a while loop or scan, inline calls, "
        "or compile it in parts"
    )
    deep: bool = True

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Examined:
    """The signature of a program's `main`; `risk` says why it is better compiled apart."""

    parameters: tuple[TensorType, ...]
    results: tuple[TensorType, ...]
    names: tuple[str | None, ...]
    risk: Risk | None


def examine(module: ir.Module, limits: Limits) -> Examined:
    """The signature of a verified module's `main` and whether compiling it is risky.

    Raises VerificationError for modules that no compiler takes (see `dxir.structure.preflight`),
    TargetError for what this target does not run.
    """
    refuse_malformed(module)
    known = {function_name(f): f for f in functions(module)}
    main = known["main"]
    type = signature(main)
    arguments: list[Any] = list(cast(Any, main).regions[0].blocks[0].arguments)
    names = tuple(node_name_of(a.location) for a in arguments)
    places = [where_of(a.location) or where_of(main.location) for a in arguments]
    parameters = tuple(
        _tensor(t, f"parameter {i}" + (f" ({name})" if name else ""), place)
        for i, (t, name, place) in enumerate(zip(type.inputs, names, places, strict=True))
    )
    results = tuple(
        _tensor(t, f"result {i}", where_of(main.location)) for i, t in enumerate(type.results)
    )
    _check_donations(attribute(main, "arg_attrs"), parameters, results, places)
    _refuse_unaddressable(parameters, results, where_of(main.location))
    checks = _Checks()
    depth = measure(known, limits, checks.visit)
    return Examined(parameters, results, names, _risk(depth, limits) or checks.risk)


def _refuse_unaddressable(
    parameters: Sequence[TensorType], results: Sequence[TensorType], where: str | None
) -> None:
    total = sum(map(bytes_of, (*parameters, *results)))
    if total > MOST_MEMORY:
        raise TargetError(
            f"the parameters and results of main have {total:.1e} bytes together; a process "
            f"addresses {MOST_MEMORY:.1e}",
            where=where,
            hint="shard the program, or compile it for smaller sizes",
        )


def _check_donations(
    attributes: IrAttribute | None,
    parameters: Sequence[TensorType],
    results: Sequence[TensorType],
    places: Sequence[str | None],
) -> None:
    """Refuse `tf.aliasing_output` where the result is not there, is larger or smaller, or taken."""
    takers: dict[int, int] = {}
    for i, given in enumerate(attributes if isinstance(attributes, ir.ArrayAttr) else ()):
        if not isinstance(given, ir.DictAttr) or "tf.aliasing_output" not in given:
            continue
        index = given["tf.aliasing_output"]
        output = index.value if isinstance(index, ir.IntegerAttr) else -1
        donated = f"parameter {i} of main, {parameters[i]}, is donated to result {output}"
        if not 0 <= output < len(results):
            problem = f"{donated}, and main has {len(results)} results"
        elif _bits(parameters[i]) != _bits(results[output]):
            problem = f"{donated}, which is {results[output]}: of another size"
        elif output in takers:
            problem = f"{donated}, and so is parameter {takers[output]}"
        else:
            takers[output] = i
            continue
        raise VerificationError(
            problem,
            where=places[i],
            hint="set tf.aliasing_output to the number of a result of the same type, or remove it",
        )


def _bits(type: TensorType) -> int:
    assert isinstance(type.dtype, DType)
    return type.size * type.dtype.bits


def _tensor(type: ir.Type, what: str, where: str | None) -> TensorType:
    try:
        found = decode_type(type)
    except DxirError as error:
        raise TargetError(f"{what} of main: {error.message}", where=where) from None
    if not isinstance(found, TensorType):
        raise TargetError(
            f"{what} of main has type {found}; {NAME} takes and gives tensors only",
            where=where,
            hint="make tokens inside the program, and pass the parts of a tuple one by one",
        )
    if not found.is_static:
        raise TargetError(
            f"{what} of main has type {found}, whose size is unknown",
            where=where,
            hint="build it with the sizes it is to run with; dxir.evaluate takes any size",
        )
    if found.dtype.bits == 6 and found.size == 0:  # XLA makes it a constant, see `_constant`
        raise TargetError(f"{what} of main has type {found}, which {NAME} cannot hold", where=where)
    if found.dtype.kind == "quantized":
        raise TargetError(
            f"{what} of main has type {found}; {NAME} runs no quantized types",
            where=where,
            hint="run stablehlo-legalize-quant-to-math on the program before",
        )
    if bytes_of(found) > MOST_BYTES:
        raise TargetError(
            f"{what} of main has type {found}, which has more than 2^60 bytes", where=where
        )
    return found


def _foreign(op: IrOperation) -> Risk | None:
    """The risk of a custom call of what XLA's compiler knows by name.

    It ends the process over types that do not fit. What was registered in this process the
    compiler only passes on, and a child would not have it.
    """
    name = target_of(op)
    if name in SAFE_CALLS or name.startswith("xla.sdy.") or pjrt.is_registered(name):
        return None
    return Risk(
        f"a custom call of @{name}",
        where_of(op.location),
        f"give the call the operands, results and attributes that XLA's @{name} takes",
        deep=False,
    )


def _division(op: IrOperation) -> Risk | None:
    """The risk of an integer divided by the constant zero, which XLA may compute when compiling.

    That ends the process. (0.10.2)
    """
    if not isinstance(_element(op.results[0].type), ir.IntegerType):
        return None
    divisor = op.operands[1].owner
    if isinstance(divisor, ir.Block) or divisor.operation.name != "stablehlo.constant":
        return None
    values = elements_of(attribute(divisor.operation, "value"))
    if values is None or np.all(values):
        return None
    return Risk(
        "an integer divided by the constant zero",
        where_of(op.location),
        "divide by something else: the result is not defined",
        deep=False,
    )


def _element(type: ir.Type) -> ir.Type:
    return type.element_type if isinstance(type, ir.RankedTensorType) else type


_RISKS: dict[str, Callable[[IrOperation], Risk | None]] = {
    "stablehlo.custom_call": _foreign,
    "stablehlo.divide": _division,
    "stablehlo.remainder": _division,
}


class _Checks:
    """What is looked for at every op."""

    def __init__(self) -> None:
        self.risk: Risk | None = None
        self._sizes = Sizes()
        self._limits: dict[str, tuple[Limit, ...]] = {}

    def visit(self, op: IrOperation, name: str) -> None:
        """Refuse what the target does not run."""
        excess = self._sizes.excess(op)
        if excess is not None:
            raise Refusal(excess).error(NAME, op)
        limits = self._limits.get(name)
        if limits is None:
            limits = self._limits[name] = XLA_CPU.accepts.limits_of(name)
        for limit in limits:
            refusal = limit(op)
            if refusal is not None and not refusal.doubtful:
                raise refusal.error(NAME, op)
        if name == "stablehlo.custom_call" and (error := refusal_of(op)) is not None:
            raise error
        if self.risk is None and name in _RISKS:
            self.risk = _RISKS[name](op)


def _risk(depth: Depth, limits: Limits) -> Risk | None:
    if depth.ops > MOST_OPS:
        raise TargetError(
            f"the program has {depth.ops} ops once its calls are inlined, as XLA does; "
            f"{NAME} takes {MOST_OPS}",
            hint="functions that call others twice, level after level, grow like this",
        )
    if depth.nesting > limits.most_nesting:
        raise TargetError(
            f"the program nests regions {depth.nesting} deep; {NAME} takes {limits.most_nesting}"
        )
    for value, limit, text in (
        (depth.fused, limits.fused, "a chain of {} ops that XLA may fuse"),
        (depth.chain, limits.chain, "a chain of {} ops that need each other"),
        (depth.calls, limits.calls, "calls {} functions deep"),
        (depth.nesting, limits.nesting, "regions nested {} deep"),
    ):
        if value > limit:
            return Risk(text.format(value))
    return None
