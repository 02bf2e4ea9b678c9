"""What ops do besides computing their results, and which functions they call."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from dxir.mlir import IrOperation, ir
from dxir.quoting import symbols_in
from dxir.reading import (
    attribute,
    attribute_names,
    attribute_text,
    function_name,
    functions,
    has_body,
    symbol,
)

_PURE_DIALECTS = frozenset(
    (
        "stablehlo",
        "chlo",
        "sdy",
        "mhlo",
        "arith",
        "math",
        "complex",
        "shape",
        "tensor",
        "func",
        "vhlo",
    )
)
# What the dialects above do not mark as free of effects.
_EFFECTS = frozenset(
    f"{dialect}.{name}"
    for dialect in ("stablehlo", "mhlo")
    for name in (
        "all_gather", "all_reduce", "all_to_all", "async_done", "async_start",
        "collective_broadcast", "collective_permute", "collective_reduce", "cross-replica-sum",
        "infeed", "outfeed", "recv", "reduce_scatter", "rng", "send",
    )
)  # fmt: skip
# Where every op with results can go when they are unused, but those with effects and those below.
_REMOVABLE_DIALECTS = frozenset(
    {"stablehlo", "chlo", "arith", "math", "complex", "shape", "tensor", "func"}
)
_KEPT = frozenset(
    {
        # Assertions: they may stop the program.
        "shape.assuming", "shape.cstr_broadcastable", "shape.cstr_eq", "shape.cstr_require",
        "shape.debug_print", "shape.func", "shape.function_library", "shape.with_shape",
        # Calls of what is not known, and writes.
        "func.call_indirect", "tensor.parallel_insert_slice",
    }
)  # fmt: skip
# Of Shardy, a sharding_constraint that nobody uses says how its operand is sharded.
_REMOVABLE_SHARDY = frozenset(
    {"sdy.constant", "sdy.manual_computation", "sdy.named_computation", "sdy.reshard", "sdy.return"}
)

CALLS = frozenset(
    {"func.call", "func.call_indirect", "stablehlo.composite", "stablehlo.custom_call"}
)
"""The ops whose effects are those of the functions they name."""

CALLEE_KEYS = {
    "func.call": "callee",
    "func.constant": "value",
    "stablehlo.composite": "decomposition",
    "stablehlo.async_start": "called_computation",
}
"""The attribute with the one function that an op of this name refers to."""

_WITHOUT_CALLEES = frozenset(
    {"stablehlo", "chlo", "func", "sdy", "arith", "math", "shape", "tensor"}
)

Kind = Literal["pure", "end", "effect", "call", "custom_call"]


def callees(op: IrOperation) -> Iterable[str]:
    """The functions an op refers to; of an unknown dialect's op, every symbol it names."""
    key = CALLEE_KEYS.get(op.name)
    if key is not None:
        name = symbol(op, key)
        return () if name is None else (name,)
    if op.name == "stablehlo.custom_call":
        called = attribute(op, "called_computations")
        if isinstance(called, ir.ArrayAttr):
            return [str(a.value) for a in called if isinstance(a, ir.FlatSymbolRefAttr)]
        return ()
    if op.name.partition(".")[0] in _WITHOUT_CALLEES:
        return ()
    values = (attribute(op, name) for name in attribute_names(op))
    texts = (attribute_text(value) for value in values if value is not None)
    return [name for text in texts for name in symbols_in(text)]


_NAMELESS = (
    ir.DenseElementsAttr, ir.DenseI64ArrayAttr, ir.DenseBoolArrayAttr, ir.IntegerAttr,
    ir.FloatAttr, ir.BoolAttr, ir.StringAttr, ir.TypeAttr, ir.UnitAttr,
)  # fmt: skip


def mentioned(op: IrOperation) -> set[str]:
    """The symbols that any attribute of an op names, also one that only some other tool knows."""
    found: set[str] = set()
    for name in attribute_names(op):
        value = attribute(op, name)
        if isinstance(value, ir.FlatSymbolRefAttr):
            found.add(str(value.value))
        elif value is not None and not isinstance(value, _NAMELESS):
            found.update(symbols_in(attribute_text(value)))
    return found


def is_ordered(name: str) -> bool:
    """Whether an op of that name has effects whose order counts, whatever its attributes say."""
    return name in _EFFECTS or name.partition(".")[0] not in _PURE_DIALECTS


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind:
    """What is known of an op by its name alone, regions left aside.

    "pure": it can go when nobody uses its results. "end": it ends a block of an op that can.
    "effect": it must stay. Of a "call" and a "custom_call", `has_effect` knows.
    """
    if name == "stablehlo.custom_call":
        return "custom_call"
    if name in ("func.call", "stablehlo.composite"):
        return "call"
    dialect = name.partition(".")[0]
    if dialect == "sdy":
        removable = name in _REMOVABLE_SHARDY
    else:
        removable = dialect in _REMOVABLE_DIALECTS and name not in _EFFECTS | _KEPT
    if not removable:
        return "effect"
    return "end" if name.endswith(("return", "yield")) else "pure"


def has_effect(op: IrOperation, effectful: Container[str]) -> bool:
    """Whether an op does more than compute its results, its regions left aside.

    `effectful` holds the functions with effects, see `effectful_functions`. A call without results
    counts as having one.
    """
    kind = kind_of(op.name)
    if kind in ("pure", "end"):
        return False
    if kind == "effect" or not len(op.results):
        return True
    if kind == "custom_call":
        flag = attribute(op, "has_side_effect")
        if isinstance(flag, ir.BoolAttr) and flag.value:
            return True
    return any(callee in effectful for callee in callees(op))


def effectful_functions(module: ir.Module) -> Container[str]:
    """The functions of a module that do more than compute their results, and unknown ones."""
    own: dict[str, bool] = {}
    called: dict[str, set[str]] = {}
    for function in functions(module):
        name = function_name(function)
        own[name], called[name] = _read(function)
    return with_effects(own, called)


def with_effects(own: Mapping[str, bool], called: Mapping[str, Iterable[str]]) -> Container[str]:
    """All functions but those that neither have effects of their own nor call any that has."""
    callers: dict[str, list[str]] = {}
    for name, names in called.items():
        for callee in names:
            callers.setdefault(callee, []).append(name)
    pure = {name for name, effect in own.items() if not effect}
    effectful = [name for name in {*own, *callers} if name not in pure]
    while effectful:
        for caller in callers.get(effectful.pop(), ()):
            if caller in pure:
                pure.remove(caller)
                effectful.append(caller)
    return _AllBut(pure)


class _AllBut:
    __slots__ = ("_names",)

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name not in self._names


def _read(function: IrOperation) -> tuple[bool, set[str]]:
    """Whether the ops of a function have effects of their own, and the functions it calls."""
    called: set[str] = set()
    own = not has_body(function)

    def visit(op: IrOperation) -> ir.WalkResult:
        nonlocal own
        kind = kind_of(op.name)
        if kind in ("call", "custom_call"):
            called.update(callees(op))
        if has_effect(op, ()):
            own = True
        return ir.WalkResult.ADVANCE

    function.walk(visit)
    return own, called
