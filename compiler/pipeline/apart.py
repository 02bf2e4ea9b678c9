"""Running a native pass in a process of its own, which it may end.

`python -m dxir.pipeline.apart` reads a request and bytecode from its input, and answers with exit
code 0, the diagnostics and fresh bytecode; or 3, the diagnostics and the error. Anything else is a
crash.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from dxir.children import REFUSED, cause_of, error_told, last_words, limit_resources, told
from dxir.diagnostics import Diagnostic, collecting
from dxir.errors import DxirError, PassError
from dxir.mlir import DIALECTS, bytecode_of, ir, known_dialects, make_context
from dxir.pipeline.budget import Limits
from dxir.pipeline.running import IrPrinting, RunOptions, StepFailure, run_steps
from dxir.pipeline.steps import Step, resolve

_MEMORY_BYTES = 8 << 30
_MEMORY_PER_BYTE = 256
_TIMEOUT_S = 3600.0  # against hangs only: a large module may take long


def run_apart(
    module: ir.Module, step: Step, options: RunOptions, danger: str
) -> tuple[ir.Module, list[Diagnostic]]:
    """The module as a native pass leaves it in a child process, in the same context.

    Takes about half a second more than the pass. `danger` says what it may crash over, and is part
    of the error when it does. Raises PassError.
    """
    if not sys.executable:
        raise PassError(
            f"the pass {step.name} can end the process over {danger}, and there is no Python "
            "interpreter to run it apart"
        )
    seconds = options.limits.seconds or _TIMEOUT_S
    try:
        run = subprocess.run(
            [sys.executable, "-P", "-m", "dxir.pipeline.apart"],
            input=_request(module, step, options),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PassError(f"the pass {step.name} did not end within {seconds:g} s") from None
    except OSError as error:
        raise PassError(
            f"the pass {step.name} needs a process of its own, which cannot be started: "
            f"{error.strerror or error}",
            hint=f"in this one it could end over {danger}",
        ) from None
    if run.returncode not in (0, REFUSED):
        words = last_words(run.stderr)
        raise PassError(
            f"the pass {step.name} ended its process with {cause_of(run.returncode)}"
            + (f": {words}" if words else ""),
            hint=f"most likely over {danger}; the program is as it was",
        )
    if options.printing is not None:
        sys.stderr.write(run.stderr.decode("utf-8", "replace"))
    head, _, rest = run.stdout.partition(b"\n")
    reported = [_diagnostic(d) for d in json.loads(head)]
    if run.returncode == REFUSED:
        raise error_told(rest)
    return ir.Module.parse(rest, module.context), reported


def _request(module: ir.Module, step: Step, options: RunOptions) -> bytes:
    context = module.context
    known = known_dialects(context)
    limits = dataclasses.replace(options.limits, seconds=None)
    printing = None
    if options.printing is not None:
        printing = dataclasses.asdict(options.printing)
        printing |= {k: sorted(v) for k, v in printing.items() if isinstance(v, frozenset)}
    request = {
        "pipeline": str(step),
        "root": step.path[0],
        "unregistered": context.allow_unregistered_dialects,
        "dialects": [name for name in DIALECTS if name in known],
        "verify_each": options.verify_each,
        "limits": dataclasses.asdict(limits),
        "printing": printing,
    }
    return json.dumps(request).encode() + b"\n" + bytecode_of(module)


def _diagnostic(found: Any) -> Diagnostic:
    notes = tuple([_diagnostic(note) for note in found["notes"]])
    return Diagnostic(found["severity"], found["message"], found["where"], notes, found["op"])


def _options(request: Any) -> RunOptions:
    printing = request["printing"]
    if printing is not None:
        names = {key: frozenset(printing[key]) for key in ("before", "after")}
        printing = IrPrinting(**{**printing, **names})
    return RunOptions(
        verify_each=request["verify_each"], printing=printing, limits=Limits(**request["limits"])
    )


def _serve() -> NoReturn:
    from dxir.pipeline.checked import failure_error

    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(head)
    limit_resources(_MEMORY_BYTES + _MEMORY_PER_BYTE * len(data))
    context = make_context(allow_unregistered=request["unregistered"], dialects=request["dialects"])
    found: Sequence[Diagnostic] = ()
    try:
        with collecting(context) as found:
            module = ir.Module.parse(data, context)
            steps = resolve(request["pipeline"], context, request["root"])
            try:
                run_steps(module, steps, _options(request))
            except StepFailure as failure:
                raise failure_error(failure, found) from None
        answer, code = bytecode_of(module), 0
    except DxirError as error:
        answer, code = told(error).encode(), REFUSED
    reported = json.dumps([dataclasses.asdict(d) for d in found]).encode()
    sys.stdout.buffer.write(reported + b"\n" + answer)
    sys.stdout.buffer.flush()
    # Leaving at once: tearing down what a pass left is one more way to crash.
    os._exit(code)


if __name__ == "__main__":
    _serve()
