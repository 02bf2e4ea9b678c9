"""Peak memory, with numbers worked out by hand."""

from __future__ import annotations

import dxir
from dxir.costs.report import MemoryCost


def memory(body: str, results: str = "") -> MemoryCost:
    text = f"func.func @main(%x: tensor<256xf32>) {results} {{\n{body}\n}}"
    return dxir.cost_of(dxir.load(text)).memory


def test_a_value_lives_from_its_op_to_its_last_use() -> None:
    found = memory(
        """%0 = stablehlo.exponential %x : tensor<256xf32>
      %1 = stablehlo.tanh %0 : tensor<256xf32>
      %2 = stablehlo.negate %1 : tensor<256xf32>
      %3 = stablehlo.add %2, %1 : tensor<256xf32>
      return %3 : tensor<256xf32>""",
        "-> tensor<256xf32>",
    )
    assert (found.parameters, found.results, found.constants) == (1024, 1024, 0)
    # %1, %2 and %3 while the sum is made.
    assert (found.temporaries, found.peak, found.peak_op) == (3 * 1024, 4 * 1024, 4)


def test_a_reshape_holds_the_bytes_of_what_it_reshapes() -> None:
    found = memory(
        """%0 = stablehlo.exponential %x : tensor<256xf32>
      %1 = stablehlo.reshape %0 : (tensor<256xf32>) -> tensor<16x16xf32>
      %2 = stablehlo.constant dense<1.0> : tensor<16x16xf32>
      %3 = stablehlo.add %1, %2 : tensor<16x16xf32>
      return"""
    )
    assert (found.temporaries, found.constants) == (2 * 1024, 1024)


def test_loops_and_calls_hold_what_is_live_in_them() -> None:
    program = dxir.load("""func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
      %0 = stablehlo.exponential %x : tensor<256xf32>
      %1 = call @f(%0) : (tensor<256xf32>) -> tensor<256xf32>
      %2 = stablehlo.add %0, %1 : tensor<256xf32>
      return %2 : tensor<256xf32>
    }
    func.func private @f(%x: tensor<256xf32>) -> tensor<256xf32> {
      %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<256xf32>) -> tensor<8x256xf32>
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0]
        : (tensor<8x256xf32>, tensor<f32>) -> tensor<256xf32>
      return %1 : tensor<256xf32>
    }""")
    report = dxir.cost_of(program)
    # %0, and in @f eight rows with their sum.
    assert report.memory.temporaries == (1 + 8 + 1) * 1024
    assert report.function("f").peak == 9 * 1024
    assert report.memory.peak_op is not None
    assert report.ops[report.memory.peak_op].kind == "reduce"
