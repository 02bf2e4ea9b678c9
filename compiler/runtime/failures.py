"""What XLA's compiler said, as an error with the place in the user's source if it has one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from dxir.diagnostics import where_of
from dxir.errors import DxirError, RuntimeFailure, TargetError
from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import ops_below, target_of, walk
from dxir.runtime import pjrt
from dxir.runtime.calls import missing
from dxir.runtime.preflight import Risk

_UNKNOWN_CALL = re.compile(
    r"No registered implementation for untyped custom call to (\S+) for|"
    r"No FFI handler registered for (\S+) on a platform"
)
_UNKNOWN_OP = re.compile(
    r"HLO opcode `([\w-]+)` is not supported|'stablehlo\.(\w+)' op can't be tran"
)
_CUSTOM_CALLS = ("stablehlo.custom_call", "mhlo.custom_call")
_PLACE = re.compile(r"^(.*?:\d+(?::\d+)?): error: (.*)$", re.MULTILINE)


def explained(message: str, module: ir.Module, target: str, risk: Risk | None = None) -> DxirError:
    """The error for what XLA's compiler said of a module for that target."""
    if call := _UNKNOWN_CALL.search(message):
        return _unknown_call(call[1] or call[2], module, target, risk)
    op = _UNKNOWN_OP.search(message)
    if op and (op[2] or "").startswith(("dynamic_", "real_dynamic_")):
        return _unknown_size(module, target)
    if op:
        name = op[2] or op[1].replace("-", "_")
        return TargetError(
            f"{target} cannot run stablehlo.{name}",
            where=_first(module, lambda o: o.name == f"stablehlo.{name}"),
            hint=_HINTS.get(name),
        )
    if "Unbounded dynamism is disabled" in message:
        return _unknown_size(module, target)
    if "RESOURCE_EXHAUSTED" in message:
        return RuntimeFailure(f"XLA ran out of memory while compiling: {_head(message)}")
    if place := _PLACE.search(message):
        where = None if place[1].startswith("-:") else place[1]
        return RuntimeFailure(f"XLA cannot compile the program: {place[2]}", where=where)
    if "LLVM" in message and (where := _first(module, _is_six_bit)):
        return TargetError(
            f"{target} moves 6-bit floats, but does not compute with or convert them", where=where
        )
    return RuntimeFailure(f"XLA cannot compile the program: {_head(message)}")


_HINTS = {
    "uniform_quantize": "run stablehlo-legalize-quant-to-math on the program before",
    "uniform_dequantize": "run stablehlo-legalize-quant-to-math on the program before",
}


def _unknown_size(module: ir.Module, target: str) -> TargetError:
    return TargetError(
        f"{target} cannot run a program with a value of unknown size",
        where=_first(module, _is_dynamic),
        hint="build it with the sizes it is to run with; dxir.evaluate takes any size",
    )


def _unknown_call(name: str, module: ir.Module, target: str, risk: Risk | None) -> TargetError:
    if name.startswith("xla.sdy."):
        return TargetError(
            f"the program needs several devices (XLA's {name}); {target} runs it on one",
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
