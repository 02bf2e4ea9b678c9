"""Searching whole functions: overlaps, exports, regions and calls."""

from __future__ import annotations

from typing import Any

import dxir
from dxir import ops
from dxir.pattern import Elementwise, Number, Product, Rule, Total, Var
from dxir.pattern.search import choose

TANH = Elementwise(("stablehlo.tanh",), Var("x"))
INNER = Rule("inner", (Product(TANH, Number(2.0)),), operands=("x",))
OUTER = Rule("outer", (Total(Product(TANH, Number(2.0)), Number(1.0)),), operands=("x",))
NEXT = Rule(
    "next", (Elementwise(("stablehlo.sine",), Product(TANH, Number(2.0))),), operands=("x",)
)
GATED = Rule("gated", (Product(Var("x"), TANH),), operands=("x",))


def program(make: Any) -> dxir.Program:
    builder = dxir.Builder("main")
    x = builder.param(dxir.f32[4], name="x")
    made = make(x)
    return dxir.lower(builder.build(*made) if isinstance(made, tuple) else builder.build(made))


def test_of_overlapping_matches_the_largest_stays(look: Any) -> None:
    made = program(lambda x: ops.tanh(x) * 2.0 + 1.0)
    for rules in ((INNER, OUTER), (OUTER, INNER)):
        found = look(made, *rules)
        assert sorted(f.rule.name for f in found.all) == ["inner", "outer"]
        assert found.names == ["outer"]


def test_of_equal_matches_the_first_rule_stays(look: Any) -> None:
    other = Rule("other", INNER.find, operands=("x",))
    made = program(lambda x: ops.tanh(x) * 2.0)
    assert look(made, INNER, other).names == ["inner"]
    assert look(made, other, INNER).names == ["other"]


def test_what_does_not_overlap_is_found_as_often_as_it_is_there(look: Any) -> None:
    made = program(lambda x: (ops.tanh(x) * 2.0) + ops.tanh(ops.abs(x)) * 2.0)
    assert look(made, INNER).names == ["inner", "inner"]


def test_one_op_is_part_of_one_match_alone(look: Any) -> None:
    def shared(x: Any) -> Any:
        both = ops.tanh(x) * 2.0
        return both + 1.0, ops.sin(both)

    found = look(program(shared), OUTER, NEXT)
    assert sorted(f.rule.name for f in found.all) == ["next", "outer"]
    assert found.names == ["outer"]
    assert [f.rule.name for f in choose(found.all, [found.chosen[0].root.key])] == ["next"]


def test_matches_are_the_same_whenever_they_are_looked_for(look: Any) -> None:
    def many(x: Any) -> Any:
        for i in range(6):
            x = ops.sin(ops.tanh(x) * 2.0 + (1.0 if i % 2 else 3.0))
        return x

    text = program(many).text()
    runs = [
        [(f.rule.name, len(f.ops)) for f in look(text, INNER, OUTER, NEXT).chosen] for _ in (1, 2)
    ]
    assert runs[0] == runs[1] != []


def test_a_value_inside_that_others_use_is_exported_unless_the_rule_declines(look: Any) -> None:
    def used(x: Any) -> Any:
        t = ops.tanh(x)
        return t * 2.0, ops.sin(t)

    closed = Rule("closed", INNER.find, operands=("x",), export=False)
    assert look(program(used), INNER).names == ["inner"]
    assert look(program(lambda x: ops.tanh(x) * 2.0), closed).names == ["closed"]
    found = look(program(used), closed, near=True)
    assert found.names == []


def test_the_result_may_be_used_by_anyone(look: Any) -> None:
    closed = Rule("closed", INNER.find, operands=("x",), export=False)

    def used(x: Any) -> Any:
        y = ops.tanh(x) * 2.0
        return ops.sin(y), ops.cos(y), y

    assert look(program(used), closed).names == ["closed"]


def test_constants_belong_to_no_match(look: Any) -> None:
    made = dxir.load(
        """
        func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
          %two = stablehlo.constant dense<2.0> : tensor<3xf32>
          %0 = stablehlo.tanh %x : tensor<3xf32>
          %1 = stablehlo.multiply %0, %two : tensor<3xf32>
          %2 = stablehlo.tanh %1 : tensor<3xf32>
          %3 = stablehlo.multiply %two, %2 : tensor<3xf32>
          return %1, %3 : tensor<3xf32>, tensor<3xf32>
        }"""
    )
    found = look(made, INNER)
    assert found.names == ["inner", "inner"]
    assert [len(f.ops) for f in found.chosen] == [2, 2]


WHILE = """
func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<3xf32>
  OUTSIDE
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    INSIDE
    stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
  }
  return %r#1 : tensor<3xf32>
}"""


def test_a_match_inside_a_region_may_use_values_from_outside(look: Any) -> None:
    text = WHILE.replace("OUTSIDE", "").replace(
        "INSIDE",
        "%t = stablehlo.tanh %v : tensor<3xf32>\n%w = stablehlo.multiply %t, %two : tensor<3xf32>",
    )
    assert look(text, INNER).names == ["inner"]
    outer = WHILE.replace("OUTSIDE", "").replace(
        "INSIDE",
        "%t = stablehlo.tanh %x : tensor<3xf32>\n%w = stablehlo.multiply %t, %x : tensor<3xf32>",
    )
    found = look(outer, GATED)
    assert found.names == ["gated"]
    assert [str(v) == str(found.program.module.body.operations[0].regions[0].blocks[0].arguments[0])
            for v in found.chosen[0].operands] == [True]  # fmt: skip


def test_ops_in_several_regions_are_no_match(look: Any) -> None:
    text = WHILE.replace("OUTSIDE", "%t = stablehlo.tanh %x : tensor<3xf32>").replace(
        "INSIDE", "%w = stablehlo.multiply %t, %two : tensor<3xf32>"
    )
    assert look(text, INNER).names == []


def test_an_operand_that_a_value_inside_is_needed_for_is_no_match(look: Any) -> None:
    rule = Rule(
        "both", (Total(TANH, Elementwise(("stablehlo.sine",), Var("y"))),), operands=("x", "y")
    )

    def tangled(x: Any) -> Any:
        t = ops.tanh(x)
        return t + ops.sin(ops.abs(t))

    found = look(program(tangled), rule, near=True)
    assert found.names == []


def test_a_decomposition_is_not_a_match_of_itself(look: Any) -> None:
    made = program(lambda x: ops.tanh(x) * 2.0).text()
    found = look(
        f"""
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %0 = stablehlo.composite "acme.inner" %x {{decomposition = @body}}
              : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }}
        {made[made.index("func.func") : made.rindex("}")].replace("public @main", "private @body")}
        """,
        INNER,
        near=True,
    )
    assert found.names == []


def test_a_number_given_to_a_call_makes_it_a_match_that_the_function_is_not(look: Any) -> None:
    text = """
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %c = stablehlo.constant dense<2.0> : tensor<3xf32>
      %0 = call @scaled(%x, GIVEN) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    func.func private @scaled(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.tanh %x : tensor<3xf32>
      %1 = stablehlo.multiply %0, %c : tensor<3xf32>
      return %1 : tensor<3xf32>
    }"""
    assert look(text.replace("GIVEN", "%c"), INNER).names == ["inner"]
    assert look(text.replace("GIVEN", "%x"), INNER).names == []
    assert look(text.replace("GIVEN", "%c"), INNER, function="scaled").names == []


def test_many_users_of_one_value_end_in_time(look: Any) -> None:
    def many(x: Any) -> Any:
        t = ops.tanh(x)
        made = t
        for i in range(300):
            made = made + t * float(i + 3)
        return made

    assert look(program(many), INNER).names == []
