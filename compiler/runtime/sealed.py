"""Files of ours that hold compiled programs: a header, a description in JSON, and the program.

A compiled program is machine code, and bytes that are not what was written end the process that
loads them. So a checksum over everything else in the file is compared before anything of it is
used.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

_MAGIC = b"\x89DXIR\r\n\x1a"  # a file that was sent as text has lost some of it
_FORMAT = 1
# The magic, the kind, the format, the sizes of description and program; then the checksum.
_HEAD = struct.Struct("<8s8sIQQ")
_DIGEST = 32
_START = _HEAD.size + _DIGEST

Description = dict[str, Any]
Chunks = tuple[bytes, ...]


class SealError(Exception):
    """Why a file cannot be used, to be read behind the file's name."""


class NotSealed(SealError):
    """It is no file of this kind."""


class OtherFormat(SealError):
    """It was written by a dxir whose files are laid out in another way."""


class Damaged(SealError):
    """It is not as it was written."""


def seal(kind: bytes, description: Mapping[str, Any], program: bytes) -> Chunks:
    """What to write into a file, in order. `kind` has 8 bytes at most."""
    text = json.dumps(description, sort_keys=True).encode()
    head = _HEAD.pack(_MAGIC, kind, _FORMAT, len(text), len(program))
    return head, _digest(head, text, program), text, program


def unseal(kind: bytes, data: bytes) -> tuple[Description, bytes]:
    """The description and the program; SealError unless every byte is as it was written."""
    size, whole = _sizes(kind, data[:_START])
    if len(data) != whole:
        raise Damaged(f"is damaged: it has {len(data)} bytes instead of {whole}")
    head, digest = data[: _HEAD.size], data[_HEAD.size : _START]
    text, program = data[_START : _START + size], data[_START + size :]
    if _digest(head, text, program) != digest:
        raise Damaged("is damaged: its checksum is another")
    return _described(text), program


def description_in(kind: bytes, path: Path) -> Description:
    """The description in a file, without reading, and so without checking, the rest."""
    with path.open("rb") as file:
        size, whole = _sizes(kind, file.read(_START))
        if os.fstat(file.fileno()).st_size != whole:
            raise Damaged("is damaged: its size is another")
        return _described(file.read(size))


def _sizes(kind: bytes, head: bytes) -> tuple[int, int]:
    """The size of the description and of the whole file, as its head says."""
    if not head.startswith(_MAGIC):
        raise NotSealed("is no file of dxir's")
    if len(head) < _START:
        raise Damaged("is damaged: it ends in its header")
    _, given, layout, text, program = _HEAD.unpack(head[: _HEAD.size])
    if given.rstrip(b"\0") != kind:
        raise NotSealed(f"is a file of another kind: {given.rstrip(bytes(1))!r}")
    if layout != _FORMAT:
        raise OtherFormat(f"has format {layout}, and this version of dxir reads {_FORMAT}")
    return text, _START + text + program


def _described(text: bytes) -> Description:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Damaged("is damaged: its description cannot be read")
    return found


def _digest(*parts: bytes) -> bytes:
    hash = sha256()
    for part in parts:
        hash.update(part)
    return hash.digest()
