"""What is done with gradients between computing and using them, and means of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dxir import ops
from dxir.control_flow.loops import scan
from dxir.errors import AttributeValueError, ShapeError
from dxir.locations import caller_location
from dxir.nn.optimizers import Params, trained
from dxir.nn.parameters import positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.tracing.trees import leaves_of, map_leaves
from dxir.transforms.gradients import value_and_grad
from dxir.types import f32, f64


@public
def global_norm(tree: Any) -> Array:
    """The Euclidean norm of all floats in a container, as if they were one vector.

    In f32, or in f64 if there is an array of that. It is infinite where the sum of squares is
    beyond the type.
    """
    arrays = [array_of(leaf) for leaf in leaves_of(tree) if trained(leaf)]
    wide = f64 if any(a.dtype == f64 for a in arrays) else f32
    total = array_of(0.0)
    for a in arrays:
        x = as_type(a, wide)
        total = ops.sum(x * x) + total
    return ops.sqrt(as_type(total, wide))


@public
def clip_by_global_norm(gradients: Params, limit: float) -> Params:
    """The gradients, all made smaller by one factor where their global norm exceeds `limit`."""
    _check_limit(limit)
    norm = global_norm(gradients)
    factor = float(limit) / ops.max(norm, float(limit))
    return _each(lambda g: g * as_type(factor, g.dtype), gradients)


@public
def clip_by_value(gradients: Params, limit: float) -> Params:
    """The gradients, each element brought into `-limit`..`limit`."""
    _check_limit(limit)
    return _each(lambda g: ops.max(ops.min(g, float(limit)), -float(limit)), gradients)


def _check_limit(limit: float) -> None:
    if not limit > 0:
        raise AttributeValueError(
            f"the limit is {limit}, but must be above 0", where=caller_location()
        )


def _each(function: Callable[[Array], Array], tree: Params) -> Params:
    """The floats of a container changed, computed in f32 where they are narrower."""

    def changed(leaf: Any) -> Any:
        if not trained(leaf):
            return leaf
        x = array_of(leaf)
        return as_type(function(as_type(x, x.dtype.accumulator)), x.dtype)

    found: Params = map_leaves(changed, tree)
    return found


@public
def ema(average: Params, params: Params, decay: float = 0.999) -> Params:
    """The running mean `decay average + (1 - decay) params` of parameters.

    Other leaves are those of `params`.
    """
    if not 0 <= decay <= 1:
        raise AttributeValueError(
            f"decay is {decay}, but must be from 0 to 1", where=caller_location()
        )

    def mixed(new: Any, old: Any) -> Any:
        if not trained(new):
            return new
        x, mean = array_of(new), array_of(old)
        wide = x.dtype.accumulator
        found = as_type(mean, wide) * decay + as_type(x, wide) * (1 - decay)
        return as_type(found, mean.dtype)

    found: Params = map_leaves(mixed, params, average)
    return found


@public
def accumulated_gradients(
    loss: Callable[..., Any], params: Params, *batch: Any, parts: int
) -> tuple[Array, Params]:
    """The loss and its gradients for a batch, of which one part after the other is in memory.

    Each array of the batch falls into `parts` equal runs along its first axis, and the means over
    the parts of `loss(params, *part)` and of its gradients are the result: those of the whole
    batch for a loss that is a mean over samples.
    """
    count = positive(parts, "parts")

    def divided(leaf: Any) -> Array:
        x = array_of(leaf)
        if not x.shape or x.shape[0] % count:
            raise ShapeError(
                f"an array of the batch has type {x.type}, and does not fall into {count} parts",
                where=caller_location(),
                hint="parts divides the size of the first axis of each",
            )
        return ops.reshape(x, shape=(count, x.shape[0] // count, *x.shape[1:]))

    def step(state: tuple[Array, Any], part: Any) -> tuple[Any, None]:
        value, gradients = value_and_grad(loss)(params, *part)
        share = 1.0 / count
        total, sums = state
        total = total + as_type(value, f32) * share
        sums = map_leaves(lambda s, g: s + as_type(g, s.dtype) * share, sums, gradients)
        return (total, sums), None

    sums = map_leaves(_wide_zeros, params)
    whole = map_leaves(divided, batch)
    (total, sums), _ = scan(step, (Array(np.zeros((), np.float32)), sums), whole)
    return total, map_leaves(lambda s, p: as_type(s, array_of(p).dtype), sums, params)


def _wide_zeros(leaf: Any) -> Array:
    x = array_of(leaf)
    return Array(np.zeros(x.shape, x.dtype.accumulator.numpy))
