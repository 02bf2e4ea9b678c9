"""What runs Loom's instructions, there being no device: one after the other, on slots of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import dxir
from dxir.evaluation import Evaluator
from dxir.op import Op
from dxir.runtime.arguments import check_count, host_array, parameters_of
from dxir.runtime.array import Array, HostArray
from dxir.runtime.executable import Executable

from .assembler import Instruction, Stream


class LoomExecutable(Executable):
    """A program for Loom, and the interpreter of its instructions."""

    target = "loom"

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        params = stream.function.params
        types = tuple(v.type for v in params if isinstance(v.type, dxir.TensorType))
        self.parameters = parameters_of(types, tuple(param.name for param in params))
        results = stream.function.results
        self.results = tuple(v.type for v in results if isinstance(v.type, dxir.TensorType))

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run the instructions; every result in a tuple."""
        check_count(len(arguments), self.parameters)
        slots: list[Any] = [None] * len(self.stream.slots)
        for slot, given, param in zip(self.stream.inputs, arguments, self.parameters, strict=True):
            slots[slot] = host_array(given, param)
        with np.errstate(all="ignore"):  # as devices are
            for instruction in self.stream.instructions:
                found = executed(instruction, [slots[slot] for slot in instruction.reads])
                for slot, array in zip(instruction.writes, found, strict=True):
                    slots[slot] = array
        results = zip(self.stream.outputs, self.results, strict=True)
        return tuple(HostArray(np.asarray(slots[slot]), type) for slot, type in results)


def executed(instruction: Instruction, operands: list[Any]) -> tuple[Any, ...]:
    """What an instruction writes."""
    node = instruction.node
    if node.op == "composite":  # the softmax unit, which works in f32
        (x,) = operands
        wide = np.asarray(x, np.float32)
        powers = np.exp(wide - wide.max(-1, keepdims=True))
        return ((powers / powers.sum(-1, keepdims=True)).astype(x.dtype),)
    assert isinstance(node, Op)
    found = Evaluator().computed(node, operands, {})
    return found if isinstance(found, tuple) else (found,)
