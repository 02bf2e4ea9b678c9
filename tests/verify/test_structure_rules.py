"""Rules of structure, beyond their examples: every form of a fault, and what is none."""

import pytest

import dxir
from dxir.errors import DxirError
from dxir.loading import load
from dxir.verify.checking import found_by
from dxir.verify.modules import check_module
from dxir.verify.reading import read
from dxir.verify.rule import all_rules
from dxir.verify.settings import Settings
from dxir.verify.subject import Source, Subject


def found(text: str | bytes, *only: str) -> list[tuple[str, str, int]]:
    """Rule, message and line of what is found, notes left out."""
    report = check_module(text, Settings(only=only), name="m.mlir")
    return [(f.rule, f.message, f.place.line) for f in report.findings if f.severity != "note"]


def rules(text: str | bytes) -> set[str]:
    """The rules that find something, notes left out."""
    return {rule for rule, _, _ in found(text)}


def repaired(text: str, id: str) -> str:
    """The text once a rule has put right all that it finds."""
    rule = all_rules()[id]()
    subject = read(Source("m.mlir", text.encode()), (rule,))
    assert isinstance(subject, Subject)
    while faults := [f for f in found_by([rule], subject) if f.fixable]:
        assert rule.repair(faults[0], subject)
        subject = Subject(subject.module, subject.source)
    assert subject.module.operation.verify()
    return str(subject.module)


def function(
    body: str, parameters: str = "%x: tensor<4xf32>", result: str = "tensor<4xf32>"
) -> str:
    """A module of one function."""
    return f"func.func @main({parameters}) -> {result} {{\n{body}\n}}\n"


CALL = "  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>"
CUSTOM = """\
  %0 = stablehlo.custom_call @TopK(%x) {called_computations = [@g]}
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>"""
COMPOSITE = """\
  %0 = stablehlo.composite "my.g" %x {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>"""
DECLARED = "func.func private @g(tensor<4xf32>) -> tensor<4xf32>\n"


@pytest.mark.parametrize(
    "text",
    [
        function(CALL) + DECLARED,
        function(CALL),
        function(COMPOSITE) + DECLARED,
        function(CUSTOM) + DECLARED,
        function(CUSTOM),
    ],
    ids=["declared", "missing", "decomposition", "computation", "missing computation"],
)
def test_whatever_calls_a_function_without_a_body_is_found_where_it_calls(text: str) -> None:
    """Report B13."""
    ((rule, message, line),) = found(text)
    assert (rule, line) == ("structure-call-without-body", 2)
    assert "g" in message


def test_a_composite_in_its_own_decomposition_is_recursion() -> None:
    text = function(COMPOSITE) + function(COMPOSITE).replace("@main", "private @g")
    assert rules(text) == {"structure-recursion"}


@pytest.mark.parametrize(
    ("name", "callee", "parameters"),
    [
        ("my.square", "@sq", "%b: tensor<i32>, %x: tensor<4xf32>"),
        ("my.square", "@nope", "%x: tensor<4xf32>"),
        ("square", "@sq", "%x: tensor<4xf32>"),
        ("my.square", "@sq", "%x: tensor<5xf32>"),
    ],
)
def test_composites_that_do_not_go_with_their_decomposition_have_a_rule(
    name: str, callee: str, parameters: str
) -> None:
    """Report B23."""
    text = function(
        f'  %0 = stablehlo.composite "{name}" %x {{decomposition = {callee}}}'
        " : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>"
    )
    text += f"func.func private @sq({parameters}) -> {parameters[-13:]} {{\n"
    text += f"  return %x : {parameters[-13:]}\n}}\n"
    assert rules(text) == {"structure-composite-decomposition"}


def composites(second: str) -> str:
    body = "".join(
        f'  %{i} = stablehlo.composite "my.f" %x {{decomposition = @f{i}}}'
        " : (tensor<4xf32>) -> tensor<4xf32>\n"
        for i in range(2)
    )
    return (
        function(body + "  return %1 : tensor<4xf32>")
        + function(
            "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>"
        ).replace("@main", "private @f0")
        + function(f"  %1 = {second} : tensor<4xf32>\n  return %1 : tensor<4xf32>").replace(
            "@main", "private @f1"
        )
    )


def test_one_name_for_decompositions_that_compute_different_things_is_found() -> None:
    ((rule, message, line),) = found(composites("stablehlo.multiply %x, %x"))
    assert (rule, line) == ("structure-composite-decomposition", 3)
    assert "@f1 here and @f0 elsewhere" in message
    assert found(composites("stablehlo.add %x, %x")) == []


def test_swapped_operands_are_of_the_rule_about_operand_types() -> None:
    """Report B25, the second form."""
    text = function(
        "  %0 = stablehlo.reshape %x : (tensor<1x80x3000xf32>) -> tensor<240000xf32>\n"
        "  return %0 : tensor<240000xf32>",
        "%x: tensor<80x3000xf32>",
        "tensor<240000xf32>",
    )
    assert rules(text) == {"structure-operand-type"}


@pytest.mark.parametrize("op", ["stablehlo.abs", "stablehlo.is_finite", "stablehlo.exponential"])
def test_another_shape_of_a_result_is_of_the_rule_about_inferred_types(op: str) -> None:
    element = "i1" if op.endswith("finite") else "f32"
    body = f'  %0 = "{op}"(%x) : (tensor<4xf32>) -> tensor<5x{element}>\n'
    assert rules(function(f"{body}  return %x : tensor<4xf32>")) == {"structure-inferred-type"}


def test_a_reduce_that_keeps_the_dimension_is_of_the_rule_about_inferred_types() -> None:
    """Report B27."""
    text = function(
        "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]"
        " : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x1xf32>\n  return %0 : tensor<2x1xf32>",
        "%x: tensor<2x4xf32>",
        "tensor<2x1xf32>",
    )
    assert rules(text) == {"structure-inferred-type"}


LOOP = """\
  %0 = "stablehlo.while"(%x) ({{
  ^bb0(%a: tensor<4xf32>):
    %go = stablehlo.constant dense<false> : tensor<i1>
    {cond}
  }}, {{
  ^bb0(%a: tensor<4xf32>):
    {body}
  }}) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>"""
GO, ON = "stablehlo.return %go : tensor<i1>", "stablehlo.return %a : tensor<4xf32>"


@pytest.mark.parametrize(
    ("cond", "body"),
    [
        (GO, "func.return %a : tensor<4xf32>"),
        (GO, ""),
        ("", ON),
        ("func.return %go : tensor<i1>", ON),
    ],
)
def test_regions_without_a_terminator_of_their_kind_are_found(cond: str, body: str) -> None:
    """Report B29."""
    ((rule, message, _),) = found(function(LOOP.format(cond=cond, body=body)))
    assert rule == "structure-region-terminator"
    assert "stablehlo.while" in message or "func.return" in message
    assert rules(function(LOOP.format(cond=GO, body=ON))) == set()


def test_a_sort_that_ends_as_shardy_does_is_found_though_mlir_accepts_it() -> None:
    text = function(
        '  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({\n'
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    sdy.return %c : tensor<i1>\n"
        "  }) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>"
    )
    ((rule, _, line),) = found(text, "structure-*")
    assert (rule, line) == ("structure-region-terminator", 5)


def test_a_terminator_of_another_type_than_the_functions_is_an_error_nobody_repairs() -> None:
    text = function("  stablehlo.return %x : tensor<4xf32>", result="tensor<5xf32>")
    (finding,) = check_module(text).findings
    assert (finding.rule, finding.severity) == ("structure-function-terminator", "error")
    assert not finding.fixable
    good = function("  stablehlo.return %x : tensor<4xf32>")
    assert "  return %arg0" in repaired(good, "structure-function-terminator")


def test_a_value_of_another_function_is_told_from_one_that_nobody_defines() -> None:
    other = function("  %v = stablehlo.abs %x : tensor<4xf32>\n  return %v : tensor<4xf32>")
    uses = function("  %y = stablehlo.abs %{} : tensor<4xf32>\n  return %y : tensor<4xf32>")
    joined = other.replace("@main", "@f") + uses.replace("%{}", "%v")
    assert found(joined) == [
        ("structure-cross-function-value", "use of undeclared SSA value name", 6)
    ]
    assert rules(uses.replace("%{}", "%w")) == {"structure-parse"}


def test_a_module_in_memory_whose_op_uses_a_value_of_another_function_is_found() -> None:
    program = load(
        function("  %v = stablehlo.abs %x : tensor<4xf32>\n  return %v : tensor<4xf32>")
        + function("  %y = stablehlo.abs %x : tensor<4xf32>\n  return %y : tensor<4xf32>").replace(
            "@main", "@other"
        )
    )
    first, second = (f.operation.regions[0].blocks[0] for f in program.module.body.operations)
    second.operations[0].operation.operands[0] = first.operations[0].operation.results[0]
    report = check_module(program.module)
    assert [f.rule for f in report.findings] == ["structure-cross-function-value"]


@pytest.mark.parametrize("name", ["main", "step"])
def test_of_a_program_that_is_private_the_entry_is_missing_and_nothing_is_unused(name: str) -> None:
    text = function(CALL).replace("@main", f"private @{name}")
    text += function("  return %x : tensor<4xf32>").replace("@main", "private @g")
    assert rules(text) == {"structure-entry"}
    assert repaired(text, "structure-unused-symbol").count("func.func") == 2


def test_what_only_unused_functions_use_is_unused_and_all_of_it_goes() -> None:
    text = (
        'sdy.mesh @used = <["x"=2]>\nsdy.mesh @mesh = <["x"=2]>\n'
        + function(
            "  return %x : tensor<4xf32>",
            "%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@used, [{}]>}",
        )
        + function(CALL).replace("@main", "private @f")
        + function("  return %x : tensor<4xf32>").replace("@main", "private @g")
    )
    assert [(rule, line) for rule, _, line in found(text)] == [
        ("structure-unused-symbol", line) for line in (2, 6, 10)
    ]
    left = repaired(text, "structure-unused-symbol")
    assert "@used" in left
    assert "private" not in left
    assert "@mesh" not in left


def test_a_custom_call_without_a_name_does_not_come_back_from_its_text() -> None:
    text = function(
        '  %0 = "stablehlo.custom_call"(%x) <{call_target_name = ""}>'
        " : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>"
    )
    ((_, message, _),) = found(text, "structure-roundtrip")
    assert message.startswith("its own text cannot be read")


def test_what_is_lost_on_the_way_is_named_with_its_op() -> None:
    faulty = all_rules()["structure-roundtrip"].faulty
    ((_, message, line),) = found(faulty)
    assert message == "text does not keep the attribute acme.accumulate_in of stablehlo.add"
    assert line == 4


@pytest.mark.parametrize(
    ("element", "kind", "wrong"),
    [
        ("i32", "SIGNED", "UNSIGNED"),
        ("ui8", "UNSIGNED", "SIGNED"),
        ("i1", "UNSIGNED", "FLOAT"),
        ("bf16", "TOTALORDER", "SIGNED"),
        ("f32", "FLOAT", "UNSIGNED"),
    ],
)
def test_operands_compare_as_what_they_are(element: str, kind: str, wrong: str) -> None:
    def text(kind: str) -> str:
        return function(
            f"  %0 = stablehlo.compare LT, %x, %x, {kind}"
            f" : (tensor<4x{element}>, tensor<4x{element}>) -> tensor<4xi1>\n"
            "  return %0 : tensor<4xi1>",
            f"%x: tensor<4x{element}>",
            "tensor<4xi1>",
        )

    assert found(text(kind)) == []
    assert rules(text(wrong)) == {"structure-comparison-type"}
    if element == "i32":
        assert wrong not in repaired(text(wrong), "structure-comparison-type")


def test_complex_numbers_have_no_order() -> None:
    type = "tensor<4xcomplex<f32>>"
    text = function(
        f"  %0 = stablehlo.compare LT, %x, %x, FLOAT : ({type}, {type}) -> tensor<4xi1>\n"
        "  return %0 : tensor<4xi1>",
        f"%x: {type}",
        "tensor<4xi1>",
    )
    assert rules(text) == {"structure-comparison-type"}
    assert found(text.replace("LT", "EQ")) == []


def test_constants_and_loops_may_be_reached_from_bodies() -> None:
    faulty = all_rules()["structure-region-capture"].faulty
    constant = "  %scale = stablehlo.constant dense<2.0> : tensor<f32>\n  %zero"
    text = faulty.replace(", %scale: tensor<f32>", "").replace("  %zero", constant, 1)
    assert "structure-region-capture" not in rules(text)
    body = "%b = stablehlo.add %a, %x : tensor<4xf32>\n    stablehlo.return %b : tensor<4xf32>"
    assert found(function(LOOP.format(cond=GO, body=body))) == []


@pytest.mark.parametrize(
    ("parameters", "body", "result"),
    [
        ("%x: tensor<?x3xf32>", "stablehlo.reshape %x : (tensor<?x3xf32>) -> {}", "tensor<4xf32>"),
        (
            "%x: tensor<?xf32>, %y: tensor<4xf32>",
            "stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32>, tensor<4xf32>) -> {}",
            "tensor<3xf32>",
        ),
        (
            "%x: tensor<?xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>",
            "stablehlo.clamp %y, %x, %z : (tensor<4xf32>, tensor<?xf32>, tensor<5xf32>) -> {}",
            "tensor<?xf32>",
        ),
    ],
    ids=["reshape", "concatenate", "clamp"],
)
def test_sizes_that_cannot_be_are_found_before_the_others_are_known(
    parameters: str, body: str, result: str
) -> None:
    text = function(f"  %0 = {body.format(result)}\n  return %0 : {result}", parameters, result)
    assert rules(text) == {"structure-contradicting-shapes"}


def test_the_reduce_of_the_report_is_found() -> None:
    """Report B31."""
    t = "tensor<i32>"
    text = function(
        '  %0:3 = "stablehlo.reduce"(%a, %b, %c, %i, %i, %i) <{dimensions = array<i64: 0, 1>}> ({\n'
        f"  ^bb0(%x: {t}, %y: {t}, %z: {t}, %u: {t}, %v: {t}, %w: {t}):\n"
        f"    stablehlo.return %x, %y, %z : {t}, {t}, {t}\n"
        f"  }}) : (tensor<?x?xi32>, tensor<?x4xi32>, tensor<?x5xi32>, {t}, {t}, {t})"
        f" -> ({t}, {t}, {t})\n"
        f"  return %0#0 : {t}",
        f"%a: tensor<?x?xi32>, %b: tensor<?x4xi32>, %c: tensor<?x5xi32>, %i: {t}",
        t,
    )
    assert "structure-reduce-shapes" in rules(text)


def test_modules_without_a_function_or_a_main_say_what_there_is() -> None:
    def said(text: str) -> list[str]:
        return [message for _, message, _ in found(text, "structure-entry")]

    one = function("  return %x : tensor<4xf32>")
    assert said("module {}\n") == ["the module has no function"]
    assert said(one.replace("@main", "private @main")) == ["the function @main is private"]
    assert said(one.replace("@main", "@f")) == ["no function is named main; public: @f"]
    assert said(one + one.replace("@main", "@f")) == []


def test_a_call_says_where_the_declaration_is() -> None:
    (finding,) = check_module(function(CALL) + DECLARED, name="m.mlir").findings
    assert [str(related.place) for related in finding.related] == ["m.mlir:5:1"]


def test_what_a_message_says_of_other_places_is_told_with_their_lines() -> None:
    faulty = all_rules()["structure-operand-type"].faulty
    (finding,) = check_module(faulty, name="m.mlir").findings
    assert "\n" not in finding.message
    assert [f"{r.place}: {r.message}" for r in finding.related] == ["m.mlir:1:38: prior use here"]
    (finding,) = check_module(all_rules()["structure-inferred-type"].faulty).findings
    assert finding.op == "stablehlo.concatenate"


def test_a_value_of_a_function_further_down_is_told_where_it_is_used() -> None:
    text = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %scale : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%scale: tensor<4xf32>) -> tensor<4xf32> {
  return %scale : tensor<4xf32>
}
"""
    (finding,) = check_module(text, name="m.mlir").findings
    assert (finding.rule, str(finding.place)) == ("structure-cross-function-value", "m.mlir:2:23")
    twice = text.replace("%scale : tensor<4xf32>\n  return %0", "%x : tensor<4xf32>\n  return %0")
    twice = twice.replace("@other(%scale", "@other(%scale: tensor<4xf32>, %scale")
    assert [f.rule for f in check_module(twice).findings] == ["structure-parse"]


def test_attributes_that_say_what_holds_anyway_are_no_loss() -> None:
    call = """\
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "Sharding", api_version = 1 : i32,
    backend_config = "", called_computations = [], has_side_effect = FLAG}>
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>"""
    assert "structure-roundtrip" not in rules(function(call.replace("FLAG", "false")))
    assert "structure-roundtrip" not in rules(function(call.replace("FLAG", "true")))


@pytest.mark.slow
@pytest.mark.parametrize(
    "id",
    [
        "structure-comparison-type",
        "structure-generator-state",
        "structure-oversized-tensor",
        "structure-region-capture",
        "portability-promoted-reduction",
    ],
)
def test_what_mlir_accepts_and_these_rules_find_xla_does_not_take(id: str) -> None:
    """XLA is asked in a child process, since it may end it."""
    rule = all_rules()[id]
    faulty = load(rule.faulty)
    assert faulty.module.operation.verify()
    with pytest.raises(DxirError):
        dxir.compile(faulty, contained=True).close()
    dxir.compile(load(rule.fixed), contained=True).close()
