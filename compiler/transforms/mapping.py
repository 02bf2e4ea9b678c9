"""vmap: functions on a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, overload

from dxir.errors import TransformError
from dxir.graph import Function, Value
from dxir.locations import caller_location
from dxir.tracing.calls import Call, Placing, check_function, not_a_value
from dxir.tracing.trees import Tree, spread_prefix
from dxir.transforms.activity import check_rules
from dxir.transforms.batching import Batching, from_front, to_front
from dxir.transforms.calling import explained, named, refuse_names
from dxir.transforms.functions import Axes, checked_size, is_axis, vmap_function
from dxir.transforms.rule_errors import STATIC
from dxir.transforms.rules import Mode
from dxir.types import QuantizedType, TensorType, Type

Python = Callable[..., Any]


@overload
def vmap(
    function: Function,
    in_axes: Axes = 0,
    out_axes: Axes = 0,
    *,
    axis_size: int | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def vmap(
    function: Python, in_axes: Any = 0, out_axes: Any = 0, *, axis_size: int | None = None
) -> Python: ...
@explained
def vmap(
    function: Any,
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    axis_size: int | None = None,
    name: str | None = None,
) -> Any:
    """The function on a batch, whose axis in each input `in_axes` says; None for what has none.

    `out_axes` says where it is in the results; None is for results that are the same for the whole
    batch. Of a Function: `f_vmap`; `axis_size` must be given. Of a Python function: `in_axes` is
    one axis for all, or a tuple with an entry for each argument; an entry goes for all leaves of
    the argument, or has its containers. Arguments given by keyword have the batch at axis 0.
    """
    if isinstance(function, Function):
        return vmap_function(function, in_axes, out_axes, axis_size=axis_size, name=name)
    check_function(function, "vmap")
    refuse_names("vmap", name=name)

    def mapped(*args: Any, **kwargs: Any) -> Any:
        call = Call(function, args, kwargs)
        axes = _in_axes(call, in_axes)
        size = _size(call, axes, axis_size)
        types = [_without(v.type, axis) for v, axis in zip(call.leaves, axes, strict=True)]
        traced = call.trace(types)
        flags = [axis is not None for axis in axes]
        start = [p for p, flag in zip(traced.region.params, flags, strict=True) if flag]
        check_rules(traced.region, start, None, Mode.BATCHING)
        outs = spread_prefix(out_axes, traced.out, "out_axes")
        with Placing(call.home) as placing:
            given = [to_front(v, axis) for v, axis in zip(call.leaves, axes, strict=True)]
            found = Batching(size).run(traced.region, given, flags)
            placing.results += [
                from_front(call.name, i, value, batched, _out_axis(outs[i], value, batched), size)
                for i, (value, batched) in enumerate(found)
            ]
        return traced.out.build(placing.results)

    return named(mapped, function, "vmap")


def _in_axes(call: Call, in_axes: Any) -> list[int | None]:
    """The axis of the batch in each leaf of a call, or None."""
    args, kwargs = call.tree.children
    if isinstance(in_axes, (tuple, list)):
        if len(in_axes) != call.count:
            raise TransformError(
                f"vmap: in_axes has {len(in_axes)} entries, but {call.name} is called with "
                f"{call.count} arguments",
                where=caller_location(),
                hint="give one entry for each argument: an axis, or None without the batch",
            )
        wanted = Tree(tuple, args.children)
        axes = spread_prefix(tuple(in_axes), wanted, "vmap: in_axes")
    else:
        axes = [in_axes] * args.count
    axes += [0] * kwargs.count
    found: list[int | None] = []
    for leaf, axis in zip(call.given, axes, strict=True):
        if call.is_value(leaf):
            value = call.leaves[len(found)]
            found.append(_axis(axis, value))
        elif isinstance(in_axes, (tuple, list)) and axis is not None:
            raise not_a_value(leaf, f"vmap: an argument of {call.name} with the batch")
    return found


def _axis(axis: Any, value: Value) -> int | None:
    if axis is None:
        return None
    rank = getattr(value.type, "rank", 0)
    if not is_axis(axis, rank):
        raise TransformError(
            f"vmap: in_axes has {axis!r} for an argument of type {value.type}",
            where=caller_location(),
            hint=f"its axes are 0 to {rank - 1}; None is for an argument without the batch"
            if rank
            else "a scalar has no axis for the batch: give None for it",
        )
    return int(axis) % rank


def _size(call: Call, axes: Sequence[int | None], given: int | None) -> int:
    sizes = {_known(v, axis) for v, axis in zip(call.leaves, axes, strict=True) if axis is not None}
    if given is not None:
        sizes.add(checked_size(given))
    if len(sizes) > 1:
        types = ", ".join(
            [f"{v.type} at axis {a}" for v, a in zip(call.leaves, axes, strict=True)
             if a is not None]
        )  # fmt: skip
        said = "" if given is None else f", axis_size is {given}"
        raise TransformError(
            f"vmap: the batches of {call.name} have different sizes: {types}{said}",
            where=caller_location(),
            hint="say by in_axes which arguments have the batch, and where",
        )
    if not sizes:
        raise TransformError(
            f"vmap: no argument of {call.name} has a batch",
            where=caller_location(),
            hint="give in_axes, or axis_size",
        )
    return sizes.pop()


def _known(value: Value, axis: int) -> int:
    """The size of an axis, which must not be dynamic."""
    size = value.shape[axis]
    if not isinstance(size, int):
        raise TransformError(
            f"vmap: axis {axis} of {value.type} is dynamic, and a batch has a known number of "
            "elements",
            where=caller_location(),
            hint=STATIC,
        )
    return size


def _without(type: Type, axis: int | None) -> Type:
    if axis is None or not isinstance(type, TensorType):
        return type
    dtype, shape = type.dtype, (*type.shape[:axis], *type.shape[axis + 1 :])
    if isinstance(dtype, QuantizedType) and dtype.axis is not None and dtype.axis >= axis:
        if dtype.axis == axis:
            raise TransformError(
                f"vmap: the elements of the batch in {type} have scales of their own",
                where=caller_location(),
                hint="dequantize before, and quantize inside",
            )
        dtype = replace(dtype, axis=dtype.axis - 1)
    return TensorType(shape, dtype)


def _out_axis(axis: Any, value: Value, batched: bool) -> int | None:
    if axis is None:
        return None
    rank = getattr(value.type, "rank", 0) + (not batched)
    if not is_axis(axis, rank):
        raise TransformError(
            f"vmap: out_axes has {axis!r} for a result that has axes 0 to {rank - 1} with the "
            "batch",
            where=caller_location(),
            hint="give an axis that it has, or None where it does not depend on the batch",
        )
    return int(axis) % rank
