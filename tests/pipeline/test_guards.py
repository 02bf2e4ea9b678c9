"""Native passes that end the process are refused, or end one of their own."""

import json
import subprocess
import sys

import pytest

import dxir
from dxir.errors import PassError
from dxir.pipeline import guards
from dxir.pipeline.apart import run_apart
from dxir.pipeline.budget import Limits
from dxir.pipeline.running import IrPrinting, RunOptions
from dxir.pipeline.steps import resolve

T = "tensor<8xf32>"
PLAIN = f"func.func @main(%a: {T}) -> {T} {{ return %a : {T} }}\n"
MESH = 'sdy.mesh @m = <["x"=2]>\n'
SHARDED = MESH + (
    f'func.func @main(%a: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}]>}}) -> {T} {{\n'
    f"  %0 = stablehlo.tanh %a : {T}\n  return %0 : {T}\n}}\n"
)
UNEVEN = SHARDED.replace("8x", "7x")
DECLARED = f"func.func private @f({T}) -> {T}\n" + SHARDED
RECURSIVE = (
    f"func.func @main(%a: {T}) -> {T} {{\n"
    f"  %0 = call @main(%a) : ({T}) -> {T}\n  return %0 : {T}\n}}\n"
)
DIVIDED = """\
func.func @main() -> tensor<i32> {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.divide %a, %z : tensor<i32>
  return %0 : tensor<i32>
}
"""
BLOCKS = MESH + (
    f"func.func @main(%p: i1, %a: {T}) -> {T} {{\n"
    f"  cf.cond_br %p, ^x, ^y\n^x: return %a : {T}\n^y: return %a : {T}\n}}\n"
)
GROUPED = MESH + (
    f"func.func @main(%a: {T}) -> {T} {{\n"
    f"  sdy.sharding_group %a group_id=1 : {T}\n  sdy.sharding_group %a group_id=2 : {T}\n"
    f"  return %a : {T}\n}}\n"
)
INLINE_MESH = SHARDED.replace("@m,", 'mesh<["x"=2]>,')
HUGE_MESH = SHARDED.replace('"x"=2', '"x"=2, "y"=4611686018427387904')
EDGE = MESH + (
    f"func.func @main(%a: {T}) -> {T} {{\n"
    f'  %0 = sdy.data_flow_edge %a sharding=<@m, [{{"x", ?}}]> : {T}\n  return %0 : {T}\n}}\n'
)


def doubling(levels: int) -> str:
    text = f"func.func private @f{levels}(%a: {T}) -> {T} {{ return %a : {T} }}\n"
    for level in range(levels):
        name = "@main" if level == 0 else f"private @f{level}"
        text += (
            f"func.func {name}(%a: {T}) -> {T} {{\n"
            f"  %0 = call @f{level + 1}(%a) : ({T}) -> {T}\n"
            f"  %1 = call @f{level + 1}(%0) : ({T}) -> {T}\n  return %1 : {T}\n}}\n"
        )
    return text


def danger(text: str, name: str, *, unregistered: bool = False) -> str | None:
    program = dxir.load(text, allow_unregistered=unregistered)
    (step,) = resolve(name, program.context)
    return guards.danger(step, program.module)


@pytest.mark.parametrize(
    ("text", "pipeline", "message"),
    [
        ("module {}\n", "sdy-basic-propagate", "has no function @main"),
        (
            PLAIN.replace("@main", "private @main"),
            "sdy-propagation-pipeline",
            "has no public function @main",
        ),
        (PLAIN, "vhlo-to-version{target=99999999999.0.0}", "is no version of StableHLO"),
        (doubling(40), "inline", "the calls below @main would become 2,199,023,255,550 copies"),
        (doubling(40), "sdy-flatten-call-graph", "at most 1,000,000 are let be made"),
    ],
)
def test_what_is_sure_to_end_the_process_is_refused(text: str, pipeline: str, message: str) -> None:
    with pytest.raises(PassError, match=message):
        dxir.load(text).run_passes(pipeline)


@pytest.mark.parametrize(
    ("text", "name", "what"),
    [
        (DECLARED, "sdy-close-shardings", "@f, which has no body"),
        (RECURSIVE, "sdy-import-func-calls", "@main, which calls itself"),
        (BLOCKS, "sdy-basic-propagate", "@main, which has several blocks"),
        (GROUPED, "sdy-basic-propagate", "a value in several sharding groups"),
        (INLINE_MESH, "sdy-basic-propagate", "a sharding that spells out its mesh"),
        (HUGE_MESH, "sdy-export-pipeline", "a mesh of more than 2147483647 devices"),
        (EDGE, "sdy-aggressive-propagate", "the sdy.data_flow_edge"),
        (DIVIDED, "stablehlo-refine-shapes", "stablehlo.divide of integers"),
        (SHARDED, "sdy-basic-propagate{debug-sharding-origins=true}", "its debugging options"),
        (SHARDED, "sdy-convert-global-to-local", "a sharding that does not divide"),
    ],
)
def test_a_module_that_a_pass_may_crash_on_is_told_by_its_feature(
    text: str, name: str, what: str
) -> None:
    assert what in (danger(text, name) or "")


def test_an_op_of_an_unknown_dialect_is_a_danger_to_passes_that_follow_it() -> None:
    text = PLAIN.replace("{ return", '{ "foo.bar"() : () -> () return')
    assert danger(text, "inline", unregistered=True) == "foo.bar, an op of no known dialect"
    assert danger(text, "cse", unregistered=True) is None


@pytest.mark.parametrize(
    "name",
    ["cse", "canonicalize", "inline", "sdy-propagation-pipeline", "stablehlo-refine-shapes"],
)
def test_usual_modules_are_run_on_in_this_process(name: str) -> None:
    assert danger(SHARDED, name) is None


def test_a_pass_that_crashes_is_an_error_with_its_last_words() -> None:
    program = dxir.load(UNEVEN)
    before = program.text()
    with pytest.raises(PassError) as caught:
        program.run_passes("cse,sdy-convert-global-to-local,cse")
    assert "the pass sdy-convert-global-to-local ended its process with SIG" in caught.value.message
    assert "Check failed" in caught.value.message
    assert "does not divide" in (caught.value.hint or "")
    assert program.text() == before


def test_a_pass_run_apart_gives_the_module_and_goes_on_with_the_next() -> None:
    shared = "sdy-propagation-pipeline,sdy-insert-explicit-reshards"
    program = dxir.load(SHARDED).run_passes(f"{shared},sdy-convert-global-to-local,cse")
    assert "tensor<4xf32>" in program.text()
    assert program.verify().function_names == ("main",)


def test_a_pass_run_apart_does_as_it_does_here() -> None:
    program = dxir.load(SHARDED)
    (step,) = resolve("sdy-propagation-pipeline", program.context)
    apart, reported = run_apart(program.module, step, RunOptions(), "nothing")
    here = program.run_passes([str(step)])
    assert str(apart) == here.text()
    assert reported == list(here.diagnostics)
    assert apart.context is program.context


def test_a_pass_that_fails_apart_keeps_its_message_and_place() -> None:
    program = dxir.load(PLAIN)
    (step,) = resolve("stablehlo-refine-arguments{types=tensor<3xf32>}", program.context)
    with pytest.raises(PassError) as apart:
        run_apart(program.module, step, RunOptions(), "nothing")
    with pytest.raises(PassError) as here:
        program.run_passes([str(step)])
    assert apart.value.message == here.value.message
    assert apart.value.where == here.value.where


def test_a_pass_run_apart_prints_and_keeps_to_its_time(capfd: pytest.CaptureFixture[str]) -> None:
    program = dxir.load(SHARDED)
    (step,) = resolve("sdy-close-shardings", program.context)
    printing = IrPrinting(after=frozenset({"sdy-close-shardings"}))
    run_apart(program.module, step, RunOptions(printing=printing), "nothing")
    assert "IR Dump After" in capfd.readouterr().err
    with pytest.raises(PassError, match=r"did not end within 0\.01 s"):
        run_apart(program.module, step, RunOptions(limits=Limits(seconds=0.01)), "nothing")


def test_the_child_takes_nothing_but_its_request() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dxir.pipeline.apart"],
        input=json.dumps({}).encode() + b"\n",
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == b""
