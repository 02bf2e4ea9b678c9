"""Sharding rules as formulas: how shardings pass through an op that propagation does not know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dxir.attributes import OpShardingRule
from dxir.errors import ShardingError
from dxir.graph import Node, Value
from dxir.locations import caller_location, place_error
from dxir.types import TensorType, Type

Applied = TypeVar("Applied", Value, tuple[Value, ...])
Dim = tuple[str, ...]
Term = tuple[Dim, ...]

_REST = "..."
_WORD = re.compile(r"\.\.\.|\(|\)|[A-Za-z_][A-Za-z_0-9]*|[0-9]+|\S")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_KINDS = ("reduction", "need_replication", "permutation", "blocked_propagation")


class _ToldAtCaller:
    """Errors have the line of the user's code.

    It is no generator: contextlib would be the caller then.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ShardingError):
            place_error(error)


@dataclass(frozen=True, slots=True)
class ShardingRule:
    """How an op passes shardings on, as einsum writes it: `ShardingRule("ij,jk->ik", ...)`.

    Each operand and result names a factor a dimension, by a letter, or by words with spaces:
    `"batch in, in out -> batch out"`. Dimensions with a factor in common are sharded alike. A
    dimension of several factors is in brackets, major first: `"b(hd)->bhd"`. `...` are the leading
    dimensions. Sizes come from the types, and from `sizes` where those do not tell.

    Of a factor that no result has it must be said what becomes of it: along a `reduction` factor
    the parts of operands give terms of the result, which are added; a `need_replication` factor
    must not be split. `permutation` factors are moved along (as by a reversal), and shardings do
    not propagate along `blocked_propagation` ones.
    """

    formula: str
    reduction: tuple[str, ...] = ()
    need_replication: tuple[str, ...] = ()
    permutation: tuple[str, ...] = ()
    blocked_propagation: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()

    def __init__(
        self,
        formula: str,
        *,
        reduction: str | Iterable[str] = (),
        need_replication: str | Iterable[str] = (),
        permutation: str | Iterable[str] = (),
        blocked_propagation: str | Iterable[str] = (),
        sizes: Mapping[str, int] | Iterable[tuple[str, int]] = (),
    ) -> None:
        object.__setattr__(self, "formula", formula)
        given = (reduction, need_replication, permutation, blocked_propagation)
        pairs = sizes.items() if isinstance(sizes, Mapping) else sizes
        object.__setattr__(self, "sizes", tuple([(str(n), int(s)) for n, s in pairs]))
        with _ToldAtCaller():
            operands, results = self.terms()
            known = {name for term in (*operands, *results) for dim in term for name in dim}
            for kind, names in zip(_KINDS, given, strict=True):
                object.__setattr__(self, kind, _names(names, known))
            self._check(known, {name for term in results for dim in term for name in dim})

    @classmethod
    def of(cls, given: object) -> ShardingRule:
        """A rule, from its formula alone too."""
        if isinstance(given, ShardingRule):
            return given
        if isinstance(given, str):
            return cls(given)
        raise ShardingError(
            f"{given!r} is no sharding rule",
            where=caller_location(),
            hint='write it as dxir.ShardingRule("ij,jk->ik", reduction="j")',
        )

    def terms(self) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """What the formula says of operands and of results."""
        text: object = self.formula
        if not isinstance(text, str) or text.count("->") != 1:
            raise self.refusal("it needs one arrow", 'as in "ij,jk->ik"')
        left, right = text.split("->")
        sides = [[_term(t, self) for t in s.split(",")] if s.strip() else [] for s in (left, right)]
        return tuple(sides[0]), tuple(sides[1])

    def _check(self, known: set[str], kept: set[str]) -> None:
        said: dict[str, str] = {}
        for kind in _KINDS:
            for name in getattr(self, kind):
                if name not in known:
                    raise self.refusal(
                        f"it has no factor {name!r}, which is in {kind}",
                        f"its factors are {', '.join(sorted(known - {_REST}))}",
                    )
                if name in said:
                    raise self.refusal(f"{name!r} is in {said[name]} and in {kind}", "choose one")
                said[name] = kind
        for name in self.reduction:
            if name in kept:
                raise self.refusal(
                    f"{name!r} is in reduction, and in a result", "terms are added: it is gone then"
                )
        for name in sorted(known - kept - set(said)):
            raise self.refusal(
                f"no result has {name!r}",
                f"say reduction={name!r} where the results of parts are added, or "
                f"need_replication={name!r} where it must not be split",
            )
        for name, size in self.sizes:
            if name not in known or size < 1:
                raise self.refusal(f"sizes has {name!r}: {size}", "give sizes of its factors")

    def on(self, operands: Sequence[Type], results: Sequence[Type]) -> OpShardingRule:
        """The rule for an op of these types.

        Results beyond those of the formula are left alone, whatever they are. ShardingError where
        the types do not fit the formula.
        """
        given, made = self.terms()
        if len(given) != len(operands) or len(made) > len(results):
            raise self.refusal(
                f"it is for {len(given)} operands and {len(made)} results, and the op has "
                f"{len(operands)} and {len(results)}",
                "give each a term, separated by commas",
            )
        known = (*operands, *results[: len(made)])
        rows = [
            _spelled(term, type, self) for term, type in zip((*given, *made), known, strict=True)
        ]
        sizes = self._solved([entry for row in rows for entry in row])
        numbers = {name: i for i, name in enumerate(sizes)}
        maps = [tuple([tuple([numbers[n] for n in dim]) for dim, _ in row]) for row in rows]
        count = len(operands)
        rule = OpShardingRule(
            tuple(sizes.values()),
            tuple(maps[:count]),
            tuple(maps[count:]),
            self._numbered("reduction", numbers),
            self._numbered("need_replication", numbers),
            self._numbered("permutation", numbers),
            self._numbered("blocked_propagation", numbers),
        )
        return extended(rule, results[len(made) :])

    def apply(self, results: Applied) -> Applied:
        """The results of a custom call, through which shardings propagate by this rule from now on.

        ShardingError for results of any other op: propagation knows those, or follows a rule that
        their composite declares.
        """
        node = _producer(results)
        with _ToldAtCaller():
            if node is None or node.op != "custom_call":
                made = "a parameter" if node is None else f"the op {node.op}"
                raise self.refusal(
                    f"it is given to {made}, not to a custom call",
                    "Shardy knows the ops of StableHLO; a composite op declares a sharding_rule",
                )
            known = self.on([v.type for v in node.operands], [r.type for r in node.results])
        node.annotations = {**(node.annotations or {}), "sdy.sharding_rule": known}
        return results

    def _numbered(self, kind: str, numbers: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(sorted(i for n, i in numbers.items() if _stem(n) in getattr(self, kind)))

    def _solved(self, entries: Sequence[tuple[Dim, Any]]) -> dict[str, int]:
        """The size of each factor, in the order in which they come."""
        known = dict(self.sizes)
        order = list(dict.fromkeys([name for dim, _ in entries for name in dim]))
        changed = True
        while changed:
            changed = False
            for dim, size in entries:
                open_names = [name for name in dim if name not in known]
                if len(open_names) == 1 and isinstance(size, int):
                    rest = _product([known[n] for n in dim if n in known])
                    known[open_names[0]] = size // rest if rest else 0
                    changed = True
        for dim, size in entries:
            unknown = next((name for name in dim if name not in known), None)
            if unknown is not None:
                raise self.refusal(
                    f"the size of {unknown!r} is not told by the types",
                    f"give sizes={{{unknown!r}: ...}}",
                )
            product = _product([known[name] for name in dim])
            if product != size:
                raise self.refusal(
                    f"{' '.join(dim)} is {product}, and {size} in one of the types",
                    "dimensions with a factor in common have one size",
                )
        return {name: known[name] for name in order}

    def refusal(self, problem: str, hint: str) -> ShardingError:
        """The error for something wrong with this rule."""
        return ShardingError(f"the sharding rule {self.formula!r}: {problem}", hint=hint)


AnyRule = OpShardingRule | ShardingRule | str


def _producer(results: Value | Iterable[Value]) -> Node | None:
    value = results if isinstance(results, Value) else next(iter(results), None)
    return None if value is None else value.producer


def rule_on(given: AnyRule, operands: Sequence[Type], results: Sequence[Type]) -> OpShardingRule:
    """What a rule comes to for an op of these types."""
    if isinstance(given, OpShardingRule):
        return given
    return ShardingRule.of(given).on(operands, results)


def extended(rule: OpShardingRule, types: Sequence[Type]) -> OpShardingRule:
    """The rule of an op with more results, which are left alone, whatever they are."""
    sizes, results = list(rule.factor_sizes), list(rule.results)
    for type in types:
        shape = _shape(type)
        results.append(tuple([(len(sizes) + axis,) for axis in range(len(shape))]))
        sizes += shape
    return replace(rule, factor_sizes=tuple(sizes), results=tuple(results))


def _names(given: str | Iterable[str], known: set[str]) -> tuple[str, ...]:
    """Factors: a name, letters, words with spaces, or several of them."""
    if not isinstance(given, str):
        return tuple([str(name) for name in given])
    letters = given not in known and " " not in given and {*given} <= known
    return tuple(given) if letters else tuple(given.split())


def _term(text: str, rule: ShardingRule) -> Term:
    """The dimensions of one operand or result: letters or, where there are spaces, words."""
    words = _WORD.findall(text)
    if " " not in text.strip():
        words = [c for w in words for c in ([w] if w == _REST else w)]
    dims: list[Dim] = []
    inner: list[str] | None = None
    for word in words:
        if word == "(" and inner is None:
            inner = []
        elif word == ")" and inner is not None:
            dims.append(tuple(inner))
            inner = None
        elif word == _REST and inner is None and (_REST,) not in dims:
            dims.append((_REST,))
        elif _NAME.fullmatch(word):
            (dims.append((word,)) if inner is None else inner.append(word))
        else:
            raise rule.refusal(
                f"{word!r} in {text.strip()!r} is no factor",
                "a factor is a letter or a word, and brackets hold those of one dimension",
            )
    if inner is not None:
        raise rule.refusal(f"a bracket in {text.strip()!r} is not closed", "add the bracket")
    names = [name for dim in dims for name in dim]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise rule.refusal(f"{twice!r} is twice in {text.strip()!r}", "give each its own factor")
    return tuple(dims)


def _shape(type: Type) -> tuple[Any, ...]:
    return type.shape if isinstance(type, TensorType) else ()


def _spelled(term: Term, type: Type, rule: ShardingRule) -> list[tuple[Dim, Any]]:
    """The dimensions of a term with their sizes, those of `...` by number from the last."""
    shape = _shape(type)
    missing = len(shape) - len(term)
    if (_REST,) in term:
        at = term.index((_REST,))
        rest = tuple([(f"{_REST}{i}",) for i in range(missing, -1, -1)])
        term = (*term[:at], *rest, *term[at + 1 :])
    if len(term) != len(shape):
        raise rule.refusal(
            f"a term has {len(term)} dimensions, and {type} has {len(shape)}",
            "name a factor for each dimension",
        )
    return list(zip(term, shape, strict=True))


def _stem(name: str) -> str:
    return _REST if name.startswith(_REST) else name


def _product(numbers: Iterable[int]) -> int:
    found = 1
    for number in numbers:
        found *= number
    return found
