"""Convolutions over one, two and three spatial axes, and transposed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir import ops
from dxir.errors import ShapeError
from dxir.locations import caller_location
from dxir.nn import initializers
from dxir.nn.initializers import Initializer, initialized
from dxir.nn.parameters import Parameters, float_type, positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, promoted
from dxir.tracing.arrays import Array
from dxir.types import f32

_SPATIAL = {1: "W", 2: "HW", 3: "DHW"}


@public
def init_conv(
    key: Any,
    inputs: int,
    outputs: int,
    window: int | Sequence[int],
    *,
    groups: int = 1,
    bias: bool = True,
    dtype: Any = f32,
    kernel: Initializer = initializers.he_normal,
) -> dict[str, Array]:
    """Parameters of `conv`: `kernel` `[outputs, inputs / groups, *window]` and `bias`, zeros.

    `window` has one entry for each of one to three spatial axes; an integer is a square window
    over two.
    """
    sizes, wanted = _window(window), float_type(dtype)
    if positive(inputs, "inputs") % positive(groups, "groups") or outputs % groups:
        raise ShapeError(
            f"{groups} groups do not divide {inputs} inputs and {outputs} outputs",
            where=caller_location(),
        )
    shape = (positive(outputs, "outputs"), inputs // groups, *sizes)
    params = {"kernel": initialized(kernel, key, shape, wanted, in_axes=(1,), out_axes=(0,))}
    if bias:
        params["bias"] = initializers.zeros(key, (outputs,), wanted)
    return params


def _window(window: int | Sequence[int]) -> tuple[int, ...]:
    sizes = (window, window) if isinstance(window, int) else tuple(window)
    if not 1 <= len(sizes) <= 3:
        raise ShapeError(
            f"the window {window!r} has {len(sizes)} axes, but convolutions have one to three",
            where=caller_location(),
        )
    return tuple([positive(n, "a size of the window") for n in sizes])


@public
def conv(
    params: Any,
    x: Any,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | Sequence[Sequence[int]] = "SAME",
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    layout: str | None = None,
) -> Array:
    """The convolution of images `x` `[N, C, *spatial]` with the kernel, plus the bias.

    The number of spatial axes is that of the kernel. `padding` is SAME (as many places as the
    stride leaves), VALID (none) or (low, high) pairs; `dilation` are the steps between the
    elements of the kernel. `layout` names another order of the axes of `x` and of the result, such
    as "NHWC". The kernel is the same for all layouts.
    """
    given = Parameters(params, "conv", "kernel", "bias")
    x, kernel, layout = _operands(given, array_of(x), layout)
    given.check_input(x, 0, layout.index("C"), kernel.shape[1] * groups, "kernel")
    bias = given.maybe("bias", kernel.shape[0])
    count = len(kernel.shape) - 2
    x, kernel = promoted(x, kernel)
    y: Array = getattr(ops, f"conv{count}d")(
        x,
        kernel,
        window_strides=strides,
        padding=padding,
        rhs_dilation=dilation,
        feature_group_count=groups,
        dimension_numbers=f"{layout},OI{_SPATIAL[count]},{layout}",
    )
    return _with_bias(y, bias, layout)


def _operands(given: Parameters, x: Array, layout: str | None) -> tuple[Array, Array, str]:
    """The input, the kernel, and the layout spelled out."""
    rank = len(x.shape)
    if not 3 <= rank <= 5:
        raise ShapeError(
            f"nn.{given.layer} is given {x.type}, but images have a batch axis, a feature axis "
            "and one to three spatial axes",
            where=caller_location(),
        )
    spatial = _SPATIAL[rank - 2]
    kernel = given.array("kernel", "outputs", "inputs", *spatial)
    found = f"NC{spatial}" if layout is None else layout
    if sorted(found) != sorted(f"NC{spatial}"):
        raise ShapeError(
            f"layout {layout!r} is none of an array of type {x.type}",
            where=caller_location(),
            hint=f"it has each of the letters N, C, {', '.join(spatial)} once",
        )
    return x, kernel, found


def _with_bias(y: Array, bias: Array | None, layout: str) -> Array:
    if bias is None:
        return y
    after = len(layout) - 1 - layout.index("C")
    shaped: Array = ops.reshape(bias, shape=(bias.shape[0], *[1] * after))
    found: Array = y + shaped
    return found


@public
def init_conv_transpose(
    key: Any,
    inputs: int,
    outputs: int,
    window: int | Sequence[int],
    *,
    bias: bool = True,
    dtype: Any = f32,
    kernel: Initializer = initializers.he_normal,
) -> dict[str, Array]:
    """Parameters of `conv_transpose`: `kernel` `[inputs, outputs, *window]` and `bias`, zeros."""
    sizes, wanted = _window(window), float_type(dtype)
    shape = (positive(inputs, "inputs"), positive(outputs, "outputs"), *sizes)
    params = {"kernel": initialized(kernel, key, shape, wanted, in_axes=(0,), out_axes=(1,))}
    if bias:
        params["bias"] = initializers.zeros(key, (outputs,), wanted)
    return params


@public
def conv_transpose(
    params: Any,
    x: Any,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | Sequence[Sequence[int]] = "SAME",
    layout: str | None = None,
) -> Array:
    """The transposed convolution of `x` `[N, C, *spatial]`, which enlarges it by the strides.

    With SAME padding the result has `size * stride` places along each spatial axis. The kernel is
    not flipped. `layout` is as in `conv`.
    """
    given = Parameters(params, "conv_transpose", "kernel", "bias")
    x, kernel, layout = _operands(given, array_of(x), layout)
    given.check_input(x, 0, layout.index("C"), kernel.shape[0], "kernel")
    bias = given.maybe("bias", kernel.shape[1])
    count = len(kernel.shape) - 2
    x, kernel = promoted(x, kernel)
    y: Array = getattr(ops, f"conv_transpose{count}d")(
        x,
        kernel,
        window_strides=1,
        lhs_dilation=strides,
        padding=padding,
        dimension_numbers=f"{layout},IO{_SPATIAL[count]},{layout}",
    )
    return _with_bias(y, bias, layout)
