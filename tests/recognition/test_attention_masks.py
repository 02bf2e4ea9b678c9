"""What attentions say of their masks is what they compute, whatever the operands hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

from .conftest import several
from .einsums import disagreement
from .meaning import composites_of
from .test_attention import MASK, B, H, K, Q, S, T, hidden, only, scores_of, triangle, weighted

Make = Callable[..., Any]


def near(width: int = 2) -> Any:
    """Whether a key is no more than so many places before its query."""
    i = ops.iota(shape=(S, T), axis=0, dtype="i32")
    j = ops.iota(shape=(S, T), axis=1, dtype="i32")
    return ops.compare(i - j, ops.full_like(i, value=width), direction="LT")


def wide(mask: Any) -> Any:
    return ops.broadcast_to(mask, shape=(B, 1, S, T))


def near_misses(make: Make, *types: dxir.TensorType) -> list[str]:
    program = several(make, *types)
    program = program.run_passes("dxir-recognize{patterns=attention near-misses=true}")
    assert composites_of(program.run_passes("dxir-coarsen")) == []
    return [d.message for d in program.diagnostics]


@pytest.mark.parametrize(("number", "factor"), [(-1e9, -1.0), (-1e4, 1e-4), (-1e9, 1e-9)])
def test_what_hides_keys_is_scaled_with_the_scores(number: float, factor: float) -> None:
    found = near_misses(
        lambda q, k, v, m: weighted(hidden(m, scores_of(q, k), number) * factor, v), Q, K, K, MASK
    )
    assert any("which is not large" in message for message in found), found


def test_what_hides_keys_may_become_large_by_the_scale() -> None:
    said = only(
        lambda q, k, v, m: weighted(hidden(m, scores_of(q, k), 1e9) * -1.0, v), Q, K, K, MASK
    )
    assert (said["mask"], said["scale"]) == ("seen", -1.0)


WINDOWS: dict[str, Make] = {
    "before": lambda: ops.and_(triangle(), near()),
    "after": lambda: ops.and_(near(), triangle()),
    "wide": lambda: ops.and_(wide(triangle()), wide(near())),
    "not": lambda: ops.not_(ops.and_(triangle(), near())),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_is_a_mask_that_hides_later_keys_by_itself(name: str) -> None:
    make, sign = WINDOWS[name], "hidden" if name == "not" else "seen"

    def windowed(q: Any, k: Any, v: Any) -> Any:
        scores, mask = scores_of(q, k), ops.broadcast_to(make(), shape=(B, H, S, T))
        least = ops.full_like(scores, value=-1e9)
        sides = (least, scores) if sign == "hidden" else (scores, least)
        return weighted(ops.select(mask, *sides), v)

    said = only(windowed, Q, K, K)
    assert (said["causal"], said["mask"]) == (False, sign)
    assert said["operand_segments"] == (1, 1, 1, 1, 0)


def test_a_window_beside_a_mask_is_one_operand_with_it() -> None:
    def windowed(q: Any, k: Any, v: Any, m: Any) -> Any:
        mask = ops.and_(ops.and_(m, wide(triangle())), wide(near()))
        return weighted(hidden(mask, scores_of(q, k), -1e9), v)

    said = only(windowed, Q, K, K, MASK)
    assert (said["causal"], said["mask"]) == (False, "seen")


def test_a_triangle_that_is_left_in_the_operand_is_no_attribute() -> None:
    """The mask is used elsewhere, too: it is an operand, and may be any other."""

    def shared(q: Any, k: Any, v: Any, m: Any) -> Any:
        mask = ops.and_(m, wide(triangle()))
        return weighted(hidden(mask, scores_of(q, k), -1e9), v), ops.not_(mask)

    said = only(shared, Q, K, K, MASK)
    assert (said["causal"], said["mask"]) == (False, "seen")


def test_two_triangles_are_causal_once() -> None:
    def twice(q: Any, k: Any, v: Any) -> Any:
        return weighted(hidden(triangle(), hidden(triangle(), scores_of(q, k), -1e9), -1e9), v)

    said = only(twice, Q, K, K)
    assert (said["causal"], said["operand_segments"]) == (True, (1, 1, 1, 0, 0))


CALLED = """
func.func private @scores(%q: tensor<5x4xf32>, %k: tensor<6x4xf32>, %by: tensor<f32>)
    -> tensor<5x6xf32> {
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1]
    : (tensor<5x4xf32>, tensor<6x4xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}
func.func @main(%q: tensor<5x4xf32>, %k: tensor<6x4xf32>, %v: tensor<6x4xf32>)
    -> tensor<5x4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %other = stablehlo.constant dense<OTHER> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = func.call @scores(%q, %k, %two)
    : (tensor<5x4xf32>, tensor<6x4xf32>, tensor<f32>) -> tensor<5x6xf32>
  %o = func.call @scores(%q, %k, %other)
    : (tensor<5x4xf32>, tensor<6x4xf32>, tensor<f32>) -> tensor<5x6xf32>
  %m = stablehlo.reduce(FROM init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<5x6xf32>, tensor<f32>) -> tensor<5xf32>
  %mw = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<5xf32>) -> tensor<5x6xf32>
  %d = stablehlo.subtract %s, %mw : tensor<5x6xf32>
  %e = stablehlo.exponential %d : tensor<5x6xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<5x6xf32>, tensor<f32>) -> tensor<5xf32>
  %tw = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<5xf32>) -> tensor<5x6xf32>
  %w = stablehlo.divide %e, %tw : tensor<5x6xf32>
  %r = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0]
    : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"""


@pytest.mark.parametrize("taken", ["%s", "%o"])
def test_scores_of_two_calls_of_one_function_are_not_the_same(taken: str) -> None:
    program = dxir.load(CALLED.replace("OTHER", "3.0").replace("FROM", taken))
    coarse = program.run_passes("dxir-recognize{patterns=attention},dxir-coarsen")
    found = composites_of(coarse)
    assert [node.attrs["composite_attributes"]["scale"] for node in found] == (
        [2.0] if taken == "%s" else []
    )
    assert [disagreement(node) for node in found] == [None] * len(found)
