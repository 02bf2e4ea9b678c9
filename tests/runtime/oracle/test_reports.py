"""Reports about backends: what is a fault of one is flagged, what is not passes."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import ArtifactError, DxirError
from dxir.program import Program
from dxir.runtime.oracle import Comparison, compare

ALL = ("xla-cpu", "interpreter", "reference")
Array = np.ndarray[Any, Any]


def load(text: str) -> Program:
    return dxir.load(textwrap.dedent(text))


def compared(program: Any, *arguments: Any, backends: tuple[str, ...] = ALL) -> Comparison:
    return compare(program, arguments, backends, contained=False)


def by_backend(found: Comparison, backend: str) -> list[str]:
    return [row.verdict for row in found.rows if row.backend == backend]


def test_serializing_names_the_op_and_leaves_the_program_as_it_is() -> None:  # B03
    program = load("""
      func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
        %1 = stablehlo.custom_call @f(%0) {api_version = 4 : i32, backend_config = {idx = array<i32: 0, 1>}} : (tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }
    """)  # noqa: E501
    before = str(program)
    with pytest.raises(ArtifactError) as caught:
        program.serialize()
    assert "custom_call" in caught.value.message
    assert caught.value.where
    assert caught.value.hint
    assert str(program) == before
    plain = load("""
      func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    """)
    before = str(plain)
    assert plain.serialize()
    assert plain.serialize(keep_chlo=True)
    assert str(plain) == before
    x = np.array([-2, -0.0, 0.5, 30], np.float32)
    assert compared(plain, x, backends=("xla-cpu", "reference")).agrees


def reductions(init: float, other: float) -> Program:
    return load(f"""
      func.func @main(%x: tensor<1000xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {{
        %k = stablehlo.constant dense<{init}> : tensor<f32>
        %j = stablehlo.constant dense<{other}> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0]
          : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
        %1 = "stablehlo.reduce_window"(%y, %j) <{{window_dimensions = array<i64: 3>,
          padding = dense<[[2, 0]]> : tensor<1x2xi64>}}> ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
        }}) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
        return %0, %1 : tensor<f32>, tensor<4xf32>
      }}
    """)


DATA = (np.ones(1000, np.float32), np.arange(1, 5, dtype=np.float32))


def test_an_init_that_is_no_identity_is_a_known_fault_of_xla() -> None:  # B05
    found = compared(reductions(7.0, 5.0), *DATA)
    assert by_backend(found, "xla-cpu") == ["fault", "fault"]
    assert by_backend(found, "interpreter") == ["equal", "equal"]
    (id,) = found.faults
    assert id.startswith("xla-cpu-reduc")
    assert not found.agrees
    assert found.explained
    assert found.exit_code == 5
    row = found.rows[0]
    assert row.examples[0].expected == "1007"
    told = str(found)
    assert id in told
    assert "identity" in told
    divergence = found.divergences[0]
    assert divergence.op == "reduce"
    assert divergence.where is not None
    assert divergence.alone


def test_an_init_that_is_the_identity_agrees_everywhere() -> None:  # B05
    assert compared(reductions(0.0, 0.0), *DATA).agrees


GATHER = """
  func.func @main(%x: tensor<4x2xf32>, %ix: tensor<4x1xi32>) -> tensor<4x2xf32> {
    %0 = "stablehlo.gather"(%x, %ix) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}>
      : (tensor<4x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
"""


def test_gathers_out_of_range_are_clamped_by_all_or_flagged() -> None:  # B09
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    index = np.array([[0], [-5], [3], [100]], np.int32)
    found = compared(load(GATHER), x, index)
    assert found.agrees
    (result,) = dxir.compile(load(GATHER), "reference").run([x, index])
    assert result.numpy().tolist() == [[0, 1], [0, 1], [6, 7], [6, 7]]


def argmax(x: Array, *, careful: bool) -> Any:
    """Reduces pairs of value and index to the first largest; NaN is largest if `careful`."""
    b = dxir.Builder("main")
    given = b.param(dxir.TensorType.of_array(x), name="x")
    places = ops.iota(dtype=dxir.i32, shape=x.shape, axis=0)

    def body(a: Any, i: Any, c: Any, j: Any) -> Any:
        ne = ops.compare(a, a, direction="NE")
        greater = ops.compare(a, c, direction="GT" if careful else "GE")
        pick = ops.or_(greater, ne) if careful else greater
        if careful:
            tie = ops.and_(ops.compare(a, c, direction="EQ"), ops.compare(i, j, direction="LT"))
            # Of two NaN the first: c is one as well, and comes later.
            both = ops.and_(ne, ops.compare(c, c, direction="NE"))
            pick_index = ops.or_(
                ops.and_(pick, ops.not_(both)),
                ops.or_(tie, ops.and_(both, ops.compare(i, j, direction="LT"))),
            )
        else:
            pick_index = pick
        return ops.select(pick, a, c), ops.select(pick_index, i, j)

    inits = (np.asarray(-np.inf, x.dtype), np.int32(2**31 - 1))
    return b.build(*ops.reduce((given, places), inits, body, axes=(0,)))


@pytest.mark.parametrize(
    ("data", "value", "place"),
    [
        ([1, np.nan, 3, 3, 2], np.nan, 1),
        ([1, 3, 3, 2], 3, 1),
        ([np.nan] * 5, np.nan, 0),
        ([-np.inf, -np.inf], -np.inf, 0),
    ],
)
def test_argmax_with_terms_for_nan_and_ties_agrees(  # B11
    data: list[float], value: float, place: int
) -> None:
    x = np.array(data, np.float32)
    found = compared(argmax(x, careful=True), x)
    assert found.agrees, found
    results = dxir.compile(argmax(x, careful=True), "reference").run([x])
    assert np.array_equal(results[0].numpy(), np.float32(value), equal_nan=True)
    assert int(results[1].numpy()) == place


def test_dropped_updates_of_a_scatter_agree() -> None:  # B17
    program = load("""
      func.func @main(%x: tensor<2xf32>, %ids: tensor<2x1xi32>, %u: tensor<2xf32>)
          -> (tensor<2xf32>, tensor<3xf32>) {
        %0 = "stablehlo.scatter"(%x, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %s = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }) : (tensor<2xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<2xf32>
        %base = stablehlo.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
        %low = stablehlo.constant dense<0> : tensor<i32>
        %high = stablehlo.constant dense<2> : tensor<i32>
        %clipped = stablehlo.clamp %low, %ids, %high
          : (tensor<i32>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
        %1 = "stablehlo.scatter"(%base, %clipped, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %s = stablehlo.maximum %a, %b : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
        return %0, %1 : tensor<2xf32>, tensor<3xf32>
      }
    """)  # noqa: E501
    zeros = np.zeros(2, np.float32)
    for ids, dropped, clipped in (
        ([2, 3], [0, 0], [1, 3, 4]),
        ([-3, 8], [0, 0], [1.03125, 3, 4]),
    ):
        arguments = [
            zeros,
            np.array(ids, np.int32).reshape(2, 1),
            np.array([1.03125, 3.96875], np.float32),
        ]
        assert compared(program, *arguments).agrees
        first, second = dxir.compile(program, "reference").run(arguments)
        assert first.numpy().tolist() == dropped
        assert second.numpy().tolist() == clipped


def test_division_and_remainder_agree() -> None:  # B19
    b = dxir.Builder("main")
    x, y = b.param(dxir.i32[4]), b.param(dxir.i32[4])
    p, q = b.param(dxir.f32[4]), b.param(dxir.f32[4])
    function = b.build(ops.div(x, y), ops.rem(x, y), ops.rem(p, q))
    arguments = [
        np.array([-7, 7, -7, 7], np.int32),
        np.array([2, -2, -2, 2], np.int32),
        np.array([-7.5, 5, np.inf, 5], np.float32),
        np.array([2, np.inf, 2, 0], np.float32),
    ]
    assert compared(function, *arguments).agrees
    quotients, remainders, floats = dxir.compile(function, "reference").run(arguments)
    assert quotients.numpy().tolist() == [-3, -3, 3, 3]
    assert remainders.numpy().tolist() == [-1, 1, -1, 1]
    assert np.array_equal(
        floats.numpy(), np.array([-1.5, 5, np.nan, np.nan], np.float32), equal_nan=True
    )


def refusals(found: Comparison, backend: str) -> DxirError:
    (row,) = [row for row in found.rows if row.backend == backend]
    assert row.verdict == "refused"
    assert row.error is not None
    return row.error


def test_a_call_without_a_body_is_refused_and_ends_no_process() -> None:  # B13
    program = load("""
      func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func private @g(tensor<2xf32>) -> tensor<2xf32>
    """)
    found = compared(program, np.ones(2, np.float32))
    for backend in ("xla-cpu", "interpreter"):
        error = refusals(found, backend)
        assert "g" in error.message
        assert "no body" in error.message
    assert not found.agrees
    assert found.exit_code == 6


def test_a_donation_to_a_result_of_another_size_is_refused() -> None:  # B51
    program = load("""
      func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
        %0 = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
    """)
    found = compared(program, np.ones(4, np.float32))
    error = refusals(found, "xla-cpu")
    assert "donated to result 0" in error.message
    assert error.hint
    assert by_backend(found, "interpreter") == ["equal"]


def test_a_dynamic_batch_runs_or_is_refused_with_a_reason() -> None:  # B53
    program = load("""
      func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
        %r = stablehlo.add %x, %x : tensor<?x4xf32>
        return %r : tensor<?x4xf32>
      }
    """)
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    found = compared(program, x)
    assert found.agrees, found
    bad = load("""
      func.func @main(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
        %r = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
        return %r : tensor<?xf32>
      }
    """)
    found = compared(bad, np.ones(3, np.float32), np.array([3], np.int32))
    error = refusals(found, "xla-cpu")
    assert "dynamic_reshape" in str(error)
