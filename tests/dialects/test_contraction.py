from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import DotAlgorithm, bf16, f32, i8, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import QuantizedType, TensorType

ROOT = Path(__file__).parents[2]
CASES = {c["name"]: c for c in json.loads((ROOT / "examples/cases/numeric.json").read_text())}
NAN, INF = np.nan, np.inf


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def both(body: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """What the device and what the reference give."""
    given = [np.asarray(a) for a in arrays]
    function = function_of(body, *(TensorType.of_array(a) for a in given))
    found = dxir.compile(function)(*given)
    return np.asarray(found), evaluate(function, *given)


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def text(body: Callable[..., Any], *types: TensorType) -> str:
    return str(dxir.lower(function_of(body, *types)).decompose())


def random(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def named(shape: tuple[int, ...], names: str) -> TensorType:
    return TensorType(shape, f32, tuple(names))


def test_the_given_matmul_holds() -> None:
    case = CASES["matmul"]
    given = [np.array(i, np.float32) for i in case["inputs"]]
    for found in both(ops.matmul, *given):
        np.testing.assert_array_equal(found, np.array(case["expected"], np.float32))


def test_a_matmul_of_matrices_contracts_one_with_zero() -> None:
    assert counts(ops.matmul, f32[2, 3], f32[3, 4]) == {"dot_general": 1}
    assert "contracting_dims = [1] x [0]" in text(ops.matmul, f32[2, 3], f32[3, 4])


def test_a_matmul_of_batches_names_them_and_broadcasts_them_outright() -> None:
    written = text(ops.matmul, f32[5, 2, 3], f32[5, 3, 4])
    assert "batching_dims = [0] x [0], contracting_dims = [2] x [1]" in written
    found = counts(ops.matmul, f32[5, 1, 2, 3], f32[6, 3, 4])
    assert found == {"broadcast_in_dim": 2, "dot_general": 1}


def test_a_dot_of_vectors_contracts_zero_with_zero() -> None:
    assert "contracting_dims = [0] x [0]" in text(ops.dot, f32[3], f32[3])


def test_the_type_of_a_product_comes_from_its_operands() -> None:
    """B25: an operand's printed type can never be that of the result."""
    (result,) = function_of(ops.matmul, f32[1, 1], f32[1, 16]).result_types
    assert result == f32[1, 16]
    with pytest.raises(ShapeError, match="axis 1 of f32"):
        function_of(ops.matmul, f32[1, 16], f32[1, 1])


def test_shared_axis_names_contract() -> None:
    x, y = named((2, 3, 4), "bsd"), named((4, 5), "df")
    function = function_of(ops.matmul, x, y)
    (result,) = function.result_types
    assert isinstance(result, TensorType)
    assert (result.shape, result.axis_names) == ((2, 3, 5), ("b", "s", "f"))
    a, b = random(2, 3, 4), random(4, 5)
    np.testing.assert_allclose(evaluate(function, a, b), a @ b, rtol=1e-5, atol=1e-6)


def test_shared_axis_names_that_the_result_declares_are_batches() -> None:
    x, y = named((2, 3, 4), "bsd"), named((2, 4, 5), "bdt")

    def body(a: Any, b: Any) -> Any:
        return ops.matmul(a, b, result_axes=("t", "b", "s"))

    function = function_of(body, x, y)
    (result,) = function.result_types
    assert isinstance(result, TensorType)
    assert (result.shape, result.axis_names) == ((5, 2, 3), ("t", "b", "s"))
    assert counts(body, x, y) == {"dot_general": 1, "transpose": 1}
    a, b = random(2, 3, 4), random(2, 4, 5)
    wanted = np.einsum("bsd,bdt->tbs", a, b)
    np.testing.assert_allclose(dxir.compile(function)(a, b), wanted, rtol=1e-5, atol=1e-5)


def test_equal_types_with_other_axis_names_contract_otherwise() -> None:
    def body(a: Any, b: Any, c: Any) -> Any:
        return ops.matmul(a, b), ops.matmul(a, c)

    types = named((3, 3), "ij"), named((3, 3), "jk"), named((3, 3), "kj")
    function = function_of(body, *types)
    a, b = random(3, 3), random(3, 3, seed=1)
    first, second = dxir.compile(function)(a, b, b)
    np.testing.assert_allclose(first, a @ b, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(second, a @ b.T, rtol=1e-5, atol=1e-5)


def test_vectors_and_matrices_multiply_as_in_numpy() -> None:
    for left, right in (((3,), (2, 3, 4)), ((2, 4, 3), (3,)), ((3,), (3,)), ((1, 2, 3), (3, 2))):
        a, b = random(*left), random(*right, seed=1)
        for found in both(ops.matmul, a, b):
            np.testing.assert_allclose(found, np.matmul(a, b), rtol=1e-5, atol=1e-5)


def test_nan_and_infinity_go_through_a_product() -> None:
    a = np.array([[NAN, 1], [INF, 1], [1, 2]], np.float32)
    b = np.array([[1, 0], [1, 1]], np.float32)
    wanted = np.array([[NAN, NAN], [INF, NAN], [3, 2]], np.float32)
    for found in both(ops.matmul, a, b):
        np.testing.assert_array_equal(found, wanted)


def test_precision_and_algorithm_are_written_on_the_op() -> None:
    def precise(a: Any, b: Any) -> Any:
        return ops.matmul(a, b, precision=("HIGH", "HIGHEST"))

    assert "precision = [HIGH, HIGHEST]" in text(precise, f32[2, 3], f32[3, 4])

    def exact(a: Any, b: Any) -> Any:
        return ops.dot_general(
            a, b, lhs_contracting=(1,), rhs_contracting=(0,),
            algorithm=DotAlgorithm(bf16, bf16, f32, num_primitive_operations=3),
        )  # fmt: skip

    assert "num_primitive_operations = 3" in text(exact, f32[2, 3], f32[3, 4])


def test_a_quantized_product_is_built_when_its_result_is_said() -> None:
    q = QuantizedType(i8, f32, (0.5,), (0,))
    wide = QuantizedType(i32, f32, (0.25,), (0,))

    def body(a: Any, b: Any, kind: Any) -> Any:
        return ops.dot_general(
            a, b, lhs_contracting=(1,), rhs_contracting=(0,), preferred_element_type=kind
        )

    assert "quant.uniform" in text(lambda a, b: body(a, b, wide), q[2, 3], q[3, 4])
    with pytest.raises(DTypeError, match="say it with preferred_element_type"):
        function_of(lambda a, b: body(a, b, None), q[2, 3], q[3, 4])


SPECS: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij,jk->ki", [(2, 3), (3, 4)]),
    ("bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]),
    ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 2)]),
    ("ab,bc,cd,de->ae", [(2, 3), (3, 4), (4, 5), (5, 2)]),
    ("ij,ij->", [(3, 4), (3, 4)]),
    ("iij,jkk->ik", [(3, 3, 2), (2, 4, 4)]),
    ("ij,kj->ijk", [(2, 3), (4, 3)]),
    ("ab,cd->bd", [(2, 3), (4, 5)]),
    ("a,b,c->cab", [(2,), (3,), (4,)]),
    ("ij,j", [(2, 1), (3,)]),
]


@pytest.mark.parametrize(("spec", "shapes"), SPECS)
def test_einsum_agrees_with_numpy_and_jax(spec: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [random(*shape, seed=i) for i, shape in enumerate(shapes)]
    function = function_of(lambda *xs: ops.einsum(spec, xs), *(f32[s] for s in shapes))
    wanted = np.einsum(spec, *(a.astype(np.float64) for a in arrays))
    for found in (dxir.compile(function)(*arrays), evaluate(function, *arrays)):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    assert "stablehlo.einsum" not in str(dxir.lower(function))


def test_einsum_contracts_a_chain_in_the_cheap_order() -> None:
    found = text(lambda *xs: ops.einsum("ij,jk,kl->il", xs), f32[2, 50], f32[50, 60], f32[60, 3])
    assert "tensor<2x60xf32>" in found
    assert "tensor<50x3xf32>" not in found


def test_a_diagonal_is_taken_without_touching_what_lies_beside_it() -> None:
    x = np.array([[1, NAN], [INF, 2]], np.float32)
    for found in both(lambda x: ops.einsum("ii->i", (x,)), x):
        np.testing.assert_array_equal(found, [1, 2])


RAGGED: list[tuple[dict[str, Any], tuple[int, ...], tuple[int, ...], Any]] = [
    (
        {"lhs_contracting": (1,), "rhs_contracting": (1,), "lhs_ragged": (0,), "rhs_group": (0,)},
        (6, 3), (2, 3, 4), [2, 3],
    ),
    (
        {"lhs_contracting": (0,), "rhs_contracting": (0,), "lhs_ragged": (0,)},
        (6, 3), (6, 4), [2, 0, 4],
    ),
    (
        {
            "lhs_contracting": (2,), "rhs_contracting": (1,), "lhs_batching": (0,),
            "rhs_batching": (0,), "lhs_ragged": (0,),
        },
        (4, 6, 3), (4, 3, 2), [1, 3],
    ),
    (
        {
            "lhs_contracting": (2,), "rhs_contracting": (2,), "lhs_batching": (0,),
            "rhs_batching": (1,), "lhs_ragged": (1,), "rhs_group": (0,),
        },
        (2, 6, 3), (2, 2, 3, 4), [[1, 3], [4, 2]],
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(RAGGED)))
def test_ragged_products_match_jax(case: int) -> None:
    dims, left, right, groups = RAGGED[case]
    a, b, sizes = random(*left), random(*right, seed=1), np.array(groups, np.int32)
    types = [TensorType.of_array(v) for v in (a, b, sizes)]
    function = function_of(lambda a, b, s: ops.ragged_dot(a, b, s, **dims), *types)
    numbers = jax.lax.RaggedDotDimensionNumbers(
        dot_dimension_numbers=(
            (dims["lhs_contracting"], dims["rhs_contracting"]),
            (dims.get("lhs_batching", ()), dims.get("rhs_batching", ())),
        ),
        lhs_ragged_dimensions=dims["lhs_ragged"],
        rhs_group_dimensions=dims.get("rhs_group", ()),
    )
    wanted = jax.lax.ragged_dot_general(a, b, sizes, numbers)
    np.testing.assert_allclose(evaluate(function, a, b, sizes), wanted, rtol=1e-5, atol=1e-5)


def _dot(**attrs: Any) -> Callable[..., Any]:
    return lambda a, b: ops.dot_general(a, b, **attrs)


MISTAKES: list[tuple[Callable[..., Any], list[TensorType], type[DxirError], str]] = [
    (ops.matmul, [f32[2, 3], f32[4, 5]], ShapeError, r"axis 1 of f32\[2, 3\] has size 3, but axis"),
    (ops.matmul, [f32[2, 3], i32[3, 5]], DTypeError, r"f32\[2, 3\], i32\[3, 5\]"),
    (ops.matmul, [f32[()], f32[3, 5]], ShapeError, "needs at least 1 dimension"),
    (ops.matmul, [f32[2, 2, 3], f32[5, 3, 4]], ShapeError, r"shapes \[2\] and \[5\] do not"),
    (
        ops.matmul, [named((2, 3), "ab"), named((3, 4), "cd")], ShapeError,
        r"axes \['a', 'b'\] and \['c', 'd'\] share no name",
    ),
    (
        lambda a, b: ops.matmul(a, b, result_axes=("a", "q")),
        [named((2, 3), "ab"), named((3, 4), "bc")], ShapeError, "cannot come from axes",
    ),
    (
        lambda a, b: ops.matmul(a, b, result_axes=("a",)), [f32[2, 3], f32[3, 4]],
        AttributeValueError, "do not both have axis names",
    ),
    (ops.dot, [f32[2, 3], f32[3]], ShapeError, r"x has type f32\[2, 3\], but needs 1 dim"),
    (
        _dot(lhs_contracting=(0,), rhs_contracting=(0, 1)), [f32[2, 3], f32[2, 3]], ShapeError,
        "differ in length",
    ),
    (
        _dot(lhs_contracting=(0,), rhs_contracting=(0,), lhs_batching=(0,), rhs_batching=(1,)),
        [f32[3, 3], f32[3, 3]], ShapeError, "name an axis twice",
    ),
    (
        _dot(lhs_contracting=(2,), rhs_contracting=(0,)), [f32[3, 3], f32[3, 3]], ShapeError,
        "lhs_contracting 2 is out of range for rank 2",
    ),
    (
        _dot(lhs_contracting=(1,), rhs_contracting=(0,), precision="FAST"),
        [f32[3, 3], f32[3, 3]], AttributeValueError, "one of DEFAULT, HIGH, HIGHEST",
    ),
    (
        _dot(lhs_contracting=(1,), rhs_contracting=(0,), preferred_element_type=i32),
        [f32[3, 3], f32[3, 3]], DTypeError, "preferred_element_type i32 does not suit",
    ),
    (
        _dot(lhs_contracting=(1,), rhs_contracting=(0,), algorithm=DotAlgorithm(f32, f32, bf16)),
        [f32[3, 3], f32[3, 3]], AttributeValueError, "no device has the algorithm",
    ),
    (
        _dot(lhs_contracting=(1,), rhs_contracting=(0,), algorithm="TF32_TF32_F32"),
        [f32[3, 3], f32[3, 3]], AttributeValueError, "is a DotAlgorithm, not 'TF32_TF32_F32'",
    ),
    (
        _dot(
            lhs_contracting=(1,), rhs_contracting=(0,), precision="HIGH",
            algorithm=DotAlgorithm(f32, f32, f32),
        ),
        [f32[3, 3], f32[3, 3]], AttributeValueError, "leave precision out",
    ),
    (
        lambda a, b: ops.einsum("ij,jk->ik", (a, b)), [f32[2, 3], f32[4, 5]], ShapeError,
        "index 'j' of 'ij,jk->ik' is 3 and 4",
    ),
    (
        lambda a, b: ops.einsum("ij,jk->iz", (a, b)), [f32[2, 3], f32[3, 5]],
        AttributeValueError, "z",
    ),
    (
        lambda a, b: ops.einsum("ij,jkl", (a, b)), [f32[2, 3], f32[3, 5]], ShapeError,
        r"'jkl' of 'ij,jkl' does not fit f32\[3, 5\]",
    ),
    (
        lambda a, b: ops.einsum("ij,jk,kl", (a, b)), [f32[2, 3], f32[3, 5]], ShapeError,
        "has 3 entries, but 2 are needed",
    ),
    (
        lambda a, b: ops.ragged_dot(
            a, b, np.array([1, 2], np.int32), lhs_contracting=(1,), rhs_contracting=(0,),
            lhs_ragged=(0,),
        ),
        [f32[3, 3], f32[3, 3]], ShapeError, r"rhs_group \(free axis\) has 0 entries",
    ),
]  # fmt: skip


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_a_mistake_is_named_with_the_line_it_is_on(mistake: int) -> None:
    body, types, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=message) as caught:
        function_of(body, *types)
    assert __file__ in str(caught.value)


@pytest.mark.parametrize("seed", range(6))
def test_the_reference_of_a_contraction_matches_jax_for_any_axes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = {c: int(rng.integers(1, 5)) for c in "bckmn"}
    left = "".join(rng.permutation(list("bckm")))
    right = "".join(rng.permutation(list("bckn")))
    a = random(*(sizes[c] for c in left))
    b = random(*(sizes[c] for c in right), seed=1)
    dims = {
        "lhs_contracting": [left.index(c) for c in "ck"],
        "rhs_contracting": [right.index(c) for c in "ck"],
        "lhs_batching": [left.index("b")],
        "rhs_batching": [right.index("b")],
    }
    wanted = jnp.einsum(f"{left},{right}->bmn", a, b, precision="highest")
    found = evaluate(function_of(_dot(**dims), *map(TensorType.of_array, (a, b))), a, b)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
