"""The error function and its complement, where polynomials stand for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

ELEMENTS = ["f32", "bf16", "f16", "f64"]


def written_out(make: Callable[[Any], Any], element: str = "f32") -> dxir.Program:
    builder = dxir.Builder("main")
    x = builder.param(getattr(dxir, element)[4, 8], name="x")
    return dxir.lower(builder.build(make(x))).legalize_chlo()


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_the_polynomial_is_the_function(recognize: Any, name: str, element: str) -> None:
    program = written_out(getattr(ops, name), element)
    assert "chlo." not in "".join(program.op_counts())
    (found,) = recognize(program)
    assert (found.pattern, found.operands) == (f"chlo.{name}", (f"tensor<4x8x{element}>",))


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_gelu_is_found_around_the_polynomial(recognize: Any, element: str) -> None:
    root = math.sqrt(0.5)
    erf = written_out(lambda x: 0.5 * x * (1 + ops.erf(x * root)), element)
    erfc = written_out(lambda x: 0.5 * x * ops.erfc(-x * root), element)
    for program, form in ((erf, "erf"), (erfc, "erfc")):
        (found,) = recognize(program)
        assert found.attributes == f'approximate = "none", form = "{form}"'
        assert found.operands == (f"tensor<4x8x{element}>",)


def test_another_coefficient_makes_another_function(recognize: Any) -> None:
    text = written_out(ops.erfc).text()
    assert text.count("dense<0.621000468>") == 1
    program = dxir.load(text.replace("dense<0.621000468>", "dense<0.622>"))
    assert recognize(program) == []


def test_a_polynomial_of_two_values_is_no_function_of_one(recognize: Any) -> None:
    text = written_out(ops.erfc).text()
    other = text.replace(
        "(%arg0: tensor<4x8xf32>)", "(%arg0: tensor<4x8xf32>, %y: tensor<4x8xf32>)"
    )
    program = dxir.load(other.replace("stablehlo.abs %arg0", "stablehlo.abs %y", 1))
    assert recognize(program) == []


def test_the_composite_of_an_error_function_is_that_already() -> None:
    text = written_out(ops.erf).text()
    body = text[text.index("func.func") : text.rindex("}")]
    program = dxir.load(
        f"""
        func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
          %0 = stablehlo.composite "chlo.erf" %x {{decomposition = @erf.impl}}
              : (tensor<4x8xf32>) -> tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }}
        {body.replace("public @main", "private @erf.impl")}
        """
    )
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    assert coarse.fingerprint() == program.fingerprint()
