"""The transformer_mlp pattern: feed-forward layers, plain and gated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import bf16, f16, f32, ops

from .conftest import several
from .einsums import disagreement, texts
from .meaning import composites_of

Make = Callable[..., Any]
X, UP, DOWN = f32[2, 4, 8], f32[8, 12], f32[12, 8]
WIDE, NARROW = f32[12], f32[8]
ACTIVATIONS = {"relu": ops.relu, "silu": ops.silu, "gelu": ops.gelu}


def dense(x: Any, w: Any, bias: Any = None) -> Any:
    product = ops.dot_general(x, w, lhs_contracting=(x.rank - 1,), rhs_contracting=(0,))
    return product if bias is None else product + ops.broadcast_to(bias, shape=product.shape)


def half(x: Any, which: int) -> Any:
    size = x.shape[-1] // 2
    rest = (0,) * (x.rank - 1)
    return ops.slice(x, starts=(*rest, which * size), limits=(*x.shape[:-1], (which + 1) * size))


def found_in(make: Make, *types: dxir.TensorType) -> list[dict[str, Any]]:
    """What the feed-forward layers of a function say; each computes that."""
    coarse = several(make, *types).run_passes("dxir-recognize,dxir-coarsen")
    name = "dxir.transformer_mlp"
    nodes = [n for n in composites_of(coarse) if n.attrs["composite_name"] == name]
    assert [disagreement(node) for node in nodes] == [None] * len(nodes)
    return [dict(node.attrs["composite_attributes"]) for node in nodes]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_plain_layer_is_found(name: str, find_in: Any) -> None:
    def make(x: Any, up: Any, a: Any, down: Any, b: Any) -> Any:
        return dense(ACTIVATIONS[name](dense(x, up, a)), down, b)

    types = X, UP, WIDE, DOWN, NARROW
    (said,) = found_in(make, *types)
    assert (said["activation"], said["gated"]) == (name, False)
    assert said["layout"] == "bsd,df,f,fe,e->bse"
    found = find_in(make, *types)[0]
    assert found.operands == texts(*types)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_gated_layer_is_found(name: str, find_in: Any) -> None:
    def make(x: Any, gate: Any, up: Any, down: Any) -> Any:
        return dense(ACTIVATIONS[name](dense(x, gate)) * dense(x, up), down)

    types = X, UP, UP, DOWN
    (said,) = found_in(make, *types)
    assert (said["activation"], said["gated"]) == (name, True)
    assert said["layout"] == "bsd,df,df,fe->bse"
    found = find_in(make, *types)[0]
    assert found.operands == texts(*types)


def test_gate_and_up_may_be_fused() -> None:
    def make(x: Any, w: Any, down: Any) -> Any:
        both = dense(x, w)
        return dense(ops.silu(half(both, 0)) * half(both, 1), down)

    (said,) = found_in(make, X, f32[8, 24], DOWN)
    assert (said["fused"], said["layout"]) == ("first", "bsd,d(pf),fe->bse")


def test_what_the_layer_is_added_to_may_come_before_the_bias() -> None:
    def make(x: Any, up: Any, down: Any, b: Any) -> Any:
        y = x + dense(ops.relu(dense(x, up)), down)
        return y + ops.broadcast_to(b, shape=y.shape)

    (said,) = found_in(make, X, UP, DOWN, NARROW)
    assert said["layout"] == "bsd,df,fe,e,bse->bse"


@pytest.mark.parametrize("element", [bf16, f16])
def test_a_layer_of_narrow_numbers_is_found(element: Any, find_in: Any) -> None:
    def make(x: Any, up: Any, down: Any) -> Any:
        hidden = ops.convert(dense(x, up), dtype=f32)
        return dense(ops.convert(ops.gelu(hidden), dtype=element), down)

    types = element[4, 8], element[8, 12], element[12, 8]
    assert find_in(make, *types)[0].pattern == "transformer_mlp"


def test_hidden_values_that_others_use_are_results(find_in: Any) -> None:
    def make(x: Any, up: Any, down: Any) -> Any:
        hidden = ops.relu(dense(x, up))
        return dense(hidden, down), hidden

    assert find_in(make, X, UP, DOWN)[0].pattern == "transformer_mlp"


def _biased_once(x: Any, bias: Any) -> Any:
    return x * ops.sigmoid(x + ops.broadcast_to(bias, shape=x.shape))


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...]]] = {
    "no activation": (lambda x, up, down: dense(dense(x, up), down), (X, UP, DOWN)),
    "a cosine": (lambda x, up, down: dense(ops.cos(dense(x, up)), down), (X, UP, DOWN)),
    "gated by another": (
        lambda x, y, up, down: dense(ops.silu(dense(x, up)) * dense(y, up), down),
        (X, X, UP, DOWN)),
    "a bias in one of the two places of an activation": (
        lambda x, up, down, b: dense(_biased_once(dense(x, up), b), down),
        (X, UP, DOWN, f32[12])),
    "experts": (
        lambda x, up, down: ops.einsum("bsf,bfe->bse", (ops.relu(
            ops.einsum("bsd,bdf->bsf", (x, up))), down)),
        (X, f32[2, 8, 12], f32[2, 12, 8])),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_no_layer_is_left_alone(name: str, find_in: Any) -> None:
    make, types = NOT[name]
    assert "transformer_mlp" not in {f.pattern for f in find_in(make, *types)}
