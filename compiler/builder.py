"""Building functions by hand: parameters, ops, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from dxir import checks
from dxir.errors import GraphError, OperandError
from dxir.graph import Function, Value, building
from dxir.locations import Location, caller_location, place_error
from dxir.making import unwrapped
from dxir.misuse import number_hint
from dxir.naming import checked_name
from dxir.op import trace
from dxir.partition_spec import P, mesh_around, rank_of, resolved
from dxir.sharding import Mesh, Sharding
from dxir.types import TensorType, Type
from dxir.wording import shown


class Builder:
    """Makes one function: `b = Builder("main"); x = b.param(f32[4, 8]); b.build(ops.tanh(x))`.

    Ops find their function through their operands. Used as a context manager, everything made
    inside belongs to the function, which ops with side effects and without operands need. `mesh`
    is the mesh of the partition specs `P(...)` in the function.
    """

    def __init__(
        self,
        name: str = "main",
        *,
        public: bool = True,
        location: Location | None = None,
        mesh: Mesh | None = None,
    ) -> None:
        if not name:
            raise GraphError("a function needs a name", where=caller_location())
        checked_name(name, "the name of a function", GraphError)
        self.function = Function(name, public=public, location=location or caller_location())
        self.function.mesh = _checked_mesh(mesh)
        self._names: set[str] = set()
        self._scope: AbstractContextManager[None] | None = None

    def param(
        self,
        type: Type,
        *,
        name: str | None = None,
        sharding: Sharding | P | None = None,
        annotations: dict[str, Any] | None = None,
        location: Location | None = None,
    ) -> Value:
        """Add a parameter; `annotations` are attributes of other tools, kept as they are."""
        function = self.function
        where = location or caller_location()
        if function.sealed:
            raise self._is_built(where)
        if name is not None:
            checked_name(name, "the name of a parameter", GraphError)
        if sharding is not None and not isinstance(sharding, (Sharding, P)):
            raise OperandError(
                f"sharding must be a Sharding or a P, not {sharding!r}",
                where=where,
                hint='give one entry a dimension: dxir.Sharding(mesh, "data", None), or '
                'dxir.P("data", None) where the builder has a mesh',
            )
        if name is not None and name in self._names:
            raise GraphError(
                f"function {function.name!r} has two parameters called {name!r}",
                where=where,
                hint="give each parameter its own name",
            )
        if type.__class__ is not TensorType and not isinstance(type, Type):
            raise OperandError(
                f"a parameter needs a type such as dxir.f32[2, 3], not {shown(type)}",
                where=where,
                hint="an element type with a shape is one: dxir.f32[2, 3], or dxir.f32[()] for a "
                "scalar",
            )
        given: Sharding | None = None
        value = Value(type, None, len(function.params), function, name)
        if sharding is not None:
            found: Sharding = resolved(sharding, rank=rank_of(value), region=function)
            found.check(type, f"parameter {name or len(function.params)}")
            given = found
        if name is not None:
            self._names.add(name)
        function.params += (value,)
        function.param_shardings.append(given)
        function.param_annotations.append(
            checks.dictionary(annotations, "annotations") if annotations else {}
        )
        function.param_locations.append(where)
        return value

    def _is_built(self, where: Location | None) -> GraphError:
        return GraphError(
            f"function {self.function.name!r} is already built",
            where=where,
            hint="a new dxir.Builder makes another function",
        )

    def build(
        self, *results: Any, shardings: Sequence[Sharding | P | None] | None = None
    ) -> Function:
        """Finish the function with its results."""
        where = caller_location()
        function = self.function
        if function.sealed:
            raise self._is_built(where)
        with building(function):
            results = tuple([unwrapped(result) for result in results])
        for result in results:
            if not isinstance(result, Value):
                several = isinstance(result, (tuple, list))
                raise OperandError(
                    f"a result must be a value of the graph, not {type(result).__name__}",
                    where=where,
                    hint="unpack them: b.build(*results)" if several else number_hint(result),
                )
        if shardings is not None:
            function.result_shardings = self._result_shardings(results, shardings)
        try:
            function.seal(results)
        except GraphError as error:
            place_error(error)
            raise
        return function

    def _result_shardings(
        self, results: Sequence[Value], shardings: Sequence[Sharding | P | None]
    ) -> list[Sharding | None]:
        where = caller_location()
        if not isinstance(shardings, (tuple, list)) or not all(
            s is None or isinstance(s, (Sharding, P)) for s in shardings
        ):
            raise OperandError(
                f"shardings must be a list of Shardings or Ps, not {shardings!r}", where=where
            )
        if len(shardings) != len(results):
            raise OperandError(
                f"{len(shardings)} shardings for {len(results)} results", where=where
            )
        found: list[Sharding | None] = []
        for given, result in zip(shardings, results, strict=True):
            sharding = resolved(given, rank=rank_of(result), region=self.function)
            if sharding is not None:
                sharding.check(result.type, "a result")
            found.append(sharding)
        return found

    def __enter__(self) -> Builder:
        self._scope = building(self.function)
        self._scope.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._scope is not None
        self._scope.__exit__(kind, error, traceback)
        self._scope = None


def build_function(
    body: Callable[..., Any],
    *param_types: Type,
    name: str | None = None,
    public: bool = True,
    mesh: Mesh | None = None,
) -> Function:
    """The function that `body` describes when it is called on parameters of these types."""
    function = Function(
        name or body.__name__, param_types, public=public, location=caller_location()
    )
    function.mesh = _checked_mesh(mesh)
    trace(body, function)
    return function


def _checked_mesh(mesh: object) -> Mesh | None:
    """The mesh of a new function: that given, or else that of `with mesh:`."""
    if mesh is None:
        return mesh_around()
    if isinstance(mesh, Mesh):
        return mesh
    raise OperandError(
        f"mesh must be a dxir.Mesh, not {mesh!r}",
        where=caller_location(),
        hint='write it as dxir.Mesh("m", {"x": 2, "y": 4})',
    )
