"""Text of a module in which some functions were changed: theirs is written anew, all else stays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dxir.diagnostics import where_of
from dxir.mlir import IrLocation, IrOperation, ir
from dxir.quoting import QUOTED
from dxir.reading import attribute, function_name, walk
from dxir.verify.finding import Place
from dxir.verify.subject import is_own

_TOKEN = re.compile(
    rf"{QUOTED}|(?P<comment>//[^\n]*)|(?P<end>\{{-#|^\s*[#!][\w$.-]+\s*=)|[^\s\"]".encode(),
    re.MULTILINE,
)
# Names that are numbers are given anew in any case.
_RESULT = re.compile(rb"(?:\A|[^,\s])\s*%([A-Za-z$._-][\w$.-]*)(?::\d+)?\s*=\s*\Z")
_ARGUMENT = re.compile(rb"%([A-Za-z$._-][\w$.-]*)")
_LOCATION = re.compile(rb"\bloc\s*\(")
_OPEN, _CLOSE = frozenset(b"([{"), frozenset(b")]}")
_UNKNOWN_PLACE = 'loc("-":'


class NotSpliced(Exception):
    """Why the text stays as it is, to be read behind "it cannot be written: ".

    `tops` says so of each op at the top of the module that cannot be written, by name; without
    these the others can be.
    """

    def __init__(self, why: str, tops: Mapping[str, str] | None = None) -> None:
        super().__init__(why)
        self.tops = dict(tops or {})


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of an op at the top of a module: where it is, from its first to its last letter."""

    start: int
    end: int
    has_comment: bool


def pieces_of(module: ir.Module, text: bytes, places: Mapping[IrOperation, Place]) -> list[Piece]:
    """Where the ops at the top of a module are in the text it was read from, in order."""
    lines = _lines(text)
    starts: list[int] = []
    for view in module.body.operations:
        start = _offset(lines, places.get(view.operation) or _place(view.operation.location))
        if start is None:
            raise NotSpliced("it is not known where its functions are in the text")
        starts.append(start)
    ends = [*starts[1:], len(text)]
    return [_piece(text, start, end) for start, end in zip(starts, ends, strict=True)]


def _lines(text: bytes) -> list[int]:
    """Where each line starts."""
    return [0, *(found.end() for found in re.finditer(rb"\n", text))]


def _place(location: IrLocation) -> Place:
    return Place.of(where_of(location), "")


def _offset(lines: list[int], place: Place) -> int | None:
    """Where a place is in the text of these lines; None for one that is not in it."""
    if not 0 < place.line <= len(lines):
        return None
    return lines[place.line - 1] + max(place.column - 1, 0)


def _piece(text: bytes, start: int, bound: int) -> Piece:
    depth, end = 0, start
    comments: list[int] = []
    for token in _TOKEN.finditer(text, start, bound):
        if token["comment"] is not None:
            comments.append(token.start())
            continue
        if token["end"] is not None and depth == 0:
            break
        letter = token[0][0]
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if depth < 0:  # the end of the module around it
            break
        end = token.end()
    return Piece(start, end, any(at < end for at in comments))


def forms_of(module: ir.Module) -> list[tuple[str, str]]:
    """The ops at the top of a module: the name of each, and the text that all of it makes."""
    return [
        (_name(view.operation), _text(view.operation, print_generic_op_form=True))
        for view in module.body.operations
    ]


def _text(op: IrOperation, **how: bool) -> str:
    """The text of an op on its own."""
    found = op.get_asm(use_local_scope=True, **how)
    assert isinstance(found, str)
    return found


def spliced(
    text: bytes, pieces: list[Piece], before: list[tuple[str, str]], module: ir.Module
) -> bytes:
    """The text with what a changed module has instead of what it had before; NotSpliced if not.

    `before` are the forms of the ops that the pieces are the text of.
    """
    after = dict(forms_of(module))
    ops = {_name(view.operation): view.operation for view in module.body.operations}
    if set(after) - {name for name, _ in before}:
        raise NotSpliced("there are new functions, and no place for them")
    found: list[bytes] = []
    refused: dict[str, str] = {}
    lines, at = _lines(text), 0
    for piece, (name, form) in zip(pieces, before, strict=True):
        if after.get(name) == form:
            continue
        end = piece.end
        if piece.has_comment:
            refused[name] = f"the comments in @{name} would be lost"
        elif name in ops:
            try:
                found += [text[at : piece.start], _written(ops[name], text, piece, lines)]
            except NotSpliced as error:
                refused[name] = str(error)
        else:
            line = text.rfind(b"\n", 0, piece.start) + 1
            alone = not text[line : piece.start].strip()
            found.append(text[at : line if alone else piece.start])
            rest = re.compile(rb"[ \t]*\n").match(text, end)
            end = rest.end() if alone and rest is not None else end
        at = end
    if refused:
        raise NotSpliced(next(iter(refused.values())), refused)
    return b"".join([*found, text[at:]])


def top_of(op: IrOperation) -> str | None:
    """The name of the op at the top of the module that an op is, or is in; None for the module."""
    while op.parent is not None:
        around = op.parent.operation
        if around.parent is None:
            return _name(op)
        op = around
    return None


def _written(op: IrOperation, text: bytes, piece: Piece, lines: list[int]) -> bytes:
    """The op as it is to stand in the place of a piece."""
    located = _LOCATION.search(text, piece.start, piece.end) is not None
    if located:
        new = _text(op, enable_debug_info=True)
    else:
        _keep_names(op, text, lines)
        new = _text(op, use_name_loc_as_prefix=True)
    if _UNKNOWN_PLACE in new:
        raise NotSpliced(f"some ops in @{_name(op)} have a location, and others have none")
    if "{-#" in new:
        raise NotSpliced(f"constants in @{_name(op)} have their data at the end of the text")
    line = text.rfind(b"\n", 0, piece.start) + 1
    margin = re.compile(rb"[ \t]*").match(text, line)
    assert margin is not None
    end = b"\r\n" if b"\r\n" in text[piece.start : piece.end] else b"\n"
    return new.strip().encode().replace(b"\n", end + margin[0])


def _keep_names(op: IrOperation, text: bytes, lines: list[int]) -> None:
    """Give values locations with the names that they have in the text of these lines."""

    def start(location: IrLocation) -> int | None:
        place = _place(location)
        return _offset(lines, place) if is_own(place, "") else None

    def name(location: IrLocation, found: re.Match[bytes] | None) -> IrLocation:
        return location if found is None else ir.Location.name(found[1].decode(), location)

    def look(op: IrOperation) -> None:
        at = start(op.location)
        if at is not None and len(op.results) > 0:
            line = text.rfind(b"\n", 0, at) + 1
            op.operation.location = name(op.location, _RESULT.search(text[line:at]))
        for region in op.regions:
            for argument in (argument for block in region.blocks for argument in block.arguments):
                at = start(argument.location)
                if at is not None:
                    found = _ARGUMENT.match(text, at)
                    argument.set_location(name(argument.location, found))

    with op.context:
        walk(op, look)


def _name(op: IrOperation) -> str:
    return function_name(op) if attribute(op, "sym_name") is not None else f"{op.name} at the top"
