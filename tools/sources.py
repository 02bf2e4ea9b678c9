"""Reading an input of the tools into a module whose locations name the input."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Literal

from dxir.chunks import STDIN, Chunk, is_bytecode, near_misses, split
from dxir.errors import DxirError
from dxir.mlir import IrLocation, IrOperation, ir
from dxir.names import check_names, may_hold_bytes
from dxir.prescan import check_text, needs_child
from dxir.reading import walk
from dxir.tools.check_text import with_readable_checks
from dxir.tools.contained import bounded_memory, is_contained, stage
from dxir.tools.messages import Buffers, Reporter
from dxir.versions import current_version

_TIMEOUT_S = 120.0
# Damaged bytecode can keep MLIR's reader busy for ever.
_READING_S = 30.0
_READING_BYTES_PER_S = 500_000


class ReadFailed(Exception):
    """An input that is no module; MLIR has reported why to the handlers of the context."""


def read_input(path: str) -> tuple[bytes, str]:
    """The data of an input (`-` is the standard input), and its name in locations."""
    if path == "-":
        stage("reading standard input")
        try:
            return sys.stdin.buffer.read(), STDIN
        except OSError as error:
            raise DxirError(f"cannot read the standard input: {error.strerror or error}") from None
    try:
        return Path(path).read_bytes(), path
    except OSError as error:
        raise DxirError(f"cannot open input file '{path}': {error.strerror or error}") from None


def split_input(data: bytes, name: str, marker: str | None) -> list[Chunk]:
    """The chunks of an input; warns on stderr of what is almost a marker, as mlir-opt does."""
    if marker is not None:
        reporter = Reporter(Buffers(name, data), sys.stderr)
        for warning in near_misses(data, name, marker):
            reporter.report(warning)
    return split(data, name, marker)


def reading_seconds(chunk: Chunk) -> float:
    """How long reading a chunk may take, before its bytes are taken for damaged."""
    return _READING_S + len(chunk.data) / _READING_BYTES_PER_S


def read_module(
    chunk: Chunk, context: ir.Context, *, no_implicit_module: bool = False
) -> ir.Module | IrOperation:
    """The module that the input holds as text, bytecode or a portable artifact.

    Text with other ops at its top level is put in a module, or with `no_implicit_module` must be a
    single op of any kind. Ops of the check dialect are taken in. Its places are those in the whole
    input, under the input's name. What could end the process is read in a child first, unless the
    tool itself runs in one.

    Raises ReadFailed for what MLIR finds wrong, once MLIR has reported it, and a DxirError for what
    it is not even given to read.
    """
    try:
        with bounded_memory(len(chunk.data)):
            if is_bytecode(chunk.data):
                return _read_bytes(chunk, context)
            readable = with_readable_checks(chunk)
            return _read_text(readable, context, no_implicit_module=no_implicit_module)
    except (ir.MLIRError, ValueError, MemoryError) as error:
        if isinstance(error, DxirError):
            raise
        raise ReadFailed(chunk.name) from None


def _read_bytes(chunk: Chunk, context: ir.Context) -> ir.Module:
    from dxir.artifact import artifact_version, check_readable, deserialize

    data, version = chunk.data, artifact_version(chunk.data)
    if version is not None:
        check_readable(version, chunk.name)
    if not is_contained():
        data = _from_child(chunk, "bytecode" if version is None else "artifact", context)
        version = artifact_version(data)
    if version is not None:
        return deserialize(data, context, chunk.name)
    return ir.Module.parse(data, context)


def _from_child(
    chunk: Chunk, kind: Literal["text", "bytecode", "artifact"], context: ir.Context
) -> bytes:
    from dxir.quarantine import read_in_child

    return read_in_child(
        chunk.placed if kind == "text" else chunk.data,
        kind,
        chunk.name,
        allow_unregistered=context.allow_unregistered_dialects,
        timeout_s=_TIMEOUT_S,
    )


def _read_text(
    chunk: Chunk, context: ir.Context, *, no_implicit_module: bool
) -> ir.Module | IrOperation:
    data = chunk.placed
    # No text is nothing to read for `check_text`, and an empty module for MLIR.
    text = check_text(data, chunk.name) if data.strip() else data.decode("ascii")
    if not is_contained() and needs_child(text, current_version().minor < 18):
        _from_child(chunk, "text", context)
    if no_implicit_module:
        return ir.Operation.parse(text, source_name=chunk.name, context=context).operation
    if _is_file(chunk):
        module = ir.Module.parseFile(chunk.name, context)
    elif chunk.name == STDIN and os.name == "posix":
        module = _parse_as_stdin(data, text, context)
    else:
        module = _named(ir.Module.parse(text, context), chunk.name)
    if may_hold_bytes(data):
        check_names(module, chunk.name)
    return module


def _is_file(chunk: Chunk) -> bool:
    """Whether the chunk is a file as it is, which MLIR can read by itself."""
    if chunk.data != chunk.whole or chunk.name == "-":
        return False
    try:
        if not stat.S_ISREG(os.stat(chunk.name).st_mode):  # what else there is can be read but once
            return False
        with open(chunk.name, "rb") as file:
            return file.read() == chunk.data
    except (OSError, ValueError):
        return False


def _parse_as_stdin(data: bytes, text: str, context: ir.Context) -> ir.Module:
    """Parse text as what MLIR reads from the standard input, which names it so by itself.

    Naming every place afterwards takes longer than parsing.
    """
    import tempfile

    try:
        kept = os.dup(0)
    except OSError:  # there is no standard input
        return _named(ir.Module.parse(text, context), STDIN)
    try:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            os.dup2(file.fileno(), 0)
            return ir.Module.parseFile("-", context)
    finally:
        os.dup2(kept, 0)
        os.close(kept)


def _named(module: ir.Module, name: str) -> ir.Module:
    """The module with the input's name where the parser, which was not told it, wrote `-`."""
    context = module.context

    def named(location: IrLocation) -> IrLocation | None:
        # Comparing is the way: reading a `filename` that is not UTF-8 ends the process.
        if not isinstance(location, ir.FileLineColLoc):
            return None
        line, column = location.start_line, location.start_col
        if location != ir.Location.file("-", line, column, context):
            return None
        return ir.Location.file(name, line, column, context)

    def visit(op: IrOperation) -> None:
        location = named(op.location)
        if location is not None:
            op.location = location
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    location = named(argument.location)
                    if location is not None:
                        argument.set_location(location)

    walk(module, visit)
    return module
