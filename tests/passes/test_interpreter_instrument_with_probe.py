"""Probes put behind ops: the values stay, every one is seen, and a second run adds none."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import ir, make_context
from dxir.passes.interpreter_instrument_with_probe import InterpreterInstrumentWithProbe
from dxir.pipeline.base import find_pass
from dxir.pipeline.running import RunOptions, run_steps
from dxir.pipeline.steps import resolve
from dxir.program import Program
from dxir.runtime.interpreter.running import Interpretation, Job, interpret_all

NAME = "interpreter-instrument-with-probe"
TEXT = """
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = func.call @half(%a) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
  }
  %3 = stablehlo.negate %0#1 : tensor<8xf32> loc("minus")
  return %3, %0#0 : tensor<8xf32>, tensor<i32>
}
func.func private @half(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<8xf32>
  %0 = stablehlo.multiply %x, %half : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1.5, 0.0], np.float32)
EXTREME = (0, 1, 3, -(2**31))


def read(text: str) -> Program:
    return Program(ir.Module.parse(text, make_context(dialects=("sdy", "interpreter"))))


def interpreted(jobs: list[Job]) -> list[Interpretation]:
    found = interpret_all(jobs)
    done = [f for f in found if isinstance(f, Interpretation)]
    assert len(done) == len(found), found
    return done


def test_the_values_are_the_same_and_all_on_the_way_are_seen() -> None:
    before = read(TEXT)
    after = before.run_passes(f"{NAME}{{useDebugInfo=true}}")
    assert after.op_counts()["interpreter.probe"] == 7
    random = np.random.default_rng(0).normal(size=8).astype(np.float32)
    given = [(x, np.int32(n)) for x in (HOSTILE, random) for n in EXTREME]
    plain = interpreted([Job(before, arguments) for arguments in given])
    probed = interpreted([Job(after, arguments) for arguments in given])
    for (_, n), expected, found in zip(given, plain, probed, strict=True):
        x, i = (np.asarray(result) for result in found.results)
        assert [np.asarray(r).tobytes() for r in expected.results] == [x.tobytes(), i.tobytes()]
        assert not expected.probes
        seen = dict(found.probes)
        assert len(found.probes) == 4 * max(int(n), 0) + 4
        assert seen["minus.6"].tobytes() == x.tobytes() == (-seen["probe5"]).tobytes()
        assert seen["probe4"].tobytes() == i.tobytes()


def test_a_second_run_changes_nothing_and_new_ops_get_new_numbers() -> None:
    once = read(TEXT).run_passes(NAME)
    assert str(once.run_passes(NAME)) == str(once)
    steps = resolve(NAME, once.context)
    (record,) = run_steps(once.module, steps, RunOptions())
    assert record.changed is False
    op = "%new = stablehlo.abs %arg0 : tensor<8xf32>"
    main, body, rest = str(once).partition("tensor<i32>) {\n")
    more = f"{main}{body}{op}\n{rest}"
    assert 'probe_id = "probe8"' in str(read(more).run_passes(NAME))


def test_a_module_that_cannot_hold_probes_is_refused() -> None:
    with pytest.raises(PassError, match="the interpreter dialect is not known here") as error:
        dxir.load(TEXT).run_passes(NAME)
    assert "--flavour=stablehlo" in (error.value.hint or "")


def test_the_option_is_spelled_as_in_stablehlo() -> None:
    assert find_pass(NAME) is InterpreterInstrumentWithProbe
    assert str(InterpreterInstrumentWithProbe()) == NAME
    given = InterpreterInstrumentWithProbe(use_debug_info=True)
    assert str(given) == f"{NAME}{{useDebugInfo=true}}"
    with pytest.raises(PassError, match="has no option 'usedebuginfo'") as error:
        read(TEXT).run_passes(f"{NAME}{{usedebuginfo=true}}")
    assert error.value.hint == "did you mean useDebugInfo?"


def test_programs_that_hold_nothing_to_probe_stay() -> None:
    for text in ("", "func.func private @f(tensor<f32>)", "func.func @f() { return }"):
        before = read(text)
        assert str(before.run_passes(NAME)) == str(before)
