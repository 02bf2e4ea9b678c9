"""Pipeline parallelism: the layers are divided among groups of devices.

    python examples/parallel/pipeline_parallel.py

A stage is a program of its own, compiled for its own devices, and data parallel on them. A batch is
cut into pieces that follow each other through the stages and back, as in GPipe: while the second
stage works on the first piece, the first stage works on the second. Nothing goes from group to
group but activations and their gradients, by `array.to(placement)`. That waits for the array, while
a call returns before its result is there: so all stages of a turn are called, and then things move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dxir
from dxir import P, f32, ops

STAGES, GROUP, PIECES, BATCH, WIDTH = 4, 2, 8, 64, 16
X, W = f32[BATCH // PIECES, WIDTH], f32[WIDTH, WIDTH]

mesh = dxir.Mesh("mesh", {"data": GROUP})  # of one group: the groups know nothing of each other
divided, whole = P("data"), P()


def layer(w: Any, x: Any) -> Any:
    """What a stage computes."""
    return ops.tanh(x @ w)


def loss(w: Any, x: Any, y: Any) -> Any:
    """What the last stage computes: of the batch's mean, what this piece gives."""
    error = layer(w, x) - y
    return ops.sum(error * error) / (BATCH * WIDTH)


def forward() -> dxir.Function:
    """`(w, x) -> x of the next stage`."""
    b = dxir.Builder("forward", mesh=mesh)
    w, x = b.param(W, name="w", sharding=whole), b.param(X, name="x", sharding=divided)
    return b.build(layer(w, x), shardings=[divided])


def backward() -> dxir.Function:
    """`(w, x, gradient of the result, sum of w's so far) -> (gradient of x, sum)`."""
    b = dxir.Builder("backward", mesh=mesh)
    w, x = b.param(W, name="w", sharding=whole), b.param(X, name="x", sharding=divided)
    g, total = b.param(X, name="g", sharding=divided), b.param(W, name="total", sharding=whole)
    _, pull_back = dxir.vjp(layer, w, x)  # computes the layer again: only its input was kept
    gradient_w, gradient_x = pull_back(g)
    return b.build(gradient_x, total + gradient_w, shardings=[divided, whole])


def last() -> dxir.Function:
    """`(w, x, y, sum of w's gradients so far) -> (gradient of x, sum, loss)`, of the last stage."""
    b = dxir.Builder("last", mesh=mesh)
    w, x = b.param(W, name="w", sharding=whole), b.param(X, name="x", sharding=divided)
    y, total = b.param(X, name="y", sharding=divided), b.param(W, name="total", sharding=whole)
    value, (gradient_w, gradient_x) = dxir.value_and_grad(loss, wrt=(0, 1))(w, x, y)
    return b.build(gradient_x, total + gradient_w, value, shardings=[divided, whole, P()])


def pipeline(weights: list[Any], x: Any, y: Any) -> tuple[float, list[Any], int]:
    """The loss, the gradients of the weights, and the bytes that went from group to group."""
    devices = dxir.devices(count=STAGES * GROUP)
    groups = [devices[i * GROUP : (i + 1) * GROUP] for i in range(STAGES)]
    forth: list[Any] = [dxir.compile(forward(), devices=group) for group in groups[:-1]]
    back: list[Any] = [dxir.compile(backward(), devices=group) for group in groups[:-1]]
    back.append(dxir.compile(last(), devices=groups[-1]))
    weights = [dxir.to_device(w, run.placements[0]) for w, run in zip(weights, back, strict=True)]
    totals = [
        dxir.to_device(np.zeros(W.static_shape, np.float32), run.placements[3]) for run in back
    ]

    moved = 0
    inputs: list[list[Any]] = [np.split(x, PIECES), *[[None] * PIECES for _ in forth]]
    for turn in range(PIECES + STAGES - 2):
        busy = [(s, turn - s) for s in range(STAGES - 1) if 0 <= turn - s < PIECES]
        results = [forth[s](weights[s], inputs[s][piece]) for s, piece in busy]
        for (s, piece), result in zip(busy, results, strict=True):
            inputs[s + 1][piece] = result.to(back[s + 1].placements[1])
            moved += result.nbytes

    losses: list[Any] = []
    given: list[list[Any]] = [*[[None] * PIECES for _ in forth], np.split(y, PIECES)]
    for turn in range(PIECES + STAGES - 1):
        after = [(s, turn - (STAGES - 1 - s)) for s in range(STAGES)]
        busy = [(s, piece) for s, piece in after if 0 <= piece < PIECES]
        results = []
        for s, piece in busy:
            arguments = weights[s], inputs[s][piece], given[s][piece], totals[s]
            gradient, totals[s], *value = back[s](*arguments)
            results.append(gradient)
            losses += value
        for (s, piece), gradient in zip(busy, results, strict=True):
            if s > 0:
                given[s - 1][piece] = gradient.to(back[s - 1].placements[2])
                moved += gradient.nbytes
    return sum(map(float, losses)), totals, moved


def alone(weights: list[Any], x: Any, y: Any) -> Any:
    """The loss and the gradients, as one program on one device."""
    b = dxir.Builder("main")
    given = [b.param(W) for _ in weights]
    batch = b.param(f32[x.shape]), b.param(f32[y.shape])

    def whole_loss(weights: list[Any], x: Any, y: Any) -> Any:
        for w in weights[:-1]:
            x = layer(w, x)
        return loss(weights[-1], x, y)

    value, gradients = dxir.value_and_grad(whole_loss)(given, *batch)
    return dxir.compile(b.build(value, *gradients))(*weights, x, y)


def main() -> None:
    """Compute loss and gradients both ways."""
    rng = np.random.default_rng(0)
    weights = [rng.normal(0, 0.3, W.static_shape).astype(np.float32) for _ in range(STAGES)]
    x, y = (rng.normal(0, 1, (BATCH, WIDTH)).astype(np.float32) for _ in range(2))
    value, gradients, moved = pipeline(weights, x, y)
    expected, *one = alone(weights, x, y)
    np.testing.assert_allclose(value, expected, rtol=1e-5)
    for a, b in zip(gradients, one, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    assert moved == 2 * (STAGES - 1) * BATCH * WIDTH * 4
    print(f"loss {value:.5f}, as on one device; {moved:,} bytes went from group to group")


if __name__ == "__main__":
    main()
