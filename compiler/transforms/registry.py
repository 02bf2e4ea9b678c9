"""Rules for composites and custom calls, by the name that programs carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dxir.declaration import RULES
from dxir.derivatives import Undefined
from dxir.errors import TransformError
from dxir.locations import caller_location
from dxir.op import REGISTRY, Composite, composite_name

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is known of a named composite or custom call; None for what is not given.

    `pullback(node, sweep)` and `pushforward(node, sweep)` are both sweeps at once, as for ops.
    """

    name: str
    vjp: Rule | Undefined | None = None
    jvp: Rule | Undefined | None = None
    batch: Rule | Undefined | None = None
    pullback: Rule | None = None
    pushforward: Rule | None = None


_RULES: dict[str, Rules] = {}
_KERNELS: dict[str, list[Rules]] = {}


def register_rules(
    name: str,
    *,
    vjp: Rule | Undefined | None = None,
    jvp: Rule | Undefined | None = None,
    batch: Rule | Undefined | None = None,
    pullback: Rule | None = None,
    pushforward: Rule | None = None,
    replace: bool = False,
) -> None:
    """Say how custom calls of the target `name`, or composites of that name, are transformed.

    `vjp(node, g, y)`, `jvp(node, tangents, y)` and `batch(node, batch)` are what they are as
    methods of an op (see `dxir.derivatives`): `node.inputs` are the operands. Each may be an
    `Undefined` instead, with the reason why there is none. `pullback(node, sweep)` stands in place
    of `vjp`, `pushforward(node, sweep)` in place of `jvp`, where the node is another one in
    derivatives. What is left out goes through the decomposition of a composite, and is an error
    for a custom call. Raises
    TransformError for a name that has rules already, unless `replace` is set, and for that of an
    op, whose rules are in its class.
    """
    given: Any = name
    if not isinstance(given, str) or not given:
        raise TransformError(
            f"{name!r} names no composite and no custom call", where=caller_location()
        )
    rules = Rules(name, vjp, jvp, batch, pullback, pushforward)
    if all(getattr(rules, kind) is None for kind in RULES):
        raise TransformError(
            f"no rule is given for {name!r}",
            where=caller_location(),
            hint=f"give one or more of {', '.join(RULES)}",
        )
    _check_kinds(rules)
    cls = REGISTRY.get(name.removeprefix("dxir."))
    if cls is not None and issubclass(cls, Composite) and composite_name(cls.op) == name:
        raise TransformError(
            f"{name!r} is the op {cls.__module__}.{cls.__qualname__}",
            where=caller_location(),
            hint="its rules are methods of that class",
        )
    enter(rules, replace=replace)


def _check_kinds(rules: Rules) -> None:
    for kind in RULES:
        rule: Any = getattr(rules, kind)
        sweeps = kind in ("pullback", "pushforward")
        if rule is None or callable(rule) or (isinstance(rule, Undefined) and not sweeps):
            continue
        raise TransformError(
            f"the {kind} of {rules.name!r} is {rule!r}",
            where=caller_location(),
            hint="it must be a function"
            if sweeps
            else "it must be a function, or dxir.derivatives.Undefined with the reason",
        )
    for one, other in (("vjp", "pullback"), ("jvp", "pushforward")):
        if None not in (getattr(rules, one), getattr(rules, other)):
            raise TransformError(
                f"{rules.name!r} is given both {one} and {other}",
                where=caller_location(),
                hint="either says it all: leave one out",
            )


def enter(rules: Rules, *, replace: bool = False) -> None:
    """Make rules known under their name; TransformError if others are, unless `replace` is set."""
    if rules.name in _RULES and not replace:
        raise TransformError(
            f"{rules.name!r} has rules already",
            where=caller_location(),
            hint="give replace=True to put others in their place",
        )
    _RULES[rules.name] = rules


def registered() -> object:
    """Something that is equal as long as no rules were registered or taken back."""
    return (tuple(_RULES.values()), tuple([r for many in _KERNELS.values() for r in many]))


def is_known(name: str) -> bool:
    """Whether there are rules of that name."""
    return name in _RULES


def enter_kernel(rules: Rules) -> None:
    """Make known how custom calls of a target's kernel are transformed.

    What `register_rules` was told of the same name goes first, then the kernel that came first.
    """
    _KERNELS.setdefault(rules.name, []).append(rules)


def forget_kernel(rules: Rules) -> None:
    """Take back what `enter_kernel` was told."""
    _KERNELS[rules.name].remove(rules)
    if not _KERNELS[rules.name]:
        del _KERNELS[rules.name]


def rules_named(name: str, *, of_composite: bool = False) -> Rules | None:
    """The rules registered for custom calls of a target, or for composites of a name, if any."""
    found = _RULES.get(name)
    if found is None and not of_composite and name in _KERNELS:
        return _KERNELS[name][0]
    return found


def rules_for(node: Any) -> Rules | None:
    """The rules registered for what a composite or custom call names, if any."""
    attribute = node.named_by
    if attribute is None or not (_RULES or _KERNELS):
        return None
    return rules_named(node.attrs[attribute], of_composite=node.op == "composite")
