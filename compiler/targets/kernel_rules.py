"""What a descriptor says of the custom calls that it writes: their derivatives and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dxir.derivatives import Cotangent
from dxir.graph import Node
from dxir.naming import MEANING
from dxir.transforms.registry import Rules, enter_kernel, forget_kernel
from dxir.types import Type

if TYPE_CHECKING:
    from dxir.targets.kernels import KernelDescriptor

_entered: dict[tuple[str, int], Rules] = {}


def enter(target: str, kernel: KernelDescriptor) -> None:
    """Make the derivative and the cost of a kernel known, if it has them."""
    if kernel.cost is not None:
        from dxir.costs.calls import enter_kernel_cost

        enter_kernel_cost(kernel.call_target, kernel.cost)
    if kernel.vjp is not None:
        rules = _entered[target, id(kernel)] = rules_of(kernel)
        enter_kernel(rules)


def forget(target: str, kernel: KernelDescriptor) -> None:
    """Take back what `enter` made known."""
    if kernel.cost is not None:
        from dxir.costs.calls import forget_kernel_cost

        forget_kernel_cost(kernel.call_target, kernel.cost)
    rules = _entered.pop((target, id(kernel)), None)
    if rules is not None:
        forget_kernel(rules)


def rules_of(kernel: KernelDescriptor) -> Rules:
    """The rules of custom calls of a kernel; its scratch results are left out of them."""

    def vjp(node: Any, g: Any, y: Any) -> Sequence[Cotangent]:
        assert kernel.vjp is not None
        count = _count(kernel, node)
        if count < len(node.results):
            g, y = (g[0], y[0]) if count == 1 else (g[:count], y[:count])
        found: Sequence[Cotangent] = kernel.vjp(node, g, y)
        return found

    return Rules(kernel.call_target, vjp=vjp)


def _count(kernel: KernelDescriptor, node: Node) -> int:
    """How many results of a call are those of the composite, and not scratch."""
    from dxir.targets.kernels import CompositeUse

    said: Any = (node.annotations or {}).get(MEANING)
    attributes = said.get("attributes", {}) if isinstance(said, Mapping) else {}
    types: tuple[Type, ...] = tuple([r.type for r in node.results])
    operands = tuple([v.type for v in node.operands])
    for count in range(len(types), 0, -1):
        use = CompositeUse(kernel.composite, operands, types[:count], attributes)
        if len(kernel.scratch_types(use)) == len(types) - count:
            return count
    return len(types)
