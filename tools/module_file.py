"""The module that a command is given: a file, or `-`, the standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from dxir.artifact import is_bytecode
from dxir.loading import load
from dxir.names import check_names, may_hold_bytes
from dxir.program import Program
from dxir.tools.contained import is_contained, stage

_READING_S = 120.0


def called(module: str) -> str:
    """What messages call a module."""
    return "standard input" if module == "-" else module


def read_module(module: str, *, allow_unregistered: bool = True) -> Program:
    """The program, for looking at: constants may lack their data, dialects may be unknown.

    Raises what `dxir.load` does. In a contained process bytecode is read in this one.
    """
    name = called(module)
    stage(f"reading {name}", _READING_S)
    data = sys.stdin.buffer.read() if module == "-" else None
    program = load(
        Path(module) if data is None else data,
        trusted=is_contained(),
        allow_unregistered=allow_unregistered,
        allow_elided=True,
    )
    if is_contained():  # `load` has looked at the names elsewhere
        data = Path(module).read_bytes() if data is None else data
        if is_bytecode(data) or may_hold_bytes(data):
            check_names(program.module, name)
    return program
