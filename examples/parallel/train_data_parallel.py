"""Training on several devices: each has the model and a part of every batch.

    python examples/parallel/train_data_parallel.py [--devices 8] [--epochs 40]

A network learns which arm of a spiral a point is on, by gradient descent with momentum on batches
of 240 points. The parameters and their momenta are on every device, and stay there from step to
step. The same batches on one device give the same losses, and the report says what a step sends.
`data_parallel.py` beside this file is the shortest program of the kind.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

import dxir
from dxir import P, f32, i32, ops

POINTS, BATCH, HIDDEN, ARMS = 960, 240, 48, 3
RATE, MOMENTUM = 0.1, 0.9
SHAPES = {
    "w1": (2, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, HIDDEN), "b2": (HIDDEN,),
    "w3": (HIDDEN, ARMS), "b3": (ARMS,),
}  # fmt: skip
divided, everywhere = P("data"), P()


def network(params: dict[str, Any], x: Any) -> Any:
    """A score for each arm."""
    hidden = ops.tanh(x @ params["w1"] + params["b1"])
    hidden = ops.tanh(hidden @ params["w2"] + params["b2"])
    return hidden @ params["w3"] + params["b3"]


def loss(params: dict[str, Any], x: Any, arms: Any) -> Any:
    """The mean cross-entropy over the batch, however that is divided."""
    return ops.cross_entropy(network(params, x), arms, reduction="mean")


def training_step(devices: int) -> dxir.Function:
    """`(parameters, momenta, x, arms) -> (loss, parameters, momenta)`."""
    b = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"data": devices}))
    params = {n: b.param(f32[s], name=n, sharding=everywhere) for n, s in SHAPES.items()}
    old = [b.param(f32[s], name=f"{n}_momentum", sharding=everywhere) for n, s in SHAPES.items()]
    x = b.param(f32[BATCH, 2], name="x", sharding=divided)
    arms = b.param(i32[BATCH], name="arms", sharding=divided)
    value, gradients = dxir.value_and_grad(loss)(params, x, arms)
    momenta = [MOMENTUM * m + gradients[name] for name, m in zip(params, old, strict=True)]
    stepped = [value - RATE * m for value, m in zip(params.values(), momenta, strict=True)]
    results = [value, *stepped, *momenta]
    return b.build(*results, shardings=[everywhere] * len(results))  # as they came in


def classifier(points: int) -> dxir.Function:
    """`(parameters, x) -> the arm of each point`."""
    b = dxir.Builder("main")
    params = {name: b.param(f32[shape], name=name) for name, shape in SHAPES.items()}
    return b.build(ops.argmax(network(params, b.param(f32[points, 2])), axis=1))


def spiral(rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Points on three arms in any order, and the arm of each."""
    arms = rng.integers(0, ARMS, POINTS)
    radius = rng.uniform(0.1, 1, POINTS)
    angle = radius * 5 + arms * (2 * np.pi / ARMS) + rng.normal(0, 0.12, POINTS)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points.astype(np.float32), arms.astype(np.int32)


class Run:
    """A training on some devices: its losses, and the parameters at the end."""

    def __init__(self, devices: int) -> None:
        self.step = dxir.compile(training_step(devices), devices=devices)
        rng = np.random.default_rng(1)
        params = [
            rng.normal(0, s[0] ** -0.5 if len(s) > 1 else 0, s).astype(np.float32)
            for s in SHAPES.values()
        ]
        self.state: list[Any] = [*params, *(np.zeros_like(p) for p in params)]
        self.losses: list[float] = []
        self.seconds = 0.0

    def epoch(self, points: NDArray[np.float32], arms: NDArray[np.int32]) -> None:
        """One pass over all points."""
        start, values = time.perf_counter(), list[Any]()
        for at in range(0, POINTS, BATCH):
            batch = points[at : at + BATCH], arms[at : at + BATCH]
            value, *self.state = self.step(*self.state, *batch)
            values.append(value)
        self.losses.append(sum(map(float, values)) / len(values))
        self.seconds += time.perf_counter() - start


def accuracy(run: Run, points: NDArray[np.float32], arms: NDArray[np.int32]) -> float:
    """How many points are on the arm that the network says."""
    params = [np.asarray(value) for value in run.state[: len(SHAPES)]]
    found = np.asarray(dxir.compile(classifier(POINTS))(*params, points))
    return float((found == arms).mean())


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train a network on several devices.")
    parser.add_argument("--devices", type=int, default=8, help="which divide a batch of 240")
    parser.add_argument("--epochs", type=int, default=40)
    given = parser.parse_args()
    if not 1 <= given.devices <= 16 or BATCH % given.devices:
        parser.error(f"--devices={given.devices}: 1 to 16 devices that divide {BATCH} points")
    if given.epochs < 1:
        parser.error(f"--epochs={given.epochs}: one epoch at least")
    return given


def main() -> None:
    given, console = options(), Console()
    rng = np.random.default_rng(0)
    training, unseen = spiral(rng), spiral(rng)
    runs = Run(given.devices), Run(1)
    bar = TextColumn("{task.description}"), BarColumn(), TextColumn("loss {task.fields[loss]:.4f}")
    with Progress(*bar, console=console, transient=True) as progress:
        for run, name in zip(runs, (f"{given.devices} devices", "one device"), strict=True):
            task = progress.add_task(name, total=given.epochs, loss=np.nan)
            for _ in range(given.epochs):
                run.epoch(*training)
                progress.update(task, advance=1, loss=run.losses[-1])
    many, one = runs
    table = Table("epoch", f"loss on {given.devices}", "loss on one", "")
    for epoch in sorted({*np.linspace(1, given.epochs, 8).astype(int).tolist()}):
        value = many.losses[epoch - 1]
        line = "█" * round(30 * value / many.losses[0])
        table.add_row(str(epoch), f"{value:.5f}", f"{one.losses[epoch - 1]:.5f}", line)
    console.print(table)
    console.print(f"unseen points on the right arm: {accuracy(many, *unseen):.1%}")
    for total in dxir.explain_sharding(training_step(given.devices)).totals():
        console.print(f"a step sends {total.sent:,} bytes in {total.count} {total.kind}")
    each = [run.seconds * 1e3 / (given.epochs * POINTS // BATCH) for run in runs]
    console.print(f"a step takes {each[0]:.2f} ms, {each[1]:.2f} ms on one device of this machine")
    np.testing.assert_allclose(many.losses, one.losses, rtol=1e-3)


if __name__ == "__main__":
    main()
