"""Reading what is to be checked; what cannot be read, or is not valid, is a finding, too."""

from __future__ import annotations

from dxir.errors import DxirError, VerificationError
from dxir.loading import load
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule, find_rule
from dxir.verify.subject import Source, Subject

UNREADABLE = "structure-parse"
INVALID = "structure-verify"


def read(source: Source, rules: tuple[Rule, ...], *, trusted: bool = False) -> Subject | Finding:
    """The module of a source, or why there is none.

    `trusted` is for a process that may be brought down: bytecode is then read in this one.
    """
    try:
        program = load(source.data, trusted=trusted, allow_elided=True)
    except DxirError as error:
        return finding_of(error, source, rules)
    return Subject(program.module, source)


def finding_of(error: DxirError, source: Source, rules: tuple[Rule, ...]) -> Finding:
    """An error of reading as a finding of the rule whose business it is."""
    own = (rule for rule in rules if rule.tells(error, source))
    rule: Rule | type[Rule] | None = next(own, None)
    if rule is None:
        rule = find_rule(INVALID if isinstance(error, VerificationError) else UNREADABLE)
        assert rule is not None
    place = Place.of(error.where, source.name)
    if place.file in ("<text>", "<bytes>"):
        place = Place(source.name, place.line, place.column)
    return Finding(rule.id, "error", error.message, place, hint=error.hint or rule.remedy)
