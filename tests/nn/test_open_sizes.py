"""A decoder whose batch and length are known when it is called, written once for all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import nn, random


def decoder() -> dict[str, Any]:
    keys = random.split(random.key(0), 3)
    return {
        "table": nn.init_embedding(keys[0], 11, 16),
        "block": nn.init_transformer_block(
            keys[1], 16, 4, kv_heads=2, norm="rms_norm", feed_forward="swiglu"
        ),
        "out": nn.init_linear(keys[2], 16, 11),
    }


def logits(params: Any, tokens: Any) -> Any:
    x = nn.embedding(params["table"], tokens)
    x = nn.transformer_block(params["block"], x, causal=True, rope_base=10000.0)
    return nn.linear(params["out"], x)


def loss(params: Any, tokens: Any, labels: Any) -> Any:
    return xp.mean(nn.cross_entropy(logits(params, tokens), labels))


@pytest.mark.parametrize("shape", [("batch", 5), ("batch", "length")])
def test_a_decoder_with_grouped_heads_and_rope_takes_any_sizes(shape: tuple[Any, ...]) -> None:
    params = decoder()
    step = dxir.value_and_grad(loss)
    open_sizes = dxir.jit(step, shapes={"tokens": shape, "labels": shape})
    known = dxir.jit(step)
    rng = np.random.default_rng(1)
    for batch in (1, 3):
        tokens, labels = rng.integers(0, 11, (2, batch, 5)).astype(np.int32)
        (value, gradient), (wanted, wanted_gradient) = (
            f(params, tokens, labels) for f in (open_sizes, known)
        )
        np.testing.assert_allclose(value, wanted, rtol=1e-5)
        for a, b in zip(dxir.tree.leaves(gradient), dxir.tree.leaves(wanted_gradient), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    assert open_sizes.traces == 1


def test_an_artifact_of_it_is_one_program_for_all_sizes() -> None:
    params = decoder()
    program = dxir.function(logits).lower(params, dxir.i32["batch", "length"])
    loaded = dxir.compile(dxir.load(program.serialize("1.0.0")))
    leaves = dxir.tree.leaves(params)
    for batch, length in ((1, 3), (2, 7)):
        tokens = np.arange(batch * length, dtype=np.int32).reshape(batch, length) % 11
        wanted = dxir.jit(logits)(params, tokens)
        np.testing.assert_allclose(loaded(*leaves, tokens), wanted, rtol=1e-4, atol=1e-5)
