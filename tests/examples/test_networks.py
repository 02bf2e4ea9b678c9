"""The example networks against the same ones in JAX, and what their runs print."""

import importlib.util
import itertools
import re
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
from dxir.artifact import artifact_version
from dxir.versions import Version

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


def layer_norm(p: Any, x: Any, epsilon: float) -> Any:
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + epsilon) * p["scale"] + p["offset"]


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


def bert(p: Any, batch: Any) -> tuple[Any, Any]:
    """The network of examples/bert.py."""
    x = p["token"]["table"][batch.ids] + p["segment"]["table"][batch.segments]
    x = layer_norm(p["norm"], x + p["position"]["table"], 1e-12)
    for layer in p["layers"]:
        y = attention(layer["attention"], x, batch.seen[:, None, None, :])
        x = layer_norm(layer["norm1"], x + y, 1e-12)
        y = jax.nn.gelu(linear(layer["mlp"]["up"], x), approximate=False)
        x = layer_norm(layer["norm2"], x + linear(layer["mlp"]["down"], y), 1e-12)
    pooled = jnp.tanh(linear(p["pooler"], x[:, 0]))
    guess = jax.nn.gelu(linear(p["head"]["linear"], x), approximate=False)
    guess = layer_norm(p["head"]["norm"], guess, 1e-12)
    return pooled, guess @ p["token"]["table"].T + p["head"]["bias"]


def bert_case() -> tuple[ModuleType, Any, list[Any]]:
    """The example, parameters of which none is at its start, and batches of two sizes."""
    example, rng = load("bert"), np.random.default_rng(3)
    text = example.TEXT.read_text("utf-8")[:2000]
    found = [example.pairs(text, rng, size) for size in (3, 1)]
    params = example.init_bert(dxir.random.key(3), found[0][2], 16, 2, 2)
    params = dxir.tree.map(
        lambda p: p.numpy() + rng.normal(0, 0.1, p.shape).astype(np.float32), params
    )
    return example, params, [batch for batch, _, _ in found]


def test_one_artifact_of_the_encoder_is_that_of_jax_for_batches_of_two_sizes() -> None:
    example, params, batches = bert_case()
    types = [t["batch", example.LENGTH] for t in (dxir.i32, dxir.i32, dxir.i1)]
    program = dxir.function(example.bert).lower(params, example.Batch(*types))
    run = dxir.compile(dxir.load(program.serialize("1.0.0")))
    for batch in batches:
        assert not batch.seen.all()  # there is padding
        found = run(*dxir.tree.leaves((params, batch)))
        close(tuple(found), jax.jit(bert)(params, batch))


def test_what_padding_holds_changes_no_word_of_the_encoder() -> None:
    example, params, (batch, _) = bert_case()
    encode = dxir.jit(example.bert)
    other = batch._replace(ids=np.where(batch.seen, batch.ids, 7))
    pooled, logits = encode(params, batch)
    pooled_too, logits_too = encode(params, other)
    close(pooled, pooled_too)
    close(logits.numpy()[batch.seen], logits_too.numpy()[batch.seen])


def test_recognition_finds_the_layers_of_the_encoder_and_their_parts() -> None:
    example, params, (batch, _) = bert_case()
    plain = dxir.function(example.bert).lower(params, batch).decompose()
    found = [example.composites(p) for p in example.recognized(plain).values()]
    assert not found[0]
    assert found[1]["dxir.attention"] == found[1]["dxir.transformer_mlp"] == 2
    assert found[2]["dxir.gelu"] == 3
    assert found[2]["dxir.layer_norm"] == 6


def gpt_case(layers: int = 2) -> tuple[ModuleType, Any, Any]:
    example = load("gpt")
    ids = np.random.default_rng(4).integers(0, 11, (2, 12)).astype(np.int32)
    return example, example.init_gpt(dxir.random.key(4), 11, 16, layers, 2), ids


def test_decoding_with_a_cache_gives_the_logits_of_the_whole_text() -> None:
    example, params, ids = gpt_case()
    whole = dxir.jit(example.gpt)(params, ids).numpy()
    caches = [dxir.nn.init_kv_cache(b["attention"], 2, 16) for b in params["blocks"]]
    step = dxir.jit(example.gpt_from)
    logits, caches = step(params, ids[:, :5], np.int32(0), caches)
    close(logits, whole[:, :5])
    for i in range(5, ids.shape[1]):
        logits, caches = step(params, ids[:, i : i + 1], np.int32(i), caches)
        close(logits[:, 0], whole[:, i])
    assert step.traces == 2  # of five letters, and of one at any position


def test_a_letter_does_not_see_those_after_it() -> None:
    example, params, ids = gpt_case()
    changed = ids.copy()
    changed[:, 8:] = 0
    whole = [dxir.jit(example.gpt)(params, text).numpy() for text in (ids, changed)]
    close(whole[0][:, :8], whole[1][:, :8])
    assert not np.allclose(whole[0][:, 8:], whole[1][:, 8:])


def test_writing_goes_on_when_the_cache_is_full() -> None:
    example, params, ids = gpt_case(layers=1)
    written = list(itertools.islice(example.write(params, ids[0, :3], 8, 0, 1.0), 20))
    again = list(itertools.islice(example.write(params, ids[0, :3], 8, 0, 1.0), 20))
    other = list(itertools.islice(example.write(params, ids[0, :3], 8, 1, 1.0), 20))
    assert written == again != other
    assert set(written) <= set(range(11))


@pytest.mark.slow
def test_the_gpt_learns_and_writes() -> None:
    quick = "--steps 150 --batch 8 --context 48 --width 64 --layers 2 --letters 80"
    out = ran("gpt", *quick.split())
    first, last = re.findall(r"loss\D+([\d.]+) -> ([\d.]+)", out)[0]
    assert float(first) > 4  # log(59) is 4.08
    assert float(last) < 2.6
    assert "letters/s" in out
    assert "•" in out


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gpt", ["--steps", "0"], "'0' is no whole number above 0"),
        ("gpt", ["--width", "6", "--heads", "2"], "a multiple of twice --heads"),
        ("gpt", ["--context", "100000"], "at most 18"),
        ("bert", ["--width", "30"], "--heads divide --width"),
        ("unet", ["--size", "20"], "--size of 8"),
        ("bert", ["--batch", "2", "x"], "'x' is no whole number above 0"),
    ],
)
def test_options_that_cannot_be_are_refused_with_what_can(
    name: str, options: list[str], said: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "argv", [name, *options])
    with pytest.raises(SystemExit) as ended:
        load(name).main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("resnet", "--width 4 --steps 6 --batch 10", ("batch_norm_inference 20", "softmax 1")),
        ("unet", "--width 8 --size 16 --steps 3", ("group_norm 16", "attention 1", "silu")),
        ("bert", "--width 32 --layers 2 --batch 1 3", ("dxir.layer_norm", "batch of 3")),
    ],
)
def test_each_example_tells_what_came_out(
    name: str, options: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    out = " ".join(ran(name, *options.split(), "--out", str(tmp_path)).replace("│", " ").split())
    for text in (*said, "StableHLO 1.0.0"):
        assert text in out
    artifact = (tmp_path / f"{name}.mlirbc").read_bytes()
    assert artifact_version(artifact) == Version.parse("1.0.0")
