"""How fast a decoder becomes a verified program, beside JAX's trace and lower of the same model.

    python benchmarks/lowering.py [--layers 32] [--rounds 7]

Both are timed in turn in one process, so that the ratio holds on a loaded machine; the smallest
time of all rounds counts. Needs `jax` (the `test` extra).
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from rich.console import Console
from rich.table import Table

import dxir
from dxir import ops
from dxir.graph import Value, walk

LAYER = ("q_w", "k_w", "v_w", "out_w", "gate_w", "up_w", "down_w")


def shapes(d: int, f: int) -> dict[str, tuple[int, int]]:
    """The weights of one layer."""
    wide = {"gate_w": (d, f), "up_w": (d, f), "down_w": (f, d)}
    return {name: wide.get(name, (d, d)) for name in LAYER}


def dxir_decoder(layers: int, t: int, d: int, f: int, v: int) -> dxir.Function:
    """The decoder as Dxir nodes."""
    b = dxir.Builder("main")
    x = b.param(dxir.f32[t, d], name="x")
    theta = b.param(dxir.f32[t, d], name="theta")
    eps = b.param(dxir.f32[t, 1], name="eps")
    head = b.param(dxir.f32[d, v], name="head")
    labels = b.param(dxir.f32[t, v], name="labels")

    def norm(y: Value) -> Value:
        mean = ops.mean(ops.mul(y, y), axes=(1,), keepdims=True)
        return ops.mul(y, ops.rsqrt(ops.add(mean, eps)))

    for i in range(layers):
        w = {n: b.param(dxir.f32[s], name=f"{n}{i}") for n, s in shapes(d, f).items()}
        n = norm(x)
        q, k, val = (ops.matmul(n, w[m]) for m in ("q_w", "k_w", "v_w"))
        q = ops.sub(ops.mul(q, ops.cos(theta)), ops.mul(theta, ops.sin(theta)))
        scores = ops.softmax(ops.matmul(q, ops.transpose(k, permutation=(1, 0))))
        x = ops.add(x, ops.matmul(ops.matmul(scores, val), w["out_w"]))
        n = norm(x)
        gated = ops.mul(ops.silu(ops.matmul(n, w["gate_w"])), ops.matmul(n, w["up_w"]))
        x = ops.add(x, ops.matmul(gated, w["down_w"]))
    probabilities = ops.softmax(ops.matmul(x, head))
    return b.build(ops.sum(ops.mul(labels, ops.log(probabilities))))


def jax_decoder(
    layers: int, t: int, d: int, f: int, v: int
) -> tuple[Callable[..., Any], list[Any]]:
    """The same decoder for JAX, and the shapes of its arguments."""

    def model(x: Any, theta: Any, eps: Any, head: Any, labels: Any, *weights: Any) -> Any:
        def norm(y: Any) -> Any:
            return y * jax.lax.rsqrt(jnp.mean(y * y, axis=1, keepdims=True) + eps)

        for i in range(layers):
            w = dict(zip(LAYER, weights[i * len(LAYER) : (i + 1) * len(LAYER)], strict=True))
            n = norm(x)
            q, k, val = (n @ w[m] for m in ("q_w", "k_w", "v_w"))
            q = q * jnp.cos(theta) - theta * jnp.sin(theta)
            x = x + (jax.nn.softmax(q @ k.T) @ val) @ w["out_w"]
            n = norm(x)
            x = x + (jax.nn.silu(n @ w["gate_w"]) * (n @ w["up_w"])) @ w["down_w"]
        return jnp.sum(labels * jnp.log(jax.nn.softmax(x @ head)))

    head = [(t, d), (t, d), (t, 1), (d, v), (t, v)]
    all_shapes = head + [s for _ in range(layers) for s in shapes(d, f).values()]
    return model, [jax.ShapeDtypeStruct(s, np.float32) for s in all_shapes]


def timed(function: Callable[[], object]) -> float:
    """Seconds of one call, the collector held off."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    function()
    elapsed = time.perf_counter() - start
    gc.enable()
    return elapsed


def lowered_chain(length: int) -> dxir.Program:
    """The program of a chain of additions."""
    return dxir.lower(chain(length))


def first_call(who: str, layers: int) -> float:
    """Seconds of the first call in a fresh process that has imported everything, best of three."""
    command = [sys.executable, __file__, "--first", who, "--layers", str(layers)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)


def chain(length: int) -> dxir.Function:
    """A chain of additions."""
    b = dxir.Builder("main")
    x = y = b.param(dxir.f32[8], name="x")
    for _ in range(length):
        y = ops.add(y, x)
    return b.build(y)


def main(argv: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--first", choices=("dxir", "jax"), help="time one call alone, and stop")
    options = parser.parse_args(argv)
    sizes = (options.layers, 32, 64, 256, 256)
    model, arguments = jax_decoder(*sizes)

    def by_dxir() -> None:
        dxir.lower(dxir_decoder(*sizes))

    def by_jax() -> None:
        jax.clear_caches()
        jax.jit(model).trace(*arguments).lower()

    if options.first:
        ops.names()  # what is imported when first used is no part of the call
        dxir.lower(chain(1))
        jax.jit(lambda x: x + 1).trace(np.float32(0)).lower()
        print(timed(by_dxir if options.first == "dxir" else by_jax))
        return 0

    by_dxir()
    by_jax()
    rows = [(timed(by_dxir), timed(by_jax)) for _ in range(options.rounds)]
    ours, theirs = min(r[0] for r in rows), min(r[1] for r in rows)
    program = dxir.lower(dxir_decoder(*sizes))
    count = sum(program.op_counts().values())
    nodes = sum(1 for _ in walk(dxir_decoder(*sizes)))

    console = Console()
    table = Table("what", "dxir", "jax", "ratio", title=f"{options.layers}-layer Llama decoder")
    table.add_row("build, lower, verify", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms",
                  f"{theirs / ours:.1f}x")  # fmt: skip
    mine, other = (first_call(who, options.layers) for who in ("dxir", "jax"))
    table.add_row("the same, first in a process", f"{mine * 1e3:.1f} ms", f"{other * 1e3:.1f} ms",
                  f"{other / mine:.1f}x")  # fmt: skip
    table.add_row("nodes / ops of the program", f"{nodes} / {count}", "", "")
    table.add_row("time an op of the program", f"{ours / count * 1e6:.1f} us", "", "")
    for length in (1_000, 10_000, 100_000):
        elapsed = min(timed(partial(lowered_chain, length)) for _ in range(3))
        table.add_row(
            f"a chain of {length:,} ops", f"{elapsed / length * 1e6:.1f} us an op", "", ""
        )
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
