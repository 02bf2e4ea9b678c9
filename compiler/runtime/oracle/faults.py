"""Known faults of backends: valid programs that they compute wrongly.

Each was seen with the versions that are named. A fault explains an op that a backend got
wrong, given the op and its operands; nothing is done about it here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.arithmetic import integer_limits
from dxir.evaluation import Evaluator
from dxir.op import Op
from dxir.runtime.oracle.partitioning import PARTS_OF_AXES, UPDATES, WINDOWS
from dxir.runtime.variants import base_of


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a backend: what goes wrong, when, and what to do.

    `explains` says whether it is the reason why an op is wrong on operands, which are arrays (None
    for what is not known). One of a `sharded` program is met only where its shardings are such that
    it can be (`dxir.runtime.oracle.partitioning`).
    """

    id: str
    backend: str
    versions: str
    text: str
    hint: str
    explains: Callable[[Op, Sequence[Any]], bool]
    sharded: bool = False

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


def _starts_out_of_range(node: Op, operands: Sequence[Any]) -> bool:
    """Whether a gather or scatter has a negative index, or one beyond every axis."""
    if node.op not in ("gather", "scatter", "legacy_torch_index_select"):
        return False
    count = len(node.results) if node.op == "scatter" else 1
    operand, indices = operands[0], operands[count]
    if operand is None or indices is None:
        return False
    wanted = np.asarray(indices).astype(np.float64)
    sizes = node.attrs.get("slice_sizes") or (1,) * np.ndim(operand)
    map = (
        node.attrs.get("start_index_map") or node.attrs.get("scatter_dims_to_operand_dims") or (0,)
    )
    most = min(np.shape(operand)[axis] - sizes[axis] for axis in map)
    return bool(np.any(wanted < 0) or np.any(wanted > most))


def _orders_totally(node: Op, _: Sequence[Any]) -> bool:
    return node.op == "compare" and (
        node.attrs.get("compare_type") == "TOTALORDER" or bool(node.attrs.get("total_order"))
    )


def _indexes_by_bytes(node: Op, operands: Sequence[Any]) -> bool:
    """Whether an index of ui8 is one that would be negative as i8."""
    if node.op not in ("gather", "scatter", "dynamic_slice", "dynamic_update_slice"):
        return False
    indices = [np.asarray(o) for o in operands[1:] if o is not None]
    return any(i.dtype == np.uint8 and bool(np.any(i > 127)) for i in indices)


def _raises_special_numbers(node: Op, operands: Sequence[Any]) -> bool:
    """Whether a power has a base without a logarithm, or takes infinities or NaN."""
    if node.op != "pow" or any(o is None for o in operands):
        return False
    base, exponent = (np.asarray(o) for o in operands)
    if base.dtype.kind not in "fV":
        return False
    wide = base.astype(np.float64), exponent.astype(np.float64)
    return bool(np.any(wide[0] <= 0) or not all(np.isfinite(w).all() for w in wide))


def _converts_out_of_range(node: Op, operands: Sequence[Any]) -> bool:
    """Whether a float that an integer type does not hold is converted to it."""
    if node.op != "convert" or operands[0] is None:
        return False
    given, type = np.asarray(operands[0]), node.results[0].tensor.primitive
    if not type.is_integer or given.dtype.kind not in "fV":
        return False
    low, high = integer_limits(type.numpy)
    wide = given.astype(np.float64)
    return bool(np.any(~((wide >= low) & (wide <= high))))


def _starts_from_a_high_byte(node: Op, operands: Sequence[Any]) -> bool:
    return node.op in ("dynamic_slice", "dynamic_update_slice") and any(
        o is not None and np.asarray(o).dtype == np.uint8 and bool(np.any(np.asarray(o) > 127))
        for o in operands[1:]
    )


def _slices_a_slice(node: Op, operands: Sequence[Any]) -> bool:
    """Whether a dynamic slice is, or becomes where it is partitioned, one of another one.

    The start of one of them is out of range; the inner one's is known only where it is the op.
    """
    if node.op != "dynamic_slice":
        return False
    inner = node.operands[0].producer
    if isinstance(inner, Op) and inner.op == "dynamic_slice":
        return True
    return _is_beyond(node, operands[1:], node.attrs.get("sizes", ()))


def _updates_beyond(node: Op, operands: Sequence[Any]) -> bool:
    """Whether an update is to start where it does not fit."""
    if node.op != "dynamic_update_slice":
        return False
    return _is_beyond(node, operands[2:], node.operands[1].tensor.shape)


def _is_beyond(node: Op, starts: Sequence[Any], sizes: Sequence[Any]) -> bool:
    """Whether one of the starts is not such that a slice of these sizes is within the operand."""
    return any(
        start is not None
        and isinstance(n, int)
        and isinstance(size, int)
        and not 0 <= int(np.asarray(start)) <= n - size
        for start, n, size in zip(starts, node.operands[0].tensor.shape, sizes, strict=False)
    )


_ANY = "jaxlib 0.10 to 0.12"
_IREE = "IREE 3.13, without the passes of the target iree-cpu"
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
        "xla-cpu-slice-of-slice",
        "xla-cpu",
        "jaxlib 0.10",
        "a dynamic slice of a dynamic slice becomes one, without the limit on the start of each",
        "clamp the starts, or put an optimization_barrier in between",
        _slices_a_slice,
    ),
    Fault(
        WINDOWS,
        "xla-cpu",
        _ANY,
        "a convolution with a spatial dimension that is split, on a mesh that has other axes, too, "
        "is summed up over these as well",
        "split batches or features instead, or constrain input and kernel not to be split there",
        lambda node, _: node.op in ("convolution", "conv1d", "conv2d", "conv3d"),
        sharded=True,
    ),
    Fault(
        PARTS_OF_AXES,
        "xla-cpu",
        _ANY,
        "parts of a product that is split over a part of an axis are on other devices than its "
        "sharding says",
        "split over whole axes: give the mesh two axes instead of one",
        lambda node, _: node.op in ("dot_general", "matmul", "einsum"),
        sharded=True,
    ),
    Fault(
        UPDATES,
        "xla-cpu",
        _ANY,
        "an update of a tensor that is split, by a slice of size 1 there, is lost where its start "
        "is out of range",
        "clamp the starts",
        _updates_beyond,
        sharded=True,
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
        "indices of ui8 above 127 are read as negative ones",
        "convert them to i32",
        _indexes_by_bytes,
    ),
    Fault(
        "iree-cpu-indices-out-of-range",
        "iree-cpu",
        _IREE,
        "gathers read, and scatters write, other memory where an index is out of range",
        "clamp the indices, or drop the updates, as dxir-bound-indices does",
        _starts_out_of_range,
    ),
    Fault(
        "iree-cpu-power",
        "iree-cpu",
        _IREE,
        "a power is made as exp(y log x), which has no value for bases that are not positive",
        "handle the special cases by select, as dxir-expand-ops does",
        _raises_special_numbers,
    ),
    Fault(
        "iree-cpu-convert",
        "iree-cpu",
        _IREE,
        "a float that does not fit an integer type becomes any integer",
        "clamp before converting",
        _converts_out_of_range,
    ),
)
"""All known faults."""


def explaining(
    backend: str, node: Op, operands: Sequence[Any], met: Container[str] = ()
) -> tuple[str, ...]:
    """The ids of the faults that explain what a backend got wrong.

    `met` are those of sharded programs that this one may have.
    """
    base = base_of(backend)
    return tuple(
        f.id
        for f in FAULTS
        if f.backend == base and (not f.sharded or f.id in met) and f.explains(node, operands)
    )


def fault(id: str) -> Fault:
    """The fault of that id."""
    return next(f for f in FAULTS if f.id == id)
