"""Evaluating graphs by the references of their ops."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import ArgumentError, AttributeValueError, GraphError

N = 1 << 18  # a megabyte of f32


def peak(function: dxir.Function, *arguments: Any) -> int:
    dxir.evaluate(function, *arguments)
    tracemalloc.start()
    try:
        dxir.evaluate(function, *arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_values_are_dropped_after_their_last_use() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[N])
    y = x
    for _ in range(40):
        y = ops.neg(y)
    assert peak(b.build(y), np.ones(N, np.float32)) < 6 * 4 * N


def test_what_regions_capture_is_kept_as_long_as_they_need_it() -> None:
    b = dxir.Builder()
    x = b.param(dxir.i32[()])
    one = ops.neg(ops.neg(x))
    outer = ops.add(one, x)
    [n, total] = ops.while_loop(
        lambda n, t: ops.compare(n, outer, direction="LT"),
        lambda n, t: (
            ops.add(n, one),
            ops.cond(ops.compare(n, one, direction="GE"), lambda: ops.add(t, outer), lambda: one),
        ),
        (ops.sub(x, x), x),
    )
    function = b.build(ops.add(total, n), one, x)
    assert [int(r) for r in dxir.evaluate(function, np.int32(5))] == [25, 5, 5]
    compiled = dxir.compile(function)(np.int32(5))
    assert [int(r) for r in compiled] == [25, 5, 5]


def test_a_module_without_one_entry_is_refused_alike_everywhere() -> None:
    def named(name: str) -> dxir.Function:
        b = dxir.Builder(name)
        x = b.param(dxir.f32[2])
        return b.build(ops.neg(x))

    module = dxir.Module([named("f"), named("g")])
    x = np.ones(2, np.float32)
    for run in (
        lambda: dxir.evaluate(module, x),
        lambda: dxir.compile(module),
        lambda: dxir.compile(module, "reference"),
    ):
        with pytest.raises(GraphError, match="not exactly one public function") as error:
            run()
        assert "f, g" in str(error.value.hint)
    only = dxir.Module([named("f")])
    assert dxir.evaluate(only, x).tolist() == [-1, -1]


def test_attribute_values_nested_too_deep_are_refused() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]
    x = dxir.Builder().param(dxir.f32[2])
    for deep in (value, {"a": value}):
        with pytest.raises(AttributeValueError, match="nested more than 100 deep"):
            ops.custom_call((x,), types=(), call_target_name="f", backend_config={"key": deep})


def test_an_argument_of_lower_rank_is_refused_though_its_sizes_are_the_first() -> None:
    b = dxir.Builder("main")
    function = b.build(dxir.ops.neg(b.param(dxir.f32[4, 4])))
    with pytest.raises(ArgumentError, match=r"has type f32\[4, 4\], but the argument is f32\[4\]"):
        dxir.evaluate(function, np.zeros(4, np.float32))
