"""Sharing: what is equal becomes one, what is not stays, and the values are the same."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.passes.share_constants import ShareConstants

Array = np.ndarray[Any, Any]


def shared(text: str, options: str = "", *, allow_elided: bool = False) -> dxir.Program:
    """The program with one of each, in which a second run finds nothing to share."""
    pipeline = f"dxir-share-constants{options}"
    program = dxir.load(text, allow_elided=allow_elided).run_passes(pipeline).verify()
    assert str(program.run_passes(pipeline)) == str(program)
    if not options:
        assert not ShareConstants().run(program.clone().module)
    return program


def counts(program: dxir.Program, name: str) -> int:
    return program.op_counts().get(name, 0)


LOOP = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %again = stablehlo.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.compare EQ, %1, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.select %2, %again, %a : tensor<i1>, tensor<3xf32>
    %4 = stablehlo.add %3, %step : tensor<3xf32>
    stablehlo.return %1, %4 : tensor<i32>, tensor<3xf32>
  }
  return %0#1, %0#0 : tensor<3xf32>, tensor<i32>
}"""


def test_loops_that_use_the_constants_around_them_give_the_same_values() -> None:
    after = shared(LOOP)
    assert counts(after, "stablehlo.constant") == 4
    given = np.array([np.nan, -0.0, 1e-45], np.float32)
    expected, found = dxir.compile(dxir.load(LOOP))(given), dxir.compile(after)(given)
    for one, other in zip(expected, found, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_constants_that_differ_in_where_they_come_from_are_one() -> None:
    program = dxir.load(
        """func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
          %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32> loc("a.py":1:1)
          %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32> loc("b.py":2:2)
          return %0, %1 : tensor<2xf32>, tensor<2xf32>
        }"""
    )
    after = program.run_passes(ShareConstants)
    assert counts(after, "stablehlo.constant") == 1
    assert 'loc("a.py":1:1)' in after.text(debug_info=True)


def resource(data: Array) -> str:
    return '"0x08000000' + data.tobytes().hex() + '"'


def beside(type_: str, dense: str, data: Array, other: Array) -> str:
    return f"""func.func @main() -> (tensor<{type_}>, tensor<{type_}>, tensor<{type_}>) {{
      %0 = stablehlo.constant dense<{dense}> : tensor<{type_}>
      %1 = stablehlo.constant dense_resource<same> : tensor<{type_}>
      %2 = stablehlo.constant dense_resource<other> : tensor<{type_}>
      return %0, %1, %2 : tensor<{type_}>, tensor<{type_}>, tensor<{type_}>
    }}
    {{-# dialect_resources: {{ builtin: {{
      same: {resource(data)}, other: {resource(other)} }} }} #-}}"""


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("f32", np.float32), ("bf16", ml_dtypes.bfloat16), ("f64", np.float64), ("i32", np.int32)],
)
@pytest.mark.parametrize("number", [1, 0])
def test_data_in_the_module_and_beside_it_is_compared_by_its_bits(
    element: str, dtype: Any, number: int
) -> None:
    data = np.array([number, 2, 3], dtype)
    other = data.copy()
    other.view(np.uint8)[-1] ^= 0x80
    written = f"[{number}, 2, 3]" if element == "i32" else f"[{number}.0, 2.0, 3.0]"
    after = shared(beside(f"3x{element}", written, data, other))
    assert counts(after, "stablehlo.constant") == 2
    assert "return %c, %c, %c_0" in str(after).replace("cst", "c")


def test_large_weights_in_two_forms_are_one() -> None:
    size = 1 << 20
    data = np.random.default_rng(0).standard_normal(size).astype(np.float32)
    dense = '"0x' + data.tobytes().hex() + '"'
    other = data.copy()
    other[-1] = np.nan
    after = shared(beside(f"{size}xf32", dense, data, other))
    assert counts(after, "stablehlo.constant") == 2


def test_what_cannot_be_compared_stays() -> None:
    complex_ = "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>"
    after = shared(
        f"""func.func @main() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
        tensor<4xi4>, tensor<4xi4>, tensor<2xf32>, tensor<2xf32>) {{
      %0 = stablehlo.constant {complex_}
      %1 = stablehlo.constant {complex_}
      %2 = stablehlo.constant dense<[1, 0, 0, 0]> : tensor<4xi4>
      %3 = stablehlo.constant dense_resource<small> : tensor<4xi4>
      %4 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %5 = stablehlo.constant dense_resource<gone> : tensor<2xf32>
      return %0, %1, %2, %3, %4, %5 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
        tensor<4xi4>, tensor<4xi4>, tensor<2xf32>, tensor<2xf32>
    }}
    {{-# dialect_resources: {{ builtin: {{ small: "0x0400000001000000" }} }} #-}}""",
        allow_elided=True,
    )
    assert counts(after, "stablehlo.constant") == 6


def function(name: str, body: str, params: str = "%x: tensor<2xf32>", tail: str = "") -> str:
    return f"func.func private @{name}({params}) -> tensor<2xf32> {tail}{{\n{body}\n}}"


DOUBLE = "%0 = stablehlo.add %x, %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>"
CALL = "%0 = call @{} (%x) : (tensor<2xf32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>"


def test_functions_that_call_equal_functions_are_equal() -> None:
    after = shared(
        "\n".join(
            [
                function("a", CALL.format("b")),
                function("b", CALL.format("c")),
                function("c", DOUBLE),
                function("d", CALL.format("e")),
                function("e", CALL.format("f")),
                function("f", DOUBLE),
                """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
                  %0 = call @a(%x) : (tensor<2xf32>) -> tensor<2xf32>
                  %1 = call @d(%0) : (tensor<2xf32>) -> tensor<2xf32>
                  stablehlo.custom_call @acme.go(%1) {called_computations = [@f],
                    has_side_effect = true} : (tensor<2xf32>) -> ()
                  %2 = stablehlo.negate %1 {acme.hook = [{name = @d}, "@e"]} : tensor<2xf32>
                  return %2 : tensor<2xf32>
                }""",
            ]
        )
    )
    assert 'acme.hook = [{name = @a}, "@e"]' in str(after)
    assert after.function_names == ("a", "b", "c", "main")
    assert "called_computations = [@c]" in str(after)


def test_functions_that_differ_stay() -> None:
    after = shared(
        "\n".join(
            [
                function("a", DOUBLE),
                function("b", DOUBLE, "%x: tensor<2xf32> {acme.note = 1 : i32}"),
                function("c", DOUBLE.replace("add", "multiply")),
                function("d", CALL.format("e")),
                function("e", CALL.format("d")),
                function("f", CALL.format("g")),
                function("g", CALL.format("f")),
                "func.func private @h(tensor<2xf32>) -> tensor<2xf32>",
                "func.func private @i(tensor<2xf32>) -> tensor<2xf32>",
                "func.func @j(%x: tensor<2xf32>) -> tensor<2xf32> {\n" + DOUBLE + "\n}",
            ]
        )
    )
    assert "".join(after.function_names) == "abcdefghij"


CALLS = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0:2 = stablehlo.composite "acme.f" %x {decomposition = @f}
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1:2 = stablehlo.composite "acme.f" %x {decomposition = @f}
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %2:2 = stablehlo.composite "acme.f" %0#1 {decomposition = @f}
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %3:2 = stablehlo.composite "acme.f" %1#1 {decomposition = @f}
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %4 = "stablehlo.if"(%p) ({
    %7:2 = stablehlo.composite "acme.f" %x {decomposition = @f}
      : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    stablehlo.return %7#0 : tensor<2xf32>
  }, {
    stablehlo.return %3#0 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %5 = stablehlo.subtract %2#0, %4 : tensor<2xf32>
  return %5 : tensor<2xf32>
}
func.func private @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.exponential %x : tensor<2xf32>
  %1 = stablehlo.tanh %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}"""


@pytest.mark.parametrize("branch", [True, False])
def test_equal_composites_of_equal_operands_are_one_in_a_block(branch: bool) -> None:
    after = shared(CALLS)
    assert counts(after, "stablehlo.composite") == 3
    given = (np.array([np.inf, -1e-45], np.float32), np.array(branch))
    expected, found = dxir.compile(dxir.load(CALLS))(*given), dxir.compile(after)(*given)
    assert np.asarray(expected).tobytes() == np.asarray(found).tobytes()


@pytest.mark.parametrize(
    ("options", "functions", "composites"),
    [("{functions=false}", 1, 3), ("{calls=false}", 1, 5), ("", 1, 3)],
)
def test_options_leave_functions_and_calls_as_they_are(
    options: str, functions: int, composites: int
) -> None:
    after = shared(CALLS, options)
    assert len(after.function_names) - 1 == functions
    assert counts(after, "stablehlo.composite") == composites
