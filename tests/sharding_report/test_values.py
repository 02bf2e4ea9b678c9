"""Where the axes of values come from, told by the chain of ops they went through."""

from __future__ import annotations

import functools

import pytest

import dxir
from dxir import ops
from dxir.errors import GraphError, PassError

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\n'


def given(text: str) -> str:
    """A sharding as an attribute of a parameter or result."""
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {text}>}}"


MLP = f"""{MESH}
func.func @main(%tokens: tensor<8x16xf32> {given('[{"x"}, {}]')},
                %w1: tensor<16x32xf32> {given('[{}, {"y"}]')},
                %w2: tensor<32x16xf32> {given('[{"y"}, {}]')}) -> tensor<8x16xf32> {{
  %0 = stablehlo.dot_general %tokens, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{{?}}, {{"y"}}]> : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}}"""

LOOP = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {}]')},
                %w: tensor<16x16xf32> {given('[{}, {"y"}]')}) -> tensor<8x16xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x16xf32>
   cond {{
     %p = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   }} do {{
     %n = stablehlo.add %i, %one : tensor<i32>
     %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
       : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
     %z = func.call @f(%y) : (tensor<8x16xf32>) -> tensor<8x16xf32>
     stablehlo.return %n, %z : tensor<i32>, tensor<8x16xf32>
   }}
  return %r#1 : tensor<8x16xf32>
}}
func.func private @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {{
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}}"""


@functools.cache
def explained(text: str) -> dxir.ShardingReport:
    return dxir.explain_sharding(dxir.load(text))


def why(report: dxir.ShardingReport, name: str, function: str = "main") -> list[str]:
    return [w.sentence for w in report.value(name, function).why]


def test_an_axis_is_followed_from_a_parameter_through_every_op() -> None:
    report = explained(MLP)
    assert why(report, "%arg0") == ['"x" on dim 0: from parameter 0 (<text>:3:17)']
    assert why(report, "%1") == [
        '"x" on dim 0: from parameter 0 (<text>:3:17), through dot_general at <text>:6:8, '
        "tanh at <text>:8:8",
        '"y" on dim 1: from parameter 1 (<text>:4:17), through dot_general at <text>:6:8, '
        "tanh at <text>:8:8",
    ]
    hops = report.value("%1").why[1].hops
    assert [(h.op, h.taken, h.given) for h in hops] == [
        ("dot_general", "operand 1", "result 0"),
        ("tanh", "operand 0", "result 0"),
    ]


def test_an_axis_that_came_backwards_from_a_constraint_names_the_constraint() -> None:
    report = explained(MLP)
    value = report.value("%2")
    assert (value.local, value.bytes) == ("f32[4, 4]", 64)
    assert why(report, "%2")[1] == '"y" on dim 1: from the sharding_constraint (<text>:11:8)'
    assert value.why[1].source.kind == "constraint"


def test_axes_are_followed_through_loops_and_calls() -> None:
    report = explained(LOOP)
    assert why(report, "%0", "f") == [
        '"x" on dim 0: from parameter 0 (<text>:3:17), through while at <text>:8:10, '
        "func.call at <text>:16:11",
        '"y" on dim 1: from parameter 1 (<text>:4:17), through dot_general at <text>:14:11, '
        "func.call at <text>:16:11, tanh at <text>:22:8",
    ]
    carried = [v for v in report.values if v.kind == "region" and v.type == "f32[8, 16]"]
    assert [v.local for v in carried] == ["f32[4, 4]"] * 2
    assert carried[0].why == carried[1].why == report.value("%3#1").why


def test_axes_are_followed_through_an_optimization_barrier() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {given('[{"x"}, {}]')},
                %b: tensor<8x8xf32> {given('[{}, {"y"}]')}) -> tensor<8x8xf32> {{
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
  %1 = stablehlo.tanh %0#1 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}}"""
    report = dxir.explain_sharding(dxir.load(text))
    assert not report.notices
    (why,) = report.value("%1").why
    assert why.source.text.startswith("parameter 1")
    assert [hop.op for hop in why.hops] == ["optimization_barrier", "tanh"]


def test_what_is_given_at_an_op_is_a_source_too() -> None:
    report = explained(
        MESH
        + """func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>}
    : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}"""
    )
    source = '"y" on dim 1: from the sharding given to tanh (<text>:3:8)'
    assert why(report, "%0") == why(report, "%arg0") == [source]


def test_a_result_and_the_members_of_a_sharding_group_are_sources() -> None:
    report = explained(
        MESH
        + f"""func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>)
    -> (tensor<8xf32> {given('[{"y"}]')}) {{
  %0 = stablehlo.tanh %a : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}}"""
    )
    assert why(report, "%0") == ['"y" on dim 0: from result 0 (<text>:7:3)']
    assert why(report, "%arg1") == [
        '"y" on dim 0: from result 0 (<text>:7:3), through sharding group 0'
    ]


def test_a_sharding_that_is_not_kept_is_told_where_it_was_given() -> None:
    report = explained(
        MESH
        + f"""func.func @main(%a: tensor<10x16xf32> {given('[{"y"}, {}]')}) -> tensor<10x16xf32> {{
  %0 = stablehlo.tanh %a : tensor<10x16xf32>
  return %0 : tensor<10x16xf32>
}}"""
    )
    value = report.value("%arg0")
    assert value.note is not None
    assert value.note.startswith('[{"y"}, {}] was given, and it is [{')
    (notice,) = [n for n in report.notices if n.where == "<text>:2:17"]
    assert "10 is not divisible" in notice.message


def test_a_part_that_does_not_divide_counts_as_large_as_the_largest() -> None:
    report = explained(
        MESH
        + """func.func @main(%a: tensor<10x3xbf16>) -> tensor<10x3xbf16> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<10x3xbf16>
  %1 = stablehlo.tanh %0 : tensor<10x3xbf16>
  return %1 : tensor<10x3xbf16>
}"""
    )
    value = next(v for v in report.values if v.op == "tanh")
    assert (value.local, value.bytes) == ("bf16[3, 3]", 18)


TYPES = {
    "8x3xi4": ("i4[4, 3]", 6),  # 12 elements of 4 bits
    "18xi1": ("i1[9]", 9),
    "4xcomplex<f32>": ("c64[2]", 16),
    "4x5xbf16": ("bf16[2, 5]", 20),
    "2x3xf8E5M2": ("f8e5m2[1, 3]", 3),
    "4x!quant.uniform<i8:f32, 1.0>": ("quant<i8:f32,1.0:0>[2]", 2),
    "?x16xf32": ("f32[?, 16]", None),
}


def test_bytes_are_those_of_the_element_type() -> None:
    parameters: list[str] = []
    for i, (type, (local, _)) in enumerate(TYPES.items()):
        dims = ", ".join(['{"x"}', *["{}"] * local.count(", ")])
        parameters.append(f"%a{i}: tensor<{type}> {given(f'[{dims}]')}")
    report = explained(f"{MESH}func.func @main({', '.join(parameters)}) {{ return }}")
    assert [(v.local, v.bytes) for v in report.values] == list(TYPES.values())
    assert (report.memory.parameters, report.memory.peak) == (None, None)
    assert any("size of a value is not known" in text for text in report.unknown())


def test_values_in_a_manual_computation_are_parts_already() -> None:
    report = explained(
        MESH
        + f"""func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {"y"}]')}) -> tensor<8x16xf32> {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}, {{"y"}}]>]
      out_shardings=[<@mesh, [{{"x"}}, {{"y"}}]>] manual_axes={{"x"}} (%p: tensor<4x16xf32>) {{
    %1 = stablehlo.tanh %p : tensor<4x16xf32>
    sdy.return %1 : tensor<4x16xf32>
  }} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}}"""
    )
    inner = next(v for v in report.values if v.op == "tanh")
    assert (inner.type, inner.local) == ("f32[4, 16]", "f32[4, 4]")
    assert [w.axis.name for w in inner.why] == ["y"]
    assert report.value("%0").why[0].source.kind == "manual_computation"


def test_parameters_have_the_names_and_lines_of_the_users_program() -> None:
    mesh = dxir.Mesh("mesh", {"x": 2})
    b = dxir.Builder("main")
    x = b.param(dxir.f32[8, 4], name="tokens")
    y = ops.tanh(ops.sharding_constraint(x, dxir.Sharding(mesh, "x", None)))
    report = dxir.explain_sharding(dxir.lower(b.build(y)))
    value = report.value("tokens")
    assert value.kind == "parameter"
    assert value.why[0].sentence.startswith('"x" on dim 0: from the sharding_constraint (')
    assert __file__ in (value.why[0].source.where or "")
    with pytest.raises(dxir.errors.ArgumentError, match="no value of @main is called 'token'") as e:
        report.value("token")
    assert e.value.hint == "there are tokens, result 0, and those of report.text, such as '%0'"
    assert __file__ in str(e.value.where)
    with pytest.raises(dxir.errors.ArgumentError, match="no value of @f") as e:
        report.value("tokens", "f")
    assert e.value.hint == "the functions are main"


def test_what_is_no_program_or_has_nothing_to_run_is_refused() -> None:
    not_a_program: object = "func.func"
    with pytest.raises(PassError, match="takes a Program, a Module or a Function, not str"):
        dxir.explain_sharding(not_a_program)  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="no public function"):
        explained("func.func private @f(tensor<f32>) -> tensor<f32>")


def test_sizes_that_shardy_needs_and_does_not_have_are_asked_for() -> None:
    with pytest.raises(PassError, match="static shape") as caught:
        explained(
            MESH
            + f"""func.func @main(%a: tensor<?x4xf32> {given('[{"x"}, {}]')}) -> tensor<?x4xf32> {{
  %0 = stablehlo.tanh %a : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}}"""
        )
    assert caught.value.where == "<text>:3:8"
    assert "dxir-specialize" in (caught.value.hint or "")


CROSSED = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {"y"}]')},
                %b: tensor<16x32xf32> {given('[{"y"}, {}]')})
    -> (tensor<8x32xf32> {given('[{}, {"y"}]')}) {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}}"""


def test_a_value_that_its_op_gives_otherwise_than_it_is_taken_says_so() -> None:
    """Both operands are split over what the product sums over, so its result cannot be."""
    report = explained(CROSSED)
    product = report.value("%0")
    assert repr(product.sharding) == '<@mesh, [{"x"}, {"y"}]>'
    assert repr(product.made) == '<@mesh, [{"x"}, {}]>'
    assert product.notes == ('its op gives it as [{"x"}, {}], and collectives move it on',)
    assert any(c.cause.endswith('dot_general at <text>:6:8 is [{"x"}, {}]')
               for c in report.collectives)  # fmt: skip
    assert report.value("%arg0").made is None
    assert explained(MLP).value("%1").notes == ()


def test_a_report_with_long_chains_can_be_printed_and_compared() -> None:
    count = 1200
    lines = "".join(f"  %{i + 1} = stablehlo.tanh %{i} : tensor<8x16xf32>\n" for i in range(count))
    text = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {}]')}) -> tensor<8x16xf32> {{
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
{lines}  return %{count} : tensor<8x16xf32>
}}"""
    report = explained(text)
    last = report.value(f"%{count}")
    assert len(last.why[0].hops) == count + 1
    assert last in {last}
    assert "tanh" in repr(last)
    assert "1,203 values" in repr(report)
