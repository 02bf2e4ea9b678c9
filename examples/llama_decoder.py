"""One Llama-style decoder layer with a loss, from nodes to a running program.

    python examples/llama_decoder.py [--config tiny|medium] [--out DIR]

Builds the layer node by node, lowers it to StableHLO in memory, expands its composites and finds
them again, with larger ones, in what is left; writes a portable artifact, reads it back, runs it on
the CPU, and compares the loss with the NumPy reference and with the value stated in
`examples/cases/llama_decoder.json`. The gradient by all weights is the last.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import dxir
from dxir import ops

CASE = Path(__file__).parent / "cases" / "llama_decoder.json"
Array = NDArray[np.float32]


def decoder_layer(sizes: dict[str, int], params: list[tuple[str, str]]) -> dxir.Function:
    """The layer and its loss, `sum(labels * log(softmax(logits)))`, as a function `main`."""
    b = dxir.Builder("main")
    p = {
        name: b.param(dxir.f32[tuple(sizes.get(d, 1) for d in dims.split(","))], name=name)
        for name, dims in params
    }
    x = p["x_in"]

    mean = ops.mean(ops.mul(x, x), axes=(1,), keepdims=True)
    normed = ops.mul(x, ops.rsqrt(ops.add(mean, p["eps_attn"])))
    q = ops.matmul(normed, p["q_w"], name="q")
    k = ops.matmul(normed, p["k_w"], name="k")
    v = ops.matmul(normed, p["v_w"], name="v")
    cos, sin = ops.cos(p["theta"]), ops.sin(p["theta"])
    rotated = ops.sub(ops.mul(q, cos), ops.mul(p["theta"], sin))
    scores = ops.matmul(rotated, ops.transpose(k, permutation=(1, 0)))
    attended = ops.matmul(ops.softmax(scores, axis=-1, name="attention"), v)
    x = ops.add(x, ops.matmul(attended, p["out_w"]))

    mean = ops.mean(ops.mul(x, x), axes=(1,), keepdims=True)
    normed = ops.mul(x, ops.rsqrt(ops.add(mean, p["eps_mlp"])))
    gate, up = ops.matmul(normed, p["gate_w"]), ops.matmul(normed, p["up_w"])
    x = ops.add(x, ops.matmul(ops.mul(ops.silu(gate), up), p["down_w"]))

    logits = ops.matmul(x, p["lm_head_w"], name="logits")
    log_probabilities = ops.log(ops.softmax(logits, axis=-1))
    return b.build(ops.sum(ops.mul(p["labels"], log_probabilities), axes=(0, 1)))


class JavaRandom:
    """java.util.Random's generator (a 48-bit linear congruence), which made the stated values."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & (2**48 - 1)
        self._spare: float | None = None

    def _bits(self, count: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & (2**48 - 1)
        return self._state >> (48 - count)

    def _uniform(self) -> float:
        return ((self._bits(26) << 27) + self._bits(27)) * 2.0**-53

    def next_int(self, bound: int) -> int:
        """A whole number in `0..bound-1`."""
        if bound & (bound - 1) == 0:
            return (bound * self._bits(31)) >> 31
        while True:
            bits = self._bits(31)
            if bits - bits % bound + bound - 1 < 2**31:
                return bits % bound

    def next_gaussian(self) -> float:
        """A standard normal number, by Marsaglia's polar method."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            return spare
        while True:
            a, b = 2 * self._uniform() - 1, 2 * self._uniform() - 1
            square = a * a + b * b
            if 0 < square < 1:
                scale = float(np.sqrt(-2 * np.log(square) / square))
                self._spare = b * scale
                return a * scale


def decoder_inputs(sizes: dict[str, int], params: list[tuple[str, str]]) -> list[Array]:
    """The arguments that the case file describes."""
    random = JavaRandom(42)
    arrays: list[Array] = []
    for name, dims in params:
        shape = tuple(sizes.get(d, 1) for d in dims.split(","))
        if name == "labels":
            data = np.zeros(shape, np.float32)
            for row in data:
                row[random.next_int(shape[1])] = 1
        elif name.startswith("eps"):
            data = np.full(shape, 1e-5, np.float32)
        else:
            count = int(np.prod(shape))
            flat = np.fromiter((random.next_gaussian() * 0.05 for _ in range(count)), np.float64)
            data = flat.astype(np.float32).reshape(shape)
        arrays.append(data)
    return arrays


class Stages:
    """Runs the stages of the demo, showing progress, and keeps what the table says of each."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.table = Table("stage", "what came out", "time", title="Llama decoder layer")

    @contextmanager
    def stage(self, name: str) -> Generator[Callable[[str], None]]:
        """Time a stage; call what it yields with one line about the outcome."""
        said: list[str] = []
        start = time.perf_counter()
        with self.console.status(f"{name} ..."):
            yield said.append
        elapsed = (time.perf_counter() - start) * 1e3
        self.table.add_row(name, "; ".join(said), f"{elapsed:,.1f} ms")


def op_summary(program: dxir.Program) -> str:
    """The number of operations in function bodies, and how many of each kind."""
    counts = program.op_counts(nested=False)
    counts.pop("func.return")
    named = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kinds = ", ".join(f"{name.removeprefix('stablehlo.')} {n}" for name, n in named)
    return f"{sum(counts.values())} ops: {kinds}"


def composites_of(program: dxir.Program) -> str:
    """The composites of `main`, and how many there are of each."""
    nodes = program.raise_()["main"].nodes
    names = Counter(str(n.attrs["composite_name"]) for n in nodes if n.op == "composite")
    return ", ".join(f"{count} {name.removeprefix('dxir.')}" for name, count in names.items())


def best_of(executable: Any, arrays: list[Array]) -> tuple[float, float]:
    """The first result, and how many seconds the best of some runs takes."""
    placed = [dxir.to_device(array) for array in arrays]
    times: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        executable(*placed).wait()
        times.append(time.perf_counter() - start)
    return float(np.asarray(executable(*placed))), min(times)


def gradient_of(function: dxir.Function, arrays: list[Array]) -> dict[str, Array]:
    """The gradient of the loss by each matrix and by the input."""
    names = [str(p.name) for p in function.params]
    wrt = tuple(i for i, name in enumerate(names) if name == "x_in" or name.endswith("_w"))
    found = dxir.compile(dxir.grad(function, wrt=wrt)).run(arrays)
    return {names[i]: np.asarray(array) for i, array in zip(wrt, found, strict=True)}


def slopes(loss: Any, inputs: dict[str, Array], gradient: dict[str, Array]) -> tuple[float, float]:
    """How fast the loss grows along its gradient, as derived and as measured."""
    slope = float(np.sqrt(sum((g.astype(np.float64) ** 2).sum() for g in gradient.values())))
    step = np.float32(1e-4 * abs(float(loss(*inputs.values()))) / slope)
    losses: list[float] = []
    for length in step, -step:
        moved = {name: inputs[name] + length / slope * gradient[name] for name in gradient}
        losses.append(float(loss(*{**inputs, **moved}.values())))
    return slope, (losses[0] - losses[1]) / (2 * float(step))


def emitted(function: dxir.Function, path: Path, stages: Stages) -> None:
    """Lower the function, look at it, and write it to a file."""
    with stages.stage("lower and verify") as say:
        program = dxir.lower(function)
        program.verify()
        say(op_summary(program))
    with stages.stage("expand composites") as say:
        program = program.decompose()
        say(op_summary(program))
    with stages.stage("recognize") as say:
        say(composites_of(program.run_passes("dxir-recognize,dxir-coarsen")))
    with stages.stage("serialize") as say:
        minimum = program.minimum_version()
        artifact = program.serialize(version="12w")
        path.write_bytes(artifact)
        say(f"{len(artifact):,} bytes at 12w, oldest possible {minimum.version}; {path}")


def run(config: str, out: Path, console: Console) -> bool:
    """Run all stages; whether the loss agrees with the reference and the stated value."""
    case: dict[str, Any] = json.loads(CASE.read_text())
    sizes, params = case["configs"][config], case["params"]
    stages = Stages(console)
    with stages.stage("inputs") as say:
        arrays = decoder_inputs(sizes, params)
        say(f"{len(arrays)} arrays, {sum(a.nbytes for a in arrays) / 1e6:.2f} MB")
    with stages.stage("import") as say:
        importlib.import_module("dxir.program")  # and with it the bindings of MLIR
        say(f"{len(ops.names())} ops and MLIR, loaded once in a process")
    with stages.stage("build") as say:
        function = decoder_layer(sizes, params)
        say(f"{len(function.nodes)} Dxir nodes")
    path = out / f"llama_decoder_{config}.mlirbc"
    emitted(function, path, stages)
    with stages.stage("read back and compile") as say:
        executable = dxir.compile(dxir.load(path))
        say("XLA CPU through PJRT")
    with stages.stage("run") as say:
        loss, seconds = best_of(executable, arrays)
        say(f"loss {loss:.6f}, {sizes['T'] / seconds:,.0f} tokens/s ({seconds * 1e3:.2f} ms a run)")
    with stages.stage("NumPy reference") as say:
        reference = float(dxir.evaluate(function, *arrays))
        say(f"loss {reference:.6f}, off by {abs(loss - reference) / abs(reference):.1e}")
    with stages.stage("gradient") as say:
        gradient = gradient_of(function, arrays)
        inputs = {str(p.name): a for p, a in zip(function.params, arrays, strict=True)}
        slope, measured = slopes(executable, inputs, gradient)
        say(f"by {len(gradient)} arrays; slope along it {slope:.5g}, measured {measured:.5g}")
    agrees = abs(loss - reference) <= 1e-5 * abs(reference)
    agrees &= abs(slope - measured) <= 0.02 * slope
    stated = case["expected"].get(config)
    if stated is not None:
        error = abs(loss - stated["loss_f64"]) / abs(stated["loss_f64"])
        norms = {n: v for n, v in stated["grad_l2"].items() if n in gradient}
        off = max(abs(np.linalg.norm(gradient[n]) / v - 1) for n, v in norms.items())
        agrees = agrees and error <= stated["rtol_f32"] and off <= 1e-4
        told = f"loss {stated['loss_f64']:.6f}, off by {error:.1e}"
        stages.table.add_row("stated", f"{told}; {len(norms)} norms of gradients by {off:.1e}", "")
    console.print(stages.table)
    console.print("The loss agrees." if agrees else "[bold red]The loss does not agree.[/]")
    return agrees


def folder(text: str) -> Path:
    """A folder that files can be put in; it is made where there is none."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be a folder: {error.strerror}") from None
    return Path(text)


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and run the demo."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--config", choices=("tiny", "medium"), default="tiny")
    parser.add_argument("--out", type=folder, default="out", help="where the artifact goes")
    options = parser.parse_args(argv)
    return 0 if run(options.config, options.out, Console()) else 1


if __name__ == "__main__":
    sys.exit(main())
