"""A network of two layers learns to read handwritten digits in a few seconds.

    python examples/digits_mlp.py [--epochs 40] [--seed 1]

It reads 98 of 100 images that it has not seen (97.1 to 98.7 of those that the seeds 0 to 4 take
out). One compiled function is the whole step: the loss, its gradients, and the parameters that Adam
makes of them. The digits come with scikit-learn (`pip install scikit-learn`).
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from digits_data import Digits, Images, arguments, batches, load, progress, report
from rich.console import Console

import dxir
import dxir.numpy as xp
from dxir import nn

HIDDEN, BATCH, RATE = 256, 64, 3e-3
Params = dict[str, Any]


def init_network(key: Any) -> Params:
    """Parameters are a dictionary of those of each layer, which are dictionaries of arrays."""
    first, second = dxir.random.split(key)
    return {"hidden": nn.init_linear(first, 64, HIDDEN), "out": nn.init_linear(second, HIDDEN, 10)}


def network(params: Params, images: Any) -> Any:
    """For each image, how much it looks like each digit."""
    return nn.linear(params["out"], nn.relu(nn.linear(params["hidden"], images)))


def loss(params: Params, images: Any, labels: Any) -> Any:
    return nn.cross_entropy(network(params, images), labels)


@dxir.jit
def train_step(params: Params, state: Any, images: Any, labels: Any) -> tuple[Params, Any, Any]:
    """The parameters and Adam's state after a batch, and the loss before."""
    value, gradients = dxir.value_and_grad(loss)(params, images, labels)
    params, state = nn.adam(params, gradients, state, learning_rate=RATE)
    return params, state, value


@dxir.jit
def read(params: Params, images: Any) -> Any:
    """The digit that each image looks like most."""
    return xp.argmax(network(params, images), axis=-1)


def train(digits: Digits, epochs: int, seed: int, console: Console) -> tuple[Params, list[float]]:
    """The trained parameters, and the mean loss of each epoch."""
    images, labels = flat(digits.train_images), digits.train_labels
    rng, params = np.random.default_rng(seed), init_network(dxir.random.key(seed))
    state, losses = nn.init_adam(params), list[float]()
    with progress(console) as bar:
        task = bar.add_task("epochs", total=epochs, state="")
        for _ in range(epochs):
            values: list[Any] = []
            for batch in batches(len(labels), BATCH, rng):
                params, state, value = train_step(params, state, images[batch], labels[batch])
                values.append(value)  # which is still being computed
            losses.append(float(np.mean([float(value) for value in values])))
            bar.update(task, advance=1, state=f"loss {losses[-1]:.4f}")
    return params, losses


def flat(images: Images) -> Images:
    return images.reshape(len(images), -1)


def main() -> int:
    options = arguments("Train a network of two layers on digits.", epochs=40).parse_args()
    console, digits, start = Console(), load(options.seed), time.perf_counter()
    params, losses = train(digits, options.epochs, options.seed, console)
    report(read(params, flat(digits.test_images)), digits.test_labels, losses, console)
    console.print(f"Compiled and trained in {time.perf_counter() - start:.1f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
