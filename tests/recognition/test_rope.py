"""The rope pattern: halves, pairs and complex numbers turned by tables, and one part of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import bf16, f16, f32, ops

from .conftest import several
from .einsums import disagreement, texts
from .meaning import composites_of

Make = Callable[..., Any]
B, H, S, D = 2, 3, 5, 8
M = D // 2
X, TABLE, PAIRS = f32[B, H, S, D], f32[S, D], f32[S, M]


def part(x: Any, which: int, step: int = 1) -> Any:
    """A half of the last dimension, or every other element of it."""
    size = x.shape[-1]
    start = which if step == 2 else which * size // 2
    limit = size if step == 2 else start + size // 2
    rest = [0] * (len(x.shape) - 1)
    return ops.slice(x, starts=(*rest, start), limits=(*x.shape[:-1], limit),
                     strides=(*[1] * len(rest), step))  # fmt: skip


def wide(table: Any, x: Any) -> Any:
    return ops.broadcast_to(table, shape=(*x.shape[:-1], table.shape[-1]))


def stacked(a: Any, b: Any) -> Any:
    columns = [ops.reshape(v, shape=(*v.shape, 1)) for v in (a, b)]
    both = ops.concat(columns, axis=-1)
    return ops.reshape(both, shape=(*a.shape[:-1], 2 * a.shape[-1]))


def joined(a: Any, b: Any) -> Any:
    return ops.concat((a, b), axis=-1)


def rotated(x: Any, c: Any, s: Any) -> Any:
    turned = joined(-part(x, 1), part(x, 0))
    return x * wide(c, x) + turned * wide(s, x)


def rotated_pairs(x: Any, c: Any, s: Any) -> Any:
    turned = stacked(-part(x, 1, 2), part(x, 0, 2))
    return x * wide(c, x) + turned * wide(s, x)


def apart(x: Any, c: Any, s: Any) -> Any:
    a, b = part(x, 0), part(x, 1)
    c, s = wide(c, x), wide(s, x)
    return joined(a * c - b * s, b * c + a * s)


def interleaved(x: Any, c: Any, s: Any) -> Any:
    a, b = part(x, 0, 2), part(x, 1, 2)
    c, s = wide(c, x), wide(s, x)
    return stacked(a * c - b * s, a * s + c * b)


def by_reshape(x: Any, c: Any, s: Any) -> Any:
    pairs = ops.reshape(x, shape=(B, H, S, M, 2))
    a, b = (ops.reshape(part(pairs, i), shape=(B, H, S, M)) for i in (0, 1))
    c, s = wide(c, x), wide(s, x)
    return stacked(a * c - b * s, b * c + a * s)


def halves_of_tables(x: Any, c: Any, s: Any) -> Any:
    a, b = part(x, 0), part(x, 1)
    c, s = wide(c, x), wide(s, x)
    return joined(a * part(c, 0) - b * part(s, 0), b * part(c, 1) + a * part(s, 1))


def as_complex(x: Any, c: Any, s: Any) -> Any:
    z = ops.complex(part(x, 0, 2), part(x, 1, 2)) * ops.complex(wide(c, x), wide(s, x))
    return stacked(ops.real(z), ops.imag(z))


def torch(x: Any, c: Any, s: Any) -> Any:
    """With what `torch.add` and `-x` become."""
    turned = joined(part(x, 1) * -1.0, part(x, 0))
    return x * wide(c, x) + (turned * wide(s, x)) * 1.0


def ropes(make: Make, *types: dxir.TensorType) -> list[dict[str, Any]]:
    """What the ropes of a function say; each computes that."""
    coarse = several(make, *types).run_passes("dxir-recognize,dxir-coarsen")
    nodes = [n for n in composites_of(coarse) if n.attrs["composite_name"] == "dxir.rope"]
    assert [disagreement(node) for node in nodes] == [None] * len(nodes)
    return [dict(node.attrs["composite_attributes"]) for node in nodes]


FORMS: dict[str, tuple[Make, dxir.TensorType, bool, str]] = {
    "rotated": (rotated, TABLE, False, "bhs(pd),s(pd),s(pd)->bhs(pd)"),
    "torch": (torch, TABLE, False, "bhs(pd),s(pd),s(pd)->bhs(pd)"),
    "rotated pairs": (rotated_pairs, TABLE, True, "bhs(dp),s(dp),s(dp)->bhs(dp)"),
    "apart": (apart, PAIRS, False, "bhs(pd),sd,sd->bhs(pd)"),
    "interleaved": (interleaved, PAIRS, True, "bhs(dp),sd,sd->bhs(dp)"),
    "by reshape": (by_reshape, PAIRS, True, "bhs(dp),sd,sd->bhs(dp)"),
    "halves of tables": (halves_of_tables, TABLE, False, "bhs(pd),s(pd),s(pd)->bhs(pd)"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_turn_is_found_however_it_is_written(form: str, find_in: Any) -> None:
    make, table, pairs, layout = FORMS[form]
    assert ropes(make, X, table, table) == [{"axis": 3, "interleaved": pairs, "layout": layout}]
    (found,) = find_in(make, X, table, table)
    assert found.operands == texts(X, table, table)


def test_a_turn_of_complex_numbers_is_found(find_in: Any) -> None:
    (found,) = find_in(as_complex, X, PAIRS, PAIRS)
    assert found.pattern == "rope"
    assert found.operands == texts(X, PAIRS, PAIRS)


@pytest.mark.parametrize("element", [bf16, f16])
def test_narrow_numbers_are_turned_too(element: Any, find_in: Any) -> None:
    types = element[B, H, S, D], element[S, D], element[S, D]
    (found,) = find_in(rotated, *types)
    assert (found.pattern, found.operands) == ("rope", texts(*types))


def test_queries_and_keys_share_tables_and_their_broadcasts(find_in: Any) -> None:
    def both(q: Any, k: Any, c: Any, s: Any) -> Any:
        c, s = wide(c, q), wide(s, q)
        return tuple(x * c + joined(-part(x, 1), part(x, 0)) * s for x in (q, k))

    assert [f.pattern for f in find_in(both, X, X, TABLE, TABLE)] == ["rope", "rope"]


def test_tables_of_angles_are_operands() -> None:
    def make(x: Any, angles: Any) -> Any:
        return rotated(x, ops.cos(angles), ops.sin(angles))

    assert [said["axis"] for said in ropes(make, X, TABLE)] == [3]


def test_dxirs_own_rope_is_found_where_it_is_spelled_out() -> None:
    program = several(lambda x, c, s: ops.rope(x, c, s), X, PAIRS, PAIRS)
    primitive = program.run_passes("dxir-decompose")
    coarse = primitive.run_passes("dxir-recognize,dxir-coarsen")
    names = [node.attrs["composite_name"] for node in composites_of(coarse)]
    assert names == ["dxir.rope"]


W = f32[D, D]
REAL: dict[str, Make] = {
    "a projection": lambda x, w, t: ops.matmul(x, w) * ops.cos(t) - t * ops.sin(t),
    "in another order": lambda x, w, t: ops.cos(t) * ops.matmul(x, w) - ops.sin(t) * t,
}


@pytest.mark.parametrize("name", REAL)
def test_one_part_of_the_turn_of_a_projection_is_found(name: str, find_in: Any) -> None:
    (found,) = find_in(REAL[name], TABLE, W, TABLE)
    assert (found.pattern, found.operands) == ("rope_real", texts(TABLE, TABLE, TABLE))


def test_parts_of_turns_that_share_angles_are_found_each(find_in: Any) -> None:
    def both(x: Any, w: Any, t: Any) -> Any:
        c, s = ops.cos(t), ops.sin(t)
        q, k = ops.matmul(x, w), ops.matmul(x + x, w)
        return q * c - t * s, k * c - t * s

    assert [f.pattern for f in find_in(both, TABLE, W, TABLE)] == ["rope_real"] * 2


NOT: dict[str, tuple[Make, dxir.TensorType]] = {
    "no half negated": (
        lambda x, c, s: x * wide(c, x) + joined(part(x, 1), part(x, 0)) * wide(s, x), TABLE),
    "the other half negated": (
        lambda x, c, s: x * wide(c, x) + joined(part(x, 1), -part(x, 0)) * wide(s, x), TABLE),
    "halves in place": (
        lambda x, c, s: x * wide(c, x) + joined(-part(x, 0), part(x, 1)) * wide(s, x), TABLE),
    "of another": (
        lambda x, c, s: x * wide(c, x) + joined(-part(ops.exp(x), 1), part(x, 0)) * wide(s, x),
        TABLE),
    "tables exchanged": (
        lambda x, c, s: joined(
            part(x, 0) * wide(c, x) - part(x, 1) * wide(s, x),
            part(x, 1) * wide(s, x) + part(x, 0) * wide(c, x)), PAIRS),
    "halves slices, pairs joined": (
        lambda x, c, s: stacked(
            part(x, 0) * wide(c, x) - part(x, 1) * wide(s, x),
            part(x, 1) * wide(c, x) + part(x, 0) * wide(s, x)), PAIRS),
    "a sum": (
        lambda x, c, s: joined(
            part(x, 0) * wide(c, x) + part(x, 1) * wide(s, x),
            part(x, 1) * wide(c, x) + part(x, 0) * wide(s, x)), PAIRS),
    "along another axis": (
        lambda x, c, s: x * wide(c, x) + ops.concat(
            (-ops.slice(x, starts=(1, 0, 0, 0), limits=(2, H, S, D)),
             ops.slice(x, starts=(0, 0, 0, 0), limits=(1, H, S, D))), axis=0) * 0.5, TABLE),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT)
def test_what_is_no_turn_is_left_alone(name: str) -> None:
    make, table = NOT[name]
    assert ropes(make, X, table, table) == []


def test_a_turn_of_what_is_no_query_is_left_alone(find_in: Any) -> None:
    def make(x: Any, y: Any, t: Any) -> Any:
        return x * ops.cos(t) - y * ops.sin(t)

    assert find_in(make, TABLE, TABLE, TABLE) == []


def test_a_near_miss_says_what_is_turned_the_wrong_way(near_misses_in: Any) -> None:
    make, table = NOT["no half negated"]
    said = near_misses_in("rope", make, X, table, table)
    assert any("negat" in message or "product" in message for message in said), said
