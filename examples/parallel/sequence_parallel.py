"""Sequence parallelism: what tensor parallelism leaves whole is divided over the tokens.

    python examples/parallel/sequence_parallel.py

A tensor-parallel layer computes its norm and its residual on every device alike, and keeps them for
the gradient. Here each device does so for its part of the tokens. The all_reduce at the end of the
layer becomes a reduce_scatter, and an all_gather goes before the first matrix, which sends as many
bytes as the all_reduce did. The layer is said twice: by the shardings of three values, and as
code for one device between the norm and the residual.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import dxir
from dxir import P, collectives, f32, ops

BATCH, TOKENS, MODEL, HIDDEN = 2, 16, 32, 64

mesh = dxir.Mesh("mesh", {"model": 8})
by_tokens = P(None, "model")
by_features = P(None, None, "model")
columns, rows = P(None, "model"), P("model")


def plain(x: Any, gain: Any, up: Any, down: Any) -> Any:
    """The layer without a word on where values lie."""
    return x + ops.gelu(norm(x, gain) @ up) @ down


def stated(x: Any, gain: Any, up: Any, down: Any) -> Any:
    """The layer with the shardings of what goes into each matrix and comes out of the second.

    Left out, `P()` would leave it to propagation how the norm is divided, and `by_features`
    whether the first product is computed from a part of the tokens and all of its matrix.
    """
    normed = ops.sharding_constraint(norm(x, gain), P())
    hidden = ops.sharding_constraint(ops.gelu(normed @ up), by_features)
    return x + ops.sharding_constraint(hidden @ down, by_tokens)


def explicit(x: Any, gain: Any, up: Any, down: Any) -> Any:
    """The layer with the matrices as each device multiplies by them."""

    def local(part: Any, up: Any, down: Any) -> Any:
        tokens = collectives.all_gather(part, "model", axis=1)
        term = ops.gelu(tokens @ up) @ down
        return collectives.reduce_scatter(term, "model", axis=1)

    (y,) = ops.manual_computation(
        (norm(x, gain), up, down),
        local,
        in_shardings=(by_tokens, columns, rows),
        out_shardings=(by_tokens,),
    )
    return x + y


def norm(x: Any, gain: Any) -> Any:
    """Each token divided by the root of its mean square, times `gain`."""
    return x * ops.rsqrt(ops.mean(x * x, axes=(-1,), keepdims=True) + 1e-5) * gain


def forward_and_back(layer: Callable[..., Any]) -> dxir.Function:
    """`(x, gain, up, down) -> (y, the gradients of the sum of its squares)`."""
    b = dxir.Builder("main", mesh=mesh)
    x = b.param(f32[BATCH, TOKENS, MODEL], name="x", sharding=by_tokens)
    gain = b.param(f32[MODEL], name="gain", sharding=P())
    up = b.param(f32[MODEL, HIDDEN], name="up", sharding=columns)
    down = b.param(f32[HIDDEN, MODEL], name="down", sharding=rows)
    y, pull_back = dxir.vjp(layer, x, gain, up, down)
    shardings = [by_tokens, by_tokens, P(), columns, rows]
    return b.build(y, *pull_back(2 * y), shardings=shardings)


def main() -> None:
    """Run both, and the plain layer on one device."""
    rng = np.random.default_rng(0)
    shapes = [(BATCH, TOKENS, MODEL), (MODEL,), (MODEL, HIDDEN), (HIDDEN, MODEL)]
    arrays = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
    alone = dxir.compile(forward_and_back(plain), devices=1)(*arrays)
    for layer in (plain, stated, explicit):
        program = dxir.lower(forward_and_back(layer))
        for many, one in zip(dxir.compile(program, devices=8)(*arrays), alone, strict=True):
            np.testing.assert_allclose(many, one, rtol=1e-4, atol=1e-4)
        report = dxir.explain_sharding(program)
        print(f"{layer.__name__}: a device sends {report.sent:,} bytes")
        for total in report.totals():
            print(f"  {total.sent:,} bytes in {total.count} {total.kind} over {total.axes}")


if __name__ == "__main__":
    main()
