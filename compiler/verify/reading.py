"""Reading what is to be checked; what cannot be read, or is not valid, is a finding, too."""

from __future__ import annotations

from dxir.errors import DxirError, VerificationError
from dxir.loading import load
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule, find_rule
from dxir.verify.subject import Source, Subject, is_own
from dxir.verify.text_places import without_locations

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
    place, origin = _places_of(error, source)
    hint = error.hint or rule.remedy
    return Finding(rule.id, "error", error.message, place, origin, hint=hint)


def _places_of(error: DxirError, source: Source) -> tuple[Place, Place | None]:
    """Where in the file an error is, and the other place that the location there names, if any."""
    place = Place.of(error.where, source.name)
    if is_own(place, source.name):
        return Place(source.name, place.line, place.column), None
    here = Place(source.name)
    if source.kind == "text" and isinstance(error, VerificationError):
        try:
            load(without_locations(source.data), trusted=True, allow_elided=True)
        except DxirError as same:
            found = Place.of(same.where, source.name)
            if is_own(found, source.name):
                here = Place(source.name, found.line, found.column)
    return here, place
