"""A mesh with two axes: the batch over one and the weights over the other, or the batch over both.

    python examples/parallel/mesh_2d.py

The gradient of a network is divided in two ways over two nodes of four devices. With the weights
divided, activations are summed over the devices of a node, and between the nodes a quarter of the
gradients is. With the batch over all eight, the gradients are all that is summed, but it is all of
them. Which takes longer depends on the batch, and the reports tell it side by side before anything
runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dxir
from dxir import P, f32, ops

MODEL, HIDDEN = 64, 256

mesh = dxir.Mesh("mesh", {"data": 2, "model": 4})
CANDIDATES = {  # how the batch and the two matrices lie
    "batch x weights": (P("data"), P(None, "model"), P("model")),
    "batch over both": (P(("data", "model")), P(), P()),
}
NODES = dxir.Interconnect(
    dxir.Link(bytes_per_second=100e9, latency_seconds=2e-6),
    devices_per_node=4,
    between_nodes=dxir.Link(bytes_per_second=10e9, latency_seconds=10e-6),
)


def gradient(batch: int, candidate: str) -> dxir.Function:
    """`(x, up, down) -> (loss, the gradients of the matrices)`."""
    b = dxir.Builder("main", mesh=mesh)
    of_x, of_up, of_down = CANDIDATES[candidate]
    x = b.param(f32[batch, MODEL], name="x", sharding=of_x)
    up = b.param(f32[MODEL, HIDDEN], name="up", sharding=of_up)
    down = b.param(f32[HIDDEN, MODEL], name="down", sharding=of_down)

    def loss(up: Any, down: Any) -> Any:
        y = ops.relu(x @ up) @ down
        return ops.mean(y * y)

    value, gradients = dxir.value_and_grad(loss, wrt=(0, 1))(up, down)
    return b.build(value, *gradients, shardings=[P(), of_up, of_down])


def checked(function: dxir.Function) -> dxir.Program:
    """The program, which computes on eight devices what it does on one."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(0, 0.3, p.shape).astype(np.float32) for p in function.params]
    program = dxir.lower(function)
    alone = dxir.compile(program, devices=1)(*arrays)
    for many, one in zip(dxir.compile(program, devices=8)(*arrays), alone, strict=True):
        np.testing.assert_allclose(many, one, rtol=1e-4, atol=1e-5)
    return program


def main() -> None:
    """Compare the ways for a small and for a large batch."""
    for batch in (64, 32768):
        first, second = (
            dxir.explain_sharding(checked(gradient(batch, name)), interconnect=NODES)
            for name in CANDIDATES
        )
        row = "{:34}{:>24}{:>24}".format
        print(row(f"batch of {batch:,}", *CANDIDATES))
        for what, unit, *numbers in first.compared(second).numbers():
            scale, unit = (1e6, "us") if unit == "seconds" else (1, unit)
            print(row(what, *[f"{(n or 0) * scale:,.0f} {unit}" for n in numbers]))
        for totals in first.compared(second).totals():
            sent = [f"{t.count} of {t.sent:,} bytes" if t.count else "" for t in totals]
            print(row(f"{totals[0].kind} over {totals[0].axes}", *sent))
        print()


if __name__ == "__main__":
    main()
