"""A convolutional network learns to read handwritten digits, and is shipped with its weights.

    python examples/digits_cnn.py [--epochs 30] [--seed 1] [--out FOLDER]

It reads 99 of 100 images that it has not seen (99.1 to 99.8 of those that the seeds 0 to 4 take
out). Training images are moved by up to a pixel, features are dropped by keys, and the learning
rate falls along a cosine. What is trained becomes a file: an artifact for StableHLO 1.0.0 that
takes any number of images. The file is loaded and compiled as by somebody who has nothing else,
reads the test images as the network did, and passes `dxir-verify`. The digits come with
scikit-learn (`pip install scikit-learn`).
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from digits_data import Digits, arguments, batches, load, progress, report
from rich.console import Console

import dxir
import dxir.numpy as xp
from dxir import nn, ops

BATCH, RATE, DROPPED, MOVED = 32, 3e-3, 0.5, 0.3
Params = dict[str, Any]


def init_network(key: Any) -> Params:
    """Parameters are a dictionary of those of each layer, which are dictionaries of arrays."""
    keys = dxir.random.split(key, 4)
    return {
        "conv1": nn.init_conv(keys[0], 1, 16, 3),
        "conv2": nn.init_conv(keys[1], 16, 32, 3),
        "hidden": nn.init_linear(keys[2], 32 * 4 * 4, 64),
        "out": nn.init_linear(keys[3], 64, 10),
    }


def network(params: Params, images: Any, key: Any = None) -> Any:
    """How much each image `[n, 1, 8, 8]` looks like each digit; in training, with a key."""
    x = nn.relu(nn.conv(params["conv1"], images))
    x = nn.relu(nn.conv(params["conv2"], x))
    x = nn.max_pool(x, 2)
    x = xp.reshape(x, (x.shape[0], 32 * 4 * 4))
    x = nn.dropout(key, x, DROPPED, deterministic=key is None)
    return nn.linear(params["out"], nn.relu(nn.linear(params["hidden"], x)))


def loss(params: Params, images: Any, labels: Any, key: Any) -> Any:
    return nn.cross_entropy(network(params, images, key), labels)


def moved(images: Any, key: Any) -> Any:
    """Images of which some are moved by a pixel along each axis; what comes in is empty."""
    which, where = dxir.random.split(key)
    some = dxir.random.bernoulli(which, (len(images), 1), MOVED)
    corners = xp.where(some, dxir.random.randint(where, (len(images), 2), 0, 3), 1)

    def cut(framed: Any, corner: Any) -> Any:
        return ops.dynamic_slice(framed, (0, corner[0], corner[1]), sizes=(1, 8, 8))

    framed = ops.pad(images, 0, low=(0, 0, 1, 1), high=(0, 0, 1, 1))
    return dxir.vmap(cut)(framed, corners)


def step_of(steps: int) -> Any:
    """A compiled step of a training of so many; the learning rate falls along a cosine."""
    schedule = nn.schedules.cosine(RATE, steps)

    @dxir.jit
    def train_step(params: Params, state: Any, images: Any, labels: Any, key: Any) -> Any:
        """The parameters and Adam's state after a batch, and the loss before."""
        first, second = dxir.random.split(dxir.random.fold_in(key, state.step))
        value, gradients = dxir.value_and_grad(loss)(params, moved(images, first), labels, second)
        params, state = nn.adam(params, gradients, state, learning_rate=schedule)
        return params, state, value

    return train_step


def train(digits: Digits, epochs: int, seed: int, console: Console) -> tuple[Params, list[float]]:
    """The trained parameters, and the mean loss of each epoch."""
    images, labels = digits.train_images[:, None], digits.train_labels
    rng, (first, key) = np.random.default_rng(seed), dxir.random.split(dxir.random.key(seed))
    params = init_network(first)
    train_step, state = step_of(epochs * (len(labels) // BATCH)), nn.init_adam(params)
    losses: list[float] = []
    with progress(console) as bar:
        task = bar.add_task("epochs", total=epochs, state="")
        for _ in range(epochs):
            values: list[Any] = []
            for batch in batches(len(labels), BATCH, rng):
                params, state, value = train_step(params, state, images[batch], labels[batch], key)
                values.append(value)  # which is still being computed
            losses.append(float(np.mean([float(value) for value in values])))
            bar.update(task, advance=1, state=f"loss {losses[-1]:.4f}")
    return params, losses


def reader(params: Params) -> Any:
    """A function of images alone, of which the parameters are constants."""

    @dxir.jit(shapes={"images": ("n", 1, 8, 8)})
    def read(images: Any) -> Any:
        """The digit that each image looks like most."""
        return xp.argmax(network(params, images), axis=-1)

    return read


def verify(path: Path, console: Console) -> int:
    """What `dxir-verify` says of a file; gives its exit code."""
    console.print(f"$ dxir-verify {path.name}")
    command = [sys.executable, "-m", "dxir", "verify", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, encoding="utf-8")
    console.print((done.stdout + done.stderr).rstrip(), soft_wrap=True, markup=False)
    return done.returncode


def ship(read: Any, images: Any, folder: Path, console: Console) -> tuple[Any, int]:
    """Write the reader as an artifact and run that; gives its answers and dxir-verify's code."""
    path = folder / "digits.mlirbc"
    path.write_bytes(read.lower(dxir.f32["n", 1, 8, 8]).serialize("1.0.0"))
    size = path.stat().st_size
    console.print(f"{path.name} has {size:,} bytes, for StableHLO 1.0.0 and later.")
    shipped = dxir.compile(dxir.load(path))
    return shipped(images), verify(path, console)


def main() -> int:
    parser = arguments("Train and ship a network that reads digits.", epochs=30)
    parser.add_argument("--out", type=Path, default=Path("out"), help="a folder for the artifact")
    options = parser.parse_args()
    console, digits, start = Console(), load(options.seed), time.perf_counter()
    params, losses = train(digits, options.epochs, options.seed, console)
    console.print(f"Compiled and trained in {time.perf_counter() - start:.1f} s.")
    read, images = reader(params), digits.test_images[:, None]
    report(read(images), digits.test_labels, losses, console)
    options.out.mkdir(parents=True, exist_ok=True)
    answers, code = ship(read, images, options.out, console)
    same = float(np.mean(np.asarray(answers) == np.asarray(read(images))))
    right = float(np.mean(np.asarray(answers) == digits.test_labels))
    console.print(f"The artifact reads {right:.2%} right, {same:.2%} as the network it is made of.")
    return code


if __name__ == "__main__":
    sys.exit(main())
