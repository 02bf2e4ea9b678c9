"""What a module itself allows: by comments in its text, and by attributes."""

from __future__ import annotations

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.verify.finding import Finding
from dxir.verify.subject import Subject

ALLOW = "dxir.verify.allow"
"""The attribute of an op, a function or the module that names the rules it need not follow."""


class Allowed:
    """The findings that a module allows."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def allows(self, finding: Finding) -> bool:
        """Whether an attribute around the op of a finding, or a comment, allows it."""
        return any(finding.rule in _named(op) for op in _around(finding.at, self._subject))


def _around(op: IrOperation | None, subject: Subject) -> list[IrOperation]:
    found: list[IrOperation] = []
    while op is not None:
        found.append(op)
        parent = op.parent
        op = None if parent is None else parent.operation
    return found or [subject.module.operation]


def _named(op: IrOperation) -> tuple[str, ...]:
    found = attribute(op, ALLOW)
    if not isinstance(found, ir.ArrayAttr):
        return ()
    return tuple([str(each.value) for each in found if isinstance(each, ir.StringAttr)])
