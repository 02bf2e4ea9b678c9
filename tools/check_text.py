"""The check dialect in the inputs and outputs of the tools."""

from __future__ import annotations

from dataclasses import replace

from dxir.artifact import is_bytecode
from dxir.check_dialect import MARK, PREFIX, restored_checks, rewritten_checks
from dxir.chunks import Chunk


def with_readable_checks(chunk: Chunk) -> Chunk:
    """The chunk with ops of the check dialect in a form that MLIR reads, on the same lines.

    Raises ParseError for one that is not well formed.
    """
    if PREFIX.encode() not in chunk.data or is_bytecode(chunk.data):
        return chunk
    try:
        text = chunk.placed.decode("utf-8")
    except UnicodeDecodeError:
        return chunk  # the reader says where it is not UTF-8
    written = rewritten_checks(text, chunk.name)
    if written == text:
        return chunk
    return replace(chunk, data=written.encode()[len(chunk.placed) - len(chunk.data) :])


def with_checks(text: bytes) -> bytes:
    """Text that MLIR printed, with the ops of the check dialect as they are written."""
    if MARK.encode() not in text:
        return text
    return restored_checks(text.decode("utf-8", "surrogateescape")).encode(
        "utf-8", "surrogateescape"
    )
