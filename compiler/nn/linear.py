"""Linear layers and tables of vectors."""

from __future__ import annotations

from typing import Any

from dxir import ops
from dxir.nn import initializers
from dxir.nn.initializers import Initializer, initialized
from dxir.nn.parameters import Parameters, float_type, positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, promoted
from dxir.tracing.arrays import Array
from dxir.types import f32

_SMALL = initializers.normal(0.02)


@public
def init_linear(
    key: Any,
    inputs: int,
    outputs: int,
    *,
    bias: bool = True,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
) -> dict[str, Array]:
    """Parameters of `linear`: `kernel` `[inputs, outputs]` and `bias` `[outputs]`, zeros."""
    wanted = float_type(dtype)
    shape = (positive(inputs, "inputs"), positive(outputs, "outputs"))
    params = {"kernel": initialized(kernel, key, shape, wanted, in_axes=(-2,), out_axes=(-1,))}
    if bias:
        params["bias"] = initializers.zeros(key, shape[1:], wanted)
    return params


@public
def linear(params: Any, x: Any) -> Array:
    """`x @ kernel + bias` for `x` `[..., inputs]`; without `bias` where the params have none."""
    given = Parameters(params, "linear", "kernel", "bias")
    kernel = given.array("kernel", "inputs", "outputs")
    bias = given.maybe("bias", kernel.shape[1])
    x = array_of(x)
    given.check_input(x, 1, -1, kernel.shape[0], "kernel")
    y = product(x, kernel)
    return y if bias is None else y + bias


def product(x: Array, kernel: Array) -> Array:
    """Sums over the last axis of `x` and the first of a kernel, whose other axes come last."""
    x, kernel = promoted(x, kernel)
    return ops.dot_general(x, kernel, lhs_contracting=(len(x.shape) - 1,), rhs_contracting=(0,))


@public
def init_embedding(
    key: Any,
    count: int,
    width: int,
    *,
    dtype: Any = f32,
    table: Initializer = _SMALL,
) -> dict[str, Array]:
    """Parameters of `embedding`: a `table` `[count, width]` of vectors."""
    shape = (positive(count, "count"), positive(width, "width"))
    return {"table": initialized(table, key, shape, float_type(dtype))}


@public
def embedding(params: Any, ids: Any, *, padding_index: int | None = None) -> Array:
    """The rows of the table that integers name: `[*ids.shape, width]`.

    Integers out of range name the nearest row; those of `padding_index` give zeros, and no
    gradient.
    """
    table = Parameters(params, "embedding", "table").array("table", "count", "width")
    return ops.embedding(table, array_of(ids), padding_index=padding_index)


@public
def attend(params: Any, x: Any) -> Array:
    """The products of `x` `[..., width]` with each vector of an embedding: `[..., count]`.

    These are logits that share their weights with the embedding.
    """
    given = Parameters(params, "embedding", "table")
    table = given.array("table", "count", "width")
    x = array_of(x)
    given.check_input(x, 1, -1, table.shape[1], "table")
    x, table = promoted(x, table)
    found: Array = ops.dot_general(
        x, table, lhs_contracting=(len(x.shape) - 1,), rhs_contracting=(1,)
    )
    return found
