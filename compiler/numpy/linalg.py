"""The linear algebra extension of the Python array API standard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, ShapeError
from dxir.numpy.arguments import axes_of, axis_of, inexact, integer, known, made, public
from dxir.numpy.composed import sign
from dxir.numpy.creation import eye
from dxir.numpy.elementwise import abs as magnitude
from dxir.numpy.elementwise import check_kind, truth
from dxir.numpy.manipulation import matrix_transpose as matrix_transpose
from dxir.numpy.manipulation import moveaxis, stack
from dxir.numpy.products import matmul as matmul
from dxir.numpy.products import outer as outer
from dxir.numpy.products import tensordot as tensordot
from dxir.numpy.products import vecdot as vecdot
from dxir.numpy.promotion import array_of, promoted
from dxir.numpy.sizes import reshaped, spread
from dxir.numpy.statistical import sum as total_of
from dxir.other_names import no_attribute
from dxir.tracing.arrays import Array

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm",
    "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve",
    "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip

if not TYPE_CHECKING:  # to type checkers, other names are mistakes

    def __getattr__(name):
        raise no_attribute(
            "dxir.numpy.linalg",
            name,
            __all__,
            {"norm": "linalg.vector_norm or linalg.matrix_norm", "eig": "linalg.eigh"},
        )


_NO_OP = "there is no op for singular values, so that it depends on the elements"


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and the eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """A matrix with orthonormal columns, and an upper triangular one."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its magnitude."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """Left singular vectors, singular values in descending order, right singular vectors."""

    U: Array
    S: Array
    Vh: Array


def _matrices(x: Any, what: str, *, square: bool = False) -> Array:
    array = inexact(x)
    if len(array.shape) < 2:
        raise ShapeError(
            f"{what} takes matrices, not {array.type}", hint="give an array of two axes or more"
        )
    if square and array.shape[-1] != array.shape[-2]:
        raise ShapeError(
            f"{what} takes square matrices, not {array.type}",
            hint="the last two axes must have one size; qr takes others",
        )
    return array


@public
def cholesky(x: Any, /, *, upper: bool = False) -> Array:
    """The triangular factor of a positive definite matrix; NaN where it is not one."""
    array = _matrices(x, "cholesky", square=True)
    return ops.cholesky(array, lower_triangle=not upper)


@public
def det(x: Any, /) -> Array:
    """The determinant of square matrices."""
    return ops.det(_matrices(x, "det", square=True))


@public
def slogdet(x: Any, /) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its magnitude, which cannot overflow."""
    array = _matrices(x, "slogdet", square=True)
    size = array.shape[-1]
    factors, pivots, _ = ops.lu(array)
    inner = diagonal(factors)
    swaps = ops.compare(pivots, np.arange(size, dtype=np.int32), direction="NE")
    odd = ops.rem(ops.sum(ops.convert(swaps, dtype="i32"), axes=(len(swaps.shape) - 1,)), 2)
    axes = (len(inner.shape) - 1,)
    signs = ops.prod(sign(inner), axes=axes)
    found = ops.select(ops.compare(odd, 1, direction="EQ"), ops.neg(signs), signs)
    return SlogdetResult(found, ops.sum(ops.log(ops.abs(inner)), axes=axes))


@public
def eigh(x: Any, /) -> EighResult:
    """The eigenvalues and eigenvectors of symmetric or Hermitian matrices."""
    return EighResult(*ops.eigh(_matrices(x, "eigh", square=True)))


@public
def eigvalsh(x: Any, /) -> Array:
    """The eigenvalues of symmetric or Hermitian matrices, in ascending order."""
    return eigh(x).eigenvalues


@public
def inv(x: Any, /) -> Array:
    """The inverse of square matrices."""
    return ops.inv(_matrices(x, "inv", square=True))


@public
def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    """Orthonormal columns and an upper triangle whose product is the matrix."""
    if mode not in ("reduced", "complete"):
        raise AttributeValueError(f"qr: mode is {mode!r}", hint='"reduced" or "complete"')
    return QRResult(*ops.qr(_matrices(x, "qr"), full_matrices=mode == "complete"))


@public
def solve(x1: Any, x2: Any, /) -> Array:
    """`x` of `x1 @ x = x2`, where `x2` is one vector, or matrices whose columns are solved for."""
    a, b = promoted(inexact(x1), inexact(x2))
    _matrices(a, "solve", square=True)
    if len(b.shape) == 1:
        batch = a.shape[:-2]
        b = spread(reshaped(b, (b.shape[0], 1)), (*batch, b.shape[0], 1))
        found = ops.solve(a, b)
        return reshaped(found, found.shape[:-1])
    return ops.solve(a, b)


@public
def matrix_power(x: Any, n: int, /) -> Array:
    """Square matrices multiplied by themselves; of the inverse, for negative powers."""
    power = integer(n, "n")
    array = array_of(x)
    if len(array.shape) < 2 or array.shape[-1] != array.shape[-2]:
        raise ShapeError(f"matrix_power takes square matrices, not {array.type}")
    if power < 0:
        array, power = inv(array), -power
    if not power:
        return spread(eye(array.shape[-1], dtype=array.dtype), array.shape)
    found: Array | None = None
    while power:
        if power & 1:
            found = array if found is None else ops.matmul(found, array)
        power >>= 1
        if power:
            array = ops.matmul(array, array)
    return Array(found)


@public
def diagonal(x: Any, /, *, offset: int = 0) -> Array:
    """The elements on a diagonal of matrices."""
    array = array_of(x)
    if len(array.shape) < 2:
        raise ShapeError(f"diagonal takes matrices, not {array.type}")
    rows, columns = array.type.static_shape[-2:]
    above = integer(offset, "offset")
    start = above if above >= 0 else -above * columns
    count = max(0, min(rows, columns - above) if above >= 0 else min(rows + above, columns))
    flat = reshaped(array, (*array.shape[:-2], rows * columns))
    start = start if count else 0
    stop = start + (count - 1) * (columns + 1) + 1 if count else 0
    return flat[..., start : stop : columns + 1]


@public
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """The sums of the elements on a diagonal of matrices."""
    return total_of(diagonal(x, offset=offset), axis=-1, dtype=dtype)


@public
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The cross products of vectors of three elements along an axis."""
    a, b = promoted(x1, x2)
    check_kind(a, "int uint float complex", "cross")
    number = integer(axis, "axis")
    for x in (a, b):
        if x.shape[axis_of(number, len(x.shape))] != 3:
            raise ShapeError(f"cross takes vectors of 3 elements, not {x.type} along axis {axis}")
    (a0, a1, a2), (b0, b1, b2) = (
        [m[..., i] for i in range(3)] for m in (moveaxis(a, number, -1), moveaxis(b, number, -1))
    )
    parts = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return moveaxis(stack(parts, axis=-1), -1, number)


@public
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """The norm of the elements along axes: the root of the sum of their powers by `ord`."""
    array = inexact(x)
    axes = axes_of(axis, len(array.shape))
    size = magnitude(array)
    if ord == 2:
        return ops.sqrt(ops.sum(ops.mul(size, size), axes=axes, keepdims=keepdims))
    if ord in (math.inf, -math.inf):
        reduce = ops.reduce_max if ord > 0 else ops.reduce_min
        return reduce(size, axes=axes, keepdims=keepdims)
    if ord == 0:
        counted = ops.convert(truth(array), dtype=size.dtype)
        return ops.sum(counted, axes=axes, keepdims=keepdims)
    if ord == 1:
        return ops.sum(size, axes=axes, keepdims=keepdims)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise AttributeValueError(f"vector_norm: ord is {ord!r}", hint="it must be a number")
    total = ops.sum(ops.pow(size, float(ord)), axes=axes, keepdims=keepdims)
    return ops.pow(total, 1.0 / ord)


@public
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """The norm of matrices: "fro", 1, -1, inf and -inf; 2, -2 and "nuc" of known numbers."""
    array = _matrices(x, "matrix_norm")
    rows, columns = len(array.shape) - 2, len(array.shape) - 1
    if ord == "fro":
        return vector_norm(array, axis=(rows, columns), keepdims=keepdims)
    if ord in (2, -2, "nuc"):
        numbers = known(array, "matrix_norm", _NO_OP)
        return made(np.linalg.norm(numbers, ord, (-2, -1), keepdims))
    if ord not in (1, -1, math.inf, -math.inf):
        raise AttributeValueError(f"matrix_norm: ord is {ord!r}", hint='"fro", "nuc", 1, 2 or inf')
    over, along = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = ops.sum(magnitude(array), axes=(over,), keepdims=True)
    reduce = ops.reduce_max if ord > 0 else ops.reduce_min
    found = reduce(sums, axes=(along,), keepdims=True)
    return found if keepdims else reshaped(found, array.shape[:-2])


@public
def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular values and vectors, of known numbers; refused while tracing."""
    numbers = known(_matrices(x, "svd"), "svd", _NO_OP)
    return SVDResult(*map(made, np.linalg.svd(numbers, full_matrices=full_matrices)))


@public
def svdvals(x: Any, /) -> Array:
    """Singular values in descending order, of known numbers; refused while tracing."""
    numbers = known(_matrices(x, "svdvals"), "svdvals", _NO_OP)
    return made(np.linalg.svd(numbers, compute_uv=False))


@public
def matrix_rank(x: Any, /, *, rtol: Any = None) -> Array:
    """How many singular values are not negligible, of known numbers; refused while tracing."""
    numbers = known(_matrices(x, "matrix_rank"), "matrix_rank", _NO_OP)
    relative: Any = None if rtol is None else np.asarray(rtol)
    return made(np.asarray(np.linalg.matrix_rank(numbers, rtol=relative), np.int32))


@public
def pinv(x: Any, /, *, rtol: Any = None) -> Array:
    """The pseudo-inverse, of known numbers; refused while tracing."""
    numbers = known(_matrices(x, "pinv"), "pinv", _NO_OP)
    relative: Any = None if rtol is None else np.asarray(rtol)
    return made(np.linalg.pinv(numbers, rtol=relative))
