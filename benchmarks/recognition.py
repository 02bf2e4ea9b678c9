"""What finding, outlining and expanding patterns costs, on modules of 10,000 ops.

    python benchmarks/recognition.py [--ops 10000] [--rounds 5]

A decoder, nearly all of which is found, spelled in primitive ops; and a chain in which nothing is.
Times are CPU time an op of the input, the smallest of all rounds. The chain is searched with 30 and
with 300 patterns, too: those that ask for an op which is not there cost nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from lowering import dxir_decoder
from opt import module_text
from rich.console import Console
from rich.table import Table

import dxir
from dxir.mlir import clone_module, ir
from dxir.pattern import Elementwise, Number, Product, Rule, Var
from dxir.pattern.registry import rules_of
from dxir.pattern.search import Index, search
from dxir.pattern.view import View
from dxir.pipeline.running import run_steps
from dxir.pipeline.steps import resolve

STEPS = ("dxir-recognize", "dxir-coarsen", "dxir-decompose")


def smallest(rounds: int, work: Callable[[], float]) -> float:
    return min(work() for _ in range(rounds))


def pipeline_times(program: dxir.Program, rounds: int) -> list[float]:
    """The CPU time of each step, run one after the other."""
    best = [float("inf")] * len(STEPS)
    for _ in range(rounds):
        module = clone_module(program.module)
        for i, step in enumerate(STEPS):
            start = time.process_time()
            run_steps(module, resolve(step, module.context))
            best[i] = min(best[i], time.process_time() - start)
    return best


def synthetic(count: int) -> list[Rule]:
    """Rules for formulas of ops that are in nearly every program, and of ones that are not."""
    names = ("cosine", "sine", "cbrt", "floor", "ceil", "log", "sign", "tan", "abs", "tanh")
    rules: list[Rule] = []
    for i in range(count):
        inner = Elementwise((f"stablehlo.{names[i % len(names)]}",), Var("x"))
        for _ in range(i % 3):
            inner = Elementwise(("stablehlo.exponential",), inner)
        rules.append(Rule(f"made_{i}", (Product(inner, Number(1.0 + i)),), operands=("x",)))
    return rules


def search_time(module: ir.Module, rules: list[Rule]) -> float:
    start = time.process_time()
    view = View(module)
    index = Index(view)
    for function in view.functions.values():
        search(view, index, function, rules)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rules_of(())  # imported once
    per_layer = sum(dxir.lower(dxir_decoder(1, 32, 64, 256, 256)).decompose().op_counts().values())
    layers = max(1, round(options.ops / per_layer))
    decoder = dxir.lower(dxir_decoder(layers, 32, 64, 256, 256)).decompose()
    chain = dxir.load(module_text(options.ops))
    table = Table("module", "ops", *STEPS, "all three", title="microseconds an op (goal 15)")
    for name, program in (("decoder", decoder), ("chain", chain)):
        ops = sum(program.op_counts().values())
        times = [t / ops * 1e6 for t in pipeline_times(program, options.rounds)]
        table.add_row(name, str(ops), *(f"{t:.1f}" for t in times), f"{sum(times):.1f}")
    console = Console()
    console.print(table)
    few, many = (
        smallest(options.rounds, lambda r=r: search_time(chain.module, r))
        for r in (synthetic(30), synthetic(300))
    )
    console.print(f"the search with 300 patterns against 30: {many / few:.2f}x")


if __name__ == "__main__":
    sys.exit(main())
