"""The child process of `dxir.runtime.interpreter.running`: modules evaluated, one folder each.

`python -m dxir.runtime.interpreter.child FOLDER SECONDS [--trace divisions|all] 0 1 ...` evaluates
what FOLDER/0, FOLDER/1, ... hold, each within so many seconds. It writes `plan` (where the module
is probed) before what can crash, and `done` at the end, with `error` for a mistake of the user's.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dxir.children import limit_resources, told
from dxir.diagnostics import collecting, error_from
from dxir.errors import DxirError, EvaluationError
from dxir.mlir import (
    IrAttribute,
    TypeCache,
    dense_elements,
    ir,
    make_context,
    passmanager,
    stablehlo,
)
from dxir.reading import function_name, is_public
from dxir.resources import inline_resources, resources_of
from dxir.runtime.deep import call_deep
from dxir.runtime.interpreter import preparing
from dxir.runtime.interpreter.probes import Prober
from dxir.structure import preflight
from dxir.types import DType, TensorType

_STACK_BYTES = 1 << 30
_MEMORY_BYTES = 8 << 30
_MEMORY_PER_BYTE = 64
_START_S = 3.0
_DIALECTS = ("sdy", "interpreter")
_MODERNIZE = "builtin.module(func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false}))"


def read_job(place: Path) -> dict[str, Any]:
    """What the parent asks for in a folder."""
    found: dict[str, Any] = json.loads((place / "job").read_text("utf-8"))
    return found


def _main(arguments: Sequence[str]) -> None:
    folder, seconds, *rest = arguments
    traced = ""
    if rest[0] == "--trace":
        traced, rest = rest[1], rest[2:]
    size = sum((Path(folder) / n / "module").stat().st_size for n in rest)
    limit_resources(
        _MEMORY_BYTES + _MEMORY_PER_BYTE * size, (float(seconds) + _START_S) * len(rest)
    )
    places = [Path(folder) / number for number in rest]
    call_deep(lambda: _serve_all(places, traced), _STACK_BYTES)
    if not read_job(places[0])["prints"]:
        os._exit(0)  # tearing down what is left can crash; but only so C++ writes its output


def _serve_all(places: Sequence[Path], traced: str) -> None:
    for place in places:
        _serve(place, traced)


def _serve(place: Path, traced: str) -> None:
    """Interpret the module in a folder; what can crash comes after the plan is written."""
    try:
        _interpret(place, traced)
    except DxirError as error:
        (place / "error").write_text(told(error), "utf-8")
    (place / "done").touch()


def _interpret(place: Path, traced: str) -> None:
    job = read_job(place)
    context = make_context(dialects=_DIALECTS)
    with context:
        module = ir.Module.parse((place / "module").read_bytes(), context)
        types = [TensorType(shape, DType.of(name)) for name, shape in job["types"]]
        cache = TypeCache.of(context)
        arguments = [
            _attribute(place / f"argument{n}", type, cache) for n, type in enumerate(types)
        ]
        plan = _prepared(module, job["entry"], [str(a.type) for a in arguments], traced)
        (place / "plan").write_text(json.dumps(plan), "utf-8")
        _evaluate(module, arguments, place)


def _attribute(file: Path, type: TensorType, cache: TypeCache) -> IrAttribute:
    array = np.frombuffer(file.read_bytes(), type.primitive.numpy).reshape(type.static_shape)
    return dense_elements(array, type, cache)


def _prepared(module: ir.Module, entry: str, types: Sequence[str], traced: str) -> dict[str, Any]:
    """Make the module ready, in place; gives the spots it is probed at, and where results are."""
    function = preparing.entry_of(module, entry)
    if function is None:
        return {"spots": [], "results": []}
    if resources_of(module):
        inline_resources(module, "interpret the program")
    if preparing.has_deprecated(module):
        _run(module, _MODERNIZE)
    prober = Prober(module)
    if function_name(function) == "main" and is_public(function):
        preflight(module)  # while functions have the names that messages shall tell
    preparing.make_main(module, function)
    preflight(module)
    if preparing.has_dynamic_parameters(function):
        _run(module, preparing.refinement(types))
        function = preparing.entry_of(module, "main")
        assert function is not None
    reached = preparing.traceable(module, divisions_only=traced == "divisions") if traced else ()
    preparing.instrument(module, prober)
    results = preparing.probe_results(function, prober)
    for op in reached:
        prober.trace(op)
    return {"spots": [spot.as_json() for spot in prober.spots], "results": results}


def _run(module: ir.Module, pipeline: str) -> None:
    with collecting(module.context) as found:
        try:
            passmanager.PassManager.parse(pipeline, module.context).run(module.operation)
        except ir.MLIRError:
            raise error_from(EvaluationError, found, f"{pipeline} failed") from None


def _evaluate(module: ir.Module, arguments: Sequence[IrAttribute], place: Path) -> None:
    with collecting(module.context) as found:
        try:
            stablehlo.eval_module(module, arguments, str(place))
        except ValueError:
            raise error_from(EvaluationError, found, "the interpreter failed") from None


if __name__ == "__main__":
    _main(sys.argv[1:])
