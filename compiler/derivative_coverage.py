"""What every op of the registry has of derivatives and batching: the rows of a table.

Each of the three, reverse mode, forward mode and batching, is one of these:

- `rule`: the op has its own; `linear` is the forward rule of what is linear in its operands
- `expansion`: by the rules of the ops that it stands for
- `no tangents`: no operand, or no result, has any: integers, booleans, tokens, quantized numbers
- `no operands`: there is nothing to batch
- `by name`: as `register_rules` says of what it calls
- `zero: reason` and `undefined: reason`, as the op declares it
- `missing`
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dxir import ops
from dxir.derivatives import Undefined, Zero, has_tangent
from dxir.errors import DxirError
from dxir.op import REGISTRY, Derived, Op
from dxir.testing import example_function

MISSING = "missing"
_REVERSE = ("vjp", "pullback")
_FORWARD = ("jvp", "pushforward")
_LINEAR = ("linear", "multilinear")
_BY_NAME = frozenset({"custom_call"})


@dataclass(frozen=True, slots=True)
class Row:
    """What one op has; `partly` says that its rules refuse some uses of it, with the reason."""

    op: str
    family: str
    vjp: str
    jvp: str
    batch: str
    partly: bool = False

    @property
    def missing(self) -> list[str]:
        """What it lacks."""
        return [k for k in ("vjp", "jvp", "batch") if getattr(self, k) == MISSING]


def derivative_table() -> tuple[Row, ...]:
    """A row for every op of dxir and of the packages that were imported."""
    ops.names()
    return tuple([row_of(cls) for _, cls in sorted(REGISTRY.items())])


def row_of(cls: type[Op]) -> Row:
    """The row of one op."""
    by_name = cls.op in _BY_NAME
    vjp = jvp = batch = "by name"
    if not by_name:
        vjp, jvp = _derivatives(cls)
        batch = _batching(cls)
    return Row(cls.op, cls.family, vjp, jvp, batch, partly=cls.lacks is not Op.lacks)


def _derivatives(cls: type[Op]) -> tuple[str, str]:
    said = cls.derivative
    if isinstance(said, Zero):
        return f"zero: {said.reason}", f"zero: {said.reason}"
    if isinstance(said, Undefined):
        return f"undefined: {said.reason}", f"undefined: {said.reason}"
    reverse, forward = _has(cls, _REVERSE), _has(cls, _FORWARD)
    linear = _has(cls, _LINEAR)
    if not (reverse or forward or linear) and not _may_have_tangents(cls):
        return "no tangents", "no tangents"
    others = "expansion" if issubclass(cls, Derived) else MISSING
    return (
        "rule" if reverse else others,
        "rule" if forward else "linear" if linear else others,
    )


def _batching(cls: type[Op]) -> str:
    if cls.unbatchable is not None:
        return f"undefined: {cls.unbatchable.reason}"
    if cls.batch is not None:
        return "rule"
    if not any(f.kind in ("operand", "optional", "variadic", "region", "regions")
               for f in cls.fields):  # fmt: skip
        return "no operands"
    return "expansion" if issubclass(cls, Derived) else MISSING


def _has(cls: type[Op], rules: Iterable[str]) -> bool:
    return any(getattr(cls, r) for r in rules)


def _may_have_tangents(cls: type[Op]) -> bool:
    """Whether any example has an operand with tangents and a result with tangents."""
    for example in cls.examples:
        try:
            function = example_function(cls, example)
        except DxirError:
            continue
        sides = (function.param_types, function.result_types)
        if all(any(map(has_tangent, side)) for side in sides):
            return True
    return False
