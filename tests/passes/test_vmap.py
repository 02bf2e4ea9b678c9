"""dxir-vmap: a batch gives what its elements give one by one."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.passes.vmap import Vmap

TEXT = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.multiply %x, %y : tensor<2xf32>
  %1 = stablehlo.negate %y : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = np.array([3.0, 5.0], np.float32)


@pytest.mark.parametrize("out", [("0", "none"), ("1", "none"), ("-1", "0")])
def test_a_batch_gives_what_a_loop_gives(out: tuple[str, str]) -> None:
    pass_ = Vmap(in_axes=("1", "none"), out_axes=out, size=3, rename_to="main")
    after = dxir.load(TEXT).run_passes(pass_).verify()
    assert str(after.run_passes(pass_)) == str(after)
    product, negated = (np.asarray(r) for r in dxir.compile(after).run((X, Y)))
    rows = np.stack([X[:, i] * Y for i in range(3)], axis=int(out[0]))
    np.testing.assert_array_equal(product, rows)
    wanted = -Y if out[1] == "none" else np.stack([-Y] * 3)
    np.testing.assert_array_equal(negated, wanted)


def test_a_result_that_depends_on_the_batch_needs_an_axis_for_it() -> None:
    with pytest.raises(PassError, match="result 0 of main depends on the batch"):
        dxir.load(TEXT).run_passes("dxir-vmap{size=3 out-axes=none}")


@pytest.mark.parametrize(
    "options", ["size=3 out-axes=none", "size=3 in-axes=0", "size=3 in-axes=7", "", "function=main"]
)
def test_what_is_asked_for_wrongly_is_shown_at_the_function(options: str) -> None:
    options = options.replace("in-axes=0", "in-axes=0,0,0")
    with pytest.raises(PassError) as caught:
        dxir.load(TEXT).run_passes(f"dxir-vmap{{{options}}}")
    assert caught.value.where == "<text>:2:1"


def test_what_a_batch_adds_is_placed_at_the_function() -> None:
    after = dxir.load(TEXT).run_passes("dxir-vmap{size=3 in-axes=1,none out-axes=1}")
    assert __file__ not in after.text(debug_info=True)


def test_a_batch_may_be_empty() -> None:
    after = dxir.load(TEXT).run_passes("dxir-vmap{size=0 rename-to=main}")
    product, _ = dxir.compile(after).run((np.zeros((0, 2), np.float32),) * 2)
    assert np.asarray(product).shape == (0, 2)


def test_a_batch_of_a_derivative_is_one_pass_after_the_other() -> None:
    after = dxir.load(TEXT).run_passes(
        "dxir-differentiate{seed=one wrt=0 outputs=0 value=false},"
        "dxir-vmap{function=main_grad in-axes=none,0 size=4 rename-to=main}"
    )
    y = np.arange(8, dtype=np.float32).reshape(4, 2)
    (found,) = dxir.compile(after).run((Y, y))
    np.testing.assert_array_equal(np.asarray(found), y)
