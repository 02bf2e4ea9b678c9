"""`dxir.function`: a Python function that is traced, and called from others that are."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar, overload

from dxir import making, ops
from dxir.errors import TracingError
from dxir.functions.leaves import Leaf, array_for, leaf_of
from dxir.functions.parameters import Parameters, StaticNames, StaticValue
from dxir.functions.plans import typed_extras
from dxir.functions.shapes import Shapes
from dxir.functions.shardings import Shardings
from dxir.functions.traces import (
    Result,
    Running,
    Traced,
    as_arrays,
    flattened,
    location_of,
    make_unlike_callees,
    open_function,
    parameter_names,
    run_on,
    symbol,
)
from dxir.graph import Function, Region, Value, building, current_region
from dxir.locations import caller_location
from dxir.misuse import call_python
from dxir.partition_spec import mesh_around
from dxir.sharding import Mesh
from dxir.tracing.arrays import Array
from dxir.tracing.eager import eager_region
from dxir.tracing.trees import Tree
from dxir.transforms.functions import closed
from dxir.transforms.sharing import shared
from dxir.types import TensorType
from dxir.wording import shown

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable

P = ParamSpec("P")
R = TypeVar("R")

_eager: ContextVar[bool] = ContextVar("dxir_eager", default=False)


class Given(NamedTuple):
    """The arguments of one call, taken apart; leaves are as they were given."""

    leaves: list[Any]
    tree: Tree


class Key(NamedTuple):
    """What a function is traced for: equal keys have one trace.

    `extras` tell apart what containers have besides arrays, and `mesh` is that of partition specs.
    """

    tree: Tree
    leaves: tuple[Leaf, ...]
    extras: tuple[StaticValue, ...]
    mesh: Mesh | None


class _Callee(NamedTuple):
    """A function that is called from others, and how its results are put together."""

    function: Function
    result: Result


class TracedFunction(Generic[P, R]):
    """A Python function over arrays; see `dxir.function`.

    Called while another function is traced, it is a call in that one's graph; called on numbers, it
    is compiled as by `dxir.jit` with no options. `python` is the function itself.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        static: StaticNames = (),
        name: str | None = None,
        shapes: Mapping[str, Any] | None = None,
        shardings: Mapping[str, Any] | None = None,
        mesh: Mesh | None = None,
        inline: bool = False,
    ) -> None:
        _check_python(function)
        self.python = function
        self.parameters = Parameters(function, static)
        self.name = name or self.parameters.name
        self.shapes = Shapes(shapes, self.parameters)
        self.shardings = Shardings(shardings, self.parameters)
        self.mesh = mesh
        self.inline = inline
        self._static = static
        self._callees: dict[Any, _Callee] = {}
        self._jitted: Any = None
        functools.update_wrapper(self, function, updated=())

    def trace(self, /, *args: Any, **kwargs: Any) -> Traced:
        """The function as a graph, for arguments of the types of these.

        Arguments may be arrays, Python numbers, None, containers of these, static ones as they are
        named, and types (`dxir.f32["n", 3]`) in the place of arrays. Raises TracingError for
        others, and for what cannot be done with an array whose numbers are not known.
        """
        return self.traced(self.key(self.given(args, kwargs)))

    def lower(self, /, *args: Any, **kwargs: Any) -> Program:
        """The program for arguments of the types of these; see `trace`."""
        return self.trace(*args, **kwargs).lower()

    def compile(self, /, *args: Any, target: Any = "xla-cpu", **kwargs: Any) -> Executable:
        """What runs the program for arguments of the types of these; see `trace`.

        It takes and gives the leaves, in order; `dxir.jit` gives what takes containers.
        """
        return self.trace(*args, **kwargs).compile(target)

    def eager(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the Python function op by op on numbers, by the references of the ops in NumPy.

        Everything in it can be printed and stepped through; functions that are called from it run
        so as well.
        """
        given = self.given(args, kwargs)
        paths = self.parameters.paths(given.tree)
        arrays = [array_for(v, p, self.name) for v, p in zip(given.leaves, paths, strict=True)]
        taken, named = given.tree.build(arrays)
        reset = _eager.set(True)
        try:
            with building(None):
                found: R = as_arrays(call_python(self.python, taken, named, self.name), self.name)
                return found
        finally:
            _eager.reset(reset)

    def given(self, args: Any, kwargs: Any) -> Given:
        """The arguments of a call, taken apart."""
        marked = self.parameters.marked(tuple(args), kwargs)
        return Given(*flattened(marked, f"an argument of {self.name}"))

    def key(self, given: Given) -> Key:
        """What the function is traced for in this call."""
        try:
            found = [leaf_of(v, "", self.name) for v in given.leaves]
        except TracingError:
            paths = self.parameters.paths(given.tree)
            found = [leaf_of(v, p, self.name) for v, p in zip(given.leaves, paths, strict=True)]
        leaves = self.shapes.applied(given.tree, found)
        return Key(given.tree, leaves, typed_extras(given.tree), self.mesh or mesh_around())

    def refuse_types(self, given: Given) -> None:
        """Raise TracingError for types in the place of arrays, where numbers are needed."""
        for i, leaf in enumerate(given.leaves):
            if isinstance(leaf, TensorType):
                path = self.parameters.paths(given.tree)[i]
                raise TracingError(
                    f"{path} of {self.name} is the type {leaf}, and the function is called",
                    where=caller_location(),
                    hint="types are for f.trace and f.lower; a call needs arrays",
                )

    def traced(self, key: Key) -> Traced:
        """The function traced on leaves in containers."""
        paths = self.parameters.paths(key.tree)
        made = open_function(self.name, key.leaves, paths, location_of(self.python))
        made.mesh = key.mesh
        self.shardings.apply(made, key.tree)
        with Running(self, key, self.name):
            result = run_on(self.python, made, key.tree, key.leaves, self.name)
        make_unlike_callees(made)
        return Traced(made, key.tree, key.leaves, result, tuple(paths))

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if current_region() is None and not _eager.get():
            given = self.given(args, kwargs)
            home = region_of(given.leaves)
            if home is None:
                found: R = self._compiled()(*args, **kwargs)
                return found
            with building(home):
                return self.call_inside(given)  # type: ignore[no-any-return]  # of the function
        if _eager.get() and current_region() is None:
            return self.eager(*args, **kwargs)
        return self.call_inside(self.given(args, kwargs))  # type: ignore[no-any-return]

    def _compiled(self) -> Any:
        if self._jitted is None:
            from dxir.functions.jitted import Jitted

            self._jitted = Jitted(self)
        return self._jitted

    def call_inside(self, given: Given) -> Any:
        """Call the function in the graph that is being built."""
        home = current_region()
        assert home is not None
        self.refuse_types(given)
        key = self.key(given)
        operands = [array_for(v, "", self.name).value() for v in given.leaves]
        callee = self._callees.get(key)
        outside: tuple[Value, ...] = ()
        if callee is None:
            callee, outside = self._callee(key, home)
            if not outside:
                self._callees[key] = callee
        operands += outside
        if self.inline:
            found = making.inline(callee.function, operands)
        else:
            found = making.several(ops.call(callee.function, operands))
        return callee.result.build(found)

    def _callee(self, key: Key, home: Region) -> tuple[_Callee, tuple[Value, ...]]:
        """The function traced inside another one, and the values of that one that it uses."""
        region = Region([leaf.type for leaf in key.leaves], home)
        with Running(self, key, self.name):
            result = run_on(self.python, region, key.tree, key.leaves, self.name)
        name = symbol(self.name)
        whole, outside = closed(region, f"{name}.inner" if name == "main" else name)
        whole.location = location_of(self.python)
        whole.mesh = key.mesh
        names = parameter_names(self.parameters.paths(key.tree))
        for param, called in zip(whole.params, names, strict=False):
            param.name = called
        return _Callee(whole if self.inline else shared(whole), result), outside

    @overload
    def __get__(self, instance: None, owner: type) -> TracedFunction[P, R]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., R]: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        return self if instance is None else Bound(self, instance)

    def __repr__(self) -> str:
        return f"<traced function {self.name}>"


class Bound:
    """A traced function as a method: the object is the first argument."""

    def __init__(self, function: Any, instance: object) -> None:
        self._function = function
        self._instance = instance
        functools.update_wrapper(self, function, updated=())

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._function(self._instance, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._function, name)
        if name in ("trace", "lower", "compile", "eager"):
            return functools.partial(found, self._instance)
        if name == "given":
            return lambda args, kwargs: found((self._instance, *args), kwargs)
        return found


def region_of(leaves: list[Any]) -> Region | None:
    """The region that the values among the leaves are in, if there are any."""
    for leaf in leaves:
        held = leaf.held if isinstance(leaf, Array) else leaf
        if isinstance(held, Value) and held.region is not None and not eager_region(held.region):
            return held.region
    return None


def is_eager() -> bool:
    """Whether a function runs on numbers, and those that it calls as well."""
    return _eager.get()


def _check_python(function: Any) -> None:
    if not callable(function):
        raise TracingError(
            f"a Python function is traced, not {shown(function)}",
            where=caller_location(),
            hint=_hint_for(function),
        )
    for is_one, kind in (
        (inspect.iscoroutinefunction, "a coroutine"),
        (inspect.isgeneratorfunction, "a generator"),
        (inspect.isasyncgenfunction, "an asynchronous generator"),
    ):
        if is_one(function):
            raise TracingError(
                f"{Parameters(function, ()).name} gives {kind}, which cannot be traced",
                where=caller_location(),
                hint="return arrays, or a list of them",
            )


def _hint_for(given: Any) -> str:
    """What to do with something in the place of a function."""
    if isinstance(given, Function):
        return "a dxir.Function is a graph already: dxir.compile takes it"
    if hasattr(given, "serialize"):
        return "a program is traced already: dxir.compile takes it"
    if isinstance(given, (str, int)):
        return "options go by keyword: @dxir.function(static=...)"
    return "give the function itself, without calling it: dxir.jit(f)(x), not dxir.jit(f(x))"


@overload
def function(python: Callable[P, R], /) -> TracedFunction[P, R]: ...
@overload
def function(
    *,
    static: StaticNames = (),
    name: str | None = None,
    shapes: Mapping[str, Any] | None = None,
    shardings: Mapping[str, Any] | None = None,
    mesh: Mesh | None = None,
    inline: bool = False,
) -> Callable[[Callable[P, R]], TracedFunction[P, R]]: ...
def function(
    python: Any = None,
    /,
    *,
    static: StaticNames = (),
    name: str | None = None,
    shapes: Mapping[str, Any] | None = None,
    shardings: Mapping[str, Any] | None = None,
    mesh: Mesh | None = None,
    inline: bool = False,
) -> Any:
    """Make a Python function over arrays one that is traced: a decorator, with options or without.

    `f.trace(*args)` gives its graph for arguments of these types, `f.lower` the program, `f.eager`
    runs it in NumPy; called by another traced function it is a call in the graph, or in its place
    with `inline`, and called on numbers it is compiled. `static` names arguments that are no
    arrays: each value of them is a program of its own. `shapes` gives sizes names, so that one
    program is for all sizes: `shapes={"x": ("batch", None)}`; a container of shapes, or a shape for
    all arrays of one. `shardings` says in the same way how arguments lie on a mesh:
    `shardings={"x": dxir.P("data", None)}`. `name` is that of the graph, `mesh` the mesh of its
    partition specs; without it, it is that of `with mesh:` around the call.
    """
    options: dict[str, Any] = {
        "static": static, "name": name, "shapes": shapes, "shardings": shardings, "mesh": mesh,
        "inline": inline,
    }  # fmt: skip
    if python is None:
        return lambda given: TracedFunction(given, **options)
    return TracedFunction(python, **options)
