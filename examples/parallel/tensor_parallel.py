"""Tensor parallelism: the weights of a layer are divided, as Megatron-LM divides them.

    python examples/parallel/tensor_parallel.py

An MLP multiplies by two matrices. The first is split by columns, so that each device computes a
part of the hidden units from all of the input; the second by rows, so that each needs the hidden
units it has. Each then has a term of the result, and one all_reduce adds them up. Attention is the
same, with heads for hidden units. Backwards it is the gradient of the input that is in terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import dxir
from dxir import P, f32, ops

BATCH, TOKENS, MODEL, HIDDEN, HEADS, HEAD = 2, 16, 32, 64, 8, 4

mesh = dxir.Mesh("mesh", {"model": 8})

Weight = tuple[str, dxir.TensorType, P]
MLP: list[Weight] = [
    ("up", f32[MODEL, HIDDEN], P(None, "model")),
    ("down", f32[HIDDEN, MODEL], P("model")),
]
ATTENTION: list[Weight] = [
    ("qkv", f32[3, MODEL, HEADS, HEAD], P(None, None, "model")),
    ("out", f32[HEADS, HEAD, MODEL], P("model")),
]


def mlp(x: Any, up: Any, down: Any) -> Any:
    """Two matrices with a nonlinearity between."""
    return ops.gelu(x @ up) @ down


def attention(x: Any, qkv: Any, out: Any) -> Any:
    """Heads side by side; queries, keys and values come of one product, and go back as one."""
    heads = ops.einsum("btd,pdhk->pbthk", (x, qkv))
    scores = ops.einsum("bthk,bshk->bhts", (heads[0], heads[1])) * HEAD**-0.5
    mixed = ops.einsum("bhts,bshk->bthk", (ops.softmax(scores, axis=-1), heads[2]))
    return ops.einsum("bthk,hkd->btd", (mixed, out))


def forward(layer: Callable[..., Any], weights: Sequence[Weight]) -> dxir.Function:
    """`(x, weights...) -> y`."""
    b = dxir.Builder("main", mesh=mesh)
    x = b.param(f32[BATCH, TOKENS, MODEL], name="x", sharding=P())
    given = [b.param(type, name=name, sharding=sharding) for name, type, sharding in weights]
    return b.build(layer(x, *given), shardings=[P()])


def gradient(layer: Callable[..., Any], weights: Sequence[Weight]) -> dxir.Function:
    """`(x, weights...) -> (y, the gradients of the sum of its squares)`."""
    b = dxir.Builder("main", mesh=mesh)
    x = b.param(f32[BATCH, TOKENS, MODEL], name="x", sharding=P())
    given = [b.param(type, name=name, sharding=sharding) for name, type, sharding in weights]
    y, pull_back = dxir.vjp(layer, x, *given)
    shardings = [P(), P(), *[sharding for _, _, sharding in weights]]
    return b.build(y, *pull_back(2 * y), shardings=shardings)


def main() -> None:
    """Run the layers and their gradients on eight devices and on one."""
    rng = np.random.default_rng(0)
    for layer, weights in ((mlp, MLP), (attention, ATTENTION)):
        types = [f32[BATCH, TOKENS, MODEL], *[type for _, type, _ in weights]]
        arrays = [rng.normal(0, 0.3, type.static_shape).astype(np.float32) for type in types]
        alone = dxir.compile(gradient(layer, weights), devices=1)(*arrays)

        program = dxir.lower(forward(layer, weights))
        y = dxir.compile(program, devices=8)(*arrays)
        np.testing.assert_allclose(y, alone[0], rtol=1e-4, atol=1e-5)
        tell(f"{layer.__name__}, forward", program)

        program = dxir.lower(gradient(layer, weights))
        for many, one in zip(dxir.compile(program, devices=8)(*arrays), alone, strict=True):
            np.testing.assert_allclose(many, one, rtol=1e-4, atol=1e-4)
        tell(f"{layer.__name__}, forward and back", program)


def tell(what: str, program: dxir.Program) -> None:
    """Print what is sent, and that it is an all_reduce each way and no more."""
    report = dxir.explain_sharding(program)
    assert {c.kind for c in report.collectives} == {"all_reduce"}
    print(f"{what}: {len(report.collectives)} all_reduce, a device sends {report.sent:,} bytes")


if __name__ == "__main__":
    main()
