"""Pipelines with names: those of the original tools, and one's own."""

from __future__ import annotations

import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import jaxlib_version, make_context
from dxir.pipeline.missing import why_missing
from dxir.pipeline.native import native_passes
from dxir.pipeline.steps import ALIASES, is_pass, near_pass, register_alias, resolve, steps_text

TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_the_pipelines_of_stablehlo_opt_do_what_theirs_do() -> None:
    program = dxir.load(TEXT)
    stable = program.run_passes("chlo-pre-serialization-pipeline")
    assert not any(name.startswith("chlo.") for name in stable.op_counts())
    versioned = stable.run_passes("stablehlo-legalize-to-vhlo")
    assert any(name.startswith("vhlo.") for name in versioned.op_counts())
    back = versioned.run_passes("builtin.module(stablehlo-deserialize)")
    assert back.fingerprint() == stable.fingerprint()


def test_a_pipeline_is_nested_like_a_pass_and_takes_no_options() -> None:
    context = make_context()
    steps = resolve("cse,chlo-pre-serialization-pipeline,symbol-dce", context)
    assert steps_text(steps) == (
        "builtin.module(cse,func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo),"
        "symbol-dce)"
    )
    nested = resolve("func.func(chlo-pre-serialization-pipeline)", context)
    assert [step.path for step in nested] == [("builtin.module", "func.func")] * 2
    with pytest.raises(
        PassError, match="chlo-pre-serialization-pipeline takes no options"
    ) as error:
        resolve("cse,chlo-pre-serialization-pipeline{a=1}", context)
    assert error.value.where == "<pipeline>:1:5"


def test_a_pipeline_of_ones_own_can_hold_others() -> None:
    register_alias("test-tidy", "Tidy up.", "chlo-pre-serialization-pipeline,cse")
    try:
        assert len(resolve("test-tidy", make_context())) == 3
    finally:
        del ALIASES["test-tidy"]
    with pytest.raises(PassError, match="there is no pass called 'test-tidy'"):
        resolve("test-tidy", make_context())


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("stablehlo-aggressive-simplification", "dxir-simplify does"),
        ("stablehlo-aggressive-folder", "dxir-fold does"),
        ("stablehlo-target-independent-optimization", "dxir-fold and dxir-simplify do"),
        ("hlo-test-speculatability", "no way to what it tests"),
        ("hlo-test-broadcast", "no way to what it tests"),
        ("stablehlo-legalize-to-tosa", "stablehlo-legalize-to-linalg"),
        ("stablehlo-prepare-for-tosa", "the TOSA dialect is not part of it"),
        ("reconcile-unrealized-casts", "canonicalize removes casts that cancel each other"),
        ("mpmd-import-pipeline", "it registers no pass of MPMD"),
        ("mpmd-fragment-dce", "it registers no pass of MPMD"),
    ],
)
def test_a_pass_that_only_other_tools_have_is_explained(name: str, instead: str) -> None:
    with pytest.raises(PassError, match=f"there is no pass called '{name}'") as error:
        resolve(f"cse,{name}{{a=1}}", make_context())
    assert error.value.where == "<pipeline>:1:5"
    hint = error.value.hint or ""
    assert hint.startswith(f"jaxlib {jaxlib_version} does not have it: ")
    assert instead in hint


def test_what_is_said_to_do_their_work_is_there() -> None:
    context = make_context()
    for name in ("dxir-simplify", "dxir-fold", "canonicalize", "stablehlo-legalize-to-linalg"):
        assert is_pass(name, context)
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to tensor<2xi32>
      %1 = builtin.unrealized_conversion_cast %0 : tensor<2xi32> to tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    assert "cast" not in str(dxir.load(text).run_passes("canonicalize"))


def test_names_that_nobody_has_are_compared_with_those_there_are() -> None:
    assert near_pass("canoncalize") == "did you mean canonicalize?"
    assert near_pass("zzz").startswith("`dxir passes` lists them all")
    assert why_missing("mpmd") is None


def test_a_pass_that_a_newer_jaxlib_has_is_run_there() -> None:
    name = "sdy-verify-unreduced-axes"
    assert name in native_passes() or "0.12.0.1 does" in near_pass(name)
