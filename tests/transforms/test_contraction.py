"""Products: what their derivatives are made of, and batches that need no copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dxir import ops
from dxir.builder import build_function
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import TensorType, bf16, f32

from .graphs import Array, made_of


def normal(*shapes: tuple[int, ...]) -> list[Array]:
    """Arrays of f32 of these shapes, the same ones each time."""
    rng = np.random.default_rng(5)
    return [rng.standard_normal(s).astype(np.float32) for s in shapes]


def function_of(build: Callable[..., Any], *shapes: tuple[int, ...]) -> Function:
    """The function of f32 tensors that `build` describes."""
    return build_function(build, *[TensorType(s, f32) for s in shapes], name="f")


def pulled(build: Callable[..., Any], arrays: Sequence[Array], g: Array) -> list[Array]:
    """The cotangents of all arrays."""
    function = function_of(build, *[a.shape for a in arrays])
    found = evaluate(vjp_function(function, value=False), *arrays, g)
    return list(found) if isinstance(found, tuple) else [found]


def near(found: Sequence[Array], wanted: Sequence[Any]) -> None:
    """Assert that arrays agree to 1e-5."""
    for one, other in zip(found, wanted, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, atol=1e-5)


DIMS = [
    ((2, 3), (3, 4), ((1,), (0,)), ((), ())),
    ((5, 2, 3), (4, 3, 5), ((2,), (1,)), ((0,), (2,))),
    ((2, 3, 4, 5), (4, 5, 3), ((3, 2), (1, 0)), ((1,), (2,))),
    ((2, 3), (4, 5), ((), ()), ((), ())),
    ((3,), (3,), ((0,), (0,)), ((), ())),
    ((2, 3), (3, 2), ((0, 1), (1, 0)), ((), ())),
    ((2, 3), (2, 3), ((), ()), ((1, 0), (1, 0))),
]


@pytest.mark.parametrize(("x", "y", "contracting", "batching"), DIMS)
def test_a_contraction_has_the_cotangents_that_jax_gives(
    x: Any, y: Any, contracting: Any, batching: Any
) -> None:
    def build(a: Value, b: Value) -> Value:
        return ops.dot_general(
            a, b, lhs_contracting=contracting[0], rhs_contracting=contracting[1],
            lhs_batching=batching[0], rhs_batching=batching[1],
        )  # fmt: skip

    arrays = normal(x, y)
    out, pull = jax.vjp(lambda a, b: jax.lax.dot_general(a, b, (contracting, batching)), *arrays)
    (g,) = normal(out.shape)
    near(pulled(build, arrays, g), pull(g))


def test_the_gradient_of_a_layer_is_two_products() -> None:
    function = function_of(ops.matmul, (2, 3), (3, 4))
    vjp = vjp_function(function, value=False)
    assert made_of(vjp) == ["dot_general", "dot_general"]


def test_weights_that_a_batch_shares_are_summed_in_the_product() -> None:
    function = function_of(ops.matmul, (6, 2, 3), (3, 4))
    assert made_of(vjp_function(function, value=False)) == ["dot_general", "dot_general"]
    x, w = normal((6, 2, 3), (3, 4))
    (g,) = normal((6, 2, 4))
    near(pulled(ops.matmul, [x, w], g), jax.vjp(jnp.matmul, x, w)[1](g))


@pytest.mark.parametrize(
    ("x", "y"), [((5, 1, 2, 3), (6, 3, 4)), ((2, 3), (5, 3, 4)), ((1, 2, 3), (6, 3, 4)),
                 ((1, 2, 3), (3, 4)), ((3,), (5, 3, 4)), ((5, 2, 3), (3,)), ((1, 1), (1, 1))],
)  # fmt: skip
def test_operands_that_broadcast_get_sums_of_their_own_shape(x: Any, y: Any) -> None:
    arrays = normal(x, y)
    out, pull = jax.vjp(jnp.matmul, *arrays)
    (g,) = normal(out.shape)
    near(pulled(ops.matmul, arrays, g), pull(g))


def test_a_batch_on_one_side_of_a_product_needs_no_copies_of_the_other() -> None:
    function = function_of(ops.matmul, (2, 3), (3, 4))
    rows = vmap_function(function, (0, None), axis_size=5)
    assert made_of(rows) == ["matmul"]
    columns = vmap_function(function, (None, 0), axis_size=5)
    assert made_of(columns) == ["matmul"]
    x, w = normal((5, 2, 3), (3, 4))
    near([evaluate(rows, x, w)], [x @ w])


def test_every_operand_keeps_its_precision() -> None:
    function = function_of(
        lambda a, b: ops.dot_general(
            a, b, lhs_contracting=(1,), rhs_contracting=(0,), precision=("HIGH", "HIGHEST")
        ),
        (2, 3), (3, 4),
    )  # fmt: skip
    first, second = vjp_function(function, value=False).nodes
    assert first.attrs["precision"] == ("HIGH", "HIGHEST")  # the cotangent, and rhs
    assert second.attrs["precision"] == ("HIGH", "HIGHEST")  # lhs, and the cotangent


def test_products_of_narrow_floats_are_pulled_back_in_the_type_of_the_result() -> None:
    function = build_function(
        lambda a, b: ops.matmul(a, b, preferred_element_type=f32), bf16[2, 3], bf16[3, 4], name="f"
    )
    vjp = vjp_function(function, value=False)
    assert vjp.result_types == (bf16[2, 3], bf16[3, 4])
    assert {v.dtype for n in vjp.nodes if n.op == "dot_general" for v in n.operands} == {f32}


SPECS = ["ij,jk->ik", "bij,bjk->bik", "ij,ij->", "ij,kj->ki", "ij,jk,kl->li", "i,j->ij", "ii->i",
         "ij->j", "bhqd,bhkd->bhqk", "ij,ik,il->i", "ij,->ij"]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_sums_over_named_indices_have_the_cotangents_that_jax_gives(spec: str) -> None:
    sizes = dict(zip("ijklbhqd", (3, 3, 4, 2, 2, 3, 4, 5), strict=True))
    terms = spec.split("->")[0].split(",")
    arrays = normal(*[tuple(sizes[c] for c in term) for term in terms])
    out, pull = jax.vjp(lambda *xs: jnp.einsum(spec, *xs), *arrays)
    (g,) = normal(out.shape)
    near(pulled(lambda *xs: ops.einsum(spec, xs), arrays, g), pull(g))


def test_a_batched_einsum_is_an_einsum() -> None:
    function = function_of(lambda a, b: ops.einsum("ij,jk->ik", (a, b)), (2, 3), (3, 4))
    made = vmap_function(function, (0, None), axis_size=5)
    assert made_of(made) == ["einsum"]
    assert made.nodes[0].attrs["spec"] == "aij,jk->aik"


RAGGED: list[dict[str, Any]] = [
    {"lhs": (6, 3), "rhs": (2, 3, 4), "sizes": [2, 3], "lhs_contracting": (1,),
     "rhs_contracting": (1,), "lhs_ragged": (0,), "rhs_group": (0,)},
    {"lhs": (3, 6), "rhs": (4, 3, 2), "sizes": [2, 4], "lhs_contracting": (0,),
     "rhs_contracting": (1,), "lhs_ragged": (1,), "rhs_group": (2,)},
    {"lhs": (6, 3), "rhs": (6, 4), "sizes": [2, 0, 3], "lhs_contracting": (0,),
     "rhs_contracting": (0,), "lhs_ragged": (0,)},
    {"lhs": (2, 6, 3), "rhs": (2, 2, 3, 4), "sizes": [[2, 3], [6, 0]], "lhs_contracting": (2,),
     "rhs_contracting": (2,), "lhs_batching": (0,), "rhs_batching": (1,), "lhs_ragged": (1,),
     "rhs_group": (0,)},
    {"lhs": (2, 6, 3), "rhs": (6, 4, 2), "sizes": [[2, 3], [6, 0]], "lhs_contracting": (1,),
     "rhs_contracting": (0,), "lhs_batching": (0,), "rhs_batching": (2,), "lhs_ragged": (1,)},
    {"lhs": (2, 6, 3), "rhs": (2, 6, 4), "sizes": [[2, 3], [6, 0]], "lhs_contracting": (0, 1),
     "rhs_contracting": (0, 1), "lhs_ragged": (1,)},
    {"lhs": (5, 6, 3), "rhs": (2, 3, 4), "sizes": np.tile([2, 3], (5, 1)),
     "lhs_contracting": (2,), "rhs_contracting": (1,), "lhs_ragged": (1,), "rhs_group": (0,)},
    {"lhs": (4, 6, 3), "rhs": (4, 3, 2), "sizes": [1, 3], "lhs_contracting": (2,),
     "rhs_contracting": (1,), "lhs_batching": (0,), "rhs_batching": (0,), "lhs_ragged": (0,)},
]  # fmt: skip


def ragged(case: dict[str, Any]) -> tuple[Function, list[Array]]:
    """The function of a case, of both operands, and these."""
    given = {k: v for k, v in case.items() if k not in ("lhs", "rhs", "sizes")}
    sizes = np.asarray(case["sizes"], np.int32)
    function = function_of(
        lambda a, b: ops.ragged_dot(a, b, sizes, **given), case["lhs"], case["rhs"]
    )
    return function, normal(case["lhs"], case["rhs"])


@pytest.mark.parametrize("case", RAGGED)
def test_ragged_products_are_pulled_back_by_the_same_groups(case: dict[str, Any]) -> None:
    function, arrays = ragged(case)
    shape = function.result_types[0].shape  # type: ignore[attr-defined]
    (g,) = normal(shape)
    found = evaluate(vjp_function(function, value=False), *arrays, g)
    # It is linear in each operand: the cotangent is what it gives for every unit vector.
    for i, cotangent in enumerate(found):
        for at in [
            (0,) * cotangent.ndim,
            tuple(n - 1 for n in cotangent.shape),
            (1,) * cotangent.ndim,
        ]:
            unit = np.zeros_like(arrays[i])
            unit[at] = 1
            moved = [unit if j == i else a for j, a in enumerate(arrays)]
            wanted = np.sum(evaluate(function, *moved) * g)
            np.testing.assert_allclose(cotangent[at], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("case", RAGGED)
@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_a_batch_of_ragged_products_is_one(case: dict[str, Any], axes: Any) -> None:
    function, arrays = ragged(case)
    stacked = [
        a if axis is None else np.stack([a, 2 * a]) for a, axis in zip(arrays, axes, strict=True)
    ]
    made = vmap_function(function, axes, axis_size=2)
    found = evaluate(made, *stacked)
    for k in range(2):
        one = [a if axis is None else a[k] for a, axis in zip(stacked, axes, strict=True)]
        near([found[k]], [evaluate(function, *one)])


def test_products_have_second_derivatives() -> None:
    function = function_of(lambda a: ops.sum(ops.matmul(a, ops.matmul(a, a))), (3, 3))
    (a,) = normal((3, 3))
    moved = jvp_function(grad_function(function), value=False)
    gradient = jax.grad(lambda x: jnp.sum(x @ (x @ x)))
    near([evaluate(moved, a, a)], [jax.jvp(gradient, (a,), (a,))[1]])
