"""Patterns applied by MLIR's greedy driver until none fits.

    RULES = Rules()

    @RULES.rule("stablehlo.negate")
    def negate_negate(op, make):
        inner = defining(op.operands[0], "stablehlo.negate")
        return None if inner is None else inner.operands[0]

    changed = apply_rules(self, function, RULES)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dxir.errors import DxirError, PassError
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir, rewrite
from dxir.pipeline.base import Pass

Result = IrValue | Sequence[IrValue] | None
Rule = Callable[[IrOperation, "Make"], Result]
_Rule = TypeVar("_Rule", bound=Rule)


class Make:
    """Makes ops before the one that a rule looks at, at its place in the user's source."""

    __slots__ = ("location", "point")

    def __init__(self, point: ir.InsertionPoint, location: IrLocation) -> None:
        self.point, self.location = point, location

    def op(
        self,
        name: str,
        results: IrType | Sequence[IrType],
        *operands: IrValue,
        regions: int = 0,
        **attributes: IrAttribute,
    ) -> Any:
        """A new op: its only result when `results` is one type, the op itself otherwise."""
        single = isinstance(results, ir.Type)
        made = ir.Operation.create(
            name,
            results=[results] if single else list(results),
            operands=operands,
            attributes=attributes,
            regions=regions,
            ip=self.point,
            loc=self.location,
        )
        return made.results[0] if single else made


class Rules:
    """Rules by the op they start at. A rule gives the values that replace the op's, or None.

    It must make no op before it is sure to fit, and must not hold on to ops between calls.
    """

    def __init__(self, *parts: Rules) -> None:
        self.entries: list[tuple[str, Rule, int]] = [e for p in parts for e in p.entries]

    def rule(self, *roots: str, benefit: int = 1) -> Callable[[_Rule], _Rule]:
        """Declare a rule for ops of these names; those of more `benefit` are tried first."""

        def declare(rule: _Rule) -> _Rule:
            self.entries += [(root, rule, benefit) for root in roots]
            return rule

        return declare


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
    context = op.context
    made = 0
    failed: list[Exception] = []

    def wrapped(rule: Rule) -> Callable[[Any, Any], Any]:
        name = getattr(rule, "__name__", "rule")

        def run(matched: Any, rewriter: Any) -> Any:
            nonlocal made
            if failed:
                return True
            found: IrOperation = matched.operation
            try:
                result = rule(found, Make(rewriter.ip, found.location))
                if result is None:
                    return True
                values = [result] if isinstance(result, ir.Value) else list(result)
                _check(found, values, name)
                made += 1
                pass_.count(name)
                pass_.budget.spend(name)
                rewriter.replace_op(found, values)
            except Exception as error:  # raised again below: C++ must not see it
                failed.append(error)
                return True
            return None

        return run

    with context:
        patterns = rewrite.RewritePatternSet()
        for root, rule, benefit in rules.entries:
            patterns.add(root, wrapped(rule), benefit)
        config = rewrite.GreedyRewriteConfig()
        config.max_iterations = -1
        config.enable_folding = fold
        config.enable_constant_cse = fold
        try:
            rewrite.apply_patterns_and_fold_greedily(op, patterns.freeze(), config)
        except RuntimeError as error:
            if not failed:
                raise PassError(f"the patterns of {pass_.name} did not come to an end: {error}") from None
    if failed:
        raise failed[0]
    return made > 0


def _check(op: IrOperation, values: Sequence[IrValue], rule: str) -> None:
    """Refuse a replacement of another type: MLIR would end the process over it."""
    old = [r.type for r in op.results]
    new = [v.type for v in values]
    if old != new:
        raise DxirError(
            f"the rule {rule} replaces {op.name} of {', '.join(map(str, old))} "
            f"by {', '.join(map(str, new))}"
        )
