"""Reading what is to be checked; what cannot be read, or is not valid, is a finding, too."""

from __future__ import annotations

import re

from dxir.errors import DxirError, VerificationError
from dxir.loading import load
from dxir.names import check_names, may_hold_bytes
from dxir.verify.finding import Finding, Place, Related
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
        if trusted and (source.kind != "text" or may_hold_bytes(source.data)):
            check_names(program.module, source.name)
    except DxirError as error:
        return finding_of(error, source, rules)
    return Subject(program.module, source)


def finding_of(error: DxirError, source: Source, rules: tuple[Rule, ...]) -> Finding:
    """An error of reading as a finding of the rule whose business it is."""
    own = (rule for rule in rules if rule.tells(error, source))
    teller = next(own, None)
    if teller is not None:
        error = teller.reworded(error, source)
    rule: Rule | type[Rule] | None = teller
    if rule is None:
        rule = find_rule(INVALID if isinstance(error, VerificationError) else UNREADABLE)
        assert rule is not None
    place, origin = _places_of(error, source)
    message, related = _split(error.message, source)
    op = _OP.match(message)
    return Finding(
        rule.id,
        "error",
        message,
        place,
        origin,
        op=None if op is None else op[1],
        hint=error.hint or rule.remedy,
        related=related,
    )


_OP = re.compile(r"'(\w+\.[\w.$-]+)' op\b")
_ELSEWHERE = re.compile(r"  (?P<where>.*?:\d+:\d+): (?P<message>.*)")


def _split(message: str, source: Source) -> tuple[str, tuple[Related, ...]]:
    """A message without those of its lines that are about other places in the file, and these."""
    kept: list[str] = []
    related: list[Related] = []
    for line in message.split("\n"):
        elsewhere = _ELSEWHERE.fullmatch(line)
        place = None if elsewhere is None else Place.of(elsewhere["where"], source.name)
        if elsewhere is not None and place is not None and is_own(place, source.name):
            here = Place(source.name, place.line, place.column)
            related.append(Related(elsewhere["message"], here))
        else:
            kept.append(line)
    return "\n".join(kept), tuple(related)


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
