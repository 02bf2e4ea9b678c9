"""Rules of the LAPACK routines that JAX calls on CPUs, by the names of their custom calls.

They are what the ops `cholesky`, `triangular_solve`, `lu`, `qr` and `eigh` have. The calls of a
program stay as they are; derivatives are computed by ops, but for triangular systems, which call
the same routine. `geqrf` gives R with reflectors below it, of which `orgqr` makes Q: derivatives
are those of R and Q, and the reflectors themselves have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.dialects.eigen_derivatives import eigh_cotangent, eigh_tangents
from dxir.dialects.factor_derivatives import (
    lu_cotangent,
    lu_tangent,
    qr_cotangent,
    qr_tangents,
)
from dxir.dialects.linalg import (
    TRANSPOSES,
    TriangularSystem,
    cholesky_cotangent,
    cholesky_tangent,
    solved_together,
)
from dxir.dialects.matrices import cut, only, places, triangle_mask, where
from dxir.errors import TransformError
from dxir.graph import Node, Value, place
from dxir.transforms.batching import Batch
from dxir.transforms.forward import Forward
from dxir.transforms.registry import Rules, enter
from dxir.transforms.reverse import Pull, Reverse
from dxir.types import TensorType, Type, i32

_REAL, _COMPLEX = "sd", "cz"


def _config(node: Any) -> dict[str, Any]:
    """The options of a call, wherever its producer wrote them."""
    given = node.backend_config
    if not isinstance(given, Mapping):
        given = (node.annotations or {}).get("mhlo.backend_config", {})
    return dict(given)


def _option(node: Any, name: str) -> str:
    """An option that is a letter."""
    return chr(int(_config(node)[name]))


def called(node: Any, inputs: Sequence[Value], types: Sequence[Type], **config: Any) -> Any:
    """The routine of a call on other inputs, with its options except for those given."""
    letters = {name: np.uint8(ord(value)) for name, value in config.items()}
    return ops.custom_call(
        tuple(inputs),
        types=tuple(types),
        call_target_name=node.call_target_name,
        backend_config={**_config(node), **letters},
        operand_layouts=[
            _layout(v.type, m) for v, m in zip(inputs, _matrices(node.inputs), strict=True)
        ],
        result_layouts=[_layout(t, m) for t, m in zip(types, _matrices(node.results), strict=True)],
        output_operand_aliases=node.output_operand_aliases,
    )


def _matrices(values: Sequence[Value]) -> list[bool]:
    """Which values are matrices: those of the rank of the first."""
    return [v.rank == values[0].rank for v in values]


def _layout(type: Any, matrix: bool) -> tuple[int, ...]:
    """Columns of matrices lie together; all else is in the order of its axes."""
    order = list(reversed(range(type.rank)))
    if matrix:
        order[:2] = reversed(order[:2])
    return tuple(order)


def _batched(node: Any, batch: Batch) -> Sequence[Value]:
    """A call on a batch: the routines take any number of leading axes."""
    types = [
        TensorType((batch.size, *t.static_shape), t.primitive)
        for t in [r.tensor for r in node.results]
    ]
    found: Any = called(node, batch.full_operands(), types)
    return (found,) if isinstance(found, Value) else tuple(found)


def _is_lower(node: Any) -> bool:
    return _option(node, "uplo") == "L"


def _cholesky_vjp(node: Any, g: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Cotangent]:
    given = g[0]
    if given is None:
        return (None,)
    return (lambda: cholesky_cotangent(given, y[0], lower=_is_lower(node)),)


def _cholesky_jvp(
    node: Any, tangents: Sequence[Value | None], y: Sequence[Value]
) -> Sequence[Value | None]:
    (a,) = tangents
    assert a is not None
    return cholesky_tangent(a, y[0], lower=_is_lower(node)), None


def _system(node: Any) -> TriangularSystem:
    kinds = dict(zip("NTC", TRANSPOSES, strict=True))
    return TriangularSystem(
        left_side=_option(node, "side") == "L",
        lower_triangle=_is_lower(node),
        unit_diagonal=_option(node, "diag") == "U",
        transpose_a=kinds[_option(node, "trans_x")],
    )


def _solver(node: Any) -> Any:
    def solve(b: Value, transpose_a: str) -> Value:
        letter = "NTC"[TRANSPOSES.index(transpose_a)]
        x: Value = called(node, (node.inputs[0], b), (b.type,), trans_x=letter)
        return x

    return solve


def _solve_vjp(node: Any, g: Value, y: Value) -> Sequence[Cotangent]:
    return _system(node).cotangents(node.inputs[0], g, y, _solver(node))


def _solve_jvp(node: Any, tangents: Sequence[Value | None], y: Value) -> Value:
    return _system(node).tangent(node.inputs[0], tangents, y, _solver(node))


def _solve_batch(node: Any, batch: Batch) -> Any:
    if batch.batched[0]:
        return _batched(node, batch)
    a, b = batch.operands
    axis = -1 if _option(node, "side") == "L" else -2
    return solved_together(b, axis, lambda joined: called(node, (a, joined), (joined.type,)))


def _permutation(pivots: Value, rows: int) -> Value:
    """The permutation that swaps of rows make; pivots count from 1."""
    *batch, steps = pivots.tensor.static_shape
    order = ops.iota(shape=(*batch, rows), axis=-1, dtype=i32)

    def swap(k: Value, order: Value) -> Value:
        other = ops.sub(cut(pivots, -1, k), np.int32(1))
        place = places(order, -1)
        chosen = ops.compare(place, other, direction="EQ")
        moved = ops.sum(only(chosen, order), axes=(-1,), keepdims=True)
        here = ops.compare(place, k, direction="EQ")
        return where(here, moved, where(chosen, cut(order, -1, k), order))

    (found,) = ops.fori_loop(np.int32(0), np.int32(steps), swap, (order,))
    result: Value = found
    return result


def _lu_vjp(_: Any, g: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Cotangent]:
    given = g[0]
    if given is None:
        return (None,)
    rows = given.tensor.static_shape[-2]
    return (lambda: lu_cotangent(given, y[0], _permutation(y[1], rows)),)


def _lu_jvp(_: Any, tangents: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Value | None]:
    (a,) = tangents
    assert a is not None
    order = _permutation(y[1], a.tensor.static_shape[-2])
    return lu_tangent(a, y[0], order), None, None


def _eigh_vjp(_: Any, g: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Cotangent]:
    return (lambda: eigh_cotangent(g[1], g[0], y[1], y[0]),)


def _eigh_jvp(
    _: Any, tangents: Sequence[Value | None], y: Sequence[Value]
) -> Sequence[Value | None]:
    (a,) = tangents
    assert a is not None
    of_w, of_v = eigh_tangents(a, y[1], y[0])
    return of_v, of_w, None


def _upper(packed: Value) -> Value:
    """R, of what `geqrf` gives."""
    *batch, rows, columns = packed.tensor.static_shape
    if rows < columns:
        raise TransformError(
            f"the QR decomposition of {packed.type}, of more columns than rows, has no derivative "
            "where it is a call of LAPACK",
            hint="use dxir.ops.qr",
        )
    r = ops.slice(packed, starts=[0] * packed.rank, limits=[*batch, columns, columns])
    kept: Value = ops.select(triangle_mask(r, "LE"), r, 0)
    return kept


def _q_of(a: Value, r: Value) -> Value:
    q: Value = ops.triangular_solve(r, a, left_side=False, lower_triangle=False)
    return q


def _factor_pull(node: Any, _: Reverse) -> tuple[Sequence[Value], Pull]:
    """`geqrf`: the cotangent that comes to R; that of Q is sent on by `orgqr`."""
    place(node)
    (a,), packed = node.inputs, node.results[0]

    def pull(g: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        if g[1] is not None:
            raise TransformError("the reflectors of geqrf have no derivative", where=node.location)
        r = _upper(packed)
        of_r = None if g[0] is None else _upper(g[0])
        return [(a, lambda: qr_cotangent((None, of_r), a, _q_of(a, r), r))]

    return node.results, pull


def _factored(node: Any) -> Node:
    """The `geqrf` whose results an `orgqr` takes."""
    packed: Value = node.inputs[0]
    found: Any = packed.producer
    if found is None or not str(found.attrs.get("call_target_name", "")).endswith("geqrf_ffi"):
        raise TransformError(
            "orgqr has a derivative only of what geqrf gives it, not of a part or more columns",
            where=node.location,
            hint="ask for the reduced decomposition of matrices with no more columns than rows",
        )
    result: Node = found
    return result


def _product_pull(node: Any, _: Reverse) -> tuple[Sequence[Value], Pull]:
    """`orgqr`: what comes to Q goes to the matrix that `geqrf` took."""
    place(node)
    ((a,), packed), q = (_factored(node).operands, node.inputs[0]), node.results[0]

    def pull(g: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        return [(a, lambda: qr_cotangent((g[0], None), a, q, _upper(packed)))]

    return node.results, pull


def _factor_push(node: Any, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
    place(node)
    (a,), packed = node.inputs, node.results[0]
    r = _upper(packed)
    _, moved = qr_tangents(sweep.tangents[a], a, _q_of(a, r), r)
    *batch, rows, columns = packed.tensor.static_shape
    zero, none = ops.full(shape=(), value=0, dtype=moved.dtype), [0] * moved.rank
    high = [*[0] * len(batch), rows - columns, 0]
    return node.results, (ops.pad(moved, zero, low=none, high=high, interior=none), None)


def _product_push(node: Any, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
    place(node)
    (a,), packed = _factored(node).operands, node.inputs[0]
    moved, _ = qr_tangents(sweep.tangents[a], a, node.results[0], _upper(packed))
    return node.results, (moved,)


def _enter(letters: str, routine: str, **rules: Any) -> None:
    for letter in letters:
        enter(Rules(f"lapack_{letter}{routine}_ffi", **{"batch": _batched, **rules}))


_enter(_REAL + _COMPLEX, "potrf", vjp=_cholesky_vjp, jvp=_cholesky_jvp)
_enter(_REAL + _COMPLEX, "trsm", vjp=_solve_vjp, jvp=_solve_jvp, batch=_solve_batch)
_enter(_REAL + _COMPLEX, "getrf", vjp=_lu_vjp, jvp=_lu_jvp)
_enter(_REAL + _COMPLEX, "geqrf", pullback=_factor_pull, pushforward=_factor_push)
_enter(_REAL, "orgqr", pullback=_product_pull, pushforward=_product_push)
_enter(_COMPLEX, "ungqr", pullback=_product_pull, pushforward=_product_push)
_enter(_REAL, "syevd", vjp=_eigh_vjp, jvp=_eigh_jvp)
_enter(_COMPLEX, "heevd", vjp=_eigh_vjp, jvp=_eigh_jvp)
