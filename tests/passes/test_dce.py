"""Dead code: what goes and what stays, and that nobody can tell from the values."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.passes.dce import Dce

Array = np.ndarray[Any, Any]

HOSTILE = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3.4e38, -1.0], np.float32)


def cleaned(text: str, options: str = "") -> dxir.Program:
    """The program without dead code, in which a second run finds none."""
    pipeline = f"dxir-dce{{{options}}}" if options else "dxir-dce"
    program = dxir.load(text).run_passes(pipeline).verify()
    before = str(program)
    assert not Dce(signatures="signatures=false" not in options).run(program.module)
    assert str(program) == before
    return program


def agree(text: str, *arguments: Array) -> dxir.Program:
    """The program without dead code, whose values are those of the program with it."""
    before, after = dxir.load(text), cleaned(text)
    expected, found = dxir.compile(before)(*arguments), dxir.compile(after)(*arguments)
    expected = expected if isinstance(expected, tuple | list) else [expected]
    found = found if isinstance(found, tuple | list) else [found]
    for one, other in zip(expected, found, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return after


VARIADIC = """func.func @main(%x: tensor<8xf32>, %p: tensor<i32>) -> (tensor<8xf32>, tensor<f32>) {
  %iota = stablehlo.iota dim = 0 : tensor<8xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %place = stablehlo.constant dense<[[2]]> : tensor<1x1xi32>
  %0:3 = "stablehlo.sort"(%iota, %x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<f32>,
       %f: tensor<f32>):
    %1 = stablehlo.compare LT, %c, %d, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true}
    : (tensor<8xi32>, tensor<8xf32>, tensor<8xf32>)
      -> (tensor<8xi32>, tensor<8xf32>, tensor<8xf32>)
  %2:2 = "stablehlo.reduce"(%0#0, %0#2, %none, %low) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %3 = stablehlo.add %a, %c : tensor<i32>
    %4 = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %3, %4 : tensor<i32>, tensor<f32>
  }) {dimensions = array<i64: 0>}
    : (tensor<8xi32>, tensor<8xf32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  %one = stablehlo.reshape %2#1 : (tensor<f32>) -> tensor<1xf32>
  %5:2 = "stablehlo.scatter"(%iota, %0#2, %place, %none_1, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %6 = stablehlo.subtract %b, %d : tensor<f32>
    stablehlo.return %a, %6 : tensor<i32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<8xi32>, tensor<8xf32>, tensor<1x1xi32>, tensor<1xi32>, tensor<1xf32>)
      -> (tensor<8xi32>, tensor<8xf32>)
  %7:2 = "stablehlo.case"(%p) ({
    stablehlo.return %5#1, %iota : tensor<8xf32>, tensor<8xi32>
  }, {
    %8 = stablehlo.negate %5#1 : tensor<8xf32>
    %9 = stablehlo.negate %iota : tensor<8xi32>
    stablehlo.return %8, %9 : tensor<8xf32>, tensor<8xi32>
  }) : (tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %7#0, %2#1 : tensor<8xf32>, tensor<f32>
}""".replace("%none_1", "%nones").replace(
    "  %one =", "  %nones = stablehlo.constant dense<0> : tensor<1xi32>\n  %one ="
)


@pytest.mark.parametrize("branch", [0, 1, -7])
def test_results_of_sorts_reductions_scatters_and_branches_go_one_by_one(branch: int) -> None:
    after = agree(VARIADIC, HOSTILE, np.array(branch, np.int32))
    text = str(after)
    assert "(tensor<8xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<8xf32>" in text
    assert '"stablehlo.sort"(%arg0, %arg0)' in text
    assert "iota" not in text
    assert "xi32>" not in text.replace("tensor<1x1xi32>", "")


LOOP = """func.func @main(%n: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:5 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %c = %x, %d = %n)
    : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %b, %a : tensor<8xf32>
    %3 = stablehlo.add %c, %b : tensor<8xf32>
    stablehlo.return %1, %2, %b, %3, %d
      : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  return %0#1 : tensor<8xf32>
}"""


@pytest.mark.parametrize("times", [0, 1, 3])
def test_a_loop_keeps_the_variables_that_its_results_depend_on(times: int) -> None:
    after = agree(LOOP, np.array(times, np.int32), HOSTILE)
    assert "stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1, %iterArg_1 = %arg1, " in str(after)
    assert "stablehlo.add %iterArg_" not in str(after)


def test_a_value_that_goes_round_through_calls_only_goes() -> None:
    after = agree(
        """func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
          %0:2 = call @outer(%x, %y) : (tensor<8xf32>, tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>)
          %1:2 = call @outer(%0#0, %0#1) : (tensor<8xf32>, tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>)
          return %1#0 : tensor<8xf32>
        }
        func.func private @outer(%x: tensor<8xf32>, %y: tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>) {
          %0:2 = call @inner(%y, %x) : (tensor<8xf32>, tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>)
          return %0#1, %0#0 : tensor<8xf32>, tensor<8xf32>
        }
        func.func private @inner(%y: tensor<8xf32>, %x: tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>) {
          %0 = stablehlo.multiply %x, %x : tensor<8xf32>
          %1 = stablehlo.add %y, %y : tensor<8xf32>
          return %1, %0 : tensor<8xf32>, tensor<8xf32>
        }""",
        HOSTILE,
        HOSTILE,
    )
    text = str(after)
    assert "func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>)" in text
    assert "@outer(%arg0: tensor<8xf32>) -> tensor<8xf32>" in text
    assert "@inner(%arg0: tensor<8xf32>) -> tensor<8xf32>" in text
    assert "stablehlo.add" not in text


def test_the_shardings_of_a_loop_stay_with_its_variables() -> None:
    text = LOOP.replace(
        "%0:5 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %c = %x, %d = %n)\n"
        "    : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>",
        "%0:5 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %c = %x, %d = %n)\n"
        "    : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>\n"
        "    attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, []>, <@m, [{}]>, "
        '<@m, [{"x"}]>, <@m, [{?}]>, <@m, []>]>}',
    )
    after = cleaned('sdy.mesh @m = <["x"=2]>\n' + text)
    assert '[<@m, []>, <@m, [{}]>, <@m, [{"x"}]>, <@m, []>]' in str(after)


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("@f(%x: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<2xf32>)", ""),
        ("@f(%x: tensor<2xf32>, %y: tensor<2xf32>)", '{mhlo.sharding = "{{replicated}}"}'),
        ("@f(%x: tensor<2xf32>, %y: tensor<2xf32>)", "pinned by a custom call"),
    ],
    ids=["an alias", "a sharding as text", "another reference"],
)
def test_a_signature_that_something_else_counts_on_stays(function: str, call: str) -> None:
    custom = ""
    if call.startswith("pinned"):
        call = ""
        custom = (
            "stablehlo.custom_call @acme.go(%x) {called_computations = [@f], "
            "has_side_effect = true} : (tensor<2xf32>) -> ()"
        )
    after = cleaned(f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %0:2 = call @f(%x, %x) {call} : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          {custom}
          return %0#0 : tensor<2xf32>
        }}
        func.func private {function} -> (tensor<2xf32>, tensor<2xf32>) {{
          %0 = stablehlo.negate %x : tensor<2xf32>
          return %0, %y : tensor<2xf32>, tensor<2xf32>
        }}""")
    assert "%0:2 = call @f(%arg0, %arg0)" in str(after)


def test_functions_without_a_body_with_blocks_and_with_recursion_bring_nothing_down() -> None:
    text = """func.func @main(%p: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = call @outside(%x) : (tensor<2xf32>) -> tensor<2xf32>
          %1:2 = call @blocks(%p, %x) : (i1, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
          %2:2 = call @again(%x, %x) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          %3 = stablehlo.add %1#0, %2#0 : tensor<2xf32>
          return %3 : tensor<2xf32>
        }
        func.func private @outside(tensor<2xf32>) -> tensor<2xf32>
        func.func private @blocks(%p: i1, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
          %dead = stablehlo.negate %x : tensor<2xf32>
          cf.cond_br %p, ^bb1(%x : tensor<2xf32>), ^bb2
        ^bb1(%y: tensor<2xf32>):
          %dead_too = stablehlo.negate %y : tensor<2xf32>
          return %y, %x : tensor<2xf32>, tensor<2xf32>
        ^bb2:
          %0 = stablehlo.add %x, %x : tensor<2xf32>
          cf.br ^bb1(%0 : tensor<2xf32>)
        }
        func.func private @again(%x: tensor<2xf32>, %y: tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>) {
          %0:2 = call @again(%x, %y) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          return %0#0, %y : tensor<2xf32>, tensor<2xf32>
        }"""
    after = str(cleaned(text))
    assert "call @outside" in after
    assert "stablehlo.negate" not in after
    assert "cf.cond_br" in after
    assert "call @again() : () -> tensor<2xf32>" in after


def test_a_function_that_only_some_attribute_names_stays_and_fits() -> None:
    after = cleaned("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0:2 = call @f(%x, %x) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          %1 = stablehlo.negate %0#0 {acme.hook = @hook} : tensor<2xf32>
          return %1 : tensor<2xf32>
        }
        func.func private @f(%x: tensor<2xf32>, %y: tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>) {
          return %x, %y : tensor<2xf32>, tensor<2xf32>
        }
        func.func private @hook(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0:2 = call @f(%x, %x) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          return %0#1 : tensor<2xf32>
        }""")
    assert after.function_names == ("main", "f", "hook")


def test_what_a_dead_decomposition_calls_is_judged_without_it() -> None:
    after = cleaned("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = stablehlo.composite "acme.f" %x {decomposition = @dead}
            : (tensor<2xf32>) -> tensor<2xf32>
          %1:2 = call @f(%x, %x) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          return %1#0 : tensor<2xf32>
        }
        func.func private @dead(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0:2 = call @f(%x, %x) : (tensor<2xf32>, tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>)
          return %0#1 : tensor<2xf32>
        }
        func.func private @f(%x: tensor<2xf32>, %y: tensor<2xf32>)
            -> (tensor<2xf32>, tensor<2xf32>) {
          return %x, %y : tensor<2xf32>, tensor<2xf32>
        }""")
    assert "func.func private @f(%arg0: tensor<2xf32>) -> tensor<2xf32>" in str(after)


def test_ops_of_other_dialects_stay_with_what_they_use() -> None:
    after = cleaned("""func.func @main(%x: tensor<2xf32>, %i: index) -> tensor<2xf32> {
          %0 = stablehlo.negate %x : tensor<2xf32>
          %1 = memref.alloc() : memref<2xf32>
          %2 = tensor.extract %0[%i] : tensor<2xf32>
          memref.store %2, %1[%i] : memref<2xf32>
          %3 = arith.addi %i, %i : index
          return %x : tensor<2xf32>
        }""")
    assert list(after.op_counts()) == [
        "func.func", "func.return", "memref.alloc", "memref.store", "stablehlo.negate",
        "tensor.extract",
    ]  # fmt: skip


def test_functions_go_beside_ops_that_nobody_knows_and_other_symbols_stay() -> None:
    text = """module {
      sdy.mesh @unused = <["x"=2]>
      memref.global "private" @unused_too : memref<2xf32>
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = "acme.op"(%x) ({
          %1 = stablehlo.negate %x : tensor<2xf32>
          "acme.end"(%1) : (tensor<2xf32>) -> ()
        }) {hook = @named} : (tensor<2xf32>) -> tensor<2xf32>
        return %x : tensor<2xf32>
      }
      func.func private @unnamed(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = call @unnamed(%x) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func private @named(%x: tensor<2xf32>) -> tensor<2xf32> {
        return %x : tensor<2xf32>
      }
    }"""
    program = dxir.load(text, allow_unregistered=True).run_passes("dxir-dce")
    assert program.function_names == ("main", "named")
    assert not Dce().run(program.module)
    for kept in ("@unused =", "@unused_too", '"acme.op"', "stablehlo.negate"):
        assert kept in str(program)


def test_calls_as_deep_as_they_come_are_followed() -> None:
    depth = 5000
    types, results = "%x: tensor<f32>, %y: tensor<f32>", "(tensor<f32>, tensor<f32>)"
    functions = [
        f"""func.func private @f{i}({types}) -> {results} {{
        %0:2 = call @f{i + 1}(%x, %y) : {results} -> {results}
        return %0#0, %0#1 : tensor<f32>, tensor<f32> }}"""
        for i in range(depth)
    ]
    last = f"""func.func private @f{depth}({types}) -> {results} {{
        return %x, %y : tensor<f32>, tensor<f32> }}"""
    main = f"""func.func @main({types}) -> tensor<f32> {{
        %0:2 = call @f0(%x, %y) : {results} -> {results}
        return %0#1 : tensor<f32> }}"""
    program = dxir.load("\n".join([main, *functions, last]))
    pass_ = Dce()
    assert pass_.run(program.module)
    assert pass_.statistics["parameters removed"] == depth + 1
    assert pass_.statistics["results of functions removed"] == depth + 1
    program.verify()


def test_nothing_is_reported_where_nothing_is_dead() -> None:
    program = dxir.load(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    )
    pass_ = Dce()
    assert not pass_.run(program.module)
    assert pass_.statistics == {}


@pytest.mark.parametrize("name", ["@f", '@"my fn"', r'@"a\22b"', r'@"m\C3\A9 fn"'])
def test_a_function_with_a_name_in_quotes_stays_for_an_attribute_that_names_it(name: str) -> None:
    text = f"""
    func.func private {name}(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {{
      return %x : tensor<4xf32>
    }}
    func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {{
      %0 = call {name}(%x, %y) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %1 = "acme.call"(%0, %y) {{to = {name}}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }}"""
    program = dxir.load(text, allow_unregistered=True)
    assert not Dce().run(program.module)
    annotated = f"""
    func.func private {name}(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
    func.func @main(%x: tensor<f32>) -> tensor<f32> attributes {{acme.uses = [{name}]}} {{
      return %x : tensor<f32>
    }}"""
    assert not Dce().run(dxir.load(annotated).module)
