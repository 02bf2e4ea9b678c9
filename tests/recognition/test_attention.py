"""The attention pattern: scaled, biased, masked, causal, of any layout and number of heads."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import bf16, f16, f32, i1, ops

from .conftest import several
from .einsums import disagreement, texts
from .meaning import composites_of

Make = Callable[..., Any]
B, H, G, S, T, D = 2, 4, 2, 5, 6, 8
Q, K = f32[B, H, S, D], f32[B, H, T, D]
ROWS, COLUMNS = f32[S, D], f32[T, D]
SCALE = 0.25


def einsum(spec: str, *values: Any) -> Any:
    return ops.einsum(spec, values)


def scores_of(q: Any, k: Any) -> Any:
    return einsum("bhsd,bhtd->bhst", q, k)


def weighted(scores: Any, v: Any) -> Any:
    return einsum("bhst,bhtd->bhsd", ops.softmax(scores, axis=-1), v)


def triangle(rows: int = S, columns: int = T, direction: str = "GE") -> Any:
    i = ops.iota(shape=(rows, columns), axis=0, dtype="i32")
    j = ops.iota(shape=(rows, columns), axis=1, dtype="i32")
    return ops.compare(i, j, direction=direction)


def hidden(mask: Any, scores: Any, number: float = -math.inf) -> Any:
    none = ops.full_like(scores, value=number)
    return ops.select(ops.broadcast_to(mask, shape=scores.shape), scores, none)


def shown(mask: Any, scores: Any, number: float = -math.inf) -> Any:
    none = ops.full_like(scores, value=number)
    return ops.select(ops.broadcast_to(mask, shape=scores.shape), none, scores)


def softmax(x: Any) -> Any:
    """A softmax in primitive ops, over the last axis."""
    powers = ops.exp(x - ops.reduce_max(x, axes=(-1,), keepdims=True))
    return powers / ops.sum(powers, axes=(-1,), keepdims=True)


def attentions(make: Make, *types: dxir.TensorType) -> list[dict[str, Any]]:
    """What the attentions of a function say; each computes that, and the program is what it was."""
    program = several(make, *types)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    assert (
        coarse.run_passes("dxir-decompose").fingerprint()
        == several(make, *types).run_passes("dxir-decompose").fingerprint()
    )
    nodes = [n for n in composites_of(coarse) if n.attrs["composite_name"] == "dxir.attention"]
    assert [disagreement(node) for node in nodes] == [None] * len(nodes)
    return [dict(node.attrs["composite_attributes"]) for node in nodes]


def only(make: Make, *types: dxir.TensorType) -> dict[str, Any]:
    (found,) = attentions(make, *types)
    return found


SCALED: dict[str, tuple[Make, float]] = {
    "none": (lambda q, k, v: weighted(scores_of(q, k), v), 1.0),
    "scores times": (lambda q, k, v: weighted(scores_of(q, k) * SCALE, v), SCALE),
    "scores over": (lambda q, k, v: weighted(scores_of(q, k) / 4, v), SCALE),
    "over a root": (
        lambda q, k, v: weighted(scores_of(q, k) / ops.sqrt(ops.full_like(scores_of(q, k),
                                                                          value=16.0)), v),
        SCALE,
    ),
    "query": (lambda q, k, v: weighted(scores_of(q * SCALE, k), v), SCALE),
    "query over": (lambda q, k, v: weighted(scores_of(q / 4, k), v), SCALE),
    "key": (lambda q, k, v: weighted(scores_of(q, SCALE * k), v), SCALE),
    "both": (lambda q, k, v: weighted(scores_of(q * 0.5, k * 0.5), v), SCALE),
    "query and scores": (lambda q, k, v: weighted(scores_of(q * 0.5, k) / 2, v), SCALE),
}  # fmt: skip


@pytest.mark.parametrize("where", SCALED)
def test_the_scale_may_stand_anywhere_or_nowhere(where: str) -> None:
    make, scale = SCALED[where]
    said = only(make, Q, K, K)
    assert said == {
        "causal": False, "groups": H, "heads": H, "layout": "bhsd,bhtd,bhte->bhse",
        "operand_segments": (1, 1, 1, 0, 0), "scale": pytest.approx(scale),
    }  # fmt: skip


LAYOUTS: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "one head": (
        lambda q, k, v: ops.matmul(ops.softmax(einsum("sd,td->st", q, k), axis=-1), v),
        (ROWS, COLUMNS, COLUMNS), "sd,td,te->se",
    ),
    "keys transposed outside": (
        lambda q, k, v: ops.matmul(
            ops.softmax(ops.matmul(q, ops.transpose(k, permutation=(1, 0))), axis=-1), v),
        (ROWS, COLUMNS, COLUMNS), "sd,dt,te->se",
    ),
    "a batch": (
        lambda q, k, v: einsum(
            "bst,bte->bse", ops.softmax(einsum("bsd,btd->bst", q, k), axis=-1), v),
        (f32[B, S, D], f32[B, T, D], f32[B, T, 3]), "bsd,btd,bte->bse",
    ),
    "heads last": (
        lambda q, k, v: einsum(
            "bhst,bthe->bshe", ops.softmax(einsum("bshd,bthd->bhst", q, k), axis=-1), v),
        (f32[B, S, H, D], f32[B, T, H, D], f32[B, T, H, 3]), "bshd,bthd,bthe->bhse",
    ),
    "keys first": (
        lambda q, k, v: einsum(
            "bhts,bhte->bhse", ops.softmax(einsum("bhtd,bhsd->bhts", k, q), axis=2), v),
        (Q, K, K), "bhsd,bhtd,bhte->bhse",
    ),
    "one query": (
        lambda q, k, v: weighted(scores_of(q, k), v), (f32[B, H, 1, D], K, K),
        "bhsd,bhtd,bhte->bhse",
    ),
    "a batch of one": (
        lambda q, k, v: weighted(scores_of(q, k), v),
        (f32[1, H, S, D], f32[1, H, T, D], f32[1, H, T, D]), "bhsd,bhtd,bhte->bhse",
    ),
    "queries for all": (
        lambda q, k, v: einsum(
            "bst,bte->bse", ops.softmax(einsum("sd,btd->bst", q, k), axis=-1), v),
        (ROWS, f32[B, T, D], f32[B, T, D]), "sd,btd,bte->bse",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_layout_is_told_from_what_is_computed(name: str) -> None:
    make, types, layout = LAYOUTS[name]
    found = only(make, *types)["layout"]
    assert found.partition("->")[0] == layout.partition("->")[0]
    assert sorted(found.partition("->")[2]) == sorted(layout.partition("->")[2])


def repeated(x: Any, axis: int) -> Any:
    """Each head of keys for several of queries, one after the other."""
    shape = [*x.shape[: axis + 1], H // G, *x.shape[axis + 1 :]]
    dims = [d for d in range(len(shape)) if d != axis + 1]
    wide = ops.broadcast_in_dim(x, shape=shape, dims=dims)
    return ops.reshape(wide, shape=[*x.shape[:axis], H, *x.shape[axis + 1 :]])


def in_groups(q: Any, k: Any, v: Any) -> Any:
    q = ops.reshape(q, shape=(B, G, H // G, S, D))
    weights = ops.softmax(einsum("bgrsd,bgtd->bgrst", q, k), axis=-1)
    return ops.reshape(einsum("bgrst,bgtd->bgrsd", weights, v), shape=(B, H, S, D))


FEW = f32[B, G, T, D]
GROUPED: dict[str, tuple[Make, str]] = {
    "repeated": (
        lambda q, k, v: weighted(scores_of(q, repeated(k, 1)), repeated(v, 1)),
        "b(gr)sd,bgtd,bgte->b(gr)se",
    ),
    "in groups": (in_groups, "bgrsd,bgtd,bgte->bgrse"),
}


@pytest.mark.parametrize("name", GROUPED)
def test_keys_may_serve_several_heads_of_queries(name: str) -> None:
    make, layout = GROUPED[name]
    said = only(make, Q, FEW, FEW)
    assert (said["heads"], said["groups"], said["layout"]) == (H, G, layout)


def test_all_heads_may_share_one_of_keys() -> None:
    said = only(
        lambda q, k, v: einsum(
            "bhst,bte->bhse", ops.softmax(einsum("bhsd,btd->bhst", q, k), axis=-1), v
        ),
        Q, f32[B, T, D], f32[B, T, D],
    )  # fmt: skip
    assert said["layout"] == "bsrd,btd,bte->bsre" or said["layout"] == "brsd,btd,bte->brse"


MASK = i1[B, 1, S, T]
MASKED: dict[str, tuple[Make, str]] = {
    "seen": (lambda q, k, v, m: weighted(hidden(m, scores_of(q, k)), v), "seen"),
    "least": (lambda q, k, v, m: weighted(hidden(m, scores_of(q, k), -3e38), v), "seen"),
    "ten thousand": (lambda q, k, v, m: weighted(hidden(m, scores_of(q, k), -1e4), v), "seen"),
    "hidden": (lambda q, k, v, m: weighted(shown(m, scores_of(q, k)), v), "hidden"),
    "then scaled": (
        lambda q, k, v, m: weighted(hidden(m, scores_of(q, k), -1e9) * SCALE, v),
        "seen",
    ),
    "scaled before": (lambda q, k, v, m: weighted(hidden(m, scores_of(q, k) * SCALE), v), "seen"),
}


@pytest.mark.parametrize("name", MASKED)
def test_scores_may_be_masked_by_a_selection(name: str) -> None:
    make, sign = MASKED[name]
    said = only(make, Q, K, K, MASK)
    assert (said["mask"], said["causal"], said["operand_segments"]) == (
        sign,
        False,
        (1, 1, 1, 1, 0),
    )
    assert said["layout"].split(",")[3].partition("->")[0] == "b1st"


def test_scores_may_be_biased_and_masked_at_once() -> None:
    said = only(
        lambda q, k, v, m, b: weighted(hidden(m, scores_of(q, k) * SCALE + b), v),
        Q, K, K, MASK, f32[B, H, S, T],
    )  # fmt: skip
    assert said["operand_segments"] == (1, 1, 1, 1, 1)
    assert said["layout"] == "bhsd,bhtd,bhte,b1st,bhst->bhse"


def test_a_second_number_that_is_added_is_a_mask() -> None:
    said = only(
        lambda q, k, v, b, m: weighted(
            scores_of(q, k) + b + ops.broadcast_to(m, shape=(B, H, S, T)), v
        ),
        Q, K, K, f32[B, H, S, T], f32[B, 1, 1, T],
    )  # fmt: skip
    assert (said["mask"], said["operand_segments"]) == ("added", (1, 1, 1, 1, 1))


CAUSAL: dict[str, Make] = {
    "row >= column": lambda q, k, v: weighted(hidden(triangle(), scores_of(q, k)), v),
    "column > row hides": lambda q, k, v: weighted(shown(triangle(direction="LT"),
                                                          scores_of(q, k)), v),
    "column > row, not": lambda q, k, v: weighted(
        hidden(ops.not_(triangle(direction="LT")), scores_of(q, k), -1e9), v),
    "rows from 1": lambda q, k, v: weighted(hidden(ops.compare(
        ops.iota(shape=(S, T), axis=0, dtype="i32") + 1,
        ops.iota(shape=(S, T), axis=1, dtype="i32"), direction="GT"), scores_of(q, k)), v),
    "added": lambda q, k, v: weighted(scores_of(q, k) + ops.broadcast_to(
        hidden(triangle(), ops.full_like(ops.convert(triangle(), dtype=f32), value=0.0), -1e9),
        shape=(B, H, S, T)), v),
    "added as one less a triangle": lambda q, k, v: weighted(scores_of(q, k) + ops.broadcast_to(
        (1.0 - ops.convert(triangle(), dtype=f32)) * -1e9, shape=(B, H, S, T)), v),
}  # fmt: skip


@pytest.mark.parametrize("name", CAUSAL)
def test_a_triangle_of_indices_is_causal_and_no_operand(name: str) -> None:
    said = only(CAUSAL[name], Q, K, K)
    assert (said["causal"], said["operand_segments"]) == (True, (1, 1, 1, 0, 0))


def test_a_triangle_beside_a_mask_leaves_the_mask() -> None:
    said = only(
        lambda q, k, v, m: weighted(
            hidden(ops.and_(m, ops.broadcast_to(triangle(), shape=(B, 1, S, T))),
                   scores_of(q, k)), v
        ),
        Q, K, K, MASK,
    )  # fmt: skip
    assert (said["causal"], said["mask"]) == (True, "seen")
    assert said["layout"] == "bhsd,bhtd,bhte,b1st->bhse"


NOT_CAUSAL: dict[str, Make] = {
    "row > column": lambda: triangle(direction="GT"),
    "row <= column": lambda: triangle(direction="LE"),
    "one row later": lambda: ops.compare(
        ops.iota(shape=(S, T), axis=0, dtype="i32") + 1,
        ops.iota(shape=(S, T), axis=1, dtype="i32"), direction="GE"),
    "twice the row": lambda: ops.compare(
        ops.iota(shape=(S, T), axis=0, dtype="i32") * 2,
        ops.iota(shape=(S, T), axis=1, dtype="i32"), direction="GE"),
    "the same keys for every row": lambda: ops.compare(
        ops.iota(shape=(S, T), axis=0, dtype="i32") * 0,
        ops.iota(shape=(S, T), axis=1, dtype="i32"), direction="GE"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_CAUSAL)
def test_another_triangle_is_a_mask_like_any(name: str) -> None:
    make = NOT_CAUSAL[name]
    said = only(lambda q, k, v: weighted(hidden(make(), scores_of(q, k), -1e9), v), Q, K, K)
    assert (said["causal"], said["mask"]) == (False, "seen")


def test_layers_that_share_a_mask_and_its_broadcast_are_found_each() -> None:
    def two(q: Any, k: Any, v: Any, m: Any) -> Any:
        wide = ops.broadcast_to(m, shape=(B, H, S, T))
        none = ops.full_like(scores_of(q, k), value=-math.inf)
        once = weighted(ops.select(wide, scores_of(q, k), none), v)
        return weighted(ops.select(wide, scores_of(once, k), none), v)

    assert len(attentions(two, Q, K, K, MASK)) == 2


def test_layers_that_share_a_triangle_are_causal_each() -> None:
    def two(q: Any, k: Any, v: Any) -> Any:
        wide = ops.broadcast_to(triangle(), shape=(B, H, S, T))
        none = ops.full_like(scores_of(q, k), value=-math.inf)
        once = weighted(ops.select(wide, scores_of(q, k), none), v)
        return weighted(ops.select(wide, scores_of(once, k), none), v)

    found = attentions(two, Q, K, K)
    assert [(f["causal"], f["operand_segments"]) for f in found] == [(True, (1, 1, 1, 0, 0))] * 2


@pytest.mark.parametrize("element", [f32, bf16, f16])
def test_the_softmax_may_be_in_f32_and_in_primitive_ops(element: Any, find_in: Any) -> None:
    def make(q: Any, k: Any, v: Any) -> Any:
        scores = ops.convert(scores_of(q, k), dtype=f32) * SCALE
        weights = ops.convert(softmax(scores), dtype=element)
        return einsum("bhst,bhtd->bhsd", weights, v)

    types = element[B, H, S, D], element[B, H, T, D], element[B, H, T, D]
    (found,) = find_in(make, *types)
    assert found.pattern == "attention"
    assert found.operands == texts(*types)


def test_weights_that_are_used_are_a_result(find_in: Any) -> None:
    def make(q: Any, k: Any, v: Any) -> Any:
        weights = softmax(scores_of(q, k))
        return einsum("bhst,bhtd->bhsd", weights, v), weights

    assert [found.pattern for found in find_in(make, Q, K, K)] == ["attention"]


def by_softmax(scores: Any, v: Any) -> Any:
    return einsum("bhst,bhtd->bhsd", softmax(scores), v)


def less_the_largest_of(others: Any, scores: Any) -> Any:
    """A softmax but for what is taken out of the scores: it is the maximum of others."""
    powers = ops.exp(scores - ops.reduce_max(others, axes=(3,), keepdims=True))
    return powers / ops.sum(powers, axes=(3,), keepdims=True)


def over_rows(x: Any) -> Any:
    powers = ops.exp(x - ops.reduce_max(x, axes=(0,), keepdims=True))
    return powers / ops.sum(powers, axes=(0,), keepdims=True)


NOT: dict[str, tuple[Make, tuple[dxir.TensorType, ...], str]] = {
    "softmax of the product over queries": (
        lambda q, k, v: einsum("st,td->sd", over_rows(
            einsum("sd,td->st", q, k)), v), (ROWS, ROWS, ROWS), "",
    ),
    "capped": (
        lambda q, k, v: by_softmax(ops.tanh(scores_of(q, k) / 50) * 50, v), (Q, K, K),
        "tanh is done to the scores",
    ),
    "hidden as zero": (
        lambda q, k, v, m: by_softmax(hidden(m, scores_of(q, k), 0.0), v), (Q, K, K, MASK),
        "which is not large",
    ),
    "hidden as another": (
        lambda q, k, v, m, o: by_softmax(ops.select(ops.broadcast_to(m, shape=(B, H, S, T)),
                                                  scores_of(q, k), o), v),
        (Q, K, K, MASK, f32[B, H, S, T]), "no number where they are hidden",
    ),
    "the maximum is one of scaled scores": (
        lambda q, k, v: einsum("bhst,bhtd->bhsd", less_the_largest_of(
            scores_of(q, k) * SCALE, scores_of(q, k)), v), (Q, K, K), "one of other scores",
    ),
    "the maximum is one of biased scores": (
        lambda q, k, v, b: einsum("bhst,bhtd->bhsd", less_the_largest_of(
            scores_of(q, k) + b, scores_of(q, k)), v), (Q, K, K, f32[B, H, S, T]),
        "one of other scores",
    ),
    "the bias is scaled": (
        lambda q, k, v, b: by_softmax((scores_of(q, k) + b) * SCALE, v), (Q, K, K, f32[B, H, S, T]),
        "the scale is of the bias",
    ),
    "values of each query": (
        lambda q, k, v: einsum("bhst,bhstd->bhsd", softmax(scores_of(q, k)), v),
        (Q, K, f32[B, H, S, T, D]), "values differ from query to query",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_no_attention_is_left_alone(name: str) -> None:
    make, types, reason = NOT[name]
    program = several(make, *types)
    program = program.run_passes("dxir-recognize{patterns=attention near-misses=true}")
    found = composites_of(program.run_passes("dxir-coarsen"))
    assert all(node.attrs["composite_name"] != "dxir.attention" for node in found)
    assert any(reason in d.message for d in program.diagnostics), list(program.diagnostics)
