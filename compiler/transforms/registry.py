"""Rules for composites and custom calls, by the name that programs carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dxir.errors import TransformError
from dxir.graph import Node
from dxir.locations import caller_location

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is known of a named composite or custom call; None for what is not given."""

    name: str
    vjp: Rule | None = None
    jvp: Rule | None = None
    batch: Rule | None = None

    def refusal(self, rule: str) -> str | None:
        """Why it has no such rule; None when it has."""
        return None if getattr(self, rule) is not None else f"{self.name} has no {rule} rule"


_RULES: dict[str, Rules] = {}


def register_rules(
    name: str,
    *,
    vjp: Rule | None = None,
    jvp: Rule | None = None,
    batch: Rule | None = None,
    replace: bool = False,
) -> None:
    """Say how custom calls of the target `name`, or composites of that name, are transformed.

    `vjp(node, g, y)`, `jvp(node, tangents, y)` and `batch(node, batch)` are what they are as
    methods of an op (see `dxir.derivatives`): `node.inputs` are the operands. What is left out
    goes through the decomposition of a composite, and is an error for a custom call. Raises
    TransformError for a name that has rules already, unless `replace` is set.
    """
    given: Any = name
    if not isinstance(given, str) or not given:
        raise TransformError(f"{name!r} names no composite and no custom call")
    for label, rule in (("vjp", vjp), ("jvp", jvp), ("batch", batch)):
        if rule is not None and not callable(rule):
            raise TransformError(
                f"the {label} of {name!r} is {rule!r}",
                where=caller_location(),
                hint="it must be a function",
            )
    if name in _RULES and not replace:
        raise TransformError(
            f"{name!r} has rules already",
            where=caller_location(),
            hint="give replace=True to put others in their place",
        )
    _RULES[name] = Rules(name, vjp, jvp, batch)


def rules_for(node: Node) -> Rules | None:
    """The rules registered for what a composite or custom call names, if any."""
    if not _RULES or node.op not in ("composite", "custom_call"):
        return None
    name = node.attrs.get("composite_name") or node.attrs.get("call_target_name")
    return _RULES.get(name) if name else None
