"""How long a decoder takes to become the program of one device, by layers and by devices.

    python benchmarks/partitioning.py [--layers 4 8 16 32] [--devices 16 256 4096] [--rounds 3]

The decoder of `benchmarks/lowering.py` lies on a square mesh: rows of the sequence over `data`,
weights over `model` as in Megatron. Nothing is run. The smallest time of all rounds counts; the
first call, which loads what all others find, is left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from lowering import dxir_decoder
from rich.console import Console
from rich.table import Table

import dxir
from dxir.sharding import Mesh, Sharding
from dxir.transforms import grad_function

SIZES = (256, 512, 2048, 2048)
AXES: dict[str, tuple[str | None, str | None]] = {
    "x": ("data", None), "theta": ("data", "model"), "eps": ("data", None),
    "labels": ("data", "model"), "head": (None, "model"),
    "q_w": (None, "model"), "k_w": (None, "model"), "v_w": (None, "model"),
    "out_w": ("model", None), "gate_w": (None, "model"), "up_w": (None, "model"),
    "down_w": ("model", None),
}  # fmt: skip
PASSES = ("dxir-propagate", "dxir-insert-collectives", "dxir-localize")


def square(devices: int) -> Mesh:
    """A mesh of so many devices, as near to a square as powers of two come."""
    data = 1 << (isqrt(devices).bit_length() - 1)
    return Mesh("mesh", {"data": data, "model": devices // data})


def decoder(layers: int, mesh: Mesh, sizes: tuple[int, ...], *, gradient: bool) -> dxir.Program:
    """The decoder on a mesh, its composites expanded."""
    t, d, f, v = sizes
    function = dxir_decoder(layers, t, d, f, v)
    names = [(p.name or "").rstrip("0123456789") for p in function.params]
    shardings: list[Sharding | None] = [Sharding(mesh, *AXES[name]) for name in names]
    function.param_shardings = shardings
    if gradient:
        function = grad_function(function, value=True, name="main")
        function.param_shardings = shardings
        function.result_shardings = [Sharding(mesh), *shardings]
    return dxir.lower(function).decompose()


@dataclass
class Timed:
    """Seconds of each part, and what came out."""

    passes: dict[str, float] = field(default_factory=dict[str, float])
    whole: float = 0.0
    report: float = 0.0
    ops: int = 0
    collectives: int = 0


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """How long one call takes, and what it gives."""
    start = time.perf_counter()
    made = function()
    return time.perf_counter() - start, made


def timed(program: dxir.Program, rounds: int) -> Timed:
    """The parts of partitioning a program, each at its fastest."""
    found = Timed()
    for number in range(rounds):
        given = program
        for name in PASSES:
            took, given = seconds(lambda given=given, name=name: given.run_passes(name))
            found.passes[name] = min(took, found.passes.get(name, took))
        took, local = seconds(lambda: program.run_passes("dxir-partition"))
        found.whole = took if number == 0 else min(took, found.whole)
        took, report = seconds(lambda: dxir.explain_sharding(program))
        found.report = took if number == 0 else min(took, found.report)
        local.verify()
        found.ops = sum(local.op_counts().values())
        found.collectives = len(report.collectives)
    return found


def table_of(title: str, first: str, rows: list[tuple[str, int, Timed]]) -> Table:
    """The times in milliseconds, a row for each program; `int` is the number of layers."""
    table = Table(title=f"{title}, in ms")
    for name in (first, "propagate", "insert", "localize", "all in one", "a layer", "report"):
        table.add_column(name, justify="right")
    for name in ("collectives", "ops"):
        table.add_column(name, justify="right", style="dim")
    for label, layers, found in rows:
        times = [*found.passes.values(), found.whole]
        table.add_row(
            label, *[f"{t * 1e3:,.0f}" for t in times], f"{found.whole / layers * 1e3:.1f}",
            f"{found.report * 1e3:,.0f}", f"{found.collectives:,}", f"{found.ops:,}",
        )  # fmt: skip
    return table


def main(argv: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, nargs="*", default=[4, 8, 16, 32])
    parser.add_argument("--devices", type=int, nargs="*", default=[16, 64, 256, 1024, 4096])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gradient", action="store_true", help="of the loss and its gradients")
    options = parser.parse_args(argv)
    gradient, rounds = options.gradient, options.rounds
    timed(decoder(1, square(16), SIZES, gradient=gradient), 1)
    console = Console()
    what = "decoder with gradients" if gradient else "decoder"
    rows = [
        (str(n), n, timed(decoder(n, square(256), SIZES, gradient=gradient), rounds))
        for n in options.layers
    ]
    if rows:
        console.print(table_of(f"A {what} on a 16x16 mesh", "layers", rows))
    few = 8
    rows = []
    for count in options.devices:
        sizes = tuple(max(size, isqrt(count) * 4) for size in SIZES)
        program = decoder(few, square(count), sizes, gradient=gradient)
        rows.append((f"{count:,}", few, timed(program, rounds)))
    if rows:
        console.print(table_of(f"A {what} of {few} layers", "devices", rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
