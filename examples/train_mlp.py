"""A two-layer network trained on a spiral: one program for the loss, its gradients and the step.

    python examples/train_mlp.py [--steps 300]

The model is a Python function over values; `dxir.value_and_grad` differentiates it while the graph
is being built, and the compiled program takes and gives the parameters.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import dxir
from dxir import f32, ops

POINTS, HIDDEN, CLASSES = 192, 32, 3
RATE = 0.5


def loss(params: dict[str, Any], x: Any, labels: Any) -> Any:
    """The mean cross-entropy of the network's answers."""
    hidden = ops.tanh(ops.matmul(x, params["w1"]) + params["b1"])
    logits = ops.matmul(hidden, params["w2"]) + params["b2"]
    return ops.cross_entropy(logits, labels, reduction="mean")


def training_step() -> dxir.Function:
    """`(w1, b1, w2, b2, x, labels) -> (loss, the parameters after one step)`."""
    b = dxir.Builder("main")
    shapes = {
        "w1": (2, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, CLASSES), "b2": (CLASSES,),
    }  # fmt: skip
    params = {name: b.param(f32[shape], name=name) for name, shape in shapes.items()}
    x = b.param(f32[POINTS, 2], name="x")
    labels = b.param(dxir.i32[POINTS], name="labels")
    value, gradients = dxir.value_and_grad(loss)(params, x, labels)
    return b.build(value, *[params[name] - RATE * gradients[name] for name in params])


def spiral(rng: np.random.Generator) -> tuple[Any, Any]:
    """Points on three arms, and which arm each is on."""
    labels = np.arange(POINTS) % CLASSES
    radius = np.linspace(0.05, 1, POINTS)
    angle = radius * 4 + labels * (2 * np.pi / CLASSES) + rng.normal(0, 0.1, POINTS)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points.astype(np.float32), labels.astype(np.int32)


def main() -> None:
    """Train, and print the loss on the way."""
    parser = argparse.ArgumentParser(description="Train a two-layer network on a spiral.")
    parser.add_argument("--steps", type=int, default=300, help="steps of gradient descent")
    steps = parser.parse_args().steps
    rng = np.random.default_rng(0)
    x, labels = spiral(rng)
    params: list[Any] = [
        rng.normal(0, 1, (2, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, HIDDEN**-0.5, (HIDDEN, CLASSES)).astype(np.float32),
        np.zeros(CLASSES, np.float32),
    ]
    step = dxir.compile(training_step())
    table = Table("step", "loss", title="spiral")
    for number in range(steps + 1):
        value, *params = step(*params, x, labels)
        if number % max(1, steps // 6) == 0:
            table.add_row(str(number), f"{float(np.asarray(value)):.4f}")
    Console().print(table)


if __name__ == "__main__":
    main()
