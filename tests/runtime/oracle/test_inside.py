"""Where it goes wrong inside of loops, branches and composites, and among several results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.op import Op
from dxir.runtime.oracle import Comparison, compare

from .wrong import off_by, wrong_backend

X = np.array([0.25, -1, 2, 0.5], np.float32)


def compared(function: Any, spoil: Any, *arguments: Any) -> Comparison:
    with wrong_backend(spoil) as name:
        return compare(function, arguments, (name, "reference"), contained=False)


def test_a_loop_is_named_with_its_first_wrong_iteration_and_the_op_in_it() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4], name="x")
    scale = ops.exp(x - x)
    (_, y) = ops.while_loop(
        init=(np.int32(0), x),
        cond=lambda i, y: i < np.int32(6),
        body=lambda i, y: (i + np.int32(1), ops.sin(y) * scale),
    )
    function = b.build(y)

    def late(node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        wrong = node.op == "sin" and bool(np.all(np.abs(operands[0]) < 0.7))
        return [np.float32(0.3) * r for r in results] if wrong else results

    start = np.full(4, 0.9, np.float32)  # then 0.78, 0.71, 0.65
    found = compared(function, late, start)
    (divergence,) = found.divergences
    assert divergence.op == "while_loop"
    assert divergence.iteration == 3
    (inner,) = divergence.inside
    assert inner.op == "sin"
    assert inner.where is not None
    assert "test_inside.py" in inner.where
    assert "in iteration 3" in str(found)
    assert divergence.alone


def test_a_branch_is_named_with_the_op_in_it() -> None:
    b = dxir.Builder("main")
    x, p = b.param(dxir.f32[4]), b.param(dxir.i1[()])
    y = ops.cond(p, lambda: ops.exp(ops.tanh(x)), lambda: ops.tanh(x))
    function = b.build(y)
    found = compared(function, off_by("exp"), X, np.True_)
    (divergence,) = found.divergences
    assert divergence.op == "cond"
    assert [d.op for d in divergence.inside] == ["exp"]
    assert compared(function, off_by("exp"), X, np.False_).agrees


def test_the_first_of_several_wrong_results_is_named() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4])
    y = ops.tanh(x)
    function = b.build(x + x, ops.log(ops.abs(y)), ops.exp(y))
    found = compared(function, off_by("log"), X)
    assert [row.verdict for row in found.rows] == ["equal", "off", "equal"]
    (divergence,) = found.divergences
    assert divergence.op == "log"
    assert "log(f32[4]) : f32[4]" in str(divergence)


def test_an_op_that_goes_wrong_among_others_only_is_told_so() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4])
    y = x
    for _ in range(40):
        y = ops.tanh(y) * np.float32(1.5)
    function = b.build(y)
    seen: list[str] = []

    def in_company(node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        seen.append(node.op)
        if node.op == "tanh" and len([n for n in seen if n == "tanh"]) % 40 == 30:
            return [r + np.float32(1) for r in results]
        return results

    found = compared(function, in_company, X)
    assert found.exit_code == 4


@pytest.mark.parametrize("size", [8, 64])
def test_loops_that_count_by_floats_are_held_to_the_same_count(size: int) -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[size])
    (_, y) = ops.while_loop(
        init=(np.float32(0), x),
        cond=lambda i, y: i < np.float32(10),
        body=lambda i, y: (i + np.float32(1), y + y),
    )
    function = b.build(y)
    x0 = np.linspace(-1, 1, size, dtype=np.float32)
    assert compared(function, off_by("nothing"), x0).agrees

    def short(node: Op, operands: list[Any], results: list[Any]) -> list[Any]:
        if node.op == "compare" and float(operands[0]) == 9:
            return [np.zeros_like(r) for r in results]
        return results

    found = compared(function, short, x0)
    assert found.exit_code == 4
    assert found.divergences[0].op == "while_loop"


def unary(rng: np.random.Generator) -> Any:
    kinds = (ops.tanh, ops.sin, ops.exp, ops.abs, ops.neg, ops.sigmoid, ops.sqrt, ops.softmax)
    return kinds[int(rng.integers(len(kinds)))]


@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "f16", "c64"])
@pytest.mark.parametrize("seed", range(3))
def test_random_programs_raise_no_false_alarm(dtype: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = dxir.DType.of(dtype)
    b = dxir.Builder("main")
    values = [b.param(dxir.TensorType((4, 5), kind)) for _ in range(2)]
    complex_ = dtype == "c64"
    for _ in range(25):
        x, y = (values[int(i)] for i in rng.integers(len(values), size=2))
        match int(rng.integers(6)):
            case 0:
                z = x + y
            case 1:
                z = x - y
            case 2:
                z = x * y
            case 3:
                z = ops.matmul(x, ops.transpose(ops.tanh(y), permutation=(1, 0)))
                z = ops.slice(ops.concat((z, z), axis=1), starts=(0, 0), limits=(4, 5))
            case 4:
                z = ops.sum(x, axes=(1,), keepdims=True) + y
            case _:
                z = ops.tanh(x) if complex_ else unary(rng)(ops.abs(x))
        values.append(z)
    function = b.build(*values[-6:])
    data = [rng.standard_normal((4, 5)).astype(kind.numpy) for _ in range(2)]
    if complex_:
        data = [x * np.complex64(1 - 2j) for x in data]
    found = compare(function, data, ("xla-cpu", "reference"), contained=False)
    assert found.agrees, found
