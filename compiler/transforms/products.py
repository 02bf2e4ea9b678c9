"""Products with the Jacobian, from either side: reverse mode, forward mode, and that in parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from dxir.derivatives import has_tangent, zeros
from dxir.errors import TransformError
from dxir.graph import Function, Value, building
from dxir.locations import caller_location
from dxir.making import inline
from dxir.tracing.calls import Call, Traced, check_function
from dxir.tracing.trees import Tree, leaves_like
from dxir.transforms.activity import check_rules
from dxir.transforms.calling import (
    any_leaves,
    by,
    check_aux,
    checked_seed,
    explained,
    refuse_aux,
    refuse_names,
    refuse_primals,
    seeds,
)
from dxir.transforms.functions import (
    checked_outputs,
    checked_wrt,
    closed,
    jvp_function,
    vjp_function,
    without_dead_nodes,
)
from dxir.transforms.joint import Joint, forward_joint
from dxir.transforms.likeness import function_like, results_like
from dxir.transforms.options import LoopOptions
from dxir.transforms.positions import Wrt
from dxir.transforms.rules import Mode
from dxir.transforms.splitting import Split, split

Python = Callable[..., Any]


@overload
def vjp(
    function: Function,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    value: bool = True,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def vjp(
    function: Python,
    *primals: Any,
    wrt: Wrt = None,
    has_aux: bool = False,
    options: LoopOptions | None = None,
) -> tuple[Any, Python]: ...
@explained
def vjp(
    function: Any,
    *primals: Any,
    wrt: Wrt = None,
    outputs: Wrt = None,
    value: bool = True,
    has_aux: bool = False,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """Reverse mode.

    Of a Function: `f_vjp(inputs..., cotangents of outputs...) -> (results..., cotangents of
    wrt...)`, without the results unless `value`. Of a Python function and its arguments: its
    results, and a function of their cotangents, in the same containers, that gives a tuple with the
    cotangent of each argument, or those of `wrt` as `grad` gives them. None stands for the
    cotangents of zeros and of integers. With `has_aux` the function gives a pair; its second part
    is given after those. `options` say how loops are gone through.
    """
    if isinstance(function, Function):
        refuse_aux(has_aux, "vjp")
        refuse_primals(primals, "vjp")
        with by(options):
            return vjp_function(function, wrt, outputs, value=value, name=name)
    check_function(function, "vjp")
    refuse_names("vjp", outputs=outputs, name=name)
    call = Call(function, primals, {})
    which, tree = any_leaves(call, wrt)
    traced = call.trace()
    count = _derived_count(call, traced, has_aux)
    whole, outside = closed(traced.region, call.name)
    active = [i for i in range(count) if has_tangent(whole.results[i].type)]
    wanted = [i for i in which if has_tangent(call.leaves[i].type)]
    with by(options):
        joint = vjp_function(whole, wanted, active)
    cut, results, kept = _put_forward(joint, call, outside, len(whole.results))

    def pullback(cotangents: Any) -> Any:
        shape = _derived_tree(traced, has_aux)
        given = seeds(cotangents, shape, whole.result_types[:count], active, "the cotangents")
        found = dict(zip(wanted, inline(cut.backward, [*kept, *given]), strict=True))
        return tree.build([found.get(i) for i in which])

    built = traced.out.build(results)
    return (built[0], pullback, built[1]) if has_aux else (built, pullback)


def _put_forward(
    joint: Function, call: Call, outside: Sequence[Value], count: int
) -> tuple[Split, list[Value], list[Value]]:
    """The early part of a joint function put down: its results, and what the late part takes."""
    known = [*call.leaves, *outside]
    cut = split(joint, len(known), count)
    found = call.inline(cut.forward, outside)
    return cut, list(found[:count]), cut.kept(known, found)


@overload
def jvp(
    function: Function,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    value: bool = True,
    name: str | None = None,
) -> Function: ...
@overload
def jvp(
    function: Python, primals: Sequence[Any], tangents: Sequence[Any], *, has_aux: bool = False
) -> tuple[Any, ...]: ...
@explained
def jvp(
    function: Any,
    primals: Sequence[Any] | None = None,
    tangents: Sequence[Any] | None = None,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    value: bool = True,
    has_aux: bool = False,
    name: str | None = None,
) -> Any:
    """Forward mode.

    Of a Function: `f_jvp(inputs..., tangents of wrt...) -> (results..., tangents of outputs...)`,
    without the results unless `value`. Of a Python function, a tuple of arguments and one of their
    tangents, in the same containers: the results and their tangents. None is the tangent of zeros,
    and of integers. With `has_aux` the function gives a pair, whose second part is given after
    those.
    """
    if isinstance(function, Function):
        refuse_aux(has_aux, "jvp")
        refuse_primals(() if primals is None else primals, "jvp")
        return jvp_function(function, wrt, outputs, value=value, name=name)
    check_function(function, "jvp")
    refuse_names("jvp", outputs=outputs, name=name, wrt=wrt)
    call = Call(function, _arguments(primals, "primals"), {})
    given = _tangents(call, _arguments(tangents, "tangents"))
    traced = call.trace()
    whole, outside = closed(traced.region, call.name)
    count = _derived_count(call, traced, has_aux)
    active = [i for i in range(count) if has_tangent(whole.results[i].type)]
    moving = [i for i, t in enumerate(given) if t is not None]
    results: Sequence[Value]
    pushed: dict[int, Value] = {}
    if moving and active:
        joint = jvp_function(whole, moving, active)
        found = call.inline(joint, outside, [t for t in given if t is not None])
        results = found[: len(whole.results)]
        pushed = dict(zip(active, found[len(results) :], strict=True))
    else:
        results = call.inline(whole, outside)
        pushed = {i: zeros(results[i].type) for i in active}
    built = traced.out.build(results)
    pushed_ = _derived_tree(traced, has_aux).build([pushed.get(i) for i in range(count)])
    return (built[0], pushed_, built[1]) if has_aux else (built, pushed_)


@overload
def linearize(
    function: Function, *, wrt: Wrt = None, outputs: Wrt = None
) -> tuple[Function, Function]: ...
@overload
def linearize(function: Python, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]: ...
@explained
def linearize(
    function: Any,
    *primals: Any,
    wrt: Wrt = None,
    outputs: Wrt = None,
    has_aux: bool = False,
) -> Any:
    """Forward mode in two parts: what does not depend on tangents is computed once.

    Of a Python function and its arguments: its results, and a function of the arguments' tangents
    that gives those of the results; with `has_aux`, of the first part of the pair that the function
    gives, and the second part after those. Of a Function, two:
    `f_forward(inputs...) -> (results..., kept...)` and
    `f_linear(kept..., tangents of wrt...) -> tangents of outputs...`.
    """
    if isinstance(function, Function):
        refuse_aux(has_aux, "linearize")
        refuse_primals(primals, "linearize")
        return _linear_functions(function, wrt, outputs)
    check_function(function, "linearize")
    refuse_names("linearize", outputs=outputs, wrt=wrt)
    call = Call(function, primals, {})
    which, tree = any_leaves(call, None)
    traced = call.trace()
    whole, outside = closed(traced.region, call.name)
    count = _derived_count(call, traced, has_aux)
    active = [i for i in range(count) if has_tangent(whole.results[i].type)]
    wanted = [i for i in which if has_tangent(call.leaves[i].type)]
    joint = _linear_joint(whole, wanted, active)
    cut, results, kept = _put_forward(joint.function, call, outside, len(whole.results))
    types = [call.leaves[i].type for i in which]
    seeded = [which.index(i) for i in wanted]

    def pushforward(*tangents: Any) -> Any:
        given = seeds(tangents, tree, types, seeded, "the tangents")
        found = dict(zip(joint.found, inline(cut.backward, [*kept, *given]), strict=True))
        return _derived_tree(traced, has_aux).build([found.get(i) for i in range(count)])

    built = traced.out.build(results)
    return (built[0], pushforward, built[1]) if has_aux else (built, pushforward)


def _derived_tree(traced: Traced, has_aux: bool) -> Tree:
    """The containers of the results that are derived: the first of a pair with `has_aux`."""
    return traced.out.children[0] if has_aux else traced.out


def _derived_count(call: Call, traced: Traced, has_aux: bool) -> int:
    """How many results are derived; raises where `has_aux` has no pair."""
    check_aux(call.name, traced.out, has_aux)
    return _derived_tree(traced, has_aux).count


def _linear_joint(whole: Function, wanted: Sequence[int], active: Sequence[int]) -> Joint:
    start = [whole.params[i] for i in wanted]
    check_rules(whole, start, [whole.results[i] for i in active], Mode.FORWARD)
    varied = [i in wanted for i in range(len(whole.params))]
    full = [i in active for i in range(len(whole.results))]
    return forward_joint(whole, varied, separate=True, full=full, wanted=active)


def _linear_functions(function: Function, wrt: Wrt, outputs: Wrt) -> tuple[Function, Function]:
    which, ends = checked_wrt(function, wrt), checked_outputs(function, outputs)
    joint = _linear_joint(function, which, ends)
    whole = joint.function
    cut = split(whole, joint.known, joint.outputs)
    forward = function_like(function, f"{function.name}_forward")
    with building(forward):
        found = inline(cut.forward, forward.params)
        kept = cut.kept(forward.params, found)
        forward.seal([*found[: joint.outputs], *kept])
    results_like(function, forward)
    types = [*[v.type for v in kept], *[function.params[i].type for i in which]]
    linear = Function(
        f"{function.name}_linear", types, public=function.public, location=function.location
    )
    with building(linear):
        given = dict(zip(which, linear.params[len(kept) :], strict=True))
        seeded = [given[i] for i in joint.given]
        moved = inline(cut.backward, [*linear.params[: len(kept)], *seeded])
        pushed = dict(zip(joint.found, moved, strict=True))
        linear.seal([pushed[i] for i in ends])
    linear.param_shardings[: len(cut.inputs)] = [function.param_shardings[i] for i in cut.inputs]
    linear.param_shardings[len(kept) :] = [function.param_shardings[i] for i in which]
    linear.result_shardings[:] = [function.result_shardings[i] for i in ends]
    return forward, without_dead_nodes(linear)


def _arguments(given: Any, what: str) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)):
        raise TransformError(
            f"jvp: {what} is {given!r}",
            where=caller_location(),
            hint="give a tuple with one entry for each argument: jvp(f, (x, y), (dx, dy))",
        )
    return tuple(given)


def _tangents(call: Call, tangents: tuple[Any, ...]) -> list[Value | None]:
    which, tree = any_leaves(call, None)
    types = [call.leaves[i].type for i in which]
    given = leaves_like(tangents, tree, "jvp: tangents")
    return [checked_seed(t, type, "a tangent") for t, type in zip(given, types, strict=True)]
