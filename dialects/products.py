"""Contractions told by letters: what the derivatives of all products are written with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dxir import ops
from dxir.graph import Value, place
from dxir.locations import caller_location
from dxir.op import REGISTRY
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.dialects.contraction import DotDims

Letters = Sequence[int]
Precision = tuple[str, str] | None


@lru_cache(1 << 12)
def letters_of(
    dims: DotDims, lhs: int, rhs: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A number for each axis of the operands (of these ranks) and of the result."""
    left = list(range(lhs))
    right = list(range(lhs, lhs + rhs))
    for i, j in zip(dims.lhs_batching, dims.rhs_batching, strict=True):
        right[j] = left[i]
    for i, j in zip(dims.lhs_contracting, dims.rhs_contracting, strict=True):
        right[j] = left[i]
    a_free, b_free = dims.free(lhs, rhs)
    out = [left[i] for i in (*dims.lhs_batching, *a_free)] + [right[j] for j in b_free]
    return tuple(left), tuple(right), tuple(out)


def product(
    a: Value,
    b: Value,
    letters: tuple[Letters, Letters, Letters],
    precision: Precision,
    type: TensorType,
) -> Value:
    """The product of `a` and `b`, whose axes have `letters`, in the axes of the third of them.

    Every letter is in two of the three, and `type` has the shape of the product. The operands
    change places where that spares a transpose.
    """
    plan = _plan(*map(tuple, letters))
    if plan.swapped:
        a, b = b, a
        precision = precision and (precision[1], precision[0])
    dtype = a.tensor.dtype
    if plan.permutation is None and dtype is type.dtype and dtype is b.tensor.dtype:
        return _placed(a, b, plan, precision, type)
    attrs: dict[str, Any] = {**plan.attrs, "precision": precision}
    found: Value = ops.dot_general(a, b, **attrs)
    if plan.permutation is not None:
        found = ops.transpose(found, permutation=plan.permutation)
    return found


class _Plan(NamedTuple):
    """How a product is made: with its operands changed or not, and a transpose or none after it."""

    swapped: bool
    attrs: dict[str, Any]
    permutation: tuple[int, ...] | None


@lru_cache(1 << 12)
def _plan(first: Letters, second: Letters, wanted: Letters) -> _Plan:
    swapped = _order(first, second, wanted) != list(wanted) == _order(second, first, wanted)
    if swapped:
        first, second = second, first
    batch = [c for c in wanted if c in first and c in second]
    summed = [c for c in first if c in second and c not in batch]
    order = _order(first, second, wanted)
    attrs = {
        "lhs_contracting": tuple([first.index(c) for c in summed]),
        "rhs_contracting": tuple([second.index(c) for c in summed]),
        "lhs_batching": tuple([first.index(c) for c in batch]),
        "rhs_batching": tuple([second.index(c) for c in batch]),
        "precision": None, "algorithm": None, "preferred_element_type": None,
    }  # fmt: skip
    fits = order == list(wanted)
    return _Plan(swapped, attrs, None if fits else tuple([order.index(c) for c in wanted]))


def _placed(a: Value, b: Value, plan: _Plan, precision: Precision, type: TensorType) -> Value:
    """The product of a known type, without the checks of an op that is made.

    These take longer than all the rest, and decoders have hundreds of products.
    """
    attrs = plan.attrs if precision is None else {**plan.attrs, "precision": precision}
    cls: Any = REGISTRY["dot_general"]
    node = cls.__new__(cls)
    node.operands, node.attrs, node.regions, node.segments = (a, b), attrs, (), None
    node.location, node.name, node.sharding, node.annotations = caller_location(), None, None, None
    result = Value(type, node, 0, None)
    node.results = (result,)
    place(node)
    return result


def _order(first: Letters, second: Letters, wanted: Letters) -> list[int]:
    """The letters of the product as `dot_general` has them."""
    batch = [c for c in wanted if c in first and c in second]
    return [
        *batch,
        *[c for c in first if c not in second],
        *[c for c in second if c not in first],
    ]


def product_cotangents(
    g: Value,
    x: Value,
    y: Value,
    letters: tuple[Letters, Letters, Letters],
    precision: Precision,
) -> tuple[Callable[[], Value], Callable[[], Value]]:
    """What makes the cotangents of the operands of a product of these letters.

    They are summed in the type of the result, and each operand keeps its precision.
    """
    left, right, out = letters

    def of_x() -> Value:
        one, other, type = g, y, x.tensor
        if g.tensor.dtype is not y.tensor.dtype:
            one, other = in_one_type(g, y)
        return rounded(product(one, other, (out, right, left), precision, type), type)

    def of_y() -> Value:
        one, other, type = g, x, y.tensor
        if g.tensor.dtype is not x.tensor.dtype:
            one, other = in_one_type(g, x)
        swapped = precision and (precision[1], precision[0])
        return rounded(product(one, other, (out, left, right), swapped, type), type)

    return of_x, of_y


def in_one_type(g: Value, value: Value) -> tuple[Value, Value]:
    """A cotangent and an operand that it is multiplied with, in the wider type of the two."""
    a, b = g.tensor.primitive, value.tensor.primitive
    if a == b:
        return g, value
    if b.bits > a.bits:
        return ops.convert(g, dtype=b), value
    return g, ops.convert(value, dtype=a)


def rounded(g: Value, type: TensorType) -> Value:
    """A cotangent in the element type of its value."""
    if g.tensor.dtype is type.dtype or g.tensor.dtype == type.dtype:
        return g
    converted: Value = ops.convert(g, dtype=type.primitive)
    return converted


def batched_dims(dims: DotDims, left: bool, right: bool) -> DotDims:
    """The dims of operands of which those that are batched have one more axis in front."""
    both = left and right
    shift_left, shift_right = int(left), int(right)
    first = (0,) if both else ()
    return dims._replace(
        lhs_batching=(*first, *[i + shift_left for i in dims.lhs_batching]),
        rhs_batching=(*first, *[i + shift_right for i in dims.rhs_batching]),
        lhs_contracting=tuple([i + shift_left for i in dims.lhs_contracting]),
        rhs_contracting=tuple([i + shift_right for i in dims.rhs_contracting]),
    )


def batch_place(dims: DotDims, lhs_rank: int, left: bool, right: bool) -> int:
    """Where the batch is in the result of `batched_dims`, given the rank that `lhs` had."""
    if left and right:
        return 0
    if left:
        return len(dims.lhs_batching)
    return lhs_rank - len(dims.lhs_contracting)
