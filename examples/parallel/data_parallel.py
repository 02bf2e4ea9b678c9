"""Data parallelism: every device has the whole model and a part of the batch.

    python examples/parallel/data_parallel.py
    dxir-launch -n 4 examples/parallel/data_parallel.py

The training step is written for the whole batch, and the batch is said to be divided. What sums
over it, the loss and the gradients, is then summed by each device over its own part, and an
all_reduce adds up the parts. That is so whether the devices are of this process or of several.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import dxir
from dxir import P, f32, ops

BATCH, IN, HIDDEN, OUT, STEPS, RATE = 64, 16, 32, 4, 20, 0.1
SHAPES = {"w1": (IN, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, OUT)}

divided = P("data")  # the first dimension, over the axis of that name


def loss(params: dict[str, Any], x: Any, y: Any) -> Any:
    """The mean squared error of a network of two layers."""
    hidden = ops.tanh(x @ params["w1"] + params["b1"])
    error = hidden @ params["w2"] - y
    return ops.mean(error * error)


def training_step(devices: int) -> dxir.Function:
    """`(w1, b1, w2, x, y) -> (loss, the parameters after one step)`."""
    b = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"data": devices}))
    params = {name: b.param(f32[shape], name=name, sharding=P()) for name, shape in SHAPES.items()}
    x = b.param(f32[BATCH, IN], name="x", sharding=divided)
    y = b.param(f32[BATCH, OUT], name="y", sharding=divided)
    value, gradients = dxir.value_and_grad(loss)(params, x, y)
    stepped = [params[name] - RATE * gradients[name] for name in params]
    return b.build(value, *stepped, shardings=[P()] * 4)  # as they came in, for the next step


def train(step: Any, arrays: list[Any]) -> list[float]:
    """The losses of some steps."""
    *params, x, y = arrays
    losses: list[float] = []
    for _ in range(STEPS):
        value, *params = step(*params, x, y)
        losses.append(float(value))
    return losses


def main() -> None:
    """Train on all devices, and without any."""
    if "DXIR_NUM_PROCESSES" in os.environ:  # set by dxir-launch
        dxir.distributed.initialize()
        devices = dxir.devices()
    else:
        devices = dxir.devices(count=8)
    rng = np.random.default_rng(0)
    shapes = [*SHAPES.values(), (BATCH, IN), (BATCH, OUT)]
    arrays = [rng.normal(0, 0.5, shape).astype(np.float32) for shape in shapes]

    function = training_step(len(devices))
    losses = train(dxir.compile(function, devices=devices), arrays)
    by_numpy = train(lambda *given: dxir.evaluate(function, *given), arrays)
    np.testing.assert_allclose(losses, by_numpy, rtol=1e-5)

    if dxir.distributed.process_index():
        return  # the first process tells
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f} on {len(devices)} devices, as without")
    for total in dxir.explain_sharding(function).totals():
        print(f"a step sends {total.sent:,} bytes in {total.count} {total.kind} over {total.axes}")


if __name__ == "__main__":
    main()
