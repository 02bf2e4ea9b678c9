"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from typing import Any

from dxir import ops
from dxir.errors import OperandError, ShapeError
from dxir.numpy.arguments import arrays_in, axis_of, integer, public
from dxir.numpy.composed import conj
from dxir.numpy.elementwise import check_kind
from dxir.numpy.promotion import promoted
from dxir.tracing.arrays import Array
from dxir.types import same_dimension

_NUMBERS = "int uint float complex"


@public
def matmul(x1: Any, x2: Any, /, *, precision: Any = None) -> Array:
    """The product of matrices (the last two axes), for each element of the others."""
    a, b = promoted(x1, x2)
    check_kind(a, _NUMBERS, "matmul")
    if not a.shape or not b.shape:
        raise ShapeError("matmul takes no scalars", hint="x * y multiplies by one")
    return ops.matmul(a, b, precision=precision)


@public
def dot(x1: Any, x2: Any, /) -> Array:
    """The sums of products over the last axis of the first and the last but one of the second."""
    a, b = promoted(x1, x2)
    if not a.shape or not b.shape:
        return ops.mul(a, b)
    if len(a.shape) < 3 and len(b.shape) < 3:
        return ops.matmul(a, b)
    return tensordot(a, b, axes=((-1,), (-1 if len(b.shape) == 1 else -2,)))


@public
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """The sums of products over axes: the last `axes` of the first and as many first ones of
    the second, or a pair of lists that name them."""
    a, b = promoted(x1, x2)
    check_kind(a, _NUMBERS, "tensordot")
    if isinstance(axes, (tuple, list)):
        pair = [[p] if isinstance(p, int) else list(p) for p in axes]
        if len(pair) != 2 or len(pair[0]) != len(pair[1]):
            raise ShapeError(f"tensordot: axes is {axes!r}", hint="give two lists of one length")
        left, right = pair
    else:
        count = integer(axes, "axes")
        if not 0 <= count <= min(len(a.shape), len(b.shape)):
            raise ShapeError(f"tensordot: {count} axes of {a.type} and {b.type}")
        left = list(range(len(a.shape) - count, len(a.shape)))
        right = list(range(count))
    left = [axis_of(i, len(a.shape)) for i in left]
    right = [axis_of(i, len(b.shape)) for i in right]
    return ops.dot_general(a, b, lhs_contracting=tuple(left), rhs_contracting=tuple(right))


@public
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The inner products of vectors along an axis, the first of them conjugated."""
    a, b = promoted(x1, x2)
    check_kind(a, _NUMBERS, "vecdot")
    if not a.shape or not b.shape:
        raise ShapeError("vecdot takes no scalars")
    least = min(len(a.shape), len(b.shape))
    number = integer(axis, "axis")
    at = number if number < 0 else number - max(len(a.shape), len(b.shape))
    if not -least <= at < 0:
        raise ShapeError(f"vecdot: axis {axis} is not in both {a.type} and {b.type}")
    if not same_dimension(a.shape[at], b.shape[at]):
        raise ShapeError(f"vecdot: vectors of {a.shape[at]} and {b.shape[at]} elements")
    product = ops.mul(conj(a), b)
    return ops.sum(product, axes=(len(product.shape) + at,))


@public
def outer(x1: Any, x2: Any, /) -> Array:
    """The products of each element of one vector with each of another."""
    a, b = promoted(x1, x2)
    if len(a.shape) != 1 or len(b.shape) != 1:
        raise ShapeError(f"outer takes two vectors, not {a.type} and {b.type}")
    return tensordot(a, b, axes=0)


@public
def einsum(subscripts: str, /, *operands: Any, precision: Any = None) -> Array:
    """Sums of products by names of axes: `einsum("ij,jk->ik", a, b)`."""
    if not isinstance(subscripts, str):
        raise OperandError(
            f"einsum: the first argument is {type(subscripts).__name__}",
            hint='it names the axes: einsum("ij,jk->ik", a, b)',
        )
    arrays = promoted(*arrays_in(operands, "einsum"))
    return ops.einsum(subscripts, list(arrays), precision=precision)
