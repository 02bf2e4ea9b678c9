"""Steps with a collective in each; `steps.py HOW` says how process 1 fails at one of them."""

import ctypes
import os
import sys

import numpy as np

import dxir
from dxir import f32, ops
from dxir.runtime.distributed import session

how = sys.argv[1]

with dxir.distributed.initialize(heartbeat=3):
    rank, count = dxir.distributed.process_index(), dxir.distributed.process_count()
    mesh = dxir.Mesh("m", {"x": count})
    b = dxir.Builder("main")
    x = b.param(f32[12, 4], sharding=dxir.Sharding(mesh, "x", None))
    total = ops.sum(x)
    result = total + total if how == "differ" and rank == 1 else total
    step = dxir.compile(b.build(result), devices=count)
    joined = session.current()
    assert joined is not None
    child = joined.coordinator
    print(f"coordinator={0 if child is None else child.pid} ", flush=True)
    given = np.ones((12, 4), np.float32)
    for i in range(20 if how == "hold" else 10**9):
        assert float(step(given)) == 48
        if i == 10:
            print("at work", os.getpid(), flush=True)
            if rank == 1 and how == "raise":
                raise ValueError("a bad batch")
            if rank == 1 and how == "abort":
                os.abort()
            if rank == 1 and how == "exit":
                sys.exit(3)
            if rank == 1 and how == "hold":  # as a large program does that is being partitioned
                ctypes.PyDLL(None).sleep(7)
