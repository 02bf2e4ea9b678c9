"""Programs that cannot be written as portable artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.rules.portability.foreign_dialect import ALWAYS
from dxir.verify.subject import Subject

# What rules of their own find.
_OF_OTHERS = re.compile(
    r"the dialect \w+ has no versioned form|^the attribute .* has no form in|has no data, the "
    r"resource"
)
_WRITTEN = ALWAYS | {"chlo", "sdy"}


class Unserializable(Rule, id="portability-unserializable", severity="error"):
    """The program cannot be written as a portable artifact, of whatever version.

    It is valid, but some op, type or attribute of it has no versioned form, or cannot be brought
    there. Artifacts are what other versions of other tools read. Attributes, other dialects and
    constants without data have rules of their own.
    """

    remedy = "write the op by others, or give it other types"
    faulty = """\
func.func @main(%x: tensor<4xi7>) -> tensor<4xi7> {
  return %x : tensor<4xi7>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        error = subject.written.error
        if error is None or _OF_OTHERS.search(error.message) or subject.calls.bodyless:
            return
        if any(name.partition(".")[0] not in _WRITTEN for name in subject.op_counts):
            return
        message = error.message.partition("\n")[0]
        yield self.found(message, subject.at(error.where), subject, hint=error.hint)
