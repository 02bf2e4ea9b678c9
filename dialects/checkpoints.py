"""Functions whose values are made again on the way back, rather than kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dxir import ops
from dxir.derivatives import Undefined
from dxir.dialects.calls import check_callee, has_effect
from dxir.dialects.control import one_or_all
from dxir.examples import Example
from dxir.graph import Function, Value
from dxir.making import several
from dxir.op import Derived, attribute, trace
from dxir.transforms.batching import Unbatched
from dxir.transforms.callees import batched_function
from dxir.transforms.policies import checked_policy, pulled_checkpoint, pushed_checkpoint
from dxir.types import Type, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.flagging import Flagging
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

_SQUARES = trace(lambda x, y: (x * x, y), Function("squares", (f32[2, 3], i32[()]), public=False))
_SAME = trace(lambda x: x, Function("as_it_is", (f32[0, 3],), public=False))


class CheckpointCall(Derived, name="checkpoint_call", rounding="moves"):
    """The results of a function on `inputs`; its derivative makes values again, as `policy` says.

    "nothing" keeps the inputs only, "dots" the results of matrix products and convolutions of the
    function itself too, "everything" all that a call would keep. A function of a Value says which
    are kept; graphs with one cannot be written as JSON.
    """

    callee: Function = attribute("function", positional=True)
    inputs: tuple[Value, ...]
    policy: Any = "nothing"

    examples = (
        Example(callee=_SQUARES, inputs=(f32[2, 3], i32[()])),
        Example(callee=_SAME, inputs=(f32[0, 3],), policy="dots"),
    )

    def prepare(self) -> None:
        self.update(policy=checked_policy(self.policy))

    @property
    def has_side_effect(self) -> bool:
        """Whether the function has one."""
        return has_effect(self.callee)

    def infer(self) -> Type | tuple[Type, ...]:
        check_callee(self.callee, self.inputs, "callee")
        return one_or_all(self.callee.result_types)

    def expand(self, *inputs: Value) -> Any:
        return ops.call(self.callee, inputs)

    def lacks(self, rule: str) -> Undefined | None:
        if self.callee.is_declaration:
            return Undefined(f"{self.callee.name} is declared only, its body is elsewhere")
        return None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return pulled_checkpoint(self.callee, self.inputs, self.policy, sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return pushed_checkpoint(self.callee, self.inputs, self.policy, sweep)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        made, flags = batched_function(self.callee, batch.batched, batch.size)
        many = several(ops.checkpoint_call(made, batch.operands, policy=self.policy))
        return [v if flag else Unbatched(v) for v, flag in zip(many, flags, strict=True)]

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return flagging.region(self.callee, given)

    def reference(self, *inputs: Any, callee: Callable[..., Any]) -> Any:
        return callee(*inputs)
