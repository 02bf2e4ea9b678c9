"""Attention of several heads, with rotary positions and a cache of keys and values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from dxir import checks, ops, random
from dxir.errors import AttributeValueError, OperandError, ShapeError
from dxir.locations import caller_location
from dxir.nn import initializers
from dxir.nn.initializers import Initializer, initialized
from dxir.nn.linear import product
from dxir.nn.parameters import Parameters, float_type, iota, positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type, promoted
from dxir.numpy.sizes import spread
from dxir.tracing.arrays import Array
from dxir.types import f32, i1, i32


@public
def init_attention(
    key: Any,
    width: int,
    heads: int,
    *,
    kv_heads: int | None = None,
    head_width: int | None = None,
    bias: bool = False,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
) -> dict[str, dict[str, Array]]:
    """Parameters of `attention`: `query`, `key`, `value` and `output`, each with a `kernel`.

    The first three are `[width, heads, head_width]`, the last `[heads, head_width, width]`. Fewer
    `kv_heads` each serve several heads in a row (Ainslie et al., 2023). `head_width` is
    `width / heads` unless given.
    """
    wanted = float_type(dtype)
    count = positive(heads, "heads") if kv_heads is None else positive(kv_heads, "kv_heads")
    if heads % count or (head_width is None and positive(width, "width") % heads):
        raise ShapeError(
            f"{width} elements do not fall into {heads} heads, with {count} of keys and values",
            where=caller_location(),
            hint="heads divides width unless head_width is given, and kv_heads divides heads",
        )
    size = width // heads if head_width is None else positive(head_width, "head_width")
    keys = random.split(key, 4)
    params: dict[str, dict[str, Array]] = {}
    names = ("query", "key", "value", "output")
    for i, (name, n) in enumerate(zip(names, (heads, count, count, heads), strict=True)):
        ends = name == "output"
        shape = (n, size, width) if ends else (width, n, size)
        axes = (
            {"in_axes": (0, 1), "out_axes": (2,)} if ends else {"in_axes": (0,), "out_axes": (1, 2)}
        )
        params[name] = {"kernel": initialized(kernel, keys[i], shape, wanted, **axes)}
        if bias:
            zeros = shape[2:] if ends else shape[1:]
            params[name]["bias"] = initializers.zeros(keys[i], zeros, wanted)
    return params


class KVCache(NamedTuple):
    """Keys and values of the positions so far: `[*batch, kv_heads, length, head_width]`."""

    keys: Any
    values: Any


@public
def init_kv_cache(
    params: Any, batch: int | Sequence[int], length: int, *, dtype: Any = None
) -> KVCache:
    """An empty cache for `attention` with these parameters, with room for `length` positions.

    `batch` are the leading axes of what it will be given, `()` for none. Its element type is that
    of the parameters unless given.
    """
    kernel = _layers(params)["key"].array("kernel", "width", "kv_heads", "head_width")
    _, heads, size = kernel.shape
    wanted = kernel.dtype if dtype is None else float_type(dtype)
    shape = (*checks.integers(batch, "batch"), heads, positive(length, "length"), size)
    zeros = Array(np.broadcast_to(np.zeros((), wanted.numpy), shape))
    return KVCache(zeros, zeros)


def _layers(params: Any) -> dict[str, Parameters]:
    given = Parameters(params, "attention", "query key value output")
    return {
        name: Parameters(given.layer_of(name), f"attention ({name})", "kernel", "bias")
        for name in ("query", "key", "value", "output")
    }


@overload
def attention(
    params: Any, x: Any, *, memory: Any = None, causal: bool = False, mask: Any = None,
    bias: Any = None, scale: float | None = None, rope_base: float | None = None,
    interleaved: bool = False, cache: None = None, position: Any = 0,
) -> Array: ...  # fmt: skip
@overload
def attention(
    params: Any, x: Any, *, memory: Any = None, causal: bool = False, mask: Any = None,
    bias: Any = None, scale: float | None = None, rope_base: float | None = None,
    interleaved: bool = False, cache: KVCache, position: Any = 0,
) -> tuple[Array, KVCache]: ...  # fmt: skip
@public
def attention(
    params: Any,
    x: Any,
    *,
    memory: Any = None,
    causal: bool = False,
    mask: Any = None,
    bias: Any = None,
    scale: float | None = None,
    rope_base: float | None = None,
    interleaved: bool = False,
    cache: KVCache | None = None,
    position: Any = 0,
) -> Any:
    """Attention of `x` `[*batch, s, width]` to itself, or to `memory` `[*batch, t, width]`.

    Each head gives `softmax(scale q k^T + bias) v` (Vaswani et al., 2017); `scale` is
    `1 / sqrt(head_width)` unless given. `mask` is true where a query sees a key; it and `bias`
    broadcast to `[*batch, heads, s, t]`. `causal` hides later positions. With `rope_base` (10000
    is usual) queries and keys are turned by their positions, `position` on.

    With a `cache`, `x` are the positions from `position` on (a number, or an integer array of no
    axes): their keys and values are put there, and each sees those of all positions up to its own.
    The result is then a pair: what it is without a cache for the whole sequence, and the next
    cache. Positions beyond the room of the cache are an error where they are known, and clamped,
    hence wrong, where they are not.
    """
    layers = _layers(params)
    x = array_of(x)
    kernels = {n: p.array("kernel", *_KERNELS[n]) for n, p in layers.items()}
    _check_kernels(kernels)
    layers["query"].check_input(x, 2, -1, kernels["query"].shape[0], "kernel")
    source = x if memory is None else array_of(memory)
    layers["key"].check_input(source, 2, -1, kernels["key"].shape[0], "kernel")
    if cache is not None and memory is not None:
        raise OperandError(
            "attention to a memory takes no cache",
            where=caller_location(),
            hint="a cache is for attention of a sequence to itself",
        )
    q, k, v = (
        _heads(layers[n], s, kernels[n])
        for n, s in (("query", x), ("key", source), ("value", source))
    )
    start = _position(position)
    if rope_base is not None:
        q, k = (
            rope(y, _positions(y.shape[-2], start), base=rope_base, interleaved=interleaved)
            for y in (q, k)
        )
    seen, bias = _mask_and_bias(mask, bias, q)
    if cache is not None:
        cache = _stored(cache, k, v, start)
        k, v = (as_type(array_of(c), q.dtype) for c in cache)
        before = _seen_before(x.shape[-2], k.shape[-2], start)
        seen = before if seen is None else ops.and_(*_aligned(seen, before))
    y = ops.scaled_dot_product_attention(
        q, k, v, seen, bias, scale=scale, causal=causal and cache is None
    )
    y = _output(layers["output"], y, kernels["output"])
    return y if cache is None else (y, cache)


_KERNELS = {
    "query": ("width", "heads", "head_width"),
    "key": ("width", "kv_heads", "head_width"),
    "value": ("width", "kv_heads", "head_width"),
    "output": ("heads", "head_width", "width"),
}


def _check_kernels(kernels: dict[str, Array]) -> None:
    q, k, v, o = (kernels[n].shape for n in ("query", "key", "value", "output"))
    if q[2] != k[2] or k[1:2] != v[1:2] or q[1] != o[0] or v[2] != o[1] or q[1] % k[1]:
        said = ", ".join(f"{n} {x.type}" for n, x in kernels.items())
        raise ShapeError(
            f"the kernels of nn.attention do not fit each other: {said}",
            where=caller_location(),
            hint="query is [width, heads, d], key [width, kv_heads, d], value [width, kv_heads, "
            "e] and output [heads, e, width]; kv_heads divides heads",
        )


def _heads(layer: Parameters, x: Array, kernel: Array) -> Array:
    """`[..., s, width]` to `[..., heads, s, head_width]`."""
    y = product(x, kernel)
    bias = layer.maybe("bias", *kernel.shape[1:])
    if bias is not None:
        y = y + bias
    rank = len(y.shape)
    order = (*range(rank - 3), rank - 2, rank - 3, rank - 1)
    return ops.transpose(y, permutation=order)


def _output(layer: Parameters, y: Array, kernel: Array) -> Array:
    """`[..., heads, s, head_width]` to `[..., s, width]`."""
    y, kernel = promoted(y, kernel)
    rank = len(y.shape)
    found: Array = ops.dot_general(
        y, kernel, lhs_contracting=(rank - 3, rank - 1), rhs_contracting=(0, 1)
    )
    bias = layer.maybe("bias", kernel.shape[2])
    return found if bias is None else found + bias


def _position(given: Any) -> Array:
    start = array_of(given)
    if start.shape or not start.dtype.is_integer:
        raise OperandError(
            f"a position is one whole number, not {start.type}",
            where=caller_location(),
            hint="dxir.vmap takes sequences that are at different positions",
        )
    return as_type(start, i32)


def _positions(count: Any, start: Array) -> Array:
    found: Array = iota(count, i32) + start
    return found


def _stored(cache: KVCache, k: Array, v: Array, start: Array) -> KVCache:
    """The cache with keys and values put in from a position on."""
    if not isinstance(cache, KVCache):
        raise OperandError(
            f"the cache is {type(cache).__name__}, not a KVCache",
            where=caller_location(),
            hint="nn.init_kv_cache(params, batch, length) makes one",
        )
    keys, values = (array_of(c) for c in cache)
    for held, new, what in ((keys, k, "keys"), (values, v, "values")):
        rest = (*new.shape[:-2], new.shape[-1])
        fits = len(held.shape) == len(new.shape) and (*held.shape[:-2], held.shape[-1]) == rest
        if not fits or held.shape[-2] < new.shape[-2]:
            raise ShapeError(
                f"the cache holds {what} of type {held.type}, and is given {new.type}",
                where=caller_location(),
                hint="it is for one batch and set of parameters, and for as many positions",
            )
    if not start.is_traced and not 0 <= int(start) <= keys.shape[-2] - k.shape[-2]:
        raise AttributeValueError(
            f"the cache has room for {keys.shape[-2]} positions, not for {k.shape[-2]} from "
            f"position {int(start)} on",
            where=caller_location(),
        )
    zero = Array(np.int32(0))
    starts = [zero] * (len(k.shape) - 2) + [start, zero]
    return KVCache(
        *[
            ops.dynamic_update_slice(held, as_type(new, held.dtype), starts)
            for held, new in ((keys, k), (values, v))
        ]
    )


def _seen_before(count: Any, length: int, start: Array) -> Array:
    """Which of `length` positions each of `count` from `start` on sees: those up to itself."""
    rows = spread(_positions(count, start), (count, length), (0,))
    columns = spread(iota(length, i32), (count, length), (1,))
    return ops.compare(columns, rows, direction="LE")


def _mask_and_bias(mask: Any, bias: Any, q: Array) -> tuple[Array | None, Array | None]:
    """The mask, a boolean, and the bias in a type that the scores take."""
    seen = None if mask is None else array_of(mask)
    if seen is not None and seen.dtype != i1:
        raise OperandError(
            f"the mask of nn.attention is {seen.type}, not boolean",
            where=caller_location(),
            hint="it is true where a query sees a key; what is added to the scores is `bias`",
        )
    if bias is None:
        return seen, None
    added = array_of(bias)
    fits = added.dtype in (q.dtype, q.dtype.accumulator)
    return seen, added if fits else as_type(added, q.dtype)


def _aligned(a: Array, b: Array) -> list[Array]:
    """Two booleans broadcast to one shape."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    return [ops.broadcast_to(x, shape=shape) for x in (a, b)]


@public
def rope(
    x: Any, positions: Any = None, *, base: float = 10000.0, interleaved: bool = False
) -> Array:
    """Pairs of elements of `x` `[..., s, d]` turned by their positions, 0 on unless given.

    Pair i of position p is turned by `p / base^(2 i / d)` radians. Pairs are the two halves of the
    last axis, or neighbours with `interleaved` (Su et al., 2021).
    """
    x = array_of(x)
    if len(x.shape) < 2:
        raise ShapeError(
            f"rope takes an array of positions and elements, not {x.type}", where=caller_location()
        )
    places = iota(x.shape[-2], i32) if positions is None else array_of(positions)
    cos, sin = rope_tables(places, x.shape[-1], base=base)
    if x.dtype.bits == 64:
        cos, sin = as_type(cos, x.dtype), as_type(sin, x.dtype)
    found: Array = ops.rope(x, cos, sin, interleaved=interleaved)
    return found


@public
def rope_tables(positions: Any, width: int, *, base: float = 10000.0) -> tuple[Array, Array]:
    """The cosines and sines of `rope` for heads of this width: `[*positions.shape, width / 2]`."""
    places = as_type(array_of(positions), f32)
    if positive(width, "width") % 2 or not base > 0:
        raise ShapeError(
            f"rope turns pairs: the width {width} must be even, and base {base} above 0",
            where=caller_location(),
        )
    half = width // 2
    steps = np.exp(-math.log(base) / half * np.arange(half)).astype(np.float32)
    shape = (*places.shape, half)
    rank = len(shape)
    angles = ops.mul(
        spread(places, shape, tuple(range(rank - 1))),
        spread(Array(steps), shape, (rank - 1,)),
    )
    return ops.cos(angles), ops.sin(angles)
