"""What dxir-opt costs beyond MLIR itself, on a module of 20,000 ops.

    python benchmarks/opt.py [--ops 20000] [--rounds 7]

Reading, `canonicalize,cse` and printing by the tool's own code and by the bindings alone, in turn
in one process; then each pass of ours an op; then the time the tool needs to start. The smallest
time of all rounds counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.table import Table

import dxir
from dxir.errors import DxirError
from dxir.mlir import ir, make_context, passmanager
from dxir.pipeline.base import all_passes
from dxir.pipeline.running import StepFailure, run_steps
from dxir.pipeline.steps import resolve
from dxir.tools.opt import main as opt

PIPELINE = "canonicalize,cse"
CYCLE = (
    "%{n} = stablehlo.multiply %{a}, %w : tensor<8x16xf32>",
    "%{n} = stablehlo.tanh %{a} : tensor<8x16xf32>",
    "%{n} = stablehlo.add %{a}, %{b} : tensor<8x16xf32>",
    "%{n} = stablehlo.transpose %{a}, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>",
    "%{n} = stablehlo.reshape %{a} : (tensor<16x8xf32>) -> tensor<8x16xf32>",
)


def module_text(ops: int) -> str:
    """A chain of ops that no pass can shorten."""
    head = "func.func @main(%x: tensor<8x16xf32>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {"
    lines, last, before = [head], "x", "w"
    for i in range(ops - ops % len(CYCLE)):
        lines.append("  " + CYCLE[i % len(CYCLE)].format(n=f"v{i}", a=last, b=before))
        if i % len(CYCLE) == 1:
            before = last
        last = f"v{i}"
    return "\n".join([*lines, f"  return %{last} : tensor<8x16xf32>", "}", ""])


def bindings_alone(source: Path, target: Path) -> None:
    """What the tool does, without the tool."""
    context = make_context()
    module = ir.Module.parseFile(str(source), context)
    passmanager.PassManager.parse(f"builtin.module({PIPELINE})", context).run(module.operation)
    text = module.operation.get_asm(binary=True)
    assert isinstance(text, bytes)
    target.write_bytes(text + b"\n")


def the_tool(source: Path, target: Path) -> None:
    """The tool, in this process."""
    code = opt([str(source), "-o", str(target), *(f"--{p}" for p in PIPELINE.split(","))])
    assert code == 0


def smallest(rounds: int, *works: Callable[[], None]) -> list[float]:
    """The smallest time of each, done in turn, in seconds."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def pass_times(text: str, ops: int, rounds: int) -> list[tuple[str, float, float]]:
    """Each pass of ours that needs no options: microseconds an op, the first and a second run."""
    rows: list[tuple[str, float, float]] = []
    for name, cls in all_passes().items():
        times: list[tuple[float, float]] = []
        with suppress(DxirError, StepFailure):  # a pass that needs options is left out
            for _ in range(rounds):
                program = dxir.load(text)
                steps = resolve(f"{name},{name}", program.context)
                first, again = run_steps(program.module, steps)
                times.append((first.seconds, again.seconds))
        if not times:
            continue
        best = [min(t[i] for t in times) * 1e6 / ops for i in (0, 1)]
        rows.append((cls.name, best[0], best[1]))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ops", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    text = module_text(options.ops)
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        source, plain, ours = (Path(folder, n) for n in ("in.mlir", "plain.mlir", "ours.mlir"))
        source.write_text(text)
        alone, tool = smallest(
            options.rounds,
            lambda: bindings_alone(source, plain),
            lambda: the_tool(source, ours),
        )
        assert plain.read_bytes() == ours.read_bytes()
        console.print(
            f"read, {PIPELINE}, print {options.ops} ops: {tool * 1e3:.0f} ms, the bindings alone "
            f"{alone * 1e3:.0f} ms: {tool / alone:.2f}x"
        )
        table = Table("pass", "us an op", "again")
        for name, first, again in pass_times(text, options.ops, max(1, options.rounds // 2)):
            table.add_row(name, f"{first:.1f}", f"{again:.1f}")
        console.print(table)
        small = Path(folder, "small.mlir")
        small.write_text("module {\n}\n")
        command = [sys.executable, "-m", "dxir.tools.opt", str(small), "-o", os.devnull]
        (start,) = smallest(options.rounds, lambda: void(command))
        console.print(f"start-up: {start * 1e3:.0f} ms")


def void(command: list[str]) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
