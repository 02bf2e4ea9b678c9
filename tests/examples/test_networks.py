"""The example networks against the same ones in JAX, and what their runs print."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dxir

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def ran(name: str, *arguments: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    found = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


def numbers(tree: Any) -> Any:
    """The arrays of a tree as NumPy's, for JAX."""
    return dxir.tree.map(np.asarray, tree)


def close(found: Any, wanted: Any, *, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    """Compare two trees leaf by leaf; `atol` is in units of the largest element of a leaf."""
    pairs = dxir.tree.leaves(
        dxir.tree.map(lambda a, b: (np.asarray(a), np.asarray(b)), found, wanted)
    )
    for a, b in zip(pairs[::2], pairs[1::2], strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol * max(1.0, float(np.abs(b).max())))


@pytest.mark.parametrize("name", ["gpt", "resnet", "unet", "bert"])
def test_each_example_tells_how_it_is_called(name: str) -> None:
    assert "usage:" in ran(name, "--help")


IMAGES = ("NCHW", "OIHW", "NCHW")


def linear(p: Any, x: Any) -> Any:
    return x @ p["kernel"] + p.get("bias", 0)


def conv(p: Any, x: Any, strides: int = 1) -> Any:
    y = lax.conv_general_dilated(
        x, p["kernel"], (strides, strides), "SAME", dimension_numbers=IMAGES
    )
    return y + p["bias"][:, None, None] if "bias" in p else y


def group_norm(p: Any, x: Any, groups: int) -> Any:
    parts = x.reshape(x.shape[0], groups, -1)
    mean, var = parts.mean(-1, keepdims=True), parts.var(-1, keepdims=True)
    normed = ((parts - mean) / jnp.sqrt(var + 1e-5)).reshape(x.shape)
    return normed * p["scale"][:, None, None] + p["offset"][:, None, None]


def layer_norm(p: Any, x: Any) -> Any:
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-5) * p["scale"] + p["offset"]


def unet_block(p: Any, x: Any, time: Any) -> Any:
    h = conv(p["conv1"], jax.nn.silu(group_norm(p["norm1"], x, 4)))
    h = h + linear(p["time"], jax.nn.silu(time))[:, :, None, None]
    h = conv(p["conv2"], jax.nn.silu(group_norm(p["norm2"], h, 4)))
    return h + (conv(p["shortcut"], x) if "shortcut" in p else x)


def attention(p: Any, x: Any, seen: Any = True) -> Any:
    q, k, v = (
        jnp.einsum("nsd,dhe->nhse", x, p[name]["kernel"])
        + p[name].get("bias", np.zeros((1, 1)))[:, None]
        for name in ("query", "key", "value")
    )
    scores = jnp.einsum("nhse,nhte->nhst", q, k) / np.sqrt(q.shape[-1])
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e30))
    y = jnp.einsum("nhst,nhte->nhse", weights, v)
    return jnp.einsum("nhse,hed->nsd", y, p["output"]["kernel"]) + p["output"].get("bias", 0)


def unet_attention(p: Any, x: Any) -> Any:
    n, c, h, w = x.shape
    places = group_norm(p["norm"], x, 4).reshape(n, c, h * w).transpose(0, 2, 1)
    return x + attention(p["attention"], places).transpose(0, 2, 1).reshape(x.shape)


def unet(p: Any, images: Any, steps: Any) -> Any:
    """The network of examples/unet.py."""
    width = p["norm"]["scale"].shape[0]
    rates = jnp.exp(-jnp.log(10_000) * jnp.arange(width // 2) / (width // 2))
    angles = steps[:, None] * rates
    time = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
    time = linear(p["time2"], jax.nn.silu(linear(p["time1"], time)))
    x, skips = conv(p["first"], images), []
    for level in p["down"]:
        x = unet_block(level["block"], x, time)
        skips.append(x)
        x = conv(level["half"], x, 2)
    x = unet_attention(p["attention"], unet_block(p["middle"], x, time))
    for level in p["up"]:
        kernel = level["double"]["kernel"]
        x = lax.conv_transpose(
            x, kernel, (2, 2), "SAME", dimension_numbers=("NCHW", "IOHW", "NCHW")
        )
        x = x + level["double"]["bias"][:, None, None]
        x = unet_block(level["block"], jnp.concatenate([x, skips.pop()], 1), time)
    return conv(p["last"], jax.nn.silu(group_norm(p["norm"], x, 4)))


def unet_case() -> tuple[ModuleType, Any, tuple[Any, Any, Any]]:
    example = load("unet")
    params = example.init_unet(dxir.random.key(1), width=8, levels=2)
    return example, params, example.batch_of(np.random.default_rng(1), 2, 12)


def test_the_unet_is_that_of_jax() -> None:
    example, params, (images, steps, _) = unet_case()
    found = dxir.jit(example.unet)(params, images, steps)
    close(found, jax.jit(unet)(numbers(params), images, steps))


@pytest.mark.slow
def test_the_gradient_of_the_unet_is_that_of_jax() -> None:
    example, params, (images, steps, noise) = unet_case()

    def loss(p: Any) -> Any:
        return jnp.mean((unet(p, images, steps) - noise) ** 2)

    @dxir.jit
    def gradient(params: Any, images: Any, steps: Any, noise: Any) -> Any:
        return dxir.value_and_grad(example.loss)(params, images, steps, noise)

    found = gradient(params, images, steps, noise)
    close(found, jax.jit(jax.value_and_grad(loss))(numbers(params)), rtol=1e-3, atol=1e-4)


def batch_norm(p: Any, s: Any, x: Any, training: bool) -> tuple[Any, Any]:
    mean, var = (x.mean((0, 2, 3)), x.var((0, 2, 3))) if training else s
    y = (x - mean[:, None, None]) / jnp.sqrt(var[:, None, None] + 1e-5)
    new = type(s)(*[0.9 * old + 0.1 * now for old, now in zip(s, (mean, var), strict=True)])
    return y * p["scale"][:, None, None] + p["offset"][:, None, None], new if training else s


def resnet(p: Any, s: Any, x: Any, training: bool) -> tuple[Any, Any]:
    """The network of examples/resnet.py."""
    x, norm = batch_norm(p["norm"], s["norm"], conv(p["first"], x, 2), training)
    x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME")
    blocks: list[Any] = []
    for q, t in zip(p["blocks"], s["blocks"], strict=True):
        strides, new = 1 + ("shortcut" in q), {}
        y = conv(q["conv1"], x, strides)
        y, new["norm1"] = batch_norm(q["norm1"], t["norm1"], y, training)
        y = conv(q["conv2"], jax.nn.relu(y))
        y, new["norm2"] = batch_norm(q["norm2"], t["norm2"], y, training)
        if "shortcut" in q:
            x = conv(q["shortcut"], x, strides)
            x, new["norm3"] = batch_norm(q["norm3"], t["norm3"], x, training)
        x = jax.nn.relu(x + y)
        blocks.append(new)
    return linear(p["last"], x.mean((2, 3))), {"norm": norm, "blocks": blocks}


def resnet_case() -> tuple[ModuleType, Any, Any, Any, Any]:
    """The example, parameters, statistics that are no longer at their start, and a batch."""
    example, rng = load("resnet"), np.random.default_rng(2)
    params, state = example.init_resnet(dxir.random.key(2), width=4, blocks=1)
    state = dxir.tree.map(lambda s: rng.uniform(0.5, 1.5, s.shape).astype(np.float32), state)
    return example, params, state, *example.patterns(rng, 6, 32)


def test_the_resnet_is_that_of_jax_in_inference() -> None:
    example, params, state, images, _ = resnet_case()
    wanted = jax.jit(lambda p: jax.nn.softmax(resnet(p, state, images, False)[0]))(numbers(params))
    close(example.classify(params, state, images), wanted)


@pytest.mark.slow
def test_a_training_step_of_the_resnet_is_that_of_jax() -> None:
    example, params, state, images, labels = resnet_case()

    def loss(p: Any) -> tuple[Any, Any]:
        logits, new = resnet(p, state, images, True)
        rows = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)
        return -rows.mean(), new

    gradient = jax.jit(jax.value_and_grad(loss, has_aux=True))
    (value, statistics), slopes = gradient(numbers(params))
    velocity = dxir.nn.init_momentum(params)
    found = example.training_step(params, state, velocity, images, labels)
    close(found[1], statistics)
    close(found[2].velocity, slopes, rtol=1e-3, atol=1e-4)  # the first step of momentum
    close(found[3], value)
