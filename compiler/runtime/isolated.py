"""Compiling in a child process what may bring XLA's compiler down.

`python -m dxir.runtime.isolated FOLDER ID,...` compiles FOLDER/artifact, with FOLDER/options, for
those devices into FOLDER/executable, or writes the compiler's error to FOLDER/error; any other
end is a crash.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dxir.children import REFUSED, Ended, Work, limit_resources, run_module
from dxir.errors import RuntimeFailure
from dxir.locations import caller_location
from dxir.runtime.deep import call_deep

if TYPE_CHECKING:
    from dxir.runtime.preflight import Risk

_FUSION = "fusion"
_STACK_BYTES = 1 << 30
_TIMEOUT_S = 3600.0  # against hangs only: a large program may take long


class CompilerError(Exception):
    """What XLA's compiler said in the child."""


def compile_in_child(
    artifact: bytes, risk: Risk, devices: Sequence[int], options: Callable[[tuple[str, ...]], bytes]
) -> bytes:
    """The compiled program of an artifact as bytes, made by a child process.

    `options` gives XLA's, without some of its passes. `risk` says what about the program may be
    too much for the compiler. When that crashes on a deep program, it is tried again without
    fusion, the part that needs the deepest stack; the program is slower then, and a RuntimeWarning
    says so. Raises CompilerError with the compiler's
    own message, RuntimeFailure when it crashed again or did not end.
    """
    compiled = _attempt(artifact, risk, devices, options(()))
    if isinstance(compiled, Ended) and risk.deep:
        cause = compiled.cause
        compiled = _attempt(artifact, risk, devices, options((_FUSION,)))
        if not isinstance(compiled, Ended):
            _warn(
                f"XLA's compiler ended with {cause} on a program that has {risk}; it was compiled "
                "without fusion, and is slower for it"
            )
    if isinstance(compiled, Ended):
        raise RuntimeFailure(
            f"XLA's compiler ended with {compiled.cause} on this program, which has "
            f"{risk}{compiled.last_words}",
            where=risk.where,
            hint=risk.hint,
        )
    return compiled


def _warn(message: str) -> None:
    """Warn at the line outside of dxir that had something compiled."""
    place = caller_location()
    if place is None:
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    else:
        warnings.warn_explicit(message, RuntimeWarning, place.file, place.line)


def _attempt(artifact: bytes, risk: Risk, devices: Sequence[int], options: bytes) -> bytes | Ended:
    """The compiled program, or how the child crashed."""
    work = Work(
        f"compiling this program, which has {risk},",
        RuntimeFailure,
        risk.where,
        unstarted="that can crash XLA's compiler",
        late=risk.hint,
    )
    with TemporaryDirectory(prefix="dxir-") as folder:
        Path(folder, "artifact").write_bytes(artifact)
        Path(folder, "options").write_bytes(options)
        ids = ",".join(map(str, devices))
        run = run_module(work, "dxir.runtime.isolated", folder, ids, seconds=_TIMEOUT_S)
        if run.crashed:
            return run
        if run.code == REFUSED:
            raise CompilerError(Path(folder, "error").read_text("utf-8"))
        return Path(folder, "executable").read_bytes()


def _serve(folder: str, devices: str) -> None:
    from dxir.runtime import pjrt

    code = 1

    def work() -> None:
        nonlocal code
        try:
            ids = [int(number) for number in devices.split(",")]
            known = pjrt.cpu_client(max(ids) + 1).devices
            assignment = pjrt.Assignment(tuple(known[i] for i in ids))
            options = pjrt.options_of((Path(folder) / "options").read_bytes())
            compiled = assignment.load(Path(folder, "artifact").read_bytes(), options)
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
