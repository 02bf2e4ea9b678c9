"""Gradients: of graphs, and of Python functions where graphs are being built.

Each of these, as of `products`, `jacobians` and `mapping`, takes a `dxir.Function` and gives one,
or takes a Python function over values and gives one, which is called on values while a graph is
being built. The arguments and results of Python functions may be nested tuples, lists and
dictionaries, with None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from dxir import ops
from dxir.derivatives import has_tangent
from dxir.errors import TransformError
from dxir.graph import Function, Value
from dxir.locations import caller_location
from dxir.tracing.calls import Call, check_function
from dxir.tracing.trees import flatten
from dxir.transforms.calling import by, check_aux, explained, named, refuse_aux, refuse_names
from dxir.transforms.functions import closed, grad_function
from dxir.transforms.options import LoopOptions
from dxir.transforms.positions import Wrt, positions

Python = Callable[..., Any]


@overload
def grad(
    function: Function,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def grad(
    function: Python,
    wrt: Wrt = None,
    *,
    has_aux: bool = False,
    options: LoopOptions | None = None,
) -> Python: ...
@explained
def grad(
    function: Any,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    has_aux: bool = False,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """The gradient with respect to the inputs `wrt`.

    Of a Function: `f_grad(inputs...) -> gradients of wrt...`, of the sum of all elements of its
    results, or of those in `outputs`; `wrt` are all that have derivatives unless named. Of a Python
    function, whose result must be one real number: a function that gives the gradient in the
    containers of the argument `wrt`, the first unless named, or a tuple of these for several. With
    `has_aux` the function returns a pair, and the second of it is passed on: (gradient, passed on).
    `options` say how loops are gone through, see `dxir.LoopOptions`.
    """
    if isinstance(function, Function):
        refuse_aux(has_aux, "grad")
        with by(options):
            return grad_function(function, wrt, outputs, name=name)
    check_function(function, "grad")
    refuse_names("grad", outputs=outputs, name=name)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = _derived(function, args, kwargs, wrt, has_aux, options, value=has_aux)
        return (found, value[1]) if has_aux else found

    return named(gradient, function, "grad")


@overload
def value_and_grad(
    function: Function,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def value_and_grad(
    function: Python,
    wrt: Wrt = None,
    *,
    has_aux: bool = False,
    options: LoopOptions | None = None,
) -> Python: ...
@explained
def value_and_grad(
    function: Any,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    has_aux: bool = False,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """The results, and the gradient with respect to the inputs `wrt`, as `grad` gives it."""
    if isinstance(function, Function):
        refuse_aux(has_aux, "value_and_grad")
        with by(options):
            name = name or f"{function.name}_value_and_grad"
            return grad_function(function, wrt, outputs, value=True, name=name)
    check_function(function, "value_and_grad")
    refuse_names("value_and_grad", outputs=outputs, name=name)

    def both(*args: Any, **kwargs: Any) -> Any:
        return _derived(function, args, kwargs, wrt, has_aux, options, value=True)

    return named(both, function, "value_and_grad")


def _derived(
    function: Python,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    wrt: Wrt,
    has_aux: bool,
    options: LoopOptions | None,
    *,
    value: bool,
) -> tuple[Any, Any]:
    """What a function gives, unless `value` is False, and its gradient."""
    call = Call(function, args, kwargs)
    which, tree = positions(call, 0 if wrt is None else wrt)
    traced = call.trace()
    region, out = traced.region, traced.out
    check_aux(call.name, out, has_aux)
    number = (out.children[0] if has_aux else out).count
    _check_scalar(call.name, region.results[:number])
    whole, outside = closed(region, call.name)
    with by(options):
        joint = grad_function(whole, which, 0, value=value)
    found = call.inline(joint, outside)
    if not value:
        return None, tree.build(found)
    count = len(whole.results)
    return out.build(found[:count]), tree.build(found[count:])


def stop_gradient(tree: Any) -> Any:
    """The same values, through which no derivative goes.

    Of nested tuples, lists and dictionaries, every value with a derivative.
    """
    leaves, shape = flatten(tree)
    return shape.build(
        [ops.stop_gradient(v) if isinstance(v, Value) and has_tangent(v.type) else v
         for v in leaves]
    )  # fmt: skip


def _check_scalar(name: str, results: Sequence[Value]) -> None:
    types = ", ".join([str(r.type) for r in results])
    if len(results) != 1 or not has_tangent(results[0].type) or results[0].rank:
        raise TransformError(
            f"the gradient is of one real number, but {name} returns {types or 'nothing'}",
            where=caller_location(),
            hint="sum it, or use vjp, jacrev or jacfwd; with has_aux=True a second result is "
            "passed on",
        )
    if results[0].tensor.primitive.is_complex:
        raise TransformError(
            f"the gradient is of one real number, but {name} returns {types}",
            where=caller_location(),
            hint="take the real part, or use vjp with the cotangent that you mean",
        )
