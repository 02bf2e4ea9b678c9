"""A Python function: traced, lowered, verified, written down, compiled, differentiated, checked.

    python examples/quickstart.py

What it prints is read from top to bottom; the artifact is out/loss.mlirbc.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import dxir
import dxir.numpy as xp
from dxir.verify import check_module


@dxir.function
def loss(params: dict[str, Any], x: Any, wanted: Any) -> Any:
    """How far a layer's answers are from what is wanted."""
    answers = xp.tanh(x @ params["kernel"] + params["bias"])
    return xp.mean((answers - wanted) ** 2)


def main() -> None:
    rng = np.random.default_rng(0)
    kernel, bias = rng.normal(size=(3, 2)).astype(np.float32), np.array([0.1, -0.1], np.float32)
    params = {"kernel": kernel, "bias": bias}
    x, wanted = rng.normal(size=(4, 3)).astype(np.float32), np.ones((4, 2), np.float32)

    traced = loss.trace(params, x, wanted)
    print("The graph, an op a line:", traced, sep="\n")

    program = traced.lower()  # StableHLO in memory, which MLIR's verifier has passed
    print("The same as StableHLO:", program, sep="\n")
    for finding in check_module(program).findings:  # more than a verifier knows; here, nothing
        print(finding.place, finding.message)

    path = Path("out", "loss.mlirbc")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(program.serialize("1.0.0"))
    print(f"The artifact for StableHLO 1.0.0 has {path.stat().st_size:,} bytes.")
    executable = dxir.compile(dxir.load(path))  # takes the arrays in the order of the graph
    value = executable(bias, kernel, x, wanted)
    print(f"It runs: the loss is {float(np.asarray(value)):.6f}.")

    step = dxir.jit(dxir.value_and_grad(loss))  # traced and compiled at the first call
    value, gradients = step(params, x, wanted)
    print(f"Compiled by dxir.jit it is {float(value):.6f}; its gradient for the bias is")
    print(gradients["bias"])

    report = dxir.check(loss, params, x, wanted)  # against a reference of each op in NumPy
    print(report)


if __name__ == "__main__":
    main()
