"""Loops run on numbers, whose state has the element types that it has when they are compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.control_flow.bodies import Carry, strong
from dxir.errors import DxirError
from dxir.graph import building
from dxir.numpy.promotion import array_of, as_type, result_type
from dxir.tracing.arrays import Array
from dxir.tracing.eager import EagerRegion
from dxir.tracing.trees import flatten
from dxir.types import TensorType, Type

Keep = Callable[[Any, Any], Any]


class _Widened(Exception):
    """The first step gave what began as Python numbers other element types."""

    def __init__(self, arrays: list[Array]) -> None:
        super().__init__()
        self.arrays = arrays


def on_numbers(
    what: str,
    init: Any,
    run: Callable[[Any, Keep], Any],
    step: Callable[..., Any] | None = None,
    before: Sequence[Type] = (),
) -> Any:
    """`run(state, keep)`, whose steps give the next state as `keep(state, result of the body)`.

    What began as a Python number has the type that the body gives it; where that is another one,
    the first step is taken anew. Where no step is taken, `step` is traced to tell the types.
    """
    leaves, tree = flatten(init)
    arrays = [array_of(leaf) for leaf in leaves]
    weak = any(a.weak for a in arrays)
    taken = False

    def keep(state: Any, found: Any) -> Any:
        nonlocal taken
        given, shape = flatten(found)
        news, olds = [array_of(leaf) for leaf in given], flatten(state)[0]
        if len(news) != len(olds):
            return shape.build([strong(a) for a in news])
        if weak and not taken:
            taken = True
            wider = [_widened(a, n) for a, n in zip(arrays, news, strict=True)]
            if any(w is not a for w, a in zip(wider, arrays, strict=True)):
                raise _Widened(wider)
        return shape.build([_kept(o, n) for o, n in zip(olds, news, strict=True)])

    try:
        ended = run(tree.build([strong(a) for a in arrays]), keep)
    except _Widened as found:
        return run(tree.build([strong(a) for a in found.arrays]), keep)
    return ended if taken or not weak or step is None else _settled(what, init, step, before)


def _kept(old: Array, new: Array) -> Array:
    """The next state; a Python number takes the type that it had."""
    return as_type(new, old.dtype) if new.weak and new.shape == old.shape else strong(new)


def _widened(first: Array, new: Array) -> Array:
    if not first.weak or new.weak or new.dtype == first.dtype:
        return first
    return as_type(first, new.dtype) if result_type(first, new) == new.dtype else first


def _settled(what: str, init: Any, step: Callable[..., Any], before: Sequence[Type]) -> Any:
    """The state before the first step, of the types that go round if the body tells them."""
    carry = Carry(what, init)
    arrays = flatten(carry.given())[0]
    with building(EagerRegion()):
        try:
            carry.traced(step, before=before)
        except DxirError:  # a body that asks for numbers
            return carry.tree.build([strong(a) for a in arrays])
    types = [t.primitive for t in carry.types if isinstance(t, TensorType)]
    return carry.tree.build([strong(as_type(*two)) for two in zip(arrays, types, strict=True)])
