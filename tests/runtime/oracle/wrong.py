"""A backend that is wrong on purpose: the reference, but for one kind of op."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dxir.evaluation import Evaluator
from dxir.op import Op
from dxir.runtime.arguments import check_count, host_array
from dxir.runtime.array import Array, HostArray
from dxir.runtime.executable import Executable
from dxir.runtime.reference import ReferenceExecutable
from dxir.targets import Source, Target, register_target
from dxir.targets.registry import forget_target

Spoil = Callable[[Op, list[Any], list[Any]], list[Any]]
"""What a wrong backend makes of a node, its operands and its right results."""


class _Spoiled(Evaluator):
    def __init__(self, spoil: Spoil) -> None:
        super().__init__()
        self._spoil = spoil

    def settled(self, node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        return self._spoil(node, operands, results)


class _Wrong(ReferenceExecutable):
    target = "wrong"

    def __init__(self, source: Source, spoil: Spoil) -> None:
        super().__init__(source.graph())
        self._spoil = spoil

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        check_count(len(arguments), self.parameters)
        arrays = [host_array(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        with np.errstate(all="ignore"):
            found = _Spoiled(self._spoil).call(self._function, arrays)
        return tuple(HostArray(np.asarray(r), t) for r, t in zip(found, self.results, strict=True))


@contextmanager
def wrong_backend(spoil: Spoil) -> Iterator[str]:
    """The name of a backend that spoils results; it is forgotten afterwards."""

    def compile(source: Source) -> Executable:
        return _Wrong(source, spoil)

    register_target(Target("wrong", "the reference, spoiled", compile))
    try:
        yield "wrong"
    finally:
        forget_target("wrong")


def off_by(op: str, by: float = 1e-2) -> Spoil:
    """Spoils the results of all ops of a name, relatively."""

    def spoil(node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        if node.op != op:
            return results
        return [(np.asarray(r) * (1 + by) + by).astype(r.dtype) for r in results]

    return spoil
