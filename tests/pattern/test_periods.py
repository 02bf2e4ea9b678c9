"""What stands in equal surroundings is found once, and nothing is found that is not there."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir import ops
from dxir.pattern import search as searching
from dxir.pattern.registry import rules_of
from dxir.pattern.search import Index, choose, search
from dxir.pattern.view import View

LAYERS, ROWS, COLUMNS = 40, 8, 8


def model(odd: dict[int, str]) -> dxir.Program:
    """A model of many equal layers, some of which differ from the others in one thing."""
    b = dxir.Builder("main")
    x = b.param(dxir.f32[ROWS, COLUMNS])
    weights = [[b.param(dxir.f32[COLUMNS, COLUMNS]) for _ in range(4)] for _ in range(LAYERS)]
    extra: list[Any] = []
    for i, (q, k, v, w) in enumerate(weights):
        what = odd.get(i, "")
        squares = ops.mean(ops.mul(x, x), axes=(0 if what == "axis" else 1,), keepdims=True)
        wide = ops.broadcast_to(squares, shape=(ROWS, COLUMNS))
        y = ops.mul(x, ops.rsqrt(ops.add(wide, 1e-5)))
        scores = ops.matmul(ops.matmul(y, q), ops.transpose(ops.matmul(y, k), permutation=(1, 0)))
        top = ops.reduce_max(scores, axes=(1,), keepdims=True)
        e = ops.exp(ops.sub(scores, top))
        total = ops.sum(e, axes=(0 if what == "sum" else 1,), keepdims=True)
        shares = ops.div(e, total)
        if what == "used":
            extra.append(e)
        z = ops.matmul(shares, ops.matmul(y, v))
        gate = ops.matmul(z, w)
        number = 0.5 if what != "constant" else 0.4
        gelu = ops.mul(ops.mul(gate, number), ops.add(ops.erf(ops.mul(gate, 2**-0.5)), 1.0))
        x = ops.add(x, gelu)
    return dxir.lower(b.build(x, *extra)).decompose()


def described(program: dxir.Program) -> list[Any]:
    """The matches of a program, in a form that can be compared."""
    view = View(program.module)
    function = view.functions["main"]
    places = {
        view.of(o.operation).key: i
        for i, o in enumerate(function.regions[0].blocks[0].operations)
        if len(o.operation.results)
    }
    found = choose(search(view, Index(view), function, rules_of(())))
    return sorted(
        (f.rule.name, tuple(places[m.key] for m in f.ops), tuple(sorted(f.attributes.items())))
        for f in found
    )


ODD = [
    {},
    {20: "axis"},
    {5: "sum", 21: "sum"},
    {18: "constant", 19: "axis", 33: "sum"},
    {17: "used"},
    {0: "axis", 1: "used", 39: "constant"},
    dict.fromkeys(range(0, LAYERS, 2), "axis"),
]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_layers_that_differ_are_told_apart(odd: dict[int, str], monkeypatch: Any) -> None:
    program = model(odd)
    assert sum(program.op_counts().values()) > searching.MANY
    repeated = described(program)
    monkeypatch.setattr(searching, "MANY", 10**9)
    assert described(program) == repeated
    norms = sum(1 for name, *_ in repeated if name == "rms_norm")
    # A mean of squares over the rows is a norm, too, over another axis.
    assert norms == LAYERS


def test_the_pipeline_restores_a_model_with_odd_layers() -> None:
    program = model(ODD[3])
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    assert coarse.run_passes("dxir-decompose").fingerprint() == program.fingerprint()
    assert coarse.op_counts()["stablehlo.composite"] >= 3 * LAYERS - 6


def test_a_long_chain_of_calls_is_looked_through_once() -> None:
    calls = "\n".join(
        f"      %{i + 1} = func.call @silu(%{i}) : (tensor<4xf32>) -> tensor<4xf32>"
        for i in range(1000)
    )
    program = dxir.load(f"""
    func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{
{calls}
      return %1000 : tensor<4xf32>
    }}
    func.func private @silu(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.logistic %x : tensor<4xf32>
      %1 = stablehlo.multiply %0, %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    }}
    """)
    found = program.run_passes("dxir-recognize{patterns=silu}")
    assert str(found).count("dxir.match =") == 1
