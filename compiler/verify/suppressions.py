"""What a module itself allows: by comments in its text, and by attributes.

`// dxir-verify: allow(ID, ID) reason` on the line of an op, or in the comment right above, is for
that line; above a function or the module, for all of it; `allow-file(ID)`, anywhere, for the file,
or for the part of it between two markers. The attribute `dxir.verify.allow = ["ID"]` is for the op
that has it and all in it, and stays with the module in bytecode and in portable artifacts. An ID
may be a pattern.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

from dxir.mlir import IrOperation, ir
from dxir.quoting import QUOTED
from dxir.reading import attribute, walk
from dxir.verify.finding import Finding, Place, Severity
from dxir.verify.rule import RULES, all_rules
from dxir.verify.subject import Source, Subject

ALLOW = "dxir.verify.allow"
"""The attribute of an op, a function or the module that names the rules it need not follow."""

UNUSED = "structure-unused-allowance"
"""The rule that tells of allowances that allow nothing."""

_MARK = "dxir-verify:"
_COMMENT = re.compile(rf"{QUOTED}|(?P<comment>//[^\n]*)")
_SAID = re.compile(rf"//+\s*{_MARK}\s*allow(?P<file>-file)?\s*\(\s*(?P<ids>[^()]*?)\s*\)")
_ID = re.compile(r"[\w*?\[\]!-]+")
_MODULE = re.compile(r'\s*(?:"builtin\.)?module\b')


@dataclass(eq=False)
class Allowance:
    """That findings of a rule, or of rules by a pattern, are allowed at some place.

    `id` is None for one that cannot be understood. `line` is that of the ops it is for, 0 where it
    is not for a line; `function` the name of the one it is for; `op` the one that has it as an
    attribute. With none of them, it is for all.
    """

    id: str | None
    place: Place
    line: int = 0
    function: str | None = None
    op: IrOperation | None = None
    used: bool = False

    def fits(self, finding: Finding, around: Collection[IrOperation]) -> bool:
        """Whether it allows a finding; `around` are the ops that its op is in, with itself."""
        if self.id is None or not fnmatchcase(finding.rule, self.id):
            return False
        if self.op is not None:
            return self.op in around
        if self.function is not None and finding.function == self.function:
            return True
        return self.line in (0, finding.place.line)


class Allowed:
    """The findings that a module allows; `subject` is None where the source is no valid module."""

    def __init__(self, source: Source, subject: Subject | None = None) -> None:
        self._subject = subject
        self._all: list[Allowance] = []
        if source.kind == "text" and _MARK.encode() in source.data:
            self._all += _in_comments(source, subject)
        if subject is not None and subject.may_say(ALLOW):
            self._all += _in_attributes(subject)

    def allows(self, finding: Finding) -> bool:
        """Whether an attribute around the op of a finding, or a comment, allows it."""
        if not self._all:
            return False
        around = _around(finding.at, self._subject)
        fitting = [each for each in self._all if each.fits(finding, around)]
        for each in fitting:
            each.used = True
        return bool(fitting)

    def in_vain(self, ran: Collection[str]) -> Iterator[InVain]:
        """What is to be said of allowances: of no rule, or of nothing that the rules `ran` find."""
        known = functools.cache(_known)
        looked_for = functools.cache(lambda id: _fitting(id, ran))
        for each in self._all:
            if each.id is None:
                yield InVain("this allowance cannot be understood", each, "warning")
            elif not known(each.id):
                message = f"there is no rule {each.id!r} to allow anything of"
                yield InVain(message, each, "warning", _meant(each.id))
            elif not each.used and each.id != UNUSED and looked_for(each.id):
                yield InVain(f"nothing here needs to be allowed of {each.id}", each)


class InVain(NamedTuple):
    """An allowance that allows nothing, and why; `hint` says what was meant, if that is known."""

    message: str
    allowance: Allowance
    severity: Severity = "note"
    hint: str | None = None


def _meant(id: str) -> str | None:
    near = difflib.get_close_matches(id, list(all_rules()), n=2)
    return f"did you mean {' or '.join(near)}?" if near else None


def _known(id: str) -> bool:
    return id in RULES or _fitting(id, all_rules())


def _fitting(pattern: str, ids: Collection[str]) -> bool:
    return any(fnmatchcase(id, pattern) for id in ids)


def _in_comments(source: Source, subject: Subject | None) -> Iterator[Allowance]:
    lines = source.lines
    functions = {} if subject is None else _functions_by_line(subject)
    text = "\n".join(lines)
    number, counted, meant = 1, 0, 0
    for match in _COMMENT.finditer(text):
        if match["comment"] is None or _MARK not in match[0]:
            continue
        number += text.count("\n", counted, match.start())
        counted = match.start()
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        place = Place(source.name, number, column + 1)
        said = _SAID.match(match[0])
        ids = [] if said is None else [each.strip() for each in said["ids"].split(",")]
        if said is None or not all(_ID.fullmatch(each) for each in ids):
            yield Allowance(None, place)
            continue
        meant = _line_meant(lines, number, meant)
        line = 0 if said["file"] else meant
        if line and _MODULE.match(lines[line - 1]):
            line = 0
        for each in ids:
            yield Allowance(each, place, line, functions.get(line))


def _line_meant(lines: list[str], number: int, above: int) -> int:
    """The line that a comment is for: its own, or the first below that is not a comment alone.

    `above` is that of the comment before it.
    """
    at = max(number, above if _is_comment(lines[number - 1]) else 0)
    while at < len(lines) and _is_comment(lines[at - 1]):
        at += 1
    return at


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("//")


def _functions_by_line(subject: Subject) -> dict[int, str]:
    return {subject.places(function)[0].line: name for name, function in subject.functions.items()}


def _in_attributes(subject: Subject) -> Iterator[Allowance]:
    found: list[tuple[IrOperation, ir.Attribute | None]] = []

    def look(op: IrOperation) -> None:
        if ALLOW in op.attributes:
            found.append((op.operation, attribute(op, ALLOW)))

    walk(subject.module, look)
    for op, value in found:
        place = subject.places(op)[0]
        for id in _texts(value) or (None,):
            yield Allowance(id, place, op=op)


def _texts(value: ir.Attribute | None) -> tuple[str, ...]:
    each = list(value) if isinstance(value, ir.ArrayAttr) else [value]
    strings = [one.value_bytes for one in each if isinstance(one, ir.StringAttr)]
    texts = tuple([text.decode("utf-8", "replace") for text in strings])
    return texts if len(texts) == len(each) else ()


def _around(op: IrOperation | None, subject: Subject | None) -> list[IrOperation]:
    found: list[IrOperation] = []
    while op is not None:
        found.append(op.operation)
        parent = op.parent
        op = None if parent is None else parent.operation
    if not found and subject is not None:
        found.append(subject.module.operation)
    return found
