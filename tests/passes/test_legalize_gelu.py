"""dxir-legalize-gelu: how far the two GELUs are apart; neither becomes the other unasked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.passes.legalize_gelu import MAX_ABS_ERROR, LegalizeGelu
from dxir.program import Program
from dxir.targets import Target

HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, -1e-45, 3.4e38, -3.4e38], np.float32)
GRID = np.linspace(-6.0, 6.0, 240_001, dtype=np.float32)
FULL = dxir.f32[240_001]


def program(approximate: str = "none", type: Any = FULL) -> Program:
    b = dxir.Builder("main")
    x = b.param(type, name="x")
    return dxir.lower(b.build(dxir.ops.gelu(x, approximate=approximate)))


def run(given: Program, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(dxir.compile(given)(x))


def exact(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The host formula, in f64."""
    wide = x.astype(np.float64)
    return np.asarray(0.5 * wide * np.vectorize(math.erfc)(-wide / math.sqrt(2)))


def test_the_exact_form_agrees_with_the_host_formula() -> None:
    wanted = exact(GRID)
    for given in (program(), program().run_passes("dxir-decompose")):
        gap = np.abs(run(given, GRID) - wanted)
        # Above 4, rounding to f32 alone takes 2.4e-7.
        assert (gap / np.maximum(1, np.abs(wanted))).max() <= 2e-7


def test_the_two_forms_differ_by_what_is_recorded_and_most_near_the_place_that_is_told() -> None:
    after = program().run_passes("dxir-legalize-gelu")
    gap = np.abs(run(after, GRID).astype(np.float64) - exact(GRID))
    assert 4.5e-4 <= gap.max() <= MAX_ABS_ERROR <= 5.0e-4
    assert 2.5 <= abs(GRID[gap.argmax()]) <= 2.9


def test_it_is_then_the_tanh_form_of_the_same_op() -> None:
    before = program()
    after = before.run_passes("dxir-legalize-gelu").verify()
    tanh = program("tanh")
    for x in (GRID[:: len(GRID) // 8], HOSTILE):
        type = dxir.f32[len(x)]
        wanted = run(program("tanh", type), x)
        legal = program("none", type).run_passes("dxir-legalize-gelu")
        assert run(legal, x).tobytes() == wanted.tobytes()
        assert run(legal.run_passes("dxir-decompose"), x).tobytes() == wanted.tobytes()
    (node,) = after.raise_()["main"].nodes
    assert (node.op, node.attrs["approximate"]) == ("gelu", "tanh")
    assert str(after.run_passes("dxir-legalize-gelu")) == str(after)
    assert after.op_counts() == tanh.op_counts()


def test_what_was_done_is_on_record_with_its_bound_and_reported() -> None:
    after = program().run_passes([LegalizeGelu(target="acme-npu")])
    (found,) = after.approximations()
    assert (found.legalized_from, found.by) == ("gelu(exact)", "dxir-legalize-gelu")
    assert found.max_abs_error == 4.8e-4
    assert found.op == "stablehlo.composite"
    assert found.function == "main"
    assert found.where is not None
    assert "test_legalize_gelu.py" in found.where
    assert "acme-npu" in found.reason
    (told,) = after.diagnostics
    assert (told.severity, told.code) == ("warning", "GELU_APPROX_LEGALIZED")
    assert (told.pass_name, told.op) == ("dxir-legalize-gelu", "stablehlo.composite")
    assert told.numbers == {"max_abs_error": 4.8e-4}
    assert told.where == found.where


def test_gelus_of_one_type_share_a_decomposition_and_the_exact_ones_go() -> None:
    b = dxir.Builder("main")
    x, y = b.param(dxir.f32[4]), b.param(dxir.bf16[2, 3])
    made = [dxir.ops.gelu(v) for v in (x, x, y)]
    after = dxir.lower(b.build(*made)).run_passes("dxir-legalize-gelu")
    assert len(after.function_names) == 3
    assert "erfc" not in str(after)
    assert LegalizeGelu().run(after.clone().module) is False


@pytest.mark.parametrize("type", [dxir.f32["n", 4], dxir.f64[3], dxir.f16[5]], ids=str)
def test_it_takes_every_float_type_and_dimensions_without_a_size(type: Any) -> None:
    after = program("none", type).run_passes("dxir-legalize-gelu").verify()
    assert "tanh" in str(after)
    assert "erfc" not in str(after)


def test_a_composite_that_the_module_still_calls_otherwise_keeps_its_decomposition() -> None:
    after = dxir.load("""
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.composite "dxir.gelu" %x {decomposition = @meaning} : (tensor<f32>) -> tensor<f32>
  %1 = call @meaning(%x) : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @meaning(%x: tensor<f32>) -> tensor<f32> {
  %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}""").run_passes("dxir-legalize-gelu")
    assert "meaning" in after.function_names
    assert "chlo.erf" in after.op_counts()


def test_an_erf_outside_of_gelus_is_left_alone_or_refused_loudly() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4])
    bare = dxir.lower(b.build(dxir.ops.erf(x)))
    assert str(bare.run_passes("dxir-legalize-gelu")) == str(bare)
    with pytest.raises(PassError, match="the target acme has neither erf nor erfc") as raised:
        bare.run_passes("dxir-legalize-gelu{erf=refuse target=acme}")
    assert raised.value.code == "UNSUPPORTED_OP"
    assert raised.value.pass_name == "dxir-legalize-gelu"
    assert "test_legalize_gelu.py" in str(raised.value.where)


# The values that front ends disagree about: the negative tail, and the fourth digit.
TAIL = np.array([-5, -6, -1, 2], np.float32)


def formula(body: str) -> Program:
    return dxir.load(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%half = stablehlo.constant dense<0.5> : tensor<4xf32>\n"
        "%one = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
        "%root = stablehlo.constant dense<0.707106769> : tensor<4xf32>\n"
        f"%h = stablehlo.multiply %half, %x : tensor<4xf32>\n{body}\n"
        "return %r : tensor<4xf32>\n}"
    )


ERF = """
%s = stablehlo.multiply %x, %root : tensor<4xf32>
%e = chlo.erf %s : tensor<4xf32> -> tensor<4xf32>
%p = stablehlo.add %one, %e : tensor<4xf32>
%r = stablehlo.multiply %h, %p : tensor<4xf32>"""
ERFC = """
%n = stablehlo.negate %x : tensor<4xf32>
%s = stablehlo.multiply %n, %root : tensor<4xf32>
%e = chlo.erfc %s : tensor<4xf32> -> tensor<4xf32>
%r = stablehlo.multiply %h, %e : tensor<4xf32>"""


def test_each_form_keeps_its_own_negative_tail() -> None:
    erf, erfc = run(formula(ERF), TAIL), run(formula(ERFC), TAIL)
    tanh = run(program("tanh", dxir.f32[4]), TAIL)
    np.testing.assert_allclose(erfc, [-1.43326e-06, -5.9195e-09, -0.15865525, 1.95449972], 1e-5)
    np.testing.assert_allclose(run(program("none", dxir.f32[4]), TAIL), erfc, 1e-6)
    # 1 + erf cancels to a few units of the last place of 1, and to nothing at -6.
    assert abs(erf[0] - erfc[0]) > 5e-8
    assert erf[1] == 0
    assert tanh[:2].tolist() == [0, 0]
    np.testing.assert_allclose(tanh[2:], [-0.158808, 1.954598], 1e-6)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_which_gelu_it_is_never_changes_without_being_asked(approximate: str) -> None:
    before = program(approximate, dxir.f32[4])
    wanted = run(before, TAIL).tobytes()
    for pipeline in ("dxir-simplify,dxir-fold,dxir-dce,cse,canonicalize", "dxir-decompose,cse"):
        after = before.run_passes(pipeline)
        assert run(after, TAIL).tobytes() == wanted
        assert after.approximations() == ()


@pytest.mark.parametrize(("body", "form"), [(ERF, "erf"), (ERFC, "erfc")])
def test_a_gelu_of_primitives_is_replaced_when_asked_and_its_form_is_on_record(
    body: str, form: str
) -> None:
    before = formula(body)
    found = before.run_passes("dxir-recognize,dxir-coarsen")
    assert f'form = "{form}"' in str(found)
    assert run(found.run_passes("dxir-decompose"), TAIL).tobytes() == run(before, TAIL).tobytes()
    after = found.run_passes("dxir-legalize-gelu{erf=refuse}")
    (record,) = after.approximations()
    assert (record.legalized_from, record.details) == ("gelu(exact)", {"form": form})
    assert f"the exact GELU ({form} form)" in after.diagnostics[-1].message
    assert run(after, TAIL).tobytes() == run(program("tanh", dxir.f32[4]), TAIL).tobytes()


def test_an_erf_that_only_looks_like_a_gelu_is_refused() -> None:
    near = formula(ERF.replace("%x, %root", "%x, %half"))
    with pytest.raises(PassError, match=r"'chlo\.erf' op is not part of a GELU"):
        near.run_passes("dxir-recognize,dxir-coarsen,dxir-legalize-gelu{erf=refuse}")


def test_a_target_asks_for_it_by_naming_the_pass_and_the_record_outlives_its_pipeline() -> None:
    asks = "dxir-legalize-gelu{erf=refuse target=acme-npu}"
    target = Target("acme-npu", "has tanh and no erf", graph_passes=(asks,))
    pipeline = target.pipeline.replace("dxir-decompose{target=acme-npu}", "dxir-decompose")
    after = formula(ERF).run_passes(pipeline)
    assert "stablehlo.composite" not in after.op_counts()
    (record,) = dxir.load(after.serialize("1.0.0")).approximations()
    assert record.max_abs_error == MAX_ABS_ERROR
    assert "the target acme-npu asks" in record.reason
    with pytest.raises(PassError, match="the target acme-npu has neither erf nor erfc"):
        formula(ERF.replace("%x, %root", "%x, %half")).run_passes(pipeline)


def test_a_name_that_a_mesh_has_is_taken() -> None:
    mesh = 'sdy.mesh @dxir.gelu.tanh = <["a"=2]>'
    head, _, rest = str(program()).partition("\n")
    made = dxir.load("\n".join((head, mesh, rest))).run_passes("dxir-legalize-gelu").verify()
    assert "@dxir.gelu.tanh_1(" in str(made)
