"""A difference in words, for a terminal without colours and for errors of tests."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.differences.records import (
    Change,
    CostChange,
    Difference,
    FunctionDifference,
    OpDifference,
)
from dxir.wording import counted, size_text

SIGNS = {"added": "+", "removed": "-", "changed": "~", "rewired": "~", "moved": "~"}
_MOST_FUNCTIONS = 50
_MOST_OPS = 40
_MOST_CHANGES = 20  # of an op


def summary(found: Difference) -> str:
    """A difference in a few words."""
    if found.same:
        return "the same program" + (", other " * bool(found.spelling) + "; ".join(found.spelling))
    parts = [counted(len(found.functions), "function"), counted(found.ops_changed, "op")]
    return f"{' and '.join(parts)} differ"


def text(found: Difference, *, most_ops: int = _MOST_OPS) -> str:
    """A difference in lines."""
    return "\n".join([*lines_of(found, most_ops), *_costs(found)])


def lines_of(found: Difference, most_ops: int = _MOST_OPS) -> Iterator[str]:
    """What differs, in lines; the costs are left out."""
    if found.same:
        yield "the same program"
        for each in found.spelling:
            yield f"  other: {each}"
        return
    yield summary(found)
    for change in found.attributes:
        yield f"  {sign_of(change)} module: {change}"
    for change in found.meshes:
        yield f"  {sign_of(change)} {change}"
    for op in found.ops:
        yield from op_lines(op)
    for function in found.functions[:_MOST_FUNCTIONS]:
        yield from function_lines(function, most_ops)
    if len(found.functions) > _MOST_FUNCTIONS:
        yield f"and {counted(len(found.functions) - _MOST_FUNCTIONS, 'function')} more"
    if found.op_counts:
        yield f"ops: {op_counts_text(found)}"
    yield from (f"also other: {each}" for each in found.spelling)
    yield from (f"note: {each}" for each in found.notes)


def _costs(found: Difference) -> Iterator[str]:
    for cost in found.costs:
        if cost.before != cost.after:
            yield f"{cost.what}: {cost_text(cost)}"


def function_lines(function: FunctionDifference, most_ops: int) -> Iterator[str]:
    """A function that differs, in lines."""
    yield heading(function)
    for change in function.signature[:most_ops]:
        yield f"  {sign_of(change)} {change}"
    if len(function.signature) > most_ops:
        yield f"  and {counted(len(function.signature) - most_ops, 'more change')} of the signature"
    for op in function.ops[:most_ops]:
        yield from op_lines(op)
    if len(function.ops) > most_ops:
        yield f"  and {counted(len(function.ops) - most_ops, 'op')} more"


def heading(function: FunctionDifference) -> str:
    """A function, and in what way it differs."""
    if function.kind == "added":
        return f"+ @{function.after}, {counted(function.ops_after, 'op')}"
    if function.kind == "removed":
        return f"- @{function.before}, {counted(function.ops_before, 'op')}"
    name = f"@{function.after}"
    if function.before != function.after:
        name = f"@{function.before} -> {name}"
    if function.kind == "renamed":
        return f"~ {name}, the same by another name"
    if function.kind == "calls":
        return f"~ {name}, the same but for what it calls"
    counts = [f"{n} {kind}" for kind, n in sorted(function.counts.items())]
    if function.signature:
        counts.insert(0, "another signature")
    return f"~ {name}: {', '.join(counts)}"


def op_lines(op: OpDifference) -> Iterator[str]:
    """An op that differs, in lines."""
    where = f"  at {op.op.where}" if op.op.where else ""
    yield f"  {SIGNS[op.kind]} {op.op.text}{where}"
    for change in op.changes[:_MOST_CHANGES]:
        yield f"      {change}"
    if len(op.changes) > _MOST_CHANGES:
        yield f"      and {counted(len(op.changes) - _MOST_CHANGES, 'more change')}"


def sign_of(change: Change) -> str:
    """The sign of a change: added, removed or another."""
    return "+" if change.before is None else "-" if change.after is None else "~"


def op_counts_text(found: Difference) -> str:
    """How many more or fewer ops there are, by name."""
    parts = [(after - before, name) for name, before, after in found.op_counts]
    parts.sort(key=lambda part: (-abs(part[0]), part[1]))
    return ", ".join([f"{n:+,} {name.removeprefix('stablehlo.')}" for n, name in parts])


def cost_text(cost: CostChange) -> str:
    """A cost on both sides, and how much it changed."""
    parts = [amount(n, cost.unit) for n in (cost.before, cost.after)]
    return f"{parts[0]} -> {parts[1]}{change_text(cost)}"


def change_text(cost: CostChange) -> str:
    """How much a cost changed, in brackets; empty where that is not known."""
    if cost.change is None or not cost.change:
        return ""
    return f" ({cost.change / cost.before:+.1%})" if cost.before else " (new)"


def amount(number: int | None, unit: str) -> str:
    """A number of operations, or of bytes."""
    if number is None:
        return "unknown"
    if unit != "bytes":
        return f"{number:,}"
    return size_text(number)
