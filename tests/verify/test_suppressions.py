"""What a module allows itself, in comments and in attributes."""

import pytest

from dxir.loading import load
from dxir.verify.contents import check_data
from dxir.verify.report import Report
from dxir.verify.settings import Settings

END = "structure-function-terminator"
UNUSED = "structure-unused-allowance"
SETTINGS = Settings(only=(END, UNUSED, "structure-parse", "structure-verify"))

TWO = """\
func.func @first(%a: tensor<f32>) -> tensor<f32> {{{above}
  stablehlo.return %a : tensor<f32>{behind}
}}
{function}
func.func @second(%a: tensor<f32>) -> tensor<f32> {{
  stablehlo.return %a : tensor<f32>
}}
"""


def check(text: str | bytes) -> Report:
    data = text.encode() if isinstance(text, str) else text
    return check_data(data, "m.mlir", SETTINGS).report


def two(above: str = "", behind: str = "", function: str = "") -> Report:
    above = "\n" + above if above else ""
    return check(TWO.format(above=above, behind=behind, function=function))


def told(report: Report) -> tuple[list[str], list[str]]:
    """The functions in which a terminator is found, and in which it is allowed."""
    return tuple(  # type: ignore[return-value]
        [str(f.function) for f in found if f.rule == END]
        for found in (report.findings, report.allowed)
    )


def test_a_comment_on_or_above_a_line_is_for_that_line() -> None:
    assert told(two()) == (["first", "second"], [])
    for report in (
        two(above=f"  // dxir-verify: allow({END}) the tool wants it so"),
        two(above=f"  // dxir-verify:allow( structure-parse , {END} )\n  // because"),
        two(above=f"  // one\n  //dxir-verify: allow({END})\n  // more"),
        two(behind=f" // dxir-verify: allow({END})"),
        two(behind=" // dxir-verify: allow(structure-*)"),
    ):
        assert told(report) == (["second"], ["first"])
    assert told(two(above=f"  // dxir-verify: allow({END})\n")) == (["first", "second"], [])


def test_a_comment_above_a_function_is_for_all_of_it_and_one_for_the_file_for_all() -> None:
    assert told(two(function=f"// dxir-verify: allow({END})")) == (["first"], ["second"])
    assert told(two(function=f"// dxir-verify: allow-file({END})")) == ([], ["first", "second"])
    marked = f"// dxir-verify: allow-file({END})\n{TWO}// -----\n{TWO}".format(
        above="", behind="", function=""
    )
    assert told(check(marked)) == (["first", "second"], ["first", "second"])
    whole = f"// dxir-verify: allow({END})\nmodule {{\n" + TWO.format(
        above="", behind="", function=""
    )
    assert told(check(whole + "}\n")) == ([], ["first", "second"])


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        (f"allow({END})", f"nothing here needs to be allowed of {END}"),
        ("allow(structure-ending)", "there is no rule 'structure-ending' to allow anything of"),
        ("allow structure-parse", "this allowance cannot be understood"),
        ("allow()", "this allowance cannot be understood"),
        ("allow(numerics-*)", None),
        (f"allow({UNUSED})", None),
    ],
)
def test_an_allowance_of_nothing_is_told(comment: str, said: str | None) -> None:
    text = f"func.func @main() {{\n  // dxir-verify: {comment}\n  return\n}}\n"
    found = check(text).findings
    assert [f.message for f in found] == ([] if said is None else [said])
    severity = "note" if said is not None and said.startswith("nothing") else "warning"
    assert [(f.rule, f.severity, str(f.place)) for f in found] == (
        [] if said is None else [(UNUSED, severity, "m.mlir:2:3")]
    )


def test_what_a_misspelt_allowance_means_is_told() -> None:
    comment = "// dxir-verify: allow-file(structure-function-terminators)"
    (finding,) = check(f"{comment}\nfunc.func @main() {{\n  return\n}}\n").findings
    assert (finding.hint or "").startswith("did you mean structure-function-terminator")


def test_what_looks_like_a_comment_in_a_string_is_none() -> None:
    text = f'module attributes {{a.b = "// dxir-verify: allow({END})"}} {{}}\n'
    assert check(text).findings == ()


def test_files_that_are_no_module_can_be_allowed_by_comments() -> None:
    broken = "// dxir-verify: allow-file(structure-parse) an example\nfunc.func @main(\n"
    assert check(broken).findings == ()
    assert [f.rule for f in check(broken).allowed] == ["structure-parse"]


ATTRIBUTES = f"""\
module attributes {{dxir.verify.allow = ["structure-parse", "structure-nothing"]}} {{
  func.func @first(%a: tensor<f32>) -> tensor<f32>
      attributes {{dxir.verify.allow = ["structure-f*"]}} {{
    stablehlo.return %a : tensor<f32>
  }}
  func.func @second(%a: tensor<f32>) -> tensor<f32> {{
    stablehlo.return %a {{dxir.verify.allow = "{END}"}} : tensor<f32>
  }}
  func.func @third(%a: tensor<f32>) -> tensor<f32> {{
    stablehlo.return %a : tensor<f32>
  }}
}}
"""


def test_attributes_are_for_what_is_in_the_op_and_stay_with_the_module() -> None:
    program = load(ATTRIBUTES)
    for data in (ATTRIBUTES.encode(), program.bytecode()):
        report = check(data)
        assert told(report) == (["third"], ["first", "second"])
        assert [f.message for f in report.findings if f.rule == UNUSED] == [
            "nothing here needs to be allowed of structure-parse",
            "there is no rule 'structure-nothing' to allow anything of",
        ]
    # In an artifact there is but one kind of return.
    assert str(load(program.serialize("1.0.0")).module).count("dxir.verify.allow") == 3


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('loc("a.py":1:2)', "this allowance cannot be understood"),
        ('"\\FF"', "there is no rule '\N{REPLACEMENT CHARACTER}' to allow anything of"),
    ],
)
def test_attributes_that_name_no_rule_are_told(value: str, said: str) -> None:
    report = check(f"module attributes {{dxir.verify.allow = {value}}} {{}}".encode())
    assert said in [f.message for f in report.findings]


def test_places_are_those_of_the_text_where_locations_name_other_files() -> None:
    text = """\
#loc = loc("model(.py":3:1)
module {
  func.func @main(%a: tensor<f32> loc("a"("\\"(.py":1:1))) -> tensor<f32> {
    // loc(
    stablehlo.return %a : tensor<f32> loc(fused["f.py":5:2, callsite("x" at "b":2:2)])
  } loc(#loc)
} loc(#loc)
"""
    (found,) = check(text).findings
    assert (str(found.place), str(found.origin)) == ("m.mlir:5:5", "f.py:5:2")
    allowed = text.replace("// loc(", f"// dxir-verify: allow({END})")
    assert check(allowed).findings == ()
    wrong = text.replace("stablehlo.return %a", "func.return").replace(
        ": tensor<f32> loc(fused", "loc(fused"
    )
    (found,) = check(wrong).findings
    assert found.rule == "structure-verify"
    assert (found.place.line, str(found.origin)) == (5, "f.py:5:2")
