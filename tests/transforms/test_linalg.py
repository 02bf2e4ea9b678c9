"""Derivatives and batches of linear algebra: against JAX, at the edges, and how they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import TransformError
from dxir.graph import Function, Module
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import c128, f64

jax = pytest.importorskip("jax")
jnp = jax.numpy
_RNG = np.random.default_rng(16)

Array = Any


@pytest.fixture(autouse=True)
def _wide() -> Any:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def normal(*shape: int, kind: str = "f") -> Array:
    real = _RNG.standard_normal(shape)
    return real + 1j * _RNG.standard_normal(shape) if kind == "c" else real


def definite(n: int, kind: str = "f") -> Array:
    half = normal(n, n, kind=kind)
    return half @ half.conj().T + n * np.eye(n)


def function_of(build: Callable[..., Any], arguments: tuple[Array, ...]) -> Function:
    b = dxir.Builder("main")
    params = [b.param((c128 if a.dtype.kind == "c" else f64)[a.shape]) for a in arguments]
    results = build(*params)
    return b.build(*(results if isinstance(results, tuple) else (results,)))


def evaluated(function: Function, *arguments: Array) -> list[Array]:
    found = dxir.evaluate(function, *arguments)
    return list(found) if isinstance(found, tuple) else [found]


def compare(build: Callable[..., Any], of_jax: Callable[..., Any], *arguments: Array) -> None:
    """The vjp and the jvp against JAX's."""
    function = function_of(build, arguments)
    values = jax.eval_shape(of_jax, *arguments)
    many = values if isinstance(values, tuple) else (values,)
    g = [normal(*v.shape, kind=v.dtype.kind) for v in many]
    tangents = [normal(*a.shape, kind=a.dtype.kind) for a in arguments]

    @jax.jit
    def both(at: Any, given: Any, directions: Any) -> Any:
        pulled = jax.vjp(of_jax, *at)[1](given if isinstance(values, tuple) else given[0])
        return pulled, jax.jvp(of_jax, at, directions)[1]

    wanted, moved = both(arguments, tuple(g), tuple(tangents))
    found = evaluated(vjp_function(function, value=False), *arguments, *g)
    found += evaluated(jvp_function(function, value=False), *arguments, *tangents)
    all_wanted = [*wanted, *(moved if isinstance(moved, tuple) else (moved,))]
    for x, y in zip(found, all_wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("kind", ["f", "c"])
@pytest.mark.parametrize("lower", [True, False])
def test_the_gradient_of_cholesky_is_hermitian_as_that_of_jax(lower: bool, kind: str) -> None:
    compare(
        lambda a: ops.cholesky(a, lower_triangle=lower),
        lambda a: jnp.linalg.cholesky(a, upper=not lower),
        definite(4, kind),
    )


@pytest.mark.parametrize("kind", ["f", "c"])
@pytest.mark.parametrize(
    ("left", "lower", "unit"),
    [(True, True, False), (True, False, True), (False, True, True), (False, False, False)],
)
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_every_kind_of_triangular_system_agrees_with_jax(
    left: bool, lower: bool, unit: bool, transpose: str, kind: str
) -> None:
    options: dict[str, Any] = {"left_side": left, "unit_diagonal": unit}
    compare(
        lambda a, b: ops.triangular_solve(
            a, b, lower_triangle=lower, transpose_a=transpose, **options
        ),
        lambda a, b: jax.lax.linalg.triangular_solve(
            a,
            b,
            lower=lower,
            transpose_a=transpose != "NO_TRANSPOSE",
            conjugate_a=transpose == "ADJOINT",
            **options,
        ),
        normal(4, 4, kind=kind) + 5 * np.eye(4),
        normal(*((4, 2) if left else (2, 4)), kind=kind),
    )


@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_fourier_transforms_agree_with_jax(size: int) -> None:
    compare(ops.rfft, jnp.fft.rfft, normal(3, size))
    compare(ops.fft, jnp.fft.fft, normal(2, size, kind="c"))
    compare(ops.ifft, jnp.fft.ifft, normal(2, size, kind="c"))
    half = normal(2, size // 2 + 1, kind="c")
    compare(lambda x: ops.irfft(x, fft_length=(size,)), lambda x: jnp.fft.irfft(x, size), half)
    compare(lambda x: ops.rfft(x, fft_length=(3, size)), jnp.fft.rfft2, normal(3, size))
    compare(
        lambda x: ops.irfft(x, fft_length=(2, size)),
        lambda x: jnp.fft.irfft2(x, (2, size)),
        half,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["f", "c"])
def test_factorizations_and_systems_agree_with_jax(kind: str) -> None:
    a, tall = normal(4, 4, kind=kind), normal(5, 3, kind=kind)
    compare(ops.solve, jnp.linalg.solve, a, normal(4, 2, kind=kind))
    compare(ops.solve, jnp.linalg.solve, a, normal(4, kind=kind))
    compare(ops.inv, jnp.linalg.inv, a)
    for matrix in (a, tall, tall.T):  # with pivots of which nobody is in doubt
        matrix = matrix + 9 * np.eye(*matrix.shape)
        compare(lambda a: ops.lu(a)[0], lambda a: jax.lax.linalg.lu(a)[0], matrix)
    for matrix in (a, tall):
        compare(ops.qr, lambda a: tuple(jnp.linalg.qr(a)), matrix)
    for n in range(1, 6):
        compare(ops.det, jnp.linalg.det, normal(2, n, n, kind=kind))
    hermitian = a + a.conj().T
    compare(lambda a: ops.eigh(a)[0], lambda a: jnp.linalg.eigh(a)[0], hermitian)
    compare(
        lambda a: ops.abs(ops.eigh(a)[1]),
        lambda a: jnp.abs(jnp.linalg.eigh(a)[1]),
        hermitian,
    )


@pytest.mark.parametrize(
    "matrix",
    [
        np.array([[1.0, 2], [2, 4]]),
        np.zeros((2, 2)),
        np.array([[1.0, 2, 3], [2, 4, 6], [0, 1, 1]]),
        np.zeros((3, 3)),
        np.diag([1.0, 2, 3, 0]),
        np.diag([0.0, 1, 2, 3]),
        np.diag([0.0, 0, 2, 3, 1]),
    ],
)
def test_the_gradient_of_det_is_the_cofactors_of_singular_matrices_too(matrix: Array) -> None:
    n = len(matrix)
    minors = [
        [np.linalg.det(np.delete(np.delete(matrix, i, 0), j, 1)) for j in range(n)]
        for i in range(n)
    ]
    signs = (-1.0) ** np.add.outer(np.arange(n), np.arange(n))
    gradient = grad_function(function_of(ops.det, (matrix,)))
    np.testing.assert_allclose(evaluated(gradient, matrix)[0], signs * minors, atol=1e-12)


def test_vectors_of_equal_eigenvalues_do_not_turn_into_each_other() -> None:
    def distance(a: Any) -> Any:
        values, vectors = ops.eigh(a)
        scaled = ops.mul(vectors, ops.reshape(values, shape=(1, 3)))
        again = ops.matmul(scaled, ops.transpose(vectors, permutation=(1, 0)))
        return ops.sum(ops.mul(again, np.arange(9.0).reshape(3, 3)))

    gradient = grad_function(function_of(distance, (np.eye(3),)))
    found = evaluated(gradient, np.eye(3))[0]
    assert np.isfinite(found).all()


def test_a_system_is_factored_once_for_its_value_and_its_gradient() -> None:
    function = function_of(ops.solve, (normal(4, 4), normal(4, 2)))
    names = [n.op for n in vjp_function(function).nodes]
    assert names.count("lu") == 1
    assert names.count("lu_solve") == 2
    twice = jvp_function(vjp_function(function))
    assert [n.op for n in twice.nodes].count("lu") == 1


def test_solving_with_one_matrix_for_a_batch_factors_it_once() -> None:
    function = function_of(ops.solve, (normal(4, 4), normal(4, 2)))
    mapped = vmap_function(function, (None, 0), axis_size=5)
    (solve,) = [n for n in mapped.nodes if n.op == "solve"]
    assert solve.operands[0].shape == (4, 4)
    assert solve.operands[1].shape == (4, 10)
    a, b = normal(4, 4), normal(5, 4, 2)
    np.testing.assert_allclose(evaluated(mapped, a, b)[0], np.linalg.solve(a, b))


@pytest.mark.parametrize("op", ["lu", "qr", "eigh", "det", "inv", "cholesky"])
def test_composites_stay_what_they_are_in_a_batch(op: str) -> None:
    function = function_of(ops.lookup(op), (definite(3),))
    assert op in [n.op for n in vmap_function(function, axis_size=2).nodes]


def test_columns_of_a_complete_q_that_the_matrix_does_not_determine_go_by_the_reflections() -> None:
    a, step = normal(4, 2), 1e-6
    function = function_of(lambda a: ops.qr(a, full_matrices=True), (a,))
    tangent = normal(4, 2)
    found = evaluated(jvp_function(function, value=False), a, tangent)
    ahead, behind = (evaluated(function, a + s * step * tangent) for s in (1, -1))
    for moved, p, m in zip(found, ahead, behind, strict=True):
        np.testing.assert_allclose(moved, (p - m) / (2 * step), atol=1e-7)


def exported(function: Callable[..., Any], *arguments: Array) -> Function:
    from jax import export

    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arguments]
    module = export.export(jax.jit(function), platforms=["cpu"])(*shapes).mlir_module()
    return dxir.load(module).raise_()["main"]


@pytest.fixture(scope="module")
def _routines() -> None:
    """The routines of LAPACK that jaxlib brings, for programs that call them."""
    from jaxlib import lapack

    from dxir.runtime.calls import register_call

    lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float64))
    for name, routine, _ in lapack.registrations()["cpu"]:
        if name.endswith("_ffi"):
            register_call(name, routine)


_A, _W = definite(4), normal(4, 4)
_CALLS: dict[str, tuple[Callable[..., Any], tuple[Array, ...]]] = {
    "potrf": (lambda a: jnp.sum(jnp.linalg.cholesky(a) * _W), (_A,)),
    "trsm": (
        lambda a, b: jnp.sum(jax.scipy.linalg.solve_triangular(a, b, lower=True) ** 2),
        (_A, normal(4, 2)),
    ),
    "getrf": (lambda a, b: jnp.sum(jnp.linalg.solve(a, b) ** 3), (_A, normal(4, 2))),
    "geqrf": (lambda a: sum(jnp.sum(v**3) for v in jnp.linalg.qr(a)), (normal(5, 3),)),
    "syevd": (
        lambda a: jnp.sum(jnp.linalg.eigh(a)[1] ** 2 * _W) + jnp.sum(jnp.linalg.eigh(a)[0] ** 3),
        (_A,),
    ),
}


@pytest.mark.slow
@pytest.mark.usefixtures("_routines")
@pytest.mark.parametrize("name", list(_CALLS))
def test_calls_of_lapack_in_modules_from_jax_have_rules(name: str) -> None:
    of_jax, arguments = _CALLS[name]
    function = exported(of_jax, *arguments)
    positions = tuple(range(len(arguments)))
    gradient = dxir.compile(dxir.lower(Module([grad_function(function, positions, name="main")])))
    found = gradient(*arguments)
    wanted = jax.grad(of_jax, positions)(*arguments)
    for a, b in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)
    mapped = dxir.compile(dxir.lower(Module([vmap_function(function, axis_size=3, name="main")])))
    batches = [np.stack([a, a * 1.5, a + 0.1]) for a in arguments]
    np.testing.assert_allclose(mapped(*batches), jax.vmap(of_jax)(*batches), rtol=1e-9)


def test_a_complete_qr_of_lapack_is_refused_with_what_to_do() -> None:
    function = exported(lambda a: jnp.linalg.qr(a, mode="complete")[0], normal(5, 3))
    with pytest.raises(TransformError, match="orgqr has a derivative only of what geqrf gives"):
        vjp_function(function)
