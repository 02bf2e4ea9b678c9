"""Programs: text, verification, expansion of composites."""

# ruff: noqa: E501  (MLIR text)

import re

import pytest

import dxir
from dxir.diagnostics import node_name_of, where_of
from dxir.errors import ArgumentError, GraphError, ParseError, PassError, VerificationError
from dxir.loading import load
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.reading import walk

ADD = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_a_program_prints_text_that_reads_back() -> None:
    program = load(ADD)
    assert load(str(program)).fingerprint() == program.fingerprint()
    assert load(program.text(generic=True)).fingerprint() == program.fingerprint()
    assert '"stablehlo.add"' in program.text(generic=True)


def test_locations_are_printed_when_asked_for() -> None:
    program = load(ADD.replace("%a, %a : tensor<4xf32>", '%a, %a : tensor<4xf32> loc("u.py":7:3)'))
    assert '"u.py":7:3' in program.text(debug_info=True)
    assert "u.py" not in program.text()


CONSTANTS = """
func.func @main() -> (tensor<40xi32>, tensor<2xi32>) {
  %0 = stablehlo.constant dense<"0xDATA"> : tensor<40xi32>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = stablehlo.custom_call @f(%1) {note = "dense_resource<__elided__>"} : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %2 : tensor<40xi32>, tensor<2xi32>
}
""".replace("DATA", "".join(f"{i:02X}000000" for i in range(40)))  # fmt: skip


def test_elided_text_is_marked_and_refuses_to_parse_b01() -> None:
    text = load(CONSTANTS).text(elide_above=10)
    assert text.startswith("// 1 constants of more than 10 elements are left out")
    assert "dense<elided> : tensor<40xi32>" in text
    assert "dense<[1, 2]>" in text
    assert 'note = "dense_resource<__elided__>"' in text
    with pytest.raises(ParseError, match="element limits") as error:
        load(text)
    assert error.value.where == "<text>:4:29"
    with pytest.raises(ir.MLIRError):
        ir.Module.parse(text, make_context())


def test_text_with_nothing_to_elide_is_whole() -> None:
    program = load(CONSTANTS)
    assert program.text(elide_above=100) == program.text()


def test_resources_are_elided_from_text_with_their_data() -> None:
    text = """
    func.func @main() -> tensor<2xf32> {
      %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
    """
    shown = load(text).text(elide_above=10)
    assert "dense<elided>" in shown
    assert "dialect_resources" not in shown


def test_ops_are_counted_in_every_function_and_region() -> None:
    program = load("""
    func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.if"(%p) ({
        %1 = stablehlo.abs %a : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }, {
        stablehlo.return %a : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @f(%a: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.abs %a : tensor<f32>
      return %0 : tensor<f32>
    }""")
    assert program.op_counts() == {
        "func.func": 2,
        "func.return": 2,
        "stablehlo.abs": 2,
        "stablehlo.if": 1,
        "stablehlo.return": 2,
    }
    assert program.function_names == ("main", "f")


def test_main_is_the_function_of_that_name_or_the_only_public_one() -> None:
    assert load(ADD).main == "main"
    assert load(ADD.replace("@main", "@step")).main == "step"
    two = ADD.replace("@main", "@one") + ADD.replace("@main", "@two")
    with pytest.raises(GraphError, match=r"no public function @main"):
        _ = load(two).main


def test_a_clone_is_independent() -> None:
    program = load(ADD)
    copy = program.clone()
    next(iter(copy.module.body.operations)).operation.attributes["x"] = ir.UnitAttr.get(
        program.context
    )
    assert copy.fingerprint() != program.fingerprint()


def test_a_program_keeps_its_context_alive() -> None:
    program = load(ADD)
    text = str(program)
    for _ in range(3):
        load(ADD)
    assert str(program) == text


COMPOSITE = """
        func.func @main(%x: {operand}) -> {result} {{
          %0 = stablehlo.composite "my.same" %x {{decomposition = @same}} : ({operand}) -> {result}
          return %0 : {result}
        }}
        func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {{
          return %x : tensor<4xf32>
        }}"""

REJECTED = {
    # B23: fewer operands than the decomposition has.
    "composite operands": (
        """
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.composite "my.square" %x {decomposition = @sq} : (tensor<4xf32>) -> tensor<4xf32> loc("u.py":5:2)
          return %0 : tensor<4xf32>
        }
        func.func private @sq(%b: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
          %r = stablehlo.multiply %x, %x : tensor<4xf32>
          return %r : tensor<4xf32>
        }""",
        "has 1 operand.s., but decomposition has 2",
        "u.py:5:2",
        "captured values",
    ),
    "composite operand type": (
        COMPOSITE.format(operand="tensor<4xi32>", result="tensor<4xi32>"),
        "operand at index 0 has type 'tensor<4xi32>', but decomposition has type 'tensor<4xf32>'",
        "<text>:3:16",
        "the parameter types of its decomposition",
    ),
    "composite result type": (
        COMPOSITE.format(operand="tensor<4xf32>", result="tensor<5xf32>"),
        "result at index 0 has type 'tensor<5xf32>', but decomposition has type 'tensor<4xf32>'",
        "<text>:3:16",
        "are those of its decomposition",
    ),
    "composite results": (
        COMPOSITE.format(operand="tensor<4xf32>", result="tensor<4xf32>").replace(
            "-> tensor<4xf32>\n          return", "-> (tensor<4xf32>, tensor<4xf32>)\n          return"
        ).replace("%0 =", "%0:2 =").replace("return %0", "return %0#0"),
        "has 2 result.s., but decomposition has 1",
        "<text>:3:18",
        "are those of its decomposition",
    ),
    "composite target": (
        """
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.composite "my.square" %x {decomposition = @nope} : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        "'nope' does not reference a valid function",
        "<text>:3:16",
        "add the function",
    ),
    "composite name": (
        ADD.replace("stablehlo.add %a, %a :", 'stablehlo.composite "square" %a {decomposition = @main} : (tensor<4xf32>) ->'),
        "name must be a valid namespaced op name",
        "<text>:3:8",
        "with a dot",
    ),
    # B27: a result type that was not inferred.
    "concatenate": (
        """
        func.func @main(%a: tensor<1x1x8xf32>, %b: tensor<1x4x8xf32>, %c: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
          %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<1x1x8xf32>, tensor<1x4x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
          return %0 : tensor<1x1x8xf32>
        }""",
        "inferred type.s. 'tensor<1x6x8xf32>'",
        "<text>:3:16",
        "follows from operands",
    ),
    # B29: a function's terminator inside a region.
    "while terminator": (
        """
        func.func @main(%a: tensor<i32>) -> tensor<i32> {
          %0 = stablehlo.while(%i = %a) : tensor<i32>
            cond {
              %1 = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
              func.return %1 : tensor<i1>
            } do {
              stablehlo.return %i : tensor<i32>
            }
          return %0 : tensor<i32>
        }""",
        "'func.return' op expects parent op 'func.func'",
        "<text>:6:15",
        "stablehlo.return",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REJECTED)
def test_what_mlir_rejects_names_op_place_and_remedy_b23_b27_b29(case: str) -> None:
    text, message, where, hint = REJECTED[case]
    with pytest.raises(VerificationError, match=message) as error:
        load(text)
    assert error.value.where == where
    assert error.value.hint is not None
    assert hint in error.value.hint
    assert "see current operation" not in str(error.value)


def test_an_operand_of_another_type_than_defined_is_told_with_both_types_b25() -> None:
    with pytest.raises(ParseError) as error:
        load("""func.func @main(%x: tensor<1x1xf32>, %w: tensor<1x16xf32>) -> tensor<1x16xf32> {
          %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
          return %0 : tensor<1x16xf32>
        }""")  # fmt: skip
    text = str(error.value)
    assert "expects different type than prior uses: 'tensor<1x1xf32>' vs 'tensor<1x16xf32>'" in text
    assert "<text>:2:38" in text
    assert "<text>:1:38: prior use here" in text
    assert "swap the operands" in text


def test_a_program_made_in_memory_is_verified_with_the_users_line() -> None:
    program = load("func.func @main() { return }")
    body = program.module.body.operations[0].regions[0].blocks[0]
    with program.context, ir.InsertionPoint.at_block_begin(body):
        place = ir.Location.callsite(ir.Location.file("user.py", 3, 4), [ir.Location.unknown()])
        type = ir.RankedTensorType.get([2], ir.F32Type.get(), loc=place)
        ir.Operation.create("stablehlo.constant", results=[type], loc=ir.Location.name("w", place))
    with pytest.raises(
        VerificationError, match=r"'stablehlo.constant' op requires attribute 'value'"
    ) as error:
        program.verify()
    assert error.value.where == "user.py:3:4"


def test_another_terminator_of_a_function_is_a_warning_b29() -> None:
    program = load("""
    func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
      %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }""")
    assert program.verify() is program
    (warning,) = program.diagnostics
    assert warning.severity == "warning"
    assert "ends the function @main; other tools accept func.return only" in warning.message
    assert warning.where == "<text>:4:7"
    assert load(ADD).verify().diagnostics == ()


VARIADIC = """
func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x4xi32>, %c: tensor<?x{n}xi32>, %i: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {{
  %0:3 = "stablehlo.reduce"(%a, %b, %c, %i, %i, %i) <{{dimensions = array<i64: 0, 1>}}> ({{
   ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
     stablehlo.return %x, %y, %z : tensor<i32>, tensor<i32>, tensor<i32>
  }}) : (tensor<?x?xi32>, tensor<?x4xi32>, tensor<?x{n}xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}}
"""  # fmt: skip


def test_the_inputs_of_a_reduce_are_compared_pair_by_pair_b31() -> None:
    load(VARIADIC.format(n=4)).verify()
    with pytest.raises(
        VerificationError, match=r"inputs of different shapes: #1 is .*x4x.* #2 is .*x5x"
    ) as error:
        load(VARIADIC.format(n=5)).verify()
    assert error.value.where == "<text>:3:10"


COLLECTIVE = """
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {{
  %0 = "stablehlo.all_reduce"(%a) <{{replica_groups = dense<{groups}> : tensor<{shape}xi64>}}> ({{
   ^bb0(%x: tensor<i32>, %y: tensor<i32>):
     %1 = stablehlo.add %x, %y : tensor<i32>
     stablehlo.return %1 : tensor<i32>
  }}) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}}
"""


def test_replica_groups_of_different_sizes_are_a_warning_b31() -> None:
    program = load(COLLECTIVE.format(groups="[[0, 1], [2, -1]]", shape="2x2")).verify()
    assert [d.severity for d in program.diagnostics] == ["warning"]
    assert (
        load(COLLECTIVE.format(groups="[[0, 1], [2, 3]]", shape="2x2")).verify().diagnostics == ()
    )
    assert load(COLLECTIVE.format(groups="", shape="0x0")).verify().diagnostics == ()


def test_replica_groups_that_are_no_permutation_are_an_error_b31() -> None:
    program = load(COLLECTIVE.format(groups="[[0, 1], [2, 3]]", shape="2x2"))
    op = program.module.body.operations[0].regions[0].blocks[0].operations[0].operation
    groups = ir.Attribute.parse("dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>", program.context)
    op.attributes["replica_groups"] = groups
    with pytest.raises(
        VerificationError, match=r"\[\[0, 1\], \[1, 3\]\] that hold replica 1 twice"
    ):
        program.verify()


BODILESS = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32> loc("u.py":9:1)
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
"""


def test_preflight_refuses_a_call_of_a_function_without_a_body_b13() -> None:
    program = load(BODILESS).verify()
    with pytest.raises(
        VerificationError, match=r"function @g is called by func.call but has no body"
    ) as error:
        program.preflight()
    assert error.value.where == "u.py:9:1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ADD.replace("@main", "@step"), "no public function @main"),
        (ADD.replace("@main", "private @main"), "no public function @main"),
        (ADD.replace("stablehlo.add %a, %a :", "call @main(%a) : (tensor<4xf32>) ->"), "@main -> @main"),
        (ADD.replace("stablehlo.add %a, %a :", "stablehlo.custom_call @c(%a) {called_computations = [@no]} : (tensor<4xf32>) ->"), "@no is called by stablehlo.custom_call but is not in the module"),
    ],
)  # fmt: skip
def test_preflight_refuses_what_brings_compilers_down(text: str, message: str) -> None:
    program = load(text).verify()
    with pytest.raises(VerificationError, match=message):
        program.preflight()


def test_preflight_accepts_a_program_that_is_fit_to_compile() -> None:
    program = load(ADD)
    assert program.preflight() is program


NESTED = """
func.func @main(%a: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = stablehlo.composite "my.outer" %a {decomposition = @outer} : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.if"(%p) ({
    %2 = stablehlo.composite "my.inner" %0 {decomposition = @inner} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %3 = call @user(%1) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @outer(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "my.inner" %a {decomposition = @inner} : (tensor<f32>) -> tensor<f32>
  %1 = call @helper(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @inner(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %a : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @helper(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
func.func private @user(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
func.func private @unused(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
"""


def test_decompose_expands_nested_composites_and_leaves_the_users_calls() -> None:
    program = load(NESTED)
    before = str(program)
    expanded = program.decompose().verify()
    assert str(program) == before
    assert expanded.function_names == ("main", "helper", "user", "unused")
    counts = expanded.op_counts()
    assert counts["stablehlo.abs"] == 2
    assert counts["func.call"] == 2
    assert "stablehlo.composite" not in counts
    assert expanded.decompose().fingerprint() == expanded.fingerprint()


def test_decompose_keeps_the_composites_it_is_told_to_and_their_functions() -> None:
    expanded = load(NESTED).decompose(keep={"my.inner"}).verify()
    assert expanded.function_names == ("main", "inner", "helper", "user", "unused")
    assert expanded.op_counts()["stablehlo.composite"] == 2


def test_decompose_keeps_public_decompositions_and_those_the_user_calls() -> None:
    text = NESTED.replace("private @outer", "@outer").replace("call @user", "call @inner")
    assert load(text).decompose().function_names == (
        "main",
        "outer",
        "inner",
        "helper",
        "user",
        "unused",
    )


def test_expanded_ops_keep_their_own_line_and_that_of_the_composite() -> None:
    text = NESTED.replace(
        "decomposition = @outer} : (tensor<f32>) -> tensor<f32>",
        'decomposition = @outer} : (tensor<f32>) -> tensor<f32> loc("model.py":5:1)',
    ).replace("stablehlo.abs %a : tensor<f32>", 'stablehlo.abs %a : tensor<f32> loc("ops.py":2:3)')
    shown = load(text).decompose().text(debug_info=True)
    assert re.search(r"callsite\(#loc\d* at #loc\d*\)", shown)
    assert '"ops.py":2:3' in shown
    assert '"model.py":5:1' in shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            NESTED.replace("call @helper(%0) :", 'stablehlo.composite "my.outer" %0 {decomposition = @outer} :'),
            "contains this composite itself",
        ),
        (
            NESTED.replace(
                "func.func private @inner(%a: tensor<f32>) -> tensor<f32> {\n"
                "  %0 = stablehlo.abs %a : tensor<f32>\n  return %0 : tensor<f32>\n}",
                "func.func private @inner(tensor<f32>) -> tensor<f32>",
            ),
            "its decomposition @inner has no body",
        ),
    ],
)  # fmt: skip
def test_decompose_names_a_composite_it_cannot_expand(text: str, message: str) -> None:
    with pytest.raises(PassError, match=message) as error:
        load(text).decompose()
    assert error.value.where is not None


def test_legalize_chlo_leaves_no_chlo() -> None:
    program = load("""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""")
    assert not [n for n in program.legalize_chlo().op_counts() if n.startswith("chlo")]
    assert program.op_counts()["chlo.erf"] == 1


def test_a_long_chain_of_nested_composites_is_expanded_without_recursion() -> None:
    depth = 2000
    text = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
    for level in range(depth):
        text += f'  %0 = stablehlo.composite "my.c{level}" %a {{decomposition = @d{level}}} : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}}\n'
        text += f"func.func private @d{level}(%a: tensor<f32>) -> tensor<f32> {{\n"
    text += "  %0 = stablehlo.abs %a : tensor<f32>\n  return %0 : tensor<f32>\n}\n"
    expanded: Program = load(text).decompose()
    assert expanded.op_counts() == {"func.func": 1, "func.return": 1, "stablehlo.abs": 1}


def test_ops_of_an_expanded_composite_lead_to_the_line_that_made_it() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4, 8])
    first = dxir.ops.softmax(x)
    found: set[str | None] = set()
    program = dxir.lower(b.build(dxir.ops.softmax(first))).decompose()
    walk(program.module, lambda op: found.add(where_of(op.location)))
    line = b.function.nodes[0].location.line
    assert {f"{__file__}:{line}", f"{__file__}:{line + 2}"} <= {str(w) for w in found}


def doubling(levels: int) -> str:
    text = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
    for level in range(levels):
        call = f'stablehlo.composite "my.c{level}" %{{}} {{{{decomposition = @d{level}}}}} : (tensor<f32>) -> tensor<f32>\n'
        text += f"  %0 = {call.format('a')}  %1 = {call.format('0')}  return %1 : tensor<f32>\n}}\n"
        text += f"func.func private @d{level}(%a: tensor<f32>) -> tensor<f32> {{\n"
    return text + "  %0 = stablehlo.abs %a : tensor<f32>\n  return %0 : tensor<f32>\n}\n"


@pytest.mark.parametrize("levels", [25, 400])
def test_composites_that_double_with_every_level_are_refused_at_once(levels: int) -> None:
    program = load(doubling(levels))
    with pytest.raises(PassError, match="expand into more than 5000000 ops") as error:
        program.decompose()
    assert error.value.where is not None
    assert load(doubling(5)).decompose().op_counts()["stablehlo.abs"] == 32


SHARDED = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.composite "my.o" %a {decomposition = @d, jax.note = "hi", sdy.sharding =
      #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{}]>]>}
      : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @d(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.abs %a : tensor<4xf32>
  return %0, %a : tensor<4xf32>, tensor<4xf32>
}
"""


def test_decompose_keeps_what_a_composite_says_of_its_results() -> None:
    text = str(load(SHARDED).decompose().verify())
    assert re.search(r'abs %\w+ {.*jax.note = "hi".*sharding_per_value<\[<@m, \[{"x"}\]>\]>', text)
    assert re.search(r"sdy.sharding_constraint %arg0 <@m, \[{}\]>", text)
    both = SHARDED.replace("return %0, %a :", "return %0, %0 :")
    assert re.search(r"sdy.sharding_constraint %0 <@m, \[{}\]>", str(load(both).decompose()))
    own = SHARDED.replace(
        "stablehlo.abs %a :",
        'stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>, jax.note = "no"} :',
    )
    text = str(load(own).decompose().verify())
    assert 'jax.note = "no"' in text
    assert re.search(r'sdy.sharding_constraint %0 <@m, \[{"x"}\]>', text)


@pytest.mark.parametrize("name", ["modèle.mlir", "日本.py", 'a"b.py', "a\\22b.py", "plain.py"])
def test_places_and_names_are_told_as_they_were_written(name: str) -> None:
    context = make_context()
    file = ir.Location.file(name, 3, 5, context)
    assert where_of(file) == f"{name}:3:5"
    named = ir.Location.name(name, file, context)
    assert node_name_of(named) == name
    assert where_of(named) == f"{name}:3:5"


def test_ops_are_counted_in_one_function_and_composites_by_name() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4])
    program = dxir.lower(b.build(dxir.ops.softmax(dxir.ops.softmax(dxir.ops.silu(x)))))
    assert program.composite_counts() == {"dxir.silu": 1, "dxir.softmax": 2}
    assert program.op_counts(function="main") == {"func.return": 1, "stablehlo.composite": 3}
    assert sum(program.op_counts().values()) > 4
    with pytest.raises(ArgumentError, match="there is no function @mian") as caught:
        program.op_counts(function="@mian")
    assert "@main" in str(caught.value.hint)
