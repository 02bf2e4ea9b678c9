"""Numbers in programs, however they are computed, and how near they have to be."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir.pattern import Count, Elementwise, Number, Over, Product, Reduce, Rule, Var
from dxir.pattern.forms import shortest
from dxir.pattern.numbers import number_of
from dxir.pattern.view import Seen, View
from dxir.reading import ops_below

COMPUTED = {
    "%a": 64.0,
    "%sqrt": 8.0,
    "%inverse": 0.125,
    "%rsqrt": 0.125,
    "%negated": -64.0,
    "%sum": 72.0,
    "%gap": 56.0,
    "%power": 4096.0,
    "%converted": 64.0,
    "%cut": 2.0,
    "%spread": 8.0,
    "%turned": 8.0,
}
PROGRAM = """
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %a = stablehlo.constant dense<64.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %more = stablehlo.constant dense<2.75> : tensor<f32>
  %sqrt = stablehlo.sqrt %a : tensor<f32>
  %inverse = stablehlo.divide %one, %sqrt : tensor<f32>
  %rsqrt = stablehlo.rsqrt %a : tensor<f32>
  %negated = stablehlo.negate %a : tensor<f32>
  %sum = stablehlo.add %a, %sqrt : tensor<f32>
  %gap = stablehlo.subtract %a, %sqrt : tensor<f32>
  %power = stablehlo.power %a, %two : tensor<f32>
  %converted = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
  %cut = stablehlo.convert %more : (tensor<f32>) -> tensor<i32>
  %spread = stablehlo.broadcast_in_dim %sqrt, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %turned = stablehlo.transpose %spread, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %turned : tensor<4x2xf32>
}
"""


def results(program: dxir.Program) -> list[Any]:
    return [op.results[0] for op in ops_below(program.module.operation) if len(op.results)]


def test_numbers_made_of_numbers_are_computed() -> None:
    program = dxir.load(PROGRAM)
    view = View(program.module)
    values = [line.split()[0] for line in PROGRAM.splitlines() if " = " in line]
    found = dict(zip(values, results(program), strict=True))
    for name, wanted in COMPUTED.items():
        number = number_of(view, Seen(found[name], ()))
        assert number is not None, name
        assert number[0] == pytest.approx(wanted), name


@pytest.mark.parametrize(
    "made",
    [
        "stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>",
        "stablehlo.iota dim = 0 : tensor<2xf32>",
        "stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>",
        "stablehlo.sqrt %minus : tensor<2xf32>",
        "stablehlo.divide %minus, %zero : tensor<2xf32>",
        "stablehlo.power %minus, %half : tensor<2xf32>",
        "stablehlo.cosine %zero : tensor<2xf32>",
    ],
)
def test_what_is_no_number_is_none(made: str) -> None:
    type = made.rsplit(" : ", 1)[1]
    program = dxir.load(
        f"""
        func.func @main() -> {type} {{
          %minus = stablehlo.constant dense<-1.0> : tensor<2xf32>
          %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
          %half = stablehlo.constant dense<0.5> : tensor<2xf32>
          %x = {made}
          return %x : {type}
        }}
        """
    )
    assert number_of(View(program.module), Seen(results(program)[-1], ())) is None


@pytest.mark.parametrize(
    ("constant", "wanted"),
    [
        ("dense<true> : tensor<2xi1>", 1.0),
        ("dense<false> : tensor<2xi1>", 0.0),
        ("dense<-3> : tensor<2xi8>", -3.0),
        ("dense<200> : tensor<2xui8>", 200.0),
        ("dense<1.5> : tensor<2xbf16>", 1.5),
        ("dense<0xFF800000> : tensor<2xf32>", float("-inf")),
        ("dense<2.0> : tensor<2xf8E5M2>", 2.0),
        ("dense<7> : tensor<i4>", 7.0),
        ("dense<[5.0]> : tensor<1xf32>", 5.0),
        ("dense<4.0> : tensor<f64>", 4.0),
    ],
)
def test_a_constant_of_any_real_type_is_a_number(constant: str, wanted: float) -> None:
    type = constant.rsplit(" : ", 1)[1]
    program = dxir.load(
        f"func.func @main() -> {type} {{\n"
        f"  %x = stablehlo.constant {constant}\n  return %x : {type}\n}}"
    )
    number = number_of(View(program.module), Seen(results(program)[0], ()))
    assert number is not None
    assert number[0] == wanted


def scaled(number: str, element: str) -> str:
    return f"""
    func.func @main(%x: tensor<3x{element}>) -> tensor<3x{element}> {{
      %c = stablehlo.constant dense<{number}> : tensor<3x{element}>
      %0 = stablehlo.tanh %x : tensor<3x{element}>
      %1 = stablehlo.multiply %0, %c : tensor<3x{element}>
      return %1 : tensor<3x{element}>
    }}"""


def tanh(number: Number) -> Rule:
    part = Product(Elementwise(("stablehlo.tanh",), Var("x")), number)
    return Rule(
        "scaled",
        (part,),
        operands=("x",),
        attributes=lambda m: {"by": m.number("by")} if number.name else {},
    )


@pytest.mark.parametrize(
    ("number", "element", "fits"),
    [
        ("0.797884583", "f32", True),
        ("0.797884", "f32", True),
        ("0.7978", "f32", False),
        ("0.7978", "f16", True),
        ("0.796875", "f32", False),
        ("0.796875", "bf16", True),
        ("0.79", "bf16", False),
        ("0.79788456080286541", "f64", True),
    ],
)
def test_a_number_is_as_near_as_its_type_tells_numbers_apart(
    look: Any, number: str, element: str, fits: bool
) -> None:
    found = look(scaled(number, element), tanh(Number(0.7978845608028654)))
    assert found.names == (["scaled"] if fits else [])


@pytest.mark.parametrize(
    ("number", "element", "told"), [("0.1", "f32", 0.1), ("0.1", "f16", 0.1), ("0.1", "f64", 0.1)]
)
def test_a_number_is_told_with_no_more_digits_than_its_type_has(
    look: Any, number: str, element: str, told: float
) -> None:
    found = look(scaled(number, element), tanh(Number(name="by")))
    assert [dict(f.attributes) for f in found.chosen] == [{"by": told}]
    assert shortest(0.25, Seen(results(found.program)[0], ())) == 0.25


@pytest.mark.parametrize(
    ("first", "second", "fits"), [("0.5", "0.5", True), ("0.5", "0.25", False)]
)
def test_a_number_of_one_name_is_the_same_everywhere(
    look: Any, first: str, second: str, fits: bool
) -> None:
    a = Number(name="a")
    rule = Rule(
        "twice",
        (Product(Elementwise(("stablehlo.tanh",), Product(Var("x"), a)), a),),
        operands=("x",),
    )
    found = look(
        f"""
        func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
          %a = stablehlo.constant dense<{first}> : tensor<3xf32>
          %b = stablehlo.constant dense<{second}> : tensor<3xf32>
          %0 = stablehlo.multiply %x, %a : tensor<3xf32>
          %1 = stablehlo.tanh %0 : tensor<3xf32>
          %2 = stablehlo.multiply %b, %1 : tensor<3xf32>
          return %2 : tensor<3xf32>
        }}""",
        rule,
        near=True,
    )
    assert found.names == (["twice"] if fits else [])
    if not fits:
        assert found.misses == ["a is 0.5 in one place and 0.25 in another"]


@pytest.mark.parametrize(("divisor", "fits"), [(6, True), (3, False), (2, False)])
def test_a_count_is_the_number_of_elements_along_the_axis(
    look: Any, divisor: int, fits: bool
) -> None:
    count = Count("axis")
    rule = Rule("mean", (Product(Reduce("add", Var("x"), "axis"), Over(count)),), operands=("x",))
    found = look(
        f"""
        func.func @main(%x: tensor<2x5x3xf32>) -> tensor<5xf32> {{
          %n = stablehlo.constant dense<{divisor}.0> : tensor<5xf32>
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2]
              : (tensor<2x5x3xf32>, tensor<f32>) -> tensor<5xf32>
          %1 = stablehlo.divide %0, %n : tensor<5xf32>
          return %1 : tensor<5xf32>
        }}""",
        rule,
    )
    assert found.names == (["mean"] if fits else [])


def test_a_number_given_to_a_function_is_looked_up_where_it_is_called(look: Any) -> None:
    found = look(
        """
        func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
          %c = stablehlo.constant dense<0.5> : tensor<f64>
          %0 = call @scaled(%x, %c) : (tensor<3xf32>, tensor<f64>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        func.func private @scaled(%x: tensor<3xf32>, %c: tensor<f64>) -> tensor<3xf32> {
          %0 = stablehlo.convert %c : (tensor<f64>) -> tensor<f32>
          %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3xf32>
          %2 = stablehlo.tanh %x : tensor<3xf32>
          %3 = stablehlo.multiply %2, %1 : tensor<3xf32>
          return %3 : tensor<3xf32>
        }""",
        tanh(Number(name="by")),
    )
    assert [dict(f.attributes) for f in found.chosen] == [{"by": 0.5}]
