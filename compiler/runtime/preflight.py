"""What must be known of a program before XLA's compiler for the CPU sees it.

The compiler, and programs made by it, end the process, never end, or give wrong numbers on some
valid programs; those are refused here with the reason. Programs so deep that its recursion may run
out of stack are marked, to be compiled in a process of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dxir.diagnostics import where_of
from dxir.errors import TargetError
from dxir.mlir import IrOperation, ir
from dxir.reading import function_name, functions, target_of
from dxir.runtime import pjrt
from dxir.runtime.calls import refusal_of
from dxir.runtime.depth import Depth, Limits, measure
from dxir.runtime.entry import Entry, entry_of
from dxir.runtime.sizes import Sizes
from dxir.structure import MOST_OPS
from dxir.structure import preflight as refuse_malformed
from dxir.targets.acceptance import Limit, Refusal
from dxir.targets.builtin.xla_cpu import SAFE_CALLS, XLA_CPU

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
    """What is known of a program; `risk` says why it is better compiled apart.

    `divides` says whether it has what `dxir-guard-integers` may guard.
    """

    entry: Entry
    risk: Risk | None
    divides: bool


def examine(module: ir.Module, limits: Limits, devices: int = 1) -> Examined:
    """The signature of a verified module's `main` and whether compiling it is risky.

    `devices` is how many it is compiled for. Raises VerificationError for modules that no compiler
    takes (see `dxir.structure.preflight`), TargetError for what this target does not run.
    """
    refuse_malformed(module)
    entry = entry_of(module, NAME)
    checks = _Checks(devices)
    known = {function_name(f): f for f in functions(module)}
    depth = measure(known, limits, checks.visit)
    return Examined(entry, _risk(depth, limits) or checks.risk, checks.divides)


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


_RISKS: dict[str, Callable[[IrOperation], Risk | None]] = {
    "stablehlo.custom_call": _foreign,
}
_OF_INTEGERS = frozenset({"stablehlo.divide", "stablehlo.remainder", "stablehlo.power"})


class _Checks:
    """What is looked for at every op."""

    def __init__(self, devices: int) -> None:
        self._devices = devices
        self.risk: Risk | None = None
        self.divides = False
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
            if refusal is None or refusal.doubtful:
                continue
            if not (refusal.on_one_device and self._devices > 1):
                raise refusal.error(NAME, op)
        if name == "stablehlo.custom_call" and (error := refusal_of(op)) is not None:
            raise error
        if name in _OF_INTEGERS and _is_of_integers(op):
            self.divides = True
        if self.risk is None and name in _RISKS:
            self.risk = _RISKS[name](op)


def _is_of_integers(op: IrOperation) -> bool:
    type = op.results[0].type
    element = type.element_type if isinstance(type, ir.RankedTensorType) else type
    return isinstance(element, ir.IntegerType)


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
