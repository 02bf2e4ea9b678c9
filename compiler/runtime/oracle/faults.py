"""Known faults of backends: valid programs that they compute wrongly.

Each was seen with the versions of jaxlib that are named. A fault explains an op that a backend got
wrong, given the op and its operands; nothing is done about it here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.evaluation import Evaluator
from dxir.op import Op


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a backend: what goes wrong, when, and what to do.

    `explains` says whether it is the reason why an op is wrong on operands, which are arrays (None
    for what is not known).
    """

    id: str
    backend: str
    versions: str
    text: str
    hint: str
    explains: Callable[[Op, Sequence[Any]], bool]

    def __str__(self) -> str:
        return f"{self.id}: {self.text} ({self.versions}); {self.hint}"


def _reduces_from_another_value(node: Op, operands: Sequence[Any]) -> bool:
    """Whether a reduction starts from a value that its body does not leave other values as."""
    if node.op not in ("reduce", "reduce_window", "sum", "prod", "cumsum", "cumprod"):
        return False
    region = next((r for r in node.regions), None)
    if region is None or len(region.params) % 2:
        return False
    count = len(region.params) // 2
    inits = operands[len(operands) - count :]
    if any(init is None for init in inits):
        return False
    with np.errstate(all="ignore"):
        twice = Evaluator().call(region, [np.asarray(i) for i in (*inits, *inits)])
    return not all(
        np.array_equal(a, b, equal_nan=np.asarray(b).dtype.kind in "fc")
        for a, b in zip(twice, inits, strict=True)
    )


def _orders_totally(node: Op, _: Sequence[Any]) -> bool:
    return node.op == "compare" and (
        node.attrs.get("compare_type") == "TOTALORDER" or bool(node.attrs.get("total_order"))
    )


def _indexes_by_bytes(node: Op, operands: Sequence[Any]) -> bool:
    return node.op in ("gather", "scatter", "dynamic_slice", "dynamic_update_slice") and any(
        o is not None and np.asarray(o).dtype == np.uint8 for o in operands[1:]
    )


def _starts_from_a_high_byte(node: Op, operands: Sequence[Any]) -> bool:
    return node.op in ("dynamic_slice", "dynamic_update_slice") and any(
        o is not None and np.asarray(o).dtype == np.uint8 and bool(np.any(np.asarray(o) > 127))
        for o in operands[1:]
    )


_ANY = "jaxlib 0.10 to 0.12"
FAULTS: tuple[Fault, ...] = (
    Fault(
        "xla-cpu-reduction-init",
        "xla-cpu",
        _ANY,
        "the init value of a reduction is used more than once, or not at all at the edges",
        "start from the identity of the body, and combine the value with the result afterwards",
        _reduces_from_another_value,
    ),
    Fault(
        "xla-cpu-constant-ui8-indices",
        "xla-cpu",
        _ANY,
        "a constant start index of ui8 from 128 on is taken for a negative one",
        "convert it to i32",
        _starts_from_a_high_byte,
    ),
    Fault(
        "interpreter-total-order",
        "interpreter",
        _ANY,
        "TOTALORDER comparisons are made as FLOAT ones",
        "judge NaN and signed zeros by another backend",
        _orders_totally,
    ),
    Fault(
        "interpreter-ui8-indices",
        "interpreter",
        _ANY,
        "indices of ui8 are read as signed",
        "convert them to i32",
        _indexes_by_bytes,
    ),
)
"""All known faults."""


def explaining(backend: str, node: Op, operands: Sequence[Any]) -> tuple[str, ...]:
    """The ids of the faults that explain what a backend got wrong."""
    return tuple(f.id for f in FAULTS if f.backend == backend and f.explains(node, operands))


def fault(id: str) -> Fault:
    """The fault of that id."""
    return next(f for f in FAULTS if f.id == id)
