"""Patterns applied by MLIR's greedy driver until none fits.

RULES = Rules()

@RULES.rule("stablehlo.negate")
def negate_negate(op, make):
    inner = defining(op.operands[0], "stablehlo.negate")
    return None if inner is None else inner.operands[0]

changed = apply_rules(self, function, RULES)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeVar, overload

from dxir.approximations import APPROXIMATIONS, copy_records
from dxir.errors import DxirError, PassError
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir, rewrite
from dxir.pipeline.base import Pass
from dxir.reading import annotations_of, attribute, same

Result = IrValue | Sequence[IrValue] | None
Rule = Callable[[IrOperation, "Make"], Result]
_Rule = TypeVar("_Rule", bound=Rule)


class Make:
    """What a rule is given beside the op: what makes its operands, and the means to make ops.

    They are made before the op, at its place in the user's source. `memory` lasts until all rules
    are done; no op may be kept there.
    """

    __slots__ = ("_location", "_point", "_rewriter", "made", "makers", "memory", "operands", "to")

    operands: list[IrValue]
    """The operands of the op, read once for all rules."""

    makers: list[tuple[str, IrOperation | None]]
    """For each operand the op that makes it, after its name; ("", None) for an argument."""

    def __init__(
        self,
        op: IrOperation,
        operands: list[IrValue],
        makers: list[tuple[str, IrOperation | None]],
        rewriter: Any,
        memory: dict[Any, Any],
    ) -> None:
        self.to, self._rewriter, self.memory = op, rewriter, memory
        self.operands, self.makers = operands, makers
        self._point: ir.InsertionPoint | None = None
        self._location: IrLocation | None = None
        self.made: list[IrOperation] = []

    @property
    def point(self) -> ir.InsertionPoint:
        """Where ops are made."""
        if self._point is None:
            self._point = self._rewriter.ip
        assert self._point is not None
        return self._point

    @property
    def location(self) -> IrLocation:
        """The place in the user's source."""
        if self._location is None:
            self._location = self.to.location
        return self._location

    @overload
    def op(
        self, name: str, results: IrType, *operands: IrValue, **attributes: IrAttribute
    ) -> IrValue: ...
    @overload
    def op(
        self, name: str, results: Sequence[IrType], *operands: IrValue, **attributes: IrAttribute
    ) -> IrOperation: ...
    def op(
        self,
        name: str,
        results: IrType | Sequence[IrType],
        *operands: IrValue,
        **attributes: IrAttribute,
    ) -> IrValue | IrOperation:
        """A new op: its only result when `results` is one type, the op itself otherwise."""
        types = [results] if isinstance(results, ir.Type) else list(results)
        made = ir.Operation.create(
            name,
            results=types,
            operands=operands,
            attributes=attributes,
            ip=self.point,
            loc=self.location,
        )
        self.made.append(made)
        return made.results[0] if isinstance(results, ir.Type) else made


class _Entry(NamedTuple):
    root: str
    rule: Rule
    benefit: int
    over: frozenset[str]


class Rules:
    """Rules by the op they start at. A rule gives the values that replace the op's, or None.

    It must make no op before it is sure to fit, and must not hold on to ops between calls. The
    annotations of the op (its sharding, say) go to the op that the rule makes in its place; where
    what is to replace it was there before and is not annotated alike, the op stays.
    """

    def __init__(self, *parts: Rules) -> None:
        self.entries: list[_Entry] = [e for p in parts for e in p.entries]

    def rule(
        self, *roots: str, benefit: int = 1, over: Collection[str] = ()
    ) -> Callable[[_Rule], _Rule]:
        """Declare a rule for ops of these names; those of more `benefit` are tried first.

        Given `over`, it is tried only where an op of one of those names makes an operand.
        """

        def declare(rule: _Rule) -> _Rule:
            self.entries += [_Entry(root, rule, benefit, frozenset(over)) for root in roots]
            return rule

        return declare

    def by_root(self) -> dict[str, list[tuple[str, Rule, frozenset[str]]]]:
        """The rules with their names, for each op they start at, in the order they are tried.

        One callback from C++ then serves them all: it costs more than a rule that does not fit.
        """
        found: dict[str, list[tuple[str, Rule, frozenset[str]]]] = {}
        for entry in sorted(self.entries, key=lambda entry: -entry.benefit):
            name = getattr(entry.rule, "__name__", "rule")
            found.setdefault(entry.root, []).append((name, entry.rule, entry.over))
        return found


def _maker(value: IrValue) -> tuple[str, IrOperation | None]:
    if isinstance(value, ir.BlockArgument):
        return "", None
    owner: Any = value.owner  # of no other value it is a block
    op: IrOperation = owner.operation
    return op.name, op


def defining(value: IrValue, name: str) -> IrOperation | None:
    """The op of that name whose result the value is; None when it is anything else."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    return op if op.name == name else None


def apply_rules(pass_: Pass, op: IrOperation, rules: Rules, *, fold: bool = True) -> bool:
    """Apply the rules below an op isolated from above (a function) until none fits.

    `fold` has MLIR fold ops and share constants on the way; ops without effects that nobody uses
    go in any case. Counts each rewrite, spends the pass's budget, and says whether any was made
    (MLIR's own folds not counted).
    """
    run = _Run(pass_)
    with op.context:
        patterns = rewrite.RewritePatternSet()
        for root, entries in rules.by_root().items():
            patterns.add(root, run.callback(entries))
        config = rewrite.GreedyRewriteConfig()
        config.max_iterations = -1
        config.use_top_down_traversal = True  # as `canonicalize` does: fewer rounds
        config.enable_folding = fold
        config.enable_constant_cse = fold
        try:
            rewrite.apply_patterns_and_fold_greedily(op, patterns.freeze(), config)
        except RuntimeError as error:
            if run.failure is None:
                raise PassError(
                    f"the patterns of {pass_.name} did not come to an end: {error}"
                ) from None
    if run.failure is not None:
        raise run.failure
    return run.made > 0


class _Run:
    """One application of rules: what it made, and what was raised on the way."""

    def __init__(self, pass_: Pass) -> None:
        self._pass = pass_
        self._memory: dict[Any, Any] = {}
        self.made = 0
        self.failure: Exception | None = None

    def callback(
        self, entries: Sequence[tuple[str, Rule, frozenset[str]]]
    ) -> Callable[[Any, Any], Any]:
        """What MLIR calls for each op of a name; True says that no rule fits."""

        def run(matched: Any, rewriter: Any) -> Any:
            if self.failure is not None:
                return True
            try:
                return None if self._rewritten(matched.operation, rewriter, entries) else True
            except Exception as error:  # noqa: BLE001  raised again later: C++ must not see it
                self.failure = error
                return True

        return run

    def _rewritten(
        self, op: IrOperation, rewriter: Any, entries: Sequence[tuple[str, Rule, frozenset[str]]]
    ) -> bool:
        operands = list(op.operands)
        makers = [_maker(value) for value in operands]
        names = {name for name, _ in makers}
        make: Make | None = None
        for name, rule, over in entries:
            if over and over.isdisjoint(names):
                continue
            if make is None:
                make = Make(op, operands, makers, rewriter, self._memory)
            result = rule(op, make)
            values = None if result is None else _replacement(result, make, name)
            if values is not None:
                self.made += 1
                self._pass.count(name)
                self._pass.budget.spend(name)
                rewriter.replace_op(op, values)
                return True
            # Left there, what a rule made for nothing has the driver go round for ever.
            while make.made:
                rewriter.erase_op(make.made.pop())
        return False


def _replacement(
    result: IrValue | Sequence[IrValue], make: Make, rule: str
) -> list[IrValue] | None:
    """The values that replace the op's; None when its annotations would be lost."""
    values = [result] if isinstance(result, ir.Value) else list(result)
    _check(make.to, values, rule)
    return values if _keep_annotations(make.to, values, make.made) else None


def _keep_annotations(
    op: IrOperation, values: Sequence[IrValue], made: Sequence[IrOperation]
) -> bool:
    """Say of what replaces the op what was said of the op; False when that cannot be done."""
    said = annotations_of(op) if len(op.attributes) else {}
    for value in values if said else ():
        if isinstance(value.owner, ir.Block):
            return False
        maker = value.owner.operation
        if len(maker.results) != len(values):
            return False
        for name, wanted in said.items():
            if name == APPROXIMATIONS and maker in made:
                copy_records((op,), maker)
            elif wanted is not None and maker in made and name not in maker.attributes:
                maker.attributes[name] = wanted
            elif not same(attribute(maker, name), wanted):
                return False
    return True


def _check(op: IrOperation, values: Sequence[IrValue], rule: str) -> None:
    """Refuse a replacement of another type: MLIR would end the process over it."""
    old = [r.type for r in op.results]
    new = [v.type for v in values]
    if old != new:
        raise DxirError(
            f"the rule {rule} replaces {op.name} of {', '.join(map(str, old))} "
            f"by {', '.join(map(str, new))}"
        )
