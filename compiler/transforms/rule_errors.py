"""What is said of rules that fail, or give what they must not: the op, the rule and the place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir.errors import DxirError, TransformError
from dxir.graph import Node, Value
from dxir.misuse import number_hint
from dxir.types import TensorType, Type

STATIC = (
    "give it static shapes before: build it with sizes that are known, or run dxir-specialize, and "
    "transform that"
)
"""What to do about sizes that are not known."""

_CALLED = {
    "vjp": "vjp(node, g, y)",
    "jvp": "jvp(node, tangents, y)",
    "batch": "batch(node, batch)",
    "pullback": "pullback(node, sweep)",
    "pushforward": "pushforward(node, sweep)",
}


def named_op(node: Node) -> str:
    """The op of a node; with the name that its meaning depends on, where there is one."""
    name = node.attrs.get("call_target_name") or node.attrs.get("composite_name")
    return f"{node.op} @{name}" if name else node.op


def failed(node: Node, rule: str, error: Exception) -> TransformError:
    """The error for a rule of a node that raised another one.

    What is said already of a transform, by a rule of another node within this one, stays.
    """
    if isinstance(error, TransformError):
        return error
    what = f"{named_op(node)}: its {rule} rule failed"
    if isinstance(error, DxirError):
        hint = error.hint
        if hint is None and "dynamic dimensions" in error.message:
            hint = STATIC
        return TransformError(f"{what}: {error.message}", where=node.location, hint=hint)
    return TransformError(
        f"{what}: {type(error).__name__}: {error}",
        where=node.location,
        hint=f"it is called as {_CALLED[rule]}" if isinstance(error, TypeError) else None,
    )


def miscounted(
    node: Node, rule: str, given: object, values: Sequence[Value], one: str
) -> TransformError:
    """The error for a rule that gives another number of things, or no tuple of them.

    It must give `one`, a cotangent, say, for each of `values`, operands or results of the node.
    """
    count = len(values)
    backward = rule in ("vjp", "pullback")
    kinds = ("operand", "operands") if backward else ("result", "results")
    types = ", ".join([str(v.type) for v in values])
    wanted = f"the {kinds[0]}, {types}" if count == 1 else f"the {count} {kinds[1]}, {types}"
    said = (
        f"{len(given)} {'entry' if len(given) == 1 else 'entries'}"
        if isinstance(given, (tuple, list))
        else told(given)
    )
    return TransformError(
        f"{named_op(node)}: its {rule} rule gives {said}, where {one} is needed for "
        f"{'' if count == 1 else 'each of '}{wanted}",
        where=node.location,
        hint=f"return a tuple of {count}"
        + (", with None for what is zero" if rule != "batch" else ""),
    )


def no_value(node: Node, rule: str, given: object, one: str, like: Value) -> TransformError:
    """The error for a rule that gives something else than a Value."""
    return TransformError(
        f"{named_op(node)}: its {rule} rule gives {told(given)} as {one} of a value of type "
        f"{like.type}",
        where=node.location,
        hint=number_hint(given) or "give a Value of the graph",
    )


def mistyped(
    node: Node, rule: str, given: Value, one: str, wanted: Type, hint: str | None = None
) -> TransformError:
    """The error for a rule that gives a Value of another type."""
    return TransformError(
        f"{named_op(node)}: its {rule} rule gives {one} of type {given.type}, where {wanted} is "
        "needed",
        where=node.location,
        hint=hint,
    )


def told(given: Any) -> str:
    """Something that is no tuple of values, in words."""
    if isinstance(given, Value):
        dtype = f" of type {given.type}" if isinstance(given.type, TensorType) else ""
        return f"one Value{dtype}"
    text = repr(given)
    return f"{text if len(text) <= 40 else type(given).__name__}"
