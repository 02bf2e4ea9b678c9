from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import bf16, c64, f32, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.op import trace
from dxir.types import TensorType

RNG = np.random.default_rng(0)


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def run(body: Callable[..., Any], *arrays: Any) -> Any:
    function = function_of(body, *(TensorType.of_array(a) for a in arrays))
    found = dxir.compile(function)(*arrays)
    if isinstance(found, tuple):
        return tuple(np.asarray(x) for x in found)
    return np.asarray(found)


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    data = RNG.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        data = data + 1j * RNG.standard_normal(shape)
    return np.asarray(data).astype(dtype)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((1, 1), np.float32),
        ((3, 6, 6), np.float32),
        ((20, 7), np.float32),
        ((2, 3, 2, 5), np.float32),
        ((5, 5), np.complex64),
    ],
)
def test_lu_and_qr_give_back_the_matrix(shape: tuple[int, ...], dtype: Any) -> None:
    a = normal(*shape, dtype=dtype)
    *_, m, n = shape
    k = min(m, n)
    packed, pivots, permutation = run(ops.lu, a)
    lower = np.tril(packed[..., :k], -1) + np.eye(m, k)
    permuted = np.take_along_axis(a, permutation[..., None], axis=-2)
    np.testing.assert_allclose(lower @ np.triu(packed[..., :k, :]), permuted, atol=3e-5)
    assert np.abs(np.tril(packed[..., :k], -1)).max(initial=0) <= 1 + 1e-6
    assert (pivots >= np.arange(k)).all()
    q, r = run(ops.qr, a)
    np.testing.assert_allclose(q @ r, a, atol=3e-5)
    np.testing.assert_allclose(
        q.conj().swapaxes(-1, -2) @ q, np.broadcast_to(np.eye(k), (*r.shape[:-1], k)), atol=3e-6
    )
    assert (np.tril(r, -1) == 0).all()


def test_lu_pivots_as_lapack_does() -> None:
    for shape in ((6, 3), (3, 6)):
        a = normal(*shape)
        packed, pivots, permutation = run(ops.lu, a)
        wanted = jax.lax.linalg.lu(jnp.asarray(a))
        np.testing.assert_allclose(packed, wanted[0], rtol=2e-4, atol=2e-5)
        np.testing.assert_array_equal(pivots, wanted[1])
        np.testing.assert_array_equal(permutation, wanted[2])


def test_qr_has_the_signs_of_lapack() -> None:
    for a in (normal(6, 3), normal(4, 4, dtype=np.complex64), np.eye(3, dtype=np.float32)):
        for found, wanted in zip(run(ops.qr, a), np.linalg.qr(a), strict=True):
            np.testing.assert_allclose(found, wanted, atol=2e-5)


@pytest.mark.parametrize(
    ("n", "dtype"), [(1, np.float32), (2, np.complex64), (9, np.float64), (25, np.float32)]
)
def test_eigh_diagonalizes(n: int, dtype: Any) -> None:
    a = normal(3, n, n, dtype=dtype)
    a = a + a.conj().swapaxes(-1, -2)
    values, vectors = run(ops.eigh, a)
    eps = 60 * np.finfo(dtype).eps * max(1.0, np.abs(a).max())
    np.testing.assert_allclose(values, np.linalg.eigvalsh(a), atol=eps)
    np.testing.assert_allclose(a @ vectors, vectors * values[:, None, :], atol=eps)
    unit = vectors.conj().swapaxes(-1, -2) @ vectors
    np.testing.assert_allclose(unit, np.broadcast_to(np.eye(n), a.shape), atol=eps)


@pytest.mark.parametrize(
    "a",
    [
        np.eye(6),
        np.ones((5, 5)),
        np.zeros((3, 3)),
        np.diag([1e20, 1.0, 1e-20]),
        np.full((2, 2), 1e30),
        np.array([[1e-30, 2e-30], [2e-30, 5e-30]]),
    ],
)
def test_eigh_stays_right_for_multiple_and_for_extreme_eigenvalues(a: Any) -> None:
    values, vectors = run(ops.eigh, a.astype(np.float32))
    scale = float(np.abs(a).max()) or 1.0
    np.testing.assert_allclose(values / scale, np.linalg.eigvalsh(a / scale), atol=1e-6)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(a)), atol=1e-6)


def test_eigh_gives_nan_only_for_the_matrix_that_holds_some() -> None:
    a = np.stack([np.eye(3), np.full((3, 3), np.inf), np.full((3, 3), np.nan)]).astype(np.float32)
    values, vectors = run(ops.eigh, a)
    np.testing.assert_array_equal(values[0], 1)
    assert np.isnan(values[1:]).all()
    assert np.isnan(vectors[1:]).all()


def test_solve_det_and_inv_agree_with_numpy() -> None:
    a, b = normal(4, 6, 6), normal(4, 6, 2)
    np.testing.assert_allclose(run(ops.solve, a, b), np.linalg.solve(a, b), rtol=2e-3, atol=1e-4)
    np.testing.assert_allclose(run(ops.det, a), np.linalg.det(a), rtol=1e-4)
    np.testing.assert_allclose(run(ops.inv, a) @ a, np.broadcast_to(np.eye(6), a.shape), atol=1e-4)


def test_a_singular_system_gives_no_finite_numbers() -> None:
    a = np.array([[1, 2], [2, 4]], np.float32)
    assert not np.isfinite(run(ops.solve, a, np.array([1, 1], np.float32))).any()
    assert run(ops.det, a) == 0
    assert np.isposinf(run(ops.solve, np.zeros((1, 1), np.float32), np.ones(1, np.float32))).all()


def test_the_factorizations_become_loops_without_custom_calls() -> None:
    for op in (ops.lu, ops.qr, ops.eigh, ops.det, ops.inv):
        found = dxir.lower(function_of(op, f32[4, 4])).decompose().op_counts()
        assert "stablehlo.custom_call" not in found
        assert found.get("stablehlo.while", 0) >= 1


def test_real_and_complex_transforms_undo_each_other() -> None:
    x = normal(3, 8, 9)
    back = run(lambda x: ops.irfft(ops.rfft(x, fft_length=(8, 9)), fft_length=(8, 9)), x)
    np.testing.assert_allclose(back, x, atol=1e-6)
    z = normal(4, 7, dtype=np.complex64)
    np.testing.assert_allclose(run(lambda z: ops.ifft(ops.fft(z)), z), z, atol=1e-6)


@pytest.mark.parametrize(
    ("body", "types", "error", "words"),
    [
        (ops.cholesky, (f32[2, 3],), ShapeError, "last two axes are 2 and 3"),
        (ops.cholesky, (i32[2, 2],), DTypeError, "float or complex"),
        (ops.cholesky, (f32[2],), ShapeError, "at least 2 dimensions"),
        (ops.triangular_solve, (f32[2, 2], f32[3, 1]), ShapeError, "axis -2 of b must have size 2"),
        (ops.triangular_solve, (f32[2, 2], bf16[2, 1]), DTypeError, "the element types differ"),
        (
            lambda a, b: ops.triangular_solve(a, b, transpose_a="TRANSPOSE_INVALID"),
            (f32[2, 2], f32[2, 1]),
            AttributeValueError,
            "NO_TRANSPOSE, TRANSPOSE, ADJOINT",
        ),
        (ops.fft, (f32[4],), DTypeError, "it must be c64 or c128"),
        (ops.rfft, (c64[4],), DTypeError, "it must be f32 or f64"),
        (lambda x: ops.fft(x, fft_length=(3,)), (c64[4],), ShapeError, "needs axes of size [3]"),
        (
            lambda x: ops.irfft(x, fft_length=(9,)),
            (c64[4],),
            ShapeError,
            "needs axes of size [5]",
        ),
        (
            lambda x: ops.fft(x, fft_length=(2, 2, 2, 2)),
            (c64[2, 2, 2, 2],),
            AttributeValueError,
            "one to three sizes",
        ),
        (ops.solve, (f32[3, 3], f32[2, 1]), ShapeError, "b must be [..., 3, k]"),
        (ops.solve, (f32[2, 3, 3], f32[4, 3, 1]), ShapeError, "[2] and [4] do not broadcast"),
        (ops.det, (f32[2, 3],), ShapeError, "square matrices are needed"),
        (ops.lu, (i32[2, 2],), DTypeError, "float or complex"),
    ],
)
def test_what_an_op_cannot_take_is_said_with_this_line(
    body: Any, types: Any, error: type[DxirError], words: str
) -> None:
    with pytest.raises(error) as caught:
        function_of(body, *types)
    assert words in str(caught.value)
    assert "test_linalg.py" in str(caught.value.where)


def test_every_direction_of_a_triangular_solve_agrees_with_its_reference() -> None:
    a, b = normal(3, 3) + 4 * np.eye(3, dtype=np.float32), normal(3, 3)
    flags = (True, False)

    def solved(a: Value, b: Value) -> list[Value]:
        return [
            ops.triangular_solve(
                a, b, left_side=left, lower_triangle=lower, unit_diagonal=unit, transpose_a=how
            )
            for left, lower, unit in product(flags, flags, flags)
            for how in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
        ]

    function = function_of(solved, f32[3, 3], f32[3, 3])
    results = dxir.compile(function)(a, b)
    assert len(results) == 24
    for found, wanted in zip(results, evaluate(function, a, b), strict=True):
        np.testing.assert_allclose(np.asarray(found), wanted, atol=1e-4, rtol=1e-4)
