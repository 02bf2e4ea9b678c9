"""Branches and bodies of loops, traced on containers of arrays and brought to the same types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.errors import DxirError, GraphError, OperandError
from dxir.graph import Region, Value, building, current_region
from dxir.locations import caller_location
from dxir.misuse import miscalled
from dxir.numpy.promotion import array_of, as_type, result_type
from dxir.tracing.arrays import Array
from dxir.tracing.calls import name_of
from dxir.tracing.trees import Tree, flatten, leaves_of
from dxir.types import TensorType, Type
from dxir.wording import shown

Python = Callable[..., Any]


def is_eager(*given: Any) -> bool:
    """Whether nothing is being traced: no graph is being built, and no array is a graph's."""
    return current_region() is None and region_of(*given) is None


def region_of(*given: Any) -> Region | None:
    """The region being built, or that of the arrays among what is given."""
    region = current_region()
    if region is not None:
        return region
    held = [x.held if isinstance(x, Array) else x for x in leaves_of(given)]
    return next((v.region for v in held if isinstance(v, Value) and v.region is not None), None)


def called(what: str, function: Python, *given: Any) -> Any:
    """What a function given to `what` returns; OperandError where it cannot be called so."""
    if not callable(function):
        raise OperandError(
            f"{what} takes functions, not {shown(function)}",
            where=caller_location(),
            hint=_CALLED[what],
        )
    try:
        return function(*given)
    except TypeError as error:
        if not miscalled(error):
            raise
        count = "1 argument" if len(given) == 1 else f"{len(given)} arguments"
        problem = str(error).split("() ", 1)[-1]
        raise OperandError(
            f"{what} calls {name_of(function)} with {count}: {problem}",
            where=caller_location(),
            hint=_CALLED[what],
        ) from None


_CALLED = {
    "cond": "functions take the operands: dxir.cond(pred, true, false, *operands)",
    "switch": "functions take the operands: dxir.switch(index, branches, *operands)",
    "while_loop": "functions take the state alone: dxir.while_loop(cond, body, state); several "
    "arrays are one tuple",
    "fori_loop": "the body takes a number and the state: dxir.fori_loop(0, n, body, state)",
    "scan": "the body takes the state and a row of xs: dxir.scan(body, state, xs)",
}


def strong(given: Any) -> Array:
    """A leaf as an array with an element type of its own."""
    return Array(array_of(given))


class Body:
    """A function traced on arrays of given types: what it returned, and a region not yet sealed."""

    def __init__(self, region: Region, results: Sequence[Array], tree: Tree) -> None:
        self.region = region
        self.results = list(results)
        self.tree = tree
        self.rest = Tree(tuple)

    def sealed(self) -> Region:
        """The region, finished with the results."""
        with building(self.region):
            self.region.seal([r.value() for r in self.results])
        return self.region

    def converted(self, i: int, type: TensorType) -> None:
        """Bring a result that came from a Python number to an element type."""
        with building(self.region):
            self.results[i] = as_type(self.results[i], type.primitive)


def traced_body(
    function: Python,
    given: Sequence[Any],
    types: Sequence[Type] | None = None,
    what: str | None = None,
) -> Body:
    """`function(*given)` traced; with `types` on values of these in the place of the leaves.

    `what` was given the function, and says so where it cannot be called.
    """
    region = Region(types or (), current_region())
    if types is not None:
        given = flatten(given)[1].build([Array(p) for p in region.params])
    with building(region):
        found = function(*given) if what is None else called(what, function, *given)
        leaves, tree = flatten(found)
        arrays = [array_of(leaf) for leaf in leaves]
    return Body(region, arrays, flatten(tree.build(arrays))[1])


def branches_alike(
    what: str, names: Sequence[str], bodies: Sequence[Body]
) -> tuple[Tree, list[Region]]:
    """The containers that branches return, and their regions, all of the same types."""
    first = bodies[0]
    for name, body in zip(names, bodies, strict=True):
        if body.tree != first.tree:
            raise _differ(what, f"{names[0]} returns {first.tree}, {name} {body.tree}")
    for i, path in enumerate(first.tree.paths()):
        results = [body.results[i] for body in bodies]
        try:
            dtype = result_type(*results)
        except DxirError:
            dtype = results[0].dtype
        for name, body, result in zip(names, bodies, results, strict=True):
            wanted = TensorType(results[0].shape, dtype)
            if result.weak and result.dtype != dtype:
                body.converted(i, wanted)
            elif result.dtype != dtype or result.shape != wanted.shape:
                said = ", ".join(
                    [f"{r.type} from {n}" for n, r in zip(names, results, strict=True)]
                )
                raise _differ(what, f"the result{path} is {said} ({name} differs)")
    return first.tree, [body.sealed() for body in bodies]


def _differ(what: str, how: str) -> GraphError:
    return GraphError(
        f"{what}: the branches return different things: {how}",
        where=caller_location(),
        hint="every branch returns the same containers of arrays of the same shapes and element "
        "types; dxir.numpy.astype converts",
    )


class Carry:
    """What goes round a loop: containers of arrays, whose types the body must keep."""

    def __init__(self, what: str, init: Any) -> None:
        self._what = what
        leaves, tree = flatten(init)
        self._arrays = [array_of(leaf) for leaf in leaves]
        self.tree = flatten(tree.build([Array(a) for a in self._arrays]))[1]
        self.types: list[Type] = [a.type for a in self._arrays]

    def given(self) -> Any:
        """The state before the first step."""
        return self.tree.build(self._arrays)

    def values(self) -> list[Value]:
        """The values before the first step, of the types that go round."""
        return [
            as_type(a, t.primitive).value()
            for a, t in zip(self._arrays, self.types, strict=True)
            if isinstance(t, TensorType)
        ]

    def traced(
        self, step: Python, *, before: Sequence[Type] = (), after: Sequence[Type] = ()
    ) -> Body:
        """The body, which gives the next state and something beside; traced until types settle."""
        body = self._attempt(step, before, after)
        if self._widened(body):
            body = self._attempt(step, before, after)
        self._check(body)
        return body

    def _attempt(self, step: Python, before: Sequence[Type], after: Sequence[Type]) -> Body:
        types = [*before, *self.types, *after]
        count, start = len(self.types), len(before)

        def flat(*arrays: Any) -> Any:
            state = self.tree.build(arrays[start : start + count])
            return step(*arrays[:start], state, *arrays[start + count :])

        body = traced_body(flat, [Array(Value(t, None, 0, None)) for t in types], types)
        state, body.rest = body.tree.children
        if state != self.tree:
            raise GraphError(
                f"{self._what}: the state is {self.tree} at first, and {state} after the body",
                where=caller_location(),
                hint="the body returns the containers that it is given",
            )
        return body

    def _widened(self, body: Body) -> bool:
        """Give what began as a Python number the element type that the body gives it."""
        changed = False
        for i, (array, result) in enumerate(zip(self._arrays, body.results, strict=False)):
            if array.weak and not result.weak and result.dtype != array.dtype:
                dtype = result_type(array, result)
                if dtype == result.dtype:
                    self.types[i] = TensorType(array.shape, dtype)
                    changed = True
        return changed

    def _check(self, body: Body) -> None:
        for i, (path, type) in enumerate(zip(self.tree.paths(), self.types, strict=True)):
            result = body.results[i]
            assert isinstance(type, TensorType)
            if result.weak and result.shape == type.shape:
                body.converted(i, type)
            elif (result.shape, result.dtype) != (type.shape, type.primitive):
                raise GraphError(
                    f"{self._what}: the state{path} is {type} at first, and {result.type} after "
                    "the body",
                    where=caller_location(),
                    hint="what goes round a loop keeps its shape and element type; "
                    "dxir.numpy.astype converts",
                )
