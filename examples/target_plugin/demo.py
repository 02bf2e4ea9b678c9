"""A new target as a package: Loom, an accelerator without f64 and with a unit for softmax.

    python examples/target_plugin/demo.py [--tokens 16]
    pip install ./examples/target_plugin && dxir targets loom

The package declares the target in an entry point; once it is installed, `dxir targets`, `dxir
can-run`, `dxir.prepare` and `dxir.compile` know it by its name. Its policy keeps the softmax that
dxir recognizes, its compiler gives every value a slot of memory, and its machine is an interpreter.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import numpy as np
from loom_target import LOOM
from loom_target.machine import LoomExecutable
from rich.console import Console
from rich.table import Table

import dxir
from dxir import DType, f32, f64, ops
from dxir.errors import TargetError
from dxir.targets import register_target

WIDTH, HIDDEN, CLASSES = 32, 64, 10


def classifier(tokens: int, dtype: DType) -> dxir.Function:
    """Two layers, and a softmax of primitives, as many producers write it."""
    b = dxir.Builder("main")
    x = b.param(dtype[tokens, WIDTH], name="x")
    w1, w2 = b.param(dtype[WIDTH, HIDDEN], name="w1"), b.param(dtype[HIDDEN, CLASSES], name="w2")
    logits = ops.relu(x @ w1) @ w2
    powers = ops.exp(logits - ops.reduce_max(logits, axes=(1,), keepdims=True))
    return b.build(powers / ops.sum(powers, axes=(1,), keepdims=True))


def number(text: str) -> int:
    """A whole number from 1 to 4096."""
    if not text.isdecimal() or not 1 <= int(text) <= 4096:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 4096")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run a network on a target of one's own.")
    parser.add_argument("--tokens", type=number, default=16, help="rows of the batch")
    tokens = parser.parse_args().tokens
    console = Console()
    register_target(LOOM)  # which an installed package need not do

    console.print("In f64 it does not take it:")
    for refusal in LOOM.check(dxir.lower(classifier(tokens, f64))).refusals[:1]:
        console.print(f"  {refusal}", soft_wrap=True, highlight=False)

    function = classifier(tokens, f32)
    try:
        run = dxir.compile(function, "loom")
    except TargetError as error:
        console.print(f"error: {error}", style="red", soft_wrap=True)
        return 1
    assert isinstance(run, LoomExecutable)
    console.print(str(run.stream), highlight=False, soft_wrap=True)

    rng = np.random.default_rng(0)
    shapes = [param.type.static_shape for param in run.parameters]
    arguments = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
    found, by_xla = (np.asarray(f(*arguments)) for f in (run, dxir.compile(function)))
    difference = float(np.abs(found - by_xla).max())
    table = Table("unit", "instructions")
    for unit, count in Counter(i.unit for i in run.stream.instructions).most_common():
        table.add_row(unit, str(count))
    console.print(table)
    console.print(f"a row sums to {found[0].sum():.4f}; xla-cpu differs by {difference:.1e}")
    return 0 if difference < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
