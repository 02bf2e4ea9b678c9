"""What ops do besides computing their results, and which functions they call."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from dxir.call_graph import reached
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.quoting import symbols_in
from dxir.reading import (
    attribute,
    attribute_names,
    attribute_text,
    function_name,
    functions,
    has_body,
    symbol,
    walk,
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
# What of StableHLO and CHLO computes its results and does nothing else. An op that is not here, of
# a newer jaxlib, counts as having effects.
_PURE = {
    "stablehlo": """
    abs add after_all and atan2 batch_norm_grad batch_norm_inference batch_norm_training
    bitcast_convert broadcast broadcast_in_dim case cbrt ceil cholesky clamp compare complex
    concatenate constant convert convolution cosine count_leading_zeros create_token divide
    dot dot_general dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota
    dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice einsum exponential
    exponential_minus_one fft floor gather get_dimension_size get_tuple_element if imag iota
    is_finite log log_plus_one logistic map maximum minimum multiply negate not
    optimization_barrier or pad partition_id popcnt power real real_dynamic_slice reduce
    reduce_precision reduce_window remainder replica_id reshape reverse rng_bit_generator
    round_nearest_afz round_nearest_even rsqrt scatter select select_and_scatter
    set_dimension_size shift_left shift_right_arithmetic shift_right_logical sign sine slice
    sort sqrt subtract tan tanh torch_index_select transpose triangular_solve tuple
    unary_einsum uniform_dequantize uniform_quantize while xor
    """,
    "chlo": """
    _asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e broadcast_add
    broadcast_and broadcast_atan2 broadcast_compare broadcast_complex broadcast_divide
    broadcast_maximum broadcast_minimum broadcast_multiply broadcast_next_after broadcast_or
    broadcast_polygamma broadcast_power broadcast_remainder broadcast_select
    broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical
    broadcast_subtract broadcast_xor broadcast_zeta conj constant constant_like cosh digamma
    erf erf_inv erfc is_inf is_neg_inf is_pos_inf lgamma mulhi next_after polygamma
    ragged_dot scan sinh square tan top_k zeta
    """,
}
_PURE_OPS = frozenset(f"{dialect}.{name}" for dialect in _PURE for name in _PURE[dialect].split())
# Where every op with results can go when they are unused, but those below.
_REMOVABLE_DIALECTS = frozenset({"arith", "math", "complex", "shape", "tensor", "func"})
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
    {"sdy.constant", "sdy.manual_computation", "sdy.named_computation", "sdy.reshard"}
)
_SHARDY_EFFECTS = frozenset(
    f"sdy.{name}"
    for name in (
        "all_gather", "all_reduce", "all_slice", "all_to_all", "collective_permute",
        "data_flow_edge", "func_data_flow_edge", "mesh", "propagation_barrier", "reduce_scatter",
        "replicated_to_unreduced", "sharded_to_unreduced", "sharding_constraint", "sharding_group",
    )
)  # fmt: skip
_ENDS = frozenset({"stablehlo.return", "sdy.return"})

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
    values = [attribute(op, name) for name in attribute_names(op)]
    return [name for value in values for name in named_by(value, {})]


def callees_below(function: IrOperation) -> set[str]:
    """The functions that a function refers to, decompositions of composites among them."""
    found: set[str] = set()
    walk(function, lambda op: found.update(callees(op)))
    return found


_NAMELESS = (
    ir.DenseElementsAttr, ir.DenseI64ArrayAttr, ir.DenseBoolArrayAttr, ir.IntegerAttr,
    ir.FloatAttr, ir.BoolAttr, ir.StringAttr, ir.TypeAttr, ir.UnitAttr,
)  # fmt: skip


Known = dict[IrAttribute, Sequence[str]]
"""The symbols that attributes name, for those read before: to print one takes long."""


def named_by(value: IrAttribute | None, known: Known) -> Sequence[str]:
    """The symbols that an attribute names, in order."""
    if isinstance(value, ir.FlatSymbolRefAttr):
        return (str(value.value),)
    if value is None or isinstance(value, _NAMELESS):
        return ()
    found = known.get(value)
    if found is None:
        found = known[value] = symbols_in(attribute_text(value))
    return found


def mentioned(op: IrOperation, known: Known, without: Container[str] = ()) -> set[str]:
    """The symbols that attributes of an op name, also those that only some other tool knows.

    Attributes of a name in `without` are left out.
    """
    found: set[str] = set()
    if len(op.attributes):
        for name in attribute_names(op):
            if name not in without:
                found.update(named_by(attribute(op, name), known))
    return found


def mentioned_below(op: IrOperation, known: Known) -> set[str]:
    """The symbols that attributes of an op and of the ops in it name."""
    found: set[str] = set()
    walk(op, lambda inner: found.update(mentioned(inner, known)))
    return found


def erase_unreferenced(
    module: ir.Module,
    candidates: Container[str],
    mentions: Mapping[str, Collection[str]] | None = None,
) -> list[str]:
    """Erase those of the functions that nothing which stays names in any attribute; their names.

    `mentions` has what functions name, as `mentioned_below` tells it, where the caller knows.
    MLIR's `symbol-dce` fails beside unknown ops with regions, and drops more than functions.
    """
    doomed = {n: f for f in functions(module) if (n := function_name(f)) in candidates}
    if not doomed:
        return []
    known: Known = {}
    told = {} if mentions is None else mentions

    def below(op: IrOperation) -> list[str]:
        name = function_name(op) if op.name == "func.func" else ""
        named = told[name] if name in told else mentioned_below(op, known)
        return [name for name in doomed if name in named]

    staying = [view.operation for view in module.body.operations]
    staying = [op for op in staying if op.name != "func.func" or function_name(op) not in doomed]
    roots = {name for op in staying for name in below(op)} | mentioned(module.operation, known)
    kept = set(reached(lambda name: below(doomed[name]), [n for n in doomed if n in roots]))
    gone = [name for name in doomed if name not in kept]
    for name in gone:
        doomed[name].erase()
    return gone


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
    if name in _ENDS:
        return "end"
    if name in _PURE_OPS or name in _REMOVABLE_SHARDY:
        return "pure"
    if name.partition(".")[0] not in _REMOVABLE_DIALECTS or name in _KEPT:
        return "effect"
    return "end" if name.endswith(("return", "yield")) else "pure"


def is_reviewed(name: str) -> bool:
    """Whether an op of StableHLO, CHLO or Shardy was looked at; all others count as effects."""
    return name in _EFFECTS | _SHARDY_EFFECTS or kind_of(name) != "effect"


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

    def visit(op: IrOperation) -> None:
        nonlocal own
        kind = kind_of(op.name)
        if kind in ("call", "custom_call"):
            called.update(callees(op))
        if has_effect(op, ()):
            own = True

    walk(function, visit)
    return own, called
