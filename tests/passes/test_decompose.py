"""Composites expanded: the values stay, and a second run finds nothing to do."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.program import Program

HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1.5, 0.0], np.float32)


def program() -> Program:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[2, 4], name="x")
    return dxir.lower(b.build(dxir.ops.softmax(dxir.ops.silu(x))))


def test_the_values_are_the_same_and_a_second_run_changes_nothing() -> None:
    before = program()
    after = before.run_passes("dxir-decompose")
    assert "stablehlo.composite" in before.op_counts()
    assert "stablehlo.composite" not in after.op_counts()
    for x in (HOSTILE.reshape(2, 4), np.random.default_rng(0).normal(size=(2, 4))):
        given = x.astype(np.float32)
        expected, found = (np.asarray(dxir.compile(p)(given)) for p in (before, after))
        assert expected.tobytes() == found.tobytes()
    assert str(after.run_passes("dxir-decompose")) == str(after)


def test_what_is_kept_is_named_and_the_method_does_the_same() -> None:
    before = program()
    some = before.run_passes("dxir-decompose{keep=dxir.silu}")
    assert some.op_counts()["stablehlo.composite"] == 1
    assert some.fingerprint() == before.decompose(keep={"dxir.silu"}).fingerprint()
    both = before.run_passes("dxir-decompose{keep=dxir.silu,dxir.softmax}")
    assert str(both) == str(before)


def test_a_name_to_keep_that_no_composite_has_is_warned_of_with_the_nearest() -> None:
    before = program()
    after = before.run_passes("dxir-decompose{keep=dxir.silo,dxir.softmax}")
    assert [(d.severity, d.message) for d in after.diagnostics] == [
        (
            "warning",
            "keep names 'dxir.silo', but no composite is called that; did you mean dxir.silu?",
        )
    ]
    assert before.run_passes("dxir-decompose{keep=dxir.silu}").diagnostics == ()


def test_composites_that_grow_with_every_level_are_refused() -> None:
    parts = [
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        '  %0 = stablehlo.composite "a.f0" %x {decomposition = @f0}'
        " : (tensor<f32>) -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}"
    ]
    for i in range(25):
        lines = [f"func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{"]
        if i < 24:
            lines += [
                f'  %{k} = stablehlo.composite "a.f{i + 1}" %x {{decomposition = @f{i + 1}}}'
                " : (tensor<f32>) -> tensor<f32>"
                for k in range(2)
            ]
        lines += ["  return %x : tensor<f32>", "}"]
        parts.append("\n".join(lines))
    with pytest.raises(PassError, match="expand into more than 5000000 ops"):
        dxir.load("\n".join(parts)).run_passes("dxir-decompose")


@pytest.mark.parametrize("name", ["@f", '@"my fn"', r'@"a\22b"'])
@pytest.mark.parametrize("use", ["{to = [NAME]}", "{acme.to = [NAME]}"])
def test_a_decomposition_stays_while_an_attribute_names_it(name: str, use: str) -> None:
    op = '"acme.call"' if use.startswith("{to") else '"stablehlo.negate"'
    program = dxir.load(
        f"""
    func.func private {name}(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.composite "acme.f" %x {{decomposition = {name}}}
        : (tensor<4xf32>) -> tensor<4xf32>
      %1 = {op}(%0) {use.replace("NAME", name)} : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }}""",
        allow_unregistered=True,
    )
    found = program.run_passes("dxir-decompose").verify()
    assert found.function_names == program.function_names
    assert "stablehlo.composite" not in str(found)
