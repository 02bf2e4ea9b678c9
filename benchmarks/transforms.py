"""How fast a decoder becomes its gradient's program, and how good that is, beside JAX's.

    python benchmarks/transforms.py [--layers 32] [--rounds 7] [--run-rounds 15]

The gradient of the loss by every parameter: nodes built, differentiated and lowered, against JAX's
trace and lower of `jax.grad` of the same model, in turn in one process, so that the ratio holds on
a loaded machine; the smallest time of all rounds counts. Then the operations of both programs
after composites and calls are expanded and `canonicalize,cse` has run on them, and the time a call
takes of each, compiled by the same XLA: the median of rounds in turn. Needs `jax` (the `test`
extra).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from lowering import dxir_decoder, jax_decoder, timed
from rich.console import Console
from rich.table import Table

import dxir
from dxir.transforms import grad_function

SIMPLIFY = "inline,canonicalize,cse,symbol-dce"
Arguments = list[np.ndarray[Any, Any]]


def dxir_gradient(sizes: Sequence[int]) -> dxir.Program:
    """The program of the loss and its gradients by all parameters."""
    return dxir.lower(grad_function(dxir_decoder(*sizes), value=True, name="main"))


def jax_gradient(sizes: Sequence[int]) -> Any:
    """The same by JAX, lowered."""
    model, arguments = jax_decoder(*sizes)
    gradient = jax.value_and_grad(model, argnums=tuple(range(len(arguments))))
    return jax.jit(gradient).trace(*arguments).lower()


def simplified(program: dxir.Program) -> dxir.Program:
    """A program without composites and calls, after the passes that both are judged by."""
    return program.decompose().run_passes(SIMPLIFY)


def counts(program: dxir.Program) -> dict[str, int]:
    """How many operations of each kind there are, but constants."""
    found = program.op_counts(nested=False)
    kept = {k: n for k, n in found.items() if not k.startswith("func.") and "constant" not in k}
    return {k.partition(".")[2]: n for k, n in kept.items()}


def call_times(
    programs: Sequence[dxir.Program], arguments: Arguments, rounds: int
) -> list[list[float]]:
    """Seconds of calls of each program, taken in turn; raises unless their results agree."""
    calls: list[Callable[[], Any]] = []
    for program in programs:
        executable = dxir.compile(program)
        calls.append(lambda run=executable: [np.asarray(r) for r in run(*arguments)])
    first, second = (call() for call in calls)
    for a, b in zip(first, second, strict=True):
        scale = float(np.abs(b).max()) or 1.0
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-4 * scale)
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds):
        for i in (0, 1) if turn % 2 else (1, 0):
            start = time.perf_counter()
            calls[i]()
            times[i].append(time.perf_counter() - start)
    return times


def arguments_of(sizes: Sequence[int]) -> Arguments:
    """Small random numbers for every parameter, and one label a row."""
    rng = np.random.default_rng(0)
    _, types = jax_decoder(*sizes)
    arrays = [(rng.normal(size=t.shape) * 0.05).astype(np.float32) for t in types]
    arrays[2] = np.full(types[2].shape, 1e-5, np.float32)
    labels = rng.integers(0, types[4].shape[1], types[4].shape[0])
    arrays[4] = np.eye(types[4].shape[1], dtype=np.float32)[labels]
    return arrays


def main(argv: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--run-rounds", type=int, default=15)
    options = parser.parse_args(argv)
    sizes = (options.layers, 32, 64, 256, 256)

    def by_jax() -> None:
        jax.clear_caches()
        jax_gradient(sizes)

    dxir_gradient(sizes)
    by_jax()
    rows = [(timed(lambda: dxir_gradient(sizes)), timed(by_jax)) for _ in range(options.rounds)]
    ours, theirs = (min(column) * 1e3 for column in zip(*rows, strict=True))
    console = Console()
    table = Table("what", "dxir", "jax", "ratio", title=f"{options.layers}-layer decoder, gradient")
    table.add_row("build, differentiate, lower", f"{ours:.1f} ms", f"{theirs:.1f} ms",
                  f"{theirs / ours:.1f}x")  # fmt: skip

    programs = [dxir_gradient(sizes), dxir.load(jax_gradient(sizes).as_text())]
    mine, other = (counts(simplified(p)) for p in programs)
    total, their_total = sum(mine.values()), sum(other.values())
    table.add_row("ops after " + SIMPLIFY, f"{total}", f"{their_total}",
                  f"{total / their_total:.3f}")  # fmt: skip
    if options.run_rounds:
        times = call_times(programs, arguments_of(sizes), options.run_rounds)
        middle = [statistics.median(t) * 1e3 for t in times]
        ratio = statistics.median([a / b for a, b in zip(*times, strict=True)])
        table.add_row("a call, median", f"{middle[0]:.2f} ms", f"{middle[1]:.2f} ms",
                      f"{ratio:.3f}")  # fmt: skip
    console.print(table)

    kinds = Table("operation", "dxir", "jax", "more", title="operations")
    for kind in sorted(mine | other, key=lambda k: -max(mine.get(k, 0), other.get(k, 0))):
        difference = mine.get(kind, 0) - other.get(kind, 0)
        kinds.add_row(kind, str(mine.get(kind, 0)), str(other.get(kind, 0)),
                      f"{difference:+d}" if difference else "")  # fmt: skip
    console.print(kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
