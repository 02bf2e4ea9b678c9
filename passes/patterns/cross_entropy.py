"""Cross entropy of logits: `-sum(labels * log_softmax(logits))` along one axis.

    weights      labels of the shape of the logits: one-hot, smoothed, whatever their sum
    integers     labels that pick: `one_hot(labels)` in the formula above, `log_softmax(x)[labels]`
                 by a gather, or `logsumexp(x) - x[labels]`
    reduction    none, or the sum or mean over all the other axes, in one go or after
    ignored      rows whose label is `ignore_index` count as 0, and not for the mean

`form` says how the logarithm is spelled (see `log_softmax`; "logsumexp" for the difference), and
`negated` is false where the sum is taken as it is, without a minus. For integers, `out_of_range`
says what a label outside gives: "zero" as dxir's own op has it, "clamped", "nan", or "filled" with
`fill`; with `wraps` negative ones count from the end first. Labels read otherwise than the logits,
a mean over another number of rows, and sums over some of the other axes are left alone.
"""

from __future__ import annotations

import math

from dxir.passes.patterns.blocks import compare, floats, select
from dxir.passes.patterns.embedding import picked, picked_attributes
from dxir.passes.patterns.log_softmax import any_log_softmax
from dxir.passes.patterns.logsumexp import logsumexp
from dxir.passes.patterns.softmax import axis_of
from dxir.pattern import (
    Count,
    Either,
    Match,
    Matcher,
    Minus,
    Number,
    Over,
    Pattern,
    Product,
    Reduce,
    Rule,
    Total,
    Var,
)
from dxir.pattern.picking import Converted, Iota, is_integer, is_truth

_ZERO = Number(0.0)
_LOGITS, _WEIGHTS, _LABELS = Var("logits"), Var("labels"), Var("labels", spread=True)
_SIGNS = ("logs", "inner", "outer", "whole")


class _Rows(Count):
    """The number of losses that a sum over all axes is of."""

    def wanted(self, m: Matcher) -> float | None:
        of_all, of_axis = (m.axes.get(name) for name in (self.axis, "axis"))
        if of_all is None or of_axis is None:
            return math.nan
        return math.prod(digit[2] for digit in of_all if digit not in of_axis)


def _signed(pattern: Pattern, name: str) -> Pattern:
    """A value or its negative; the label of that name is "-" for the latter."""
    minus = Either(Minus(pattern), Product(pattern, Number(-1.0)))
    return Either(minus, pattern, name=name, labels=("-", ""))


_LOGS = _signed(any_log_softmax(_LOGITS, "axis"), "logs")


def _reduced(parts: Pattern) -> tuple[Pattern, ...]:
    """The losses that are the sums of the parts along the axis: their mean, their sum, or they."""
    inner = _signed(parts, "inner")
    rows = Reduce("add", inner, "axis")
    whole = _signed(Reduce("add", inner, "all"), "outer")
    return (*_over_rows(rows), *_over_all(whole), _none(rows))


def _over_rows(rows: Pattern) -> tuple[Pattern, ...]:
    """The mean and the sum of losses."""
    total = Reduce("add", _signed(rows, "outer"), "rows")
    return _mean(total, Count("rows")), _sum(total)


def _over_all(total: Pattern) -> tuple[Pattern, ...]:
    """The mean and the sum of losses that are summed in one go."""
    return _mean(total, _Rows("all")), _sum(total)


def _mean(total: Pattern, count: Pattern) -> Pattern:
    return _called(_signed(Product(total, Over(count)), "whole"), "mean")


def _sum(total: Pattern) -> Pattern:
    return _called(_signed(total, "whole"), "sum")


def _none(rows: Pattern) -> Pattern:
    return _called(_signed(rows, "outer"), "none")


def _called(pattern: Pattern, reduction: str) -> Pattern:
    return Either(pattern, name="reduction", labels=(reduction,))


def _weighted() -> tuple[Pattern, ...]:
    product = Product(_WEIGHTS, _LOGS)
    # dxir's own op has 0 for a weight of 0, also where the logarithm is -inf.
    used = select(compare("EQ", _WEIGHTS, _ZERO), _ZERO, product)
    return _reduced(Either(product, used))


def _one_hot() -> tuple[Pattern, ...]:
    hit = compare("EQ", _LABELS, Iota("axis"))
    parts = Either(Product(Converted(hit, is_truth), _LOGS), select(hit, _LOGS, _ZERO))
    return _reduced(Either(parts, name="beyond", labels=("zero",)))


def _difference() -> Pattern:
    """The difference of the logarithm of the sum and the logit at the label."""
    whole = Total(logsumexp(_LOGITS, "axis"), Minus(picked(_LOGITS, _LABELS, "axis")))
    return Either(whole, name="log_softmax", labels=("logsumexp",))


def _gathered() -> tuple[Pattern, ...]:
    rows = Either(picked(_LOGS, _LABELS, "axis"), _difference())
    return (*_over_rows(rows), _none(rows))


def _ignoring() -> tuple[Pattern, ...]:
    """Losses by a gather, but for rows of one label, as PyTorch has it."""
    counts = compare("NE", _LABELS, Number(name="ignore_index"))
    loss = picked(_LOGS, select(counts, _LABELS, _ZERO), "axis")
    rows = select(counts, _signed(loss, "inner"), _ZERO)
    total = Reduce("add", rows, "rows")
    number = Reduce("add", Converted(counts, is_truth), "rows")
    mean = _mean(total, Either(Converted(number, is_integer), number))
    return mean, _sum(total), _none(rows)


def _where(match: Match) -> str | None:
    axis = axis_of(match, "logits")
    if axis is None:
        return f"its softmax is along {match.dims('logits', 'axis') or 'no axis'} of the logits"
    access, shape = match.access("logits"), match.shape("logits")
    kept = [d for d in range(len(shape)) if d != axis]
    if match.text("reduction") == "none":
        if match.result not in (_without(access, axis), _without(access, axis, ())):
            return "its result is laid out otherwise than the logits without the axis"
        if match.result_shape not in (
            [shape[d] for d in kept], [1 if d == axis else s for d, s in enumerate(shape)]
        ):  # fmt: skip
            return "its result is of another shape than the logits without the axis"
    elif match.result_shape or not _sums_all(match):
        return f"its {match.text('reduction')} is over some of the axes of the logits only"
    return floats(match, "logits")


def _without(access: tuple[object, ...], axis: int, *instead: object) -> tuple[object, ...]:
    return (*access[:axis], *instead, *access[axis + 1 :])


def _sums_all(match: Match) -> bool:
    summed = {d for n in ("axis", "rows", "all") if match.has_axis(n) for d in match.axis(n)}
    return summed == {d for part in match.access("logits") for d in part}


def _weights_fit(match: Match) -> str | None:
    if match.access("labels") != match.access("logits"):
        return "its labels are read otherwise than the logits"
    if match.shape("labels") != match.shape("logits"):
        return "its labels are of another shape than the logits"
    return _where(match) or floats(match, "labels")


def _labels_fit(match: Match) -> str | None:
    reason, axis = _where(match), axis_of(match, "logits")
    if reason is not None or axis is None:
        return reason
    if not is_integer(match.element("labels")):
        return f"its labels are of {match.element('labels')}, not of integers"
    if match.access("labels") != _without(match.access("logits"), axis):
        return "its labels are read otherwise than the logits without the axis"
    shape = match.shape("logits")
    if match.shape("labels") != [*shape[:axis], *shape[axis + 1 :]]:
        return "its labels are of another shape than the logits without the axis"
    return None


def _attributes(match: Match) -> dict[str, object]:
    form = match.text("log_softmax")
    minus = sum(match.text(name) == "-" for name in _SIGNS) + (form == "logsumexp")
    found: dict[str, object] = {
        "axis": axis_of(match, "logits"),
        "reduction": match.text("reduction"),
        "negated": minus % 2 == 1,
        "form": form,
    }
    if match.text("reduction") == "none" and len(match.result_shape) == len(match.shape("logits")):
        found["keepdims"] = True
    return found


def _label_attributes(match: Match) -> dict[str, object]:
    found = {**_attributes(match), **picked_attributes(match)}
    ignored = match.number("ignore_index")
    if ignored is not None:
        found["ignore_index"] = int(ignored)
    return found


RULES = (
    Rule(
        "cross_entropy",
        (Either(*_ignoring(), *_one_hot(), *_gathered()),),
        operands=("logits", "labels"),
        where=_labels_fit,
        attributes=_label_attributes,
    ),
    Rule(
        "cross_entropy",
        (Either(*_weighted()),),
        operands=("logits", "labels"),
        where=_weights_fit,
        attributes=_attributes,
    ),
)
