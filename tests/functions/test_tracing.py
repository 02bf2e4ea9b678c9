"""Python functions as graphs: parameters, constants, results, calls of one another."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Array, ops
from dxir.errors import TracingError
from dxir.graph import current_region

F32 = np.float32
X = np.linspace(-1, 1, 6, dtype=F32).reshape(2, 3)
W = np.linspace(1, -1, 9, dtype=F32).reshape(3, 3)


@dxir.function
def layer(w: Any, x: Any) -> Any:
    """One layer."""
    return ops.tanh(ops.matmul(x, w))


def opnames(traced: Any) -> list[str]:
    return [node.op for node in traced.function.nodes]


def test_a_traced_function_looks_like_the_function() -> None:
    assert (layer.__name__, layer.__doc__) == ("layer", "One layer.")
    assert layer.__wrapped__ is layer.python
    assert repr(layer) == "<traced function layer>"
    signature = "<Function layer: (f32[3, 3], f32[2, 3]) -> (f32[2, 3],)>"
    assert repr(layer.trace(W, X)) == f"Traced({signature})"  # a line, at a prompt


def test_parameters_are_named_by_what_leads_to_them() -> None:
    @dataclasses.dataclass
    class Norm:
        scale: Any

    @dxir.function
    def f(params: Any, *rest: Any, flag: Any, **more: Any) -> Any:
        return params, rest, flag, more

    params = {"layers": [{"w": X}, {"w": X}], "a b": Norm(X), "é": None}
    traced = f.trace(params, X, X, more=X, flag=True)
    assert [p.name for p in traced.function.params] == [
        "params.a.b.scale", "params.layers.0.w", "params.layers.1.w", "rest.0", "rest.1",
        "flag", "more",
    ]  # fmt: skip
    text = traced.lower().serialize(version="1.0.0")
    assert dxir.load(text).main == "main"


def test_names_that_come_out_alike_are_told_apart() -> None:
    traced = dxir.function(lambda p: p).trace({"a b": X, "a.b": X, "a": {"b": X}})
    assert [p.name for p in traced.function.params] == ["p.a.b", "p.a.b.1", "p.a.b.2"]


def test_types_stand_for_arrays() -> None:
    traced = dxir.function(lambda p, n: p["x"] * n, shapes={"p": {"x": (..., "d")}}).trace(
        {"x": dxir.f32["n", 3]}, 2.0
    )
    assert traced.function.param_types == (dxir.f32["n", "d"], dxir.f32[()])
    program = dxir.function(lambda x: x + 1).lower(dxir.f32["n", 3])
    assert "tensor<?x3xf32>" in str(program)
    assert program.serialize(version="1.0.0")


def test_the_program_runs_on_leaves() -> None:
    run = layer.compile(W, X)
    np.testing.assert_allclose(run(W, X), np.tanh(X @ W), rtol=1e-6)
    assert [p.name for p in run.parameters] == ["w", "x"]


def test_eager_runs_the_function_on_numbers() -> None:
    seen: list[Any] = []

    @dxir.function(static="n")
    def f(p: Any, n: int) -> Any:
        y = p["x"] * n
        seen.append(float(y[0, 0]))
        if y[0, 0] < 0:  # Python's if works
            y = -y
        return {"y": layer(W, y), "n": n, "none": None}

    found = f.eager({"x": X}, 3)
    assert seen == [-3.0]
    assert isinstance(found["n"], Array)
    assert found["none"] is None
    assert not found["y"].is_traced
    np.testing.assert_allclose(found["y"], np.tanh((X * -3) @ W), rtol=1e-5)


def test_functions_that_are_compiled_run_eagerly_in_eager_ones() -> None:
    seen: list[bool] = []

    @dxir.jit
    def inner(x: Any) -> Any:
        seen.append(x.is_traced)
        return x * 2

    outer = dxir.function(lambda x: inner(x) + 1)
    np.testing.assert_array_equal(outer.eager(X), X * 2 + 1)
    assert seen == [False]
    np.testing.assert_array_equal(dxir.jit(outer)(X), X * 2 + 1)
    assert seen == [False, True]
    assert current_region() is None


def test_a_function_that_raises_ends_eager_mode() -> None:
    @dxir.jit
    def f(x: Any) -> Any:
        if not x.is_traced:
            raise KeyError("numbers")
        return x

    with pytest.raises(KeyError, match="numbers"):
        f.eager(X)
    np.testing.assert_array_equal(f(X), X)


def test_called_on_numbers_it_is_compiled() -> None:
    np.testing.assert_allclose(layer(W, X), np.tanh(X @ W), rtol=1e-6)
    assert hasattr(layer(W, X).held, "placement")


def test_functions_call_each_other_and_are_traced_once_for_each_signature() -> None:
    traced: list[Any] = []

    @dxir.function
    def inner(w: Any, x: Any) -> Any:
        traced.append(x.type)
        return ops.tanh(ops.matmul(x, w))

    @dxir.function
    def net(w: Any, x: Any) -> Any:
        for _ in range(3):
            x = inner(w, x)
        return inner(w, x[:1])

    made = net.trace(W, X)
    assert [n for n in opnames(made) if n == "call"] == ["call"] * 4
    assert len(traced) == 2
    calls = [n for n in made.function.nodes if n.op == "call"]
    assert len({id(n.attrs["callee"]) for n in calls[:3]}) == 1
    assert len(set(made.lower().function_names)) == 3
    found = x = X
    for _ in range(3):
        found = x = np.tanh(x @ W)
    np.testing.assert_allclose(dxir.jit(net)(W, X), np.tanh(found[:1] @ W), rtol=1e-5)


def test_with_inline_it_stands_in_place() -> None:
    double = dxir.function(lambda x: x * 2, inline=True)
    made = dxir.function(lambda x: double(double(x))).trace(X)
    assert opnames(made).count("mul") == 2
    assert "call" not in opnames(made)


def test_what_a_function_captures_of_another_one_is_an_operand() -> None:
    @dxir.jit
    def outer(x: Any, s: Any) -> Any:
        @dxir.function
        def inner(y: Any) -> Any:
            return y * s

        return inner(x) + inner(x * 2)

    np.testing.assert_allclose(outer(X, F32(3)), X * 9, rtol=1e-6)
    assert opnames(outer.trace(X, F32(3))).count("call") == 2
    found = dxir.jit(dxir.grad(lambda s: ops.sum(outer(X, s))))(F32(3))
    np.testing.assert_allclose(found, X.sum() * 3, atol=1e-5)


def test_functions_of_one_name_are_told_apart() -> None:
    one = dxir.function(lambda x: x * 2)
    other = dxir.function(lambda x: x * 3)
    both = dxir.function(lambda x: one(x) + other(x))
    program = both.lower(X)
    assert len(set(program.function_names)) == 3
    np.testing.assert_array_equal(dxir.compile(program)(X), X * 5)

    def main(x: Any) -> Any:
        return main_too(x)

    main_too = dxir.function(lambda x: x + 1, name="main")
    np.testing.assert_array_equal(dxir.jit(main)(X), X + 1)


def test_they_are_called_on_values_of_a_builder() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[2, 3], name="x")
    function = b.build(layer(Array(W), x), x)
    found, same = dxir.compile(function)(X)
    np.testing.assert_allclose(found, np.tanh(X @ W), rtol=1e-6)
    np.testing.assert_array_equal(same, X)


def test_arrays_from_outside_are_constants_each_once() -> None:
    big = Array(np.arange(100, dtype=F32))
    raw = np.arange(50, dtype=F32)
    device = dxir.jit(lambda x: x * 2)(np.arange(60, dtype=F32))

    def f(x: Any) -> Any:
        return x + big + big, x[:50] * raw - raw, device * x[:60] + device

    made = dxir.function(f).trace(big)
    assert opnames(made).count("constant") == 3
    for found, wanted in zip(dxir.jit(f)(big), f(np.arange(100, dtype=F32)), strict=True):
        np.testing.assert_allclose(found, wanted)


def test_an_array_that_is_changed_between_uses_is_two_constants() -> None:
    raw = np.zeros(50, F32)

    def f(x: Any) -> Any:
        y = x + raw
        raw[:] = 1
        return y, x + raw

    zeros, ones = dxir.jit(f)(np.zeros(50, F32))
    np.testing.assert_array_equal(zeros, np.zeros(50))
    np.testing.assert_array_equal(ones, np.ones(50))


def test_constants_in_bodies_of_loops_are_made_outside() -> None:
    big = Array(np.arange(100, dtype=F32))

    def f(x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            return i + 1, y + big

        return ops.while_loop(cond=lambda i, y: i < 3, body=body, init=(np.int32(0), x))[1] + big

    made = dxir.function(f).trace(big)
    large = [n for n in made.function.nodes if n.op == "constant" and n.result.shape == (100,)]
    assert len(large) == 1
    np.testing.assert_array_equal(dxir.jit(f)(big), np.arange(100) * 5)


def test_a_mesh_is_that_of_the_partition_specs_inside() -> None:
    mesh = dxir.Mesh("m", {"x": 1})
    f = dxir.function(lambda x: ops.tanh(x, sharding=dxir.P("x", None)), mesh=mesh)
    assert f.trace(X).function.mesh == mesh
    around = dxir.jit(lambda x: ops.tanh(x, sharding=dxir.P("x", None)))
    with mesh:
        np.testing.assert_allclose(around(X), np.tanh(X), rtol=1e-6)
    other = dxir.Mesh("n", {"x": 1})
    with other:
        np.testing.assert_allclose(around(X), np.tanh(X), rtol=1e-6)
    assert around.traces == 2


def test_what_cannot_be_traced_is_refused_when_it_is_wrapped() -> None:
    async def coroutine(x: Any) -> Any:
        return x

    def generator(x: Any) -> Any:
        yield x

    for given, told in ((coroutine, "a coroutine"), (generator, "a generator")):
        with pytest.raises(TracingError, match=f"gives {told}"):
            dxir.function(given)
    with pytest.raises(TracingError, match="a Python function is traced, not 3"):
        dxir.jit(3)  # type: ignore[call-overload]
    graph = dxir.build_function(lambda v: v, dxir.f32[2], name="g")
    with pytest.raises(TracingError, match=r"dxir\.compile takes it"):
        dxir.jit(graph)  # type: ignore[call-overload]
    with pytest.raises(TracingError, match=r"layer is a dxir\.function already"):
        dxir.jit(layer, static="w")
