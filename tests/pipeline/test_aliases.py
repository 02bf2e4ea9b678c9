"""Pipelines with names: those of the original tools, and one's own."""

from __future__ import annotations

import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import make_context
from dxir.pipeline.steps import ALIASES, register_alias, resolve, steps_text

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
