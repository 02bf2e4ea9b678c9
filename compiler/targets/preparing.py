"""Making a module what a target takes."""

from __future__ import annotations

from dxir.diagnostics import Diagnostic, where_of
from dxir.editing import with_main
from dxir.errors import TargetError
from dxir.mlir import bytecode_of, ir, make_context
from dxir.pipeline.checked import run_checked
from dxir.targets.record import Target
from dxir.weights import large_constants


def prepare_module(
    module: ir.Module, target: Target, archive: str | None = None
) -> tuple[ir.Module, list[Diagnostic]]:
    """A copy of a module as the pipeline of a target leaves it, and what was reported.

    `archive` is the file for the constants that the target has in one. Raises PassError for what
    goes wrong in the pipeline, and TargetError for large constants without an archive.
    """
    prepared, told = run_checked(with_main(module), target.pipeline)
    constants = target.constants
    if constants.min_bytes is None:
        return prepared, told
    large = large_constants(prepared.operation, constants.min_bytes)
    if not large:
        return prepared, told
    if archive is None:
        op, type = large[0]
        raise TargetError(
            f"{target.name} has constants {constants}, and this one has type {type}",
            where=where_of(op.location),
            hint='name the archive: prepare(..., archive="weights.irpa")',
        )
    if constants.form == "iree":  # which is spelled by ops of a dialect that is not here
        context = make_context(allow_unregistered=True)
        prepared = ir.Module.parse(bytecode_of(prepared), context)
    moved, more = run_checked(prepared, constants.pass_text(archive))
    return moved, [*told, *more]
