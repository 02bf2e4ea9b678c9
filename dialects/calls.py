"""Functions used by name: calls, composites of any producer, and tuples."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.attributes import SymbolRef
from dxir.derivatives import Undefined
from dxir.dialects.control import one_or_all
from dxir.errors import AttributeValueError, GraphError, OperandError, ShapeError, TransformError
from dxir.examples import Example
from dxir.graph import Function, Node, Region, Value
from dxir.misuse import explained
from dxir.op import Primitive, attribute, trace
from dxir.transforms.batching import Unbatched
from dxir.transforms.callees import batched_call, pulled_call, pushed_call
from dxir.transforms.reverse import replaced
from dxir.types import TupleType, Type, f32, i32

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue
    from dxir.transforms.batching import Batch
    from dxir.transforms.flagging import Flagging
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]
_SMALL = 8  # nodes, constants aside, of a function that is cheaper put in place than called twice
_NAME = re.compile(r"[A-Za-z_][\w$]*(\.[\w$]+)+")


def check_callee(function: Any, inputs: Sequence[Value], what: str) -> None:
    """Raise unless `function` is a finished Function that takes exactly `inputs`."""
    if not isinstance(function, Function):
        raise OperandError(
            f"the {what} must be a dxir Function, not {type(function).__name__}",
            hint="make it with dxir.build_function or a Builder",
        )
    if function.is_declaration and not function.is_external:
        raise GraphError(
            f"the {what} {function.name!r} is not built yet, or calls itself",
            hint="build it first; StableHLO has no recursion",
        )
    if len(inputs) != len(function.params):
        raise ShapeError(
            f"{function.name!r} takes {len(function.params)} operands, but {len(inputs)} are given",
            hint="it has the parameters "
            + ", ".join([f"{p.name or p.index}: {p.type}" for p in function.params])
            if function.params
            else "it has no parameters",
        )
    for given, param in zip(inputs, function.params, strict=True):
        if not checks.same_type(given.type, param.type):
            raise ShapeError(
                f"parameter {param.name or param.index} of {function.name!r} has type "
                f"{param.type}, but the operand is {given.type}"
            )


_SWAP = trace(lambda x, y: (y, x), Function("swap", (f32[2, 3], i32[()]), public=False))
_SAME = trace(lambda x: x, Function("same", (f32[0, 3],), public=False))


class Call(Primitive, name="call", mlir="func.call", rounding="moves"):
    """The results of another function of the module on `inputs`.

    Nothing from outside reaches into the function but its operands. One result is given as it is,
    several as a tuple. `no_inline` stays in MLIR: portable artifacts have no place for it.
    """

    callee: Function = attribute("function", positional=True)
    inputs: tuple[Value, ...]
    no_inline: bool | None = attribute("unit", default=None)

    examples = (
        Example(callee=_SWAP, inputs=(f32[2, 3], i32[()])),
        Example(callee=_SAME, inputs=(f32[0, 3],)),
    )

    def prepare(self) -> None:
        self.update(no_inline=True if self.no_inline else None)

    @property
    def has_side_effect(self) -> bool:
        """Whether the function has one."""
        return has_effect(self.callee)

    def infer(self) -> Type | tuple[Type, ...]:
        check_callee(self.callee, self.inputs, "callee")
        return one_or_all(self.callee.result_types)

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        attributes = e.declared_attributes(self)
        attributes["callee"] = e.attribute("any", SymbolRef(e.symbol_of(self.callee)))
        return e.emit("func.call", operands, [r.type for r in self.results], attributes)

    def lacks(self, rule: str) -> Undefined | None:
        if self.callee.is_declaration:
            return Undefined(f"{self.callee.name} is declared only, its body is elsewhere")
        return None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        """In place for a small function: guards in it and around it see each other."""
        if self._is_small:
            return _pulled_in_place(self.callee, self.inputs, sweep)
        return pulled_call(self.callee, self.inputs, sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        if self._is_small:
            return sweep.inlined(self.callee, self.inputs)
        return pushed_call(self.callee, self.inputs, sweep)

    @property
    def _is_small(self) -> bool:
        """Whether the function is a handful of plain nodes, and may be put in place."""
        callee = self.callee
        if self.no_inline or any([*callee.param_shardings, *callee.result_shardings]):
            return False
        nodes = [n for n in callee.nodes if n.op != "constant"]
        return len(nodes) <= _SMALL and not any(
            n.regions or n.has_side_effect or isinstance(n, (Call, CompositeCall)) for n in nodes
        )

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        return batched_call(self.callee, batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return flagging.region(self.callee, given)

    def reference(self, *inputs: Any, callee: Callable[..., Any]) -> Any:
        return callee(*inputs)


def _pulled_in_place(
    function: Function, inputs: Sequence[Value], sweep: Reverse
) -> tuple[Sequence[Value], Pull]:
    used = [r for r, reached in zip(function.results, sweep.reached, strict=True) if reached]
    return sweep.inlined(function, inputs, used), replaced


def has_effect(function: Function) -> bool:
    """Whether a node of the function has a side effect, or of one it calls; each is read once."""
    pending: list[Region] = [function]
    seen: set[int] = set()
    while pending:
        region = pending.pop()
        if id(region) in seen:
            continue
        seen.add(id(region))
        for node in region.nodes:
            if isinstance(node, Call):
                pending.append(node.callee)
            elif isinstance(node, CompositeCall):
                pending.append(node.decomposition)
            elif type(node).has_side_effect is Node.has_side_effect:
                pending += node.regions
            elif node.has_side_effect:
                return True
    return False


_build_call = Call.build


@explained
def call(callee: Function, *operands: Any, inputs: Sequence[Any] = (), **options: Any) -> Any:
    """The results of another function of the module on `operands`."""
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    given = (*operands, *inputs) if isinstance(inputs, (tuple, list)) else inputs
    return _build_call(callee, given, **options)


call.__doc__ = Call.__doc__
Call.build = staticmethod(call)  # `call(f, x, y)` reads better than `call(f, (x, y))`; both work


class CompositeCall(Primitive, name="composite", mlir="stablehlo.composite", rounding="moves"):
    """A named operation of any producer, with a function that says what it means.

    `composite_name` has a dot (`vendor.op`); `decomposition` takes `inputs` and gives the results.
    It cannot use values from outside: what it needs is an operand, or a constant in it. One
    result is given as it is, several as a tuple.
    """

    composite_name: str = attribute("string", mlir="name", positional=True)
    inputs: tuple[Value, ...]
    composite_regions: tuple[Region, ...] = ()
    decomposition: Function = attribute("function")
    composite_attributes: Mapping[str, Any] | None = attribute("any", default=None)
    version: int | None = attribute("i32", default=None)

    examples = (
        Example(
            composite_name="my.swap",
            inputs=(f32[2, 3], i32[()]),
            decomposition=_SWAP,
            composite_attributes={"axis": 1, "mode": "fast", "table": np.arange(3)},
            version=2,
        ),
        Example(composite_name="my.same", inputs=(f32[0, 3],), decomposition=_SAME),
    )
    named_by = "composite_name"

    def prepare(self) -> None:
        name: Any = self.composite_name
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise AttributeValueError(
                f"{name!r} is not a name for a composite",
                hint="it needs a namespace, as in 'vendor.op'",
            )
        if self.version is not None and checks.integer(self.version, "version") < 0:
            raise AttributeValueError(f"version {self.version} is negative")
        given = self.composite_attributes
        if given is not None:
            self.update(composite_attributes=checks.dictionary(given, "composite_attributes"))

    @property
    def has_side_effect(self) -> bool:
        """Whether its decomposition has one."""
        return has_effect(self.decomposition)

    def infer(self) -> Type | tuple[Type, ...]:
        check_callee(self.decomposition, self.inputs, "decomposition")
        return one_or_all(self.decomposition.result_types)

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        attributes = e.declared_attributes(self)
        symbol = SymbolRef(e.symbol_of(self.decomposition))
        attributes["decomposition"] = e.attribute("any", symbol)
        types = [r.type for r in self.results]
        return e.emit("stablehlo.composite", operands, types, attributes, self.regions)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        """In place: what the decomposition keeps is kept."""
        return _pulled_in_place(self.decomposition, self.inputs, sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return sweep.inlined(self.decomposition, self.inputs)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        found = batch.run(self.decomposition, batch.operands, batch.batched)
        return [v if flag else Unbatched(v) for v, flag in found]

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return flagging.region(self.decomposition, given)

    def reference(
        self, *inputs: Any, decomposition: Callable[..., Any], composite_regions: Any = ()
    ) -> Any:
        return decomposition(*inputs)


class Tuple(Primitive, name="tuple", mlir="stablehlo.tuple", rounding="moves"):
    """Values in one tuple, which only calls, custom calls and `get_tuple_element` take."""

    values: tuple[Value, ...]

    examples = (
        Example(values=(f32[2], i32[()])),
        Example(values=()),
    )

    def infer(self) -> TupleType:
        return TupleType(tuple(v.type for v in self.values))

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        """Nothing comes back to a tuple: what is taken out of it is what was put in."""
        return (ops.tuple(self.values),), lambda _: ()

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return (ops.tuple(self.values),), (None,)

    def batch(self, batch: Batch) -> Value:
        found: Value = ops.tuple(batch.full_operands())
        return found

    def reference(self, *values: Any) -> tuple[tuple[Any, ...]]:
        return (values,)


class GetTupleElement(
    Primitive, name="get_tuple_element", mlir="stablehlo.get_tuple_element", rounding="moves"
):
    """Element `index` of a tuple."""

    x: Value
    index: int = attribute("i32")

    examples = (Example(x=TupleType((f32[2], i32[()])), index=1, runs=False),)

    def infer(self) -> Type:
        given = self.x.type
        if not isinstance(given, TupleType):
            raise OperandError(f"a tuple is needed, not a {given}")
        number = checks.integer(self.index, "index")
        if not 0 <= number < len(given.types):
            raise ShapeError(f"index {number} is out of range for {given}")
        return given.types[number]

    def lacks(self, rule: str) -> Undefined | None:
        source = self.x.producer
        if rule == "batch" or (source is not None and source.op == "tuple"):
            return None
        return Undefined(
            "the tuple comes from elsewhere, and nothing is known of the parts of such",
            "give its elements one by one",
        )

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        """A sweep takes the element of a tuple that it knows; there is none for others."""
        raise TransformError(f"{self.lacks('vjp')}", where=self.location)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        raise TransformError(f"{self.lacks('jvp')}", where=self.location)

    def batch(self, batch: Batch) -> Value:
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, x: tuple[Any, ...]) -> tuple[Any]:
        return (x[self.index],)
