"""Programs that carry their own checks, on each backend."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.check_dialect import rewritten_checks
from dxir.errors import ArgumentError, DxirError, EvaluationError, TargetError, VerificationError
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.runtime.checks import CheckResult, carries_checks, entries, outlined, run_checks
from dxir.runtime.comparing import FARTHEST
from dxir.runtime.interpreter.running import interpret

INPUTS = Path(__file__).with_name("inputs")
BACKENDS = ("xla-cpu", "reference", "interpreter")
ONLY_INTERPRETED = {
    "checks_in_a_loop.mlir": "is inside of stablehlo.while",
    "probes.mlir": "only the interpreter",
}
COUNTS = {
    "abs_i8.mlir": 1,
    "add_quantized.mlir": 1,
    "add_tests.mlir": 5,
    "asinh_chlo.mlir": 1,
    "checks_in_a_loop.mlir": 4,
    "checks_in_calls.mlir": 2,
    "dot_bf16.mlir": 1,
    "eq_of_floats.mlir": 2,
    "older_names.mlir": 2,
    "probes.mlir": 1,
    "sine_f32.mlir": 1,
    "sizes_from_constants.mlir": 2,
    "sort_by_call.mlir": 2,
    "tolerances.mlir": 7,
}


def read(text: str, name: str = "x.mlir") -> Program:
    context = make_context(dialects=("sdy", "interpreter"))
    return Program(ir.Module.parse(rewritten_checks(text, name), context))


def main(body: str, arguments: str = "", results: str = "") -> Program:
    return read(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")


def only(program: Program, backend: str = "xla-cpu") -> CheckResult:
    (result,) = run_checks(program, backend)
    return result


def test_every_input_is_known() -> None:
    assert sorted(path.name for path in INPUTS.iterdir()) == sorted(COUNTS)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", COUNTS)
def test_files_in_the_forms_of_stablehlo_and_openxla_hold(name: str, backend: str) -> None:
    program = read((INPUTS / name).read_text("utf-8"), name)
    before = program.text(debug_info=True)
    assert carries_checks(program)
    if backend != "interpreter" and name in ONLY_INTERPRETED:
        with pytest.raises(TargetError, match=ONLY_INTERPRETED[name]) as caught:
            run_checks(program, backend)
        assert caught.value.where
        assert "interpreter" in (caught.value.hint or "")
    elif backend == "xla-cpu" and name == "add_quantized.mlir":
        with pytest.raises(TargetError, match=r"stablehlo\.uniform_quantize"):
            run_checks(program, backend)
    else:
        results = run_checks(program, backend)
        assert [result.fault for result in results] == [None] * COUNTS[name]
    assert program.text(debug_info=True) == before


def test_test_data_needs_no_reader_of_its_own() -> None:
    program = dxir.load(INPUTS / "sine_f32.mlir")
    (result,) = run_checks(program)
    assert result.holds
    assert (result.where or "").endswith("sine_f32.mlir:7:5")


def test_programs_without_checks_carry_none() -> None:
    program = main("return %a : tensor<f32>", "%a: tensor<f32>", "tensor<f32>")
    assert not carries_checks(program)
    with pytest.raises(EvaluationError, match="no function that can be run"):
        run_checks(program)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_result_tells_what_is_off_where_and_by_how_much(backend: str) -> None:
    program = main(
        "%0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n"
        "%1 = stablehlo.constant dense<[[1.0, 2.5], [3.0, 0x7F800000]]> : tensor<2x2xf32>\n"
        "%2 = stablehlo.abs %0 : tensor<2x2xf32>\n"
        "check.expect_close %2, %1, max_ulp_difference = 5 : tensor<2x2xf32>, tensor<2x2xf32>\n"
        "return"
    )
    result = only(program, backend)
    assert (result.label, result.holds, result.off, result.elements) == (
        "expect_close",
        False,
        2,
        4,
    )
    assert (result.where or "").endswith(":5:1")
    assert [example.index for example in result.examples] == [(0, 1), (1, 1)]
    assert [example.actual for example in result.examples] == ["2", "4"]
    assert [example.expected for example in result.examples] == ["2.5", "inf"]
    assert [example.ulp for example in result.examples] == [2097152, None]
    assert result.max_abs == float("inf")
    assert result.max_ulp == FARTHEST
    assert result.diagnostic().message == (
        "'check.expect_close' op: the check fails: 2 of 4 elements do not match: 2 (actual) vs "
        "2.5 (expected) at [0, 1], 2097152 ULP apart; 4 (actual) vs inf (expected) at [1, 1]"
    )


def test_a_check_that_holds_tells_how_near_it_was() -> None:
    program = main(
        "%0 = stablehlo.constant dense<[1.0, 0x7FC00000, -0.0]> : tensor<3xf32>\n"
        "%1 = stablehlo.constant dense<[1.00000012, 0x7FC00000, 0.0]> : tensor<3xf32>\n"
        "check.expect_close %0, %1 : tensor<3xf32>, tensor<3xf32>\nreturn"
    )
    result = only(program)
    assert result.holds
    assert result.max_ulp == 1
    assert result.max_abs == pytest.approx(2**-23)


@pytest.mark.parametrize(
    ("kind", "low", "high", "apart"),
    [
        ("i64", -(2**63), 2**63 - 1, 2**64 - 1),
        ("ui64", 0, 2**64 - 1, 2**64 - 1),
        ("i4", -8, 7, 15),
        ("i1", "false", "true", 1),
    ],
)
def test_distances_of_integers_are_exact(kind: str, low: object, high: object, apart: int) -> None:
    program = main(
        f"%0 = stablehlo.constant dense<{low}> : tensor<{kind}>\n"
        f"%1 = stablehlo.constant dense<{high}> : tensor<{kind}>\n"
        f"check.expect_eq %0, %1 : tensor<{kind}>\nreturn"
    )
    for backend in BACKENDS:
        result = only(program, backend)
        assert (result.max_abs, result.max_ulp, result.off) == (apart, None, 1)


def test_integers_are_compared_exactly_by_every_check() -> None:
    program = main(
        "%0 = stablehlo.constant dense<9007199254740993> : tensor<i64>\n"
        "%1 = stablehlo.constant dense<9007199254740992> : tensor<i64>\n"
        "check.expect_almost_eq %0, %1, tolerance = 10.0 : tensor<i64>\n"
        "check.expect_close %0, %1, max_ulp_difference = 10 : tensor<i64>, tensor<i64>\nreturn"
    )
    assert [result.holds for result in run_checks(program)] == [False, False]


def test_a_check_in_a_function_that_is_called_twice_tells_which_time_it_failed() -> None:
    program = read(
        """func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  func.call @f(%0) : (tensor<i32>) -> ()
  func.call @f(%1) : (tensor<i32>) -> ()
  return
}
func.func private @f(%a: tensor<i32>) {
  check.expect_eq_const %a, dense<1> : tensor<i32>
  return
}"""
    )
    for backend in BACKENDS:
        first, second = run_checks(program, backend)
        assert (first.holds, first.execution, first.executions) == (True, 1, 2)
        assert (second.holds, second.execution, second.executions) == (False, 2, 2)
        assert "in execution 2 of 2" in second.diagnostic().message


def test_the_compiler_does_not_know_the_inputs() -> None:
    program, checks = outlined(read((INPUTS / "sine_f32.mlir").read_text("utf-8")))
    text = program.text()
    assert [check.label for check in checks] == ["expect_close"]
    assert "custom_call" not in text
    assert text.index("call @inputs") < text.index("optimization_barrier") < text.index("sine")
    assert text.count("optimization_barrier") == 1
    assert "jax.result_info" not in text


def test_constants_are_inputs_only_where_there_are_no_others() -> None:
    body = (
        "%c = stablehlo.constant dense<2> : tensor<3xi32>\n"
        "%0 = stablehlo.add %a, %c : tensor<3xi32>\n"
        "check.expect_eq %0, %0 : tensor<3xi32>\nreturn"
    )
    own = "%a = stablehlo.constant dense<1> : tensor<3xi32>\n" + body
    given = main(body, "%a: tensor<3xi32>")
    assert outlined(main(own))[0].text().count("optimization_barrier") == 2
    assert "optimization_barrier" not in outlined(given)[0].text()


def test_sizes_indices_and_first_values_stay_constants() -> None:
    program, _ = outlined(read((INPUTS / "sizes_from_constants.mlir").read_text("utf-8")))
    assert program.text().count("optimization_barrier") == 1


def test_main_is_run_or_else_each_public_function_without_parameters() -> None:
    checked = "%0 = stablehlo.constant dense<1> : tensor<i32>\ncheck.expect_eq %0, %0 : tensor<i32>"
    functions = "\n".join(
        f"func.func {visibility} @{name}({arguments}) {{ {checked}\n return }}"
        for name, visibility, arguments in (
            ("a", "", ""),
            ("b", "", "%x: tensor<f32>"),
            ("c", "private", ""),
            ("d", "", ""),
        )
    )
    assert entries(read(functions)) == ("a", "d")
    with_main = f"{functions}\nfunc.func @main() {{ func.call @c() : () -> () return }}"
    assert entries(read(with_main)) == ("main",)
    for backend in BACKENDS:
        assert [r.entry for r in run_checks(read(functions), backend)] == ["a", "d"]
        assert [r.entry for r in run_checks(read(with_main), backend)] == ["main"]
    unchecked = f"{functions}\nfunc.func @main() {{ return }}"
    assert entries(read(unchecked)) == ("a", "d")


def test_parameters_of_main_take_arguments_and_nothing_is_donated() -> None:
    program = main(
        "%0 = stablehlo.add %a, %a : tensor<2xf32>\n"
        "check.expect_eq_const %0, dense<[2.0, 6.0]> : tensor<2xf32>\n"
        "return %0 : tensor<2xf32>",
        "%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}",
        "tensor<2xf32>",
    )
    given = np.array([1, 3], np.float32)
    for backend in BACKENDS:
        (result,) = run_checks(program, backend, arguments=[given])
        assert result.holds
        with pytest.raises(ArgumentError):
            run_checks(program, backend)
    assert "aliasing" not in outlined(program)[0].text()


def test_tokens_and_tuples_as_results_are_no_matter() -> None:
    program = main(
        "%0 = stablehlo.create_token : !stablehlo.token\n"
        "%1 = stablehlo.constant dense<1> : tensor<i32>\n"
        "check.expect_eq %1, %1 : tensor<i32>\n"
        "return %0 : !stablehlo.token",
        results="!stablehlo.token",
    )
    assert only(program).holds


def test_constants_in_resources_are_compared() -> None:
    program = read(
        """module { func.func @main() {
  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 2.0]> : tensor<2xf32>
  return } }
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}"""
    )
    assert only(program).holds


def test_empty_tensors_hold() -> None:
    program = main(
        "%0 = stablehlo.constant dense<> : tensor<0x3xf32>\n"
        "check.expect_close %0, %0 : tensor<0x3xf32>, tensor<0x3xf32>\nreturn"
    )
    result = only(program)
    assert result.holds
    assert (result.elements, result.max_abs, result.max_ulp) == (0, 0, 0)


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        ("@check.expect_equal(%0, %0) : (tensor<i32>, tensor<i32>)", "no check", "expect_eq"),
        ("@check.something(%0) : (tensor<i32>)", "no check", "there are"),
        ("@check.expect_eq(%0) : (tensor<i32>)", "compares two values, not 1", "expected"),
        ("@check.eq(%0, %1) : (tensor<i32>, tensor<i64>)", "tensor<i32> with tensor<i64>", "one"),
        ("@check.eq(%0, %2) : (tensor<i32>, tensor<1xi32>)", "with tensor<1xi32>", "one type"),
    ],
)
def test_what_is_no_check_is_told(call: str, message: str, hint: str) -> None:
    program = main(
        "%0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "%1 = stablehlo.constant dense<1> : tensor<i64>\n"
        "%2 = stablehlo.constant dense<1> : tensor<1xi32>\n"
        f"stablehlo.custom_call {call} -> ()\nreturn"
    )
    for run in (run_checks, interpret):
        with pytest.raises(EvaluationError, match=message) as caught:
            run(program)
        assert hint in (caught.value.hint or "")
        assert (caught.value.where or "").endswith(":5:1")


def test_a_check_gives_nothing_or_a_boolean() -> None:
    program = main(
        "%0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "%1 = stablehlo.custom_call @check.eq(%0, %0) "
        ": (tensor<i32>, tensor<i32>) -> tensor<2xi1>\n"
        "return"
    )
    for backend in BACKENDS:
        with pytest.raises(EvaluationError, match=r"check\.eq gives tensor<2xi1>"):
            run_checks(program, backend)


def test_checks_in_composites_and_behind_branches_of_blocks_are_refused_with_what_to_do() -> None:
    checked = "check.expect_eq %a, %a : tensor<i32>"
    composite = read(
        f"""func.func @main() {{
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.composite "a.b" %0 {{decomposition = @d}} : (tensor<i32>) -> tensor<i32>
  return
}}
func.func private @d(%a: tensor<i32>) -> tensor<i32> {{ {checked} return %a : tensor<i32> }}"""
    )
    with pytest.raises(TargetError, match="is inside of @d") as caught:
        run_checks(composite)
    assert "dxir-decompose" in (caught.value.hint or "")
    blocks = main(
        f"%a = stablehlo.constant dense<1> : tensor<i32>\ncf.br ^b\n^b:\n{checked}\nreturn"
    )
    with pytest.raises(TargetError, match="is inside of @main") as caught:
        run_checks(blocks)
    assert "blocks" in (caught.value.hint or "")


def test_a_check_in_a_branch_is_refused_everywhere() -> None:
    program = main(
        """%p = stablehlo.constant dense<true> : tensor<i1>
%0 = stablehlo.constant dense<1> : tensor<i32>
%r = "stablehlo.if"(%p) ({
  check.expect_eq_const %0, dense<2> : tensor<i32>
  stablehlo.return %0 : tensor<i32>
}, {
  stablehlo.return %0 : tensor<i32>
}) : (tensor<i1>) -> tensor<i32>
return"""
    )
    with pytest.raises(
        TargetError, match=r"check\.expect_eq_const is inside of stablehlo\.if"
    ) as caught:
        run_checks(program)
    assert "interpreter" not in (caught.value.hint or "")
    with pytest.raises(EvaluationError, match="not into branches"):
        run_checks(program, "interpreter")


def test_recursion_missing_bodies_and_unknown_backends_are_refused() -> None:
    checked = "%0 = stablehlo.constant dense<1> : tensor<i32>\ncheck.expect_eq %0, %0 : tensor<i32>"
    recursive = main(f"{checked}\nfunc.call @main() : () -> ()\nreturn")
    missing = read(
        f"func.func @main() {{ {checked}\n func.call @f() : () -> () return }}\n"
        "func.func private @f()"
    )
    for program in (recursive, missing):
        for backend in BACKENDS:
            with pytest.raises(VerificationError):
                run_checks(program, backend)
    with pytest.raises(TargetError, match="there is no backend"):
        run_checks(main(f"{checked}\nreturn"), "xla-gpu")


def test_what_a_backend_cannot_run_is_told_as_it_is() -> None:
    program = main(
        "%0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "%1 = stablehlo.custom_call @unheard_of(%0) : (tensor<i32>) -> tensor<i32>\n"
        "check.expect_eq %0, %1 : tensor<i32>\nreturn"
    )
    for backend in BACKENDS:
        with pytest.raises(DxirError, match="unheard_of"):
            run_checks(program, backend)
