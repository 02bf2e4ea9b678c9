"""The ops of a module in order, outer before inner, and which stands in which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dxir.call_graph import order
from dxir.effects import CALLEE_KEYS
from dxir.mlir import IrOperation, ir
from dxir.reading import function_name, symbol

_CALLS = frozenset(("func.call", "stablehlo.composite"))
"""The ops that run the function they name, once."""


@dataclass(slots=True)
class Tree:
    """The ops of a module by number, the module itself left out, as `ops_below` has them.

    `parents` is -1 for what stands at the top level, `regions` the number of the region of the
    parent. `spans` has for each function its number and that after its last op, `children` for each
    op with regions the blocks in it, as numbers of their ops. `callees` is what the calls name, by
    the number of the call; `order` the functions, callees before callers.
    """

    ops: list[IrOperation] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    regions: list[int] = field(default_factory=list)
    children: dict[int, list[list[int]]] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    callees: dict[int, str] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, module: ir.Module) -> Tree:
        """The tree of a module."""
        found = cls()
        for view in module.body.operations:
            first = len(found.ops)
            found._take(view.operation)
            if found.names[first] == "func.func":
                found.spans[function_name(found.ops[first])] = (first, len(found.ops))
        edges: dict[str, dict[str, None]] = {name: {} for name in found.spans}
        for name, (first, end) in found.spans.items():
            for i in range(first, end):
                if i in found.callees:
                    edges[name][found.callees[i]] = None
        found.order = order(edges).names
        return found

    def _take(self, root: IrOperation) -> None:
        # A stack of our own: nesting may be deeper than Python's.
        stack = [self._add(root, -1, 0)]
        while stack:
            entry = next(stack[-1], None)
            if entry is None:
                stack.pop()
                continue
            op, parent, region, block = entry
            inside = self._add(op, parent, region)
            self.children[parent][block].append(len(self.ops) - 1)
            if op.regions:
                stack.append(inside)
                continue

    def _add(
        self, op: IrOperation, parent: int, region: int
    ) -> Iterator[tuple[IrOperation, int, int, int]]:
        """Take an op in; gives those in it, with its number, that of the region and the block."""
        number = len(self.ops)
        name = op.name
        self.ops.append(op)
        self.names.append(name)
        self.parents.append(parent)
        self.regions.append(region)
        if name in _CALLS:
            callee = symbol(op, CALLEE_KEYS[name])
            if callee is not None:
                self.callees[number] = callee
        return self._inside(op, number)

    def _inside(self, op: IrOperation, number: int) -> Iterator[tuple[IrOperation, int, int, int]]:
        blocks = self.children.setdefault(number, [])
        for i, region in enumerate(op.regions):
            for block in region.blocks:
                blocks.append([])
                at = len(blocks) - 1
                for view in block.operations:
                    yield view.operation, number, i, at
