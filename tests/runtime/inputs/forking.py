"""Processes fork, and signals come to all: only the processes themselves have to do with them."""

import os
import signal
import sys

import dxir

got: list[int] = []
signal.signal(signal.SIGUSR1, lambda number, _: got.append(number))
dxir.distributed.initialize()
child = os.fork()
if child == 0:
    assert not dxir.distributed.is_initialized()
    dxir.distributed.shutdown()  # of nothing
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
os.killpg(0, signal.SIGUSR1)  # to the coordinator, too
dxir.distributed.barrier("all forked")
print("together", len(got), file=sys.stderr)
