"""The rules of every op of the registry, on its own examples."""

from __future__ import annotations

import pytest

from dxir import ops
from dxir.derivative_checks import check_batching, check_derivatives, check_second_order
from dxir.examples import Example
from dxir.op import REGISTRY, Op
from dxir.testing.op_checks import available

ops.names()
CASES = [
    pytest.param(cls, example, id=f"{cls.family}-{name}-{i}")
    for name, cls in sorted(REGISTRY.items())
    if available(cls)
    for i, example in enumerate(cls.examples)
]


@pytest.mark.parametrize(("cls", "example"), CASES)
def test_derivatives_are_those_of_the_reference(cls: type[Op], example: Example) -> None:
    check_derivatives(cls, example)


@pytest.mark.parametrize(("cls", "example"), CASES)
def test_second_derivatives_are_those_of_the_first(cls: type[Op], example: Example) -> None:
    check_second_order(cls, example)


@pytest.mark.parametrize(("cls", "example"), CASES)
def test_a_batch_gives_what_a_loop_gives(cls: type[Op], example: Example) -> None:
    check_batching(cls, example)
