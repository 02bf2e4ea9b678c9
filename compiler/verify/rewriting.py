"""Putting right what rules find in one file, and writing it in its own kind, in this process."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from dxir.artifact import artifact_version, serialize
from dxir.chunks import Chunk
from dxir.errors import DxirError
from dxir.mlir import bytecode_of, ir
from dxir.verify.contents import Contained, bounded_memory, parts
from dxir.verify.finding import Finding
from dxir.verify.fixed import Fixed, Left
from dxir.verify.reading import read
from dxir.verify.repairing import Repair
from dxir.verify.settings import Settings
from dxir.verify.splicing import NotSpliced, forms_of, pieces_of, spliced
from dxir.verify.stages import LOOKING, READING
from dxir.verify.subject import Source, Subject
from dxir.verify.text_places import has_locations, places_in
from dxir.whole_files import write_whole

_DIALECTS = ("chlo.", "sdy.", "shape.")


def fix_file(path: str, name: str, settings: Settings, contained: Contained) -> Fixed:
    """Put right what can be in a file, and write it anew if anything was.

    What cannot be read is an OSError, as it comes; what cannot be written is left.
    """
    target = Path(os.path.realpath(path))
    data = target.read_bytes()
    new, found = fix_data(data, name, settings, contained)
    why = None if new == data else _written_anew(target, data, new)
    if why is None:
        return found
    return Fixed(name, left=(*found.left, *(Left(each, why) for each in found.fixed)))


def _written_anew(target: Path, data: bytes, new: bytes) -> str | None:
    """Write a file that had this data; why that was not done, if it was not."""
    if not os.access(target, os.W_OK):
        return "the file cannot be written: it is read-only"
    try:
        if target.read_bytes() != data:
            return "the file was changed meanwhile"
        write_whole(target, (new,), mode=stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        return f"the file cannot be written: {error.strerror or error}"
    return None


def fix_data(
    data: bytes, name: str, settings: Settings, contained: Contained
) -> tuple[bytes, Fixed]:
    """The bytes of a file in which what can be is put right, and what that is."""
    fixed: list[Finding] = []
    left: list[Left] = []
    whole = data
    for part in reversed(parts(data, name)):
        new, put_right, not_put_right = _fix_part(part, settings, contained)
        fixed[:0], left[:0] = put_right, not_put_right
        if new is not None:
            start = _offset(data, part)
            whole = whole[:start] + new + whole[start + len(part.data) :]
    return whole, Fixed(name, tuple(fixed), tuple(left))


def _offset(data: bytes, part: Chunk) -> int:
    """Where a part starts."""
    start = 0
    for _ in range(part.line - 1):
        start = data.index(b"\n", start) + 1
    return start + part.column - 1


def _fix_part(
    part: Chunk, settings: Settings, contained: Contained
) -> tuple[bytes | None, Sequence[Finding], Sequence[Left]]:
    source = Source(part.name, part.placed)
    contained.board.begin_part()
    subject = _read(source, settings, contained)
    if subject is None:
        return None, (), ()
    withheld: dict[str, str] = {}
    while True:
        repair = Repair(subject, settings, withheld)
        fixed, left = repair.run()
        if not fixed:
            return None, (), left
        try:
            new = _proven(subject, source, repair, fixed, settings, contained)
        except (NotSpliced, DxirError) as error:
            why = f"it cannot be written: {getattr(error, 'message', str(error))}"
            if withheld or not isinstance(error, NotSpliced) or not error.tops:
                return None, (), [*left, *(Left(finding, why) for finding in fixed)]
            withheld = {top: f"it cannot be written: {why}" for top, why in error.tops.items()}
        else:
            return new[len(source.data) - len(part.data) :], fixed, left


def _proven(
    subject: Subject,
    source: Source,
    repair: Repair,
    fixed: Sequence[Finding],
    settings: Settings,
    contained: Contained,
) -> bytes:
    """The bytes of a module that was put right, once they were read again and are that module."""
    new = _written(subject, source, repair.module)
    again = _read(Source(source.name, new), settings, contained)
    if again is None:
        raise NotSpliced("what was written is no module")
    why = repair.compared(again, fixed)
    if why is not None:
        raise NotSpliced(why)
    if source.kind == "text" and forms_of(again.module) != forms_of(repair.module):
        raise NotSpliced("what was written is another module")
    return new


def _read(source: Source, settings: Settings, contained: Contained) -> Subject | None:
    contained.board.enter(READING)
    with bounded_memory(contained.memory_bytes):
        subject = read(source, settings.rules(), trusted=True)
    contained.board.enter(LOOKING)
    return subject if isinstance(subject, Subject) else None


def _written(subject: Subject, source: Source, module: ir.Module) -> bytes:
    """The module in the kind of its source; NotSpliced or a DxirError when that cannot be."""
    if source.kind == "bytecode":
        return bytecode_of(module)
    if source.kind == "artifact":
        version = artifact_version(source.data)
        assert version is not None
        mixed = b"sdy\0" in source.data or any(n.startswith(_DIALECTS) for n in subject.op_counts)
        return serialize(module, version, keep_chlo=mixed)
    places = {}
    if has_locations(source.data):
        places = places_in(subject.module, source.data, source.name)
    pieces = pieces_of(subject.module, source.data, places)
    return spliced(source.data, pieces, forms_of(subject.module), module)
