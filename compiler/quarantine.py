"""Reading bytes that may end the process, in a child process.

`python -m dxir.quarantine KIND` reads bytes from its input, parses and verifies them, and writes
the module as fresh bytecode, which the parent reads instead of the bytes it was given. The child
answers with exit code 0 and bytecode, or 3 and an error as JSON; anything else is a crash.
"""

from __future__ import annotations

import os
import sys
from typing import Literal, NoReturn

from dxir.children import REFUSED, Work, error_told, limit_resources, run_module, told
from dxir.errors import DxirError, ParseError

Kind = Literal["text", "bytecode", "artifact"]

_MEMORY_BYTES = 6 << 30
_MEMORY_PER_BYTE = 32


def read_in_child(
    data: bytes, kind: Kind, name: str, *, allow_unregistered: bool, timeout_s: float
) -> bytes:
    """Bytecode of the module that `data` holds, verified, rewritten by a child process.

    Raises the error the child found, or ParseError when it crashed or took longer than `timeout_s`
    seconds.
    """
    work = Work(
        f"reading the {kind}",
        ParseError,
        name,
        unstarted="load the bytes with trusted=True if you made them yourself",
        late="the bytes are damaged; if they are only large, raise timeout_s, or load them with "
        "trusted=True",
    )
    arguments = (kind, name, str(int(allow_unregistered)))
    run = run_module(work, "dxir.quarantine", *arguments, input=data, seconds=timeout_s)
    if run.crashed:
        raise ParseError(
            f"the {kind} brought MLIR's reader down ({run.cause}){run.last_words}",
            where=name,
            hint="the bytes are damaged or were made to do harm; write the module again",
        )
    if run.code == REFUSED:
        raise error_told(run.output)
    return run.output


def _serve(name: str, *, allow_unregistered: bool) -> NoReturn:
    from dxir.loading import read_trusted
    from dxir.mlir import bytecode_of, make_context
    from dxir.names import check_names

    data = sys.stdin.buffer.read()
    limit_resources(_MEMORY_BYTES + _MEMORY_PER_BYTE * len(data))
    context = make_context(allow_unregistered=allow_unregistered)
    try:
        module, _ = read_trusted(data, name, context)
        check_names(module, name)
        answer, code = bytecode_of(module), 0
    except DxirError as error:
        answer, code = told(error).encode(), REFUSED
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    # Leaving at once: tearing a damaged module down is one more way to crash.
    os._exit(code)


if __name__ == "__main__":
    _serve(sys.argv[2], allow_unregistered=sys.argv[3] == "1")
