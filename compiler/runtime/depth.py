"""How deep a program is: what a compiler that recurses over it needs stack for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from dxir.effects import callees
from dxir.mlir import IrOperation, IrValue
from dxir.reading import walk


@dataclass(frozen=True, slots=True)
class Limits:
    """The depths up to which compiling in this process is safe.

    `fused` ops that need each other and may end up in one kernel, `chain` ops that need each
    other, `calls` of functions in functions, `nesting` of regions; more than `most_nesting` is not
    compiled at all.
    """

    fused: int
    chain: int
    calls: int
    nesting: int
    most_nesting: int = 300


@dataclass(slots=True)
class Depth:
    """The depths of a function with all it calls, and the `ops` it has when these are copied in."""

    ops: int = 0
    fused: int = 0
    chain: int = 0
    calls: int = 0
    nesting: int = 0


# XLA fuses across everything else, or splits it into ops that it fuses across.
_ENDS_FUSION = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("dot_general", "dot", "convolution", "fft", "cholesky", "triangular_solve"),
        *("sort", "rng_bit_generator", "while", "case", "if", "custom_call"),
        *("all_gather", "all_reduce", "all_to_all", "collective_permute"),
    )
)


def measure(
    known: Mapping[str, IrOperation],
    limits: Limits,
    visit: Callable[[IrOperation, str], None],
) -> Depth:
    """The depth of `main`, calling `visit(op, name)` on every op of every function.

    No function may call itself.
    """
    depths: dict[str, Depth] = {}
    pending = list(known)
    parts: dict[str, _Function] = {}
    while pending:
        name = pending[-1]
        if name not in parts:
            parts[name] = _Function(known[name], visit)
        waiting = [c for c in parts[name].callees if c in known and c not in depths]
        if waiting:
            pending += waiting
            continue
        pending.pop()
        if name not in depths:
            depths[name] = parts[name].depth(depths, limits)
    return depths["main"]


class _Function:
    """One function, read once."""

    def __init__(self, function: IrOperation, visit: Callable[[IrOperation, str], None]) -> None:
        self._function = function
        self.ops = 0
        self._left = 0  # ops once calls are inlined
        self.nesting = 0
        self.callees: list[str] = []
        self._nested: dict[Any, int] = {}
        try:
            walk(function, lambda op: self._read(op, visit))
        finally:
            self._nested.clear()

    def _read(self, op: IrOperation, visit: Callable[[IrOperation, str], None]) -> None:
        name = op.name
        self.ops += 1
        self._left += 0 if name in _NO_OPS else 1
        if name in _CALLS:
            self.callees += callees(op)
        elif len(op.regions):
            parent = op.parent
            depth = self._nested.get(parent.operation if parent is not None else None, 0) + 1
            self._nested[op] = depth
            self.nesting = max(self.nesting, depth - 1)  # the function itself is the first
        visit(op, name)

    def depth(self, depths: Mapping[str, Depth], limits: Limits) -> Depth:
        """The depth with all that is called, whose depths are known."""
        called = [depths[name] for name in self.callees if name in depths]
        found = Depth(
            ops=self.ops + sum(c.ops for c in called),
            calls=1 + max((c.calls for c in called), default=-1),
            nesting=self.nesting + max((c.nesting for c in called), default=0),
        )
        longest = self._left + sum(c.chain for c in called)
        found.chain = found.fused = longest
        if longest > min(limits.fused, limits.chain):
            _Chains(depths, found).read(self._function)
        return found


_CALLS = frozenset(("func.call", "stablehlo.composite", "stablehlo.custom_call"))

# What nothing is left of once calls are inlined.
_NO_OPS = frozenset(
    ("func.func", "func.return", "func.call", "stablehlo.composite", "stablehlo.return")
)


class _Chains:
    """The longest chains of ops that need each other, in one function and its regions."""

    def __init__(self, depths: Mapping[str, Depth], into: Depth) -> None:
        self._depths = depths
        self._into = into
        self._chain: dict[IrValue, int] = {}
        self._fused: dict[IrValue, int] = {}
        into.chain = into.fused = 0

    def read(self, function: IrOperation) -> None:
        """Measure every block, each on its own."""
        pending: list[IrOperation] = [function]
        while pending:
            for region in pending.pop().regions:
                for block in region.blocks:
                    pending += self._block(block.operations)

    def _block(self, operations: Iterable[Any]) -> list[IrOperation]:
        outer: list[IrOperation] = []
        chain, fused, into = self._chain, self._fused, self._into
        for view in operations:
            op: IrOperation = view.operation
            long = wide = 0
            for value in cast(Any, op).operands:
                long = max(long, chain.get(value, 0))
                wide = max(wide, fused.get(value, 0))
            name = op.name
            own = wide_own = 0 if name in _NO_OPS else 1
            if name in _CALLS:
                inner = [self._depths[c] for c in callees(op) if c in self._depths]
                own += max((d.chain for d in inner), default=0)
                wide_own += max((d.fused for d in inner), default=0)
            long += own
            wide = 0 if name in _ENDS_FUSION else wide + wide_own
            into.chain = max(into.chain, long)
            into.fused = max(into.fused, wide)
            for result in cast(Any, op).results:
                chain[result] = long
                fused[result] = wide
            if len(op.regions):
                outer.append(op)
        return outer
