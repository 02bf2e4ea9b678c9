"""dxir-jvp: the tangents are those of forward mode."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.passes.jvp import Jvp

TEXT = """
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
X, Y = np.array([1.0, 2.0], np.float32), np.array([3.0, 5.0], np.float32)
T = np.array([10.0, 100.0], np.float32)


def test_tangents_are_pushed_forward() -> None:
    after = dxir.load(TEXT).run_passes(Jvp(wrt=(1,), rename_to="main")).verify()
    value, moved = (np.asarray(r) for r in dxir.compile(after).run((X, Y, T)))
    np.testing.assert_array_equal(value, X * Y)
    np.testing.assert_array_equal(moved, X * T)


def test_a_second_run_changes_nothing() -> None:
    after = dxir.load(TEXT).run_passes("dxir-jvp{function=f}")
    assert after.public_names == ("f", "f_jvp")
    assert str(after.run_passes("dxir-jvp{function=f}")) == str(after)


def test_it_is_forward_mode_of_differentiate() -> None:
    short = dxir.load(TEXT).run_passes("dxir-jvp{value=false rename-to=main}")
    long = dxir.load(TEXT).run_passes("dxir-differentiate{mode=forward value=false rename-to=main}")
    assert str(short) == str(long)


def test_integers_have_no_tangents() -> None:
    with pytest.raises(PassError, match="which is i32"):
        dxir.load(
            "func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }"
        ).run_passes("dxir-jvp{wrt=0}")
