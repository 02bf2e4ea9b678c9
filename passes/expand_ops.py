"""Write ops that few compilers have as ops that all have.

    cholesky            ->  a loop over the columns of the factor
    triangular_solve    ->  a loop over the rows of the solution: substitution
    batch_norm_grad     ->  sums and products, and so are its likes

Sums of f16, bf16 and smaller floats are kept in f32, as they are by the ops themselves. Results
differ from those of another implementation by the rounding of sums in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.builder import build_function
from dxir.dialects.matrices import (
    adjoint,
    conjugate,
    cut,
    only,
    places,
    where,
    widened,
    zeros,
)
from dxir.errors import PassError
from dxir.graph import Module, Value
from dxir.lowering import lower_module
from dxir.mlir import IrOperation, decode_type, inlined_call, ir
from dxir.passes.building import Building
from dxir.pipeline.base import Pass, option
from dxir.reading import attribute, attribute_text, attributes_of, functions, is_dynamic, ops_below

_OPS = ("batch_norm_grad", "cholesky", "triangular_solve")

Plain = Callable[[IrOperation, Sequence[Value]], Any]


class ExpandOps(Pass, name="dxir-expand-ops"):
    """Write Cholesky factors, triangular solutions and batch norms as plainer ops."""

    ops: tuple[str, ...] = option("the ops to expand", default=_OPS)

    def check(self) -> None:
        for name in self.ops:
            if name not in _PLAIN:
                raise PassError(
                    f"dxir-expand-ops expands no {name!r}", hint=f"it knows {', '.join(_PLAIN)}"
                )

    def run(self, module: ir.Module) -> bool:
        wanted = [f"stablehlo.{name}" for name in self.ops]
        made: dict[str, ir.Module] = {}
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, wanted):
                if any(is_dynamic(v.type) for v in (*op.operands, *op.results)):
                    continue
                short = op.name.partition(".")[2]
                key = _described(op)
                if key not in made:
                    made[key] = ir.Module.parse(_lowered(op, _PLAIN[short]), module.context)
                (callee,) = functions(made[key])
                self.count(f"{short} ops expanded")
                _inline(op, callee)
        return bool(self.statistics)


def _described(op: IrOperation) -> str:
    """What an op computes, in words that are the same for equal ones."""
    types = ",".join(str(v.type) for v in op.operands)
    said = sorted((n, attribute_text(v)) for n, v in attributes_of(op).items())
    return f"{op.name} {said} {types}"


def _lowered(op: IrOperation, plain: Plain) -> str:
    types = [decode_type(v.type) for v in op.operands]
    function = build_function(lambda *given: plain(op, given), *types, name="plain")
    return str(lower_module(Module([function])))


def _inline(op: IrOperation, callee: IrOperation) -> None:
    with ir.InsertionPoint(op):
        values = inlined_call(callee, list(op.operands), op.location)
    Building(op).finish(*values)


def _flag(op: IrOperation, name: str, default: bool = False) -> bool:
    found = attribute(op, name)
    return bool(found.value) if isinstance(found, ir.BoolAttr) else default


def _cholesky(op: IrOperation, given: Sequence[Value]) -> Value:
    (a,) = given
    lower = _flag(op, "lower")
    if not a.tensor.size:
        return a
    whole = widened(a) if lower else adjoint(widened(a))

    def column(k: Value, out: Value) -> Value:
        row, here = places(out, -2), places(out, -1)
        done = ops.sum(out * conjugate(cut(out, -2, k)), axes=(-1,), keepdims=True)
        rest = cut(whole, -1, k) - done
        pivot = cut(rest, -2, k)
        if pivot.tensor.primitive.is_complex:
            real = ops.sqrt(ops.real(pivot))
            pivot = ops.complex(real, zeros(real))
        else:
            pivot = ops.sqrt(pivot)
        found = where(row > k, rest / pivot, where(row >= k, pivot, zeros(rest)))
        return where(ops.compare(here, k, direction="EQ"), found, out)

    empty, count = ops.full_like(whole, value=0), np.int32(a.shape[-1])
    (out,) = ops.fori_loop(np.int32(0), count, column, (empty,))
    part = ops.abs(out) if out.tensor.primitive.is_complex else out
    broken = ops.any(ops.compare(part, part, direction="NE"), axes=(-2, -1), keepdims=True)
    out = where(broken, zeros(out) / zeros(out), out)
    return ops.convert(out if lower else adjoint(out), dtype=a.dtype)


def _triangular_solve(op: IrOperation, given: Sequence[Value]) -> Value:
    a, b = given
    left, lower = _flag(op, "left_side"), _flag(op, "lower")
    form = attribute_text(op.attributes["transpose_a"])
    if not b.tensor.size:
        return b
    kept = widened(a)
    row, here = places(kept, -2), places(kept, -1)
    kept = only(row >= here if lower else row <= here, kept)
    if _flag(op, "unit_diagonal"):
        kept = where(ops.compare(row, here, direction="EQ"), ops.full_like(kept, value=1), kept)
    if "ADJOINT" in form:
        kept = conjugate(kept)
    if ("NO_TRANSPOSE" not in form) == left:
        kept, lower = _swapped(kept), not lower
    right = widened(b) if left else _swapped(widened(b))
    last = np.int32(a.shape[-1] - 1)

    def step(i: Value, x: Value) -> Value:
        k = i if lower else ops.constant(last) - i
        weights = _swapped(cut(kept, -2, k))
        known = ops.sum(weights * x, axes=(-2,), keepdims=True)
        found = (cut(right, -2, k) - known) / cut(cut(kept, -2, k), -1, k)
        return where(ops.compare(places(x, -2), k, direction="EQ"), found, x)

    (x,) = ops.fori_loop(np.int32(0), np.int32(last + 1), step, (ops.full_like(right, value=0),))
    return ops.convert(x if left else _swapped(x), dtype=b.dtype)


def _swapped(x: Value) -> Value:
    axes = list(range(x.rank))
    axes[-2:] = axes[-1], axes[-2]
    return ops.transpose(x, permutation=axes)


def _batch_norm(op: IrOperation, given: Sequence[Value]) -> Any:
    build: Any = getattr(ops, op.name.partition(".")[2])
    epsilon, feature = op.attributes["epsilon"], op.attributes["feature_index"]
    assert isinstance(epsilon, ir.FloatAttr)
    assert isinstance(feature, ir.IntegerAttr)
    return build(*given, epsilon=epsilon.value, feature_index=feature.value, expand=True)


_PLAIN: dict[str, Plain] = {
    "batch_norm_grad": _batch_norm,
    "batch_norm_inference": _batch_norm,
    "batch_norm_training": _batch_norm,
    "cholesky": _cholesky,
    "triangular_solve": _triangular_solve,
}
