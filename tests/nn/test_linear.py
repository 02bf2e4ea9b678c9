"""Linear layers, embeddings, convolutions and pools, beside NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import dxir
from dxir import nn, random

KEYS = random.split(random.key(0), 8)
NUMBERS = np.random.default_rng(0)


def numbers(*shape: int) -> np.ndarray:
    return NUMBERS.normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 0, 4), (2, 3, 5, 4)])
def test_linear_is_a_product_and_a_bias(run: Callable[..., Any], shape: tuple[int, ...]) -> None:
    params = {"kernel": numbers(4, 6), "bias": numbers(6)}
    x = numbers(*shape)
    np.testing.assert_allclose(
        run(nn.linear, params, x), x @ params["kernel"] + params["bias"], rtol=1e-5, atol=1e-5
    )
    kernel = {"kernel": params["kernel"], "bias": None}
    np.testing.assert_allclose(
        run(nn.linear, kernel, x), x @ params["kernel"], rtol=1e-5, atol=1e-5
    )


def test_gradients_of_linear_layers_are_those_of_jax() -> None:
    params, x = nn.init_linear(KEYS[0], 4, 3), numbers(5, 4)

    def theirs(p: Any) -> Any:
        return (jax.numpy.tanh(x @ p["kernel"] + p["bias"]) ** 2).sum()

    def ours(p: Any) -> Any:
        y = nn.tanh(nn.linear(p, x))
        return dxir.ops.sum(y * y)

    wanted = jax.grad(theirs)(dxir.tree.map(np.asarray, params))
    for found in (dxir.grad(ours)(params), dxir.jit(dxir.grad(ours))(params)):
        for name, gradient in wanted.items():
            np.testing.assert_allclose(found[name], gradient, rtol=1e-5, atol=1e-6)


def test_wider_inputs_and_narrower_kernels_meet_in_the_wider_type() -> None:
    params = nn.init_linear(KEYS[0], 4, 3, dtype="bf16")
    assert nn.linear(params, numbers(2, 4)).dtype == dxir.f32
    assert nn.linear(params, dxir.Array(numbers(2, 4).astype(dxir.bf16.numpy))).dtype == dxir.bf16


def test_embedding_takes_rows_and_attend_multiplies_with_them(run: Callable[..., Any]) -> None:
    params = nn.init_embedding(KEYS[1], 7, 4)
    table = np.asarray(params["table"])
    ids = np.asarray([[0, 6, 3], [-1, 9, 2]], np.int32)
    np.testing.assert_allclose(run(nn.embedding, params, ids), table[np.clip(ids, 0, 6)], rtol=1e-6)
    x = numbers(2, 3, 4)
    np.testing.assert_allclose(run(nn.attend, params, x), x @ table.T, rtol=1e-5, atol=1e-6)
    padded = np.asarray(nn.embedding(params, ids, padding_index=3))
    assert (padded[0, 2] == 0).all()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"strides": 2, "padding": "VALID"},
        {"dilation": 2},
        {"groups": 2, "strides": 2},
        {"padding": 1},
    ],
)
def test_convolutions_are_those_of_jax(
    run: Callable[..., Any], count: int, options: dict[str, Any]
) -> None:
    options = dict(options)
    if options.get("padding") == 1:
        options["padding"] = [(1, 0)] * count
    groups = options.get("groups", 1)
    params = nn.init_conv(KEYS[2], 4, 6, (3,) * count, groups=groups)
    params["bias"] = dxir.Array(numbers(6))
    x = numbers(2, 4, *(6, 7, 5)[:count])
    spatial = "DHW"[3 - count :]
    wanted = jax.lax.conv_general_dilated(
        x,
        np.asarray(params["kernel"]),
        (options.get("strides", 1),) * count,
        options.get("padding", "SAME"),
        rhs_dilation=(options.get("dilation", 1),) * count,
        feature_group_count=groups,
        dimension_numbers=(f"NC{spatial}", f"OI{spatial}", f"NC{spatial}"),
    )
    wanted = np.asarray(wanted) + np.asarray(params["bias"]).reshape(-1, *[1] * count)
    found = run(lambda p, x: nn.conv(p, x, **options), params, x, near=1e-5)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    last = np.moveaxis(x, 1, -1)
    rows = nn.conv(params, last, layout=f"N{spatial}C", **options)
    np.testing.assert_allclose(np.moveaxis(np.asarray(rows), -1, 1), found, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("strides", [1, 2, 3])
def test_transposed_convolutions_are_those_of_jax(
    run: Callable[..., Any], strides: int, padding: str
) -> None:
    params = nn.init_conv_transpose(KEYS[3], 3, 5, (3, 2))
    x = numbers(2, 3, 4, 5)
    wanted = jax.lax.conv_transpose(
        x,
        np.asarray(params["kernel"]),
        (strides, strides),
        padding,
        dimension_numbers=("NCHW", "IOHW", "NCHW"),
    )
    found = run(lambda p, x: nn.conv_transpose(p, x, strides=strides, padding=padding), params, x)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_pools_take_the_largest_and_the_mean(run: Callable[..., Any]) -> None:
    x = numbers(2, 3, 4, 6)
    blocks = x.reshape(2, 3, 2, 2, 3, 2).astype(np.float64)
    np.testing.assert_allclose(run(nn.max_pool, x), blocks.max(axis=(3, 5)))
    np.testing.assert_allclose(run(nn.avg_pool, x), blocks.mean(axis=(3, 5)), rtol=1e-5)
    np.testing.assert_allclose(
        run(nn.global_avg_pool, x), x.mean(axis=(2, 3)), rtol=1e-5, atol=1e-6
    )
    last = nn.max_pool(np.moveaxis(x, 1, -1), (4, 6), layout="NHWC")
    np.testing.assert_allclose(np.asarray(last)[:, 0, 0], x.max(axis=(2, 3)))
    ones = np.ones((1, 1, 3, 3), np.float32)
    counted = nn.avg_pool(ones, 3, strides=1, padding="SAME", count_padding=False)
    assert np.array_equal(counted, ones)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nn.linear({"weight": 1}, numbers(4)), "has no parameter 'weight'"),
        (lambda: nn.linear({"kernl": 1}, numbers(4)), "did you mean 'kernel'"),
        (lambda: nn.linear({"bias": numbers(3)}, numbers(4)), "misses 'kernel'"),
        (lambda: nn.linear({}, numbers(4)), "its params hold nothing"),
        (lambda: nn.linear(numbers(4, 3), numbers(4)), "takes a dictionary"),
        (lambda: nn.linear({"kernel": [1.0]}, numbers(4)), "is list, not an array"),
        (lambda: nn.linear(nn.init_linear(KEYS[0], 4, 3), numbers(2, 5)), "it must be 4"),
        (lambda: nn.linear(nn.init_linear(KEYS[0], 4, 3), numbers()), "1 axes or more"),
        (
            lambda: nn.linear({"kernel": numbers(4, 3), "bias": numbers(4)}, numbers(4)),
            "parameter 'bias' of nn.linear has type f32[4], but its shape must be [3]",
        ),
        (lambda: nn.linear(nn.init_conv(KEYS[0], 1, 2, 3), numbers(4)), "another layer"),
        (lambda: nn.linear(nn.init_embedding(KEYS[0], 3, 4), numbers(4)), "no parameter 'table'"),
        (lambda: nn.embedding(nn.init_embedding(KEYS[0], 3, 4), numbers(4)), "ids"),
        (lambda: nn.attend(nn.init_embedding(KEYS[0], 3, 4), numbers(3)), "it must be 4"),
        (lambda: nn.init_linear(KEYS[0], 0, 3), "inputs is 0"),
        (lambda: nn.init_linear(KEYS[0], 3, 2.5), "outputs is 2.5"),
        (lambda: nn.init_linear(KEYS[0], 3, 2, dtype="i32"), "parameters are floats, not i32"),
        (lambda: nn.init_linear(3, 3, 2), "a key is needed, not the number 3"),
        (lambda: nn.init_linear(KEYS[0], 3, 2, biases=True), "did you mean bias"),
        (lambda: nn.init_conv(KEYS[0], 3, 2, (3, 3, 3, 3)), "one to three"),
        (lambda: nn.init_conv(KEYS[0], 3, 4, 3, groups=2), "do not divide"),
        (lambda: nn.conv(nn.init_conv(KEYS[0], 3, 2, 3), numbers(3, 8)), "a batch axis"),
        (lambda: nn.conv(nn.init_conv(KEYS[0], 3, 2, 3), numbers(1, 2, 8, 8)), "it must be 3"),
        (lambda: nn.conv(nn.init_conv(KEYS[0], 3, 2, 3), numbers(1, 3, 8)), "[outputs, inputs, W]"),
        (
            lambda: nn.conv(nn.init_conv(KEYS[0], 3, 2, 3), numbers(1, 3, 8, 8), layout="NHCC"),
            "layout 'NHCC'",
        ),
        (
            lambda: nn.conv(nn.init_conv(KEYS[0], 3, 2, 3), numbers(1, 3, 8, 8), padding="FULL"),
            "FULL",
        ),
    ],
)
def test_wrong_params_and_inputs_are_told_by_layer_and_name(
    call: Callable[[], object], said: str
) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_linear.py" in str(caught.value.where)


def test_what_is_said_of_other_params_is_said_while_tracing_too() -> None:
    params = nn.init_linear(KEYS[0], 4, 3)
    with pytest.raises(dxir.DxirError, match=r"nn\.linear is given f32\[2, 5\]"):
        dxir.jit(nn.linear)(params, numbers(2, 5))
