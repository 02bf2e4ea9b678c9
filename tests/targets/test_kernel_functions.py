"""Kernels whose functions fail: the error names the kernel, its function and the composite."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

import dxir
from dxir.errors import DxirError, TargetError
from dxir.targets import Target, registry
from dxir.targets.kernel_bounds import Tolerance
from dxir.targets.kernels import KernelDescriptor, register_kernel, unregister_kernel

TARGET = Target("kernel-functions", "a target of tests")
TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@pytest.fixture(autouse=True)
def _target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._targets, TARGET.name, TARGET)


@pytest.fixture
def decompose() -> Iterator[Any]:
    """Decompose for a kernel of these functions."""
    known: list[KernelDescriptor] = []

    def run(**given: Any) -> None:
        known.append(
            register_kernel(
                TARGET.name, KernelDescriptor(composite="a.b", call_target="k", **given)
            )
        )
        dxir.load(TEXT).run_passes(f"dxir-decompose{{target={TARGET.name}}}")

    yield run
    for one in known:
        unregister_kernel(TARGET.name, one)


def boom(_: object) -> Any:
    raise RuntimeError("boom")


def looped() -> dict[str, Any]:
    given: dict[str, Any] = {}
    given["self"] = given
    return given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"refuses": boom}, "its refuses raised RuntimeError: boom"),
        ({"refuses": lambda _: True}, "its refuses gave True"),
        ({"config": boom}, "its config raised RuntimeError: boom"),
        ({"operand_layouts": boom}, "its operand_layouts raised RuntimeError"),
        ({"scratch": boom}, "its scratch raised RuntimeError"),
        ({"sharding_rule": boom}, "its sharding_rule raised RuntimeError"),
        ({"config": {"n": 10**40}}, "makes no valid call"),
        ({"config": looped()}, "makes no valid call"),
        ({"operand_layouts": 3}, "makes no valid call"),
    ],
)
def test_a_function_that_fails_is_named_with_its_kernel(
    decompose: Any, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(DxirError, match=r"kernel 'k' for a\.b") as error:
        decompose(**given)
    assert said in str(error.value)
    assert ":3:8" in str(error.value)
    assert "mistake in the pass" not in str(error.value)


@pytest.mark.parametrize("number", [math.nan, math.inf, -1.0])
def test_a_tolerance_is_a_finite_number(number: float) -> None:
    with pytest.raises(TargetError, match="tolerance"):
        Tolerance(relative=number)


def test_a_size_is_not_negative() -> None:
    with pytest.raises(TargetError, match="min_bytes"):
        KernelDescriptor(composite="a.b", call_target="k", min_bytes=-1)
