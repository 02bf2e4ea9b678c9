"""Shardings as modules state them: what is not followed is told, in HLO's words or in Shardy's."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Mesh, P, Sharding, f32, ops
from dxir.errors import ShardingWarning, TargetError
from dxir.runtime.pjrt import to_device
from dxir.runtime.undivided import undivided_shardings

X = np.arange(24, dtype=np.float32).reshape(6, 4)


def doubled(marks: str, shape: str = "6x4", devices: int = 8) -> Any:
    """A program that doubles its parameter, which has these attributes, compiled."""
    return dxir.compile(dxir.load(f"""
      func.func @main(%y: tensor<{shape}xf32> {{{marks}}}) -> tensor<{shape}xf32> {{
        %0 = stablehlo.add %y, %y : tensor<{shape}xf32>
        return %0 : tensor<{shape}xf32>
      }}"""), devices=devices)  # fmt: skip


@pytest.mark.parametrize(
    ("sharding", "devices", "order"),
    [
        (
            "{devices=[3,4]<=[2,3,2]T(1,0,2)}",
            12,
            np.arange(12).reshape(2, 3, 2).transpose(1, 0, 2).reshape(3, 4),
        ),
        (
            "{devices=[2,4]<=[2,2,2]T(1,0,2)}",
            8,
            np.arange(8).reshape(2, 2, 2).transpose(1, 0, 2).reshape(2, 4),
        ),
        ("{devices=[3,2,2]<=[3,4]T(0,1) last_tile_dim_replicate}", 12, None),
        ("{devices=[2,2]3,1,2,0}", 4, np.array([[3, 1], [2, 0]])),
    ],
)
def test_shardings_in_hlos_words_are_followed_in_any_order_of_devices(
    sharding: str, devices: int, order: Any
) -> None:
    run = doubled(f'mhlo.sharding = "{sharding}"', devices=devices)
    np.testing.assert_array_equal(run(X), 2 * X)
    assert run.placements[0].tiles == (
        3 if devices == 12 else 2,
        2 if order is None else order.shape[1],
    )
    if order is not None:
        shards = to_device(X, run.placements[0]).shards()
        rows, columns = 6 // order.shape[0], 4 // order.shape[1]
        for (i, j), device in np.ndenumerate(order):
            part = X[i * rows : (i + 1) * rows, j * columns : (j + 1) * columns]
            np.testing.assert_array_equal(np.asarray(shards[device]), part)


@pytest.mark.parametrize("op", ["stablehlo.add %y, %y", "stablehlo.custom_call @Sharding(%y)"])
def test_a_sharding_of_an_op_that_xla_cannot_read_is_refused(op: str) -> None:
    type = "tensor<8xf32>"
    types = type if "add" in op else f"({type}) -> {type}"
    program = dxir.load(f"""
      func.func @main(%y: {type}) -> {type} {{
        %0 = {op} {{mhlo.sharding = "{{devices=[4,2]<=[4,2]}}"}} : {types}
        return %0 : {type}
      }}""")
    with pytest.raises(TargetError, match="not written as HLO writes shardings") as caught:
        dxir.compile(program, devices=8)
    assert "<text>:3:" in str(caught.value.where)


def test_shardings_of_both_kinds_in_one_program_are_refused() -> None:
    program = dxir.load("""
      sdy.mesh @m = <["x"=2]>
      func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>},
                      %b: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
        %0 = stablehlo.add %a, %b : tensor<4xf32>
        return %0 : tensor<4xf32>
      }""")
    with pytest.raises(TargetError, match="no partitioner reads both"):
        dxir.compile(program, devices=2)


def test_what_artifacts_have_for_shardings_is_followed() -> None:
    b = dxir.Builder("main", mesh=Mesh("m", {"x": 2, "y": 2}))
    x = b.param(f32[6, 4], sharding=P("x"))
    program = dxir.lower(b.build(ops.sharding_constraint(x + x, P(None, "y"))))
    run = dxir.compile(dxir.load(program.serialize()), devices=4)
    np.testing.assert_array_equal(run(X), 2 * X)  # type: ignore[arg-type]
    assert run.placements[0].tiles == (2, 1)  # type: ignore[attr-defined]


UNDIVIDED = """
sdy.mesh @mesh = <["x"=3, "y"=4]>
func.func @main(%y: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
                    loc("m.py":7:3),
                %z: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<5x4xf32>, tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {}]>}) {
  %0 = sdy.sharding_constraint %y <@mesh, [{"y"}, {"x"}]> : tensor<5x4xf32>
  return %0, %z : tensor<5x4xf32>, tensor<6x4xf32>
}
"""  # fmt: skip


def test_a_sharding_that_does_not_divide_is_told_at_its_place_b37() -> None:
    program = dxir.load(UNDIVIDED)
    found = undivided_shardings(program.module)
    assert [(u.what, u.dimension, u.size, u.parts, u.is_dropped) for u in found] == [
        ("parameter 0 of @main", 0, 5, 3, True),
        ("result 1 of @main", 0, 6, 4, True),
        ("result of 'sdy.sharding_constraint'", 0, 5, 4, False),
        ("result of 'sdy.sharding_constraint'", 1, 4, 3, False),
    ]
    with pytest.warns(ShardingWarning) as caught:
        run = dxir.compile(program, devices=12)
    told = [str(w.message) for w in caught]
    assert len(told) == 2
    assert "m.py:7:3: dimension 0 (5) of parameter 0 of @main is not divisible by 3" in told[0]
    assert "Shardy drops axes there" in told[0]
    assert caught[0].filename.endswith("test_stated_shardings.py")
    y, z = run(np.ones((5, 4), np.float32), X)
    np.testing.assert_array_equal(y, np.ones((5, 4)))
    np.testing.assert_array_equal(z, X)


def test_a_sharding_that_divides_is_followed_without_a_word_b37() -> None:
    text = 'sdy.sharding = #sdy.sharding<mesh<["x"=3, "y"=4]>, [{"x"}, {}]>'
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = doubled(text, devices=12)
    assert run.placements[0].tiles == (3, 1)


def test_meshes_of_other_sizes_than_the_programs_are_refused() -> None:
    b = dxir.Builder("main")
    x = b.param(f32[8], sharding=Sharding(Mesh("a", {"x": 8}), "x"))
    y = ops.sharding_constraint(x, Sharding(Mesh("b", {"x": 4}), "x"))
    with (
        pytest.warns(ShardingWarning, match=r"numbers of devices: 4 \('b'\) and 8 \('a'\)"),
        pytest.raises(TargetError, match="the mesh @b has 4 devices, and the program is"),
    ):
        dxir.compile(b.build(y), devices=8)
