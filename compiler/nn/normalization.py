"""Layers that bring numbers to mean 0 and variance 1, or to mean square 1.

Statistics are computed in f32 for narrower floats; the result has the element type of `x`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dxir import checks, ops
from dxir.errors import AttributeValueError, OperandError, ShapeError
from dxir.locations import caller_location
from dxir.nn.parameters import Parameters, float_type, positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.types import DType, f32


def _filled(size: int, value: float, dtype: Any) -> Array:
    return Array(np.full((positive(size, "width"),), value).astype(float_type(dtype).numpy))


def _fitting(x: Array | None, dtype: DType) -> Array | None:
    """A parameter in a type that may stand beside an input of this type."""
    if x is None or x.dtype in (dtype, dtype.accumulator):
        return x
    return as_type(x, dtype)


@public
def init_layer_norm(width: int, *, bias: bool = True, dtype: Any = f32) -> dict[str, Array]:
    """Parameters of `layer_norm` and `group_norm`: `scale` of ones and `offset` of zeros."""
    params = {"scale": _filled(width, 1, dtype)}
    if bias:
        params["offset"] = _filled(width, 0, dtype)
    return params


init_group_norm = init_layer_norm


@public
def layer_norm(params: Any, x: Any, *, epsilon: float = 1e-5) -> Array:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` over the last axis.

    See Ba et al. (2016).
    """
    given = Parameters(params, "layer_norm", "scale", "offset")
    x = array_of(x)
    scale = given.array("scale", "width")
    given.check_input(x, 1, -1, scale.shape[0], "scale")
    offset = given.maybe("offset", *scale.shape)
    found: Array = ops.layer_norm(
        x, _fitting(scale, x.dtype), _fitting(offset, x.dtype), axis=-1, epsilon=epsilon
    )
    return found


@public
def init_rms_norm(width: int, *, dtype: Any = f32) -> dict[str, Array]:
    """Parameters of `rms_norm`: `scale`, ones."""
    return {"scale": _filled(width, 1, dtype)}


@public
def rms_norm(params: Any, x: Any, *, epsilon: float = 1e-5) -> Array:
    """`x / sqrt(mean(x^2) + epsilon) * scale` over the last axis (Zhang and Sennrich, 2019)."""
    given = Parameters(params, "rms_norm", "scale")
    x = array_of(x)
    scale = given.array("scale", "width")
    given.check_input(x, 1, -1, scale.shape[0], "scale")
    found: Array = ops.rms_norm(x, _fitting(scale, x.dtype), axis=-1, epsilon=epsilon)
    return found


@public
def group_norm(
    params: Any, x: Any, groups: int, *, epsilon: float = 1e-5, feature_axis: int = 1
) -> Array:
    """Normalization over groups of features and all axes but the batch (Wu and He, 2018).

    The batch is axis 0.
    """
    given = Parameters(params, "group_norm", "scale", "offset")
    x = array_of(x)
    scale = given.array("scale", "width")
    given.check_input(x, 2, checks.axis(feature_axis, len(x.shape)), scale.shape[0], "scale")
    offset = given.maybe("offset", *scale.shape)
    found: Array = ops.group_norm(
        x,
        _fitting(scale, x.dtype),
        _fitting(offset, x.dtype),
        groups=groups,
        feature_index=feature_axis,
        epsilon=epsilon,
    )
    return found


class BatchNormState(NamedTuple):
    """Running means, and running variances, of each feature."""

    mean: Any
    variance: Any


@public
def init_batch_norm(width: int, *, dtype: Any = f32) -> tuple[dict[str, Array], BatchNormState]:
    """Parameters of `batch_norm`, and the state before the first batch, in f32."""
    wide = float_type(dtype).accumulator
    return init_layer_norm(width, dtype=dtype), BatchNormState(
        _filled(width, 0, wide), _filled(width, 1, wide)
    )


@public
def batch_norm(
    params: Any,
    x: Any,
    state: BatchNormState,
    *,
    training: bool,
    decay: float = 0.9,
    epsilon: float = 1e-5,
    feature_axis: int = 1,
) -> tuple[Array, BatchNormState]:
    """`x` normalized over all axes but that of the features (Ioffe and Szegedy, 2015).

    In training the statistics are those of the batch, which the running ones are moved towards:
    `decay * running + (1 - decay) * batch`, with the biased variance. Otherwise they are the
    running ones. Beside `x` normalized the next state is given, the same one if not in training.
    """
    given = Parameters(params, "batch_norm", "scale", "offset")
    if not isinstance(state, BatchNormState):
        raise OperandError(
            f"nn.batch_norm takes a BatchNormState, not {type(state).__name__}",
            where=caller_location(),
            hint="params, state = nn.init_batch_norm(features)",
        )
    if not 0 <= decay <= 1:
        raise AttributeValueError(f"decay is {decay}, but must be from 0 to 1")
    x = array_of(x)
    axis = checks.axis(feature_axis, len(x.shape))
    scale = given.array("scale", "width")
    given.check_input(x, 2, axis, scale.shape[0], "scale")
    wide = x.dtype.accumulator
    spelled = x.type.is_static  # in two passes over the numbers, which backends do in one
    offset = given.maybe("offset", *scale.shape)
    shift = ops.full_like(scale, value=0) if offset is None else offset
    operands = [as_type(v, wide) for v in (x, scale, shift)]
    means = [_statistic(s, scale.shape, n) for s, n in zip(state, state._fields, strict=True)]
    if not training:
        running = [as_type(m, wide) for m in means]
        y = ops.batch_norm_inference(
            *operands, *running, epsilon=epsilon, feature_index=axis, expand=spelled
        )
        return as_type(y, x.dtype), state
    y, *batch = ops.batch_norm_training(
        *operands, epsilon=epsilon, feature_index=axis, expand=spelled
    )
    moved = [
        m * decay + as_type(b, m.dtype) * (1 - decay) for m, b in zip(means, batch, strict=True)
    ]
    return as_type(y, x.dtype), BatchNormState(*moved)


def _statistic(given: Any, shape: tuple[Any, ...], name: str) -> Array:
    found = array_of(given)
    if found.shape != shape:
        raise ShapeError(
            f"the {name} of the state of nn.batch_norm has type {found.type}, but there are "
            f"{shape[0]} features",
            where=caller_location(),
        )
    return found
