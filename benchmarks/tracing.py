"""How long tracing takes beside the builder and beside JAX, and what a call of a jitted step costs.

    python benchmarks/tracing.py [--layers 8] [--runs 5]

The model is one stack of transformer blocks, written once over a namespace of NumPy's functions and
traced by dxir and by JAX; both are lowered, dxir's verified too. The step is that of a network of
two layers, with its gradients, on arrays that are on the device. JAX must be installed.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import dxir
import dxir.numpy as xp

WIDTH, HEADS, LENGTH, BATCH = 64, 4, 16, 2


def block(p: dict[str, Any], x: Any, np_: Any) -> Any:
    """A transformer block in plain NumPy functions."""

    def norm(x: Any, scale: Any) -> Any:
        mean = np_.mean(x, axis=-1, keepdims=True)
        centred = x - mean
        return (
            centred / np_.sqrt(np_.mean(centred * centred, axis=-1, keepdims=True) + 1e-5) * scale
        )

    h = norm(x, p["scale1"])
    q, k, v = (
        np_.permute_dims(
            np_.reshape(h @ p[n], (BATCH, LENGTH, HEADS, WIDTH // HEADS)), (0, 2, 1, 3)
        )
        for n in ("q", "k", "v")
    )
    scores = q @ np_.permute_dims(k, (0, 1, 3, 2)) * (WIDTH // HEADS) ** -0.5
    scores = np_.exp(scores - np_.max(scores, axis=-1, keepdims=True))
    weights = scores / np_.sum(scores, axis=-1, keepdims=True)
    heads = np_.permute_dims(weights @ v, (0, 2, 1, 3))
    x = x + np_.reshape(heads, (BATCH, LENGTH, WIDTH)) @ p["out"]
    h = norm(x, p["scale2"])
    return x + np_.tanh(h @ p["up"]) @ p["down"]


def parameters(layers: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    shapes = {
        "q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "out": (WIDTH, WIDTH),
        "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH), "scale1": (WIDTH,),
        "scale2": (WIDTH,),
    }  # fmt: skip
    return [
        {n: (rng.standard_normal(s) * 0.1).astype(np.float32) for n, s in shapes.items()}
        for _ in range(layers)
    ]


def model(params: list[dict[str, Any]], x: Any, np_: Any) -> Any:
    for p in params:
        x = block(p, x, np_)
    return np_.sum(x * x)


def timed(work: Callable[[], Any], runs: int) -> float:
    """The median of some runs, in seconds, without garbage collection inside."""
    work()
    found: list[float] = []
    for _ in range(runs):
        gc.collect()
        gc.disable()
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
        gc.enable()
    return statistics.median(found)


def trace_ours(params: Any, x: Any, *, gradient: bool) -> Any:
    def loss(params: Any, x: Any) -> Any:
        return model(params, x, xp)

    function: Any = dxir.value_and_grad(loss) if gradient else loss
    return dxir.function(lambda p, x: function(p, x)).trace(params, x)


def lower_theirs(params: Any, x: Any, *, gradient: bool) -> Any:
    def loss(params: Any, x: Any) -> Any:
        return model(params, x, jnp)

    function: Any = jax.value_and_grad(loss) if gradient else loss
    return jax.jit(lambda p, x: function(p, x)).trace(params, x).lower()


def tracing(layers: int, runs: int) -> None:
    params = parameters(layers)
    x = np.ones((BATCH, LENGTH, WIDTH), np.float32)
    for gradient in (False, True):
        what = "loss and gradients" if gradient else "loss"
        traced = trace_ours(params, x, gradient=gradient)
        count = len(traced.function.nodes)
        ours = timed(lambda g=gradient: trace_ours(params, x, gradient=g), runs)
        lowered = timed(lambda g=gradient: trace_ours(params, x, gradient=g).lower(), runs)
        theirs = timed(lambda g=gradient: lower_theirs(params, x, gradient=g), runs)
        print(
            f"{what}: {count} nodes; traced {ours / count * 1e6:.1f} us a node, traced, lowered "
            f"and verified {lowered * 1e3:.1f} ms; JAX traced and lowered {theirs * 1e3:.1f} ms: "
            f"{theirs / lowered:.1f} times as long"
        )


def loss_of(params: Any, x: Any, y: Any, np_: Any) -> Any:
    h = np_.tanh(x @ params["w1"] + params["b1"])
    error = h @ params["w2"] + params["b2"] - y
    return np_.mean(error * error)


def step_of(grad: Any, np_: Any) -> Any:
    def step(params: Any, x: Any, y: Any) -> Any:
        gradient = grad(lambda p: loss_of(p, x, y, np_))(params)
        return {name: params[name] - 0.1 * gradient[name] for name in params}

    return step


def calls(runs: int) -> None:
    rng = np.random.default_rng(1)
    shapes = {"w1": (16, 32), "b1": (32,), "w2": (32, 4), "b2": (4,)}
    params = {n: rng.standard_normal(s).astype(np.float32) for n, s in shapes.items()}
    x, y = rng.standard_normal((8, 16), np.float32), rng.standard_normal((8, 4), np.float32)
    ours, theirs = dxir.jit(step_of(dxir.grad, xp)), jax.jit(step_of(jax.grad, jnp))
    to_device = dxir.jit(lambda *a: a)
    x_ours, y_ours = to_device(x, y)
    x_theirs, y_theirs = jnp.asarray(x), jnp.asarray(y)
    ratios: list[float] = []
    for _ in range(runs):
        times: list[float] = []
        for step, a, b in ((ours, x_ours, y_ours), (theirs, x_theirs, y_theirs)):
            state: Any = params
            for _ in range(20):
                state = step(state, a, b)
            start = time.perf_counter()
            for _ in range(2000):
                state = step(state, a, b)
            np.asarray(state["b2"])
            times.append((time.perf_counter() - start) / 2000 * 1e6)
        ratios.append(times[0] / times[1])
        print(f"a step: {times[0]:.1f} us, JAX {times[1]:.1f} us")
    print(f"a call of a jitted step takes {statistics.median(ratios):.2f} times as long as JAX's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    tracing(options.layers, options.runs)
    calls(options.runs)


if __name__ == "__main__":
    main()
