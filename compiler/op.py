"""The base classes of ops: declaring a class registers an op."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform, get_args

import numpy as np

from dxir import making, operators
from dxir.declaration import (
    RULES,
    Field,
    attribute,
    compile_builder,
    declared_fields,
)
from dxir.declaration_checks import check_declaration
from dxir.errors import GraphError, OperandError
from dxir.examples import Example
from dxir.graph import Function, Node, Region, Value
from dxir.locations import NOWHERE, Location, at, place_error
from dxir.making import inline, trace
from dxir.misuse import explained, number_hint
from dxir.naming import function_name
from dxir.sharding import outside_meshes
from dxir.sharding_rules import AnyRule
from dxir.types import TensorType, Type

if TYPE_CHECKING:
    from dxir.derivatives import Undefined, Zero
    from dxir.lowering import Emitter
    from dxir.mlir import IrValue
    from dxir.transforms.flagging import Flagging

__all__ = [
    "FUNCTIONS", "REGISTRY", "Composite", "Derived", "Op", "Primitive", "Rounding", "attribute",
    "composite_name", "expansion", "inline", "make", "register_function", "trace",
]  # fmt: skip

REGISTRY: dict[str, type[Op]] = {}
FUNCTIONS: dict[str, Callable[..., Any]] = {}


Rounding = Literal["moves", "exact", "once", "sums", "approximate"]
"""How the results of an op are rounded, whatever computes it: not where elements are moved and
where they are exact (compared, or picked, say); once, correctly, but perhaps from or to a wider
type; as sums in any order are; or as an approximation of a function is."""


class _Build:
    """The function that makes nodes of a class, compiled when first asked for."""

    def __get__(self, instance: object, owner: Any) -> Callable[..., Any]:
        function = compile_builder(owner, making.finish)
        owner.build = staticmethod(function)
        return function


class _OpMeta(type):
    """Keeps instances free of a `__dict__`: fields read the node's tuples."""

    def __new__(cls, label: str, bases: Any, space: dict[str, Any], /, **kw: Any) -> Any:
        space.setdefault("__slots__", ())
        return super().__new__(cls, label, bases, space, **kw)


@dataclass_transform(field_specifiers=(attribute,), kw_only_default=True)
class Op(Node, metaclass=_OpMeta):
    """A kind of node. Subclass `Primitive`, `Derived` or `Composite`, not this.

    A subclass declares, in this order: a docstring (its first line is the row in the op table),
    operands (`x: Value`, `y: Value | None`, `xs: tuple[Value, ...]`), regions, attributes with
    defaults, `examples`, optionally `prepare`, then `infer`, `lower` or `expand`, the rules of its
    derivatives and of batching (see `dxir.derivatives`), and `reference`.
    """

    abstract: ClassVar[bool] = True
    members: ClassVar[tuple[str, ...]] = ("infer", "reference")
    family: ClassVar[str] = ""
    foreign: ClassVar[bool] = False  # of another package, whose rules dxir's tests do not try
    fields: ClassVar[tuple[Field, ...]] = ()
    mlir: ClassVar[str | None] = None
    terminator: ClassVar[str] = "stablehlo.return"  # of the regions
    broadcasts: ClassVar[bool] = False
    examples: ClassVar[tuple[Example, ...]] = ()
    expansion: ClassVar[Callable[..., Function] | None] = None  # see `expansion` below
    stored_integers: ClassVar[bool] = False  # its reference takes quantized operands as stored
    tolerance: ClassVar[float] = 8  # units in the last place, see Tolerance.of
    rounding: ClassVar[Rounding] = "approximate"
    derivative: ClassVar[Zero | Undefined | None] = None  # see `dxir.derivatives`, as for these
    linear: ClassVar[tuple[str, ...]] = ()
    multilinear: ClassVar[tuple[str, ...]] = ()
    hermitian: ClassVar[tuple[str, ...]] = ()  # operands whose changes count as Hermitian matrices
    unbatchable: ClassVar[Undefined | None] = None
    named_by: ClassVar[str | None] = None  # the attribute with the name that has rules of its own
    # These are None where an op says nothing, which type checkers cannot be told of a method.
    vjp: ClassVar[Callable[..., Any]]
    jvp: ClassVar[Callable[..., Any]]
    batch: ClassVar[Callable[..., Any]]
    pullback: ClassVar[Callable[..., Any]]
    pushforward: ClassVar[Callable[..., Any]]
    build: ClassVar[Callable[..., Any]]
    reference: ClassVar[Callable[..., Any]]

    def __init_subclass__(
        cls, *, name: str | None = None, mlir: str | None = None, rounding: Rounding | None = None
    ) -> None:
        super().__init_subclass__()
        cls.fields = declared_fields(cls)
        if rounding is not None:
            cls.rounding = rounding
        if name is None:
            return
        cls.abstract = False
        cls.op = name
        cls.mlir = mlir
        cls.family = cls.__module__.rpartition(".")[2]
        cls.foreign = not cls.__module__.startswith("dxir.")
        try:
            check_declaration(cls, Op, cls.members, get_args(Rounding))
            _refuse_taken(cls)
        except GraphError as error:
            place_error(error)
            raise
        cls.build = _Build()  # type: ignore[assignment]  # it puts the function in its own place
        REGISTRY[name] = cls

    def prepare(self) -> None:
        """Bring the attributes to their normal form, with `self.update(axis=...)`."""

    def region_params(self) -> Sequence[Sequence[Type]]:
        """The parameter types of each region, in order."""
        return [() for _ in self.regions]

    def infer(self) -> Type | Sequence[Type]:
        """The type of the result, or of each result."""
        raise NotImplementedError(f"{type(self).__name__} does not say its result types")

    def coerce(self, position: int, given: Any) -> Value:
        """Turn an operand that is not a Value into one: arrays become constants."""
        if isinstance(given, (np.ndarray, np.generic)):
            return making.constant_of(given)
        raise OperandError(
            f"operand `{self.operand_name(position)}` must be a dxir Value or a NumPy array, "
            f"not {type(given).__name__} ({given!r})",
            hint=number_hint(given),
        )

    def update(self, **attrs: Any) -> None:
        """Replace attributes while the node is being made; only for `prepare`."""
        for name in attrs:
            if name not in self.attrs:
                raise GraphError(f"{self.op} has no attribute {name!r} to update")
        self.attrs.update(attrs)  # type: ignore[attr-defined]  # a dict until it is made

    def lacks(self, rule: str) -> Undefined | None:
        """Why this node has no vjp, jvp or batch although its class has; None when it has."""
        return None

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        """Which results have the batch if these operands do, or values that regions capture.

        An op whose `batch` leaves some Unbatched may say so here: loops ask before they are made.
        Of an op that is batched by its expansion, the flags are told by that.
        """
        return [True] * len(self.results)

    def operand_name(self, position: int) -> str:
        """The field name of an operand, for messages."""
        names: list[str] = []
        operands = [f for f in self.fields if f.kind in ("operand", "optional", "variadic")]
        sizes = self.segments or (1,) * len(operands)
        for field, size in zip(operands, sizes, strict=True):
            many = field.kind == "variadic"
            names += [f"{field.name}[{i}]" if many else field.name for i in range(size)]
        return names[position]

    @property
    def tensor_types(self) -> tuple[TensorType, ...]:
        """The types of the operands, all of them tensors."""
        return tuple([v.tensor for v in self.operands])


for _rule in RULES:
    setattr(Op, _rule, None)


def _refuse_taken(cls: type[Op]) -> None:
    """Raise for a name that another op or function has.

    Ops of other packages come after all of dxir's own, whichever is imported first.
    """
    other: Any = REGISTRY.get(cls.op)
    if cls.foreign:
        importlib.import_module("dxir.dialects")
        taken = {function_name(n): o for n, o in (FUNCTIONS | REGISTRY).items()}
        other = taken.get(function_name(cls.op))
    if other is not None:
        raise GraphError(
            f"op {cls.op!r} ({cls.__module__}.{cls.__qualname__}) is declared already by "
            f"{other.__module__}.{other.__qualname__}",
            hint="a class that declares an op runs once in a process"
            if (other.__module__, other.__qualname__) == (cls.__module__, cls.__qualname__)
            else f"put the name of your package in front: 'acme.{cls.op.rpartition('.')[2]}'",
        )


class Primitive(Op):
    """An op that is one operation of StableHLO, CHLO or Shardy, or emits a few by itself.

    With `mlir="stablehlo.op"` and a codec on every attribute, lowering and raising follow from
    the declaration; otherwise it defines `lower`. `packed` names MLIR attributes that hold several
    fields: `{"dot_dimension_numbers": ("dot_dims", ("lhs_batching", ...))}`.
    """

    packed: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = {}
    raises: ClassVar[bool] = True  # False: another class stands for the operation in raised graphs

    def lower(self, e: Emitter, *operands: IrValue) -> IrValue | Sequence[IrValue]:
        """Emit the operation; `e` makes operations, types and attributes."""
        return e.emit_declared(self, operands)


class Derived(Op):
    """An op written in terms of other ops, in place, wherever it is used.

    Defines `expand(self, *operands)`: the value, or values, it stands for.
    """

    members: ClassVar[tuple[str, ...]] = ("infer", "expand", "reference")
    expand: ClassVar[Callable[..., Any]]


class Composite(Derived):
    """An op that travels as a `stablehlo.composite`, see `composite_name`.

    Its `expand` becomes the decomposition, shared by all uses with equal attributes and types.
    """

    version: ClassVar[int] = 1

    def sharding_rule(self) -> AnyRule | None:
        """How shardings propagate through the composite; None where they do not."""
        return None


def composite_name(op: str) -> str:
    """The name of an op's composite: its own if it has a namespace, else one in `dxir`."""
    return op if "." in op else f"dxir.{op}"


def register_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offer a plain function as `dxir.ops.<name>`: a spelling of ops that is no op itself."""
    offered = making.taking_arrays(explained(function))
    FUNCTIONS[function.__name__.rstrip("_")] = offered
    return offered


def expansion(node: Derived, name: str | None = None) -> Function:
    """The function that `node.expand` describes, on parameters of the node's operand types."""
    types = [v.type for v in node.operands]
    function = Function(name or node.op, types, public=False)
    if node.regions:
        function.parent = node.regions[0].parent  # what they capture stays usable in `expand`
    copy: Derived = node.__class__.__new__(node.__class__)
    copy.operands = function.params
    copy.segments, copy.attrs, copy.regions = node.segments, node.attrs, node.regions
    copy.results, copy.location, copy.name = node.results, None, None
    copy.sharding = copy.annotations = None
    with at(NOWHERE), outside_meshes():  # expansions are kept, by what the node holds
        trace(copy.expand, function)
    if function.result_types != tuple(r.type for r in node.results):
        raise GraphError(
            f"{node.op}: expands to {function.result_types}, "
            f"but its type is {tuple(r.type for r in node.results)}",
            where=node.location,
        )
    return function


def make(
    cls: type[Op],
    operands: Sequence[Value],
    attrs: Mapping[str, Any],
    types: Sequence[Type],
    *,
    regions: Sequence[Region] = (),
    segments: tuple[int, ...] | None = None,
    location: Location | None = None,
    name: str | None = None,
) -> Op:
    """A node of given result types, not inferred and not placed: for raising and reading."""
    node: Op = cls.__new__(cls)
    node.operands, node.attrs, node.regions = tuple(operands), dict(attrs), tuple(regions)
    node.segments, node.location, node.name = segments, location, name
    node.sharding = node.annotations = None
    node.results = tuple([Value(t, node, i, None, name) for i, t in enumerate(types)])
    return node


def _constant(array: Any) -> Value:
    value: Value = REGISTRY["constant"].build(array)
    return value


making.set_constant(_constant)
Derived.expansion = staticmethod(expansion)

for _name in [
    "neg",
    "abs",
    "not",
    "add",
    "sub",
    "mul",
    "div",
    "floor_divide",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "compare",
    "getitem",
    "at",
]:

    def _bound(*args: Any, _op: str = _name, **kwargs: Any) -> Any:
        from dxir import ops

        return getattr(ops, _op)(*args, **kwargs)

    operators.bind_operator(_name, _bound)
