"""A rule of recognition: what to find, when it counts, and what to call it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dxir.diagnostics import where_of
from dxir.errors import DxirError, PassError
from dxir.mlir import IrValue, ir
from dxir.pattern.access import Access, Digits, dims_reading
from dxir.pattern.forms import Either, Pattern, Var
from dxir.pattern.matcher import Matcher
from dxir.pattern.view import Maker, View

Attributes = Mapping[str, object]
"""What a composite says of itself: numbers, texts, lists and dictionaries of them by name."""


class Match:
    """A pattern found: its names with the values, axes and numbers that they stand for."""

    def __init__(self, rule: Rule, matcher: Matcher, root: Maker) -> None:
        self.rule, self.root = rule, root
        self._m = matcher

    @property
    def view(self) -> View:
        """What is known of the module."""
        return self._m.view

    def has(self, name: str) -> bool:
        """Whether the name stands for a value."""
        return name in self._m.names

    def value(self, name: str) -> IrValue:
        """The value that a name stands for."""
        return self._bound(name)[0]

    def access(self, name: str) -> Access:
        """How the value of a name is read from the frame."""
        return self._bound(name)[1]

    def shape(self, name: str) -> list[int]:
        """The sizes of the value of a name."""
        found = self._m.view.shape(self.value(name))
        return [] if found is None else found

    def is_given(self, name: str) -> bool:
        """Whether the value of a name is an argument or a constant: nothing computes it."""
        maker = self._m.view.maker(self.value(name))
        return maker is None or maker.name == "stablehlo.constant"

    def element(self, name: str) -> str:
        """The element type of the value of a name, as MLIR writes it."""
        type = self.value(name).type
        return str(type.element_type) if isinstance(type, ir.RankedTensorType) else str(type)

    @property
    def result(self) -> Access:
        """How the result of the root is read: by a variable of its own for each dimension."""
        digits = iter(range(len(self.result_shape)))
        return tuple(
            [() if size == 1 else ((next(digits), 1, size),) for size in self.result_shape]
        )

    @property
    def root_element(self) -> ir.Type | None:
        """The element type of the result."""
        type = self.root.key.type
        return type.element_type if isinstance(type, ir.RankedTensorType) else None

    @property
    def result_shape(self) -> list[int]:
        """The sizes of the result."""
        return self._m.view.shape(self.root.key) or []

    def has_axis(self, name: str) -> bool:
        """Whether the match has an axis of that name."""
        return name in self._m.axes

    def axis(self, name: str) -> Digits:
        """The digits that an axis of the pattern is."""
        return self._m.axes[name]

    def size(self, axis: str) -> int:
        """The number of elements along an axis."""
        return math.prod(size for _, _, size in self._m.axes[axis])

    def dims(self, name: str, axis: str) -> tuple[int, ...] | None:
        """The dimensions of the value of a name that an axis is, sorted; None where it is none."""
        return dims_reading(self.access(name), self.axis(axis))

    def part(self, name: str) -> IrValue | None:
        """The value of a `Named` part, below its layout; None where the match has no such part."""
        found = self._m.named.get(name)
        return None if found is None else found.value

    def number(self, name: str) -> float | None:
        """The constant of that name; None where another alternative was found."""
        return self._m.numbers.get(name)

    def text(self, name: str) -> str:
        """The label of the alternative that was found; empty without one."""
        return self._m.texts.get(name, "")

    def _bound(self, name: str) -> tuple[IrValue, Access]:
        found = self._m.bound(name, spread=name in self.rule.spread)
        if found is None:
            raise DxirError(f"the pattern {self.rule.name} has no value {name!r} here")
        return found


@dataclass(frozen=True, eq=False)
class Rule:
    """What `dxir-recognize` finds by a name, and the composite that `dxir-coarsen` makes of it.

    Of the patterns in `find`, or the one that it is, the first that fits counts. `where` gives the
    reason why a match does not count, or None. The composite takes the values of `operands`, those
    that there are, and `attributes` of it; its name is `dxir.` and the rule's unless given. Values
    inside that others use become results of the composite, unless `export` is false, or names
    others (`Named` parts of the pattern): then there is no match.
    """

    name: str
    find: Pattern | Sequence[Pattern]
    operands: tuple[str, ...]
    attributes: Callable[[Match], Attributes] = lambda _: {}
    where: Callable[[Match], str | None] = lambda _: None
    composite: str = ""
    export: bool | tuple[str, ...] = True
    searches: tuple[Search, ...] = field(init=False)
    spread: frozenset[str] = field(init=False)
    least: int = field(init=False)
    """How many ops have to fit for a near miss to be worth a word."""

    def __post_init__(self) -> None:
        if not self.composite:
            object.__setattr__(self, "composite", f"dxir.{self.name}")
        find = (self.find,) if isinstance(self.find, Pattern) else tuple(self.find)
        self._check_kinds(find)
        object.__setattr__(self, "find", find)
        object.__setattr__(self, "searches", tuple([self._search(p) for p in find]))
        self._check_operands()
        object.__setattr__(self, "spread", _spread_names(self.parts()))
        sizes = [len(_fewest(pattern, {})) for pattern in find]
        object.__setattr__(self, "least", max(3, min(sizes) // 2))

    def parts(self) -> list[Pattern]:
        """All patterns that it is made of, each once."""
        return _walk([search.pattern for search in self.searches])

    def reason(self, match: Match) -> str | None:
        """What `where` says against a match, or None."""
        found = self._asked("where", self.where, match)
        if found is None or isinstance(found, str):
            return found
        raise self._wrong(
            "where", f"gave {found!r}, not a reason or None", match,
            "give None for a match that counts, and for others why they do not",
        )  # fmt: skip

    def described(self, match: Match) -> Attributes:
        """What `attributes` says of a match."""
        found = self._asked("attributes", self.attributes, match)
        if not isinstance(found, Mapping):
            raise self._wrong(
                "attributes", f"gave {found!r}, not a dictionary", match, "give values by name"
            )
        for key, value in found.items():
            if value is None:
                raise self._wrong(
                    "attributes", f"gave None for {key!r}", match,
                    "leave out what this match does not have",
                )  # fmt: skip
        return found

    def _asked(self, what: str, function: Callable[[Match], object], match: Match) -> object:
        try:
            return function(match)
        except DxirError as error:
            raise self._wrong(what, f"raised: {error.message}", match, error.hint) from error
        except Exception as error:
            said = f"raised {type(error).__name__}: {error}"
            raise self._wrong(what, said, match) from error

    def _wrong(self, what: str, problem: str, match: Match, hint: str | None = None) -> PassError:
        return PassError(
            f"the rule {self.name}: its {what} {problem}",
            where=where_of(match.root.op.location),
            hint=hint or f"correct {what} of the rule",
        )

    def _check_kinds(self, find: tuple[object, ...]) -> None:
        wrong = next((one for one in find if not isinstance(one, Pattern)), None)
        if not find or wrong is not None:
            what = f"has {wrong!r} to find" if find else "has nothing to find"
            raise DxirError(
                f"the rule {self.name} {what}",
                hint="find holds patterns: Elementwise, Product, Total, ...",
            )

    def _check_operands(self) -> None:
        """Refuse operands that no match has, and values that a composite would not be given."""
        bound = frozenset[str]().union(*(part.binds for part in self.parts()))
        unbound = [repr(name) for name in self.operands if name not in bound]
        if unbound:
            raise DxirError(
                f"the rule {self.name} has {_listed(unbound)} in operands, "
                "which find does not bind",
                hint=f"find binds {_listed(map(repr, sorted(bound))) or 'no name'}; a Pattern of "
                "your own says in `binds` which names it does",
            )
        left = [repr(name) for name in sorted(bound.difference(self.operands))]
        if left:
            raise DxirError(
                f"the rule {self.name} binds {_listed(left)} in find, but not in operands",
                hint="a composite is given all values that its match takes: add the name",
            )

    def _search(self, pattern: Pattern) -> Search:
        if not pattern.seed():
            raise DxirError(
                f"the pattern {self.name} may consist of no op at all",
                hint="every alternative needs an op: a value or a number alone is met everywhere",
            )
        return Search(pattern)


@dataclass(frozen=True, eq=False)
class Search:
    """One pattern of a rule."""

    pattern: Pattern


def _listed(names: Iterable[str]) -> str:
    return " and ".join(names)


def _walk(patterns: Iterable[Pattern]) -> list[Pattern]:
    found: dict[int, Pattern] = {}
    pending = list(patterns)
    while pending:
        pattern = pending.pop()
        if id(pattern) not in found:
            found[id(pattern)] = pattern
            pending += pattern.within()
    return list(found.values())


def _fewest(pattern: Pattern, known: dict[Pattern, frozenset[Pattern]]) -> frozenset[Pattern]:
    """The parts, each an op or more, that a match of a pattern has at least, or about that."""
    found = known.get(pattern)
    if found is None:
        inner = [_fewest(part, known) for part in pattern.within()]
        own = frozenset((pattern,) if pattern.names else ())
        is_choice = isinstance(pattern, Either) and bool(inner)
        found = known[pattern] = min(inner, key=len) if is_choice else own.union(*inner)
    return found


def _spread_names(parts: Iterable[Pattern]) -> frozenset[str]:
    return frozenset(p.name for p in parts if isinstance(p, Var) and p.spread)
