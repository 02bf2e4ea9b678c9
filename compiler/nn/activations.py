"""Activation functions on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dxir import ops
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of
from dxir.tracing.arrays import Array


def _activation(op: str, summary: str) -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        found: Array = getattr(ops, op)(array_of(x))
        return found

    function.__name__ = function.__qualname__ = op
    function.__doc__ = summary
    return public(function)


hard_sigmoid = _activation("hard_sigmoid", "`(x + 3) / 6` clamped to 0..1.")
hard_swish = _activation("hard_swish", "`x` times its hard sigmoid (Howard et al., 2019).")
mish = _activation("mish", "`x tanh(softplus(x))` (Misra, 2019).")
relu = _activation("relu", "`max(x, 0)`; its derivative at 0 is 0.")
relu6 = _activation("relu6", "`x` clamped to 0..6.")
sigmoid = _activation("sigmoid", "The logistic function `1 / (1 + exp(-x))`.")
silu = _activation("silu", "`x` times its logistic (Elfwing et al., 2018), also called swish.")
softplus = _activation("softplus", "`log(1 + exp(x))`.")
softsign = _activation("softsign", "`x / (1 + |x|)`.")
tanh = _activation("tanh", "The hyperbolic tangent.")


@public
def gelu(x: Any, /, *, approximate: str = "none") -> Array:
    """`x` times the normal distribution function at `x` (Hendrycks and Gimpel, 2016).

    With `approximate="tanh"` it is `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.
    """
    return ops.gelu(array_of(x), approximate=approximate)


@public
def elu(x: Any, /, *, alpha: float = 1.0) -> Array:
    """`x` where positive, `alpha (exp(x) - 1)` elsewhere (Clevert et al., 2016)."""
    return ops.elu(array_of(x), alpha=alpha)


@public
def leaky_relu(x: Any, /, *, negative_slope: float = 0.01) -> Array:
    """`x` where it is 0 or more, `negative_slope x` elsewhere."""
    return ops.leaky_relu(array_of(x), negative_slope=negative_slope)


@public
def softmax(x: Any, /, *, axis: int = -1) -> Array:
    """`exp(x)` divided by its sum along `axis`."""
    return ops.softmax(array_of(x), axis=axis)


@public
def log_softmax(x: Any, /, *, axis: int = -1) -> Array:
    """The logarithm of the softmax along `axis`."""
    return ops.log_softmax(array_of(x), axis=axis)
