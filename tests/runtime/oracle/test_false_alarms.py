"""What XLA makes of the examples of all ops is accepted, on ordinary and on hostile values."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir import ops
from dxir.errors import DxirError
from dxir.examples import Example
from dxir.op import REGISTRY
from dxir.runtime.oracle import Policy
from dxir.runtime.oracle.policy import OFF, Expectation
from dxir.testing.op_checks import available, datasets, example_function

ops.names()
_APART = ("host", "collectives", "resharding")
CASES = [
    (name, example)
    for name, cls in sorted(REGISTRY.items())
    if available(cls) and cls.family not in _APART
    for example in cls.examples
    if example.runs
]


def test_an_op_says_how_its_results_are_rounded() -> None:
    said = {"transpose": "moves", "max": "exact", "add": "once", "matmul": "sums"}
    assert {name: REGISTRY[name].rounding for name in said} == said
    assert REGISTRY["exp"].rounding == "approximate"


def alarms(name: str, example: Example) -> list[str]:
    """What is not accepted of an example's results."""
    cls = REGISTRY[name]
    function = example_function(cls, example)
    try:
        executable = dxir.compile(function)
    except DxirError:
        return []
    told: list[str] = []
    for label, arguments in datasets(cls, example):
        wanted: Any = dxir.evaluate(function, *arguments)
        results = wanted if isinstance(wanted, tuple) else (wanted,)

        def again(evaluator: Any, arguments: Any = arguments) -> tuple[Any, ...]:
            return tuple(evaluator.call(function, list(arguments)))

        expectation = Expectation(results, again, Policy())
        for i, given in enumerate(executable.run(arguments)):
            said = expectation.judged(i, given.numpy())
            if said.verdict == OFF:
                told.append(f"{name}{example!r}, {label}, result {i}: {said.examples[:2]}")
    return told


def test_some_examples_raise_no_alarm() -> None:
    assert [line for case in CASES[::24] for line in alarms(*case)] == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, 12, 2))
def test_more_examples_raise_no_alarm(part: int) -> None:
    assert [line for case in CASES[part::12] for line in alarms(*case)] == []
