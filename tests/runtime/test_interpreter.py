"""StableHLO's reference interpreter, which runs in a child process."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.check_dialect import rewritten_checks
from dxir.errors import ArgumentError, DxirError, EvaluationError, VerificationError
from dxir.evaluation import evaluate
from dxir.mlir import ir, make_context
from dxir.op import REGISTRY
from dxir.program import Program
from dxir.reading import function_name, functions
from dxir.runtime.comparing import almost_equal, equal, ulp_distance
from dxir.runtime.interpreter.preparing import make_main
from dxir.runtime.interpreter.running import Interpretation, Job, interpret, interpret_all
from dxir.testing.op_checks import available, datasets, example_function
from dxir.types import ALL_DTYPES, DType
from dxir.versions import current_version


def read(text: str) -> Program:
    context = make_context(dialects=("sdy", "interpreter"))
    return Program(ir.Module.parse(rewritten_checks(text, "x.mlir"), context))


def function(body: str, results: str = "", arguments: str = "") -> Program:
    return read(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")


def bits(array: Any) -> bytes:
    return np.ascontiguousarray(array).tobytes()


@pytest.fixture(scope="module")
def values() -> dict[str, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(1)
    found: dict[str, np.ndarray[Any, Any]] = {}
    for dtype in ALL_DTYPES:
        if dtype.is_complex:
            found[dtype.name] = np.array([[1 - 2j, complex(np.nan, -0.0)]], dtype.numpy)
        elif dtype.is_float:
            found[dtype.name] = np.array([[1.5, 0.25, 2.0]]).astype(dtype.numpy)
        elif dtype.is_bool:
            found[dtype.name] = np.array([[True, False]])
        else:
            raw = rng.integers(0, 2, (2, 3))
            found[dtype.name] = (
                raw.astype(dtype.numpy) if dtype.is_unsigned else (-raw).astype(dtype.numpy)
            )
    return found


def test_every_element_type_goes_in_and_comes_out_bit_for_bit(
    values: dict[str, np.ndarray[Any, Any]],
) -> None:
    jobs: list[Job] = []
    for name, array in values.items():
        sizes = "x".join(map(str, array.shape))
        type = f"tensor<{sizes}x{DType.of(name).mlir}>"
        jobs.append(Job(function(f"return %a : {type}", type, f"%a: {type}"), (array,)))
    for name, done in zip(values, interpret_all(jobs), strict=True):
        assert isinstance(done, Interpretation), (name, done)
        (result,) = done.results
        assert isinstance(result, np.ndarray)
        assert result.dtype == values[name].dtype
        assert bits(result) == bits(values[name]), name


def test_nan_payloads_survive_as_constants_and_results() -> None:
    program = function(
        "%0 = stablehlo.constant dense<[0x7FC1, 0xFF80]> : tensor<2xbf16>\n"
        "%1 = stablehlo.constant dense<[0x7D, 0x01]> : tensor<2xf8E5M2>\n"
        "return %0, %1 : tensor<2xbf16>, tensor<2xf8E5M2>",
        "tensor<2xbf16>, tensor<2xf8E5M2>",
    )
    wide, narrow = interpret(program)
    assert bits(wide) == b"\xc1\x7f\x80\xff"
    assert bits(narrow) == b"\x7d\x01"


def test_tokens_tuples_empty_tensors_and_no_results() -> None:
    program = read(
        """func.func @f() -> (!stablehlo.token, tuple<tensor<2xi32>, tuple<tensor<complex<f64>>>>) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  %3 = stablehlo.tuple %2 : tuple<tensor<complex<f64>>>
  %4 = stablehlo.tuple %1, %3 : tuple<tensor<2xi32>, tuple<tensor<complex<f64>>>>
  return %0, %4 : !stablehlo.token, tuple<tensor<2xi32>, tuple<tensor<complex<f64>>>>
}"""
    )
    token, (numbers, (whole,)) = interpret(program)  # type: ignore[misc]
    assert token is None
    assert numbers.tolist() == [1, 2]
    assert whole == 1 + 2j
    assert interpret(function("return")) == ()
    assert interpret(read("module {}")) == ()
    empty = interpret(
        function(
            "%0 = stablehlo.constant dense<> : tensor<2x0xf4E2M1FN>\n"
            "return %0 : tensor<2x0xf4E2M1FN>",
            "tensor<2x0xf4E2M1FN>",
        )
    )
    assert isinstance(empty, np.ndarray)
    assert (empty.shape, empty.dtype) == ((2, 0), np.dtype(ml_dtypes.float4_e2m1fn))


def test_resources_are_read_as_the_data_they_are() -> None:
    program = read(
        """module { func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
  return %0 : tensor<2xf32> } }
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}"""
    )
    found = interpret(program)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [1.0, 2.0]


def test_the_program_stays_as_it_is() -> None:
    program = function(
        "check.expect_eq %a, %a : tensor<?xf32>\nreturn %a : tensor<?xf32>",
        "tensor<?xf32>",
        "%a: tensor<?xf32>",
    )
    before = program.text(debug_info=True)
    found = interpret(program, np.ones(3, np.float32))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [1.0, 1.0, 1.0]
    assert program.text(debug_info=True) == before


def test_another_entry_and_functions_that_call_it() -> None:
    program = read(
        """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = call @twice(%a) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @twice(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %a : tensor<i32>
  return %0 : tensor<i32>
}"""
    )
    for entry in ("main", "twice"):
        assert interpret(program, np.int32(4), entry=entry) == 8
    with pytest.raises(EvaluationError, match="no function @other"):
        interpret(program, entry="other")


def test_quantized_programs_run() -> None:
    type = "tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>"
    program = function(
        f"%0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> {type}\n"
        f"%1 = stablehlo.add %0, %0 : {type}\n"
        f"return %1 : {type}",
        type,
        "%a: tensor<2xf32>",
    )
    found = interpret(program, np.array([1.0, -2.5], np.float32))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [2.0, -5.0]


def test_checks_tell_both_values_and_their_place() -> None:
    program = function(
        "%0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
        "check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi32>\nreturn"
    )
    with pytest.raises(EvaluationError, match=r"2 \(actual\) vs 3 \(expected\) at \[1\]") as caught:
        interpret(program)
    assert (caught.value.where or "").endswith(":3:1")


def test_checks_in_loops_tell_which_execution_failed() -> None:
    program = function(
        """%zero = stablehlo.constant dense<0> : tensor<i32>
%one = stablehlo.constant dense<1> : tensor<i32>
%three = stablehlo.constant dense<3> : tensor<i32>
%r = stablehlo.while(%i = %zero) : tensor<i32> cond {
  %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %more : tensor<i1>
} do {
  check.expect_eq_const %i, dense<0> : tensor<i32>
  %next = stablehlo.add %i, %one : tensor<i32>
  stablehlo.return %next : tensor<i32>
}
return"""
    )
    (done,) = interpret_all([Job(program)])
    assert isinstance(done, Interpretation)
    messages = [failure.message for failure in done.failures]
    assert len(messages) == 2
    assert "in execution 2 of 3" in messages[0]
    assert "in execution 3 of 3" in messages[1]


@pytest.mark.parametrize(
    "body",
    [
        "check.expect_eq %a, %a : tensor<i32>",
        '%p = interpreter.probe %a, probe_id = "p" : tensor<i32>',
        "func.call @f(%a) : (tensor<i32>) -> ()",
    ],
)
def test_values_in_branches_are_not_looked_at(body: str) -> None:
    program = read(
        f"""func.func @main(%a: tensor<i32>) {{
  "stablehlo.case"(%a) ({{
    {body}
    stablehlo.return
  }}) : (tensor<i32>) -> ()
  return
}}
func.func private @f(%a: tensor<i32>) {{
  check.expect_eq %a, %a : tensor<i32>
  return
}}"""
    )
    with pytest.raises(EvaluationError, match="not into branches") as caught:
        interpret(program, np.int32(0))
    assert (":9:" if "call" in body else ":3:") in (caught.value.where or "")


def test_a_crash_after_a_branch_names_the_op() -> None:
    program = function(
        """%t = stablehlo.constant dense<true> : tensor<i1>
%0 = "stablehlo.if"(%t) ({
  %1 = stablehlo.add %a, %a : tensor<i32>
  stablehlo.return %1 : tensor<i32>
}, {
  stablehlo.return %a : tensor<i32>
}) : (tensor<i1>) -> tensor<i32>
%2 = stablehlo.divide %0, %a : tensor<i32>
return %2 : tensor<i32>""",
        "tensor<i32>",
        "%a: tensor<i32>",
    )
    with pytest.raises(EvaluationError, match=r"SIGFPE in stablehlo\.divide") as caught:
        interpret(program, np.int32(0))
    assert (caught.value.where or "").endswith(":9:6")


def test_an_endless_loop_ends() -> None:
    program = function(
        """%r = stablehlo.while(%i = %a) : tensor<i32> cond {
  %more = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.return %more : tensor<i1>
} do {
  stablehlo.return %i : tensor<i32>
}
return""",
        arguments="%a: tensor<i32>",
    )
    with pytest.raises(EvaluationError, match="did not end within 1 s"):
        interpret(program, np.int32(1), timeout_s=1)


def test_a_crash_names_the_op_and_leaves_the_others_alone() -> None:
    good = function("return %a : tensor<i32>", "tensor<i32>", "%a: tensor<i32>")
    division = function(
        "%0 = stablehlo.add %a, %a : tensor<i32>\n"
        "%1 = stablehlo.remainder %0, %a : tensor<i32>\n"
        "return %1 : tensor<i32>",
        "tensor<i32>",
        "%a: tensor<i32>",
    )
    ragged = function(
        "%0 = stablehlo.bitcast_convert %a : (tensor<i32>) -> tensor<f32>\n"
        "%1 = stablehlo.uniform_quantize %0 : (tensor<f32>) "
        "-> tensor<!quant.uniform<i8:f32, 1.0>>\nreturn",
        arguments="%a: tensor<i32>",
    )
    zero = (np.int32(0),)
    first, crashed, _, last = interpret_all(
        [Job(good, zero), Job(division, zero), Job(ragged, zero), Job(good, zero)]
    )
    assert isinstance(first, Interpretation)
    assert isinstance(last, Interpretation)
    assert isinstance(crashed, EvaluationError)
    assert "SIGFPE in stablehlo.remainder: an integer is divided by zero" in crashed.message
    assert (crashed.where or "").endswith(":3:6")


@pytest.mark.parametrize(
    ("body", "arguments", "message"),
    [
        ("%0 = stablehlo.custom_call @f() : () -> tensor<f32>\nreturn", "", "custom_call @f"),
        ("%0 = chlo.tan %a : tensor<f32> -> tensor<f32>\nreturn", "%a: tensor<f32>", "chlo.tan"),
        ("%0 = stablehlo.replica_id : tensor<ui32>\nreturn", "", "only inside"),
        ("%0 = stablehlo.cholesky %a : tensor<2x2xf32>\nreturn", "%a: tensor<2x2xf32>", "cholesky"),
        ("%0 = arith.constant 1 : i32\nreturn", "", "dialect arith"),
        ("return", "%a: !stablehlo.token", "only tensors can be given"),
    ],
)
def test_what_it_does_not_run_is_refused_before(body: str, arguments: str, message: str) -> None:
    count = arguments.count("tensor<")
    given = [np.ones((2, 2) if "2x2" in arguments else (), np.float32)] * count
    with pytest.raises(DxirError, match=message) as caught:
        interpret(function(body, "", arguments), *given)
    assert caught.value.where


def test_recursion_and_missing_bodies_are_refused() -> None:
    with pytest.raises(VerificationError, match="functions call themselves: @main -> @main"):
        interpret(function("call @main() : () -> ()\nreturn"))
    with pytest.raises(VerificationError, match=r"@f is called by func\.call but has no body"):
        interpret(read("func.func @main() { call @f() : () -> () return }\nfunc.func private @f()"))


def test_arguments_are_checked() -> None:
    program = function("return %a : tensor<2xi32>", "tensor<2xi32>", "%a: tensor<2xi32>")
    for given in ([], [np.ones(3, np.int32)], [np.ones(2, np.int64)], [np.ones(2, np.int32)] * 2):
        with pytest.raises(ArgumentError):
            interpret(program, *given)


def test_parallel_processes_print_and_probe() -> None:
    program = read(
        """module @m {
  func.func @f(%a: tensor<i32>) -> tensor<ui32> {
    %0 = stablehlo.replica_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
  func.func @main() -> tensor<ui32> {
    %a = stablehlo.constant dense<7> : tensor<i32>
    interpreter.print %a : tensor<i32>
    %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@f], [@f]]}
      : (tensor<i32>, tensor<i32>) -> (tensor<ui32>, tensor<ui32>)
    %1 = interpreter.probe %0#1, probe_id = "a,b" : tensor<ui32>
    return %1 : tensor<ui32>
  }
}"""
    )
    (done,) = interpret_all([Job(program)])
    assert isinstance(done, Interpretation)
    assert done.printed.endswith("= tensor<i32> {7}\n")
    assert [(name, int(value)) for name, value in done.probes] == [("a,b", 1)]
    assert done.results[0] == 1


@pytest.mark.skipif(current_version().minor < 18, reason="there are no probes in processes then")
def test_checks_inside_parallel_processes_hold_or_fail() -> None:
    program = read(
        """module @m {
  func.func @f(%a: tensor<i32>) {
    %0 = stablehlo.replica_id : tensor<ui32>
    check.expect_eq_const %0, dense<0> : tensor<ui32>
    return
  }
  func.func @main() {
    %a = stablehlo.constant dense<7> : tensor<i32>
    "interpreter.run_parallel"(%a, %a) {programs = [[@f], [@f]]} : (tensor<i32>, tensor<i32>) -> ()
    return
  }
}"""
    )
    with pytest.raises(EvaluationError, match=r"1 \(actual\) vs 0 \(expected\)"):
        interpret(program)


# Which result they give is the implementation's choice.
_FREE = {"top_k", "scatter", "rem"}


def test_ops_give_what_their_references_give() -> None:
    ops.names()
    jobs: list[tuple[Any, list[Any], Job]] = []
    for name, cls in sorted(REGISTRY.items()):
        if name in _FREE or cls.mlir is None or not available(cls):
            continue
        example = cls.examples[0]
        if example.runs:
            graph = example_function(cls, example)
            _, arguments = next(datasets(cls, example, 1))
            program = dxir.lower(graph).legalize_chlo()
            jobs.append((graph, arguments, Job(program, tuple(arguments))))
    done = interpret_all([job for _, _, job in jobs])
    refused = 0
    for (graph, arguments, _), found in zip(jobs, done, strict=True):
        if isinstance(found, DxirError):
            refused += 1
            continue
        wanted = evaluate(graph, *arguments)
        several = wanted if len(graph.result_types) > 1 else (wanted,)
        for a, b in zip(found.results, several, strict=True):
            if isinstance(a, np.ndarray):
                wide = np.complex128 if a.dtype.kind == "c" else np.float64
                np.testing.assert_allclose(
                    a.astype(wide),
                    np.asarray(b).astype(wide),
                    rtol=2e-2,
                    atol=1e-2,
                    err_msg=str(graph),
                )
    assert refused < len(jobs) / 5


def test_comparisons_follow_stablehlo() -> None:
    nan, inf = np.nan, np.inf
    a = np.array([0.0, 1.0, nan, inf, 1.0], np.float32)
    b = np.array([-0.0, 1.0, nan, -inf, nan], np.float32)
    assert equal(a, b).tolist() == [True, True, False, False, False]
    assert almost_equal(a, b, 1e-4).tolist() == [True, True, True, False, False]
    small = np.array([1e-9, 0.0], np.float32)
    assert almost_equal(small, -small, 1e-4).tolist() == [False, True]
    most = 2**64 - 1
    assert ulp_distance(a, b).tolist() == [0, 0, 0, most, most]
    assert ulp_distance(np.float32([1e-45]), np.float32([-1e-45])).tolist() == [2]
    one, two = np.array([1]), np.array([2])
    for dtype, steps in (
        (ml_dtypes.bfloat16, 128),
        (ml_dtypes.float8_e4m3fn, 8),
        (ml_dtypes.float8_e8m0fnu, 1),
        (ml_dtypes.float4_e2m1fn, 2),
        (np.complex64, 1 << 23),
    ):
        assert ulp_distance(one.astype(dtype), two.astype(dtype)).tolist() == [steps]


def test_what_makes_room_for_main_takes_no_name_of_a_mesh() -> None:
    module = read(
        """sdy.mesh @main_0 = <["x"=2]>
        func.func @main() { func.call @f() : () -> () return }
        func.func private @f() { return }"""
    ).module
    make_main(module, list(functions(module))[1])
    assert module.operation.verify()
    assert [function_name(f) for f in functions(module)] == ["main_0_1", "main", "main_0_2"]
