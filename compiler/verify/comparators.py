"""How sorts and arg-reductions order numbers, found out by asking them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dxir.elements import Array
from dxir.mlir import ir
from dxir.types import DType
from dxir.verify.bodies import result_of, samples
from dxir.verify.values import dtype_of


class Order(NamedTuple):
    """What a comparator of a sort does: to NaN, and to elements that are equal."""

    keys: tuple[int, ...]
    """The operands that it looks at."""
    loses_nan: bool
    is_reflexive: bool
    """Whether it says of equal elements that the first goes before the second."""


def order_of(block: ir.Block) -> Order | None:
    """What the comparator of a sort does; None where it cannot be run, or looks at no operand."""
    types = _types(block)
    if types is None or len(types) % 2:
        return None
    pairs = types[::2]
    same = _ask(block, pairs, {})
    if same is None:
        return None
    keys: list[int] = []
    loses_nan = False
    for i, dtype in enumerate(pairs):
        less, more = _ask(block, pairs, {i: (0, 1)}), _ask(block, pairs, {i: (1, 0)})
        if less == more:
            continue
        keys.append(i)
        if has_nan(dtype):
            first = _ask(block, pairs, {i: (math.nan, 1)})
            second = _ask(block, pairs, {i: (1, math.nan)})
            loses_nan |= first == second
    return Order(tuple(keys), loses_nan, bool(same)) if keys else None


def _ask(
    block: ir.Block, types: Sequence[DType], given: dict[int, tuple[float, float]]
) -> bool | None:
    arguments: list[Array] = []
    for i, dtype in enumerate(types):
        arguments += [samples(dtype.numpy, [n]) for n in given.get(i, (0, 0))]
    found = result_of(block, arguments)
    return None if found is None or found[0].size != 1 else bool(found[0].reshape(-1)[0])


class ArgOrder(NamedTuple):
    """What the body of an argmax or argmin does."""

    loses_nan: bool
    loses_ties: bool
    """Whether of equal elements it takes now one, now the other."""
    is_maximum: bool
    takes_last: bool
    """Whether of equal elements it takes the last one, always."""


def arg_order_of(block: ir.Block) -> ArgOrder | None:
    """What the body of a reduction of values and their places does; None if it is none of these."""
    types = _types(block)
    if types is None or len(types) != 4 or types[0] is not types[2] or types[1] is not types[3]:
        return None
    if not types[1].is_integer or not (types[0].is_float or types[0].is_integer):
        return None
    both = _both(block, types, (1, 0), (3, 1))
    if both is None or both[0] != both[1] or both[0] not in ((1, 0), (3, 1)):
        return None
    loses_nan = False
    if has_nan(types[0]):
        ways = _both(block, types, (1, 0), (math.nan, 1))
        loses_nan = ways is None or not all(math.isnan(v) and i == 1 for v, i in ways)
    ties = _both(block, types, (1, 0), (1, 1))
    wavers = ties is None or ties[0] != ties[1]
    takes_last = ties is not None and not wavers and ties[0] == (1, 1)
    return ArgOrder(loses_nan, wavers, both[0] == (3, 1), takes_last)


def has_nan(dtype: DType) -> bool:
    """Whether a type has a number that is none; the floats of 4 and 6 bits have not."""
    return dtype.is_float and math.isnan(float(samples(dtype.numpy, [math.nan])[0]))


def _both(
    block: ir.Block, types: Sequence[DType], a: tuple[float, int], b: tuple[float, int]
) -> list[tuple[float, int]] | None:
    """What the body makes of two elements, and of the same the other way round."""
    results: list[tuple[float, int]] = []
    for one, other in itertools.permutations((a, b)):
        given = [samples(t.numpy, [n]) for t, n in zip(types, (*one, *other), strict=True)]
        found = result_of(block, given)
        if found is None or len(found) != 2:
            return None
        value, place = (float(np.asarray(f).reshape(-1)[0]) for f in found)
        results.append((value, int(place)))
    return results


def _types(block: ir.Block) -> list[DType] | None:
    found = [dtype_of(argument) for argument in block.arguments]
    known = [t for t in found if t is not None and not t.is_complex]
    return known if len(known) == len(found) else None
