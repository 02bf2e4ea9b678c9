"""What a call of a compiled program costs, beside `jax.jit`'s dispatch of the same program.

Run it on a quiet machine: `python benchmarks/dispatch.py`. Needs JAX.
"""

import time
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

import dxir
from dxir.runtime.pjrt import to_device

REPEATS, ROUNDS = 2000, 9


def microseconds(call: Callable[..., object], arrays: Sequence[object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(REPEATS):
            call(*arrays)
        best = min(best, (time.perf_counter() - start) / REPEATS)
    return best * 1e6


def program(count: int) -> dxir.Program:
    kind = "tensor<4xf32>"
    takes = ", ".join(f"%a{i}: {kind}" for i in range(count))
    adds = "\n".join(f"%r{i} = stablehlo.add %a{i}, %a{i} : {kind}" for i in range(count))
    kinds = ", ".join([kind] * count)
    results = ", ".join(f"%r{i}" for i in range(count))
    return dxir.load(
        f"func.func @main({takes}) -> ({kinds}) {{\n{adds}\nreturn {results} : {kinds}\n}}"
    )


def main() -> None:
    print(f"{'arrays in and out':<20}{'dxir us':>10}{'jax us':>10}{'ratio':>8}")
    for count in (1, 4, 20):
        host = [np.ones(4, np.float32)] * count
        ours, theirs = [to_device(x) for x in host], [jnp.asarray(x) for x in host]
        compiled = dxir.compile(program(count))
        jitted = jax.jit(lambda *xs: tuple(x + x for x in xs))
        jitted(*theirs)
        for place, mine, other in (("device", ours, theirs), ("host", host, host)):
            a = microseconds(compiled, mine)
            b = microseconds(jitted, other)
            print(f"{f'{count} on the {place}':<20}{a:>10.1f}{b:>10.1f}{a / b:>8.2f}")


if __name__ == "__main__":
    main()
