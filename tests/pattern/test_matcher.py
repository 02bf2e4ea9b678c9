"""What a match looks through: layout, conversions, calls, composites; what names stand for."""

from __future__ import annotations

from typing import Any

import pytest

from dxir.pattern import (
    Contract,
    Either,
    Elementwise,
    Minus,
    Number,
    Over,
    Product,
    Reduce,
    Rule,
    Total,
    Var,
)
from dxir.pattern.found import Found

TANH = Elementwise(("stablehlo.tanh",), Var("x"))
GATED = Rule("gated", (Product(Var("x"), TANH),), operands=("x",))
EXP = Elementwise(("stablehlo.exponential",), Var("x"))
SHARE = Rule(
    "share",
    (Product(EXP, Over(Reduce("add", EXP, "axis"))),),
    operands=("x",),
    attributes=lambda m: {"axis": m.dims("x", "axis")},
)


def attributes(found: list[Found]) -> list[dict[str, object]]:
    return [dict(f.attributes) for f in found]


def share(spread: str, shape: str = "3x4", over: int = 1, rest: str = "3") -> str:
    """The exponential divided by its sum, which is spread in some way."""
    return f"""
    func.func @main(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.exponential %x : tensor<{shape}xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [{over}]
          : (tensor<{shape}xf32>, tensor<f32>) -> tensor<{rest}xf32>
      {spread}
      %4 = stablehlo.divide %0, %3 : tensor<{shape}xf32>
      return %4 : tensor<{shape}xf32>
    }}"""


SPREADS = {
    "at once": """
      %3 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>""",
    "kept and spread": """
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>""",
    "reshaped and spread": """
      %2 = stablehlo.reshape %1 : (tensor<3xf32>) -> tensor<3x1xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>""",
    "spread and turned": """
      %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
      %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>""",
    "spread and reshaped": """
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x2x2xf32>
      %3 = stablehlo.reshape %2 : (tensor<3x2x2xf32>) -> tensor<3x4xf32>""",
}


@pytest.mark.parametrize("spelling", SPREADS)
def test_a_sum_may_be_spread_in_any_way(look: Any, spelling: str) -> None:
    found = look(share(SPREADS[spelling]), SHARE)
    assert attributes(found.chosen) == [{"axis": (1,)}]


def test_with_equal_sizes_the_axis_is_the_one_that_is_spread_over(look: Any) -> None:
    def spread(dim: int) -> str:
        return (
            f"%3 = stablehlo.broadcast_in_dim %1, dims = [{dim}] "
            ": (tensor<4xf32>) -> tensor<4x4xf32>"
        )

    right = look(share(spread(0), "4x4", 1, "4"), SHARE)
    assert attributes(right.chosen) == [{"axis": (1,)}]
    assert attributes(look(share(spread(1), "4x4", 0, "4"), SHARE).chosen) == [{"axis": (0,)}]
    wrong = look(share(spread(1), "4x4", 1, "4"), SHARE)
    assert wrong.names == []


def test_two_reductions_of_one_axis_are_over_the_same(look: Any) -> None:
    top = Reduce("maximum", Var("x"), "axis")
    rule = Rule("range", (Total(top, Minus(Reduce("minimum", Var("x"), "axis"))),), operands=("x",))

    def text(second: int) -> str:
        return f"""
        func.func @main(%x: tensor<4x4xf32>) -> tensor<4xf32> {{
          %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
          %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
              : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
          %1 = stablehlo.reduce(%x init: %high) applies stablehlo.minimum
              across dimensions = [{second}] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
          %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
          return %2 : tensor<4xf32>
        }}"""

    assert look(text(1), rule).names == ["range"]
    assert look(text(0), rule).names == []


def test_a_reduction_of_another_kind_or_start_is_not_it(look: Any) -> None:
    text = share(SPREADS["at once"])
    assert look(text.replace("dense<0.0>", "dense<1.0>"), SHARE).names == []
    other = text.replace("applies stablehlo.add", "applies stablehlo.maximum")
    found = look(other, SHARE, near=True)
    assert found.misses == ["a reduction is maximum, not add"]


def test_a_dynamic_size_is_read_as_a_whole(look: Any) -> None:
    found = look(
        """
        func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
          %0 = stablehlo.tanh %x : tensor<?x4xf32>
          %1 = stablehlo.multiply %x, %0 : tensor<?x4xf32>
          return %1 : tensor<?x4xf32>
        }""",
        GATED,
    )
    assert found.names == ["gated"]
    turned = look(
        """
        func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
          %0 = stablehlo.tanh %t : tensor<?x?xf32>
          %1 = stablehlo.multiply %x, %0 : tensor<?x?xf32>
          return %1 : tensor<?x?xf32>
        }""",
        GATED,
    )
    assert turned.names == []


def gated(first: str, second: str, body: str, type: str = "tensor<2x2xf32>") -> str:
    return f"""
    func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> {type} {{
      {body}
      %0 = stablehlo.tanh {second} : {type}
      %1 = stablehlo.multiply {first}, %0 : {type}
      return %1 : {type}
    }}"""


TURN = "%t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>"


def test_a_name_stands_for_one_value_read_one_way(look: Any) -> None:
    assert look(gated("%x", "%x", ""), GATED).names == ["gated"]
    assert look(gated("%x", "%y", ""), GATED).names == []
    assert look(gated("%x", "%t", TURN), GATED).names == []
    both = look(gated("%t", "%t", TURN), GATED)
    assert both.names == ["gated"]
    assert len(both.chosen[0].ops) == 2  # the transpose is what the match is of, not part of it
    twice = TURN + "\n" + TURN.replace("%t", "%u")
    apart = look(gated("%t", "%u", twice), GATED)
    assert apart.names == ["gated"]
    assert len(apart.chosen[0].ops) == 4


def test_a_name_may_be_read_before_and_after_a_conversion_between_floats(look: Any) -> None:
    text = """
    func.func @main(%x: tensor<3xf16>, %i: tensor<3xi32>) -> tensor<3xf32> {
      %a = stablehlo.convert %x : (tensor<3xf16>) -> tensor<3xf32>
      %b = stablehlo.convert %x : (tensor<3xf16>) -> tensor<3xf32>
      %0 = stablehlo.tanh %b : tensor<3xf32>
      %1 = stablehlo.multiply %a, %0 : tensor<3xf32>
      return %1 : tensor<3xf32>
    }"""
    assert look(text, GATED).names == ["gated"]
    integers = text.replace(
        "stablehlo.convert %x : (tensor<3xf16>)", "stablehlo.convert %i : (tensor<3xi32>)"
    )
    assert look(integers, GATED).names == []


def test_a_spread_name_stands_for_what_is_broadcast(look: Any) -> None:
    text = """
    func.func @main(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
      %a = stablehlo.reshape %s : (tensor<3xf32>) -> tensor<1x3xf32>
      %b = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
      %0 = stablehlo.tanh %x : tensor<2x3xf32>
      %1 = stablehlo.multiply %b, %0 : tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    }"""
    for spread, type in ((True, "tensor<3xf32>"), (False, "tensor<2x3xf32>")):
        scale = Var("scale", spread=spread)
        rule = Rule("scaled", (Product(TANH, scale),), operands=("x", "scale"))
        (found,) = look(text, rule).chosen
        assert [str(v.type) for v in found.operands] == ["tensor<2x3xf32>", type]


def test_a_contraction_is_found_whatever_its_dimensions_are(look: Any) -> None:
    rule = Rule(
        "product",
        (Elementwise(("stablehlo.tanh",), Contract(Var("a"), Var("b"), "k")),),
        operands=("a", "b"),
        where=lambda m: None if m.size("k") == 5 else "another size",
        attributes=lambda m: {"a": m.dims("a", "k"), "b": m.dims("b", "k")},
    )
    text = """
    func.func @main(%a: tensor<5x2xf32>, %b: tensor<3x5xf32>) -> tensor<3x2xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1]
          : (tensor<5x2xf32>, tensor<3x5xf32>) -> tensor<2x3xf32>
      %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %2 = stablehlo.tanh %1 : tensor<3x2xf32>
      return %2 : tensor<3x2xf32>
    }"""
    assert attributes(look(text, rule).chosen) == [{"a": (0,), "b": (1,)}]


# -- calls and composites ------------------------------------------------------------------------

HELPER = """
func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tanh %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


def calling(made: str, *functions: str) -> str:
    return f"""
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
      {made}
      %1 = stablehlo.multiply %x, %0 : tensor<3xf32>
      return %1 : tensor<3xf32>
    }}
    {"".join(functions)}"""


CALLS = {
    "call": "%0 = call @helper(%x) : (tensor<3xf32>) -> tensor<3xf32>",
    "composite": """%0 = stablehlo.composite "any.helper" %x {decomposition = @helper}
        : (tensor<3xf32>) -> tensor<3xf32>""",
}


@pytest.mark.parametrize("how", CALLS)
def test_a_part_may_be_inside_of_what_is_called(look: Any, how: str) -> None:
    found = look(calling(CALLS[how], HELPER), GATED)
    assert found.names == ["gated"]
    assert [maker.name for maker in found.chosen[0].ops] == [
        {"call": "func.call"}.get(how, "stablehlo.composite"),
        "stablehlo.multiply",
    ]


def test_calls_may_be_nested_and_have_several_results(look: Any) -> None:
    outer = """
    func.func private @outer(%a: tensor<3xf32>, %b: tensor<3xf32>)
        -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = call @helper(%b) : (tensor<3xf32>) -> tensor<3xf32>
      return %a, %0 : tensor<3xf32>, tensor<3xf32>
    }"""

    def text(result: int, first: str) -> str:
        made = (
            f"%2:2 = call @outer({first}, %x) "
            ": (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)\n"
            f"%0 = stablehlo.abs %x : tensor<3xf32>\n"
            f"%3 = stablehlo.multiply %x, %2#{result} : tensor<3xf32>"
        )
        return calling(made, outer, HELPER)

    assert look(text(1, "%x"), GATED).names == ["gated"]
    assert look(text(0, "%x"), GATED).names == []


def test_what_is_inside_a_call_and_what_is_given_to_it_are_told_apart(look: Any) -> None:
    inside = """
    func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = stablehlo.abs %x : tensor<3xf32>
      %0 = stablehlo.tanh %y : tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    assert look(calling(CALLS["call"], inside), GATED).names == []


REFUSED = {
    "of several blocks": """
        func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
          %0 = stablehlo.tanh %x : tensor<3xf32>
          cf.br ^end
        ^end:
          return %0 : tensor<3xf32>
        }""",
    "of unknown body": "func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32>",
    "with an effect": """
        func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
          %0 = stablehlo.tanh %x : tensor<3xf32>
          %1 = stablehlo.custom_call @log(%0) {has_side_effect = true}
              : (tensor<3xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }""",
    "calling one with an effect": """
        func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
          %0 = stablehlo.tanh %x : tensor<3xf32>
          %1 = call @noisy(%0) : (tensor<3xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        func.func private @noisy(%x: tensor<3xf32>) -> tensor<3xf32> {
          %1 = stablehlo.custom_call @log(%x) {has_side_effect = true}
              : (tensor<3xf32>) -> tensor<3xf32>
          return %1 : tensor<3xf32>
        }""",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_function_is_not_looked_into(look: Any, what: str) -> None:
    assert look(calling(CALLS["call"], REFUSED[what]), GATED).names == []


def test_a_recursive_function_ends(look: Any) -> None:
    recursive = """
    func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = call @helper(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    assert look(calling(CALLS["call"], recursive), GATED).names == []
    mutual = """
    func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = call @other(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    func.func private @other(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = call @helper(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    assert look(calling(CALLS["call"], mutual), GATED).names == []


def test_the_first_alternative_that_fits_is_remembered(look: Any) -> None:
    choice = Either(
        Product(TANH, Number(2.0)), Product(TANH, Number(3.0)), name="by", labels=("two", "three")
    )
    rule = Rule("scaled", (choice,), operands=("x",), attributes=lambda m: {"by": m.text("by")})
    for number, label in ((2, "two"), (3, "three")):
        text = gated("%c", "%x", f"%c = stablehlo.constant dense<{number}.0> : tensor<2x2xf32>")
        assert attributes(look(text, rule).chosen) == [{"by": label}]
