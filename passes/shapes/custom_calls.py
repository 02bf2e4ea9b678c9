"""The custom calls that JAX writes where StableHLO has no dynamic op, as the static ops they are.

stablehlo.dynamic_reduce_window(inputs, inits, window, strides, base and window dilations,
                                padding), with its body in called_computations
stablehlo.dynamic_top_k(operand, k)
stablehlo.dynamic_rng_bit_generator(state, shape), with rng_algorithm
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, inlined_call, ir
from dxir.reading import attribute, has_body, target_of

Array = np.ndarray[Any, Any]

WRAPPER = "stablehlo.shape_refinement_operand_wrapper"
"""The custom call that gives its first operand another type, until shapes are refined."""

_WINDOWS = 5  # the operands that say what the window is


def shape_operands_of_call(op: IrOperation) -> list[int]:
    """The operands of a custom call that the shapes of its results are read from."""
    target = target_of(op)
    count = len(op.operands)
    if target == "stablehlo.dynamic_reduce_window":
        return list(range(count - _WINDOWS, count))
    if target in ("stablehlo.dynamic_top_k", "stablehlo.dynamic_rng_bit_generator"):
        return [1]
    named = attribute(op, "indices_of_shape_operands")
    if isinstance(named, ir.DenseIntElementsAttr):
        return [int(i) for i in np.asarray(named).reshape(-1)]
    return []


def wrapped(value: IrValue, type: IrType, at: ir.InsertionPoint) -> IrOperation:
    """A call that gives the value an older, dynamic type, until shapes are refined."""
    given = value.type
    assert isinstance(given, ir.RankedTensorType)
    with type.context:
        i64 = ir.IntegerType.get_signless(64)
        sizes = ir.DenseElementsAttr.get(np.array(given.shape, np.int64), type=i64)
        one = ir.DenseElementsAttr.get(np.array([1], np.int64), type=i64)
        shape = ir.Operation.create(
            "stablehlo.constant",
            results=[sizes.type],
            attributes={"value": sizes},
            ip=at,
            loc=value.location,
        )
        return ir.Operation.create(
            "stablehlo.custom_call",
            results=[type],
            operands=[value, shape.results[0]],
            attributes={
                "call_target_name": ir.StringAttr.get(WRAPPER),
                "indices_of_shape_operands": one,
            },
            ip=at,
            loc=value.location,
        )


def make_static(
    op: IrOperation, arrays: Sequence[Array], functions: Mapping[str, IrOperation]
) -> bool:
    """Put the static op in the place of a custom call, given its shape operands.

    False for other ops, and while the shapes of its other operands are not known.
    """
    make = _MAKERS.get(target_of(op))
    others = op.operands[: len(op.operands) - len(arrays)]
    if make is None or not all(_is_static(v.type) for v in others):
        return False
    with op.context:
        made = make(op, arrays, functions)
    if made is None:
        return False
    at = ir.InsertionPoint(op)
    for old, new in zip(op.results, made.results, strict=True):
        same = old.type == new.type
        old.replace_all_uses_with(new if same else wrapped(new, old.type, at).results[0])
    op.erase()
    return True


def _is_static(type: IrType) -> bool:
    return isinstance(type, ir.RankedTensorType) and type.has_static_shape


def _tensor(shape: Sequence[int], like: IrType) -> IrType:
    assert isinstance(like, ir.RankedTensorType)
    return ir.RankedTensorType.get(list(shape), like.element_type, loc=ir.Location.unknown())


def _create(
    op: IrOperation,
    name: str,
    types: Sequence[IrType],
    operands: Sequence[IrValue],
    attributes: Mapping[str, IrAttribute],
    regions: int = 0,
) -> IrOperation:
    return ir.Operation.create(
        name,
        results=list(types),
        operands=list(operands),
        attributes=dict(attributes),
        regions=regions,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )


def _top_k(
    op: IrOperation, arrays: Sequence[Array], _: Mapping[str, IrOperation]
) -> IrOperation | None:
    operand = op.operands[0]
    assert isinstance(operand.type, ir.RankedTensorType)
    count = int(arrays[0])
    types = [_tensor([*operand.type.shape[:-1], count], r.type) for r in op.results]
    k = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), count)
    return _create(op, "chlo.top_k", types, [operand], {"k": k})


def _rng_bit_generator(
    op: IrOperation, arrays: Sequence[Array], _: Mapping[str, IrOperation]
) -> IrOperation | None:
    algorithm = attribute(op, "rng_algorithm")
    if algorithm is None:
        return None
    state = op.operands[0]
    types = [state.type, _tensor(arrays[0].tolist(), op.results[1].type)]
    attributes = {"rng_algorithm": algorithm}
    return _create(op, "stablehlo.rng_bit_generator", types, [state], attributes)


def _reduce_window(
    op: IrOperation, arrays: Sequence[Array], functions: Mapping[str, IrOperation]
) -> IrOperation | None:
    called = attribute(op, "called_computations")
    if not isinstance(called, ir.ArrayAttr) or len(called) != 1:
        return None
    name = called[0]
    body = functions.get(name.value) if isinstance(name, ir.FlatSymbolRefAttr) else None
    if body is None or not has_body(body):
        return None
    operands = op.operands[: len(op.operands) - _WINDOWS]
    first = operands[0].type
    assert isinstance(first, ir.RankedTensorType)
    shape = _window_shape(np.array(first.shape, np.int64), *(a.astype(np.int64) for a in arrays))
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    attributes: dict[str, IrAttribute] = {
        name: ir.DenseI64ArrayAttr.get([int(n) for n in array])
        for name, array in zip(names, arrays, strict=False)
    }
    i64 = ir.IntegerType.get_signless(64)
    padding = np.ascontiguousarray(arrays[-1].astype(np.int64))
    attributes["padding"] = ir.DenseElementsAttr.get(padding, type=i64)
    types = [_tensor(shape, r.type) for r in op.results]
    made = _create(op, "stablehlo.reduce_window", types, operands, attributes, regions=1)
    parameters = [a.type for a in body.regions[0].blocks[0].arguments]
    block = made.regions[0].blocks.append(*parameters, arg_locs=[op.location] * len(parameters))
    with ir.InsertionPoint(block):
        values = inlined_call(body, list(block.arguments), op.location)
        ir.Operation.create("stablehlo.return", operands=values, loc=op.location)
    return made


def _window_shape(
    shape: Array, window: Array, strides: Array, base: Array, dilations: Array, padding: Array
) -> list[int]:
    """The shape of a window's reduction, as StableHLO's reduce_window has it."""
    spread = np.where(shape > 0, (shape - 1) * base + 1, 0) + padding.sum(axis=1)
    reach = np.where(window > 0, (window - 1) * dilations + 1, 0)
    places = np.floor_divide(spread - reach, strides) + 1
    return [int(n) for n in np.where((spread <= 0) | (reach > spread), 0, places)]


_Maker = Callable[[IrOperation, Sequence[Array], Mapping[str, IrOperation]], "IrOperation | None"]
_MAKERS: dict[str, _Maker] = {
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _rng_bit_generator,
    "stablehlo.dynamic_top_k": _top_k,
}
