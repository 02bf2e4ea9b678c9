"""Which axes of the results of an op are padded when axes of its operands are, op by op.

A rule holds for whatever the padding contains; what no rule says is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.reading import attribute
from dxir.runtime.buckets.states import SAME, Known, Mixed, Part, Size, State

Rule = Callable[[IrOperation, Sequence[State]], Sequence[State]]

_ELEMENTWISE = (
    *("abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "complex", "convert"),
    *("cosine", "count_leading_zeros", "divide", "exponential", "exponential_minus_one", "floor"),
    *("imag", "is_finite", "log", "log_plus_one", "logistic", "maximum", "minimum", "multiply"),
    *("negate", "not", "or", "popcnt", "power", "real", "reduce_precision", "remainder"),
    *("round_nearest_afz", "round_nearest_even", "rsqrt", "select", "shift_left"),
    *("shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract", "tan"),
    *("tanh", "xor"),
)


def _rank(value: Any) -> int:
    return int(value.type.rank)


def _size(value: Any, axis: int) -> int | None:
    type = value.type
    return None if type.is_dynamic_dim(axis) else int(type.get_dim_size(axis))


def _integers(op: IrOperation, name: str) -> list[int]:
    given: Any = attribute(op, name)
    return [] if given is None else [int(i) for i in given]


def _integer(op: IrOperation, name: str) -> int:
    given = attribute(op, name)
    assert isinstance(given, ir.IntegerAttr)
    return int(given.value)


def _components(op: IrOperation, states: Sequence[State], index: int) -> tuple[Known, ...]:
    """The integers of a shape operand; those not looked at are right, or the op is refused."""
    state = states[index]
    type: Any = op.operands[index].type
    if state.axes:
        raise Mixed("takes its shape from padded values")
    if state.parts is not None:
        return state.parts
    return (Part.RIGHT,) * int(type.shape[0] if type.rank else 1)


def _refuse_wrong(parts: Sequence[Known]) -> None:
    if any(p is Part.WRONG for p in parts):
        raise Mixed("takes a shape that is computed from the size of a padded dimension")


def _along(state: State, axes: Sequence[int], what: str) -> None:
    """Refuse an op that works along padded axes."""
    found = sorted(set(axes) & set(state.axes))
    if found:
        raise Mixed(f"{what} along {state.axes[found[0]]}, its axis {found[0]}")


def _elementwise(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    result: Any = op.results[0]
    full = [s for v, s in zip(op.operands, states, strict=True) if _rank(v) == _rank(result)]
    if any(s.axes != full[0].axes for s in full):
        raise Mixed("takes values of which one is padded and another is not")
    return [State(full[0].axes)]


def _each(_: IrOperation, states: Sequence[State]) -> Sequence[State]:
    return list(states)


def _transpose(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    order = _integers(op, "permutation")
    axes = states[0].axes
    return [State({i: axes[a] for i, a in enumerate(order) if a in axes})]


def _reverse(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    _along(states[0], _integers(op, "dimensions"), "turns values round")
    return [State(states[0].axes)]


def _concatenate(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    axis = _integer(op, "dimension")
    for state in states:
        _along(state, [axis], "puts values one after the other")
        if state.axes != states[0].axes:
            raise Mixed("takes values of which one is padded and another is not")
    return [State(states[0].axes)]


def _reduce(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    count = len(op.results)
    gone = _integers(op, "dimensions")
    inputs = states[:count]
    for state in inputs:
        _along(state, gone, "combines values")
        if state.axes != inputs[0].axes:
            raise Mixed("takes values of which one is padded and another is not")
    kept = [a for a in range(_rank(op.operands[0])) if a not in gone]
    axes = inputs[0].axes
    return [State({i: axes[a] for i, a in enumerate(kept) if a in axes})] * count


def _sort(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    axis = _integer(op, "dimension")
    axis += _rank(op.operands[0]) if axis < 0 else 0
    for state in states:
        _along(state, [axis], "sorts values")
        if state.axes != states[0].axes:
            raise Mixed("takes values of which one is padded and another is not")
    return [State(states[0].axes)] * len(op.results)


def _dynamic_broadcast(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    parts = _components(op, states, 1)
    _refuse_wrong(parts)
    found = {i: p.name for i, p in enumerate(parts) if isinstance(p, Size)}
    operand = states[0].axes
    for axis, result in enumerate(_integers(op, "broadcast_dimensions")):
        if operand.get(axis) == found.get(result):
            continue  # as long as the result, padded or not
        if axis in operand or _size(op.operands[0], axis) != 1:
            raise Mixed("spreads a value whose padding is not that of the result")
    return [State(found)]


def _dynamic_iota(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    parts = _components(op, states, 0)
    _refuse_wrong(parts)
    return [State({i: p.name for i, p in enumerate(parts) if isinstance(p, Size)})]


def _dynamic_reshape(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    """A padded axis stays when what is before it, and what is behind, has as many elements."""
    parts = _components(op, states, 1)
    _refuse_wrong(parts)
    axes = states[0].axes
    sizes = [axes.get(a, _size(op.operands[0], a)) for a in range(_rank(op.operands[0]))]
    shape = [p.name if isinstance(p, Size) else p if isinstance(p, int) else None for p in parts]
    if _stretches(sizes) != _stretches(shape) or None in sizes or None in shape:
        raise Mixed("takes a padded axis apart, or joins it with others")
    return [State({i: s for i, s in enumerate(shape) if isinstance(s, str)})]


def _stretches(sizes: Sequence[int | str | None]) -> list[int | str]:
    """The padded axes, and the number of elements between them."""
    found: list[int | str] = [1]
    for size in sizes:
        if isinstance(size, str):
            found += [size, 1]
        elif isinstance(size, int) and isinstance(found[-1], int):
            found[-1] *= size
    return found


def _dot_general(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    numbers: Any = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    left, right = states[0].axes, states[1].axes
    batch = [
        list(numbers.lhs_batching_dimensions),
        list(numbers.rhs_batching_dimensions),
    ]
    contracted = [
        list(numbers.lhs_contracting_dimensions),
        list(numbers.rhs_contracting_dimensions),
    ]
    for state, gone in zip(states, contracted, strict=True):
        _along(state, gone, "combines values")
    if any(left.get(a) != right.get(b) for a, b in zip(*batch, strict=True)):
        raise Mixed("takes values of which one is padded and another is not")
    found = [left.get(a) for a in batch[0]]
    for axes, value, taken in zip(
        (left, right), op.operands, zip(batch, contracted, strict=True), strict=True
    ):
        free = [a for a in range(_rank(value)) if a not in (*taken[0], *taken[1])]
        found += [axes.get(a) for a in free]
    return [State({i: name for i, name in enumerate(found) if name is not None})]


def _real_dynamic_slice(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    start, limit, stride = (_components(op, states, i) for i in (1, 2, 3))
    axes = states[0].axes
    for axis, parts in enumerate(zip(start, limit, stride, strict=True)):
        whole = axis in axes and parts == (0, Size(axes[axis]), 1)
        if not whole:
            _along(states[0], [axis], "takes a part of the values")
            if any(isinstance(p, Size) or p is Part.WRONG for p in parts):
                raise Mixed("takes a part that is computed from the size of a padded dimension")
    return [State(axes)]


def _dynamic_update_slice(_: IrOperation, states: Sequence[State]) -> Sequence[State]:
    operand, update, *starts = states
    if operand.axes != update.axes or any(s.axes for s in starts):
        raise Mixed("takes values of which one is padded and another is not")
    for axis in operand.axes:
        if starts[axis].parts != (0,):
            _along(operand, [axis], "puts values at a place")
    return [State(operand.axes)]


def _pad(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    if states[1].axes:
        raise Mixed("takes padded values to fill up with")
    for axis in states[0].axes:
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding"):
            if _integers(op, name)[axis]:
                _along(states[0], [axis], "adds values")
    return [State(states[0].axes)]


def _dynamic_pad(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    if states[1].axes:
        raise Mixed("takes padded values to fill up with")
    for index in (2, 3, 4):
        parts = _components(op, states, index)
        if any(isinstance(p, Size) or p is Part.WRONG for p in parts):
            raise Mixed("adds as many values as a padded dimension has")
        for axis in states[0].axes:
            if parts[axis] != 0:
                _along(states[0], [axis], "adds values")
    return [State(states[0].axes)]


def _gather(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    numbers: Any = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    operand, indices = states[0], states[1]
    vector = int(numbers.index_vector_dim)
    _along(indices, [vector], "reads places")
    if list(numbers.operand_batching_dims) and not (operand.is_same and indices.is_same):
        raise Mixed("reads places in batches")
    indexed, collapsed = list(numbers.start_index_map), list(numbers.collapsed_slice_dims)
    _along(operand, [*indexed, *collapsed], "reads places")
    if op.name == "stablehlo.dynamic_gather":
        sizes: Sequence[Known] = _components(op, states, 2)
    else:
        sizes = _integers(op, "slice_sizes")
    _refuse_wrong(sizes)
    for axis, size in enumerate(sizes):
        wanted = operand.axes.get(axis)
        if (size.name if isinstance(size, Size) else None) != wanted:
            raise Mixed("reads a part of the values along a padded axis")
    offsets = [a for a in range(_rank(op.operands[0])) if a not in collapsed]
    from_slices = dict(zip(numbers.offset_dims, offsets, strict=True))
    places = [a for a in range(_rank(op.operands[1])) if a != vector]
    batch = [a for a in range(_rank(op.results[0])) if a not in from_slices]
    found = {r: operand.axes.get(a) for r, a in from_slices.items()}
    found |= {r: indices.axes.get(a) for r, a in zip(batch, places, strict=True)}
    return [State({r: name for r, name in sorted(found.items()) if name is not None})]


def _convolution(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    numbers: Any = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    batch = int(numbers.input_batch_dimension)
    if states[1].axes or _integer(op, "batch_group_count") != 1:
        raise Mixed("combines values of a batch")
    _along(states[0], [a for a in range(_rank(op.operands[0])) if a != batch], "combines values")
    out = int(numbers.output_batch_dimension)
    name = states[0].axes.get(batch)
    return [SAME if name is None else State({out: name})]


def _batch_norm_inference(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    _along(states[0], [_integer(op, "feature_index")], "has means")
    if any(s.axes for s in states[1:]):
        raise Mixed("takes padded means")
    return [State(states[0].axes)]


def _matrices(op: IrOperation, states: Sequence[State]) -> Sequence[State]:
    rank = _rank(op.operands[0])
    for state in states:
        _along(state, [rank - 2, rank - 1], "combines values")
        if state.axes != states[0].axes:
            raise Mixed("takes values of which one is padded and another is not")
    return [State(states[0].axes)]


RULES: dict[str, Rule] = {
    **{f"stablehlo.{name}": _elementwise for name in _ELEMENTWISE},
    "stablehlo.batch_norm_inference": _batch_norm_inference,
    "stablehlo.cholesky": _matrices,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.convolution": _convolution,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dynamic_broadcast_in_dim": _dynamic_broadcast,
    "stablehlo.dynamic_gather": _gather,
    "stablehlo.dynamic_iota": _dynamic_iota,
    "stablehlo.dynamic_pad": _dynamic_pad,
    "stablehlo.dynamic_reshape": _dynamic_reshape,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.gather": _gather,
    "stablehlo.optimization_barrier": _each,
    "stablehlo.pad": _pad,
    "stablehlo.real_dynamic_slice": _real_dynamic_slice,
    "stablehlo.reduce": _reduce,
    "stablehlo.reverse": _reverse,
    "stablehlo.sort": _sort,
    "stablehlo.transpose": _transpose,
    "stablehlo.triangular_solve": _matrices,
}
