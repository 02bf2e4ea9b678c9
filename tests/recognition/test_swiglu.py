"""The swiglu pattern: gated linear units, their weights apart or fused, or none at all."""

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
X, W, BIAS, FUSED = f32[2, 4, 8], f32[8, 6], f32[6], f32[8, 12]


def dense(x: Any, w: Any, bias: Any = None) -> Any:
    product = ops.dot_general(x, w, lhs_contracting=(x.rank - 1,), rhs_contracting=(0,))
    return product if bias is None else product + ops.broadcast_to(bias, shape=product.shape)


def silu(x: Any) -> Any:
    return x / (1 + ops.exp(-x))


def half(x: Any, which: int) -> Any:
    size = x.shape[-1] // 2
    rest = (0,) * (x.rank - 1)
    return ops.slice(x, starts=(*rest, which * size), limits=(*x.shape[:-1], (which + 1) * size))


def units(make: Make, *types: dxir.TensorType) -> list[dict[str, Any]]:
    """What the gated units of a function say; each computes that."""
    coarse = several(make, *types).run_passes("dxir-recognize,dxir-coarsen")
    nodes = [n for n in composites_of(coarse) if n.attrs["composite_name"] == "dxir.swiglu"]
    assert [disagreement(node) for node in nodes] == [None] * len(nodes)
    return [dict(node.attrs["composite_attributes"]) for node in nodes]


APART: dict[str, Make] = {
    "an op": lambda x, a, b: ops.silu(dense(x, a)) * dense(x, b),
    "the other way around": lambda x, a, b: dense(x, b) * ops.silu(dense(x, a)),
    "in primitive ops": lambda x, a, b: silu(dense(x, a)) * dense(x, b),
    "spread over the product": lambda x, a, b: (
        dense(x, a) * (ops.sigmoid(dense(x, a)) * dense(x, b))
    ),
}


@pytest.mark.parametrize("form", list(APART)[:3])
def test_a_unit_is_found_however_it_is_written(form: str, find_in: Any) -> None:
    (said,) = units(APART[form], X, W, W)
    assert said == {"layout": "bsd,df,df->bsf", "operand_segments": (1, 1, 1, 0, 0, 0, 0)}
    found = find_in(APART[form], X, W, W)[0]
    assert found.operands == texts(X, W, W)


@pytest.mark.parametrize("element", [bf16, f16])
def test_a_unit_of_narrow_numbers_is_found(element: Any, find_in: Any) -> None:
    types = element[4, 8], element[8, 6], element[8, 6]
    assert find_in(APART["an op"], *types)[0].pattern == "swiglu"


def test_a_unit_may_have_biases() -> None:
    (said,) = units(
        lambda x, a, b, c, d: ops.silu(dense(x, a, c)) * dense(x, b, d), X, W, W, BIAS, BIAS
    )
    assert said["operand_segments"] == (1, 1, 1, 0, 1, 1, 0)
    assert said["layout"] == "bsd,df,df,f,f->bsf"


@pytest.mark.parametrize("gate", [0, 1])
@pytest.mark.parametrize("bias", [True, False])
def test_weights_may_be_fused(gate: int, bias: bool) -> None:
    def make(x: Any, w: Any, b: Any) -> Any:
        both = dense(x, w, b if bias else None)
        return ops.silu(half(both, gate)) * half(both, 1 - gate)

    (said,) = units(make, X, FUSED, f32[12])
    assert said["fused"] == ("first", "second")[gate]
    assert said["layout"] == ("bsd,d(pf),(pf)->bsf" if bias else "bsd,d(pf)->bsf")


def test_a_gate_alone_is_a_composite_of_its_own(find_in: Any) -> None:
    found = find_in(lambda a, b: ops.silu(a) * b, X, X)[0]
    assert (found.pattern, found.operands) == ("swiglu_bare", texts(X, X))


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...]]] = {
    "a sigmoid": (lambda x, a, b: ops.sigmoid(dense(x, a)) * dense(x, b), (X, W, W)),
    "its own gate": (lambda x: ops.silu(x) * x, (X,)),
    "a number": (lambda x: ops.silu(x) * 2.0, (X,)),
    "a number for each feature": (
        lambda x, b: ops.silu(x) * ops.broadcast_to(b, shape=(4, 6)),
        (f32[4, 6], BIAS),
    ),
}


@pytest.mark.parametrize("name", NOT)
def test_what_is_no_unit_is_left_alone(name: str, find_in: Any) -> None:
    make, types = NOT[name]
    assert not {f.pattern for f in find_in(make, *types)} & {"swiglu", "swiglu_bare"}
