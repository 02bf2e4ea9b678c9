"""Types that no machine holds, and executables whose results are not the program's."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import RuntimeFailure, TargetError
from dxir.runtime import pjrt
from dxir.types import ALL_DTYPES

HUGE = 2**40


def test_a_parameter_that_overflows_is_refused() -> None:
    b = dxir.Builder()
    f = b.build(b.param(dxir.f32[HUGE, HUGE], name="x"))
    with pytest.raises(TargetError, match=r"parameter 0 \(x\) .* more than 2\^60 bytes") as error:
        dxir.compile(f)
    assert str(error.value.where).startswith(f"{__file__}:")


@pytest.mark.parametrize("shape", [(2**62, 4), (HUGE, HUGE, 0), (2**61,)])
def test_a_value_that_overflows_is_refused_with_op_and_place(shape: tuple[int, ...]) -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[()])
    huge = ops.broadcast_in_dim(x, shape=shape, dims=())
    f = b.build(ops.reduce_max(huge))
    with pytest.raises(TargetError, match=r"broadcast_in_dim: .* more than 2\^60 bytes") as error:
        dxir.compile(f)
    assert str(error.value.where).startswith(f"{__file__}:")


def test_values_that_are_too_large_together_are_refused() -> None:
    b = dxir.Builder()
    huge = ops.broadcast_in_dim(b.param(dxir.f32[()]), shape=(2**57,), dims=())
    f = b.build(ops.reduce_max(ops.sin(ops.sin(huge))))
    with pytest.raises(TargetError, match=r"values up to there have more than 2\^60 bytes"):
        dxir.compile(f)


def test_arguments_and_results_beyond_the_address_space_are_refused() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[()])
    f = b.build(ops.broadcast_in_dim(x, shape=(2**46,), dims=()))
    with pytest.raises(TargetError, match=r"2\.8e\+14 bytes together"):
        dxir.compile(f)


@pytest.mark.parametrize(
    "op",
    [
        '%r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = '
        "dense<[[0]]> : tensor<1x1xi64>}> ({\n"
        "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%c = stablehlo.add %a, %b : tensor<f32>\n"
        "stablehlo.return %c : tensor<f32>\n}) : (tensor<4xbf16>) -> tensor<4xf32>",
        "%i = stablehlo.constant dense<0.0> : tensor<bf16>\n"
        '%r = "stablehlo.select_and_scatter"(%x, %x, %i) <{window_dimensions = array<i64: 1>}> ({\n'
        "^bb0(%a: tensor<bf16>, %b: tensor<bf16>):\n"
        "%c = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>\n"
        "stablehlo.return %c : tensor<i1>\n}, {\n"
        "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%c = stablehlo.add %a, %b : tensor<f32>\n"
        "stablehlo.return %c : tensor<f32>\n}) : "
        "(tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>) -> tensor<4xf32>",
    ],
)
def test_an_executable_with_results_of_another_type_is_refused(op: str) -> None:
    program = dxir.load(
        f"func.func @main(%x: tensor<4xbf16>) -> tensor<4xf32> {{\n{op}\nreturn %r : tensor<4xf32>"
        "\n}"
    )
    with pytest.raises(RuntimeFailure, match=r"result 0 of main, f32\[4\], to bf16\[4\]"):
        dxir.compile(program)


def test_the_types_of_results_are_those_of_the_program_for_every_element_type() -> None:
    carried = [t for t in ALL_DTYPES if pjrt.carries(pjrt.cpu(), t)]
    assert len(carried) > 20
    b = dxir.Builder()
    values = [b.param(t[2, 3]) for t in carried]
    executable: Any = dxir.compile(b.build(*values, ops.reshape(values[0], shape=(6,))))
    given = [np.zeros((2, 3), t.numpy) for t in carried]
    assert [r.dtype for r in executable(*given)[:-1]] == [t.numpy for t in carried]
