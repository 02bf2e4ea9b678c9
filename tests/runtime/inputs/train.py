"""A small model trained data-parallel over all processes; prints the losses."""

import json
import sys
from typing import Any

import numpy as np

import dxir
from dxir import f32, ops

STEPS, BATCH, SIZE = 12, 32, 16


def loss(w1: Any, w2: Any, x: Any, y: Any) -> Any:
    error = ops.matmul(ops.tanh(ops.matmul(x, w1)), w2) - y
    return ops.mean(error * error)


dxir.distributed.initialize()
count = len(dxir.devices())
mesh = dxir.Mesh("m", {"data": count})
whole, divided = dxir.Sharding(mesh, None, None), dxir.Sharding(mesh, "data", None)

b = dxir.Builder("main")
w1, w2 = (b.param(f32[SIZE, SIZE], sharding=whole) for _ in range(2))
x, y = (b.param(f32[BATCH, SIZE], sharding=divided) for _ in range(2))
value, (g1, g2) = dxir.value_and_grad(loss, wrt=(0, 1))(w1, w2, x, y)
step = dxir.compile(b.build(value, w1 - g1 * 2.0, w2 - g2 * 2.0), devices=count)

rng = np.random.default_rng(0)
weights = [rng.standard_normal((SIZE, SIZE)).astype(np.float32) * 0.2 for _ in range(2)]
inputs = rng.standard_normal((BATCH, SIZE)).astype(np.float32)
data = [dxir.to_device(a, divided) for a in (inputs, np.tanh(inputs @ weights[1]))]
losses = []
for _ in range(STEPS):
    value, *results = step(*weights, *data)
    weights = [a.to(whole) for a in results]
    losses.append(float(value))
print("losses", json.dumps(losses), file=sys.stderr)
