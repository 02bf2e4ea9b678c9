"""The linear pattern: products with weights, a bias, and an activation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import bf16, f16, f32, i32, ops

from .conftest import several
from .einsums import disagreement, texts
from .meaning import composites_of

Make = Callable[..., Any]
X, W, BIAS = f32[4, 8], f32[8, 6], f32[6]


def plus(product: Any, bias: Any) -> Any:
    return product + ops.broadcast_to(bias, shape=product.shape)


def einsum(spec: str, *values: Any) -> Any:
    return ops.einsum(spec, values)


def layers(make: Make, *types: dxir.TensorType) -> list[dict[str, Any]]:
    """What the linear layers of a function say; each computes that."""
    coarse = several(make, *types).run_passes("dxir-recognize,dxir-coarsen")
    nodes = [n for n in composites_of(coarse) if n.attrs["composite_name"] == "dxir.linear"]
    assert [disagreement(node) for node in nodes] == [None] * len(nodes)
    return [dict(node.attrs["composite_attributes"]) for node in nodes]


FORMS: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "a matrix": (lambda x, w, b: plus(ops.matmul(x, w), b), (X, W, BIAS), "bd,df,f->bf"),
    "bias first": (
        lambda x, w, b: ops.broadcast_to(b, shape=(4, 6)) + ops.matmul(x, w), (X, W, BIAS),
        "bd,df,f->bf",
    ),
    "a sequence": (
        lambda x, w, b: plus(einsum("bsd,df->bsf", x, w), b), (f32[2, 4, 8], W, BIAS),
        "bsd,df,f->bsf",
    ),
    "features first in the weights": (
        lambda x, w, b: plus(einsum("bd,fd->bf", x, w), b), (X, f32[6, 8], BIAS), "bd,fd,f->bf",
    ),
    "a matrix times a vector": (
        lambda x, w, b: einsum("fd,d->f", w, x) + b, (f32[8], f32[6, 8], BIAS), "d,fd,f->f",
    ),
    "heads of features": (
        lambda x, w, b: plus(einsum("bsd,dfg->bsfg", x, w), b),
        (f32[2, 4, 8], f32[8, 2, 3], f32[2, 3]), "bsd,dfg,fg->bsfg",
    ),
    "heads contracted": (
        lambda x, w, b: plus(einsum("bshd,hdf->bsf", x, w), b),
        (f32[2, 4, 2, 3], f32[2, 3, 6], BIAS), "bsdk,dkf,f->bsf",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_layer_is_found_in_any_layout(form: str, find_in: Any) -> None:
    make, types, layout = FORMS[form]
    assert layers(make, *types) == [{"layout": layout, "operand_segments": (1, 1, 1, 0)}]
    (found,) = find_in(make, *types)
    assert found.operands == texts(*types)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": ops.relu, "silu": ops.silu, "tanh": ops.tanh, "logistic": ops.sigmoid,
    "softplus": ops.softplus, "elu": ops.elu, "leaky_relu": ops.leaky_relu, "relu6": ops.relu6,
    "gelu": ops.gelu,
}  # fmt: skip


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("bias", [True, False])
def test_an_activation_is_part_of_the_layer(name: str, bias: bool) -> None:
    def make(x: Any, w: Any, b: Any) -> Any:
        product = ops.matmul(x, w)
        return ACTIVATIONS[name](plus(product, b) if bias else product)

    (said,) = layers(make, X, W, BIAS)
    assert (said["activation"], said["operand_segments"]) == (name, (1, 1, int(bias), 0))


@pytest.mark.parametrize("element", [bf16, f16])
def test_sums_may_be_wider_than_what_is_multiplied(element: Any, find_in: Any) -> None:
    def make(x: Any, w: Any, b: Any) -> Any:
        product = ops.dot_general(
            x, w, lhs_contracting=(1,), rhs_contracting=(0,), preferred_element_type=f32
        )
        return ops.convert(plus(product, ops.convert(b, dtype=f32)), dtype=element)

    (found,) = find_in(make, element[4, 8], element[8, 6], element[6])
    assert found.pattern == "linear"


def test_what_is_added_before_the_bias_is_an_operand() -> None:
    (said,) = layers(lambda y, x, w, b: plus(y + ops.matmul(x, w), b), f32[4, 6], X, W, BIAS)
    assert (said["layout"], said["operand_segments"]) == ("bd,df,f,bf->bf", (1, 1, 1, 1))


def test_a_product_that_others_use_is_a_result(find_in: Any) -> None:
    def make(x: Any, w: Any, b: Any) -> Any:
        product = ops.matmul(x, w)
        return plus(product, b), product

    assert [f.pattern for f in find_in(make, X, W, BIAS)] == ["linear"]


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "a number for each row": (
        lambda x, w, b: ops.matmul(x, w) + ops.broadcast_in_dim(b, shape=(4, 6), dims=(0,)),
        (X, W, f32[4]), "not one number for each feature",
    ),
    "a residual": (
        lambda x, w, y: ops.matmul(x, w) + y, (X, W, f32[4, 6]), "not one number for each feature",
    ),
    "a number": (
        lambda x, w, y: ops.matmul(x, w) + 1.0 + 0 * y, (X, W, f32[4, 6]), "what is added",
    ),
    "weights of each example": (
        lambda x, w, b: plus(einsum("bd,bdf->bf", x, w), b), (X, f32[4, 8, 6], BIAS),
        "differ along a batch",
    ),
    "integers": (
        lambda x, w, b: plus(ops.matmul(x, w), b), (i32[4, 8], i32[8, 6], i32[6]), "not of floats",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_no_layer_is_left_alone(name: str, near_misses_in: Any) -> None:
    make, types, reason = NOT[name]
    assert layers(make, *types) == []
    said = near_misses_in("linear", make, *types)
    assert any(reason in message for message in said), said


def test_a_product_alone_is_left_alone(find_in: Any) -> None:
    assert find_in(lambda x, w: ops.matmul(x, w), X, W) == []
