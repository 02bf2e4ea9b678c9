"""Which dimensions an op must have whole on every device: those that it does not treat alone.

What is not listed is an op that is the same on the parts of its operands as on the whole, once
these lie as Shardy's rules want them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dxir.mlir import IrAttribute, IrOperation, IrValue, ir, sdy, stablehlo
from dxir.passes.partitioning.reducers import is_simple_reduction
from dxir.reading import attribute

Whole = dict[int, frozenset[int]]


class Dims:
    """The dimensions that must be whole, by the number of an operand or a result."""

    def __init__(self) -> None:
        self.operands: dict[int, set[int]] = {}
        self.results: dict[int, set[int]] = {}

    def add(self, operands: Iterable[int], results: Iterable[int], dims: Iterable[int]) -> None:
        found = set(dims)
        for i in operands:
            self.operands.setdefault(i, set()).update(found)
        for i in results:
            self.results.setdefault(i, set()).update(found)


Rule = Callable[[IrOperation, Dims], None]
RULES: dict[str, Rule] = {}

# The same on parts as on the whole, given that parts are alike.
LOCAL = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs", "add", "after_all", "all_reduce", "and", "atan2", "bitcast_convert",
        "broadcast_in_dim", "case", "cbrt", "ceil", "clamp", "collective_broadcast",
        "collective_permute", "compare", "complex", "constant", "convert",
        "cosine", "count_leading_zeros", "create_token", "divide", "dot", "dot_general",
        "exponential", "exponential_minus_one", "floor", "if", "imag", "iota", "is_finite", "log",
        "log_plus_one", "logistic", "maximum", "minimum", "multiply", "negate", "not",
        "optimization_barrier", "or", "partition_id", "popcnt", "power", "real", "reduce_precision",
        "remainder", "replica_id", "reshape", "return", "round_nearest_afz",
        "round_nearest_even", "rsqrt", "select", "shift_left", "shift_right_arithmetic",
        "shift_right_logical", "sign", "sine", "sqrt", "subtract", "tan", "tanh", "transpose",
        "uniform_dequantize", "uniform_quantize", "while", "xor",
    )
)  # fmt: skip
# Ops through which values flow as they are, for which Shardy needs no rule.
FLOWS = frozenset(
    f"stablehlo.{name}" for name in ("case", "if", "optimization_barrier", "return", "while")
)
RULE = "sdy.sharding_rule"
_OWN = ("func.", "sdy.", "builtin.")


def whole_dims(op: IrOperation) -> Dims:
    """What an op must have whole; all of it for an op that is not known."""
    found = Dims()
    rule = RULES.get(op.name)
    if not is_known(op):
        _all(op, found)
    elif rule is not None:
        rule(op, found)
    return found


def is_known(op: IrOperation) -> bool:
    """Whether it is known what an op does to the parts of its operands.

    Ops must carry Shardy's rules, those of custom calls the user's.
    """
    if op.name.startswith(_OWN) or op.name in FLOWS:
        return True
    if op.name == "stablehlo.custom_call":
        return _has_own_rule(op)
    if len(op.operands) and RULE not in op.attributes and any(map(_rank, op.operands)):
        return False
    return op.name in LOCAL or op.name in RULES


def _has_own_rule(op: IrOperation) -> bool:
    """Whether an op says itself how it may be split."""
    rule = attribute(op, RULE)
    return rule is not None and bool(sdy.OpShardingRuleAttr(rule).is_custom)


def _all(op: IrOperation, found: Dims) -> None:
    for i, value in enumerate(op.operands):
        found.add((i,), (), range(_rank(value)))
    for i, value in enumerate(op.results):
        found.add((), (i,), range(_rank(value)))


def _rank(value: IrValue) -> int:
    return value.type.rank if isinstance(value.type, ir.RankedTensorType) else 0


def _shape(value: IrValue) -> list[int]:
    return list(ir.RankedTensorType(value.type).shape)


def ints(given: IrAttribute | None) -> list[int]:
    """The numbers of an array attribute, or of a dense one, flat."""
    if given is None:
        return []
    if isinstance(given, ir.DenseIntElementsAttr):
        return [int(n) for n in given]
    return [int(n) for n in ir.DenseI64ArrayAttr(given)]


def number(op: IrOperation, name: str) -> int:
    """The value of an integer attribute."""
    return int(ir.IntegerAttr(op.attributes[name]).value)


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def declare(rule: Rule) -> Rule:
        for name in names:
            RULES[f"stablehlo.{name}"] = rule
        return rule

    return declare


@_rule("slice")
def _slice(op: IrOperation, found: Dims) -> None:
    shape, sizes = _shape(op.operands[0]), _shape(op.results[0])
    found.add((0,), (0,), (i for i, (a, b) in enumerate(zip(shape, sizes, strict=True)) if a != b))


@_rule("broadcast_in_dim")
def _broadcast_in_dim(op: IrOperation, found: Dims) -> None:
    """A single element that is spread is needed by all."""
    shape, sizes = _shape(op.operands[0]), _shape(op.results[0])
    dims = ints(op.attributes["broadcast_dimensions"])
    found.add((0,), (), (i for i, d in enumerate(dims) if shape[i] != sizes[d]))


@_rule("pad")
def _pad(op: IrOperation, found: Dims) -> None:
    edges = (ints(op.attributes[f"edge_padding_{side}"]) for side in ("low", "high"))
    amounts = zip(*edges, ints(op.attributes["interior_padding"]), strict=True)
    found.add((0,), (0,), (i for i, amount in enumerate(amounts) if any(amount)))


@_rule("concatenate")
def _concatenate(op: IrOperation, found: Dims) -> None:
    found.add(range(len(op.operands)), (0,), (number(op, "dimension"),))


@_rule("reverse")
def _reverse(op: IrOperation, found: Dims) -> None:
    found.add((0,), (0,), ints(op.attributes["dimensions"]))


@_rule("dynamic_slice")
def _dynamic_slice(op: IrOperation, found: Dims) -> None:
    _slice(op, found)


@_rule("dynamic_update_slice")
def _dynamic_update_slice(op: IrOperation, found: Dims) -> None:
    shape, sizes = _shape(op.operands[0]), _shape(op.operands[1])
    dims = [i for i, (a, b) in enumerate(zip(shape, sizes, strict=True)) if a != b]
    found.add((0, 1), (0,), dims)


@_rule("reduce")
def _reduce(op: IrOperation, found: Dims) -> None:
    if not is_simple_reduction(op):
        found.add(range(len(op.operands) // 2), (), ints(op.attributes["dimensions"]))


@_rule("sort")
def _sort(op: IrOperation, found: Dims) -> None:
    count = len(op.results)
    dimension = attribute(op, "dimension")
    at = -1 if dimension is None else int(ir.IntegerAttr(dimension).value)
    found.add(range(count), range(count), (at % _rank(op.results[0]),))


@_rule("fft")
def _fft(op: IrOperation, found: Dims) -> None:
    rank = _rank(op.operands[0])
    found.add((0,), (0,), range(rank - len(ints(op.attributes["fft_length"])), rank))


@_rule("cholesky", "triangular_solve")
def _matrices(op: IrOperation, found: Dims) -> None:
    rank = _rank(op.results[0])
    found.add(range(len(op.operands)), (0,), (rank - 2, rank - 1))


@_rule("reduce_window")
def _reduce_window(op: IrOperation, found: Dims) -> None:
    count = len(op.results)
    dims = _windowed(op, _rank(op.operands[0]))
    found.add(range(count), range(count), dims)


@_rule("select_and_scatter")
def _select_and_scatter(op: IrOperation, found: Dims) -> None:
    found.add((0, 1), (0,), _windowed(op, _rank(op.operands[0])))


def _windowed(op: IrOperation, rank: int) -> list[int]:
    """The dimensions in which windows are more than single elements, one after another."""
    window = ints(attribute(op, "window_dimensions")) or [1] * rank
    strides = ints(attribute(op, "window_strides")) or [1] * rank
    padding = ints(attribute(op, "padding")) or [0] * (2 * rank)
    dilation = ints(attribute(op, "base_dilations")) or [1] * rank
    return [
        i
        for i in range(rank)
        if (window[i], strides[i], dilation[i]) != (1, 1, 1) or any(padding[2 * i : 2 * i + 2])
    ]


@_rule("convolution")
def _convolution(op: IrOperation, found: Dims) -> None:
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    found.add((0,), (), numbers.input_spatial_dimensions)
    found.add((1,), (), numbers.kernel_spatial_dimensions)
    found.add((), (0,), numbers.output_spatial_dimensions)
    groups = number(op, "feature_group_count"), number(op, "batch_group_count")
    if groups != (1, 1):
        found.add((0,), (), (numbers.input_feature_dimension,))
        found.add((1,), (), (numbers.kernel_input_feature_dimension,))
        found.add((1,), (), (numbers.kernel_output_feature_dimension,))
        found.add((), (0,), (numbers.output_feature_dimension,))
    if groups[1] != 1:
        found.add((0,), (), (numbers.input_batch_dimension,))
        found.add((), (0,), (numbers.output_batch_dimension,))


@_rule("gather")
def _gather(op: IrOperation, found: Dims) -> None:
    numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    shape, sizes = _shape(op.operands[0]), ints(op.attributes["slice_sizes"])
    batching = set(numbers.operand_batching_dims)
    cut = {i for i, (a, b) in enumerate(zip(shape, sizes, strict=True)) if a != b} - batching
    cut |= set(numbers.collapsed_slice_dims)
    found.add((0,), (), cut)
    gone = {*numbers.collapsed_slice_dims, *batching}
    kept = [i for i in range(len(shape)) if i not in gone]
    offsets = sorted(numbers.offset_dims)
    found.add((), (0,), (d for d, i in zip(offsets, kept, strict=True) if i in cut))
    found.add((1,), (), (numbers.index_vector_dim,))


@_rule("scatter")
def _scatter(op: IrOperation, found: Dims) -> None:
    """Updates are added by one device only: several would count the operand several times."""
    numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    count = len(op.results)
    inputs, indices = range(count), count
    updates = range(count + 1, 2 * count + 1)
    shape, update = _shape(op.operands[0]), _shape(op.operands[count + 1])
    gone = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
    kept = [i for i in range(len(shape)) if i not in gone]
    windows = sorted(numbers.update_window_dims)
    cut = [(i, d) for i, d in zip(kept, windows, strict=True) if shape[i] != update[d]]
    found.add(inputs, inputs, [i for i, _ in cut] + list(numbers.inserted_window_dims))
    batching = set(numbers.scatter_indices_batching_dims)
    free = [i for i in range(len(update)) if i not in windows]
    positions = [i for i in range(_rank(op.operands[indices])) if i != numbers.index_vector_dim]
    pairs = list(zip(free, positions, strict=True))
    found.add(updates, (), [d for _, d in cut] + [d for d, i in pairs if i not in batching])
    alone = [i for i in range(_rank(op.operands[indices])) if i not in batching]
    found.add((indices,), (), alone)


@_rule("all_gather")
def _all_gather(op: IrOperation, found: Dims) -> None:
    count = len(op.results)
    found.add(range(count), range(count), (number(op, "all_gather_dim"),))


@_rule("reduce_scatter")
def _reduce_scatter(op: IrOperation, found: Dims) -> None:
    found.add((0,), (0,), (number(op, "scatter_dimension"),))


@_rule("all_to_all")
def _all_to_all(op: IrOperation, found: Dims) -> None:
    count = len(op.results)
    dims = (number(op, "split_dimension"), number(op, "concat_dimension"))
    found.add(range(count), range(count), dims)
