"""Process 1 ends early, and process 0 waits for it elsewhere."""

import sys

import dxir

dxir.distributed.initialize()
if dxir.distributed.process_index() == 1:
    sys.exit(3)
dxir.distributed.barrier("all are there")
