"""Functions out of functions: derivatives and batched forms of whole graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dxir.derivatives import captured, has_tangent, live_nodes, scalar, zeros
from dxir.errors import TransformError
from dxir.graph import Function, Region, Value, building, place
from dxir.locations import caller_location
from dxir.making import copied
from dxir.sharding import Sharding
from dxir.transforms.activity import check_rules
from dxir.transforms.batching import Batching, from_front, to_front, with_batch
from dxir.transforms.forward import Forward
from dxir.transforms.likeness import function_like, results_like
from dxir.transforms.options import is_integer
from dxir.transforms.positions import as_positions, is_listed
from dxir.transforms.reverse import Reverse
from dxir.transforms.rules import Mode
from dxir.types import DType, TensorType, Type

Axes = int | None | Sequence[int | None]
_MOST = 1 << 63
_SMALL = 16  # elements of a constant that is made wherever it is used


def vjp_function(
    function: Function,
    wrt: Sequence[int] | int | None = None,
    outputs: Sequence[int] | int | None = None,
    *,
    value: bool = True,
    name: str | None = None,
) -> Function:
    """`f_vjp(inputs..., cotangents of outputs...) -> (outputs..., cotangents of wrt...)`.

    `wrt` are positions of parameters, all that have tangents by default; `outputs` those of the
    results that cotangents are given for. Without `value` the results of the function are left
    out. Raises TransformError for positions that do not exist or have no tangents, and, before
    anything else is done, for every op on the way that has no rule.
    """
    wrt, outputs = checked_wrt(function, wrt), checked_outputs(function, outputs)
    seeds = [function.results[i].type for i in outputs]
    types = [*function.param_types, *seeds]
    made = function_like(function, name or f"{function.name}_vjp", types)
    count = len(function.params)
    for i, output in enumerate(outputs):
        made.param_shardings[count + i] = function.result_shardings[output]
    _check_reverse(function, wrt, outputs)
    with building(made):
        given: dict[int, Value | None] = dict(zip(outputs, made.params[count:], strict=True))
        found, cotangents = reverse(function, made.params[:count], wrt, given)
        shown = found if value else ()
        made.seal([*shown, *cotangents])
    _place_results(made, function, [function.param_shardings[i] for i in wrt], value)
    return without_dead_nodes(made)


def grad_function(
    function: Function,
    wrt: Sequence[int] | int | None = None,
    outputs: Sequence[int] | int | None = None,
    *,
    value: bool = False,
    name: str | None = None,
) -> Function:
    """`f_grad(inputs...) -> (outputs of f if value..., gradients of wrt...)`.

    The gradient is that of the sum of all elements of the outputs, so of the output itself where
    that is one number. Raises as `vjp_function` does, and for complex outputs.
    """
    wrt, outputs = checked_wrt(function, wrt), checked_outputs(function, outputs)
    for i in outputs:
        if function.results[i].tensor.primitive.is_complex:
            raise TransformError(
                f"result {i} of {function.name} is {function.results[i].type}, and gradients are "
                "of real numbers",
                where=function.location,
                hint="take the real part, or use vjp with the cotangent that you mean",
            )
    made = function_like(function, name or f"{function.name}_grad")
    _check_reverse(function, wrt, outputs)
    with building(made):
        found, cotangents = reverse(function, made.params, wrt, dict.fromkeys(outputs))
        shown = found if value else ()
        made.seal([*shown, *cotangents])
    _place_results(made, function, [function.param_shardings[i] for i in wrt], value)
    return without_dead_nodes(made)


def reverse(
    function: Region, arguments: Sequence[Value], wrt: Sequence[int], given: dict[int, Value | None]
) -> tuple[tuple[Value, ...], list[Value]]:
    """The results of a function put down here, and the cotangents of its arguments `wrt`.

    `given` has the cotangents of some of the results, by their positions, None for ones; no value
    may be given as two of the arguments, since a cotangent is a value's.
    """
    sweep = Reverse()
    found = sweep.run(function, arguments, [i in wrt for i in range(len(arguments))], given)
    sweep.backward([(found[i], scalar(1, found[i]) if g is None else g) for i, g in given.items()])
    return found, [sweep.cotangent_or_zeros(arguments[i]) for i in wrt]


def jvp_function(
    function: Function,
    wrt: Sequence[int] | int | None = None,
    outputs: Sequence[int] | int | None = None,
    *,
    value: bool = True,
    name: str | None = None,
) -> Function:
    """`f_jvp(inputs..., tangents of wrt...) -> (outputs..., tangents of outputs...)`.

    Without `value` the results of the function are left out. Raises as `vjp_function` does.
    """
    wrt, outputs = checked_wrt(function, wrt), checked_outputs(function, outputs)
    seeds = [function.params[i].type for i in wrt]
    made = function_like(function, name or f"{function.name}_jvp", [*function.param_types, *seeds])
    count = len(function.params)
    for i, position in enumerate(wrt):
        made.param_shardings[count + i] = function.param_shardings[position]
    started = [function.params[i] for i in wrt]
    reached = [function.results[i] for i in outputs]
    check_rules(function, started, reached, Mode.FORWARD)
    with building(made):
        sweep = Forward()
        given = dict(zip(wrt, made.params[count:], strict=True))
        tangents = [given.get(i) for i in range(count)]
        found, moved = sweep.run(function, made.params[:count], tangents, outputs)
        pushed = [_tangent(moved[i], found[i]) for i in outputs]
        made.seal([*(found if value else ()), *pushed])
    _place_results(made, function, [function.result_shardings[i] for i in outputs], value)
    return without_dead_nodes(made)


def _tangent(tangent: Value | None, like: Value) -> Value:
    return zeros(like) if tangent is None else tangent


def vmap_function(
    function: Function,
    in_axes: Axes = 0,
    out_axes: Axes = 0,
    *,
    axis_size: int | None = None,
    name: str | None = None,
) -> Function:
    """`f_vmap`: the function on a batch; `in_axes` has the batch's axis in each input, or None.

    Results have it at `out_axes`; None is for results that do not depend on the batch. The size
    is needed when no input has the axis, and must be `axis_size`. Raises TransformError.
    """
    ins = checked_axes(function, in_axes, [p.type for p in function.params], "in_axes")
    outs = checked_axes(function, out_axes, list(function.result_types), "out_axes")
    if axis_size is None:
        raise TransformError(
            f"the size of the batch of {function.name} is not given",
            where=caller_location(),
            hint="give axis_size: the type of a function does not tell it",
        )
    axis_size = checked_size(axis_size)
    check_batching(function, [a is not None for a in ins])
    types: list[Type] = []
    for param, axis in zip(function.params, ins, strict=True):
        type = param.type
        if axis is not None:
            type = with_batch(param.tensor, axis_size, axis)
        types.append(type)
    made = function_like(function, name or f"{function.name}_vmap", types, axes=ins)
    with building(made):
        arguments = [to_front(p, a) for p, a in zip(made.params, ins, strict=True)]
        found = Batching(axis_size).run(function, arguments, [a is not None for a in ins])
        made.seal([
            from_front(function.name, i, value, flag, outs[i], axis_size)
            for i, (value, flag) in enumerate(found)
        ])  # fmt: skip
    check_sizes([*made.params, *[r for node in made.nodes for r in node.results]])
    results_like(function, made, outs)
    return without_dead_nodes(made)


def checked_size(given: Any) -> int:
    """The number of elements of a batch; TransformError for what is none."""
    if not is_integer(given) or not 0 <= given < _MOST:
        raise TransformError(
            f"axis_size is {given!r}, and a batch has a known number of elements",
            where=caller_location(),
            hint="give a number from 0 on, of less than 64 bits",
        )
    return int(given)


def check_sizes(values: Iterable[Value]) -> None:
    """Raise a TransformError for a tensor whose bytes 64 bits cannot count."""
    for value in values:
        type = value.type
        if not isinstance(type, TensorType) or not isinstance(type.dtype, DType):
            continue
        if type.is_static and type.size * type.primitive.bits >= 8 * _MOST:
            raise TransformError(
                f"a batch would have a tensor of type {type}, which has too many elements",
                where=caller_location(),
                hint="make axis_size smaller",
            )


def check_batching(function: Function, batched: Sequence[bool]) -> None:
    """Raise a TransformError that lists every op without a batch rule that would need one."""
    start = [p for p, b in zip(function.params, batched, strict=True) if b]
    check_rules(function, start, None, Mode.BATCHING)


def _check_reverse(function: Function, wrt: Sequence[int], outputs: Sequence[int]) -> None:
    started = [function.params[i] for i in wrt]
    reached = [function.results[i] for i in outputs]
    check_rules(function, started, reached, Mode.REVERSE)


def checked_axes(
    function: Function, given: Axes, types: Sequence[Type], what: str
) -> list[int | None]:
    """One axis or None for each type; negative ones count from the end, the batch included."""
    many: list[Any] = as_positions(given) * (1 if is_listed(given) else len(types))
    if len(many) != len(types):
        raise TransformError(
            f"{what} has {len(many)} entries, but {function.name} has {len(types)}",
            where=caller_location(),
        )
    found: list[int | None] = []
    for i, (axis, type) in enumerate(zip(many, types, strict=True)):
        rank = getattr(type, "rank", -1) + 1
        if axis is None:
            found.append(None)
        elif not is_axis(axis, rank):
            raise TransformError(
                f"{what} {i} is {axis!r}, but {type} with the batch has axes 0 to {rank - 1}",
                where=caller_location(),
            )
        else:
            found.append(int(axis) % rank)
    return found


def is_axis(given: Any, rank: int) -> bool:
    """Whether something is the number of an axis, counted from either end."""
    return is_integer(given) and -rank <= given < rank


def checked_wrt(function: Function, wrt: Sequence[int] | int | None) -> tuple[int, ...]:
    """The parameters to differentiate by; all that have tangents, if none are named."""
    if function.is_declaration:
        raise TransformError(f"{function.name!r} has no body", where=function.location)
    return _positions(function, wrt, function.param_types, "parameter", "wrt")


def checked_outputs(function: Function, outputs: Sequence[int] | int | None) -> tuple[int, ...]:
    """The results to differentiate; all that have tangents, if none are named."""
    return _positions(function, outputs, function.result_types, "result", "outputs")


def _positions(
    function: Function, given: Any, types: Sequence[Type], kind: str, what: str
) -> tuple[int, ...]:
    usable = tuple(i for i, t in enumerate(types) if has_tangent(t))
    if given is None:
        if not usable:
            raise TransformError(
                f"{function.name} has no {kind} with a derivative",
                where=function.location,
                hint="floats and complex numbers have derivatives; integers have none",
            )
        return usable
    found = tuple(as_positions(given))
    for i in found:
        if not is_integer(i):
            raise TransformError(
                f"{what} is {given!r}",
                where=caller_location(),
                hint=f"give positions of {kind}s, counted from 0",
            )
        if not -len(types) <= i < len(types):
            raise TransformError(
                f"{what} names {kind} {i!r}, but {function.name} has {len(types)}",
                where=function.location,
                hint=f"they are counted from 0, to {len(types) - 1}, or from the end, -1 the last",
            )
        if i % len(types) not in usable:
            raise TransformError(
                f"{what} names {kind} {i} of {function.name}, which is {types[i]}: that has no "
                "derivative",
                where=function.location,
                hint=f"these have: {', '.join(map(str, usable)) or 'none'}",
            )
    found = tuple([int(i) % len(types) for i in found])
    if len(set(found)) != len(found):
        raise TransformError(f"{what} names a {kind} twice: {found}", where=function.location)
    return found


def _place_results(
    made: Function, function: Function, late: Sequence[Sharding | None], value: bool
) -> None:
    """Say what is known of the results: first those of `function`, if they are there."""
    if value:
        results_like(function, made)
    made.result_shardings[len(made.results) - len(late) :] = late


def without_dead_nodes(function: Function) -> Function:
    """The function without the nodes whose results nobody uses and that have no side effect."""
    needed = live_nodes(function.nodes, function.results)
    if len(needed) != len(function.nodes):
        function.nodes[:] = [n for n in function.nodes if n in needed]
    return function


def _is_small_constant(value: Value) -> bool:
    node = value.producer
    if node is None or node.op != "constant":
        return False
    array = node.attrs["value"]
    return bool(array.size <= _SMALL or not any(array.strides))


def closed(region: Region, name: str = "closed") -> tuple[Function, tuple[Value, ...]]:
    """A region as a private function, and the values it captured: its last parameters.

    Small constants from outside are made in it.
    """
    found = captured([region])
    constants = [v for v in found if _is_small_constant(v)]
    outside = tuple([v for v in found if v not in constants])
    types = [v.type for v in (*region.params, *outside)]
    function = Function(name, types, public=False)
    values = dict(zip((*region.params, *outside), function.params, strict=True))
    with building(function):
        for value in constants:
            assert value.producer is not None
            place(copied(value.producer, values))
        for node in region.nodes:
            place(copied(node, values))
        function.seal([values[r] for r in region.results])
    return function, outside


__all__ = [
    "Axes", "check_batching", "checked_axes", "checked_outputs", "checked_size", "checked_wrt",
    "closed", "grad_function", "is_axis", "jvp_function", "reverse", "vjp_function",
    "vmap_function", "without_dead_nodes",
]  # fmt: skip
