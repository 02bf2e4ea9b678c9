"""Which masks say that no query sees a later key, where a query's place is a part of an index."""

from __future__ import annotations

import math
from typing import Any

from dxir import f32, ops

from .conftest import coarsened, several


def _einsum(spec: str, *values: Any) -> Any:
    return ops.einsum(spec, values)


def test_a_triangle_of_a_part_of_the_row_is_not_causal() -> None:
    def halved(q: Any, k: Any, v: Any) -> Any:
        rows = ops.reshape(ops.iota(shape=(3, 2, 6), axis=0, dtype="i32"), shape=(6, 6))
        mask = ops.compare(rows, ops.iota(shape=(6, 6), axis=1, dtype="i32"), direction="GE")
        scores = _einsum("sd,td->st", q, k)
        seen = ops.select(mask, scores, ops.full_like(scores, value=-math.inf))
        powers = ops.exp(seen - ops.reduce_max(seen, axes=(1,), keepdims=True))
        shares = powers / ops.sum(powers, axes=(1,), keepdims=True)
        return _einsum("st,td->sd", shares, v)

    program = several(halved, f32[6, 4], f32[6, 4], f32[6, 4])
    assert "attention" not in {found.pattern for found in coarsened(program)}
