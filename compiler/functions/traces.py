"""Running a Python function on arrays that stand for values, and what comes of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dxir.errors import DxirError, TracingError
from dxir.functions.leaves import Leaf
from dxir.graph import Function, Region, Value, building
from dxir.locations import Location, caller_location
from dxir.misuse import call_python
from dxir.numpy.promotion import array_of, scalar_kind
from dxir.runtime.array import Array as RuntimeArray
from dxir.symbols import called_functions
from dxir.tracing.arrays import Array
from dxir.tracing.trees import Tree, flatten
from dxir.types import DType

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable

_DEEP = 10
_NO_RECURSION = (
    "programs have no recursion: loop by dxir.while_loop, dxir.fori_loop or dxir.scan, or recurse "
    "on a static argument, which unrolls"
)
_running: ContextVar[tuple[tuple[object, object], ...]] = ContextVar("dxir_traces", default=())


class Result(NamedTuple):
    """What a traced function returned: the containers, and which leaves are Python numbers'."""

    tree: Tree
    weak: tuple[bool, ...]

    def build(self, values: Sequence[Any]) -> Any:
        """The containers around values or numbers, as arrays."""
        pairs = zip(values, self.weak, strict=True)
        return self.tree.build([Array(v, weak=w) for v, w in pairs])


@dataclass(frozen=True, slots=True, repr=False)
class Traced:
    """A Python function as a graph, for arguments of certain types.

    `function` is the graph, its parameters the leaves of the arguments in order, named by what
    leads to them. `in_tree` are the containers of the arguments: a tuple of those by position, and
    a dictionary of those by keyword; `out_tree` those of the results.
    """

    function: Function
    in_tree: Tree
    leaves: tuple[Leaf, ...]
    result: Result
    paths: tuple[str, ...]

    @property
    def out_tree(self) -> Tree:
        """The containers of the results."""
        return self.result.tree

    def lower(self) -> Program:
        """The verified program of the function and all that it calls; its entry is `@main`."""
        from dxir.program import lower

        return lower(self.function, entry=self.function)

    def compile(self, target: Any = "xla-cpu", **options: Any) -> Executable:
        """The function compiled for a target; `options` are those of `dxir.compile`."""
        from dxir.compiling import compile as compile_

        return compile_(self.function, target, **options)

    def __repr__(self) -> str:
        return f"Traced({self.function!r})"

    def __str__(self) -> str:
        return str(self.function)


def parameter_names(paths: Sequence[str]) -> list[str]:
    """Names for parameters out of what leads to them, each once: `params['w'][0]` is params.w.0."""
    taken: set[str] = set()
    found: list[str] = []
    for path in paths:
        name = base = re.sub(r"[^\w]+", ".", path).strip(".") or "x"
        number = 0
        while name in taken:
            number += 1
            name = f"{base}.{number}"
        taken.add(name)
        found.append(name)
    return found


def open_function(
    name: str, leaves: Sequence[Leaf], paths: Sequence[str], location: Location | None
) -> Function:
    """A function with a parameter for each leaf, to be traced into."""
    made = Function(symbol(name), [leaf.type for leaf in leaves], location=location)
    for param, called in zip(made.params, parameter_names(paths), strict=True):
        param.name = called
    return made


def symbol(name: str) -> str:
    """The name of a Python function as that of a graph."""
    return re.sub(r"\W+", "_", name).strip("_") or "function"


def run_on(
    function: Callable[..., Any], region: Region, tree: Tree, leaves: Sequence[Leaf], name: str
) -> Result:
    """Run a Python function on the first parameters of a region, which is sealed with its results.

    What was traced of a function that raises is refused wherever it is used.
    """
    given = [
        Array(p, weak=leaf.weak)
        for p, leaf in zip(region.params, leaves, strict=False)
    ]  # fmt: skip
    try:
        with building(region):
            args, kwargs = tree.build(given)
            returned = call_python(function, args, kwargs, name)
            found, out = flattened(returned, f"the result of {name}")
            paths = out.paths()
            arrays = [
                _result(leaf, f"the result{path} of {name}")
                for leaf, path in zip(found, paths, strict=True)
            ]
            region.seal([a.value() for a in arrays])
    finally:
        region.sealed = True
    return Result(out, tuple([a.weak for a in arrays]))


def as_arrays(found: Any, name: str) -> Any:
    """What a function returned with arrays in the place of numbers."""
    leaves, out = flattened(found, f"the result of {name}")
    paths = out.paths()
    return out.build([
        _result(leaf, f"the result{path} of {name}")
        for leaf, path in zip(leaves, paths, strict=True)
    ])  # fmt: skip


def _result(leaf: Any, what: str) -> Array:
    if isinstance(leaf, Array):
        return leaf
    if isinstance(leaf, (Value, RuntimeArray)):
        return Array(leaf)
    if scalar_kind(leaf) is not None or _has_numbers(leaf):
        return array_of(leaf)
    hint = "return arrays, numbers, None, or containers of them"
    if isinstance(leaf, np.ndarray):
        hint = f"arrays of {leaf.dtype} are none of numbers"
    if hasattr(leaf, "__next__"):
        hint = "return a list of what the generator yields"
    raise TracingError(
        f"{what} is of type {type(leaf).__name__}, which is no array",
        where=caller_location(),
        hint=hint,
    )


def _has_numbers(leaf: Any) -> bool:
    if not isinstance(leaf, (np.ndarray, np.generic)):
        return False
    try:
        DType.of(leaf.dtype.newbyteorder("="))
    except DxirError:
        return False
    return True


def flattened(tree: Any, what: str) -> tuple[list[Any], Tree]:
    """The leaves and containers; TracingError for containers that hold themselves."""
    try:
        return flatten(tree)
    except RecursionError:
        if len(_running.get()) >= _DEEP:
            raise
        raise TracingError(
            f"{what} is a container that holds itself, or containers are nested too deep",
            where=caller_location(),
            hint="containers of arrays are trees: a container is in one other at most",
        ) from None


class Running:
    """A trace for as long as it takes; TracingError for one that is inside itself."""

    __slots__ = ("_key", "_name", "_reset")

    def __init__(self, owner: object, key: object, name: str) -> None:
        self._key = (owner, key)
        self._name = name
        self._reset: Token[tuple[tuple[object, object], ...]] | None = None

    def __enter__(self) -> None:
        around = _running.get()
        if self._key in around:
            raise TracingError(
                f"{self._name} calls itself while it is traced, with arguments of the same types",
                where=caller_location(),
                hint=_NO_RECURSION,
            )
        self._reset = _running.set((*around, self._key))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert self._reset is not None
        deep = len(_running.get())
        _running.reset(self._reset)
        if kind is RecursionError and deep == 1:
            raise TracingError(
                f"{self._name} goes on calling functions until Python's stack is full: what is "
                "traced stands for any number, and does not end a recursion",
                where=caller_location(),
                hint=_NO_RECURSION,
            ) from None
        if kind is RecursionError and deep >= _DEEP:
            raise TracingError(
                f"traced functions call each other more than {deep} deep, {self._name} the last",
                where=caller_location(),
                hint=_NO_RECURSION,
            ) from None


def make_unlike_callees(function: Function) -> None:
    """Give a function a name that none of the functions has that it calls."""
    taken: set[str] = set()
    pending = called_functions(function)
    seen: set[int] = set()
    while pending:
        callee = pending.pop()
        if id(callee) not in seen:
            seen.add(id(callee))
            taken.add(callee.name)
            pending += called_functions(callee)
    base, number = function.name, 0
    while function.name in taken:
        number += 1
        function.name = f"{base}.{number}"


def location_of(function: Any) -> Location | None:
    """Where a Python function is written; the caller's place where that is not known."""
    while hasattr(function, "func") or hasattr(function, "__wrapped__"):
        function = getattr(function, "func", None) or function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None or not os.path.isabs(code.co_filename):
        return caller_location()
    return Location(code.co_filename, code.co_firstlineno)
