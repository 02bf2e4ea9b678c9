"""Blocks of transformers, normalized before each part (Xiong et al., 2020)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, overload

from dxir import checks, random
from dxir.nn.activations import gelu
from dxir.nn.attention import KVCache, attention, init_attention
from dxir.nn.feed_forward import dropout, init_mlp, init_swiglu, mlp, swiglu
from dxir.nn.normalization import init_layer_norm, init_rms_norm, layer_norm, rms_norm
from dxir.nn.parameters import Parameters
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of
from dxir.tracing.arrays import Array
from dxir.types import f32


@public
def init_transformer_block(
    key: Any,
    width: int,
    heads: int,
    *,
    hidden: int | None = None,
    kv_heads: int | None = None,
    norm: str = "layer_norm",
    feed_forward: str = "mlp",
    bias: bool = True,
    dtype: Any = f32,
) -> dict[str, Any]:
    """Parameters of `transformer_block`.

    They are `attention_norm`, `attention`, `feed_forward_norm` and `feed_forward`. `norm` is
    `layer_norm` or `rms_norm`, `feed_forward` is `mlp` or `swiglu`; the latter of each has no
    biases. `hidden` is `4 * width` unless given.
    """
    checks.one_of(norm, ("layer_norm", "rms_norm"), "norm")
    checks.one_of(feed_forward, ("mlp", "swiglu"), "feed_forward")
    first, second = random.split(key)
    size = 4 * width if hidden is None else hidden

    def normal() -> dict[str, Array]:
        if norm == "rms_norm":
            return init_rms_norm(width, dtype=dtype)
        return init_layer_norm(width, dtype=dtype)

    return {
        "attention_norm": normal(),
        "attention": init_attention(first, width, heads, kv_heads=kv_heads, bias=bias, dtype=dtype),
        "feed_forward_norm": normal(),
        "feed_forward": init_swiglu(second, width, size, dtype=dtype)
        if feed_forward == "swiglu"
        else init_mlp(second, width, size, bias=bias, dtype=dtype),
    }


@overload
def transformer_block(
    params: Any, x: Any, *, causal: bool = False, mask: Any = None, rope_base: float | None = None,
    activation: Callable[[Array], Array] = gelu, epsilon: float = 1e-5, cache: None = None,
    position: Any = 0, dropout_key: Any = None, dropout_rate: float = 0.0,
) -> Array: ...  # fmt: skip
@overload
def transformer_block(
    params: Any, x: Any, *, causal: bool = False, mask: Any = None, rope_base: float | None = None,
    activation: Callable[[Array], Array] = gelu, epsilon: float = 1e-5, cache: KVCache,
    position: Any = 0, dropout_key: Any = None, dropout_rate: float = 0.0,
) -> tuple[Array, KVCache]: ...  # fmt: skip
@public
def transformer_block(
    params: Any,
    x: Any,
    *,
    causal: bool = False,
    mask: Any = None,
    rope_base: float | None = None,
    activation: Callable[[Array], Array] = gelu,
    epsilon: float = 1e-5,
    cache: KVCache | None = None,
    position: Any = 0,
    dropout_key: Any = None,
    dropout_rate: float = 0.0,
) -> Any:
    """`x + attention(norm(x))`, and then `x + feed_forward(norm(x))`, for `x` `[..., s, width]`.

    The params tell which kinds: a norm with an `offset` is a `layer_norm`, else an `rms_norm`; a
    feed-forward part with a `gate` is a `swiglu`, else an `mlp`. With a `cache` (of
    `params["attention"]`) the result is a pair: what is given out, and the next cache. With a
    `dropout_key` elements of what both parts add are dropped.
    """
    given = Parameters(
        params, "transformer_block", "attention_norm attention feed_forward_norm feed_forward"
    )
    x = array_of(x)
    keys = (None, None) if dropout_key is None else random.split(dropout_key)

    def dropped(i: int, y: Array) -> Array:
        return dropout(keys[i], y, dropout_rate, deterministic=dropout_key is None)

    y = _normalized(given.layer_of("attention_norm"), x, epsilon)
    found = attention(
        given.layer_of("attention"),
        y,
        causal=causal,
        mask=mask,
        rope_base=rope_base,
        cache=cache,
        position=position,
    )
    y, cache = found if isinstance(found, tuple) else (found, None)
    x = x + dropped(0, y)
    y = _normalized(given.layer_of("feed_forward_norm"), x, epsilon)
    inner = given.layer_of("feed_forward")
    gated = isinstance(inner, Mapping) and "gate" in inner
    y = swiglu(inner, y) if gated else mlp(inner, y, activation=activation)
    x = x + dropped(1, y)
    return x if cache is None else (x, cache)


def _normalized(params: Any, x: Array, epsilon: float) -> Array:
    centred = isinstance(params, Mapping) and "offset" in params
    return (layer_norm if centred else rms_norm)(params, x, epsilon=epsilon)
