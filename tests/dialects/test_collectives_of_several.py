"""Collectives of several values over axes of a mesh run where those of one do."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import P, collectives, f32, ops


@pytest.mark.parametrize("name", ["all_reduce", "all_gather", "all_to_all"])
def test_a_collective_of_two_values_runs_in_a_manual_computation(name: str) -> None:
    options: dict[str, Any] = {"all_to_all": {"split_axis": 0, "concat_axis": 0}}.get(name, {})

    def local(x: Any, y: Any) -> Any:
        a, b = getattr(collectives, name)((x, y), "d", **options)
        return ops.reshape(ops.sum(a) + 10 * ops.sum(b), shape=(1,))

    builder = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"d": 2}))
    x, y = (builder.param(f32[4], sharding=P("d")) for _ in range(2))
    found = ops.manual_computation((x, y), local, in_shardings=[P("d")] * 2, out_shardings=[P("d")])
    run = dxir.compile(builder.build(*found), devices=2)
    result = run(np.arange(4, dtype=np.float32), np.ones(4, np.float32))
    expected = {"all_reduce": [46, 46], "all_gather": [46, 46], "all_to_all": [22, 24]}[name]
    np.testing.assert_array_equal(result, np.float32(expected))


def test_xla_refuses_an_exchange_of_two_values_in_one_op() -> None:
    builder = dxir.Builder("main")
    x, y = builder.param(f32[2]), builder.param(f32[2])
    exchanged = ops.all_to_all(
        (x, y), split_axis=0, concat_axis=0, split_count=2, replica_groups=((0, 1),)
    )
    function = builder.build(*exchanged)
    with pytest.raises(dxir.DxirError, match="it sends each of several operands to one device"):
        dxir.compile(function, devices=2, replicas=2)
