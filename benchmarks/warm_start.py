"""What the cache of compiled programs saves: starting a decoder cold, beside starting it warm.

    python benchmarks/warm_start.py [--layers 32] [--rounds 5]

Each start is a process of its own; cold and warm ones take turns, so that the ratio holds on a
loaded machine. The smallest time of all rounds counts. Times are CPU time of the whole process,
XLA's threads among it, and wall time. A warm start is over when `compile` returns: XLA goes on
loading in a thread, and what is left of that is in the first run. Needs `jax` (the `test` extra),
for the decoder's file only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import numpy as np
from lowering import dxir_decoder
from rich.console import Console
from rich.table import Table

import dxir
from dxir.runtime import cpu, keeping, pjrt
from dxir.runtime.cache import Cache

SIZES = {"tiny": (32, 64, 256, 256), "medium": (256, 512, 2048, 2048)}
PARTS = {
    "checks": (cpu, "_examined"),
    "key": (keeping, "program_key"),
    "reading": (Cache, "get"),
    "XLA: loading": (pjrt.Assignment, "deserialize"),
    "XLA: compiling": (pjrt.Assignment, "load"),
    "XLA: writing": (pjrt, "serialize"),
    "keeping": (Cache, "put"),
}
Times = dict[str, tuple[float, float]]


def now() -> tuple[float, float]:
    return time.process_time(), time.perf_counter()


def timed(times: Times, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*arguments: Any, **named: Any) -> Any:
        cpu_start, wall_start = now()
        found = function(*arguments, **named)
        cpu_end, wall_end = now()
        times[name] = (cpu_end - cpu_start, wall_end - wall_start)
        return found

    return wrapped


def start(layers: int, sizes: tuple[int, int, int, int]) -> Times:
    """One start in this process: what each part took."""
    times: Times = {}
    program = timed(times, "build and lower", dxir.lower)(dxir_decoder(layers, *sizes))
    # What is imported and made when first used is the same for both.
    dxir.compile(dxir.load("func.func @main() { return }"), cache=False)()
    with ExitStack() as patches:
        for name, (owner, attribute) in PARTS.items():
            patches.enter_context(
                patch.object(owner, attribute, timed(times, name, getattr(owner, attribute)))
            )
        executable = timed(times, "compile", dxir.compile)(program)
    rng = np.random.default_rng(0)
    arguments = [
        rng.normal(size=p.type.static_shape).astype(np.float32) for p in executable.parameters
    ]
    timed(times, "first run", lambda: np.asarray(executable(*arguments)))()
    (a, b), (c, d) = times["compile"], times["first run"]
    times["compile and run"] = a + c, b + d
    return times


def started(layers: int, sizes: str, folder: str) -> Times:
    command = [sys.executable, __file__, "--start", "--layers", str(layers), "--sizes", sizes]
    environment = {**os.environ, "DXIR_CACHE_DIR": folder, "DXIR_CACHE": "1"}
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found: Times = json.loads(run.stdout)
    return found


def smallest(rounds: list[Times], name: str) -> tuple[float, float]:
    given = [times.get(name, (0.0, 0.0)) for times in rounds]
    return min(cpu for cpu, _ in given), min(wall for _, wall in given)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--sizes", choices=SIZES, default="tiny")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--start", action="store_true", help="one start, and stop")
    options = parser.parse_args()
    if options.start:
        print(json.dumps(start(options.layers, SIZES[options.sizes])))
        return 0
    cold: list[Times] = []
    warm: list[Times] = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(started(options.layers, options.sizes, folder))
            warm.append(started(options.layers, options.sizes, folder))
    title = f"{options.layers} layers, {options.sizes}"
    table = Table("CPU (wall) ms", "cold", "warm", "warm / cold", title=title)
    for name in ("compile", *PARTS, "first run", "compile and run", "build and lower"):
        a, b = smallest(cold, name), smallest(warm, name)
        ratio = f"{b[0] / a[0]:.2f} ({b[1] / a[1]:.2f})" if a[0] and b[0] else ""
        shown = [f"{c * 1e3:.1f} ({w * 1e3:.1f})" if w else "" for c, w in (a, b)]
        table.add_row(name if name not in PARTS else f"  {name}", *shown, ratio)
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
