"""The operations of each op, by its name."""

from __future__ import annotations

import math
from collections.abc import Callable

from dxir.costs import windows
from dxir.costs.asked import Asked, Work
from dxir.costs.elementwise import ARITHMETIC, TRANSCENDENTAL, elementwise
from dxir.costs.sizes import UnknownSize

Formula = Callable[[Asked], Work]


def _reduce(asked: Asked) -> Work:
    """The reducer once for each element but one of each result, as `HandleReduce` of XLA."""
    return asked.region(0, max(asked.operand_elements(0) - asked.elements, 0))


def _map(asked: Asked) -> Work:
    """The body once for each element."""
    return asked.region(0, asked.elements)


def _scatter(asked: Asked) -> Work:
    """The body once for each element of the updates, as `HandleScatter` of XLA."""
    return asked.region(0, asked.operand_elements(len(asked.operands) - 1))


def _sort(asked: Asked) -> Work:
    """`n ceil(log2 n)` comparisons of each line of `n` elements, those of a merge sort.

    Knuth, The Art of Computer Programming, 5.2.4. XLA has the logarithm of all elements in place
    of those of a line, and leaves out what the comparison does.
    """
    shape = asked.shape(asked.operands[0])
    axis = asked.integer("dimension", -1)
    length = shape[axis] if shape else 1
    return asked.region(0, math.prod(shape) * _log2(length))


def _top_k(asked: Asked) -> Work:
    """The comparisons of sorting each line."""
    shape = asked.shape(asked.operands[0])
    return Work(math.prod(shape) * _log2(shape[-1] if shape else 1))


def _log2(length: int) -> int:
    """The logarithm, rounded up."""
    return (length - 1).bit_length() if length > 1 else 0


def _fft(asked: Asked) -> Work:
    """`5 n log2 n` for a transform of `n` complex numbers, half of it for real ones.

    It is the count of FFTW's benchmarks (Frigo and Johnson, "The design and implementation of
    FFTW3", 2005). `HandleFft` of XLA has `8 n` times the product of the logarithms of the axes.
    """
    lengths = asked.integers("fft_length") or []
    count = math.prod(lengths)
    if not count:
        return Work()
    is_real = "RFFT" in str(asked.attribute("fft_type"))  # of IRFFT, too
    larger = max(asked.operand_elements(0), asked.elements)
    transforms = larger // max(count, 1)
    return Work(round((2.5 if is_real else 5) * transforms * count * math.log2(count)))


def _cholesky(asked: Asked) -> Work:
    """`n^3 / 3` for each matrix (Golub and Van Loan, Matrix Computations, 4.2), as XLA has it."""
    shape = asked.shape(asked.operands[0])
    scale = 4 if asked.is_complex else 1
    return Work(scale * math.prod(shape) * shape[-1] // 3)


def _triangular_solve(asked: Asked) -> Work:
    """`n^2` for each right hand side (Golub and Van Loan, Matrix Computations, 3.1).

    `HandleTriangularSolve` of XLA has twice that, as for a full matrix.
    """
    scale = 4 if asked.is_complex else 1
    return Work(scale * asked.shape(asked.operands[0])[-1] * asked.operand_elements(1))


def _batch_norm_inference(asked: Asked) -> Work:
    """Of an element a difference, two products and a sum; of a feature a sum and an rsqrt."""
    features = asked.operand_elements(1)
    return Work(4 * asked.elements + features, features)


def _batch_norm_training(asked: Asked) -> Work:
    """Of an element 1 for the mean, 3 for the variance, 4 to normalize; of a feature 3, an rsqrt.

    XLA counts nothing of batch norms before it expands them.
    """
    features = asked.operand_elements(1)
    return Work(8 * asked.elements + 3 * features, features)


def _batch_norm_grad(asked: Asked) -> Work:
    """Of an element 2 to normalize again, 3 for two sums, 5 for the gradient; of a feature 6."""
    features = asked.operand_elements(1)
    return Work(10 * asked.elements + 6 * features, features)


def _ragged_dot(asked: Asked) -> Work:
    """Of each row of the left side a product with one of the matrices of the right side.

    2 for each product, where the groups have all rows; the mode with a ragged contraction has as
    many products, and so has the one with a ragged batch.
    """
    if len(asked.operands) < 2:
        raise UnknownSize("its operands cannot be read")
    left, right = asked.shape(asked.operands[0]), asked.shape(asked.operands[1])
    if (len(left), len(right)) != (2, 3) or len(asked.shape(asked.results[0])) != 2:
        raise UnknownSize("only ragged products of rows [m, k] with matrices [g, k, n] are known")
    return Work(2 * left[0] * right[1] * right[2])


def _no_work(_: Asked) -> Work:
    return Work()


def _unknown(why: str) -> Formula:
    def formula(_: Asked) -> Work:
        raise UnknownSize(why)

    return formula


MOVES = (
    "bitcast_convert", "broadcast", "broadcast_in_dim", "complex", "concatenate", "constant",
    "constant_like", "dynamic_broadcast_in_dim", "dynamic_gather", "dynamic_iota", "dynamic_pad",
    "dynamic_reshape", "dynamic_slice", "dynamic_update_slice", "gather", "get_dimension_size",
    "imag", "iota", "pad", "real", "real_dynamic_slice", "reshape", "reverse",
    "set_dimension_size", "slice", "torch_index_select", "transpose", "broadcast_complex",
    "after_all", "create_token", "get_tuple_element", "infeed", "optimization_barrier", "outfeed",
    "partition_id", "recv", "replica_id", "return", "send", "tuple",
)  # fmt: skip
"""Ops that compute nothing; XLA counts `real`, `imag`, `complex` and `bitcast_convert`."""

FORMULAS: dict[str, Formula] = {
    **dict.fromkeys(MOVES, _no_work),
    "batch_norm_grad": _batch_norm_grad,
    "batch_norm_inference": _batch_norm_inference,
    "batch_norm_training": _batch_norm_training,
    "cholesky": _cholesky,
    "convolution": windows.convolution,
    "dot": windows.dot,
    "dot_general": windows.dot_general,
    "dynamic_conv": _unknown("its padding is a value"),
    "einsum": _unknown("an einsum is written as dot_general first"),
    "unary_einsum": _unknown("an einsum is written as other ops first"),
    "fft": _fft,
    "map": _map,
    "ragged_dot": _ragged_dot,
    "reduce": _reduce,
    "reduce_window": windows.reduce_window,
    "scatter": _scatter,
    "select_and_scatter": windows.select_and_scatter,
    "sort": _sort,
    "top_k": _top_k,
    "triangular_solve": _triangular_solve,
}


def work_of(name: str, asked: Asked) -> Work:
    """The operations of an op, by its name without the dialect.

    UnknownSize, with the reason, where they are not known.
    """
    formula = FORMULAS.get(name)
    if formula is not None:
        return formula(asked)
    if name in ARITHMETIC or name in TRANSCENDENTAL:
        return elementwise(name, asked)
    raise UnknownSize("nothing tells what it costs")
