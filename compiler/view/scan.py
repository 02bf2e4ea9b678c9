"""Reading a module into nodes and blocks, through the bindings."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, function_name, has_body, is_public, signature, symbol
from dxir.view.kinds import category_of, short
from dxir.view.records import Inside, Node, Result
from dxir.view.texts import (
    Places,
    attributes_text,
    constant_text,
    shardings_in,
    shardings_of,
    type_text,
)

_SHOWN_OTHERWISE = frozenset(
    {"sdy.sharding", "sym_name", "function_type", "arg_attrs", "res_attrs"}
)
_LABELS = {
    "stablehlo.while": ("condition", "body"),
    "stablehlo.if": ("true", "false"),
    "stablehlo.select_and_scatter": ("select", "scatter"),
}
_CALLEES = {"func.call": "callee", "stablehlo.composite": "decomposition"}

Visit = Callable[[IrOperation, Node], None]
"""Called with each op while it is alive, and its node."""


@dataclass(slots=True)
class Block:
    """The nodes of a block, and the node it is in; None for the block of the module."""

    owner: int | None
    nodes: list[int] = field(default_factory=list[int])
    slot: int = 0


@dataclass(slots=True)
class Scan:
    """All nodes of a module, its blocks from outside to inside, and its functions by name."""

    nodes: list[Node] = field(default_factory=list[Node])
    blocks: list[Block] = field(default_factory=list[Block])
    functions: dict[str, int] = field(default_factory=dict[str, int])
    public: list[str] = field(default_factory=list[str])


def scan(module: ir.Module, visit: Visit | None = None) -> Scan:
    """The nodes of a module; their `inside` names blocks, not yet bodies."""
    return _Scanner(module, visit).run()


class _Scanner:
    def __init__(self, module: ir.Module, visit: Visit | None) -> None:
        self.module = module
        self.visit = visit
        self.found = Scan()
        self.places = Places()
        self.state = ir.AsmState(module.operation)
        self.values: dict[IrValue, tuple[int, int]] = {}
        # Blocks wait their turn instead of being entered: they may nest deeper than Python's stack.
        self.waiting: deque[tuple[ir.Block, int]] = deque()

    def run(self) -> Scan:
        found = self.found
        found.blocks.append(Block(None))
        for view in self.module.body.operations:
            self._add(view.operation, 0)
        while self.waiting:
            block, number = self.waiting.popleft()
            self._block(block, number)
        for node in found.nodes:
            callee = found.functions.get(node.calls)
            if callee is not None:
                label = "decomposition" if node.name == "stablehlo.composite" else "callee"
                inside = found.nodes[callee].inside
                node.inside += [
                    Inside(each.label if at else label, each.body) for at, each in enumerate(inside)
                ]
        return found

    def _block(self, block: ir.Block, number: int) -> None:
        found = self.found
        owner = found.blocks[number].owner
        assert owner is not None
        for i, argument in enumerate(block.arguments):
            where, scope, location = self.places.of(argument.location)
            is_parameter = found.nodes[owner].kind == "function"
            sharding = found.nodes[owner].results[i].sharding if is_parameter else ""
            result = Result(argument.get_name(self.state), type_text(argument.type), sharding)
            node = Node(
                "argument",
                "parameter" if is_parameter else "argument",
                "argument",
                scope or result.name,
                results=[result],
                where=where,
                scope=scope,
                location=location,
            )
            self.values[argument] = (len(found.nodes), 0)
            found.blocks[number].nodes.append(len(found.nodes))
            found.nodes.append(node)
        for view in block.operations:
            self._add(view.operation, number)

    def _add(self, op: IrOperation, block: int) -> None:
        found = self.found
        number = len(found.nodes)
        found.blocks[block].nodes.append(number)
        node = self._function(op, number) if op.name == "func.func" else self._op(op)
        found.nodes.append(node)
        for i, value in enumerate(op.results):
            self.values[value] = (number, i)
        labels = _LABELS.get(op.name, ())
        slot = 0
        for region in op.regions:
            for at, inner in enumerate(region.blocks):
                label = labels[slot] if slot < len(labels) else ("body" if not slot else str(slot))
                if at:
                    label = f"block {at}"
                node.inside.append(Inside(label, len(found.blocks)))
                found.blocks.append(Block(number, slot=slot))
                self.waiting.append((inner, len(found.blocks) - 1))
                slot += 1
        if self.visit is not None:
            self.visit(op, node)

    def _function(self, op: IrOperation, number: int) -> Node:
        name = function_name(op)
        self.found.functions[name] = number
        if is_public(op):
            self.found.public.append(name)
        type = signature(op)
        where, scope, location = self.places.of(op.location)
        given = shardings_in(attribute(op, "arg_attrs"), len(type.inputs))
        # What a function takes stands as its results: a picture draws no edge from a function.
        results = [
            Result(f"%arg{i}" if has_body(op) else "", type_text(t), s)
            for i, (t, s) in enumerate(zip(type.inputs, given, strict=True))
        ]
        attributes = attributes_text(op, _SHOWN_OTHERWISE)
        made = shardings_in(attribute(op, "res_attrs"), len(type.results))
        for i, (each, sharding) in enumerate(zip(type.results, made, strict=True)):
            text = type_text(each) + (f", {sharding}" if sharding else "")
            attributes.append((f"result {i}", text))
        return Node(
            "function",
            op.name,
            "function",
            f"@{name}",
            results=results,
            attributes=attributes,
            where=where,
            scope=scope,
            location=location,
        )

    def _op(self, op: IrOperation) -> Node:
        name = op.name
        where, scope, location = self.places.of(op.location)
        values = list(op.results)
        shardings = shardings_of(op, len(values))
        category = category_of(name)
        label = short(name)
        if category == "constant":
            label = constant_text(op) or label
        elif name == "stablehlo.composite":
            label = _string(op, "name") or label
        elif name == "stablehlo.custom_call":
            label = f"{label} @{_string(op, 'call_target_name')}"
        calls = symbol(op, _CALLEES[name]) or "" if name in _CALLEES else ""
        if name == "func.call":
            label = f"call @{calls}"
        return Node(
            "op",
            name,
            category,
            label[:60],
            [self.values.get(v, (-1, 0)) for v in op.operands],
            [
                Result(v.get_name(self.state), type_text(v.type), s)
                for v, s in zip(values, shardings, strict=True)
            ],
            attributes_text(op, _SHOWN_OTHERWISE),
            where,
            scope,
            location,
            calls=calls,
        )


def _string(op: IrOperation, name: str) -> str:
    found = attribute(op, name)
    if not isinstance(found, ir.StringAttr):
        return ""
    return found.value_bytes.decode("utf-8", "replace")
