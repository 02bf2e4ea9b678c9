"""Fully sharded data parallelism: parameters and optimizer state are divided like the batch.

    python examples/parallel/fsdp.py

A device keeps an eighth of the parameters and of their momentum. Before a layer it gathers the
layer's weights, and of the gradient it needs its own eighth alone. Said by shardings, that is an
all_gather of weights, and for the gradient an all_reduce of which each device keeps a slice: so
Shardy has it, and XLA on processors. Said as code for one device, the gradient sends half of that:
the derivative of an all_gather is a reduce_scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import dxir
from dxir import P, collectives, f32, ops

BATCH, IN, HIDDEN, OUT, STEPS, RATE, MOMENTUM = 64, 32, 64, 16, 10, 0.05, 0.9
SHAPES = {"w1": (IN, HIDDEN), "w2": (HIDDEN, OUT)}

mesh = dxir.Mesh("mesh", {"data": 8})
divided = P("data")


def squared_error(x: Any, y: Any, w1: Any, w2: Any) -> Any:
    """The sum of squared errors of a network of two layers."""
    error = ops.tanh(x @ w1) @ w2 - y
    return ops.sum(error * error)


def stated(params: dict[str, Any], x: Any, y: Any) -> Any:
    """The loss as it would be written for one device; the shardings of parameters do the rest."""
    return squared_error(x, y, **params) / (BATCH * OUT)


def explicit(params: dict[str, Any], x: Any, y: Any) -> Any:
    """The loss as each device computes it, with its parts of the batch and of the weights."""

    def local(x: Any, y: Any, *parts: Any) -> Any:
        w1, w2 = (collectives.all_gather(part, "data") for part in parts)
        return collectives.all_reduce(squared_error(x, y, w1, w2), "data")

    (total,) = ops.manual_computation(
        (x, y, params["w1"], params["w2"]),
        local,
        in_shardings=(divided, divided, divided, divided),
        out_shardings=(P(),),
    )
    return total / (BATCH * OUT)


def training_step(loss: Callable[..., Any]) -> dxir.Function:
    """`(w1, w2, their momenta, x, y) -> (loss, w1, w2, their momenta)`."""
    b = dxir.Builder("main", mesh=mesh)
    params = {n: b.param(f32[s], name=n, sharding=divided) for n, s in SHAPES.items()}
    old = {n: b.param(f32[s], name=f"{n}_momentum", sharding=divided) for n, s in SHAPES.items()}
    x = b.param(f32[BATCH, IN], name="x", sharding=divided)
    y = b.param(f32[BATCH, OUT], name="y", sharding=divided)
    value, gradients = dxir.value_and_grad(loss)(params, x, y)
    new = {name: MOMENTUM * old[name] + gradients[name] for name in SHAPES}
    stepped = [params[name] - RATE * new[name] for name in SHAPES]
    return b.build(value, *stepped, *new.values(), shardings=[P(), *[divided] * 4])


def train(step: Any, arrays: list[Any]) -> list[float]:
    """The losses of some steps."""
    *state, x, y = arrays
    losses: list[float] = []
    for _ in range(STEPS):
        value, *state = step(*state, x, y)
        losses.append(float(value))
    return losses


def main() -> None:
    """Train in both ways, and on one device."""
    rng = np.random.default_rng(0)
    weights = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in SHAPES.values()]
    momenta = [np.zeros(shape, np.float32) for shape in SHAPES.values()]
    batch = [rng.normal(0, 1, (BATCH, size)).astype(np.float32) for size in (IN, OUT)]
    arrays = [*weights, *momenta, *batch]

    alone = train(dxir.compile(training_step(stated), devices=1), arrays)
    for loss in (stated, explicit):
        program = dxir.lower(training_step(loss))
        losses = train(dxir.compile(program, devices=8), arrays)
        np.testing.assert_allclose(losses, alone, rtol=1e-5)
        report = dxir.explain_sharding(program)
        held, whole = report.memory.parameters, report.memory.whole_parameters
        print(f"{loss.__name__}: a device holds {held:,} of {whole:,} bytes, and sends")
        for total in report.totals():
            print(f"  {total.sent:,} bytes in {total.count} {total.kind} over {total.axes}")


if __name__ == "__main__":
    main()
