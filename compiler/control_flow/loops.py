"""Loops in functions that are traced, on containers of arrays.

Where no graph is being built they are the loops of Python: bodies run on
numbers, and what they print is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.control_flow.bodies import Carry, called, is_eager, region_of, strong, traced_body
from dxir.control_flow.choices import predicate
from dxir.control_flow.numbers import Keep, on_numbers
from dxir.errors import GraphError, OperandError, ShapeError
from dxir.graph import building
from dxir.locations import caller_location
from dxir.misuse import explained
from dxir.numpy.promotion import array_of, promoted
from dxir.tracing.arrays import Array
from dxir.tracing.eager import EagerRegion
from dxir.tracing.trees import flatten, leaves_of, map_leaves
from dxir.types import TensorType
from dxir.wording import shown

Python = Callable[..., Any]


@explained
def while_loop(cond: Python, body: Python, init: Any) -> Any:
    """`state = body(state)` while `cond(state)`, from `init` on.

    The state is any container of arrays, whose shapes and element types the body keeps. Python
    numbers in `init` take the element types that the body gives them. Raises GraphError where the
    body changes what it must keep.
    """
    if is_eager(init):
        return on_numbers(
            "while_loop",
            init,
            lambda state, keep: _eager_while(cond, body, state, keep),
            lambda state: (called("while_loop", body, state), ()),
        )
    with building(region_of(init)):
        carry = Carry("while_loop", init)
        step = carry.traced(lambda state: (called("while_loop", body, state), ()))
        test = traced_body(
            lambda state: predicate(called("while_loop", cond, state)),
            (carry.given(),),
            carry.types,
        )
        regions = [test.sealed(), step.sealed()]
        return carry.tree.build(ops.while_loop(regions[0], regions[1], init=carry.values()))


@explained
def fori_loop(lower: Any, upper: Any, body: Python, init: Any) -> Any:
    """`state = body(i, state)` for `i` from `lower` up to, not including, `upper`.

    `i` is an i32 scalar, or of the type of the bounds. Bounds that are Python integers make a loop
    that can be differentiated in reverse.
    """
    if is_eager((lower, upper), init):
        first, last = _bounds(lower, upper)
        return on_numbers(
            "fori_loop",
            init,
            lambda state, keep: _eager_fori(body, first, int(last), state, keep),
            lambda i, state: (called("fori_loop", body, i, state), ()),
            before=[first.type],
        )
    with building(region_of((lower, upper), init)):
        start, stop = _bounds(lower, upper)
        carry = Carry("fori_loop", init)
        step = carry.traced(
            lambda i, state: (called("fori_loop", body, i, state), ()), before=[start.type]
        )
        region = step.sealed()
        return carry.tree.build(ops.fori_loop(start.value(), stop.value(), region, carry.values()))


@explained
def scan(
    body: Python, init: Any, xs: Any = None, *, length: int | None = None, reverse: bool = False
) -> tuple[Any, Any]:
    """`state, y = body(state, x)` for each `x` along the leading axes of `xs`, from `init` on.

    Gives the last state, and the `y` stacked along a new leading axis. `xs` and `y` are any
    containers of arrays; without `xs` there are `length` steps. `reverse` goes from the last to the
    first. Raises ShapeError for `xs` of different lengths, GraphError where the body does not
    return a pair or changes the types of the state.
    """
    leaves = [array_of(x) for x in leaves_of(xs)]
    count = _length(leaves, length)
    tree = flatten(map_leaves(array_of, xs))[1]
    if is_eager(init, xs) and count:
        order = range(count - 1, -1, -1) if reverse else range(count)
        ended: tuple[Any, Any] = on_numbers(
            "scan",
            init,
            lambda state, keep: _eager_scan(body, leaves, tree.build, order, state, keep),
        )
        return ended
    with building(region_of(init, xs) or EagerRegion()):  # without a step, the types are traced
        carry = Carry("scan", init)
        inner = [TensorType(x.shape[1:], x.dtype) for x in leaves]

        def step(state: Any, *rows: Any) -> tuple[Any, Any]:
            return _pair(called("scan", body, state, tree.build(rows)))

        traced = carry.traced(step, after=inner)
        region = traced.sealed()
        values = [x.value() for x in leaves]
        found = ops.scan(region, carry.values(), values, length=count, reverse=reverse)
        count = len(carry.types)
        return carry.tree.build(found[:count]), traced.rest.build(found[count:])


@explained
def map(function: Python, xs: Any) -> Any:
    """`function` of each element along the leading axes of `xs`, one after the other, stacked.

    `dxir.vmap` does them all at once; this takes the memory of one.
    """
    return scan(lambda state, x: (state, function(x)), (), xs)[1]


def _bound(given: Any) -> Array:
    found = array_of(given)
    if found.shape or not found.dtype.is_integer:
        raise OperandError(
            f"fori_loop: a bound is {found.type}, and must be an integer scalar",
            where=caller_location(),
            hint="convert it: dxir.numpy.astype(x, dxir.i32), or a // b for a / b",
        )
    return found


def _bounds(lower: Any, upper: Any) -> tuple[Array, Array]:
    """The bounds of a loop, of one integer type; a Python integer takes that of the other one."""
    start, stop = promoted(*[_number(_bound(given)) for given in (lower, upper)])
    return Array(start), Array(stop)


def _number(bound: Array) -> Any:
    """A bound, as the number it was where that is known: the type that it takes must hold it."""
    return bound if not bound.weak or bound.is_traced else int(bound)


def _length(leaves: Sequence[Array], given: int | None) -> int:
    sizes: dict[Any, None] = {}
    for leaf in leaves:
        if not leaf.shape:
            raise ShapeError(
                f"scan: xs holds {leaf.type}, which has no axis to go along",
                where=caller_location(),
                hint="give arrays with a leading axis; a number of steps is length=",
            )
        sizes[leaf.shape[0]] = None
    if given is not None:
        sizes[int(given)] = None
    if len(sizes) != 1 or not isinstance(next(iter(sizes)), int):
        raise ShapeError(
            f"scan: xs and length say {' and '.join([str(n) for n in sizes]) or 'no'} steps",
            where=caller_location(),
            hint="all arrays of xs have one size there, a known one; without xs give length=",
        )
    return int(next(iter(sizes)))


def _pair(found: Any) -> tuple[Any, Any]:
    if not isinstance(found, tuple) or len(found) != 2:
        raise GraphError(
            f"scan: the body returned {_kind(found)}, and not a pair",
            where=caller_location(),
            hint="return the next state and what is stacked: return state, y (or None)",
        )
    return found


def _kind(found: Any) -> str:
    if isinstance(found, Array):
        return f"one array ({found.type})"
    return f"{len(found)} things" if isinstance(found, tuple) else shown(found)


def _eager_while(cond: Python, body: Python, state: Any, keep: Keep) -> Any:
    while bool(predicate(called("while_loop", cond, state))):
        state = keep(state, called("while_loop", body, state))
    return state


def _eager_fori(body: Python, first: Array, last: int, state: Any, keep: Keep) -> Any:
    for i in range(int(first), last):
        index = Array(np.asarray(i, first.dtype.numpy))
        state = keep(state, called("fori_loop", body, index, state))
    return state


def _eager_scan(
    body: Python,
    leaves: Sequence[Array],
    build: Callable[[Sequence[Any]], Any],
    order: range,
    state: Any,
    keep: Keep,
) -> tuple[Any, Any]:
    rows: list[Any] = []
    for i in order:
        given = build([Array(x.numpy()[i]) for x in leaves])
        after, y = _pair(called("scan", body, state, given))
        state = keep(state, after)
        rows.append(map_leaves(strong, y))
    if order.step < 0:
        rows.reverse()
    return state, map_leaves(lambda *ys: Array(np.stack([y.numpy() for y in ys])), *rows)
