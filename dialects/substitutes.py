"""Ops transformed through a function that computes the same with other ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dxir.graph import Function, Value
from dxir.op import trace
from dxir.transforms.batching import Unbatched

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse


def substitute(node: Any, body: Callable[..., Any]) -> Function:
    """The function of `body` on parameters of the node's operand types."""
    function = Function(node.op, [v.type for v in node.operands], public=False)
    if node.regions:
        function.parent = node.regions[0].parent  # what they capture stays usable in the body
    return trace(body, function)


def pull_through(sweep: Reverse, node: Any, function: Function) -> tuple[Sequence[Value], Pull]:
    """The `pullback` of a node by that of a function on its operands."""
    used = [r for r, wanted in zip(function.results, sweep.reached, strict=True) if wanted]
    # The nodes put down have their own pulls, so that of the whole adds nothing.
    return sweep.inlined(function, node.operands, used), lambda _: ()


def push_through(
    sweep: Forward, node: Any, function: Function
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """The `pushforward` of a node by that of a function on its operands."""
    return sweep.inlined(function, node.operands)


def batch_through(batch: Batch, function: Function) -> list[Any]:
    """The `batch` of a node by that of a function on its operands."""
    found = batch.run(function, batch.operands, batch.batched)
    return [value if flag else Unbatched(value) for value, flag in found]
