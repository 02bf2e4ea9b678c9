"""Expansions repeated as templates are what lowering them node by node gives."""

from typing import Any

import pytest

import dxir
from dxir import ops
from dxir.errors import DxirError
from dxir.graph import Region, Value
from dxir.lowering import Lowering, lower_module
from dxir.making import inline
from dxir.mlir import TypeCache, shared_context
from dxir.op import REGISTRY, Composite, Derived, Op, trace
from dxir.testing.op_checks import example_function

ops.names()
DERIVED = [
    pytest.param(cls, example, id=f"{name}-{i}")
    for name, cls in sorted(REGISTRY.items())
    if issubclass(cls, Derived) and not issubclass(cls, Composite)
    for i, example in enumerate(cls.examples)
]


def used_thrice(cls: type[Op], example: Any) -> dxir.Function:
    """A function that uses the op of an example three times, on parameters of its own each."""
    functions = [example_function(cls, example, f"use{i}") for i in range(3)]
    main = dxir.Function("main", [t for f in functions for t in f.param_types])
    start = 0

    def body(*params: Value) -> list[Value]:
        nonlocal start
        results: list[Value] = []
        for function in functions:
            count = len(function.params)
            values = dict(zip(function.params, params[start : start + count], strict=True))
            start += count
            for node in function.nodes:
                results += _again(node, values)
        return results

    trace(body, main)
    return main


def _again(node: Any, values: dict[Value, Value]) -> list[Value]:
    region = Region()
    region.params = tuple(dict.fromkeys(node.operands))
    region.nodes = [node]
    region.results = node.results
    made = inline(region, [values[v] for v in region.params])
    values.update(zip(node.results, made, strict=True))
    return list(made)


@pytest.mark.parametrize(("cls", "example"), DERIVED)
def test_a_repeated_expansion_is_the_expansion(cls: type[Op], example: Any) -> None:
    try:
        module = dxir.Module([used_thrice(cls, example)])
    except DxirError:
        pytest.skip("the example cannot be used three times in one function")
    careful = Lowering(TypeCache.of(shared_context()), checked=True)
    wanted = careful.lower_module(module, None)
    assert str(lower_module(module)) == str(wanted)
