"""A long formula as one part of a pattern: the ops of a function, each with its operands in order.

What compilers write out for a function that hardware lacks, as polynomials of the error function,
has a hundred ops and one order. It is compared op by op, with nothing to try.
"""

from __future__ import annotations

from dxir.mlir import IrAttribute, IrValue
from dxir.pattern.expansion import Formula, Part
from dxir.pattern.forms import How, Pattern, close, made_by, spoken
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.seeds import Seeds
from dxir.pattern.view import Maker, Scope, Seen, View
from dxir.reading import attribute, attribute_text

_LOOKED_AT = 4  # levels of ops whose names are compared before an attempt is made


class Spelled(Pattern):
    """The result of a formula of one value, which is the `part`."""

    def __init__(self, formula: Formula, part: Pattern) -> None:
        self.formula, self.part = formula, part
        self.names = frozenset((formula.root.name,))

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def seeds(self) -> Seeds | None:
        return dict.fromkeys(self.names, 0)

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        return _looks_like(view, value, scope, self.formula.root, _LOOKED_AT)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        values = self._values(m, seen)
        if values is None:
            return False

        def rest(i: int) -> bool:
            return (
                then() if i == len(values) else m.match(self.part, values[i], lambda: rest(i + 1))
            )

        return rest(0)

    def _values(self, m: Matcher, seen: Seen) -> list[Seen] | None:
        """What stands where the formula has its value, each once; None when another op is met."""
        found: dict[object, Seen] = {}
        met: set[object] = set()
        pending = [(self.formula.root, seen)]
        while pending:
            part, at = pending.pop()
            if part.kind == "value":
                found.setdefault((at.value, at.access, at.scope), at)
            elif part.kind == "number":
                number = m.number(at)
                if number is None or not close(number, self.formula.numbers[part.number], at):
                    m.miss("a number is another one than in the formula")
                    return None
            else:
                inner = self._operands(m, part, at)
                if inner is None:
                    return None
                key = (part.number, *inner[0][:3])
                if key not in met:
                    met.add(key)
                    pending += zip(part.parts, inner[1], strict=True)
        return list(found.values())

    def _operands(self, m: Matcher, part: Part, seen: Seen) -> tuple[Seen, list[Seen]] | None:
        found = m.cores(seen, frozenset((part.name,)))
        if found is None:
            m.miss(
                lambda: f"{spoken(frozenset((part.name,)))} should stand where {made_by(m, seen)}"
            )
            return None
        core, maker = found
        if len(maker.operands) != len(part.parts) or not _says_the_same(part, maker):
            m.miss(f"{maker.name} has other attributes than in the formula")
            return None
        return core, [m.operand(core, maker, i) for i in range(len(part.parts))]


def _says_the_same(part: Part, maker: Maker) -> bool:
    return all(
        _text(value) == _text(attribute(maker.op, name)) for name, value in part.attributes.items()
    )


def _text(found: IrAttribute | None) -> str:
    return "" if found is None else attribute_text(found)


def _looks_like(view: View, value: IrValue, scope: Scope | None, part: Part, levels: int) -> bool:
    """Whether the names of the ops on the first levels are those of the formula."""
    if part.kind != "op" or not levels:
        return True
    made = next((one for one in view.levels(value, scope) if one[0].name == part.name), None)
    if made is None or len(made[0].operands) != len(part.parts):
        return False
    return all(
        _looks_like(view, operand, made[1], inner, levels - 1)
        for operand, inner in zip(made[0].operands, part.parts, strict=True)
    )
