"""Find what a program means in the ops that it is spelled in, and mark them.

Each op of a match says of which pattern (`dxir.pattern`) and of which match (`dxir.match_id`) it is
part; the last one says what composite the match stands for (`dxir.match`). `dxir-coarsen` makes
these composites; marks can be removed before, or set by hand. Nothing else changes.

A pattern is found in any layout, order of operands and association, through broadcasts, reshapes,
transposes and conversions between floats, and through calls and composites: an attention is found
around a `dxir.softmax` as around the ops of one. Where matches overlap, the largest stays; ops that
are marked already stay as they are marked, and what is all that a composite does is that composite.
With `nested` the matches that are parts of such a composite are marked in it, as the softmax is of
an attention: one level more each time that `dxir-recognize{nested=true},dxir-coarsen` is run. With
`near-misses` a remark tells for each op where a pattern nearly fits why it does not, and of ops
that take sizes at run time, which no pattern is found through.
"""

from __future__ import annotations

from dxir.codecs import encode_any
from dxir.marks import MATCH, MATCH_ID, MATCH_OPERANDS, PATTERN, marked
from dxir.mlir import IrAttribute, IrOperation, IrValue, TypeCache, ir
from dxir.pattern.found import Found, NearMiss, is_whole
from dxir.pattern.registry import rules_of
from dxir.pattern.rule import Rule
from dxir.pattern.search import Index, choose, search
from dxir.pattern.view import View
from dxir.pipeline.base import Pass, option
from dxir.reading import function_name, has_body, ops_below, symbol
from dxir.wording import counted

_OF_SIZES = frozenset({"stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape"})


class Recognize(Pass, name="dxir-recognize"):
    """Mark ops that together are a softmax, an attention, a norm and the like."""

    patterns: tuple[str, ...] = option("the patterns to look for; all unless given", default=())
    without: tuple[str, ...] = option("patterns not to look for", default=())
    nested: bool = option(
        "also look inside composites that are one match as a whole", default=False
    )
    near_misses: bool = option(
        "say where a pattern nearly fits, and why it does not", default=False
    )

    def run(self, module: ir.Module) -> bool:
        return bool(recognize(self, module, rules_of(self.patterns, self.without)))


def recognize(pass_: Recognize, module: ir.Module, rules: list[Rule]) -> int:
    """Mark all matches of the rules in a module; how many there are."""
    view = View(module)
    index = Index(view)
    composites = ops_below(module.operation, ("stablehlo.composite",))
    decompositions = {symbol(op, "decomposition") for op in composites}
    marking = _Marking(module)
    for name, function in view.functions.items():
        if not has_body(function):
            continue
        found = [f for f in search(view, index, function, rules) if not _is_marked(f)]
        misses: list[NearMiss] = []
        if pass_.near_misses:
            search(view, index, function, rules, misses)
            _tell_sizes(pass_, function)
        whole: list[Found] = []
        if name in decompositions:
            whole = [f for f in found if is_whole(view, function, f)]
        if pass_.nested and whole:
            found, whole = [f for f in found if f not in whole], []
        chosen = choose(found)
        for one in chosen:
            if one not in whole:
                marking.mark(one)
                pass_.count(one.rule.name)
        if misses:
            _tell(pass_, misses, chosen)
    return marking.count


def _is_marked(found: Found) -> bool:
    return any(MATCH_ID in maker.op.attributes for maker in found.ops)


def _tell(pass_: Recognize, misses: list[NearMiss], chosen: list[Found]) -> None:
    """Tell why the nearest variant of each pattern does not fit; the plainest stands last."""
    inside = {maker.key for one in chosen for maker in one.ops}
    nearest: dict[tuple[IrValue, str], NearMiss] = {}
    for miss in misses:
        known = nearest.setdefault((miss.root.key, miss.rule.name), miss)
        if miss.matched >= known.matched:
            nearest[miss.root.key, miss.rule.name] = miss
    for miss in nearest.values():
        if miss.root.key not in inside:
            pass_.remark(f"nearly {miss.rule.name}: {miss.reason}", miss.root.op, code="NEAR_MISS")


def _tell_sizes(pass_: Recognize, function: IrOperation) -> None:
    """Tell of broadcasts and reshapes to sizes of run time, which no pattern is found through."""
    ops = ops_below(function, _OF_SIZES)
    if ops:
        pass_.remark(
            f"{counted(len(ops), 'op')} of @{function_name(function)} take sizes at run time, and "
            "no pattern is found through them: dxir-specialize before makes the sizes known",
            ops[0],
            code="NEAR_MISS",
        )


class _Marking:
    """The marks of a module; what says the same is made once."""

    def __init__(self, module: ir.Module) -> None:
        self.count = 0
        self._context = module.context
        self._types = TypeCache.of(module.context)
        self._integer = ir.IntegerType.get_signless(64, module.context)
        self._names: dict[str, IrAttribute] = {}
        self._lists: dict[tuple[int, ...], IrAttribute] = {}
        self._next = max(marked(module, MATCH_ID), default=-1) + 1

    def mark(self, found: Found) -> None:
        """Mark the ops of one match."""
        number = ir.IntegerAttr.get(self._integer, self._next)
        self._next += 1
        self.count += 1
        name = self._names.get(found.rule.name)
        if name is None:
            name = ir.StringAttr.get(found.rule.name, self._context)
            self._names[found.rule.name] = name
        places = {value: i for i, value in enumerate(dict.fromkeys(found.operands))}
        for maker in found.ops:
            attributes = maker.op.attributes
            attributes[PATTERN], attributes[MATCH_ID] = name, number
            attributes[MATCH_OPERANDS] = self._list(
                tuple([places.get(value, -1) for value in maker.operands])
            )
        what: dict[str, object] = {
            "composite": found.rule.composite,
            "attributes": dict(found.attributes),
            "ops": len(found.ops),
        }
        if found.places is not None:
            what["operands"] = found.places
        found.ops[-1].op.attributes[MATCH] = encode_any(what, self._types)

    def _list(self, numbers: tuple[int, ...]) -> IrAttribute:
        known = self._lists.get(numbers)
        if known is None:
            known = self._lists[numbers] = ir.DenseI64ArrayAttr.get(list(numbers), self._context)
        return known
