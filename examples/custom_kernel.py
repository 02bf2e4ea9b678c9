"""A kernel for a composite of one's own: LAPACK's Cholesky factorization in a Gaussian process.

    python examples/custom_kernel.py [--points 128] [--steps 30]

A composite says what it means by a decomposition, here a loop over columns. On `xla-cpu` a kernel
takes its place, the routine of LAPACK that jaxlib brings; elsewhere, or with `kernels=off`, the
loop is what runs. Both give the same numbers. The derivative goes through either by a rule that is
registered for the composite, which gives what deriving the loop itself does. With the kernel, the
process is then fitted to noisy points by gradient descent.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import dxir
from dxir import Value, f32, ops
from dxir.runtime.calls import register_call
from dxir.targets import KernelDescriptor, Takes, Tolerance, register_kernel

Array = NDArray[np.float32]
NAME = "acme.cholesky"
PARAMETERS = ("length", "height", "noise")


def by_columns(a: Value) -> Value:
    """What the composite means: the factor in the lower triangle, what `a` has above of it."""
    count: int = a.shape[0]
    rows = ops.iota(shape=(count,), axis=0, dtype=dxir.i32)

    def column(j: Value, rest: Value, factor: Value) -> tuple[Value, Value]:
        below = ops.select(rows >= j, rest[:, j] / ops.sqrt(rest[j, j]), np.float32(0))
        return rest - below[:, None] * below[None, :], factor.at[:, j].set(below)

    zeros = ops.full(shape=a.shape, value=0, dtype=f32)
    _, factor = ops.fori_loop(0, count, column, (a, zeros))
    return factor + ops.triu(a, k=1)


def cholesky(a: Value) -> Value:
    """The same as a composite."""
    meaning = dxir.build_function(by_columns, a.type, name="cholesky_by_columns", public=False)
    return cast(Value, ops.composite(NAME, (a,), decomposition=meaning))


def cholesky_vjp(node: Any, g: Value, factor: Value) -> tuple[Value]:
    """What a change of the lower triangle does to the loss, from what one of the factor does."""
    del node
    lower = ops.tril(factor)
    inner = ops.tril(ops.transpose(lower, permutation=(1, 0)) @ ops.tril(g))
    inner = inner - 0.5 * ops.tril(ops.triu(inner))
    left = ops.triangular_solve(lower, inner, transpose_a="TRANSPOSE")
    both = ops.triangular_solve(lower, left, left_side=False)
    both = ops.tril(both + ops.transpose(both, permutation=(1, 0)))
    return (both - 0.5 * ops.triu(both) + ops.triu(g, k=1),)


def register() -> None:
    """Tell dxir of the rule, the routine, and which uses of the composite it takes."""
    dxir.register_rules(NAME, vjp=cholesky_vjp)
    lapack: Any = importlib.import_module("jaxlib.lapack")  # which has no types
    name = lapack.prepare_lapack_call("potrf_ffi", np.dtype("float32"))
    routines = {name: routine for name, routine, _ in lapack.registrations()["cpu"]}
    register_call(name, routines[name])
    columns = ((0, 1),)  # LAPACK keeps matrices by columns
    register_kernel(
        "xla-cpu",
        KernelDescriptor(
            composite=NAME,
            call_target=name,
            operands=Takes("f32", ranks=2),
            min_bytes=512,
            config={"uplo": np.uint8(ord("L"))},
            aliases={0: 0},
            scratch=(dxir.i32[()],),  # the routine's status
            operand_layouts=columns,
            result_layouts=columns,
            tolerance=Tolerance(1e-4, 1e-5),
        ),
    )


def loss(factorize: Callable[[Value], Value], settings: Value, x: Value, y: Value) -> Value:
    """The negative log likelihood of the points, for the logs of length, height and noise."""
    length, height, noise = (ops.exp(settings[i]) for i in range(3))
    distance = (x[:, None] - x[None, :]) / length
    eye = ops.constant(np.eye(x.shape[0], dtype=np.float32))
    factor = factorize(height * ops.exp(-0.5 * distance * distance) + noise * eye)
    white = ops.triangular_solve(factor, y[:, None])  # reads the lower triangle only
    diagonal = ops.sum(factor * eye, axes=(1,))
    return 0.5 * ops.sum(white * white) + ops.sum(ops.log(diagonal))


def milliseconds(step: Callable[..., Any], *arguments: Array) -> float:
    """How long the best of some steps takes."""
    times: list[float] = []
    for _ in range(7):
        start = time.perf_counter()
        np.asarray(step(*arguments)[1])  # waits for it
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def step_of(factorize: Callable[[Value], Value], points: int) -> dxir.Program:
    """`(settings, x, y) -> (loss, its gradient)`."""
    b = dxir.Builder("main")
    inputs = b.param(f32[3], name="settings"), b.param(f32[points]), b.param(f32[points])
    return dxir.lower(b.build(*dxir.value_and_grad(partial(loss, factorize))(*inputs)))


def compare(x: Array, y: Array, console: Console) -> dxir.Program:
    """Show the loss and its gradient in three ways, and the time of each; gives the last."""
    plain, program = step_of(by_columns, len(x)), step_of(cholesky, len(x))
    ways = {
        "loop, derived": plain,
        "loop, by rule": program.run_passes("dxir-decompose{target=xla-cpu kernels=off}"),
        "kernel, by rule": program.run_passes("dxir-decompose{target=xla-cpu}"),
    }
    table = Table("Cholesky", "loss", *(f"d {name}" for name in PARAMETERS), "time")
    settings, spent = np.zeros(3, np.float32), [0.0]
    for way, prepared in ways.items():
        step = dxir.compile(prepared)
        numbers = np.concatenate([np.ravel(result) for result in step(settings, x, y)])
        spent.append(milliseconds(step, settings, x, y))
        table.add_row(way, *(f"{number:.4f}" for number in numbers), f"{spent[-1]:.2f} ms")
    last = ways["kernel, by rule"]
    for diagnostic in last.diagnostics:
        console.print(str(diagnostic), soft_wrap=True)
    console.print(table)
    if "stablehlo.custom_call" in last.op_counts():
        console.print(f"The kernel takes {spent[-1] / spent[-2]:.2f} of the loop's time.")
    else:
        console.print("No kernel is called: the last line is the loop, too.")
    return last


def fit(program: dxir.Program, x: Array, y: Array, steps: int, console: Console) -> None:
    """Gradient descent from unit settings."""
    step, settings = dxir.compile(program), np.zeros(3, np.float32)
    losses: list[float] = []
    for _ in track(range(steps), "fitting", console=console, transient=True):
        value, slope = (np.asarray(result) for result in step(settings, x, y))
        settings -= np.float32(1 / len(x)) * slope
        losses.append(float(value))
    fitted = zip(PARAMETERS, np.exp(settings), strict=True)
    told = ", ".join(f"{name} {value:.3f}" for name, value in fitted)
    console.print(f"loss {losses[0]:.2f} -> {losses[-1]:.2f} in {steps} steps: {told}")


def number(text: str) -> int:
    """A whole number from 1 to 512."""
    if not text.isdecimal() or not 1 <= int(text) <= 512:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 512")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit a Gaussian process with a kernel of LAPACK.")
    parser.add_argument("--points", type=number, default=128, help="how many to fit")
    parser.add_argument("--steps", type=number, default=30, help="of gradient descent")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, options.points)).astype(np.float32)
    y = (np.sin(2 * x) + rng.normal(0, 0.1, x.shape)).astype(np.float32)
    register()
    fit(compare(x, y, Console()), x, y, options.steps, Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())
