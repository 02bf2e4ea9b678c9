"""Products, linear algebra and Fourier transforms, against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import AttributeValueError, DTypeError, DxirError, GraphError, ShapeError
from dxir.graph import building

RNG = np.random.default_rng(7)


def normal(*shape: int, dtype: Any = np.float64) -> Any:
    found = RNG.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        found = found + 1j * RNG.standard_normal(shape)
    return found.astype(dtype)


def near(found: Any, wanted: Any, tolerance: float = 1e-5) -> None:
    wanted = np.asarray(wanted)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("left", "right"),
    [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
     ((5, 1, 2, 3), (4, 3, 2)), ((3,), (2, 3, 4)), ((2, 0), (0, 3))],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
def test_products_of_matrices_are_those_of_numpy(
    run: Any, left: Any, right: Any, dtype: str
) -> None:
    x, y = normal(*left, dtype=dtype), normal(*right, dtype=dtype)
    near(run(xp.matmul, x, y), x @ y)
    near(run(lambda a, b: a @ b, x, y), x @ y)
    near(run(xp.dot, x, y), np.dot(x, y)) if len(left) < 3 and len(right) < 3 else None


def test_products_of_tensors_are_those_of_numpy(run: Any) -> None:
    x, y = normal(2, 3, 4), normal(3, 4, 5)
    near(run(xp.tensordot, x, y), np.tensordot(x, y))
    near(run(lambda a, b: xp.tensordot(a, b, axes=0), x[0], y[0]), np.tensordot(x[0], y[0], 0))
    axes = ((2, 1), (1, 0))
    near(run(lambda a, b: xp.tensordot(a, b, axes=axes), x, y), np.tensordot(x, y, axes))
    near(run(lambda a, b: xp.einsum("abc,bcd->da", a, b), x, y), np.einsum("abc,bcd->da", x, y))
    near(run(lambda a: xp.einsum("abc->b", a), x), np.einsum("abc->b", x))
    near(run(xp.linalg.outer, x[0, 0], y[0, 0]), np.outer(x[0, 0], y[0, 0]))
    z, w = normal(2, 3, 4, dtype="complex64"), normal(3, 4, dtype="complex64")
    near(run(xp.vecdot, z, w), np.vecdot(z, w))
    near(run(lambda a, b: xp.vecdot(a, b, axis=-2), z, w), np.vecdot(z, w, axis=-2))
    near(run(xp.dot, x, y[0]), np.dot(x, y[0]))
    assert run(xp.vecdot, np.array([100, 2], np.int8), np.array([2, 1], np.int8)).dtype == np.int8


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 4), (1, 1), (2, 0, 2, 2)])
def test_square_matrices_are_treated_as_by_numpy(run: Any, shape: Any, dtype: str) -> None:
    x = normal(*shape, dtype=dtype)
    tolerance = 1e-3
    near(run(xp.linalg.det, x), np.linalg.det(x), tolerance)
    near(run(xp.linalg.inv, x), np.linalg.inv(x), tolerance)
    for found, wanted in zip(run(xp.linalg.slogdet, x), np.linalg.slogdet(x), strict=True):
        near(found, wanted, tolerance)
    for n in (0, 1, 3, -2):
        found = run(lambda a, n=n: xp.linalg.matrix_power(a, n), x)
        wanted = np.linalg.matrix_power(x, n)
        np.testing.assert_allclose(found, wanted, rtol=0.02, atol=0.02 * (1 + abs(wanted).max(
            initial=0)))  # fmt: skip
    hermitian = x + np.conj(x.mT)
    near(run(xp.linalg.eigvalsh, hermitian), np.linalg.eigvalsh(hermitian), tolerance)
    values, vectors = run(xp.linalg.eigh, hermitian)
    near(vectors @ (values[..., None] * np.conj(vectors.mT)), hermitian, tolerance)
    positive = x @ np.conj(x.mT) + np.eye(shape[-1], dtype=dtype)
    for upper in (False, True):
        near(
            run(lambda a, u=upper: xp.linalg.cholesky(a, upper=u), positive),
            np.linalg.cholesky(positive, upper=upper),
            tolerance,
        )


@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3, 1)),
     ((3, 3), (2, 3, 4))],
)  # fmt: skip
def test_systems_are_solved_as_by_numpy(run: Any, left: Any, right: Any) -> None:
    a, b = normal(*left) + 3 * np.eye(3), normal(*right)
    near(run(xp.linalg.solve, a, b), np.linalg.solve(a, b))


@pytest.mark.parametrize("mode", ["reduced", "complete"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_factors_multiply_to_the_matrix(run: Any, shape: Any, mode: str) -> None:
    x = normal(*shape)
    q, r = run(lambda a: tuple(xp.linalg.qr(a, mode=mode)), x)
    assert (q.shape, r.shape) == tuple(a.shape for a in np.linalg.qr(x, mode=mode))
    near(q @ r, x)
    near(q.mT @ q, np.broadcast_to(np.eye(q.shape[-1]), (*shape[:-2], *(q.shape[-1],) * 2)))


@pytest.mark.parametrize("offset", [-9, -2, 0, 1, 3])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 5), (4, 2)])
def test_diagonals_and_traces_are_those_of_numpy(run: Any, shape: Any, offset: int) -> None:
    x = normal(*shape)
    near(
        run(lambda a: xp.linalg.diagonal(a, offset=offset), x),
        np.linalg.diagonal(x, offset=offset),
    )
    near(run(lambda a: xp.linalg.trace(a, offset=offset), x), np.linalg.trace(x, offset=offset))


@pytest.mark.parametrize("order", [2, 1, 0, 3, -1, 0.5, math.inf, -math.inf])
def test_norms_of_vectors_are_those_of_numpy(run: Any, order: Any) -> None:
    x = normal(2, 3, 4)
    for axis in (None, 0, (0, 2)):
        for keepdims in (False, True):
            found = run(
                lambda a, i=axis, k=keepdims: xp.linalg.vector_norm(a, axis=i, keepdims=k,
                                                                    ord=order), x
            )  # fmt: skip
            wanted = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=order)
            near(found, wanted)


@pytest.mark.parametrize("order", ["fro", 1, -1, math.inf, -math.inf])
def test_norms_of_matrices_are_those_of_numpy(run: Any, order: Any) -> None:
    x = normal(2, 3, 4)
    for keepdims in (False, True):
        found = run(lambda a, k=keepdims: xp.linalg.matrix_norm(a, keepdims=k, ord=order), x)
        near(found, np.linalg.matrix_norm(x, keepdims=keepdims, ord=order))


def test_cross_products_are_those_of_numpy(run: Any) -> None:
    x, y = normal(2, 3), normal(4, 1, 3)
    near(run(xp.linalg.cross, x, y), np.cross(x, y))
    near(run(lambda a, b: xp.linalg.cross(a, b, axis=0), x.T.copy(), x.T.copy() + 1),
         np.cross(x.T, x.T + 1, axis=0))  # fmt: skip


def test_singular_values_are_computed_of_numbers() -> None:
    x = normal(3, 2)
    near(xp.linalg.svdvals(x).numpy(), np.linalg.svdvals(x))
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    near((u.numpy() * s.numpy()) @ vh.numpy(), x)
    near(xp.linalg.pinv(x).numpy(), np.linalg.pinv(x))
    assert int(xp.linalg.matrix_rank(x)) == 2
    for order in (2, -2, "nuc"):
        near(xp.linalg.matrix_norm(x, ord=order).numpy(), np.linalg.matrix_norm(x, ord=order))


@pytest.mark.parametrize("name", ["svd", "svdvals", "pinv", "matrix_rank"])
def test_singular_values_are_refused_while_tracing(name: str) -> None:
    graph = dxir.Function("main", [dxir.f32[3, 3]])
    x = Array(graph.params[0])
    with building(graph), pytest.raises(GraphError, match=f"{name}: there is no op for singular"):
        getattr(xp.linalg, name)(x)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: xp.matmul(xp.ones(3), 2), ShapeError, "matmul takes no scalars"),
        (lambda: xp.ones((2, 3)) @ xp.ones((2, 3)), ShapeError, "matmul"),
        (lambda: xp.linalg.inv(xp.ones((2, 3))), ShapeError, "inv takes square matrices"),
        (lambda: xp.linalg.det(xp.ones(3)), ShapeError, "det takes matrices"),
        (lambda: xp.linalg.cross(xp.ones(2), xp.ones(2)), ShapeError, "vectors of 3 elements"),
        (lambda: xp.linalg.qr(xp.ones((2, 2)), mode="raw"), AttributeValueError, "mode is 'raw'"),
        (lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord=5), AttributeValueError, "ord is 5"),
        (lambda: xp.vecdot(xp.ones(2), xp.ones(3)), ShapeError, "vectors of 2 and 3 elements"),
        (lambda: xp.tensordot(xp.ones(2), xp.ones(2)), ShapeError, "tensordot: 2 axes of"),
        (lambda: xp.einsum(xp.ones(2), "i"), DxirError, "einsum: the first argument is Array"),
        (lambda: xp.fft.rfft(xp.asarray([1j])), DTypeError, "rfft takes real numbers"),
        (lambda: xp.fft.fft(xp.ones(3), norm="no"), AttributeValueError, "norm is 'no'"),
        (lambda: xp.fft.fft(xp.ones(3), n=0), ShapeError, "a transform of 0 elements"),
    ],
)
def test_matrices_that_do_not_fit_are_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        call()
    assert __file__ in str(refused.value)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transforms_along_an_axis_are_those_of_numpy(run: Any, name: str, norm: str) -> None:
    x = normal(3, 6, 4, dtype="float64" if name in ("rfft", "ihfft") else "complex128")
    for n in (None, 4, 9):
        for axis in (-1, 1):
            found = run(lambda a, n=n, i=axis: getattr(xp.fft, name)(a, n=n, axis=i, norm=norm), x)
            near(found, getattr(np.fft, name)(x, n, axis, norm))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_transforms_along_several_axes_are_those_of_numpy(run: Any, name: str) -> None:
    x = normal(3, 4, 6, dtype="float64" if name == "rfftn" else "complex128")
    for s, axes in ((None, None), (None, (0, 2)), ((2, 5), (1, 2))):
        found = run(lambda a, s=s, i=axes: getattr(xp.fft, name)(a, s=s, axes=i), x)
        near(found, getattr(np.fft, name)(x, s, axes))


def test_frequencies_are_those_of_numpy(run: Any) -> None:
    for n in (1, 4, 5):
        near(xp.fft.fftfreq(n, d=0.5).numpy(), np.fft.fftfreq(n, 0.5).astype(np.float32))
        near(xp.fft.rfftfreq(n).numpy(), np.fft.rfftfreq(n).astype(np.float32))
    x = normal(4, 5)
    near(run(xp.fft.fftshift, x), np.fft.fftshift(x))
    near(run(lambda a: xp.fft.ifftshift(a, axes=1), x), np.fft.ifftshift(x, 1))
    assert run(xp.fft.fft, normal(4, dtype="float32")).dtype == np.complex64
