"""Accesses against NumPy: what a value's index is in terms of the variables of the frame."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dxir
from dxir import ops
from dxir.pattern import Elementwise, Rule, Var
from dxir.pattern.access import (
    DYNAMIC,
    Access,
    Frame,
    dims_reading,
    dropped,
    joined,
    through_broadcast,
    through_reshape,
    through_transpose,
    whole,
)

Array = np.ndarray[Any, Any]
Step = tuple[str, tuple[int, ...], tuple[int, ...]]
"""An op with its list of dimensions, if it has one, and the shape of its result."""


def factorings(count: int, most: int = 4) -> list[tuple[int, ...]]:
    """The shapes of that many elements, of few dimensions."""
    sizes = [n for n in range(1, count + 1) if count % n == 0]
    return [
        shape
        for rank in range(most)
        for shape in itertools.product(sizes, repeat=rank)
        if math.prod(shape) == count
    ]


@st.composite
def steps(draw: st.DrawFn, shape: tuple[int, ...], most: int = 4) -> list[Step]:
    """Ops of layout, one after the other."""
    found: list[Step] = []
    for _ in range(draw(st.integers(0, most))):
        kind = draw(st.sampled_from(["reshape", "transpose", "broadcast"]))
        if kind == "transpose":
            dims = tuple(draw(st.permutations(range(len(shape)))))
            shape = tuple([shape[d] for d in dims])
        elif kind == "reshape":
            dims, shape = (), draw(st.sampled_from(factorings(math.prod(shape))))
        else:
            dims, shape = draw(broadcasts(shape))
        found.append((kind, dims, shape))
    return found


@st.composite
def broadcasts(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    rank = draw(st.integers(len(shape), 4))
    dims = draw(st.permutations(range(rank)))[: len(shape)]
    result = [draw(st.integers(1, 2)) for _ in range(rank)]
    for size, dim in zip(shape, dims, strict=True):
        result[dim] = size if size > 1 else result[dim]
    assume(math.prod(result) <= 96)
    return tuple(dims), tuple(result)


shapes = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=3).map(tuple)


def applied(array: Array, step: Step) -> Array:
    kind, dims, shape = step
    if kind == "reshape":
        return array.reshape(shape)
    if kind == "transpose":
        return array.transpose(dims)
    own = [1] * len(shape)
    for size, dim in zip(array.shape, dims, strict=True):
        own[dim] = size
    ordered = array.transpose(np.argsort(dims)) if dims else array
    return np.broadcast_to(ordered.reshape(own), shape)


def below(access: Access, step: Step, operand: tuple[int, ...]) -> Access | None:
    kind, dims, shape = step
    if kind == "reshape":
        return through_reshape(access, operand)
    if kind == "transpose":
        return through_transpose(access, dims)
    return through_broadcast(access, dims, operand, shape)


def read(access: Access, variables: tuple[int, ...]) -> tuple[int, ...]:
    """The index that an access makes of the values of the variables."""
    index: list[int] = []
    for digits in access:
        number = 0
        for variable, divisor, size in digits:
            number = number * size + variables[variable] // divisor % size
        index.append(number)
    return tuple(index)


def reads_as(frame: Frame, access: Access, base: Array, result: Array) -> bool:
    """Whether the access reads from the base what stands in the result, everywhere."""
    wide = [d for d, size in enumerate(result.shape) if size != 1]
    assert [result.shape[d] for d in wide] == frame.sizes
    for index in np.ndindex(result.shape):
        variables = tuple([index[d] for d in wide])
        if base[read(access, variables)] != result[index]:
            return False
    return True


@settings(max_examples=300, deadline=None)
@given(st.data(), shapes)
def test_an_access_reads_what_numpy_does(data: st.DataObject, shape: tuple[int, ...]) -> None:
    base = np.arange(math.prod(shape)).reshape(shape)
    chain, result, operands = data.draw(steps(shape)), base, []
    for step in chain:
        operands.append(result.shape)
        result = applied(result, step)
    frame = Frame()
    access: Access | None = frame.access(result.shape)
    for step, operand in zip(reversed(chain), reversed(operands), strict=True):
        assert access is not None
        access = below(access, step, operand)
        if access is None:
            assert step[0] == "reshape"
            return
    assert access is not None
    assert reads_as(frame, access, base, result)


@settings(max_examples=200, deadline=None)
@given(st.data(), shapes)
def test_a_reshape_there_and_back_reads_the_same(
    data: st.DataObject, shape: tuple[int, ...]
) -> None:
    access = Frame().access(shape)
    other = data.draw(st.sampled_from(factorings(math.prod(shape))))
    there = through_reshape(access, other)
    if there is not None:
        assert through_reshape(there, shape) == access


SAME = Rule(
    "same",
    (Elementwise(("stablehlo.atan2",), Var("x"), Var("x")),),
    operands=("x",),
)


def built(x: Any, chain: list[Step]) -> Any:
    for kind, dims, shape in chain:
        if kind == "reshape":
            x = ops.reshape(x, shape=shape)
        elif kind == "transpose":
            x = ops.transpose(x, permutation=dims)
        else:
            x = ops.broadcast_in_dim(x, shape=shape, dims=dims)
    return x


@settings(max_examples=150, deadline=None)
@given(st.data(), shapes)
def test_a_name_that_stands_twice_is_found_only_where_both_read_the_same(
    look: Callable[..., Any], data: st.DataObject, shape: tuple[int, ...]
) -> None:
    base = np.arange(math.prod(shape)).reshape(shape)
    chains = [data.draw(steps(shape, 3)) for _ in range(2)]
    arrays = []
    for chain in chains:
        array = base
        for step in chain:
            array = applied(array, step)
        arrays.append(array)
    size = max(array.size for array in arrays)
    for chain, array in zip(chains, arrays, strict=True):
        if array.shape != arrays[0].shape:
            assume(size == array.size == arrays[0].size)
            chain.append(("reshape", (), (size,)))
    if arrays[0].shape != arrays[1].shape:
        chains[0].append(("reshape", (), (size,)))
        arrays = [array.reshape(size) for array in arrays]
    builder = dxir.Builder("main")
    x = builder.param(dxir.f32[shape], name="x")
    program = dxir.lower(builder.build(ops.atan2(built(x, chains[0]), built(x, chains[1]))))
    found = look(program, SAME)
    if found.names:
        assert (arrays[0] == arrays[1]).all()
    elif not any(step[0] == "reshape" for chain in chains for step in chain):
        assert (arrays[0] != arrays[1]).any()


def test_a_dimension_of_size_1_has_no_digits() -> None:
    assert Frame().access([1, 3, 1]) == ((), ((0, 1, 3),), ())
    assert through_reshape(((), ((0, 1, 3),), ()), [3]) == (((0, 1, 3),),)


def test_a_dimension_that_is_split_is_read_by_digits_of_one_variable() -> None:
    access = Frame().access([6, 5])
    split = through_reshape(access, [2, 3, 5])
    assert split == (((0, 3, 2),), ((0, 1, 3),), ((1, 1, 5),))
    assert split is not None
    assert through_reshape(split, [6, 5]) == access


def test_dimensions_that_a_reshape_cuts_across_are_not_read() -> None:
    assert through_reshape(Frame().access([6, 4]), [8, 3]) is None
    assert through_reshape(Frame().access([2, 3]), [3, 2]) is None


def test_a_dynamic_dimension_is_not_looked_through_by_a_reshape() -> None:
    assert through_reshape(Frame().access([DYNAMIC, 2]), [DYNAMIC]) is None
    assert through_transpose(Frame().access([DYNAMIC, 2]), [1, 0])[1] == ((0, 1, DYNAMIC),)


def test_neighbouring_digits_of_one_variable_are_one_digit() -> None:
    assert joined([(0, 4, 3), (0, 2, 2), (0, 1, 2)]) == ((0, 1, 12),)
    assert joined([(0, 1, 2), (0, 2, 2)]) == ((0, 1, 2), (0, 2, 2))
    assert whole([(0, 1, 2), (0, 2, 2)]) == ((0, 1, 4),)


def test_what_a_broadcast_spreads_over_is_dropped() -> None:
    outer = Frame().access([2, 3, 4])
    inner = through_broadcast(outer, [2], [4], [2, 3, 4])
    assert dropped(outer, inner) == ((0, 1, 2), (1, 1, 3))


@pytest.mark.parametrize(
    ("digits", "dims"),
    [([(1, 1, 3)], (1,)), ([(2, 1, 4), (0, 1, 2)], (0, 2)), ([(1, 1, 2)], None), ([], ())],
)
def test_an_axis_is_dimensions_that_are_read_by_it_alone(digits: Any, dims: Any) -> None:
    assert dims_reading(Frame().access([2, 3, 4]), digits) == dims
