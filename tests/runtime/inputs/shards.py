"""Arrays and programs over the devices of several processes, against NumPy."""

import re
import sys
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, DxirError, RuntimeFailure, TargetError


def refused(act: Callable[[], object], kind: type[DxirError], text: str) -> None:
    with pytest.raises(kind, match=re.escape(text)):
        act()


dxir.distributed.initialize()
rank, devices = dxir.distributed.process_index(), dxir.devices()
count = len(devices)
assert [d.process for d in devices] == [0, 0, 1, 1]
assert [d.is_local for d in devices] == [d.process == rank for d in devices]

mesh = dxir.Mesh("m", {"x": 2, "y": 2})
x = np.arange(64, dtype=np.float32).reshape(8, 8)
placed = dxir.to_device(x, dxir.Sharding(mesh, "y", "x"))
shards = placed.local_shards()
assert [s.device for s in shards] == [d for d in devices if d.is_local]
for shard in shards:
    np.testing.assert_array_equal(shard.data, x[shard.index])
refused(placed.numpy, ArgumentError, "array.gather() fetches the others")
refused(placed.shards, ArgumentError, "local_shards() gives those that are here")
for dtype in (np.float32, ml_dtypes.bfloat16, ml_dtypes.int4, np.complex64, np.bool_):
    y = (x % 2).astype(dtype)
    found = dxir.to_device(y, dxir.Sharding(mesh, ("x", "y"), None)).gather()
    assert found.dtype == y.dtype
    np.testing.assert_array_equal(found, y)
assert dxir.to_device(x, dxir.Sharding(mesh, None, "y")).numpy().shape == (8, 8)  # all is here
turned = placed.to(dxir.Sharding(mesh, "x", "y"))
assert turned.local_shards()[1 - rank].index != shards[1 - rank].index
np.testing.assert_array_equal(turned.gather(), x)
again = dxir.from_shards([s.data for s in shards], placed.placement)
np.testing.assert_array_equal(again.gather(), x)

PROGRAM = """
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""
run = dxir.compile(dxir.load(PROGRAM), devices=count)
for given in (placed, x):
    whole, rows = run(given)
    np.testing.assert_allclose(whole.numpy(), x @ x)
    np.testing.assert_allclose(rows.gather(), x @ x)

# Its own devices are a process's own affair.
program = dxir.load(PROGRAM.replace('"x"=2, "y"=2', '"x"=2, "y"=1'))
if rank == 1:
    mine = dxir.compile(program, devices=[d for d in devices if d.is_local])
    np.testing.assert_allclose(mine(x)[0].numpy(), x @ x)
refused(lambda: dxir.compile(program, devices=2), TargetError, "and none of 1")
refused(lambda: run.save("run.dxir"), TargetError, "that runs on several processes")
refused(dxir.distributed.initialize, RuntimeFailure, "has joined the others already")
refused(lambda: dxir.devices(count=5), TargetError, "have 4 devices together, not 5")
b = dxir.Builder("main")
double = dxir.compile(b.build(dxir.ops.add(p := b.param(dxir.f32[2]), p)))
assert list(double([1.0, rank]).numpy()) == [2.0, 2.0 * rank]

dxir.distributed.barrier("done")
assert dxir.distributed.exchange("ranks", str(rank)) == ["0", "1"]
dxir.distributed.shutdown()
assert dxir.distributed.process_count() == 1
assert len(dxir.devices(count=3)) == 3
assert placed.local_shards()[0].data.shape == (4, 4)  # it stays
print("agreed", file=sys.stderr)
