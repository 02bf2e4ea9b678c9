"""The work of ops that make each element of their result on its own.

An element of exp, log and the like is one transcendental, of any other op one operation, as XLA
counts (`HandleElementwiseOp` of its `hlo_cost_analysis.cc`; there comparisons, integers and
conversions count as well). Operations on complex numbers are counted in real ones, which XLA does
not: 2 for an addition, 6 for a product, 11 for a quotient (the product with the conjugate, the
square of the absolute value, two divisions), 3 and a square root for an absolute value.
"""

from __future__ import annotations

from dxir.costs.asked import Asked, Work

TRANSCENDENTAL = frozenset(
    (
        "atan2", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one",
        "logistic", "power", "rsqrt", "sine", "sqrt", "tan", "tanh",
        "rng", "rng_bit_generator",
        # Of CHLO; XLA counts the polynomials that these become.
        "_asin_acos_kernel", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e",
        "broadcast_atan2", "broadcast_polygamma", "broadcast_power", "broadcast_zeta", "cosh",
        "digamma", "erf", "erf_inv", "erfc", "lgamma", "polygamma", "sinh", "zeta",
    )
)  # fmt: skip
"""Ops with a transcendental for each element; random numbers are such, as XLA has it."""

ARITHMETIC = frozenset(
    (
        "abs", "add", "and", "ceil", "clamp", "compare", "convert", "count_leading_zeros", "divide",
        "floor", "is_finite", "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt",
        "reduce_precision", "remainder", "round_nearest_afz", "round_nearest_even", "select",
        "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "subtract", "xor",
        "uniform_dequantize", "uniform_quantize",
        "broadcast_add", "broadcast_and", "broadcast_compare", "broadcast_divide",
        "broadcast_maximum", "broadcast_minimum", "broadcast_multiply", "broadcast_next_after",
        "broadcast_or", "broadcast_remainder", "broadcast_select", "broadcast_shift_left",
        "broadcast_shift_right_arithmetic", "broadcast_shift_right_logical", "broadcast_subtract",
        "broadcast_xor", "conj", "is_inf", "is_neg_inf", "is_pos_inf", "mulhi", "next_after",
        "square",
    )
)  # fmt: skip
"""Ops with an operation for each element."""

_COMPLEX = {
    **dict.fromkeys(("multiply", "broadcast_multiply", "square"), 6),
    **dict.fromkeys(("divide", "broadcast_divide"), 11),
    "conj": 1,
}


def elementwise(name: str, asked: Asked) -> Work:
    """The work of an elementwise op."""
    count = asked.elements
    if name in TRANSCENDENTAL:
        return Work(0, sum([asked.sizes.elements(type) for type in asked.results]))
    if not asked.is_complex:
        return Work(count)
    if name == "abs":
        return Work(3 * count, count)
    return Work(_COMPLEX.get(name, 2) * count)
