"""Dxir itself: values, nodes, regions, functions and modules, free of MLIR."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar, NoReturn

from dxir.errors import GraphError, OperandError
from dxir.locations import Location, caller_location
from dxir.naming import checked_name
from dxir.operators import Arithmetic
from dxir.sharding import Mesh, Sharding
from dxir.types import TensorType, Type


class Value(Arithmetic):
    """One result of a node, or a parameter of a function or region.

    Immutable; equality is identity. `producer` is the node that yields it (None for a parameter)
    and `index` its position there.
    """

    __slots__ = ("index", "name", "producer", "region", "type")

    def __init__(
        self,
        type: Type,
        producer: Node | None,
        index: int,
        region: Region | None,
        name: str | None = None,
    ) -> None:
        self.type = type
        self.producer = producer
        self.index = index
        self.region = region
        self.name = name

    @property
    def tensor(self) -> TensorType:
        """The type, when it is a tensor's; an OperandError for tokens and tuples."""
        if type(self.type) is not TensorType:
            raise OperandError(f"a tensor is needed, not a {self.type}")
        return self.type

    @property
    def shape(self) -> tuple[Any, ...]:
        return self.tensor.shape

    @property
    def dtype(self) -> Any:
        return self.tensor.dtype

    @property
    def rank(self) -> int:
        return len(self.tensor.shape)

    @property
    def location(self) -> Location | None:
        return None if self.producer is None else self.producer.location

    def __repr__(self) -> str:
        source = f"parameter {self.index}" if self.producer is None else self.producer.op
        name = f" {self.name!r}" if self.name else ""
        return f"<Value{name}: {self.type} from {source}>"

    def __bool__(self) -> NoReturn:
        raise GraphError(
            "a value of a graph has no truth value while the graph is being built",
            where=caller_location(),
            hint="use dxir.ops.cond, dxir.ops.while_loop or dxir.ops.select",
        )

    def __iter__(self) -> NoReturn:
        raise GraphError(
            "a value of a graph cannot be iterated while the graph is being built",
            where=caller_location(),
            hint="use dxir.ops.split, dxir.ops.scan or dxir.ops.map",
        )


class Node:
    """One operation of a graph; every op class is a kind of node.

    `operands`, `attrs`, `regions` and `results` are all there is to it; the fields that an op
    class declares read from them. `annotations` are discardable: they may be dropped without
    changing the meaning. `sharding` holds one Sharding (or None) for each result.
    """

    __slots__ = (
        "annotations",
        "attrs",
        "location",
        "name",
        "operands",
        "regions",
        "results",
        "segments",
        "sharding",
    )

    op: ClassVar[str] = "node"

    operands: tuple[Value, ...]
    attrs: Mapping[str, Any]
    regions: tuple[Region, ...]
    results: tuple[Value, ...]
    segments: tuple[int, ...] | None
    location: Location | None
    name: str | None
    sharding: tuple[Sharding | None, ...] | None
    annotations: Mapping[str, Any] | None

    @property
    def result(self) -> Value:
        """The only result."""
        (result,) = self.results
        return result

    @property
    def has_side_effect(self) -> bool:
        """Whether it must run even when no result is used, and in its place."""
        return any(n.has_side_effect for region in self.regions for n in region.nodes)

    def __repr__(self) -> str:
        types = ", ".join(str(r.type) for r in self.results)
        return f"<{self.op} -> {types}{f' at {self.location}' if self.location else ''}>"


class Region:
    """A list of nodes with parameters and results, nested in a node; it may capture values.

    Open while its nodes are being made, then sealed: `results` are set and nothing can be added.
    """

    __slots__ = ("nodes", "params", "parent", "results", "sealed")

    def __init__(self, param_types: Sequence[Type] = (), parent: Region | None = None) -> None:
        self.nodes: list[Node] = []
        self.params: tuple[Value, ...] = tuple(
            [Value(t, None, i, self) for i, t in enumerate(param_types)]
        )
        self.results: tuple[Value, ...] = ()
        self.parent = parent
        self.sealed = False

    @property
    def param_types(self) -> tuple[Type, ...]:
        return tuple([p.type for p in self.params])

    @property
    def result_types(self) -> tuple[Type, ...]:
        return tuple([r.type for r in self.results])

    @property
    def depth(self) -> int:
        """How many regions it is nested in."""
        depth, region = 0, self.parent
        while region is not None:
            depth, region = depth + 1, region.parent
        return depth

    def seal(self, results: Iterable[Value]) -> None:
        """Set the results and refuse any further node."""
        self.results = tuple(results)
        for value in self.results:
            if value.region is not self:
                self.adopt(value)
        self.sealed = True

    def encloses(self, region: Region | None) -> bool:
        """Whether a node in `region` may use the values of this region."""
        while region is not None:
            if region is self:
                return True
            region = region.parent
        return False

    def adopt(self, value: Value) -> None:
        """Make `value` usable here: take in nodes made outside any function, refuse foreign ones.

        Nodes without operands (constants, say) that were made outside every function belong to
        the first function that uses them, at the place of that use.
        """
        root = self
        while root.parent is not None:
            root = root.parent
        if value.region is None:
            root._take_in(value)
            return
        if not isinstance(root, Function) and not self.encloses(value.region):
            root.parent = value.region  # a region traced before its op had a place
        if not value.region.encloses(self):
            from dxir.symbols import owner_of

            raise GraphError(
                f"{value!r} is used outside the function or region it belongs to{owner_of(value)}",
                where=caller_location(),
                hint="pass it in as a parameter or operand, or return it from its region",
            )

    def _take_in(self, value: Value) -> None:
        entered: set[int] = set()
        pending: list[tuple[Node, bool]] = (
            [] if value.producer is None else [(value.producer, False)]
        )
        while pending:
            node, ready = pending.pop()
            if ready:
                self.nodes.append(node)
                _belong(node, self)
            elif id(node) not in entered:
                entered.add(id(node))
                pending.append((node, True))
                sources = [v.producer for v in node.operands if v.region is None]
                pending += [(n, False) for n in reversed(sources) if n is not None]


class Function(Region):
    """A named graph: parameters, nodes in order, results.

    `param_shardings` and `result_shardings`, `param_annotations` and `result_annotations` run
    beside the parameters and results (None where there is nothing to say).
    """

    __slots__ = (
        "__weakref__", "_declared", "annotations", "constants", "location", "mesh", "name",
        "param_annotations", "param_locations", "param_shardings", "public", "result_annotations",
        "result_shardings", "transformed",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        param_types: Sequence[Type] = (),
        *,
        public: bool = True,
        location: Location | None = None,
    ) -> None:
        super().__init__(param_types)
        self.name = name
        self.public = public
        self.location = location
        self.mesh: Mesh | None = None  # that of partition specs inside
        self.annotations: dict[str, Any] = {}
        self.param_shardings: list[Sharding | None] = [None] * len(self.params)
        self.param_annotations: list[dict[str, Any]] = [{} for _ in self.params]
        self.param_locations: list[Location | None] = [None] * len(self.params)
        self.result_shardings: list[Sharding | None] = []
        self.result_annotations: list[dict[str, Any]] = []
        self.transformed: dict[Any, Any] = {}  # what `dxir.transforms` has made of it
        self.constants: dict[Any, tuple[Any, Value]] = {}  # of arrays used in it, till sealed
        self._declared: tuple[Type, ...] | None = None

    def declare(self, result_types: Sequence[Type]) -> None:
        """Say the result types of a function without a body."""
        self._declared = tuple(result_types)
        self.result_shardings = [None] * len(self._declared)
        self.result_annotations = [{} for _ in self._declared]

    @property
    def result_types(self) -> tuple[Type, ...]:
        return super().result_types if self.sealed else self._declared or ()

    @property
    def is_external(self) -> bool:
        """Whether it is declared to have its body elsewhere; such a function can be called."""
        return not self.sealed and self._declared is not None

    def seal(self, results: Iterable[Value]) -> None:
        super().seal(results)
        self.constants.clear()
        self.result_shardings += [None] * (len(self.results) - len(self.result_shardings))
        self.result_annotations += [
            {} for _ in range(len(self.results) - len(self.result_annotations))
        ]

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body."""
        return not self.sealed

    def __str__(self) -> str:
        from dxir.printing import function_text

        return function_text(self)

    def __repr__(self) -> str:
        return f"<Function {self.name}: {self.param_types} -> {self.result_types}>"


class Module:
    """Functions and meshes that go to a target together.

    `functions` are those named here and every function they call; names are unique.
    """

    __slots__ = ("annotations", "functions", "meshes", "name")

    def __init__(
        self,
        functions: Iterable[Function],
        meshes: Iterable[Mesh] = (),
        *,
        name: str | None = None,
    ) -> None:
        from dxir.symbols import collect_functions, collect_meshes

        if name is not None:
            checked_name(name, "the name of a module", GraphError)
        self.name = name
        self.functions: tuple[Function, ...] = collect_functions(functions)
        self.meshes: tuple[Mesh, ...] = collect_meshes(self.functions, meshes)
        self.annotations: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Function:
        for function in self.functions:
            if function.name == name:
                return function
        raise GraphError(
            f"there is no function {name!r} in this module",
            hint=f"it has {', '.join(f.name for f in self.functions)}",
        )

    def __str__(self) -> str:
        from dxir.printing import module_text

        return module_text(self)


_current: ContextVar[Region | None] = ContextVar("dxir_region", default=None)


def current_region() -> Region | None:
    """The region new nodes go to, if one is being traced."""
    return _current.get()


@contextmanager
def building(region: Region | None) -> Generator[None]:
    """Send the nodes made inside to `region`."""
    reset = _current.set(region)
    try:
        yield
    finally:
        _current.reset(reset)


def place(node: Node) -> None:
    """Append a new node to the region it belongs to.

    That is the region being traced; outside of tracing, the region of its operands. Raises
    GraphError for operands of another function and for a function that is already built.
    """
    region = _current.get()
    if region is None:
        for value in node.operands:
            if value.region is not None:
                region = value.region
                break
    if region is not None:
        if region.sealed:
            raise GraphError(
                f"{node.op} uses a value of a function that is already built",
                where=node.location,
                hint="make all nodes before Builder.build, or call the built function",
            )
        for value in node.operands:
            if value.region is not region:
                region.adopt(value)
        region.nodes.append(node)
        if node.regions:
            _belong(node, region)
    for result in node.results:
        result.region = region


def _belong(node: Node, region: Region) -> None:
    for result in node.results:
        result.region = region
    for nested in node.regions:
        if nested.parent is None:
            nested.parent = region


def walk(region: Region) -> Iterator[Node]:
    """Every node in `region` and in the regions of its nodes, outer before inner."""
    pending: list[Iterator[Node]] = [iter(region.nodes)]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            continue
        yield node
        pending += [iter(r.nodes) for r in reversed(node.regions)]
