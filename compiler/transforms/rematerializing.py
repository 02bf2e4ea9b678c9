"""checkpoint: functions whose values are computed again on the way back, rather than kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, overload

from dxir import ops
from dxir.graph import Function, building
from dxir.making import several
from dxir.tracing.calls import Call, check_function
from dxir.transforms.calling import named, refuse_names
from dxir.transforms.functions import closed
from dxir.transforms.likeness import function_like, results_like
from dxir.transforms.policies import checked_policy
from dxir.transforms.sharing import shared

Python = Callable[..., Any]


@overload
def checkpoint(
    function: Function, *, policy: Any = "nothing", name: str | None = None
) -> Function: ...
@overload
def checkpoint(function: Python, *, policy: Any = "nothing") -> Python: ...
def checkpoint(function: Any, *, policy: Any = "nothing", name: str | None = None) -> Any:
    """The same function, of whose values reverse mode keeps only some.

    `policy` says which: "nothing" its inputs only, "dots" the results of matrix products and
    convolutions, too, "everything" all that is needed, or a function of a Value that says whether
    it is kept. The others are computed again from these. Of a Function: `f_checkpoint`.
    """
    checked_policy(policy)
    if isinstance(function, Function):
        made = function_like(function, name or f"{function.name}_checkpoint")
        with building(made):
            found = ops.checkpoint_call(function, made.params, policy=policy)
            made.seal(several(found))
        results_like(function, made)
        return made
    check_function(function, "checkpoint")
    refuse_names("checkpoint", name=name)

    def again(*args: Any, **kwargs: Any) -> Any:
        call = Call(function, args, kwargs)
        traced = call.trace()
        whole, outside = closed(traced.region, re.sub(r"[^\w.]", "_", call.name))
        with building(call.home):
            found = ops.checkpoint_call(shared(whole), (*call.leaves, *outside), policy=policy)
        return traced.out.build(several(found))

    return named(again, function, "checkpoint")
