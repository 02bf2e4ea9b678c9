"""A program of whatever stands for a module in a test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir.program import Program


def program_of(module: Any) -> Program:
    """The program of a Program, a graph, an `ir.Module`, text, bytes, a path, or what JAX gives.

    An `ir.Module` is copied, through bytecode, into a context of dxir's. Raises what `dxir.load`
    and `dxir.lower` do, and ParseError for anything else.
    """
    from dxir.graph import Function, Module
    from dxir.loading import load
    from dxir.mlir import bytecode_of
    from dxir.program import Program, lower
    from dxir.verify.modules import held_by, refuse_invalid

    if isinstance(module, Program):
        return module
    if isinstance(module, (Function, Module)):
        return lower(module)
    if isinstance(module, (str, bytes, os.PathLike)):
        return load(module)
    if isinstance(module, (bytearray, memoryview)):
        return load(bytes(module))
    held = held_by(module)
    if not isinstance(held, bytes):
        refuse_invalid(held)
        held = bytecode_of(held)
    return load(held, trusted=True)
