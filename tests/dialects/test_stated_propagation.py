"""What is stated of shardings, as Shardy's propagation takes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import AxisRef, DimSharding, Mesh, P, f32, ops
from dxir.graph import Value

MESH = Mesh("m", {"x": 2, "y": 4})


def propagated(build: Callable[..., Any], *params: P | None) -> list[str]:
    """How the results of a function lie in the end, in Shardy's words; "" where nothing is said."""
    b = dxir.Builder("main", mesh=MESH)
    with b:
        found = build(*[b.param(f32[8, 16], sharding=p) for p in params])
    results = found if isinstance(found, tuple) else (found,)
    text = str(dxir.lower(b.build(*results)).run_passes("sdy-propagation-pipeline"))
    signature = next(line for line in text.splitlines() if "@main(" in line).partition(") -> ")[2]
    lies = re.findall(
        r"tensor<8x16xf32>(?: \{sdy\.sharding = #sdy\.sharding<@m, (.*?)>\})?", signature
    )
    return [str(one) for one in lies]


def test_an_open_dimension_takes_what_flows_into_it_and_a_closed_one_does_not() -> None:
    def both(x: Value) -> tuple[Value, Value]:
        y = ops.tanh(x)
        return (
            ops.exp(ops.sharding_constraint(y, P("x", P.OPEN))),
            ops.exp(ops.sharding_constraint(y, P("x", None))),
        )

    assert propagated(both, P("x", "y"))[0] == '[{"x"}, {"y"}]'
    assert propagated(both, P("x"))[1] == '[{"x"}, {}]'


def test_a_priority_decides_which_of_two_shardings_goes_first() -> None:
    def added(x: Value, y: Value) -> Value:
        return x + y

    late = DimSharding(("x",), priority=1)
    assert propagated(added, P(late), P(None, "x")) == ['[{}, {"x"}]']
    assert propagated(added, P("x"), P(None, DimSharding(("x",), priority=1))) == ['[{"x"}, {}]']


def test_replicated_axes_are_left_alone() -> None:
    def kept(x: Value) -> Value:
        return ops.sharding_constraint(ops.tanh(x), P(P.OPEN, P.OPEN, replicated=("x",)))

    assert propagated(kept, P("x", "y")) == ['[{}, {"y"}]']


def test_parts_of_axes_split_values_within_a_program() -> None:
    b = dxir.Builder("main", mesh=MESH)
    y = ops.sharding_constraint(ops.tanh(b.param(f32[8, 16])), P(AxisRef("y", (1, 2))))
    program = dxir.lower(b.build(ops.exp(y))).run_passes("sdy-propagation-pipeline")
    assert 'stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y":(1)2}' in str(
        program
    )


def test_values_of_a_group_lie_alike() -> None:
    def grouped(x: Value, y: Value) -> Value:
        ops.sharding_group(x, 3)
        ops.sharding_group(y, 3)
        return ops.tanh(y)

    assert propagated(grouped, P("x", "y"), None) == ['[{"x"}, {"y"}]']


@pytest.mark.parametrize(
    ("direction", "wanted"),
    [("NONE", ""), ("FORWARD", '[{"x"}, {}]'), ("BACKWARD", "")],
)
def test_a_barrier_lets_shardings_pass_in_its_direction(direction: str, wanted: str) -> None:
    def held(x: Value) -> Value:
        return ops.exp(ops.propagation_barrier(ops.tanh(x), allowed_direction=direction))

    assert propagated(held, P("x")) == [wanted]


def test_the_sharding_of_any_value_holds_where_a_program_runs() -> None:
    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8, 16])
    y = ops.tanh(x, sharding=P("x", "y"))
    z, _ = ops.top_k(y, k=16, sharding=[P("x"), None])
    run = dxir.compile(b.build(y, z, ops.exp(x, sharding=P(P.OPEN, P.OPEN))), devices=8)
    value = np.linspace(-1, 1, 128, dtype=np.float32).reshape(8, 16)
    found: Any = run(value)
    np.testing.assert_allclose(found[0], np.tanh(value), rtol=1e-5)
    np.testing.assert_allclose(found[1], np.tanh(value)[:, ::-1], rtol=1e-5)
    places = run.result_placements  # type: ignore[attr-defined]
    assert [p.tiles for p in places[:2]] == [(2, 4), (2, 1)]
