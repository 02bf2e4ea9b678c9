"""What compiles a program with IREE's compiler: run as a process of its own.

`python -m dxir.runtime.iree.child FLAG...` compiles what it reads from standard input, and writes
the module for IREE's virtual machine to standard output; a mistake in a flag goes there as an
error that is told, and what the compiler says of the program to standard error. Any other end is a
crash. Whatever else writes to standard output goes to standard error instead.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from typing import Any

from dxir.children import REFUSED, limit_resources, told
from dxir.errors import DxirError, TargetError

FAILED = 4
"""The exit code when the compiler refuses the program."""

_MOST_LISTED = 3


def _serve(flags: list[str]) -> int:
    output = os.dup(1)
    os.dup2(2, 1)
    api: Any = importlib.import_module("iree.compiler.api")
    session = api.Session()
    try:
        for flag in flags:
            _set(session, flag)
    except DxirError as error:
        _write(output, told(error).encode())
        return REFUSED
    source = api.Source.wrap_buffer(session, sys.stdin.buffer.read(), buffer_name="program")
    invocation = session.invocation()
    invocation.enable_console_diagnostics()
    if not invocation.parse_source(source) or not invocation.execute():
        return FAILED
    made = api.Output.open_membuffer()
    invocation.output_vm_bytecode(made)
    _write(output, made.map_memory())
    return 0


def _set(session: Any, flag: str) -> None:
    try:
        session.set_flags(flag)
        return
    except ValueError as error:
        said = " ".join(str(error).partition("\n")[2].split())
    name, _, value = flag[2:].partition("=")
    known = [f[2:].partition("=")[0] for f in session.get_flags()]
    if name in known:
        raise TargetError(
            f"IREE's compiler does not take {value!r} for its flag {name}",
            hint=f"without it, it is {_shown(session, name)!r}",
        )
    near = difflib.get_close_matches(name, known, n=_MOST_LISTED)
    raise TargetError(
        f"IREE's compiler has no flag {name!r} ({said})",
        hint=f"did you mean {' or '.join(near)}?" if near else "iree-compile --help lists them",
    )


def _shown(session: Any, name: str) -> str:
    """The value that a flag has now."""
    for flag in session.get_flags():
        given, _, value = flag[2:].partition("=")
        if given == name:
            return str(value)
    return ""


def _write(output: int, data: Any) -> None:
    left = memoryview(data)
    while left.nbytes:
        left = left[os.write(output, left) :]


if __name__ == "__main__":
    limit_resources()
    code = _serve(sys.argv[1:])
    sys.stderr.flush()
    # Leaving at once: what the compiler tears down takes as long as compiling something small.
    os._exit(code)
