"""dxir-simplify on control flow, on what carries annotations, and on what it has to leave alone."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.program import Program

PASS = "dxir-simplify"
FAST = "dxir-simplify{fast-math=true}"


def simplified(text: str, pipeline: str = PASS) -> Program:
    """The simplified program, which a second run leaves as it is."""
    found = dxir.load(text, allow_elided=True).run_passes(pipeline)
    found.clone().verify()
    assert str(found.run_passes(pipeline)) == str(found)
    return found


def main(body: str, params: str = "%x: tensor<4xf32>", result: str = "tensor<4xf32>") -> str:
    return f"func.func @main({params}) -> {result} {{\n{body}\n}}"


def names(program: Program) -> list[str]:
    """The ops, but for the function and its return."""
    counts = program.op_counts()
    return [
        n.removeprefix("stablehlo.")
        for n, count in counts.items()
        for _ in range(count)
        if n not in ("func.func", "func.return")
    ]


def agrees(text: str, *arguments: Any) -> Program:
    """The simplified program, which computes on XLA and NumPy what the program does."""
    before = dxir.load(text)
    after = simplified(text)
    for wanted, found in (
        (dxir.compile(before)(*arguments), dxir.compile(after)(*arguments)),
        (
            dxir.evaluate(before.raise_(), *arguments),
            dxir.evaluate(after.raise_(), *arguments),
        ),
    ):
        pairs = (
            [(wanted, found)]
            if not isinstance(wanted, tuple | list)
            else list(zip(wanted, found, strict=True))
        )
        for a, b in pairs:
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b), strict=True)
    return after


X = np.array([np.nan, -0.0, np.inf, -2.5], np.float32)


def test_a_branch_that_is_known_is_inlined() -> None:
    text = main(
        """
        %p = stablehlo.constant dense<true> : tensor<i1>
        %r:2 = "stablehlo.if"(%p) ({
          %a = stablehlo.sine %x : tensor<4xf32>
          stablehlo.return %a, %x : tensor<4xf32>, tensor<4xf32>
        }, {
          stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32>
        }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
        %s = stablehlo.add %r#0, %r#1 : tensor<4xf32>
        return %s : tensor<4xf32>"""
    )
    assert names(agrees(text, X)) == ["add", "sine"]


@pytest.mark.parametrize(
    ("index", "op"), [(0, "sine"), (1, "cosine"), (2, "tanh"), (7, "tanh"), (-1, "tanh")]
)
def test_a_case_of_a_known_index_is_its_branch(index: int, op: str) -> None:
    branches = ", ".join(
        f"{{ %{n} = stablehlo.{n} %x : tensor<4xf32> stablehlo.return %{n} : tensor<4xf32> }}"
        for n in ("sine", "cosine", "tanh")
    )
    text = main(
        f"""
        %i = stablehlo.constant dense<{index}> : tensor<i32>
        %r = "stablehlo.case"(%i) ({branches}) : (tensor<i32>) -> tensor<4xf32>
        return %r : tensor<4xf32>"""
    )
    assert names(agrees(text, X)) == [op]


def test_branches_that_give_the_same_are_these_values() -> None:
    text = main(
        """
        %r = "stablehlo.if"(%p) ({ stablehlo.return %x : tensor<4xf32> },
          { stablehlo.return %x : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
        return %r : tensor<4xf32>""",
        "%x: tensor<4xf32>, %p: tensor<i1>",
    )
    assert names(agrees(text, X, np.array(True))) == []


def test_branches_that_differ_stay() -> None:
    text = main(
        """
        %r = "stablehlo.if"(%p) ({ stablehlo.return %x : tensor<4xf32> },
          { stablehlo.return %y : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
        return %r : tensor<4xf32>""",
        "%x: tensor<4xf32>, %y: tensor<4xf32>, %p: tensor<i1>",
    )
    assert "if" in names(agrees(text, X, X + 1, np.array(False)))


def loop(condition: str) -> str:
    return main(
        f"""
        %n = stablehlo.constant dense<0> : tensor<i32>
        %r:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<4xf32> cond {{
          {condition}
          stablehlo.return %p : tensor<i1>
        }} do {{
          %one = stablehlo.constant dense<1> : tensor<i32>
          %j = stablehlo.add %i, %one : tensor<i32>
          %w = stablehlo.negate %v : tensor<4xf32>
          stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
        }}
        return %r#1 : tensor<4xf32>"""
    )


def test_a_loop_that_is_never_entered_goes() -> None:
    condition = "%p = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    assert names(agrees(loop(condition), X)) == []


def test_a_loop_that_runs_stays() -> None:
    condition = (
        "%m = stablehlo.constant dense<3> : tensor<i32>\n"
        "%p = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    )
    assert "while" in names(agrees(loop(condition), X))


def reduction(op: str, init: str, shape: str, dims: str, result: str) -> str:
    return main(
        f"""
        %c = stablehlo.constant dense<{init}> : tensor<f32>
        %r = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = [{dims}]
          : (tensor<{shape}xf32>, tensor<f32>) -> tensor<{result}xf32>
        return %r : tensor<{result}xf32>""",
        f"%x: tensor<{shape}xf32>",
        f"tensor<{result}xf32>",
    )


@pytest.mark.parametrize(
    ("op", "init", "left"),
    [
        ("add", "-0.0", ["reshape"]),
        ("multiply", "1.0", ["reshape"]),
        ("maximum", "0xFF800000", ["reshape"]),
        ("minimum", "0x7F800000", ["reshape"]),
        ("add", "0.0", ["add", "constant", "reduce", "return"]),
        ("add", "7.0", ["add", "constant", "reduce", "return"]),
        ("maximum", "0.0", ["constant", "maximum", "reduce", "return"]),
    ],
)
def test_a_reduction_of_one_element_from_a_neutral_value_is_a_reshape(
    op: str, init: str, left: list[str]
) -> None:
    text = reduction(op, init, "4x1", "1", "4")
    after = agrees(text, X.reshape(4, 1)) if init != "7.0" else simplified(text)
    assert [n.removeprefix("stablehlo.") for n in names(after)] == left


def test_a_reduction_over_no_dimension_is_its_operand() -> None:
    assert names(agrees(reduction("add", "-0.0", "4", "", "4"), X)) == []


def test_sorts_and_reverses_of_one_element_and_maps_of_nothing_go() -> None:
    text = main(
        """
        %0 = "stablehlo.sort"(%x) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }) {dimension = 1 : i64} : (tensor<4x1xf32>) -> tensor<4x1xf32>
        %1 = stablehlo.reverse %0, dims = [1] : tensor<4x1xf32>
        %2 = "stablehlo.map"(%x, %1) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          stablehlo.return %b : tensor<f32>
        }) {dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
        return %2 : tensor<4x1xf32>""",
        "%x: tensor<4x1xf32>",
        "tensor<4x1xf32>",
    )
    assert names(agrees(text, X.reshape(4, 1))) == []


def test_an_element_of_a_tuple_is_what_went_in() -> None:
    text = main(
        """
        %t = stablehlo.tuple %x, %y : tuple<tensor<4xf32>, tensor<4xf32>>
        %r = stablehlo.get_tuple_element %t[1]
          : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
        return %r : tensor<4xf32>""",
        "%x: tensor<4xf32>, %y: tensor<4xf32>",
    )
    assert names(simplified(text)) == []


MESH = 'sdy.mesh @mesh = <["a"=2]>\n'
SHARDED = '{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}'
OTHERWISE = "{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}"


def sharded(inner: str, outer: str, op: str = "negate") -> Program:
    body = f"""
        %0 = stablehlo.sine %x {SHARDED} : tensor<4xf32>
        %1 = stablehlo.{op} %0 {inner} : tensor<4xf32>
        %2 = stablehlo.negate %1 {outer} : tensor<4xf32>
        return %2 : tensor<4xf32>"""
    return simplified(MESH + main(body))


@pytest.mark.parametrize(
    ("inner", "outer", "left"),
    [
        ("", "", 0),
        ("", SHARDED, 0),
        (SHARDED, SHARDED, 0),
        ("", OTHERWISE, 2),
        (OTHERWISE, "", 2),
        (OTHERWISE, OTHERWISE, 2),
    ],
)
def test_no_sharding_is_lost(inner: str, outer: str, left: int) -> None:
    assert sharded(inner, outer).op_counts().get("stablehlo.negate", 0) == left


def test_the_op_that_takes_the_place_of_an_annotated_one_is_annotated_alike() -> None:
    body = f"""
        %0 = stablehlo.negate %x : tensor<4xf32>
        %1 = stablehlo.add %x, %0 {SHARDED[:-1]}, note = "kept"}} : tensor<4xf32>
        return %1 : tensor<4xf32>"""
    found = simplified(MESH + main(body)).text()
    assert "stablehlo.subtract" in found
    assert '{note = "kept", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}' in found


def test_an_annotated_choice_stays() -> None:
    text = main(
        """
        %p = stablehlo.constant dense<true> : tensor<i1>
        %r = "stablehlo.if"(%p) ({ %a = stablehlo.sine %x : tensor<4xf32>
          stablehlo.return %a : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> })
          {note} : (tensor<i1>) -> tensor<4xf32>
        return %r : tensor<4xf32>"""
    )
    assert "if" in names(simplified(text))


def test_barriers_and_composites_are_not_looked_through() -> None:
    text = (
        main(
            """
        %0 = stablehlo.negate %x : tensor<4xf32>
        %1 = stablehlo.optimization_barrier %0 : tensor<4xf32>
        %2 = stablehlo.negate %1 : tensor<4xf32>
        %3 = stablehlo.composite "acme.same" %2 {decomposition = @same}
          : (tensor<4xf32>) -> tensor<4xf32>
        return %3 : tensor<4xf32>"""
        )
        + "func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "return %x : tensor<4xf32>\n}"
    )
    kept = ["composite", "negate", "negate", "optimization_barrier"]
    assert names(simplified(text)) == kept


@pytest.mark.parametrize(("op", "left"), [("negate", 2), ("abs", 2), ("floor", 2), ("sign", 2)])
def test_quantized_arithmetic_stays(op: str, left: int) -> None:
    type = "tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>"
    text = main(
        f"%0 = stablehlo.{op} %x : {type}\n%1 = stablehlo.{op} %0 : {type}\nreturn %1 : {type}",
        f"%x: {type}",
        type,
    )
    assert len(names(simplified(text))) == left


def test_a_quantized_constant_is_not_the_number_it_is_stored_as() -> None:
    type = "tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>"
    text = main(
        f"""
        %p = stablehlo.constant dense<0> : tensor<2xi8>
        %s = stablehlo.add %y, %p : tensor<2xi8>
        %c = "stablehlo.constant"() {{value = dense<0> : tensor<2xi8>}} : () -> {type}
        %r = stablehlo.add %x, %c : {type}
        return %r, %s : {type}, tensor<2xi8>""",
        f"%x: {type}, %y: tensor<2xi8>",
        f"({type}, tensor<2xi8>)",
    )
    assert names(simplified(text)) == ["add", "constant"]


def test_dynamic_sizes_keep_their_types() -> None:
    text = main(
        """
        %c = stablehlo.constant dense<0> : tensor<4xi32>
        %0 = "stablehlo.add"(%x, %c) : (tensor<?xi32>, tensor<4xi32>) -> tensor<?xi32>
        %1 = "stablehlo.add"(%y, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
        %2 = "stablehlo.subtract"(%x, %x) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
        %3 = "stablehlo.negate"(%x) : (tensor<?xi32>) -> tensor<?xi32>
        %4 = "stablehlo.negate"(%3) : (tensor<?xi32>) -> tensor<?xi32>
        return %0, %1, %2, %4 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>""",
        "%x: tensor<?xi32>, %y: tensor<4xi32>",
        "(tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)",
    )
    assert names(simplified(text)) == ["add", "constant", "subtract"]


def test_constants_kept_as_resources_or_elided_are_no_numbers() -> None:
    for key in ("blob", "__elided__"):
        text = main(
            f"""
            %c = stablehlo.constant dense_resource<{key}> : tensor<4xf32>
            %r = stablehlo.multiply %c, %x : tensor<4xf32>
            return %r : tensor<4xf32>"""
        )
        found = simplified(text)
        assert names(found) == ["constant", "multiply"]
        assert "stablehlo.multiply %arg0, %cst" in found.text()


def test_numbers_are_seen_through_broadcasts() -> None:
    text = main(
        """
        %c = stablehlo.constant dense<1.0> : tensor<f32>
        %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %r = stablehlo.multiply %b, %x : tensor<4xf32>
        return %r : tensor<4xf32>"""
    )
    assert names(agrees(text, X)) == []


@pytest.mark.parametrize(
    ("element", "data"),
    [
        ("i1", [False, True]),
        ("i8", [6, 7]),
        ("ui8", [6, 255]),
        ("i32", [6, 7]),
        ("ui64", [6, 2**64 - 1]),
    ],
)
def test_one_is_not_all_ones(element: str, data: list[int]) -> None:
    """B43: and with 1, or with 1, for every width."""
    type = f"tensor<2x{element}>"
    one = "true" if element == "i1" else "1"
    text = main(
        f"""
        %one = stablehlo.constant dense<{one}> : {type}
        %0 = stablehlo.and %x, %one : {type}
        %1 = stablehlo.or %x, %one : {type}
        return %0, %1 : {type}, {type}""",
        f"%x: {type}",
        f"({type}, {type})",
    )
    given = np.array(data, object).astype(dxir.DType.of(element).numpy)
    after = agrees(text, given)
    assert ("and" in names(after)) == (element != "i1")


def test_a_sum_of_differently_permuted_factors_keeps_its_value() -> None:
    """B45: sum(transpose(a) * reshape(b)) is 4231; without the transpose it would be 4321."""
    text = main(
        """
        %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %r = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<2x2xf32>
        %m = stablehlo.multiply %t, %r : tensor<2x2xf32>
        %c = stablehlo.constant dense<0.0> : tensor<f32>
        %s = stablehlo.reduce(%m init: %c) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
        return %s : tensor<f32>""",
        "%a: tensor<2x2xf32>, %b: tensor<4xf32>",
        "tensor<f32>",
    )
    a, b = np.array([[1, 2], [3, 4]], np.float32), np.array([1, 10, 100, 1000], np.float32)
    after = agrees(text, a, b)
    assert np.asarray(dxir.compile(after)(a, b)) == 4231


def test_merged_broadcasts_put_dimensions_where_they_were() -> None:
    """B45: dims [2, 0] and then [0, 1, 2] is dims [2, 0]."""
    text = main(
        """
        %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
        %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2]
          : (tensor<3x4x2xf32>) -> tensor<3x4x2x5xf32>
        return %1 : tensor<3x4x2x5xf32>""",
        "%x: tensor<2x3xf32>",
        "tensor<3x4x2x5xf32>",
    )
    agrees(text, np.arange(6, dtype=np.float32).reshape(2, 3))


def test_shifts_by_the_width_are_zeros_or_signs() -> None:
    """B55: 0xDEADBEEF shifted by 0, 31 and 32."""
    shifts = ("shift_left", "shift_right_logical", "shift_right_arithmetic")
    lines = [
        f"%{op}{n} = stablehlo.{op} %x, %c{n} : tensor<i32>" for op in shifts for n in (0, 31, 32)
    ]
    lines = [f"%c{n} = stablehlo.constant dense<{n}> : tensor<i32>" for n in (0, 31, 32)] + lines
    values = ", ".join(f"%{op}{n}" for op in shifts for n in (0, 31, 32))
    types = ", ".join(["tensor<i32>"] * 9)
    text = main("\n".join([*lines, f"return {values} : {types}"]), "%x: tensor<i32>", f"({types})")
    x = np.array(0xDEADBEEF, np.uint32).view(np.int32)
    found = [int(np.asarray(v).view(np.uint32)) for v in dxir.compile(agrees(text, x))(x)]
    ones = 0xFFFFFFFF
    assert found == [0xDEADBEEF, 0x80000000, 0, 0xDEADBEEF, 1, 0, 0xDEADBEEF, ones, ones]


def test_fast_math_is_recorded_in_the_module_once() -> None:
    text = main("%0 = stablehlo.subtract %x, %x : tensor<4xf32>\nreturn %0 : tensor<4xf32>")
    found = simplified(text, FAST)
    (record,) = found.approximations()
    assert record.details["assumes"] == ("nnan", "ninf", "nsz", "arcp", "reassoc", "afn")
    assert dxir.load(found.serialize("1.0.0")).approximations() == (record,)
    assert not simplified(text).approximations()


def test_statistics_say_how_often_each_rewrite_was_made() -> None:
    from dxir.passes.simplify import Simplify

    simplify = Simplify()
    body = "%0 = stablehlo.negate %x : tensor<4xf32>\n%1 = stablehlo.negate %0 : tensor<4xf32>"
    dxir.load(main(f"{body}\nreturn %1 : tensor<4xf32>")).run_passes([simplify])
    assert simplify.statistics == {"negate_negated": 1}


def test_what_else_was_allowed_stays_recorded() -> None:
    other = '{by = "acme-fuse", legalized_from = "two roundings", reason = "contract"}'
    text = f"module attributes {{dxir.approximations = [{other}]}} {{\n}}"
    found = simplified(text, FAST).approximations()
    assert [record.by for record in found] == ["acme-fuse", "dxir-simplify"]


def test_a_complex_constant_is_not_taken_for_its_annotation() -> None:
    note = "{note = dense<(0.0,0.0)> : tensor<complex<f32>>}"
    type = "tensor<2xcomplex<f32>>"
    text = main(
        f"""
        %c = stablehlo.constant {note} dense<[(1.0,0.0),(2.0,0.0)]> : {type}
        %0 = stablehlo.subtract %x, %c : {type}
        %d = stablehlo.constant {note} dense<(3.0,0.0)> : {type}
        %1 = stablehlo.subtract %0, %d : {type}
        %e = stablehlo.constant dense<(0.0,0.0)> : {type}
        %2 = stablehlo.subtract %1, %e : {type}
        return %2 : {type}""",
        f"%x: {type}",
        type,
    )
    assert names(simplified(text)) == ["constant", "constant", "subtract", "subtract"]


def test_a_function_body_with_annotated_results_keeps_what_it_returns() -> None:
    text = MESH + (
        "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> "
        '{sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {\n'
        "%0 = stablehlo.negate %x : tensor<4xf32>\n"
        "%1 = stablehlo.negate %0 : tensor<4xf32>\nreturn %1 : tensor<4xf32>\n}"
    )
    assert '{sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}' in simplified(text).text()
