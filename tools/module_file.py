"""The module that a command is given: a file, or `-`, the standard input."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from dxir.errors import DxirError
from dxir.loading import load, load_here
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
    source = sys.stdin.buffer.read() if module == "-" else Path(module)
    reading = load_here if is_contained() else load
    try:
        return reading(source, allow_unregistered=allow_unregistered, allow_elided=True)
    except DxirError as error:
        if module == "-" and error.where is not None:
            error.where = re.sub("^<(?:bytes|text)>", name, error.where)
        raise
