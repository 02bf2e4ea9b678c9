from __future__ import annotations

import pytest

import dxir
from dxir.check_dialect import FORMS, restored_checks, rewritten_checks, split_entries
from dxir.errors import ParseError

OPS = """\
func.func @checks(%a: tensor<f64>, %b: tensor<f64>) {
  check.expect_eq %a, %b : tensor<f64>
  check.expect_eq_const %a, dense<-2.000000e+00> : tensor<f64>
  check.expect_almost_eq %a, %b : tensor<f64>
  check.expect_almost_eq %a, %b, tolerance = 1.000000e-01 : tensor<f64>
  check.expect_almost_eq_const %a, dense<5.000000e+00> : tensor<f64>, tolerance = 1.000000e-01
  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f64>, tensor<f64>
check.expect_close %a, %b, max_ulp_difference = 3, min_ulp_difference = 2 : tensor<f64>, tensor<f64>
  check.expect_serialized_eq %a, probe_id = "a, {b" : tensor<f64>
  check.expect_serialized_eq %a, probe_id = "c", iter = 1 : tensor<f64>
  return
}
"""


def read(text: str) -> dxir.Program:
    return dxir.load(rewritten_checks(text, "x.mlir"))


def body(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "check." in line]


def named(text: str) -> list[str]:
    return body(text.replace("%arg0", "%a").replace("%arg1", "%b"))


def test_every_form_prints_as_it_was_written() -> None:
    program = read(OPS)
    assert named(restored_checks(str(program))) == body(OPS)


def test_the_generic_form_says_the_same() -> None:
    program = read(OPS)
    generic = restored_checks(program.text(generic=True))
    assert '"check.expect_eq"(' in generic
    assert "<{tolerance = 1.000000e-01 : f64}> : (tensor<f64>, tensor<f64>) -> ()" in generic
    assert "custom_call" not in generic
    assert str(read(generic)) == str(program)


def test_attributes_may_stand_in_braces_and_on_other_lines() -> None:
    given = (
        "func.func @f(%a: tensor<f64>) {\n"
        "  check.expect_almost_eq_const %a,\n"
        "    dense<5.1> // a comment, with %x\n"
        "    : tensor<f64> {tolerance = 0.1 : f64}\n"
        "  %bad = stablehlo.add %a, %none : tensor<f64>\n"
        "  return\n"
        "}"
    )
    with pytest.raises(ParseError, match="undeclared SSA value") as caught:
        read(given)
    assert (caught.value.where or "").startswith("<text>:5:")


def test_locations_discardable_attributes_and_complex_values_survive() -> None:
    program = read(
        "func.func @f(%a: tensor<complex<f32>>) { check.expect_eq_const %a, dense<(1.0, 2.0)> : "
        'tensor<complex<f32>> {note = "n"} loc("here":3:4)\n return }'
    )
    shown = restored_checks(program.text(debug_info=True))
    assert (
        "check.expect_eq_const %arg0, dense<(1.000000e+00,2.000000e+00)> : "
        'tensor<complex<f32>> {note = "n"} loc(#loc'
    ) in shown
    assert 'loc("here":3:4)' in shown


def test_a_misspelt_check_is_told_with_the_nearest() -> None:
    with pytest.raises(ParseError, match=r"the check dialect has no op 'check.expect_eqq'") as told:
        rewritten_checks("// first\n  check.expect_eqq %a, %b : tensor<f64>\n", "x.mlir")
    assert told.value.where == "x.mlir:2:3"
    assert told.value.hint == "did you mean check.expect_eq?"
    with pytest.raises(ParseError) as told:
        rewritten_checks("check.approves %a : tensor<f64>\n", "x.mlir")
    assert str(told.value.hint).startswith("it has check.expect_eq, ")


def test_what_only_looks_like_a_check_is_left_alone() -> None:
    for text in (
        "// check.expect_eq %a, %b\n",
        'func.func @f() attributes {note = "check.expect_eq %a, %b"} { return }\n',
        "func.func @check.expect_eq() { return }\n",
        '"check.unknown"(%a) : (tensor<f32>) -> ()\n',
        '// "check.expect_eq"(%a, %b) : (t, t) -> ()\n',
    ):
        assert rewritten_checks(text, "x.mlir") == text


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("check.expect_eq %a %b : tensor<f64>", "expected ','", 19),
        ("check.expect_eq %a, %b", "expected ':'", 23),
        ("check.expect_close %a, %b, ulps = 3 : t", "max_ulp_difference or min_ulp", 32),
        ("check.expect_eq_const %a, 3", "expected a constant", 27),
        ("check.expect_eq %a, %b : tensor<f64", "expected a bracket that is closed", 32),
        ("check.expect_serialized_eq %a, probe_id = 3 : t", "expected a string", 43),
        ("check.expect_almost_eq %a, %b, tolerance = : t", "expected a number", 44),
    ],
)
def test_a_malformed_check_is_an_error_at_its_place(text: str, message: str, column: int) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        rewritten_checks(f"\n{text}", "x.mlir")
    assert caught.value.where == f"x.mlir:2:{column}"
    assert text.split()[0] in caught.value.message


def test_every_op_of_the_dialect_has_a_form() -> None:
    assert {"expect_eq", "expect_close", "expect_serialized_eq", "eq"} <= set(FORMS)


def test_entries_are_split_outside_of_brackets_and_strings() -> None:
    text = 'a = "x, y", b = [1, 2], c = dense<(1.0, 2.0)> : tensor<complex<f32>>, d = () -> i1'
    assert split_entries(text) == [
        'a = "x, y"',
        "b = [1, 2]",
        "c = dense<(1.0, 2.0)> : tensor<complex<f32>>",
        "d = () -> i1",
    ]
    assert split_entries("") == []
