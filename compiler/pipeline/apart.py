"""Running a native pass in a process of its own, which it may end.

`python -m dxir.pipeline.apart` reads a request and bytecode from its input, and answers with exit
code 0, the diagnostics and fresh bytecode; or 3, the diagnostics and the error. Anything else is a
crash.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from typing import Any, NoReturn

from dxir.children import REFUSED, Work, error_told, limit_resources, run_module, told
from dxir.diagnostics import Diagnostic, collecting, diagnostics_from_json
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
    """The module as a pass, native or one of dxir's, leaves it in a child process.

    Takes about half a second more than the pass. `danger` says what it may crash over, and is part
    of the error when it does. Raises PassError.
    """
    work = Work(
        f"the pass {step.name}", PassError, unstarted=f"it could end this one over {danger}"
    )
    run = run_module(
        work,
        "dxir.pipeline.apart",
        input=_request(module, step, options),
        seconds=options.limits.seconds or _TIMEOUT_S,
    )
    if run.crashed:
        raise work.failed(
            f"ended its process with {run.cause}{run.last_words}",
            hint=f"most likely over {danger}; the program is as it was",
        )
    if options.printing is not None:
        sys.stderr.write(run.errors.decode("utf-8", "replace"))
    head, _, rest = run.output.partition(b"\n")
    reported = diagnostics_from_json(head)
    if run.code == REFUSED:
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


def _options(request: Any) -> RunOptions:
    printing = request["printing"]
    if printing is not None:
        names: dict[str, Any] = {key: frozenset(printing[key]) for key in ("before", "after")}
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
    found: list[Diagnostic] = []
    try:
        with collecting(context) as found:
            module = ir.Module.parse(data, context)
            steps = resolve(request["pipeline"], context, request["root"])
            try:
                run_steps(module, steps, _options(request), found.append)
            except StepFailure as failure:
                raise failure_error(failure, found) from None
        answer, code = bytecode_of(module), 0
    except DxirError as error:
        answer, code = told(error).encode(), REFUSED
    reported = json.dumps([d.as_dict() for d in found]).encode()
    sys.stdout.buffer.write(reported + b"\n" + answer)
    sys.stdout.buffer.flush()
    # Leaving at once: tearing down what a pass left is one more way to crash.
    os._exit(code)


if __name__ == "__main__":
    _serve()
