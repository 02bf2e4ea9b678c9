"""SiLU (swish): `x sigmoid(x)`.

    sigmoid  logistic(x), 1 / (1 + exp(-x)), 0.5 (1 + tanh(x / 2))
    silu     x sigmoid(x), x / (1 + exp(-x))

A sigmoid alone stays as it is: it is an op of StableHLO. `x sigmoid(1.702 x)` is a gelu.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import exp, floats, logistic, tanh
from dxir.pattern import Either, Minus, Number, Over, Pattern, Product, Rule, Total, Var


def sigmoid(x: Pattern) -> Pattern:
    """The logistic function of a value."""
    half = Number(0.5)
    return Either(
        logistic(x),
        Over(Total(Number(1.0), exp(Minus(x)))),
        Product(half, Total(Number(1.0), tanh(Product(half, x)))),
    )


def silu(x: Pattern) -> Pattern:
    """A value times its logistic."""
    half = Number(0.5)
    return Either(
        Product(x, sigmoid(x)),
        Product(half, x, Total(Number(1.0), tanh(Product(half, x)))),
    )


RULES = (Rule("silu", (silu(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),)
