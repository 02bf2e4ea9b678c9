"""Compiling in a child process: who goes there, and how it may end."""

import sys
from pathlib import Path
from typing import Any

import pytest

import dxir
from dxir.errors import RuntimeFailure
from dxir.runtime import cpu, isolated, pjrt
from dxir.runtime.depth import Limits
from dxir.runtime.preflight import examine

LIMITS = Limits(fused=1000, chain=10_000, calls=100, nesting=50)


def call(target: str, kind: str = "tensor<8xf32>") -> dxir.Program:
    return dxir.load(
        f"func.func @main(%x: tensor<8xf32>) -> {kind} {{\n"
        f"  %r = stablehlo.custom_call @{target}(%x) : (tensor<8xf32>) -> {kind}\n"
        f"  return %r : {kind}\n}}"
    )


@pytest.mark.parametrize(
    ("target", "kind"), [("TopK", "tensor<2xf32>"), ("SliceToDynamic", "tensor<8xf32>")]
)
def test_a_custom_call_that_ends_xla_is_an_error_with_its_place(target: str, kind: str) -> None:
    with pytest.raises(RuntimeFailure, match=f"SIGABRT .* a custom call of @{target}") as error:
        dxir.compile(call(target, kind))
    assert error.value.where == "<text>:2:8"


def test_custom_calls_that_do_no_harm_are_compiled_here(monkeypatch: Any) -> None:
    monkeypatch.setattr(pjrt, "is_registered", lambda target: target == "mine")
    for target, apart in (("Sharding", False), ("mine", False), ("TopK", True)):
        found = examine(call(target).module, LIMITS).risk
        assert (found is not None) == apart


def test_a_child_that_does_not_end_is_an_error(monkeypatch: Any, tmp_path: Path) -> None:
    sleeps = tmp_path / "python"
    sleeps.write_text("#!/bin/sh\nexec sleep 60\n")
    sleeps.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeps))
    monkeypatch.setattr(isolated, "_TIMEOUT_S", 0.5)
    with pytest.raises(RuntimeFailure, match=r"@TopK, did not end within 0\.5 s"):
        cpu.compile_program(call("TopK"))
    for missing in ("", str(tmp_path / "none")):
        monkeypatch.setattr(sys, "executable", missing)
        with pytest.raises(RuntimeFailure, match="cannot be started") as error:
            cpu.compile_program(call("TopK"))
        assert error.value.hint == "that can crash XLA's compiler"
