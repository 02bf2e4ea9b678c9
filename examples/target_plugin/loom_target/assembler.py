"""From a prepared program to Loom's instructions: a unit for each op, a slot for each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import dxir
from dxir import Function, Node, Value

UNITS = {  # what the device has, as StableHLO names it, by the unit that does it
    "mxu": ["dot_general"],
    "vpu": [
        "add", "and", "compare", "convert", "divide", "exponential", "log", "maximum", "minimum",
        "multiply", "negate", "not", "or", "power", "rsqrt", "select", "sqrt", "subtract", "tanh",
    ],
    "sfu": ["reduce", "composite"],
    "dma": [
        "broadcast_in_dim", "concatenate", "constant", "iota", "reshape", "slice", "transpose",
    ],
}  # fmt: skip
OPS = frozenset(f"stablehlo.{name}" for names in UNITS.values() for name in names)


@dataclass(frozen=True)
class Instruction:
    """One step of the device: a node, and the slots that it reads and writes."""

    node: Node
    reads: tuple[int, ...]
    writes: tuple[int, ...]

    @property
    def unit(self) -> str:
        """The unit that does it; nodes go by dxir's names, which for some ops are shorter."""
        name = {"concat": "concatenate"}.get(self.node.op, self.node.op)
        return next((unit for unit, names in UNITS.items() if name in names), "vpu")

    @property
    def name(self) -> str:
        """What it does: the op, or what a composite is called."""
        if self.node.op == "composite":
            return str(self.node.attrs["composite_name"]).removeprefix("dxir.")
        return self.node.op

    def __str__(self) -> str:
        writes = ", ".join(f"s{slot}" for slot in self.writes)
        reads = ", ".join(f"s{slot}" for slot in self.reads)
        types = ", ".join(str(result.type) for result in self.node.results)
        return f"{writes:>4} = {self.unit}.{self.name:<17} {reads:<10} ; {types}"


@dataclass
class Stream:
    """The instructions of a function, and the memory they need."""

    function: Function
    inputs: tuple[int, ...] = ()
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    outputs: tuple[int, ...] = ()
    slots: list[int] = field(default_factory=list[int])  # the size of each, in bytes

    @property
    def bytes(self) -> int:
        """The memory that all slots take together."""
        return sum(self.slots)

    def __str__(self) -> str:
        head = f"; loom: {len(self.slots)} slots, {self.bytes:,} bytes"
        inputs = [
            f"{f's{slot}':>4} = input {param.name or param.index} ; {param.type}"
            for slot, param in zip(self.inputs, self.function.params, strict=True)
        ]
        outputs = [f"output s{slot}" for slot in self.outputs]
        return "\n".join([head, *inputs, *map(str, self.instructions), *outputs])


def assemble(function: Function) -> Stream:
    """Instructions in the order of the nodes; a slot is used again once its value is not needed."""
    stream = Stream(function)
    last = {value: i for i, node in enumerate(function.nodes) for value in node.operands}
    last |= dict.fromkeys(function.results, len(function.nodes))
    slots: dict[Value, int] = {}
    free: list[int] = []

    def place(values: Sequence[Value]) -> tuple[int, ...]:
        for value in values:
            size = size_of(value)
            fitting = [slot for slot in free if stream.slots[slot] >= size]
            if fitting:
                slots[value] = min(fitting, key=stream.slots.__getitem__)
                free.remove(slots[value])
            else:
                slots[value] = len(stream.slots)
                stream.slots.append(size)
        return tuple(slots[value] for value in values)

    stream.inputs = place(function.params)
    for i, node in enumerate(function.nodes):
        writes = place(node.results)
        reads = tuple(slots[value] for value in node.operands)
        stream.instructions.append(Instruction(node, reads, writes))
        ended = [v for v in {*node.operands, *node.results} if last.get(v, i) == i]
        free += sorted(slots[value] for value in ended)
    stream.outputs = tuple(slots[value] for value in function.results)
    return stream


def size_of(value: Value) -> int:
    """The bytes of a value."""
    assert isinstance(value.type, dxir.TensorType)
    return -(-value.type.size * value.type.dtype.bits // 8)
