"""Propagation: what was given and not kept is told; where shardings come from changes none."""

import re

import pytest

import dxir
from dxir.errors import PassError

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
LOOP = (
    MESH
    + """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<8x4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %x = %a) : tensor<i32>, tensor<8x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %c0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %y = stablehlo.add %x, %x : tensor<8x4xf32>
      %z = sdy.sharding_constraint %y <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
      stablehlo.return %i, %z : tensor<i32>, tensor<8x4xf32>
    }
  %s = stablehlo.sine %r#1 : tensor<8x4xf32>
  return %s : tensor<8x4xf32>
}"""
)
CALLS = (
    MESH
    + """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = call @f(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = call @f(%b) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
func.func private @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""
)
ODD = (
    MESH
    + """
func.func @main(%y: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  %0 = stablehlo.add %y, %y : tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}"""
)
WEAKENED = (
    MESH
    + """
func.func @main(%y: tensor<18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>})
    -> tensor<18xf32> {
  return %y : tensor<18xf32>
}"""
)
PROGRAMS = pytest.mark.parametrize(
    "text", [LOOP, CALLS, ODD, WEAKENED], ids=["loop", "calls", "odd", "weakened"]
)
RECURSION = "func.call @f(%a) : (tensor<8x4xf32>) ->"
_ORIGINS = re.compile(r"(?:sdy|dxir)\.\w*(?:origin|propagation_edges)\w*")


@PROGRAMS
def test_a_second_run_changes_nothing(text: str) -> None:
    once = dxir.load(text).run_passes("dxir-propagate")
    assert str(once.run_passes("dxir-propagate")) == str(once)


@PROGRAMS
def test_shardings_are_the_same_when_their_origins_are_asked_for(text: str) -> None:
    program = dxir.load(text)
    plain = str(program.run_passes("dxir-propagate"))
    told = program.run_passes("dxir-propagate{origins=true}")
    shardings = re.compile(r"<@mesh, \[.*?\]>(?=[],}>]| :| \{)")
    assert shardings.findall(str(told)) == shardings.findall(plain)
    assert _ORIGINS.search(str(told))
    assert not _ORIGINS.search(plain)
    assert str(told.run_passes("dxir-propagate{origins=true}")) == str(told)


def test_origins_of_a_loop_have_an_entry_for_every_value() -> None:
    told = str(dxir.load(LOOP).run_passes("dxir-propagate{origins=true}"))
    assert 'sdy.result_sharding_origins = [{}, {x = "input: 0", y = "constraint_0"}]' in told


def test_what_axes_do_not_divide_is_told_as_dropped_at_its_place() -> None:
    done = dxir.load(ODD).run_passes("dxir-propagate")
    told = [(d.code, d.message) for d in done.diagnostics if d.severity == "warning"]
    assert [code for code, _ in told] == ["SHARDING_DROPPED"] * 2
    assert 'the sharding {"x"} of dimension 0 (5) of parameter 0 of @main was dropped' in told[0][1]
    assert "4 * 2" not in told[0][1]
    assert "2 * 4 = 8" in told[1][1]
    assert all(d.where for d in done.diagnostics)
    assert not dxir.load(ODD).run_passes("dxir-propagate{keep-undivided=true}").diagnostics


def test_axes_that_are_kept_in_part_are_told_as_changed() -> None:
    (told,) = dxir.load(WEAKENED).run_passes("dxir-propagate").diagnostics
    assert told.code == "SHARDING_CHANGED"
    assert 'the sharding {"y", "x"} of dimension 0 (18) of parameter 0 of @main became {"y"}' in (
        told.message
    )


def test_a_module_without_main_is_propagated_from_its_public_functions() -> None:
    text = LOOP.replace("@main", "@step") + CALLS.replace(MESH, "").replace("@main", "@other")
    done = str(dxir.load(text).run_passes("dxir-propagate"))
    assert done.index("@step") < done.index("@other")
    assert '[{"x"}, {"y"}]' in done.partition("@other")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CALLS.replace("stablehlo.add %a, %a :", RECURSION), "@f calls itself"),
        (CALLS.replace("tensor<8x4", "tensor<?x4"), "static shape"),
        (CALLS.replace("func.func @main", "func.func private @main"), "@main is not a public"),
    ],
    ids=["recursion", "dynamic", "private"],
)  # fmt: skip
def test_what_shardy_does_not_take_is_an_error(text: str, said: str) -> None:
    with pytest.raises(PassError, match=said) as caught:
        dxir.load(text).run_passes("dxir-propagate")
    assert caught.value.hint


def test_origins_that_cannot_be_followed_are_told_and_left_out() -> None:
    text = (
        MESH
        + """
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    )
    made = dxir.load(text).run_passes("dxir-propagate{origins=true}")
    (told,) = made.diagnostics
    assert "cannot follow them through this 'sdy.sharding_group'" in told.message
    assert '[{"x"}]' in str(made)
