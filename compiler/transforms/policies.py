"""What of a function is kept for the way back, when the rest is done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from dxir import ops
from dxir.errors import AttributeValueError
from dxir.graph import Function, Value
from dxir.locations import caller_location
from dxir.making import several
from dxir.transforms.callees import Calling, pulled_call, pushed_call
from dxir.transforms.forward import Forward
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


class _Checkpoint(Calling):
    """How the halves of a checkpointed function are called, and what is kept between them."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.saveable = (policy, POLICIES[policy] if isinstance(policy, str) else policy)

    def held(self, values: Sequence[Value]) -> Sequence[Value]:
        """The values behind a barrier, so that what is done again is not taken from before."""
        if self.policy == "everything" or not values:
            return values
        held: Sequence[Value] = ops.optimization_barrier(tuple(values))
        return held

    def together(self, function: Function, inputs: Sequence[Value]) -> tuple[Value, ...]:
        """A checkpoint again."""
        return several(ops.checkpoint_call(function, tuple(inputs), policy=self.policy))


def pulled_checkpoint(
    function: Function, inputs: Sequence[Value], policy: Policy, sweep: Reverse
) -> tuple[tuple[Value, ...], Pull]:
    """Both sweeps: a call along, and one back that does again what was not kept."""
    return pulled_call(function, inputs, sweep, _Checkpoint(policy))


def pushed_checkpoint(
    function: Function, inputs: Sequence[Value], policy: Policy, sweep: Forward
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """The same of the function with its tangents; where they are apart, they do it again."""
    return pushed_call(function, inputs, sweep, _Checkpoint(policy))
