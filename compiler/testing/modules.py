"""A program of whatever stands for a module in a test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from dxir.errors import ParseError

if TYPE_CHECKING:
    from dxir.program import Program


def program_of(module: Any) -> Program:
    """The program of a Program, a graph, an `ir.Module`, text, bytes, a path, or what JAX gives.

    An `ir.Module` is copied, through bytecode, into a context of dxir's. Raises what `dxir.load`
    and `dxir.lower` do, and ParseError for anything else.
    """
    from dxir.graph import Function, Module
    from dxir.loading import load
    from dxir.mlir import bytecode_of, ir
    from dxir.program import Program, lower

    if isinstance(module, Program):
        return module
    if isinstance(module, (Function, Module)):
        return lower(module)
    if isinstance(module, (str, bytes, bytearray, memoryview, os.PathLike)):
        return load(module if isinstance(module, (str, bytes, os.PathLike)) else bytes(module))
    if isinstance(module, ir.Module):
        _refuse_invalid(module)
        return load(bytecode_of(module), trusted=True)
    exported = getattr(module, "mlir_module_serialized", None)
    if isinstance(exported, bytes):  # a jax.export.Exported
        return load(exported, trusted=True)
    lowered = getattr(module, "compiler_ir", None)
    if callable(lowered):  # a jax.stages.Lowered
        return program_of(lowered("stablehlo"))
    raise ParseError(
        f"an object of class {type(module).__name__} is no module",
        hint="give a Program, a graph, an ir.Module, text, bytes, a path, or what JAX lowered",
    )


def _refuse_invalid(module: Any) -> None:
    """VerificationError for a module that is not valid: its bytecode could not be read again."""
    from dxir.diagnostics import collecting, verification_error
    from dxir.mlir import ir

    with collecting(module.context) as found:
        try:
            module.operation.verify()
        except ir.MLIRError:
            raise verification_error(found) from None
