"""What of a function is kept for the way back, when the rest is done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.errors import AttributeValueError
from dxir.graph import Function, Value
from dxir.locations import caller_location
from dxir.transforms.callees import called, halves_of, linear_halves_of, tangent_joint
from dxir.transforms.forward import Forward
from dxir.transforms.joint import chosen, some_or_zeros
from dxir.transforms.reverse import Pull, Reverse

__all__ = ["POLICIES", "Policy", "checked_policy", "pulled_checkpoint", "pushed_checkpoint"]

Policy = str | Callable[[Value], bool]
_PRODUCTS = frozenset(("convolution", "dot", "dot_general", "einsum", "matmul", "ragged_dot"))


def _is_product(value: Value) -> bool:
    return value.producer is not None and value.producer.op in _PRODUCTS


POLICIES: dict[str, Callable[[Value], bool]] = {
    "nothing": lambda value: False,
    "everything": lambda value: True,
    "dots": _is_product,
}


def checked_policy(policy: Any) -> Policy:
    """The name of a policy, or a function that says which values are kept."""
    if callable(policy):
        return cast("Policy", policy)
    if policy not in POLICIES:
        raise AttributeValueError(
            f"the policy is {policy!r}",
            where=caller_location(),
            hint=f"it must be one of {', '.join(POLICIES)}, or a function of a value that says "
            "whether it is kept",
        )
    return str(policy)


def _saveable(policy: Policy) -> tuple[object, Callable[[Value], bool]]:
    return policy, POLICIES[policy] if isinstance(policy, str) else policy


def _held(values: Sequence[Value], policy: Policy) -> Sequence[Value]:
    """The values behind a barrier, so that what is done again is not taken from before."""
    if policy == "everything" or not values:
        return values
    held: Sequence[Value] = ops.optimization_barrier(tuple(values))
    return held


def pulled_checkpoint(
    function: Function, inputs: Sequence[Value], policy: Policy, sweep: Reverse
) -> tuple[tuple[Value, ...], Pull]:
    """Both sweeps: a call along, and one back that does again what was not kept."""
    varied = [v in sweep.varied for v in inputs]
    halves = halves_of(function, varied, sweep.reached, sweep.options, _saveable(policy))
    found = called(halves.forward, inputs)
    results = found[: halves.joint.outputs]

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        given = halves.joint.given
        if not halves.joint.found:
            return []
        seeds = some_or_zeros([gs[i] for i in given], chosen(results, given))
        back = called(halves.late, _held([*halves.kept(inputs, found), *seeds], policy))
        return list(zip(chosen(inputs, halves.joint.found), back, strict=True))

    return results, pull


def pushed_checkpoint(
    function: Function, inputs: Sequence[Value], policy: Policy, sweep: Forward
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """The same of the function with its tangents; where they are apart, they do it again."""
    varied = [v in sweep.tangents for v in inputs]
    tangents = [sweep.tangents[v] for v in inputs if v in sweep.tangents]
    if sweep.separate:
        halves = linear_halves_of(function, varied, _saveable(policy))
        joint, found = halves.joint, called(halves.forward, inputs)
        late: Sequence[Value] = ()
        if joint.found:
            late = called(halves.late, _held([*halves.kept(inputs, found), *tangents], policy))
    else:
        joint = tangent_joint(function, varied)
        found = _many(ops.checkpoint_call(joint.function, (*inputs, *tangents), policy=policy))
        late = found[joint.outputs :]
    moved = dict(zip(joint.found, late, strict=True))
    return found[: joint.outputs], [moved.get(i) for i in range(joint.outputs)]


def _many(found: Any) -> tuple[Value, ...]:
    return tuple(found) if isinstance(found, (tuple, list)) else (found,)
