"""Making a module what a target takes."""

from __future__ import annotations

from dxir.diagnostics import Diagnostic, where_of
from dxir.editing import with_main
from dxir.errors import TargetError
from dxir.mlir import bytecode_of, ir, make_context
from dxir.pipeline.checked import run_checked
from dxir.reading import function_name
from dxir.sharding_codec import decode_mesh
from dxir.targets.record import Target
from dxir.weights import format_of, has_known_ending, large_constants


def prepare_module(
    module: ir.Module, target: Target, archive: str | None = None
) -> tuple[ir.Module, list[Diagnostic]]:
    """A copy of a module as the pipeline of a target leaves it, and what was reported.

    `archive` is the file for the constants that the target has in one. Raises PassError for what
    goes wrong in the pipeline, and TargetError for large constants without an archive.
    """
    prepared, told = run_checked(with_main(module), target.pipeline)
    told = [*_unsharded(module, target), *told]
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
    named = format_of(archive) if has_known_ending(archive) else constants.format
    if constants.format is not None and named != constants.format:
        raise TargetError(
            f"{target.name} has its constants in an archive of the layout {constants.format}, "
            f"and {archive} is named as one of {named}",
            hint=f"name it with the ending .{constants.format}",
        )
    if constants.form == "iree":  # which is spelled by ops of a dialect that is not here
        context = make_context(allow_unregistered=True)
        prepared = ir.Module.parse(bytecode_of(prepared), context)
    moved, more = run_checked(prepared, constants.pass_text(archive))
    return moved, [*told, *more]


def _unsharded(module: ir.Module, target: Target) -> list[Diagnostic]:
    """What is told of a program for several devices whose shardings a target does not take."""
    dialects = target.accepts.dialects
    if "sdy" in dialects:
        return []
    for op in module.body.operations:
        if op.operation.name == "sdy.mesh":
            mesh = decode_mesh(function_name(op.operation), op.operation.attributes["mesh"])
            if mesh.size > 1:
                return [
                    Diagnostic(
                        "warning",
                        f"the program is for the {mesh.size} devices of @{mesh.name}, and "
                        f"{target.name} runs it whole, on one: its shardings are stripped; "
                        "dxir-partition makes the program of each device",
                        where_of(op.operation.location),
                        op="sdy.mesh",
                        code="SHARDING_STRIPPED",
                    )
                ]
    return []
