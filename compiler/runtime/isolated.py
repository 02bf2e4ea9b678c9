"""Compiling in a child process what may bring XLA's compiler down.

`python -m dxir.runtime.isolated FOLDER [PASS...]` compiles FOLDER/artifact, without those passes of
XLA, into FOLDER/executable, or writes the compiler's error to FOLDER/error; any other end is a
crash.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dxir.children import REFUSED, cause_of, limit_resources
from dxir.errors import RuntimeFailure
from dxir.runtime.deep import call_deep

if TYPE_CHECKING:
    from dxir.runtime.preflight import Risk

_FUSION = "fusion"
_STACK_BYTES = 1 << 30
_TIMEOUT_S = 3600.0  # against hangs only: a large program may take long


class CompilerError(Exception):
    """What XLA's compiler said in the child."""


def compile_in_child(artifact: bytes, risk: Risk) -> bytes:
    """The compiled program of an artifact as bytes, made by a child process.

    `risk` says what about the program may be too much for the compiler. When that crashes on a
    deep program, it is tried again without fusion, the part that needs the deepest stack; the
    program is slower then, and a RuntimeWarning says so. Raises CompilerError with the compiler's
    own message, RuntimeFailure when it crashed again or did not end.
    """
    if not sys.executable:
        raise RuntimeFailure(
            f"the program has {risk}, which can crash XLA's compiler, and there is no Python "
            "interpreter to compile it apart",
            where=risk.where,
        )
    compiled, cause = _attempt(artifact, risk)
    if compiled is None and risk.deep:
        compiled, again = _attempt(artifact, risk, _FUSION)
        if compiled is not None:
            warnings.warn(
                f"XLA's compiler ended with {cause} on a program that has {risk}; it was compiled "
                "without fusion, and is slower for it",
                RuntimeWarning,
                stacklevel=6,  # the caller of dxir.compile
            )
        cause = again
    if compiled is None:
        raise RuntimeFailure(
            f"XLA's compiler ended with {cause} on this program, which has {risk}",
            where=risk.where,
            hint=risk.hint,
        )
    return compiled


def _attempt(artifact: bytes, risk: Risk, *without: str) -> tuple[bytes | None, str]:
    """The compiled program; None and the cause when the child crashed."""
    with TemporaryDirectory(prefix="dxir-") as folder:
        Path(folder, "artifact").write_bytes(artifact)
        try:
            run = subprocess.run(
                _command(folder, *without),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeFailure(
                f"XLA's compiler did not end within {_TIMEOUT_S:g} s on this program, which has "
                f"{risk}",
                where=risk.where,
                hint=risk.hint,
            ) from None
        if run.returncode == 0:
            return Path(folder, "executable").read_bytes(), ""
        if run.returncode == REFUSED:
            raise CompilerError(Path(folder, "error").read_text("utf-8"))
        return None, _cause(run.returncode, run.stderr)


def _command(folder: str, *without: str) -> list[str]:
    return [sys.executable, "-P", "-m", "dxir.runtime.isolated", folder, *without]


def _cause(code: int, errors: bytes) -> str:
    if code < 0:
        return cause_of(code)
    lines = errors.decode("utf-8", "replace").strip().splitlines() or ["no message"]
    return f"{cause_of(code)} ({lines[-1][:200]})"


def _serve(folder: str, *without: str) -> None:
    from dxir.runtime import pjrt

    code = 1

    def work() -> None:
        nonlocal code
        try:
            compiled = pjrt.load(Path(folder, "artifact").read_bytes(), without=without)
            Path(folder, "executable").write_bytes(pjrt.serialize(compiled))
            code = 0
        except pjrt.XlaError as error:
            Path(folder, "error").write_text(str(error), "utf-8")
            code = REFUSED

    call_deep(work, _STACK_BYTES)
    # Leaving at once: what a huge program leaves behind takes seconds to tear down.
    os._exit(code)


if __name__ == "__main__":
    limit_resources()
    _serve(*sys.argv[1:])
