"""Linear algebra that StableHLO has ops for: Cholesky factors and triangular systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, rebuild
from dxir.dialects.matrices import (
    adjoint,
    conjugate,
    hermitian_part,
    product,
    triangle_mask,
    widened,
)
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import TensorType, bf16, c64, c128, f32, f64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def positive_definite(*shape: int, dtype: Any = np.float32) -> Array:
    """Fixed Hermitian positive definite matrices, for examples."""
    rng = np.random.default_rng(7)
    half = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        half = half + 1j * rng.standard_normal(shape)
    gram = half @ half.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])
    return np.asarray(gram).astype(dtype)


def triangular(*shape: int, lower: bool = True, dtype: Any = np.float32) -> Array:
    """Fixed, well-conditioned triangular matrices whose other triangle must not be read."""
    rng = np.random.default_rng(11)
    full = rng.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        full = full + 1j * rng.uniform(-1, 1, shape)
    full = full + (2 + shape[-1]) * np.eye(shape[-1])
    kept = np.tril(full) if lower else np.triu(full)
    unread = np.triu(np.full(shape, 99.0), 1) if lower else np.tril(np.full(shape, 99.0), -1)
    return np.asarray(kept + unread).astype(dtype)


def accumulating(array: Array) -> Array:
    """The array in double precision (complex if it was), which references compute in."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def square(value: Value, what: str = "operand") -> TensorType:
    """The type of `value`, when it is a batch of square float or complex matrices."""
    checks.kind(value, "float complex", what)
    type = checks.rank_at_least(value, 2, what)
    rows, columns = type.static_shape[-2:]
    if rows != columns:
        raise ShapeError(
            f"{what} has type {type}: its last two axes are {rows} and {columns}",
            hint="they must be equal: square matrices are needed",
        )
    return type


class Cholesky(Primitive, name="cholesky", mlir="stablehlo.cholesky", rounding="sums"):
    """The triangular factor of Hermitian positive definite matrices: `a = L L^H`, or `U^H U`.

    `a` is `[..., n, n]`; only its lower triangle is read (the upper one when
    `lower_triangle=False`). The other triangle of the result is left to the backend; zeros on CPU.
    A matrix that is not positive definite has no factor: backends give NaN. The derivative is that
    along Hermitian changes of `a`: its cotangent is Hermitian, whichever triangle is read.
    """

    a: Value
    lower_triangle: bool = attribute("bool", default=True, mlir="lower")

    examples = (
        Example(a=positive_definite(3, 3)),
        Example(a=positive_definite(2, 4, 4), lower_triangle=False),
        Example(a=positive_definite(3, 3, dtype=np.complex64)),
        Example(a=positive_definite(3, 3, dtype=np.float64)),
        Example(a=positive_definite(3, 3).astype(bf16.numpy)),
        Example(a=f32[2, 0, 0]),
    )
    tolerance = 32
    hermitian = ("a",)

    def prepare(self) -> None:
        self.update(lower_triangle=bool(self.lower_triangle))

    def infer(self) -> TensorType:
        return square(self.a, "a").with_shape(self.a.shape)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        return (cholesky_cotangent(g, y, lower=self.lower_triangle),)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        (a,) = tangents
        assert a is not None
        return cholesky_tangent(a, y, lower=self.lower_triangle)

    def batch(self, batch: Batch) -> Value:
        """The op, which takes batches."""
        factor: Value = batch.rebuild(batch.operands)
        return factor

    def reference(self, a: Array) -> Array:
        wide = accumulating(a)
        if not self.lower_triangle:
            wide = wide.conj().swapaxes(-1, -2)
        out = np.zeros_like(wide)
        for k in range(wide.shape[-1]):
            row = out[..., k, :k]
            pivot = wide[..., k, k].real - np.real(row * row.conj()).sum(-1)
            out[..., k, k] = np.sqrt(pivot)
            inner = np.einsum("...ij,...j->...i", out[..., k + 1 :, :k], row.conj())
            out[..., k + 1 :, k] = (wide[..., k + 1 :, k] - inner) / out[..., k, k, None]
        out[np.isnan(out).any(axis=(-2, -1))] = np.nan
        return np.asarray(out if self.lower_triangle else out.conj().swapaxes(-1, -2)).astype(
            a.dtype
        )


def _solved(factor: Value, b: Value, *, lower: bool, left: bool, adjoint: bool) -> Value:
    x: Value = ops.triangular_solve(
        factor,
        b,
        lower_triangle=lower,
        left_side=left,
        transpose_a="ADJOINT" if adjoint else "NO_TRANSPOSE",
    )
    return x


def cholesky_cotangent(g: Value, y: Value, *, lower: bool) -> Value:
    """The Hermitian cotangent of `a`, given that of its factor `y`.

    For `L`, the conjugates of both are `L^-H H L^-1 / 2` and `h`, where H is the Hermitian matrix
    whose lower triangle is that of `L^H h`. See Murray, Differentiation of the Cholesky
    decomposition, 2016.
    """
    factor, h = widened(y), conjugate(widened(g))
    inside = triangle_mask(factor, "GE" if lower else "LE")
    kept = ops.select(inside, factor, 0)
    if lower:
        x = (
            product(adjoint(kept), h)
            if kept.tensor.primitive.is_complex
            else product(kept, h, transpose_x=True)
        )
    else:
        x = product(h, conjugate(kept), transpose_y=True)
    x = ops.select(inside, x, adjoint(x))
    if x.tensor.primitive.is_complex:
        on = triangle_mask(x, "EQ")
        x = ops.select(on, ops.convert(ops.real(x), dtype=x.dtype), x)
    x = ops.mul(x, 0.5)
    x = _solved(factor, x, lower=lower, left=True, adjoint=lower)
    x = _solved(factor, x, lower=lower, left=False, adjoint=not lower)
    return ops.convert(conjugate(x), dtype=g.dtype)


def cholesky_tangent(tangent: Value, y: Value, *, lower: bool) -> Value:
    """The tangent of the factor `y` along the Hermitian part of the tangent of `a`."""
    factor = widened(y)
    inside = triangle_mask(factor, "GE" if lower else "LE")
    x = hermitian_part(widened(tangent))
    x = _solved(factor, x, lower=lower, left=True, adjoint=not lower)
    x = _solved(factor, x, lower=lower, left=False, adjoint=lower)
    x = ops.select(triangle_mask(x, "EQ"), ops.mul(x, 0.5), x)
    x, kept = (ops.select(inside, v, 0) for v in (x, factor))
    moved = product(kept, x) if lower else product(x, kept)
    return ops.convert(moved, dtype=tangent.dtype)


@dataclass(frozen=True, slots=True)
class TriangularSystem:
    """The derivatives of the solution of a triangular system, see `triangular_solve`.

    They are given what solves another right side, with one of TRANSPOSES.
    """

    left_side: bool
    lower_triangle: bool
    unit_diagonal: bool
    transpose_a: str

    def cotangents(
        self, a: Value, g: Value, y: Value, solve: Callable[[Value, str], Value]
    ) -> tuple[Cotangent, Cotangent]:
        """`b`'s by solving with the transpose; `a`'s from it and the result."""
        conjugated = self.transpose_a == "ADJOINT" and g.tensor.primitive.is_complex
        g, x = (conjugate(g), conjugate(y)) if conjugated else (g, y)
        other = "TRANSPOSE" if self.transpose_a == "NO_TRANSPOSE" else "NO_TRANSPOSE"
        solved = solve(g, other)

        def of_a() -> Value:
            first, second = (solved, x) if self.left_side else (x, solved)
            if self.transpose_a != "NO_TRANSPOSE":
                first, second = second, first
            left = self.left_side
            outer = product(first, second, transpose_x=not left, transpose_y=left)
            return ops.select(self._read(a), ops.neg(outer), 0)

        return of_a, lambda: conjugate(solved) if conjugated else solved

    def tangent(
        self,
        a: Value,
        tangents: Sequence[Value | None],
        y: Value,
        solve: Callable[[Value, str], Value],
    ) -> Value:
        """The same system, with the right side that moves and what moves of the left one."""
        of_a, right = tangents
        if of_a is not None:
            moved = ops.select(self._read(a), of_a, 0)
            flipped = self.transpose_a != "NO_TRANSPOSE"
            if self.transpose_a == "ADJOINT":
                moved = conjugate(moved)
            if self.left_side:
                part = product(moved, y, transpose_x=flipped)
            else:
                part = product(y, moved, transpose_y=flipped)
            right = ops.neg(part) if right is None else ops.sub(right, part)
        assert right is not None
        return solve(right, self.transpose_a)

    def _read(self, a: Value) -> Value:
        direction = "GE" if self.lower_triangle else "LE"
        return triangle_mask(a, direction[:1] + "T" if self.unit_diagonal else direction)


class TriangularSolve(
    Primitive, name="triangular_solve", mlir="stablehlo.triangular_solve", rounding="sums"
):
    """The `x` with `op(a) x = b` (`x op(a) = b` when `left_side=False`), for triangular `a`.

    `a` is `[..., n, n]`, `b` `[..., n, k]` (`[..., k, n]` on the right side). `op` is chosen by
    `transpose_a`: NO_TRANSPOSE, TRANSPOSE or ADJOINT. Only the triangle that `lower_triangle`
    names is read, and with `unit_diagonal` its diagonal counts as ones. A zero on the diagonal
    gives infinities and NaN.
    """

    a: Value
    b: Value
    left_side: bool = attribute("bool", default=True)
    lower_triangle: bool = attribute("bool", default=True, mlir="lower")
    unit_diagonal: bool = attribute("bool", default=False)
    transpose_a: str = attribute("transpose", default="NO_TRANSPOSE")

    examples = (
        Example(a=triangular(3, 3), b=f32[3, 2], hostile=False),
        Example(
            a=triangular(2, 3, 3, lower=False), b=f32[2, 3, 1], lower_triangle=False, hostile=False
        ),
        Example(a=triangular(3, 3), b=f32[2, 3], left_side=False, hostile=False),
        Example(a=triangular(3, 3) / 8, b=f32[3, 2], unit_diagonal=True, hostile=False),
        Example(a=triangular(3, 3), b=f32[3, 2], transpose_a="TRANSPOSE", hostile=False),
        Example(
            a=triangular(3, 3, dtype=np.complex64),
            b=c64[3, 2],
            transpose_a="ADJOINT",
            hostile=False,
        ),
        Example(
            a=triangular(3, 3, lower=False, dtype=np.complex128),
            b=c128[2, 3],
            lower_triangle=False,
            left_side=False,
            transpose_a="ADJOINT",
            hostile=False,
        ),
        Example(a=triangular(3, 3).astype(bf16.numpy), b=bf16[3, 2], hostile=False),
        Example(a=f64[0, 0], b=f64[0, 4]),
    )
    tolerance = 32

    def prepare(self) -> None:
        self.update(
            left_side=bool(self.left_side),
            lower_triangle=bool(self.lower_triangle),
            unit_diagonal=bool(self.unit_diagonal),
            transpose_a=checks.one_of(self.transpose_a, TRANSPOSES, "transpose_a"),
        )

    def infer(self) -> TensorType:
        a, b = square(self.a, "a"), checks.rank_is(self.b, self.a.rank, "b")
        checks.same_dtype((self.a, self.b))
        checks.shapes_equal(a.shape[:-2], b.shape[:-2], "the batch of a", "the batch of b")
        axis = -2 if self.left_side else -1
        if b.static_shape[axis] != a.shape[-1]:
            side = "left" if self.left_side else "right"
            raise ShapeError(
                f"a is {a} and b is {b}: with a on the {side} side, axis {axis} of b "
                f"must have size {a.shape[-1]}"
            )
        return b.with_shape(b.shape)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return self._system().cotangents(self.a, g, y, self._solved)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        return self._system().tangent(self.a, tangents, y, self._solved)

    def _system(self) -> TriangularSystem:
        return TriangularSystem(
            self.left_side, self.lower_triangle, self.unit_diagonal, self.transpose_a
        )

    def _solved(self, b: Value, transpose_a: str) -> Value:
        x: Value = rebuild(self, (self.a, b), transpose_a=transpose_a)
        return x

    def batch(self, batch: Batch) -> Value:
        """The op, which takes batches; one `a` for all solves them as more right sides."""
        if batch.batched[0]:
            solved: Value = batch.rebuild(batch.full_operands())
            return solved
        a, b = batch.operands
        return solved_together(
            b, -1 if self.left_side else -2, lambda joined: batch.rebuild((a, joined))
        )

    def reference(self, a: Array, b: Array) -> Array:
        kept = accumulating(np.tril(a) if self.lower_triangle else np.triu(a))
        n = a.shape[-1]
        if self.unit_diagonal:
            kept[..., range(n), range(n)] = 1
        if self.transpose_a == "ADJOINT":
            kept = kept.conj()
        lower = self.lower_triangle
        if (self.transpose_a != "NO_TRANSPOSE") == self.left_side:
            kept, lower = kept.swapaxes(-1, -2), not lower
        right = accumulating(b) if self.left_side else accumulating(b).swapaxes(-1, -2)
        x = np.zeros_like(right)
        for k in range(n) if lower else reversed(range(n)):
            known = np.einsum("...j,...jk->...k", kept[..., k, :], x)
            x[..., k, :] = (right[..., k, :] - known) / kept[..., k, k, None]
        return np.asarray(x if self.left_side else x.swapaxes(-1, -2)).astype(b.dtype)


def solved_together(b: Value, axis: int, solve: Callable[[Value], Value]) -> Value:
    """Right sides that have a batch in front, solved as one with the batch within `axis`."""
    rank, size = b.rank, b.shape[0]
    axis += rank
    order = (*range(1, axis), 0, *range(axis, rank))
    moved = ops.transpose(b, permutation=order)
    shape = list(moved.tensor.static_shape)
    joined = ops.reshape(
        moved, shape=(*shape[: axis - 1], shape[axis - 1] * shape[axis], *shape[axis + 1 :])
    )
    x = ops.reshape(solve(joined), shape=shape)
    back = ops.transpose(x, permutation=[order.index(i) for i in range(rank)])
    assert back.shape[0] == size
    return back
