"""Kernels: what a descriptor takes and writes, and that calls compute what they stand for."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from jaxlib.cpu import _lapack  # type: ignore[attr-defined]  # it has no stub

import dxir
from dxir import f32
from dxir.attributes import DenseArray, OpShardingRule
from dxir.errors import DxirError, PassError, RuntimeFailure, TargetError
from dxir.program import Program
from dxir.runtime import pjrt
from dxir.runtime.calls import register_call
from dxir.targets import Target, keep_only, registry
from dxir.targets.kernel_bounds import Takes, Tolerance
from dxir.targets.kernels import (
    CompositeUse,
    KernelDescriptor,
    kernels_for,
    kernels_of,
    register_kernel,
    row_major,
    unregister_kernel,
)

TARGET = Target("kernel-tests", "a target of tests", granularity=keep_only("a.k"))

NORM = """
sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.composite "a.norm" %x {decomposition = @norm,
    composite_attributes = {eps = 1.0e-5 : f64, axes = [0, 1], mode = "fast"},
    sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>, acme.note = "kept"}
    : (tensor<4x2xf32>) -> tensor<4x2xf32> loc("model.py":7:3)
  return %0 : tensor<4x2xf32>
}
func.func private @norm(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.abs %x : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}"""

Register = Callable[..., KernelDescriptor]


@pytest.fixture(autouse=True)
def _target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the target known, for one test."""
    monkeypatch.setitem(registry._targets, TARGET.name, TARGET)


@pytest.fixture
def kernel() -> Iterator[Register]:
    """Registers kernels for one test."""
    known: list[tuple[str, KernelDescriptor]] = []

    def register(target: str = TARGET.name, **given: Any) -> KernelDescriptor:
        made = KernelDescriptor(**{"composite": "a.norm", "call_target": "a_norm", **given})
        known.append((target, register_kernel(target, made)))
        return made

    yield register
    for target, made in known:
        unregister_kernel(target, made)


def use(*types: Any, results: Any = (), **given: Any) -> CompositeUse:
    return CompositeUse("a.norm", types, results, **given)


def called(text: str = NORM) -> Program:
    return dxir.load(text).run_passes(f"dxir-decompose{{target={TARGET.name}}}").verify()


def test_a_use_is_refused_with_the_reason() -> None:
    one = KernelDescriptor(
        composite="a.norm",
        call_target="k",
        version=0,
        operands=(Takes("f32", "bf16", ranks=(2, 3)), Takes(ranks=1, dynamic=True)),
        min_bytes=100,
        refuses=lambda u: None if u.attributes.get("axis", 0) == 0 else "axis is not 0",
    )
    big, row = f32[5, 5], f32[3]
    assert one.refusal(use(big, row)) is None
    for given, reason in (
        (use(dxir.f16[5, 5], row), "operand 0 is f16; the kernel takes f32 or bf16"),
        (use(f32[5], row), "operand 0 has rank 1; the kernel takes rank 2 or 3"),
        (use(f32[5, "n"], row), "operand 0 is f32[5, n]; the kernel takes known sizes"),
        (use(dxir.token, row), "operand 0 is a token; the kernel takes tensors"),
        (use(big), "it has 1 operands; the kernel takes 2"),
        (use(f32[1, 1], row), "it has 16 bytes; the kernel is used from 100 on"),
        (use(big, row, attributes={"axis": 1}), "axis is not 0"),
        (use(big, row, version=1), "the composite has version 1; the kernel is for 0"),
        (use(big, row, has_regions=True), "the composite has regions"),
        (CompositeUse("a.other", (big, row), ()), "the kernel is for a.norm"),
    ):
        assert reason in (one.refusal(given) or "")
    assert one.refusal(use(big, f32["n"])) is None  # of unknown size is not small
    every = KernelDescriptor(composite="a.norm", call_target="k", operands=Takes("f32"))
    assert every.refusal(use(big, row, row, version=7)) is None
    assert every.refusal(use(big, dxir.i32[3])) == "operand 1 is i32; the kernel takes f32"


def test_a_config_in_a_string_is_sorted_and_refuses_what_it_cannot_say() -> None:
    given = use(attributes={"b": True, "axes": (0, 1), "a": 1.5e-5, "t": np.arange(2), "s": "x"})
    one = KernelDescriptor(composite="a.norm", call_target="k", api_version=2)
    assert one.backend_config(given) == "a=1.5e-05;axes=0,1;b=true;s=x;t=0,1"
    for bad in ("x;y", {"c": 1}, ((1,), (2,))):
        with pytest.raises(TargetError, match="cannot hold b="):
            one.backend_config(use(attributes={"b": bad}))
    own = KernelDescriptor(
        composite="a.norm", call_target="k", api_version=2, config=lambda u: f"<{u.version}>"
    )
    assert own.backend_config(use()) == "<0>"
    typed = KernelDescriptor(composite="a.norm", call_target="k", config={"b": 1, "a": 2})
    assert list(typed.backend_config(use())) == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"composite": "norm"}, "names no composite"),
        ({"call_target": ""}, "names nothing to call"),
        ({"api_version": 5}, "has api_version 5"),
        ({"config": "text"}, "a backend config in a string, and api_version 4"),
    ],
)
def test_a_descriptor_that_makes_no_sense_is_refused(given: Any, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        KernelDescriptor(**{"composite": "a.norm", "call_target": "k", **given})


def test_kernels_are_known_by_target_and_composite(kernel: Register) -> None:
    first = kernel()
    second = kernel(call_target="b_norm")
    assert kernels_for(TARGET.name, "a.norm") == (first, second)
    assert kernels_of(TARGET.name) == (first, second)
    assert register_kernel(TARGET.name, first) is first
    with pytest.raises(TargetError, match=r"a kernel 'a_norm' for a\.norm already"):
        register_kernel(TARGET.name, KernelDescriptor(composite="a.norm", call_target="a_norm"))
    again = KernelDescriptor(composite="a.norm", call_target="a_norm")
    assert register_kernel(TARGET.name, again, replace=True) is again
    assert kernels_for(TARGET.name, "a.norm") == (second, again)
    register_kernel(TARGET.name, first, replace=True)
    with pytest.raises(TargetError, match="no kernel 'c'"):
        unregister_kernel(TARGET.name, KernelDescriptor(composite="a.norm", call_target="c"))


def test_layouts_are_row_major_where_they_are_not_given() -> None:
    assert row_major((f32[2, 3, 4], f32[()], dxir.token)) == ((2, 1, 0), (), ())
    one = KernelDescriptor(
        composite="a.norm", call_target="k", operand_layouts=((0, 1),), scratch=(f32[7, 7],)
    )
    assert one.layouts(use(f32[2, 2], results=(f32[2],))) == (((0, 1),), ((0,), (1, 0)))


def test_a_typed_call_says_all_that_the_descriptor_and_the_composite_say(kernel: Register) -> None:
    kernel(
        operands=Takes("f32"),
        operand_layouts=((0, 1),),
        result_layouts=lambda u: tuple((0, 1) for _ in u.result_types),
        aliases={0: 0},
        scratch=lambda u: [f32[8, 8], dxir.i32[()]],
        has_side_effect=True,
        sharding_rule=OpShardingRule(
            (4, 2, 8, 8), operands=(((0,), (1,)),), results=(((0,), (1,)), ((2,), (3,)), ())
        ),
    )
    program = called()
    text = program.text(debug_info=True)
    for part in (
        "@a_norm(%arg0)",
        "api_version = 4 : i32",
        'backend_config = {axes = [0, 1], eps = 1.000000e-05 : f64, mode = "fast"}',
        "has_side_effect = true",
        "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]",
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, "
        "dense<> : tensor<0xindex>]",
        "output_tuple_indices = [0], operand_index = 0",
        'sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>, <@m, [{?}, {?}]>, <@m, []>]>',
        "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j], [k, l], [])",
        'acme.note = "kept"',
        "-> (tensor<4x2xf32>, tensor<8x8xf32>, tensor<i32>)",
        '"model.py":7:3',
        "func.func private @norm",
    ):
        assert part in text
    assert str(called(str(program))) == str(program)


def test_a_dense_array_in_a_config_is_written_as_what_artifacts_hold_b21(kernel: Register) -> None:
    kernel()
    program = called(NORM.replace("axes = [0, 1]", "axes = array<i32: 0, 1>"))
    assert "axes = dense<[0, 1]> : tensor<2xi32>" in str(program)
    assert "axes=0,1" in KernelDescriptor(
        composite="a.norm", call_target="k", api_version=2
    ).backend_config(use(attributes={"axes": DenseArray("i32", (0, 1))}))


def test_an_untyped_call_has_its_config_in_a_string(kernel: Register) -> None:
    kernel(api_version=2, aliases={0: 0}, sharding_rule="#sdy.op_sharding_rule<([i, j])->([i, j]) "
           "{i=4, j=2}, custom>")  # fmt: skip
    text = str(called())
    assert 'backend_config = "axes=0,1;eps=1e-05;mode=fast"' in text
    assert "output_tuple_indices = [], operand_index = 0" in text
    assert "layouts" not in text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"operand_layouts": ((0, 0),)}, "layout"),
        ({"aliases": {0: 3}}, "operandIndex .* in range"),
        ({"sharding_rule": "#sdy.nothing"}, "its sharding rule cannot be read"),
        ({"config": {"a": object()}}, "cannot be written as an MLIR attribute"),
        ({"api_version": 1, "config": {"a": ((1,),)}}, "cannot hold a="),
    ],
)
def test_a_descriptor_that_makes_no_valid_call_is_an_error_at_the_composite(
    kernel: Register, given: Any, message: str
) -> None:
    kernel(**given)
    with pytest.raises(PassError, match=r"'a_norm' for a\.norm makes no valid call") as error:
        called()
    assert error.value.where == "model.py:7:3"
    assert error.value.hint is not None
    assert re.search(message, error.value.message)


def test_the_first_kernel_that_takes_a_use_is_called_and_refusals_are_told(
    kernel: Register,
) -> None:
    kernel(operands=Takes("bf16"))
    program = called()
    assert "custom_call" not in str(program)
    assert [(d.severity, d.code, d.message, d.where) for d in program.diagnostics] == [
        (
            "remark",
            "KERNEL_REFUSED",
            "a.norm is not called as the kernel @a_norm: operand 0 is f32; the kernel takes bf16",
            "model.py:7:3",
        )
    ]
    kernel(call_target="f_norm", operands=Takes("f32"))
    program = called()
    assert "@f_norm" in str(program)
    assert program.diagnostics == ()


def test_a_type_that_dxir_has_no_word_for_is_a_reason(kernel: Register) -> None:
    kernel()
    text = re.sub(r"tensor<4x2xf32>", 'tensor<4x2xf32, "columns">', NORM)
    program = called(text)
    assert "stablehlo.abs" in program.op_counts()
    (said,) = program.diagnostics
    assert said.message.startswith("a.norm is not called as a kernel: the encoding of ")


def test_small_uses_are_inlined_and_what_the_target_keeps_is_kept(kernel: Register) -> None:
    kernel(min_bytes=65)
    assert "stablehlo.abs" in called().op_counts()
    assert "stablehlo.custom_call" not in called().op_counts()
    assert called(NORM.replace("a.norm", "a.k")).op_counts()["stablehlo.composite"] == 1


def test_without_kernels_the_program_is_the_same_before_and_after(kernel: Register) -> None:
    kernel(scratch=(f32[2],), has_side_effect=True)
    before = dxir.load(NORM)
    after = called()
    assert "stablehlo.custom_call" in after.op_counts()
    plain = before.run_passes(f"dxir-decompose{{target={TARGET.name} kernels=off}}")
    again = after.run_passes("dxir-decompose{kernels=off}")
    assert plain.fingerprint() == again.fingerprint() == before.decompose().fingerprint()
    kept = after.run_passes("dxir-decompose{kernels=off keep=a.norm}")
    assert kept.fingerprint() == before.fingerprint()
    read = dxir.load(after.serialize()).run_passes("dxir-decompose{kernels=off}").verify()
    assert "stablehlo.custom_call" not in read.op_counts()
    assert "stablehlo.abs" in read.op_counts()


def test_the_meaning_of_a_call_stays_however_the_program_is_cleaned(kernel: Register) -> None:
    kernel()
    program = called().run_passes("dxir-dce,symbol-dce,cse")
    assert program.function_names == ("main", "norm")
    assert "stablehlo.abs" in program.run_passes("dxir-decompose{kernels=off}").op_counts()


def test_kernels_in_decompositions_are_called_where_these_are_expanded(kernel: Register) -> None:
    kernel()
    text = (
        NORM.replace('"a.norm" %x', '"a.outer" %x').replace("@norm,", "@outer,")
        + """
    func.func private @outer(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.composite "a.norm" %x {decomposition = @norm}
        : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.composite "a.norm" %0 {decomposition = @norm}
        : (tensor<4x2xf32>) -> tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }"""
    )
    program = called(text)
    assert program.op_counts()["stablehlo.custom_call"] == 2
    assert program.function_names == ("main", "norm")
    again = program.run_passes("dxir-decompose{kernels=off}")
    assert again.fingerprint() == dxir.load(text).decompose().fingerprint()


def test_other_numbers_of_a_kernel_are_on_record(kernel: Register) -> None:
    kernel(tolerance=Tolerance(relative=1e-6))
    program = called()
    (found,) = program.approximations()
    assert (found.legalized_from, found.by, found.max_rel_error) == (
        "a.norm",
        "dxir-decompose",
        1e-6,
    )
    assert [d.code for d in program.diagnostics] == ["KERNEL_APPROXIMATES"]
    assert not program.run_passes("dxir-decompose{kernels=off}").approximations()


CHOLESKY = """
func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.composite "a.cholesky" %x {decomposition = @cholesky}
    : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %rows = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %columns = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %lower = stablehlo.compare GE, %rows, %columns
    : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %1 = stablehlo.select %lower, %0, %zero : tensor<3x3xi1>, tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
func.func private @cholesky(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}"""


def lapack(kernel: Register) -> KernelDescriptor:
    """A routine that jaxlib brings along: LAPACK's, which works in place on columns."""
    _lapack.initialize()
    register_call("lapack_spotrf_ffi", _lapack.registrations()["lapack_spotrf_ffi"])
    return kernel(
        "xla-cpu",
        composite="a.cholesky",
        call_target="lapack_spotrf_ffi",
        operands=Takes("f32", ranks=2),
        config={"uplo": np.uint8(ord("L"))},
        operand_layouts=((0, 1),),
        result_layouts=((0, 1),),
        scratch=(dxir.i32[()],),
        aliases={0: 0},
        tolerance=Tolerance(relative=1e-5, absolute=1e-6),
    )


def test_a_call_on_the_cpu_gives_what_the_decomposition_gives(kernel: Register) -> None:
    made = lapack(kernel)
    program = dxir.load(CHOLESKY)
    with_call = program.run_passes("dxir-decompose{target=xla-cpu}")
    assert with_call.op_counts()["stablehlo.custom_call"] == 1
    without = [
        program,
        program.run_passes("dxir-decompose{target=xla-cpu kernels=off}"),
        with_call.run_passes("dxir-decompose{kernels=off}"),
    ]
    fast, *plain = (dxir.compile(p) for p in (with_call, *without))
    rng = np.random.default_rng(0)
    inputs = [a @ a.T + np.eye(3) for a in rng.normal(size=(8, 3, 3))]
    for x in [*inputs, np.eye(3) * 1e-30, np.diag([1e30, 1.0, 1e-30])]:
        given = x.astype(np.float32)
        expected, *others = (np.asarray(p(given)) for p in plain)
        assert all(expected.tobytes() == other.tobytes() for other in others)
        assert made.tolerance.allows(expected, np.asarray(fast(given)))
        np.testing.assert_array_equal(given, x.astype(np.float32))  # aliased, but not the caller's


def test_a_kernel_without_an_implementation_is_found_before_the_run(kernel: Register) -> None:
    kernel("xla-cpu", call_target="a_norm_f32")
    program = dxir.load(NORM).run_passes("dxir-decompose{target=xla-cpu}")
    with pytest.raises(TargetError) as error:
        dxir.compile(program)
    assert error.value.message == (
        "xla-cpu has no implementation of the custom call @a_norm_f32, the kernel for a.norm"
    )
    assert error.value.where == "model.py:7:3"
    assert 'register_call("a_norm_f32", routine)' in (error.value.hint or "")
    assert "dxir-decompose{kernels=off}" in (error.value.hint or "")


def test_an_unknown_custom_call_is_told_with_the_nearest_known(kernel: Register) -> None:
    lapack(kernel)
    call = """func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {{
      %0 = stablehlo.custom_call @{name}(%x) {{api_version = {version} : i32}}
        : (tensor<3x3xf32>) -> tensor<3x3xf32>
      return %0 : tensor<3x3xf32>
    }}"""
    with pytest.raises(TargetError, match="no implementation of the custom call") as error:
        dxir.compile(dxir.load(call.format(name="lapack_spotrf", version=4)))
    assert (error.value.hint or "").startswith("did you mean @lapack_spotrf_ffi")
    with pytest.raises(TargetError, match="is not for calls of this api_version") as error:
        dxir.compile(dxir.load(call.format(name="lapack_spotrf_ffi", version=2)))
    assert (error.value.hint or "").startswith("it takes api_version 4")
    assert error.value.where == "<text>:2:12"


def test_what_only_the_memory_of_a_call_holds_is_not_compiled(kernel: Register) -> None:
    lapack(kernel)
    text = CHOLESKY.replace(
        "%0 = stablehlo.cholesky %x, lower = true : tensor<3x3xf32>",
        "%0 = stablehlo.custom_call @nowhere(%x) : (tensor<3x3xf32>) -> tensor<3x3xf32>",
    )
    program = dxir.load(text).run_passes("dxir-decompose{target=xla-cpu}")
    found = np.asarray(dxir.compile(program)(np.eye(3, dtype=np.float32) * 4))
    assert (found == np.eye(3) * 2).all()


def test_an_implementation_stays_and_is_checked() -> None:
    register_call("dxir_test_cos", function := ctypes.pythonapi.Py_IsInitialized, typed=False)
    register_call("dxir_test_cos", function, typed=False)
    assert pjrt.is_registered("dxir_test_cos")
    with pytest.raises(RuntimeFailure, match="has another implementation"):
        register_call("dxir_test_cos", ctypes.pythonapi.Py_GetVersion, typed=False)
    with pytest.raises(DxirError, match="a function cannot implement the custom call @f"):
        register_call("f", lambda: None)
