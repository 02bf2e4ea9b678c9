"""Embedding: the rows of a table that indices name.

    gather       of rows, as it is (indices outside are clamped), or with another value, mostly
                 NaN, where the index is out of bounds; negative indices may count from the end
    one_hot      `one_hot(ids) @ table`, which gives zeros for indices outside: `form = "one_hot"`
    padding      zeros where the index is `padding_index`

The composite says by `out_of_range` what indices outside give: "clamped" as dxir's own op has it,
"zero", "nan", or "filled" with `fill`; with `wraps` negative ones count from the end first. Gathers
of parts of rows, of columns, along several axes at once, and of integers are left alone.
"""

from __future__ import annotations

import math

from dxir.passes.patterns.blocks import compare, floats, select
from dxir.pattern import Contract, Either, Match, Number, Pattern, Rule, Var
from dxir.pattern.picking import (
    Converted,
    Filled,
    Iota,
    Squeezed,
    Taken,
    is_integer,
    is_truth,
    wrapped,
)

_ZERO = Number(0.0)


def picked(source: Pattern, ids: Pattern, axis: str) -> Pattern:
    """What a value has at indices along an axis, whatever indices outside give."""
    index = wrapped(ids, axis, name="index", labels=("wrapped", "clamped", ""))
    taken = Taken(source, index, axis)
    found = Either(
        Filled(taken, index, axis, Number(name="fill")),
        taken,
        name="beyond",
        labels=("filled", "clamped"),
    )
    return Either(Squeezed(found), found)


def picked_attributes(match: Match) -> dict[str, object]:
    """What a composite says of indices that are outside."""
    beyond, fill = match.text("beyond"), match.number("fill")
    if beyond == "filled" and fill is not None and math.isnan(fill):
        beyond = "nan"
    found: dict[str, object] = {"out_of_range": beyond}
    if beyond == "filled" and fill is not None:
        found["fill"] = fill
    if match.text("index") == "wrapped":
        found["wraps"] = True
    return found


def _embedding(ids: Pattern) -> Pattern:
    table = Var("table")
    one_hot = Contract(Converted(compare("EQ", ids, Iota("rows")), is_truth), table, "rows")
    rows = Either(picked(table, ids, "rows"), Either(one_hot, name="beyond", labels=("zero",)))
    padding = Number(name="padding_index")
    return Either(
        select(compare("EQ", ids, padding), _ZERO, rows),
        select(compare("NE", ids, padding), rows, _ZERO),
        rows,
    )


def _where(match: Match) -> str | None:
    access, shape = match.access("table"), match.shape("table")
    if len(shape) != 2:
        return f"its table is of rank {len(shape)}, not of rows"
    if access[0] != match.axis("rows") or access[1] != match.result[-1:][0]:
        return "what is taken are not the rows of the table"
    if match.access("ids") != match.result[:-1] or match.shape("ids") != match.result_shape[:-1]:
        return "its result is laid out otherwise than the indices"
    if not is_integer(match.element("ids")):
        return f"its indices are of {match.element('ids')}, not of integers"
    return floats(match, "table")


def _attributes(match: Match) -> dict[str, object]:
    found = picked_attributes(match)
    padding = match.number("padding_index")
    if padding is not None:
        found["padding_index"] = int(padding)
    if match.text("beyond") == "zero":
        found["form"] = "one_hot"
    return found


# The indices are what is below a broadcast, which adds a dimension for the gather, or makes them.
RULES = tuple(
    Rule(
        "embedding",
        (_embedding(ids),),
        operands=("table", "ids"),
        where=_where,
        attributes=_attributes,
    )
    for ids in (Var("ids", spread=True), Var("ids"))
)
