"""Expert parallelism: each device has an expert, and tokens travel to theirs and back.

    python examples/parallel/expert_parallel.py

A mixture of experts with top-1 routing. Every device routes its own tokens: each goes into the next
free slot of the expert that the router likes best, and is dropped when the expert's slots (its
*capacity*) are taken. One all_to_all sends the slots to the devices of their experts, another
brings the results back. Gradients go the same ways in the other direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import dxir
from dxir import P, collectives, f32, ops

DEVICES = EXPERTS = 8
TOKENS, CAPACITY, MODEL, HIDDEN = 16, 4, 8, 32  # tokens of a device; slots it has for each expert

mesh = dxir.Mesh("mesh", {"expert": DEVICES})
by_tokens = by_experts = P("expert")  # of both, the first dimension


def route(x: Any, router: Any) -> tuple[Any, Any]:
    """Which slot of which expert each token has, `[token, expert, slot]`: as 1, and as its gate."""
    gates = ops.softmax(x @ router, axis=-1)
    chosen = ops.one_hot(ops.argmax(gates, axis=-1), depth=EXPERTS)
    place = ops.convert(ops.cumsum(chosen, axis=0) * chosen - 1, dtype=dxir.i32)  # -1: not chosen
    slots = ops.one_hot(place, depth=CAPACITY)  # zeros for -1, and for places beyond the last
    return slots, slots * ops.reshape(gates, shape=(TOKENS, EXPERTS, 1))


def expert(x: Any, up: Any, down: Any) -> Any:
    """The network of each expert on its slots, `[expert, slot, feature]`."""
    return ops.relu(x @ up) @ down


def exchanged(x: Any, router: Any, up: Any, down: Any) -> Any:
    """The layer as each device computes it, on its tokens and with its expert."""

    def local(x: Any, router: Any, up: Any, down: Any) -> Any:
        slots, gates = route(x, router)
        sent = ops.einsum("td,tec->ecd", (x, slots))  # all experts, this device's slots
        had = collectives.all_to_all(sent, "expert", split_axis=0, concat_axis=1)  # one, all slots
        done = expert(had, up, down)
        back = collectives.all_to_all(done, "expert", split_axis=1, concat_axis=0)
        return ops.einsum("ecd,tec->td", (back, gates))

    (y,) = ops.manual_computation(
        (x, router, up, down),
        local,
        in_shardings=(by_tokens, P(), by_experts, by_experts),
        out_shardings=(by_tokens,),
    )
    return y


def gathered(x: Any, router: Any, up: Any, down: Any) -> Any:
    """The same for one device that has everything: the tokens are routed in the same groups."""
    groups = ops.reshape(x, shape=(DEVICES, TOKENS, MODEL))
    slots, gates = dxir.vmap(route, in_axes=(0, None))(groups, router)
    sent = ops.einsum("gtd,gtec->egcd", (groups, slots))
    had = ops.reshape(sent, shape=(EXPERTS, DEVICES * CAPACITY, MODEL))
    done = ops.reshape(expert(had, up, down), shape=(EXPERTS, DEVICES, CAPACITY, MODEL))
    return ops.reshape(ops.einsum("egcd,gtec->gtd", (done, gates)), shape=x.shape)


def forward_and_back(layer: Callable[..., Any]) -> dxir.Function:
    """`(x, router, up, down) -> (y, the gradients of the sum of its squares)`."""
    b = dxir.Builder("main", mesh=mesh)
    x = b.param(f32[DEVICES * TOKENS, MODEL], name="x", sharding=by_tokens)
    router = b.param(f32[MODEL, EXPERTS], name="router", sharding=P())
    up = b.param(f32[EXPERTS, MODEL, HIDDEN], name="up", sharding=by_experts)
    down = b.param(f32[EXPERTS, HIDDEN, MODEL], name="down", sharding=by_experts)
    y, pull_back = dxir.vjp(layer, x, router, up, down)
    shardings = [by_tokens, by_tokens, P(), by_experts, by_experts]
    return b.build(y, *pull_back(2 * y), shardings=shardings)


def main() -> None:
    """Run the layer on eight devices, and its like on one."""
    rng = np.random.default_rng(0)
    function = forward_and_back(exchanged)
    arrays = [rng.normal(0, 0.5, p.shape).astype(np.float32) for p in function.params]
    alone = dxir.compile(forward_and_back(gathered), devices=1)(*arrays)
    program = dxir.lower(function)
    results = dxir.compile(program, devices=8)(*arrays)
    for many, one in zip(results, alone, strict=True):
        np.testing.assert_allclose(many, one, rtol=1e-4, atol=1e-5)
    dropped = np.sum(~np.any(results[0].numpy(), axis=1))
    print(f"{dropped} of {DEVICES * TOKENS} tokens found no slot; forward and back, a device sends")
    for total in dxir.explain_sharding(program).totals():
        print(f"  {total.sent:,} bytes in {total.count} {total.kind} over {total.axes}")


if __name__ == "__main__":
    main()
