"""ResNet-18: residual blocks with batch norm, in training and in inference.

    python examples/resnet.py [--width 16] [--size 32] [--batch 4] [--out DIR]

The parameters are one container of arrays, the running means and variances of the batch norms
another, which a training step takes and gives back. Inference goes by the running ones; its program
is shown as it is emitted, with all composites decomposed, and with their meaning found again in the
plain operations, and becomes an artifact for StableHLO 1.0.0. The weights are random; some steps of
training teach it to tell waves of different lengths. `--width 64 --size 224` is the published size.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import dxir
from dxir import nn, random

Array = dxir.Array
Params = dict[str, Any]
State = dict[str, Any]
STAGES = (1, 2, 4, 8)  # features, in widths; each but the first halves the image
CLASSES = 10


def init_block(key: Any, inputs: int, outputs: int) -> tuple[Params, State]:
    keys = random.split(key, 3)
    params: Params = {
        "conv1": nn.init_conv(keys[0], inputs, outputs, 3, bias=False),
        "conv2": nn.init_conv(keys[1], outputs, outputs, 3, bias=False),
    }
    state: State = {}
    norms = ["norm1", "norm2"]
    if inputs != outputs:
        params["shortcut"] = nn.init_conv(keys[2], inputs, outputs, 1, bias=False)
        norms.append("norm3")
    for name in norms:
        params[name], state[name] = nn.init_batch_norm(outputs)
    return params, state


def block(
    params: Params, state: State, x: Any, strides: int, training: bool
) -> tuple[Array, State]:
    """Two convolutions beside a shortcut, which has one of its own where shapes change."""
    new: State = {}

    def norm(name: str, y: Array) -> Array:
        y, new[name] = nn.batch_norm(params[name], y, state[name], training=training)
        return y

    y = nn.relu(norm("norm1", nn.conv(params["conv1"], x, strides=strides)))
    y = norm("norm2", nn.conv(params["conv2"], y))
    if "shortcut" in params:
        x = norm("norm3", nn.conv(params["shortcut"], x, strides=strides))
    return nn.relu(y + x), new


def init_resnet(key: Any, width: int = 64, blocks: int = 2) -> tuple[Params, State]:
    """The parameters, and the statistics before the first batch."""
    first, last, *keys = random.split(key, 2 + blocks * len(STAGES))
    params: Params = {"first": nn.init_conv(first, 3, width, 7, bias=False), "blocks": []}
    params["norm"], norm = nn.init_batch_norm(width)
    state: State = {"norm": norm, "blocks": []}
    features = width
    for i, k in enumerate(keys):
        inputs, features = features, width * STAGES[i // blocks]
        made, statistics = init_block(k, inputs, features)
        params["blocks"].append(made)
        state["blocks"].append(statistics)
    params["last"] = nn.init_linear(last, features, CLASSES)
    return params, state


def resnet(
    params: Params, state: State, images: Any, training: bool = False
) -> tuple[Array, State]:
    """The logits of the classes for `images` `[n, 3, height, width]`, and the next statistics."""
    x = nn.conv(params["first"], images, strides=2)
    x, norm = nn.batch_norm(params["norm"], x, state["norm"], training=training)
    x = nn.max_pool(nn.relu(x), 3, strides=2, padding="SAME")
    new: State = {"norm": norm, "blocks": []}
    for p, s in zip(params["blocks"], state["blocks"], strict=True):
        strides = 2 if "shortcut" in p else 1
        x, s = block(p, s, x, strides, training)
        new["blocks"].append(s)
    return nn.linear(params["last"], nn.global_avg_pool(x)), new


@dxir.jit
def classify(params: Params, state: State, images: Any) -> Array:
    """The probabilities of the classes, by the running statistics."""
    return nn.softmax(resnet(params, state, images)[0])


def loss(params: Params, state: State, images: Any, labels: Any) -> tuple[Array, State]:
    logits, state = resnet(params, state, images, training=True)
    return nn.cross_entropy(logits, labels), state


@dxir.jit
def training_step(
    params: Params, state: State, velocity: Any, images: Any, labels: Any
) -> tuple[Params, State, Any, Array]:
    """One step of stochastic gradient descent with momentum."""
    gradient = dxir.value_and_grad(loss, has_aux=True)
    (value, state), gradients = gradient(params, state, images, labels)
    params, velocity = nn.momentum(params, gradients, velocity, learning_rate=0.02)
    return params, state, velocity, value


def patterns(rng: np.random.Generator, count: int, size: int) -> tuple[Any, Any]:
    """Waves over the image, whose number tells the class, with noise."""
    labels = rng.permutation(np.arange(count) % CLASSES)
    places = np.linspace(0, np.pi, size)
    waves = np.sin((labels[:, None, None] + 1) * (places[:, None] + places))
    images = waves[:, None] + rng.normal(0, 0.3, (count, 3, size, size))
    return images.astype(np.float32), labels.astype(np.int32)


def ops_of(program: dxir.Program) -> str:
    """How many operations `main` has, and which composites there are."""
    names = Counter(re.findall(r'stablehlo.composite "dxir.(\w+)"', str(program)))
    told = ", ".join(f"{name} {n}" for name, n in names.most_common())
    return f"{len(program.raise_()['main'].nodes)} operations" + (f": {told}" if told else "")


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--width", type=positive, default=16, help="features of the first stage")
    parser.add_argument("--size", type=positive, default=32, help="of the images")
    parser.add_argument("--batch", type=positive, default=20, help="images at once")
    parser.add_argument("--steps", type=positive, default=80, help="of training")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the artifact goes")
    options = parser.parse_args()
    console, table = Console(), Table("ResNet-18", "what came out")
    params, state = init_resnet(random.key(0), options.width)
    rng = np.random.default_rng(0)
    images, labels = patterns(rng, options.batch, options.size)
    table.add_row("parameters", f"{nn.count_parameters(params):,}")

    program = classify.lower(params, state, images)
    plain = program.decompose()
    table.add_row("as emitted", ops_of(program))
    table.add_row("decomposed", ops_of(plain))
    table.add_row("recognized", ops_of(plain.run_passes("dxir-composites")))
    artifact = program.serialize(version="1.0.0")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "resnet.mlirbc").write_bytes(artifact)
    table.add_row("StableHLO 1.0.0", f"{len(artifact):,} bytes in {options.out / 'resnet.mlirbc'}")

    classify(params, state, images).numpy()  # compiles
    start = time.perf_counter()
    classify(params, state, images).numpy()
    spent = (time.perf_counter() - start) * 1e3
    table.add_row("forward", f"{options.batch} images in {spent:.1f} ms")

    velocity, losses = nn.init_momentum(params), []
    for _ in track(range(options.steps), "training", console=console, transient=True):
        batch = patterns(rng, options.batch, options.size)
        params, state, velocity, value = training_step(params, state, velocity, *batch)
        losses.append(float(value))
    table.add_row("training", f"loss {losses[0]:.3f} -> {losses[-1]:.3f} in {len(losses)} steps")
    right = nn.accuracy(classify(params, state, images), labels)
    table.add_row("accuracy afterwards", f"{float(right):.0%}")
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
