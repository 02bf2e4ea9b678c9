"""`dxir.jit`: a Python function that is compiled for the arguments it is called with."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, overload

from dxir.errors import TracingError
from dxir.functions.leaves import numbers_of
from dxir.functions.parameters import StaticNames
from dxir.functions.traceable import (
    Bound,
    Given,
    TracedFunction,
    _refuse_types,
    is_eager,
    region_of,
)
from dxir.functions.traces import Traced
from dxir.graph import building, current_region
from dxir.locations import caller_location

P = ParamSpec("P")
R = TypeVar("R")


class _Entry:
    """What was compiled for one signature."""

    __slots__ = ("executable", "lock", "traced")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.traced: Traced | None = None
        self.executable: Any = None


class Jitted(Generic[P, R]):
    """A function that is traced and compiled when it is called; see `dxir.jit`.

    `function` is the traced function, `traces` how often it was traced.
    """

    def __init__(
        self,
        function: TracedFunction[P, R],
        target: Any = "xla-cpu",
        donate: Any = (),
        **options: Any,
    ) -> None:
        self.function = function
        self.target = target
        self.traces = 0
        self._donate = (donate,) if isinstance(donate, (str, int)) else tuple(donate)
        self._options = options
        self._entries: dict[Any, _Entry] = {}
        self._lock = threading.Lock()
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        given = self.function.given(args, kwargs)
        home = current_region()
        if home is None:
            if is_eager():
                return self.function.eager(*args, **kwargs)
            home = region_of(given.leaves)
        if home is not None:
            with building(home):
                return self.function.call_inside(given)  # type: ignore[no-any-return]
        return self._run(given)  # type: ignore[no-any-return]

    def _run(self, given: Given) -> Any:
        leaves = self.function.leaves(given)
        key = (given.tree, leaves)
        entry = self._entries.get(key)
        if entry is None or entry.executable is None:
            _refuse_types(given, self.function.parameters, self.function.name)
            entry = self._filled(key)
        assert entry.traced is not None
        found = entry.executable.run([numbers_of(v) for v in given.leaves])
        return entry.traced.result.build(found)

    def _filled(self, key: Any) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
        with entry.lock:
            if entry.executable is None:
                try:
                    traced = self.function.traced(*key)
                    self.traces += 1
                    entry.executable = traced.compile(
                        self.target, donate=self._donated(traced), **self._options
                    )
                    entry.traced = traced
                except BaseException:
                    self._entries.pop(key, None)
                    raise
        return entry

    def _donated(self, traced: Traced) -> list[int]:
        found: list[int] = []
        parameters = self.function.parameters
        wanted = [parameters.position_name(d) if isinstance(d, int) else d for d in self._donate]
        for name, start, tree in parameters.argument_leaves(traced.in_tree):
            if name in wanted or name.split("[")[0] in wanted:
                found += range(start, start + tree.count)
        return found

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """The graph for arguments of the types of these; see `dxir.function`."""
        return self.function.trace(*args, **kwargs)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """The program for arguments of the types of these; see `dxir.function`."""
        return self.function.lower(*args, **kwargs)

    def eager(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the Python function on numbers; see `dxir.function`."""
        return self.function.eager(*args, **kwargs)

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        return self if instance is None else Bound(self, instance)

    def __repr__(self) -> str:
        return f"<jit of {self.function.name} for {self.target}>"


@overload
def jit(
    function: Callable[P, R] | TracedFunction[P, R],
    /,
    *,
    target: Any = "xla-cpu",
    static: StaticNames = (),
    donate: str | int | Sequence[str | int] = (),
    shapes: Mapping[str, Any] | None = None,
    **options: Any,
) -> Jitted[P, R]: ...
@overload
def jit(
    *,
    target: Any = "xla-cpu",
    static: StaticNames = (),
    donate: str | int | Sequence[str | int] = (),
    shapes: Mapping[str, Any] | None = None,
    **options: Any,
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Any = None,
    /,
    *,
    target: Any = "xla-cpu",
    static: StaticNames = (),
    donate: str | int | Sequence[str | int] = (),
    shapes: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Compile a Python function, or a `dxir.function`, for the arguments that it is called with.

    It is traced and compiled for each signature once: the containers of the arguments, the types
    of the arrays in them, the values of those that are `static`. Results are arrays that stay on
    the device, and go into the next call as they are.
    """
    if function is None:
        return lambda given: jit(
            given, target=target, static=static, donate=donate, shapes=shapes, **options
        )
    if isinstance(function, TracedFunction):
        if static or shapes:
            raise TracingError(
                f"{function.name} is a dxir.function already",
                where=caller_location(),
                hint="give static= and shapes= there",
            )
        made = function
    else:
        made = TracedFunction(function, static=static, shapes=shapes)
    return Jitted(made, target, donate, **options)
