"""Many calls, many threads and large arrays."""

import gc
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.runtime.array import empty_aligned
from dxir.runtime.pjrt import to_device

ADD = """
func.func @main(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.add %x, %y : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""
SUM_OF_SHARDS = """
sdy.mesh @m = <["x"=8]>
func.func @main(%x: tensor<64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""


def resident() -> int:
    """The bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_hundred_calls_at_a_time_from_eight_threads_agree() -> None:
    add = dxir.compile(dxir.load(ADD))
    summed = dxir.compile(dxir.load(SUM_OF_SHARDS), devices=8)
    start = threading.Barrier(8)

    def work(seed: int) -> bool:
        start.wait()
        x = np.full(1024, seed, np.float32)
        pending = [(i, add(x, np.full(1024, i, np.float32))) for i in range(100)]
        totals = [float(summed(x[:64])) for _ in range(5)]
        return all(float(y[-1]) == seed + i for i, y in pending) and totals == [64.0 * seed] * 5

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is told by /proc")
def test_ten_thousand_calls_leave_the_memory_as_it_was() -> None:
    add = dxir.compile(dxir.load(ADD))
    x = np.ones(1024, np.float32)

    def calls(count: int) -> None:
        y = add(x, x)
        for _ in range(count):
            y = add(x, y)
        y.wait()
        gc.collect()

    calls(2000)
    before = resident()
    calls(10_000)  # 40 MB, if every result stayed
    assert resident() - before < 8 << 20


def test_aligned_arrays_are_shared_with_the_device() -> None:
    for shape in ((5, 3), (), (0, 2)):
        x = empty_aligned(shape, np.float32)
        x[...] = 3
        assert x.shape == shape
        assert x.size == 0 or x.ctypes.data % 64 == 0
        placed = to_device(x, copy=False)
        assert x.size == 0 or np.shares_memory(placed.numpy(), x)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is told by /proc")
@pytest.mark.parametrize(("share", "copies"), [(True, 0), (False, 1)])
def test_two_gigabytes_go_in_and_out_without_a_second_copy(share: bool, copies: int) -> None:
    code = f"""
        import resource, numpy as np
        from dxir.runtime.array import empty_aligned
        from dxir.runtime.pjrt import to_device
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        x = empty_aligned([536870912], np.float32) if {share} else np.empty(536870912, np.float32)
        x[:] = 7
        before = peak()
        placed = to_device(x, copy={"False" if share else "None"})
        back = placed.numpy()
        print(round((peak() - before) / 2, 1), back[-1])
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [f"{float(copies)}", "7.0"]
