"""Implementations of custom calls, for kernels on the processors of this machine."""

from __future__ import annotations

import ctypes
import difflib
from collections.abc import Callable
from typing import Any

from dxir.diagnostics import where_of
from dxir.errors import RuntimeFailure, TargetError
from dxir.mlir import IrOperation, ir
from dxir.naming import MEANING
from dxir.reading import attribute, ops_below, target_of
from dxir.runtime import pjrt
from dxir.targets.kernels import kernel_called, kernels_of

NAME = "xla-cpu"
_CALLS = ("stablehlo.custom_call",)
_CAPSULE_NAME = b"xla._CUSTOM_CALL_TARGET"

_registered: dict[str, tuple[int, bool]] = {}


def _python(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_name = _python("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)


def register_call(name: str, routine: object, *, typed: bool = True) -> None:
    """Make a routine the implementation of `stablehlo.custom_call @name` for this process.

    `routine` is a capsule, as packages with XLA kernels give it, or a function of a library that
    `ctypes` loaded. `typed` routines are handlers of XLA's FFI, for calls of `api_version` 4; the
    others take pointers, for the versions below. Registering a routine again changes nothing;
    RuntimeFailure when XLA has another one of the name, TargetError for what is no routine.
    """
    address = _address(name, routine)
    known = _registered.setdefault(name, (address, typed))
    if known != (address, typed):  # XLA would end the process over the second, if not typed
        raise RuntimeFailure(
            f"the custom call @{name} has another implementation in this process",
            hint="an implementation stays until the process ends: give this one another name",
        )
    try:
        pjrt.register_call(name, _capsule(address), typed=typed)
    except pjrt.XlaError as error:
        del _registered[name]
        raise RuntimeFailure(f"@{name} cannot be registered with XLA: {error}") from None


def uses_own_calls(module: ir.Module) -> bool:
    """Whether a program calls an implementation that another process would not have."""
    if not _registered:
        return False
    return any(target_of(op) in _registered for op in ops_below(module.operation, _CALLS))


def _address(name: str, routine: Any) -> int:
    found = None
    if type(routine).__name__ == "PyCapsule":
        found = _pointer(routine, _name(routine))
    elif hasattr(routine, "restype"):  # what CDLL gives
        found = ctypes.cast(routine, ctypes.c_void_p).value
    if not found:
        raise TargetError(
            f"a {type(routine).__name__} cannot implement the custom call @{name}",
            hint="give a capsule, or a function of a library: ctypes.CDLL(path).function",
        )
    return int(found)


def _capsule(address: int) -> object:
    return _new(address, _CAPSULE_NAME, None)


def refusal_of(op: IrOperation) -> TargetError | None:
    """What is wrong with a custom call of a kernel that has no implementation here.

    None for other calls: XLA knows some by itself.
    """
    name = target_of(op)
    if MEANING not in op.attributes and kernel_called(NAME, name) is None:
        return None
    return None if pjrt.is_registered(name) else missing(name, op)


def missing(name: str, op: IrOperation | None) -> TargetError:
    """The error for a custom call of that name, which XLA does not know."""
    composite = _stands_for(name, op)
    where = None if op is None else where_of(op.location)
    known = _registered.get(name)
    if known is not None or pjrt.is_registered(name):
        typed = known is None or known[1]
        return TargetError(
            f"the implementation of the custom call @{name} is not for calls of this api_version",
            where=where,
            hint=f"it takes api_version {'4' if typed else '1 to 3'}: correct the call, or the "
            "descriptor of the kernel",
        )
    near = difflib.get_close_matches(name, sorted(_known_names() - {name}), n=3)
    meant = f"did you mean {' or '.join('@' + n for n in near)}? " if near else ""
    if composite is None:
        hint = (
            "custom calls are made for one target; use the composite it stands for, or register an "
            "implementation with register_call of dxir.runtime.calls"
        )
    else:
        hint = (
            f'register_call("{name}", routine) of dxir.runtime.calls gives it one; '
            f"dxir-decompose{{kernels=off}} runs the program without it"
        )
    stands = "" if composite is None else f", the kernel for {composite}"
    return TargetError(
        f"{NAME} has no implementation of the custom call @{name}{stands}",
        where=where,
        hint=meant + hint,
    )


def _known_names() -> set[str]:
    return {*pjrt.registered_calls(), *(k.call_target for k in kernels_of(NAME))}


def _stands_for(name: str, op: IrOperation | None) -> str | None:
    """The composite that a call is the kernel of."""
    meaning = None if op is None else attribute(op, MEANING)
    if isinstance(meaning, ir.DictAttr) and "name" in meaning:
        composite = meaning["name"]
        if isinstance(composite, ir.StringAttr):
            return str(composite.value)
    kernel = kernel_called(NAME, name)
    return None if kernel is None else kernel.composite
