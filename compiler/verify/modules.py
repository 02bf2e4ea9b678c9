"""Checking one module: in memory, in text, in bytes, or in a file."""

from __future__ import annotations

import os
from typing import Any

from dxir.chunks import whole_input
from dxir.diagnostics import collecting, verification_error
from dxir.errors import ParseError, VerificationError
from dxir.graph import Function, Module
from dxir.mlir import ir
from dxir.program import Program, lower
from dxir.verify.contents import as_set, check_data, check_subject, unreadable
from dxir.verify.reading import finding_of
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.subject import Source, Subject

IN_MEMORY = "<module>"
"""What a module is called that is in no file."""


def check_module(
    module: Any, settings: Settings | None = None, *, name: str | None = None
) -> Report:
    """What the rules find in a module, which need not be valid.

    It is a Program, an `ir.Module`, a graph, or what JAX exports or lowers; text or bytes; or a
    path. A `str` that holds a line break, a brace or a bracket is text, any other a path. Nothing
    is changed. `name` is what the module is called in the findings; places in user code come from
    its locations. Settings in files count for `dxir-verify`, and here when they are given:
    `find_configuration().settings`.

    ConfigurationError for settings that no rule has, and ParseError for what is no module at all;
    what cannot be read, or is not valid, is a finding.
    """
    settings = settings or Settings()
    if isinstance(module, str) and not any(c in module for c in "\n{}("):
        return _check_file(module, name, settings)
    if isinstance(module, os.PathLike):
        return _check_file(os.fspath(module), name, settings)
    if isinstance(module, str):
        return _check_data(module.encode("utf-8", "surrogatepass"), name or "<text>", settings)
    if isinstance(module, (bytes, bytearray, memoryview)):
        return _check_data(bytes(module), name or "<bytes>", settings)
    return _check_held(held_by(module), Source(name or IN_MEMORY, is_memory=True), settings)


def _check_file(path: Any, name: str | None, settings: Settings) -> Report:
    shown = whole_input(b"", name or os.fsdecode(path)).name
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        return unreadable(shown, why or str(error), settings.for_file(shown))
    return _check_data(data, shown, settings)


def _check_data(data: bytes, name: str, settings: Settings) -> Report:
    return check_data(data, name, settings.for_file(name)).report


def held_by(module: Any) -> ir.Module | bytes:
    """The module in a Program, a graph, or what JAX exports (bytes) or lowers.

    ParseError for anything else.
    """
    if isinstance(module, Program):
        return module.module
    if isinstance(module, ir.Module):
        return module
    if isinstance(module, (Function, Module)):
        return lower(module).module
    exported = getattr(module, "mlir_module_serialized", None)
    if isinstance(exported, bytes):  # a jax.export.Exported
        return exported
    lowered = getattr(module, "compiler_ir", None)
    if callable(lowered):  # a jax.stages.Lowered
        return held_by(lowered("stablehlo"))
    raise ParseError(
        f"an object of class {type(module).__name__} is no module",
        hint="give a Program, a graph, an ir.Module, text, bytes, a path, or what JAX lowered",
    )


def _check_held(module: ir.Module | bytes, source: Source, settings: Settings) -> Report:
    settings = settings.for_file(source.name)
    if isinstance(module, bytes):
        return check_data(module, source.name, settings, trusted=True).report
    try:
        refuse_invalid(module)
    except VerificationError as error:
        found = finding_of(error, source, settings.rules())
        return Report(source.name, as_set([found], settings))
    return check_subject(Subject(module, source), settings).report


def refuse_invalid(module: ir.Module) -> None:
    """Raise VerificationError for a module that is not valid."""
    with collecting(module.context) as found:
        try:
            module.operation.verify()
        except ir.MLIRError:
            raise verification_error(found) from None
