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

from dataclasses import dataclass

from dxir import ops
from dxir.derivatives import has_tangent
from dxir.errors import DxirError
from dxir.op import REGISTRY, Op
from dxir.testing.op_checks import example_function
from dxir.transforms.rules import By, Mode, Resolution, resolve

MISSING = By.NOTHING.value
_OPERANDS = frozenset(("operand", "optional", "variadic", "region", "regions"))


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
    reverse, forward, batching = [resolve(cls, mode) for mode in Mode]
    vjp, jvp = _cell(reverse), _cell(forward)
    if not _depends(reverse) and not _depends(forward) and not _may_have_tangents(cls):
        vjp = jvp = "no tangents"
    kinds = {f.kind for f in cls.fields}
    nothing = batching.by in (By.EXPANSION, By.NOTHING) and not kinds & _OPERANDS
    batch = "no operands" if nothing else _cell(batching)
    return Row(cls.op, cls.family, vjp, jvp, batch, partly=cls.lacks is not Op.lacks)


def _depends(way: Resolution) -> bool:
    """Whether a class says something of a derivative itself."""
    return way.by not in (By.EXPANSION, By.NOTHING)


def _cell(way: Resolution) -> str:
    if way.by in (By.ZERO, By.UNDEFINED):
        return f"{way.by.value}: {way.reason}"
    return "linear" if way.kind in ("linear", "multilinear") else way.by.value


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
