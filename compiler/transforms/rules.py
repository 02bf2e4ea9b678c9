"""Which rule a node goes by, in each of the modes: told here, for engines, checks and tables.

A node goes by what is registered for the name that it carries; else by what its class says it has
instead of a rule; else by a rule of its class; else by its expansion. A class has rules that some
of its nodes lack: see `Op.lacks`, which `refusal` asks, and no engine: that may take long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from dxir.declaration import RULES
from dxir.derivatives import Undefined, Zero
from dxir.errors import TransformError
from dxir.graph import Node
from dxir.naming import MEANING
from dxir.op import Derived
from dxir.transforms.registry import Rules, rules_for, rules_named
from dxir.transforms.rule_errors import named_op

__all__ = [
    "By", "Mode", "Resolution", "is_registered", "refusal", "refused", "resolve", "rule_name",
    "zero_of",
]  # fmt: skip

_OF_KERNELS = (
    "the call of a kernel stands for a composite: derive or batch by a pass (dxir-differentiate, "
    "dxir-jvp, dxir-vmap), which takes that, or run dxir-decompose{kernels=off} before raising"
)


class By(Enum):
    """What a node goes by."""

    NAME = "by name"
    RULE = "rule"
    EXPANSION = "expansion"
    ZERO = "zero"
    UNDEFINED = "undefined"
    NOTHING = "missing"


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a node goes by: `kind` is the rule, as `vjp` or `linear`, where there is one.

    What is zero or undefined is so for a reason; what is undefined, or missing, may have a hint.
    """

    by: By
    kind: str = ""
    reason: str = ""
    hint: str | None = None
    rule: Callable[..., Any] | None = None

    @property
    def is_refused(self) -> bool:
        """Whether there is nothing to go by."""
        return self.by is By.UNDEFINED or self.by is By.NOTHING

    def on(self, node: Any) -> Callable[..., Any]:
        """The rule, that of a name or of the class, to be called without the node."""
        if self.rule is not None:
            return partial(self.rule, node)
        found: Callable[..., Any] = getattr(node, self.kind)
        return found


class Mode(Enum):
    """What is made of nodes: `rule` is what users know it by, `what` the thing that it gives.

    `registered` are the rules that a name may have, `own` those of a class, the first that there
    is being the one.
    """

    REVERSE = ("vjp", "derivative", ("vjp", "pullback"), ("pullback", "vjp"))
    FORWARD = (
        "jvp",
        "derivative",
        ("jvp", "pushforward"),
        ("pushforward", "jvp", "linear", "multilinear"),
    )
    BATCHING = ("batch", "batched form", ("batch",), ("batch",))

    def __init__(
        self, rule: str, what: str, registered: tuple[str, ...], own: tuple[str, ...]
    ) -> None:
        self.rule = rule
        self.what = what
        self.registered = registered
        self.own = tuple([(kind, Resolution(By.RULE, kind)) for kind in own])
        self.nothing = Resolution(By.NOTHING, reason=f"no {rule} rule")


_BATCHING = Mode.BATCHING
_EXPANSION = Resolution(By.EXPANSION)
_BY_NAME = Resolution(By.NAME)


def resolve(given: Any, mode: Mode) -> Resolution:
    """What a node goes by, or the nodes of an op class for all that the class tells."""
    if isinstance(given, type):
        cls: Any = given
        found = _of_class(cls, cls, mode)
        return _BY_NAME if found.is_refused and cls.named_by is not None else found
    found = _of_class(given, given.__class__, mode)
    return found if given.named_by is None else _of_named(given, found, mode)


def _of_class(given: Any, cls: Any, mode: Mode) -> Resolution:
    """What a class says; of a node, `derivative` may be what that finds out of itself."""
    said = cls.unbatchable if mode is _BATCHING else given.derivative
    if said is not None:
        if isinstance(said, Undefined):
            return Resolution(By.UNDEFINED, reason=said.reason, hint=said.hint)
        if isinstance(said, Zero):
            return Resolution(By.ZERO, reason=said.reason)
    for kind, way in mode.own:
        if getattr(cls, kind):
            return way
    return _EXPANSION if issubclass(cls, Derived) else mode.nothing


def _of_named(node: Node, own: Resolution, mode: Mode) -> Resolution:
    """What is registered for the name of a node; `own` is what its class says."""
    rules = rules_for(node)
    found = None if rules is None else _registered(rules, mode)
    if found is not None:
        return found
    if not own.is_refused:
        return own
    hint = _OF_KERNELS if MEANING in (node.annotations or {}) else own.hint
    reason = own.reason if rules is None else f"{rules.name} has no {mode.rule} rule"
    return Resolution(By.UNDEFINED, reason=reason, hint=hint)


def _registered(rules: Rules, mode: Mode) -> Resolution | None:
    """What is registered for a name, if it says anything of a mode."""
    given = [(kind, getattr(rules, kind)) for kind in mode.registered]
    for kind, rule in given:
        if rule is not None and not isinstance(rule, Undefined):
            return Resolution(By.NAME, kind, rule=rule)
    for _, said in given:
        if isinstance(said, Undefined):
            return Resolution(By.UNDEFINED, reason=said.reason, hint=said.hint)
    return None


def is_registered(target: str, mode: Mode) -> bool:
    """Whether custom calls of a target have a rule by that name."""
    rules = rules_named(target)
    found = None if rules is None else _registered(rules, mode)
    return found is not None and not found.is_refused


def zero_of(node: Any) -> Zero | None:
    """Zero for a node whose derivative is: its class says so."""
    found = node.derivative
    return found if found.__class__ is Zero else None


def refusal(node: Any, mode: Mode) -> Undefined | None:
    """Why a node has nothing to go by, and what to do about it; None when it has something."""
    way = resolve(node, mode)
    if way.by is By.RULE or way.by is By.EXPANSION:
        lacking: Undefined | None = node.lacks(mode.rule)
        return lacking
    return Undefined(way.reason, way.hint) if way.is_refused else None


def refused(node: Any, mode: Mode) -> TransformError:
    """The error of an engine that comes to a node with nothing to go by."""
    found = refusal(node, mode) or Undefined(f"no {mode.rule} rule")
    return TransformError(f"{named_op(node)}: {found.reason}", where=node.location, hint=found.hint)


def rule_name(node: Any, mode: Mode) -> str:
    """What the rule that a node goes by is called in messages."""
    kind = resolve(node, mode).kind
    return kind if kind in RULES else mode.rule
