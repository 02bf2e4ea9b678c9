"""`dxir.jit`: a Python function that is compiled for the arguments it is called with."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from dxir.errors import DxirError, TracingError
from dxir.functions.donations import Donated, donated_names, donated_positions
from dxir.functions.entries import Entry
from dxir.functions.leaves import numbers_of
from dxir.functions.parameters import StaticNames
from dxir.functions.retraces import warn_of_retraces
from dxir.functions.traceable import Bound, Given, Key, TracedFunction, is_eager, region_of
from dxir.functions.traces import Traced
from dxir.graph import building, current_region
from dxir.locations import caller_location, place_error
from dxir.sharding import Mesh, entered_mesh
from dxir.wording import counted

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable

P = ParamSpec("P")
R = TypeVar("R")

_RECENT = 4  # signatures that calls are held against before they are looked up


class Jitted(Generic[P, R]):
    """A function that is traced and compiled when it is called; see `dxir.jit`.

    `function` is the traced function, `traces` says how often it was traced for compiling. May be
    called from several threads at once.
    """

    def __init__(
        self,
        function: TracedFunction[P, R],
        target: Any = "xla-cpu",
        donate: Donated = (),
        **options: Any,
    ) -> None:
        self.function = function
        self.target = target
        self.traces = 0
        self._donate = donated_names(donate, function.parameters)
        self._options = options
        self._entries: dict[Key, Entry] = {}
        self._recent: tuple[Entry, ...] = ()
        self._lock = threading.Lock()
        functools.update_wrapper(self, function, updated=())

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            if current_region() is None and not is_eager():
                mesh = self.function.mesh or entered_mesh()
                for entry in self._recent:
                    taken = entry.take(args, kwargs) if entry.mesh == mesh else None
                    if taken is not None:
                        found: R = entry.run(taken)
                        return found
            return self._call(args, kwargs)  # type: ignore[no-any-return]  # of the function
        except DxirError as error:
            place_error(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = self.function.given(args, kwargs)
        home = current_region()
        if home is None:
            if is_eager():
                return self.function.eager(*args, **kwargs)
            home = region_of(given.leaves)
        if home is not None:
            with building(home):
                return self.function.call_inside(given)
        self.function.refuse_types(given)
        key = self.function.key(given)
        entry = self._entries.get(key)
        if entry is None or entry.executable is None:
            entry = self._filled(key)
        if not self._recent or self._recent[0] is not entry:
            self._recent = (entry, *[e for e in self._recent if e is not entry][: _RECENT - 1])
        return entry.run([numbers_of(v) for v in given.leaves])

    def _filled(self, key: Key) -> Entry:
        with self._lock:
            entry = self._entries.setdefault(key, Entry())
        try:
            with entry.lock:
                if entry.executable is None:
                    traced = self.function.traced(key)
                    with self._lock:
                        self.traces += 1
                    donate = donated_positions(self._donate, self.function.parameters, traced)
                    compiled = traced.compile(self.target, donate=donate, **self._options)
                    entry.fill(traced, compiled, key.mesh, donate)
                    with self._lock:  # another thread may have failed, and taken it out
                        self._entries[key] = entry
        except BaseException:
            with self._lock:
                if entry.executable is None and self._entries.get(key) is entry:
                    del self._entries[key]
            raise
        warn_of_retraces(
            self.function.name, self.function.parameters, list(self._entries), self.traces
        )
        return entry

    def clear(self) -> None:
        """Forget what was compiled; calls compile anew."""
        with self._lock:
            self._entries.clear()
            self._recent = ()

    @property
    def signatures(self) -> tuple[Traced, ...]:
        """The functions that are compiled, one for each signature."""
        return tuple([e.traced for e in list(self._entries.values()) if e.traced is not None])

    def trace(self, /, *args: Any, **kwargs: Any) -> Traced:
        """The graph for arguments of the types of these; see `dxir.function`."""
        return self.function.trace(*args, **kwargs)

    def lower(self, /, *args: Any, **kwargs: Any) -> Program:
        """The program for arguments of the types of these; see `dxir.function`."""
        return self.function.lower(*args, **kwargs)

    def compile(self, /, *args: Any, **kwargs: Any) -> Executable:
        """What runs the program for arguments of the types of these; see `dxir.function`.

        It is for the same target, with the same options.
        """
        traced = self.trace(*args, **kwargs)
        donate = donated_positions(self._donate, self.function.parameters, traced)
        return traced.compile(self.target, donate=donate, **self._options)

    def eager(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the Python function on numbers; see `dxir.function`."""
        return self.function.eager(*args, **kwargs)

    def given(self, args: Any, kwargs: Any) -> Given:
        """The arguments of a call, taken apart."""
        return self.function.given(args, kwargs)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.name

    @overload
    def __get__(self, instance: None, owner: type) -> Jitted[P, R]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., R]: ...
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
    donate: Donated = (),
    shapes: Mapping[str, Any] | None = None,
    shardings: Mapping[str, Any] | None = None,
    mesh: Mesh | None = None,
    **options: Any,
) -> Jitted[P, R]: ...
@overload
def jit(
    *,
    target: Any = "xla-cpu",
    static: StaticNames = (),
    donate: Donated = (),
    shapes: Mapping[str, Any] | None = None,
    shardings: Mapping[str, Any] | None = None,
    mesh: Mesh | None = None,
    **options: Any,
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Any = None,
    /,
    *arguments: Any,
    target: Any = "xla-cpu",
    static: StaticNames = (),
    donate: Donated = (),
    shapes: Mapping[str, Any] | None = None,
    shardings: Mapping[str, Any] | None = None,
    mesh: Mesh | None = None,
    **options: Any,
) -> Any:
    """Compile a Python function, or a `dxir.function`, for the arguments that it is called with.

    It is traced and compiled for each signature once: the containers of the arguments, the types
    of the arrays in them, the values of those that are `static`. Results are arrays that stay on
    the device, and go into the next call as they are. `donate` names arguments whose memory the
    program may take over: the arrays given for them are gone afterwards. `static`, `shapes`,
    `shardings` and `mesh` are those of `dxir.function`; all other options those of `dxir.compile`.
    Called where a function is being traced it is a call in that one's graph.
    """
    if arguments:
        raise TracingError(
            f"jit takes a function alone, and is given {counted(len(arguments), 'more argument')}",
            where=caller_location(),
            hint="call what it gives: dxir.jit(f)(x); options go by keyword",
        )
    traced: dict[str, Any] = {
        "static": static, "shapes": shapes, "shardings": shardings, "mesh": mesh
    }  # fmt: skip
    if function is None:
        return lambda given: jit(given, target=target, donate=donate, **traced, **options)
    check_options(options)
    if not isinstance(function, TracedFunction):
        return Jitted(TracedFunction(function, **traced), target, donate, **options)
    for name, given in traced.items():
        if given not in ((), None):
            raise TracingError(
                f"{function.name} is a dxir.function already",
                where=caller_location(),
                hint=f"give {name}= there",
            )
    return Jitted(function, target, donate, **options)


_OPTIONS = ("devices", "flags", "cache", "buckets", "contained")
_OF_JAX = {
    "static_argnums": "static", "static_argnames": "static", "donate_argnums": "donate",
    "donate_argnames": "donate", "in_shardings": "shardings", "device": "devices",
    "backend": "target",
}  # fmt: skip


def check_options(options: Mapping[str, Any]) -> None:
    """Raise TracingError for an option that compiling does not have."""
    for name in options:
        if name not in _OPTIONS:
            like = _OF_JAX.get(name)
            raise TracingError(
                f"jit has no option {name!r}",
                where=caller_location(),
                hint=f"it is called {like}= here, and takes names"
                if like in ("static", "donate")
                else f"it is called {like}= here"
                if like
                else "it has target, static, donate, shapes, shardings, mesh, "
                + ", ".join(_OPTIONS),
            )
