"""Meshes of hundreds and thousands of devices: partitioned, verified and reported, never run."""

from __future__ import annotations

import time

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.mlir import ir
from dxir.reading import attribute, ops_below
from dxir.sharding import Mesh, Sharding

BATCH, HIDDEN, WIDE = 512, 256, 1024
MESHES = ({"data": 16, "model": 16}, {"data": 8, "model": 8, "pod": 16}, {"data": 64, "model": 64})


def block(mesh: Mesh) -> dxir.Program:
    """A Megatron block with its rows over data, and over pods where there are any."""
    rows = tuple(name for name, _ in mesh.axes if name != "model")
    b = dxir.Builder("main")
    x = b.param(dxir.f32[BATCH, HIDDEN], name="x", sharding=Sharding(mesh, rows, None))
    up = b.param(dxir.f32[HIDDEN, WIDE], name="up", sharding=Sharding(mesh, None, "model"))
    down = b.param(dxir.f32[WIDE, HIDDEN], name="down", sharding=Sharding(mesh, "model", None))
    y = ops.matmul(ops.tanh(ops.matmul(x, up)), down)
    return dxir.lower(b.build(ops.add(x, y), shardings=[Sharding(mesh, rows, None)]))


@pytest.mark.parametrize("axes", MESHES, ids=lambda axes: "x".join(map(str, axes.values())))
def test_large_meshes_partition_verify_and_tell_the_cost(axes: dict[str, int]) -> None:
    mesh = Mesh("mesh", axes)
    program = block(mesh)
    local = program.run_passes("dxir-partition").verify()
    local.serialize("1.0.0")
    model = axes["model"]
    rows = BATCH // (mesh.size // model)
    text = local.text()
    assert f"tensor<{rows}x{WIDE // model}xf32>" in text
    (reduce,) = ops_below(local.module.operation, ("stablehlo.all_reduce",))
    groups = np.asarray(ir.DenseIntElementsAttr(attribute(reduce, "replica_groups")))
    assert groups.shape == (mesh.size // model, model)
    assert sorted(groups.ravel()) == list(range(mesh.size))
    (collective,) = dxir.explain_sharding(program).collectives
    size = rows * HIDDEN * 4
    assert (collective.kind, collective.devices) == ("all_reduce", model)
    assert collective.operand_bytes == size
    assert collective.sent == pytest.approx(2 * (model - 1) / model * size)


def test_devices_of_a_large_mesh_may_be_numbered_in_any_order() -> None:
    ids = np.random.default_rng(0).permutation(4096)
    mesh = Mesh("mesh", {"data": 64, "model": 64}, ids.tolist())
    local = block(mesh).run_passes("dxir-partition").verify()
    (reduce,) = ops_below(local.module.operation, ("stablehlo.all_reduce",))
    groups = np.asarray(ir.DenseIntElementsAttr(attribute(reduce, "replica_groups")))
    wanted = ids.reshape(64, 64)
    assert sorted(map(tuple, groups.tolist())) == sorted(map(tuple, wanted.tolist()))


def layers(count: int) -> dxir.Program:
    """So many Megatron blocks, one after the other."""
    mesh = Mesh("mesh", {"data": 16, "model": 16})
    b = dxir.Builder("main")
    x = b.param(dxir.f32[BATCH, HIDDEN], name="x", sharding=Sharding(mesh, "data", None))
    for i in range(count):
        up = b.param(dxir.f32[HIDDEN, WIDE], name=f"u{i}", sharding=Sharding(mesh, None, "model"))
        down = b.param(dxir.f32[WIDE, HIDDEN], name=f"d{i}", sharding=Sharding(mesh, "model", None))
        x = ops.add(x, ops.matmul(ops.silu(ops.matmul(ops.softmax(x), up)), down))
    return dxir.lower(b.build(x)).decompose()


@pytest.mark.slow
def test_partitioning_takes_a_time_that_grows_with_the_layers_alone() -> None:
    def best(program: dxir.Program) -> float:
        times: list[float] = []
        for _ in range(3):
            start = time.perf_counter()
            program.run_passes("dxir-partition")
            times.append(time.perf_counter() - start)
        return min(times)

    few, many = layers(16), layers(64)
    best(few)
    assert best(many) < 8 * best(few)  # four times as many layers
    text = many.run_passes("dxir-partition").text()
    assert text.count("stablehlo.all_reduce") == 64
